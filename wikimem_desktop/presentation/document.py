"""What is open in the editor: where the person goes, what is decided about texts, what is done to them elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import Signal, Slot

from wikimem_desktop.engine.changes import Mark
from wikimem_desktop.engine.document import Document, as_read
from wikimem_desktop.engine.item_edits import Spot, offset_in_file, spot_at
from wikimem_desktop.engine.items import MemoryItem
from wikimem_desktop.engine.links import WikiLink
from wikimem_desktop.engine.refactoring import Redirection, rewrite_text

from .buffer import Buffer, Place, Version
from .exchange import ExchangedTexts
from .file_buffer import FileBuffer
from .library import Library
from .opening import open_place, read_version
from .trail import Trail


@dataclass(frozen=True, slots=True)
class Merged:
    """A text that was made of the one here and of `theirs`, and the metadata fields that were decided for theirs."""

    place: Place
    theirs: Version
    text: str
    fields_of_theirs: frozenset[str]


class Documents(ExchangedTexts):
    """The open place and every text that is not saved yet.

    Signals:
        history_changed: whether back and forward lead anywhere.
        spot_wanted: the caret is wanted at this character of the current text.
        kept_in_file: a Place was to be opened whose file holds unsaved changes that no single item can show; the file
            is shown instead.
        undecided: a whole file was to be opened, but something must be decided about an item of it first, which is
            shown instead.
    """

    history_changed = Signal()
    spot_wanted = Signal(int)
    kept_in_file = Signal(object)
    undecided = Signal()

    def __init__(self, library: Library) -> None:
        super().__init__(library)
        self.composing = False
        """Whether an input method holds text that is not part of the current one yet."""
        self.trail = Trail()
        library.store_changed.connect(self._on_store_changed)

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
        if self._here != before:
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

    def _show(self, place: Place) -> bool:
        self.leaving.emit()
        if place.kind in ("item", "shadowed") and not self._hand_back(place.category):
            self._stay_in_file(place)
            return True
        waiting = self._take_over(place.category) if place.kind == "text" else None
        if waiting is not None:
            self._keep(waiting)
            self._set_current(waiting)
            self.undecided.emit()
            return True
        store = self._library.store
        buffer = self._kept.get(place) or (open_place(store, place) if store and self._library.snapshot else None)
        if buffer is None:
            return False
        self._keep(buffer)
        self._set_current(buffer)
        return True

    # ------------------------------------------------------------ one item, or its whole file

    def open_file(self, item_offset: int = 0) -> None:
        """From the current item to its whole file, at the same place."""
        here = self._here
        if here is None or here.kind not in ("item", "shadowed") or not self.open(Place("text", here.category)):
            return
        if self.current is not None and self.current.place.kind == "text":
            spot = Spot(here.name, item_offset, here.occurrence, here.kind == "item")
            self.spot_wanted.emit(offset_in_file(Document(self.current.text), spot))

    def open_item_at(self, offset: int) -> None:
        """From the current file to the item that has this character."""
        current = self.current
        if current is None or current.place.kind != "text":
            return
        document, category = Document(current.text), current.place.category
        spot = spot_at(document, offset)
        if spot is None and document.sections:
            spot = Spot(document.sections[0].name, 0)
        if spot is None:
            return
        place = Place("item", category, spot.name)
        if not spot.effective:
            place = Place("shadowed", category, spot.name, spot.occurrence)
        if self.open(place) and self._here == place:
            self.spot_wanted.emit(spot.offset)

    def _stay_in_file(self, place: Place) -> None:
        file = self._file_buffer(place.category)
        assert file is not None
        if self.current is not file:
            self._keep(file)
            self._set_current(file)
        spot = Spot(place.name, 0, place.occurrence, place.kind == "item")
        self.spot_wanted.emit(offset_in_file(Document(file.text), spot))
        self.kept_in_file.emit(place)

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

    # ------------------------------------------------------------ giving up

    def discard_all(self) -> None:
        """Give up every unsaved text (the person was asked)."""
        for buffer in self.buffers:
            self._give_up(buffer)

    def discard(self) -> None:
        """Give up the current text, if it is unsaved (the person was asked)."""
        if self.current is not None and self.current.dirty:
            self._give_up(self.current)

    def take_theirs(self) -> None:
        """Resolve the conflict: the text on disk replaces mine in the editor; undo brings mine back.

        Of a whole file only the sections that both sides changed; the others stay as they are here, unsaved.
        """
        buffer = self.current
        if buffer is None or buffer.conflict is None:
            return
        theirs = buffer.conflict.theirs
        if isinstance(buffer, FileBuffer) and theirs is not None:
            self.lost.emit(buffer.place, "mine", buffer.text)
            self._base_on(buffer, theirs, buffer.merged_with(theirs, "theirs"))
        else:
            self._give_up(buffer)

    def keep_mine(self) -> bool:
        """Resolve the conflict: the text here is to replace that on disk, which was seen. False if there is none.

        Of a whole file only in the sections that both sides changed.
        """
        buffer = self.current
        if buffer is None or buffer.conflict is None or buffer.conflict.theirs is None:
            return False
        theirs = buffer.conflict.theirs
        self.lost.emit(buffer.place, "theirs", theirs.text)
        text = buffer.merged_with(theirs, "mine") if isinstance(buffer, FileBuffer) else buffer.text
        self._base_on(buffer, theirs, text)
        return True

    def _base_on(self, buffer: Buffer, theirs: Version, text: str) -> None:
        """What stands in the editor is a text that was made in sight of theirs."""
        before = buffer.text
        buffer.rebase(theirs)
        if text != before:
            buffer.replace(text)
        self.note(buffer)
        if buffer is self.current and text != before:
            self.text_replaced.emit()

    @Slot(object)
    def take_merged(self, merged: Merged) -> None:
        """Resolve the conflict: a text made of both stands in the editor, unsaved; undo brings mine back.

        What others wrote since the merge began was not seen: it is a conflict of its own.
        """
        buffer = self.current
        if buffer is None or buffer.place != merged.place:
            return
        for side, given_up in (("mine", buffer.text), ("theirs", merged.theirs.text)):
            if given_up != merged.text:
                self.lost.emit(buffer.place, side, given_up)
        for key in merged.fields_of_theirs:
            buffer.pending.pop(key, None)
        self._base_on(buffer, merged.theirs, merged.text)
        self.follow([buffer])

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

    # ------------------------------------------------------------ what the person did elsewhere

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
        text = None
        if before.kind == "item" and before.category == after.category:
            self._rename_in_file(before, after)
        elif before.kind == "item":
            text = self._take_out(before)
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
        version = read_version(store, after) if text is not None else None
        if text is not None and version is not None:
            self.restore(after, version, text, {})
        self.trail.follow(lambda place: _moved(place, before, after))
        if self.current is not None and self.current.place in moved.values():
            self._set_current(self.current)

    def close(self, place: Place) -> None:
        """An item, or a whole category, was deleted by the person; unsaved text of it is handed to `lost`."""
        self._take_out(place)
        for buffer in list(self._kept.values()):
            if buffer.place == place or (place.kind == "category" and buffer.place.key == place.key):
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
        if self._holds_unsaved(place):
            if self.unsaved_contents.get((place.category, place.name)) != as_read(text):
                self.lost.emit(place, "mine", text)
            return
        buffer = FileBuffer(place, base) if place.whole else Buffer(place, base.text, base)
        self._kept.pop(place, None)
        self._keep(buffer)
        for key, value in pending.items():
            buffer.set_field(key, value)
        buffer.replace(text)
        self.note(buffer)
        self.follow([buffer])
        here = self._here
        if here is not None and (here == place or (here.key == place.key and here.whole != place.whole)):
            self._set_current(buffer)

    def _holds_unsaved(self, place: Place) -> bool:
        """Whether a text, its file or (of a file) an item of it is unsaved here."""
        return any(
            b.place == place or (b.place.key == place.key and b.place.whole != place.whole) for b in self.buffers
        )

    def bring_back(self, place: Place, text: str) -> None:
        """Put a given-up text into the editor again, as unsaved text of the item or file, which may be gone."""
        if self.open(place) and self.current is not None:
            if self.current.place != place:
                return  # its file, or an item of it, must be decided about first
            if self.current.editable:
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


def _moved(place: Place, before: Place, after: Place) -> Place:
    """Where a place is when `before` is at `after` now."""
    if place == before:
        return after
    if (
        before.kind == "category"
        and place.kind in ("item", "shadowed", "text", "file")
        and place.category == before.category
    ):
        return replace(place, category=after.category)
    return place
