"""What is open in the editor: places, the buffers behind them, and how these meet the disk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from wikimem_desktop.engine.document import Document
from wikimem_desktop.engine.errors import UnreadableFile
from wikimem_desktop.engine.items import MemoryItem
from wikimem_desktop.engine.links import WikiLink
from wikimem_desktop.engine.refactoring import Mark, Redirection, rewrite_text
from wikimem_desktop.engine.store import CategoryFile, MemoryStore

from .buffer import Buffer, Disagreement, Place, Version
from .library import Library
from .opening import open_place, read_only, read_version
from .trail import Trail

_KEPT = 40
"""How many places keep their undo history without being unsaved."""
_PAUSE_MS = 150
_LONG = 20_000
"""Characters; comparing a longer text with the disk waits for a pause."""


class Documents(QObject):
    """The open place and every text that is not saved yet. Leaving a place keeps its text and its undo history.

    Signals:
        leaving: the current text is about to be left or saved; what is being composed must be committed now.
        current_changed: another place is open.
        text_replaced: the current text was replaced from outside the editor (by the disk, or by a decision).
        followed: the current text, which was clean, was replaced because the disk changed.
        state_changed: dirty, conflict or editability of the current place changed.
        dirty_changed: an address became dirty or clean.
        unsaved_changed: some unsaved text is another now (a moment after the last key).
        lost: a Place, a side ("mine" or "theirs") and a text that a decision gave up.
        history_changed: whether back and forward lead anywhere.
    """

    leaving = Signal()
    current_changed = Signal()
    text_replaced = Signal()
    followed = Signal()
    state_changed = Signal()
    dirty_changed = Signal(str)
    unsaved_changed = Signal()
    lost = Signal(object, str, str)
    history_changed = Signal()

    def __init__(self, library: Library) -> None:
        super().__init__()
        self.current: Buffer | None = None
        self.composing = False
        """Whether an input method holds text that is not part of the current one yet."""
        self.trail = Trail()
        self._held: Counter[Place] = Counter()
        self._library = library
        self._kept: dict[Place, Buffer] = {}
        """Buffers that were open, the latest last."""
        self._dirty: set[Place] = set()
        """What was last said to be dirty."""
        self._seen: dict[str, CategoryFile | None] = {}
        """The indexed files that the buffers were last compared with."""
        self._edited: set[Place] = set()
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._on_pause)
        library.store_changed.connect(self._on_store_changed)
        library.snapshot_changed.connect(self._on_snapshot_changed)

    # ------------------------------------------------------------ going

    def open_item(self, category: str, name: str) -> bool:
        """Open an item; False when there is none."""
        return self.open(Place("item", category, name))

    def open_link(self, link: WikiLink) -> bool:
        """Open the item that a link leads to; False when there is none."""
        if self.open_item(link.category, link.name):
            return True
        item = self._library.target(link)
        return item is not None and self.open_item(item.category, item.name)

    def open(self, place: Place) -> bool:
        """Open a place and remember the one before. False when there is nothing to open."""
        before = self._here
        if before == place:
            return True
        if not self._show(place):
            return False
        self.trail.leave(before)
        self.history_changed.emit()
        return True

    @Slot()
    def go_back(self) -> None:
        self.trail.back(self._here, self._show)
        self.history_changed.emit()

    @Slot()
    def go_forward(self) -> None:
        self.trail.forward(self._here, self._show)
        self.history_changed.emit()

    @property
    def _here(self) -> Place | None:
        return self.current.place if self.current else None

    def _show(self, place: Place) -> bool:
        self.leaving.emit()
        store = self._library.store
        buffer = self._kept.get(place) or (open_place(store, place) if store and self._library.snapshot else None)
        if buffer is None:
            return False
        self._keep(buffer)
        self._set_current(buffer)
        return True

    def _set_current(self, buffer: Buffer | None) -> None:
        self.current = buffer
        self.current_changed.emit()
        self.state_changed.emit()

    def _keep(self, buffer: Buffer) -> None:
        if buffer.place not in self._kept:
            buffer.edited.connect(self._on_edited)
        self._kept.pop(buffer.place, None)
        self._kept[buffer.place] = buffer
        clean = [place for place, kept in self._kept.items() if kept is not buffer and not kept.dirty]
        for place in clean[: max(0, len(clean) - _KEPT)]:
            del self._kept[place]

    # ------------------------------------------------------------ editing

    @property
    def read_only(self) -> bool:
        """Whether the current text can't be changed on disk."""
        return self.current is None or not self.current.editable or self.read_only_store

    @property
    def read_only_store(self) -> bool:
        return self._library.store is not None and self._library.store.read_only

    @property
    def can_save(self) -> bool:
        """Whether the current text holds something that saving would write."""
        return self.current is not None and not self.read_only and (self.current.dirty or self.composing)

    def set_composing(self, composing: bool) -> None:
        self.composing = composing
        self.state_changed.emit()

    @property
    def kept(self) -> list[Buffer]:
        """All buffers, the saved ones too."""
        return list(self._kept.values())

    @property
    def buffers(self) -> list[Buffer]:
        """All buffers whose text differs from the disk, or is not known to be there."""
        return [buffer for buffer in self._kept.values() if buffer.dirty]

    @property
    def unsaved(self) -> list[str]:
        """Addresses of all texts that differ from the disk."""
        return sorted(buffer.place.address for buffer in self.buffers)

    @property
    def unsaved_contents(self) -> dict[tuple[str, str], str]:
        """What hosts would read if every unsaved text were saved now, by category and name."""
        return {(buffer.place.category, buffer.place.name): buffer.content for buffer in self.buffers}

    def of(self, places: Iterable[Place]) -> list[Buffer]:
        """The buffers of items and of whole categories."""
        wanted = set(places)
        categories = {place.category for place in wanted if place.kind == "category"}
        return [b for b in self._kept.values() if b.place in wanted or b.place.category in categories]

    def is_dirty(self, category: str, name: str) -> bool:
        buffer = self._kept.get(Place("item", category, name))
        return buffer is not None and buffer.dirty

    @Slot()
    def _on_edited(self) -> None:
        buffer = self.sender()
        assert isinstance(buffer, Buffer)
        if buffer.place not in self._dirty or buffer.document.characterCount() < _LONG:
            self.note(buffer)
        self._edited.add(buffer.place)
        self._pause.start()

    @Slot()
    def _on_pause(self) -> None:
        """Look at what was typed; a long text is not compared with the disk at every key."""
        edited, self._edited = self._edited, set()
        for buffer in [self._kept[place] for place in edited if place in self._kept]:
            self.note(buffer)
        self.unsaved_changed.emit()

    def note(self, buffer: Buffer) -> None:
        """Say whether the buffer is dirty now."""
        dirty = buffer.dirty
        if dirty != (buffer.place in self._dirty):
            (self._dirty.add if dirty else self._dirty.discard)(buffer.place)
            self.dirty_changed.emit(buffer.place.address)
        if buffer is self.current:
            self.state_changed.emit()

    def _forget(self, buffer: Buffer) -> None:
        """Drop the buffer with all it holds."""
        self._kept.pop(buffer.place, None)
        if buffer.place in self._dirty:
            self._dirty.discard(buffer.place)
            self.dirty_changed.emit(buffer.place.address)
        if buffer is self.current:
            self._set_current(None)
        self.unsaved_changed.emit()

    def waiting_for(self, request: object) -> Buffer | None:
        """The buffer whose text is on its way to the disk by this request."""
        return next((buffer for buffer in self._kept.values() if buffer.saving is request), None)

    # ------------------------------------------------------------ giving up

    def discard_all(self) -> None:
        """Give up every unsaved text (the person was asked)."""
        for buffer in self.buffers:
            self._give_up(buffer)

    def take_theirs(self) -> None:
        """Resolve the conflict: the text on disk replaces mine in the editor; undo brings mine back."""
        if self.current is not None and self.current.conflict is not None:
            self._give_up(self.current)

    def take_merged(self, text: str, fields_of_theirs: Iterable[str]) -> None:
        """Resolve the conflict: a text made of both stands in the editor, unsaved; undo brings mine back."""
        buffer = self.current
        if buffer is None or buffer.conflict is None or buffer.conflict.theirs is None:
            return
        theirs = buffer.conflict.theirs
        for side, given_up in (("mine", buffer.text), ("theirs", theirs.text)):
            if given_up != text:
                self.lost.emit(buffer.place, side, given_up)
        for key in fields_of_theirs:
            buffer.pending.pop(key, None)
        buffer.rebase(theirs)
        buffer.replace(text)
        self.note(buffer)
        self.text_replaced.emit()

    def _give_up(self, buffer: Buffer) -> None:
        assert buffer.base is not None
        self.lost.emit(buffer.place, "mine", buffer.text)
        version = buffer.conflict.theirs if buffer.conflict else buffer.base
        if version is None:
            self._forget(buffer)
            return
        buffer.saving, buffer.save_again = None, False
        buffer.pending.clear()
        self._settle(buffer, version)
        self.follow([buffer])

    def _settle(self, buffer: Buffer, version: Version) -> None:
        """The item is so on disk, and so shall the text be."""
        text = buffer.text
        buffer.follow(version)
        self.note(buffer)
        if buffer is self.current and (buffer.text != text or not buffer.editable):
            self.text_replaced.emit()

    # ------------------------------------------------------------ what the person did elsewhere

    def hold(self, place: Place) -> None:
        """A change by the person of an item or a whole category is under way: what the disk says of it is no news."""
        self._held[place] += 1

    def release(self, place: Place) -> None:
        """The change is done, or was not possible."""
        self._held -= Counter([place])

    def _is_held(self, place: Place) -> bool:
        return place in self._held or Place("category", place.category) in self._held

    def redirect(self, redirections: Sequence[Redirection], kept: Collection[Mark]) -> None:
        """Links lead elsewhere on disk now; in unsaved texts too, or saving them would bring the old ones back."""
        changed = []
        for buffer in self.buffers:
            text = rewrite_text(buffer.text, *redirections, kept=kept)
            base = buffer.base
            if base is not None and "[[" in base.text:
                item = replace(base.item, content=rewrite_text(base.item.content, *redirections, kept=kept))
                base = buffer.base = replace(base, item=item, text=rewrite_text(base.text, *redirections, kept=kept))
            if text != buffer.text:
                buffer.replace(text)
            if base is not None:
                changed.append(buffer)
        self.follow(changed)

    def move(self, before: Place, after: Place) -> None:
        """An item, or a whole category, has another address now."""
        store = self._library.store
        assert store is not None
        moved = {place: _moved(place, before, after) for place in self._kept if _moved(place, before, after) != place}
        for old, new in moved.items():
            buffer = self._kept.pop(old)
            version = read_version(store, new)
            if old in self._dirty:
                self._dirty.discard(old)
                self.dirty_changed.emit(old.address)
            buffer.place = new
            self._kept[new] = buffer
            if buffer.base is not None:
                item = replace(buffer.base.item, category=new.category, name=new.name)
                buffer.base, buffer.conflict = replace(buffer.base, item=item), None
            if buffer.base is not None and version is not None and buffer.saving is None:
                self._meet(buffer, version)
            self.note(buffer)
        self.trail.follow(lambda place: _moved(place, before, after))
        if self.current is not None and self.current.place in moved.values():
            self._set_current(self.current)

    def close(self, place: Place) -> None:
        """An item, or a whole category, was deleted by the person; unsaved text of it is handed to `lost`."""
        for buffer in list(self._kept.values()):
            if buffer.place == place or (place.kind == "category" and buffer.place.category == place.category):
                if buffer.dirty:
                    self.lost.emit(buffer.place, "mine", buffer.text)
                self._forget(buffer)

    def forget(self, is_gone: Callable[[Place], bool], redacted: Callable[[Place, str], str]) -> None:
        """The person wants texts to be nowhere: what is unsaved is without them, and no undo brings them back."""
        for buffer in list(self._kept.values()):
            if is_gone(buffer.place):
                self._forget(buffer)
            elif buffer.dirty or buffer is self.current:
                buffer.forget(partial(redacted, buffer.place))
                self.note(buffer)
            else:
                del self._kept[buffer.place]

    def restore(self, place: Place, base: Version, text: str, pending: Mapping[str, str | None]) -> None:
        """Bring an unsaved text back, as it was based on `base`; one that was typed since is not replaced."""
        known = self._kept.get(place)
        if known is not None and known.dirty:
            self.lost.emit(place, "mine", text)
            return
        buffer = Buffer(place, base.text, base)
        self._kept.pop(place, None)
        self._keep(buffer)
        for key, value in pending.items():
            buffer.set_field(key, value)
        buffer.replace(text)
        self.note(buffer)
        self.follow([buffer])
        if known is not None and known is self.current:
            self._set_current(buffer)

    def bring_back(self, place: Place, text: str) -> None:
        """Put a given-up text into the editor again, as unsaved text of the item, which may be gone."""
        if self.open(place) and self.current is not None and self.current.editable:
            if self.current.typed:
                self.lost.emit(place, "mine", self.current.text)
            self.current.replace(text)
            return
        nothing = Version(MemoryItem(place.category, place.name, ""), "", "\n")
        self.restore(place, nothing, text, {})
        self.open(place)

    def take_disk(self, place: Place, taken: str | None = None) -> None:
        """Show an item that was just written. Unsaved text stays, unless it is what was `taken` into that."""
        store = self._library.store
        assert store is not None
        version, buffer = read_version(store, place), self._kept.get(place)
        if version is not None and buffer is not None and buffer.base is not None:
            if buffer.dirty and buffer.text != taken:
                self.follow([buffer])
            else:
                if buffer.typed and buffer.content != version.item.content:  # it is split
                    self.lost.emit(place, "mine", buffer.text)
                buffer.conflict = None
                self._settle(buffer, version)
        self.open(place)

    # ------------------------------------------------------------ what happens meanwhile

    def stop(self) -> None:
        """Forget what was about to be said or saved: the application ends."""
        self._pause.stop()

    @Slot()
    def _on_store_changed(self) -> None:
        self.stop()
        self._kept, self._dirty, self._seen, self._edited = {}, set(), {}, set()
        self._held.clear()
        self.trail = Trail()
        self._set_current(None)
        self.history_changed.emit()
        self.unsaved_changed.emit()

    @Slot()
    def _on_snapshot_changed(self) -> None:
        snapshot = self._library.snapshot
        assert snapshot is not None
        files = {file.category: file for file in snapshot.files}
        categories = {place.category for place in self._kept}
        changed = {c for c in categories if c not in self._seen or self._seen[c] is not files.get(c)}
        self._seen = {category: files.get(category) for category in categories}
        self.follow(b for b in list(self._kept.values()) if b.place.category in changed or b.place.kind != "item")

    def follow(self, buffers: Iterable[Buffer]) -> None:
        """Compare the buffers with the disk as it is now."""
        store = self._library.store
        assert store is not None
        documents: dict[str, Document | None] = {}
        for buffer in buffers:
            category = buffer.place.category
            if self._is_held(buffer.place):
                continue
            if not buffer.editable:
                self._follow_read_only(store, buffer)
                continue
            if category not in documents:
                try:
                    documents[category] = store.document(category)
                except UnreadableFile:
                    documents[category] = None
            document = documents[category]
            if document is not None and buffer.saving is None:
                self._meet(buffer, Version.of(document, category, buffer.place.name))

    def _follow_read_only(self, store: MemoryStore, buffer: Buffer) -> None:
        place, shown = buffer.place, read_only(store, buffer.place)
        if place.kind == "file" and self._library.can_be_read(place.category):
            self._forget(buffer)
        elif shown is not None and (shown.text, shown.foreign) != (buffer.text, buffer.foreign):
            buffer.show(*shown)
            if buffer is self.current:
                self.text_replaced.emit()

    def _meet(self, buffer: Buffer, theirs: Version | None) -> None:
        """What becomes of the buffer now that the item is so on disk."""
        base = buffer.base
        assert base is not None
        if theirs == base:
            if buffer.conflict is not None:  # they took their change back
                buffer.rebase(base)
                self.note(buffer)
        elif theirs is None:
            if buffer is self.current:
                self.leaving.emit()
            if buffer.dirty:
                self._disagree(buffer, None)
            else:
                self._forget(buffer)
        elif buffer.clashes_with(theirs):
            self._disagree(buffer, theirs)
        elif not buffer.typed or buffer.content == theirs.item.content:
            text = buffer.text
            self._settle(buffer, theirs)
            if buffer is self.current and buffer.text != text:
                self.followed.emit()
        else:
            buffer.rebase(theirs)
            self.note(buffer)

    def _disagree(self, buffer: Buffer, theirs: Version | None) -> None:
        if buffer.conflict is not None and buffer.conflict.theirs == theirs:
            return
        store = self._library.store
        assert store is not None
        try:
            changed_at = datetime.fromtimestamp(store.path(buffer.place.category).stat().st_mtime)
        except OSError:
            changed_at = None
        buffer.conflict = Disagreement(theirs, datetime.now(), changed_at)
        self.note(buffer)


def _moved(place: Place, before: Place, after: Place) -> Place:
    """Where a place is when `before` is at `after` now."""
    if place == before:
        return after
    if before.kind == "category" and place.kind in ("item", "shadowed", "file") and place.category == before.category:
        return replace(place, category=after.category)
    return place
