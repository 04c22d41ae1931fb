"""What is open in the editor: a place in the store, its text, and whether the text differs from the disk."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QObject, Signal, Slot

from wikimem_desktop.engine.document import as_read
from wikimem_desktop.engine.errors import Conflict, OutsideStore, WikimemError
from wikimem_desktop.engine.items import MemoryItem

from .library import Library
from .notices import Level, Notices
from .words import error_text
from .writer import SaveRequest, Writer

_HISTORY = 200


@dataclass(frozen=True, slots=True)
class Place:
    """Something that can be opened: an item, a shadowed section, a diary day, or a file that can't be read."""

    kind: str
    """"item", "shadowed", "day" or "file"."""
    category: str
    name: str = ""
    occurrence: int = 0

    @property
    def address(self) -> str:
        return f"{self.category}:{self.name}" if self.name else self.category


@dataclass(slots=True)
class Buffer:
    """The text of a place. `base` is the item as it was read; None for what can't be edited."""

    place: Place
    base: MemoryItem | None
    text: str
    conflict: Conflict | None = None
    conflict_seen_at: datetime | None = None
    saving: SaveRequest | None = None
    """On its way to the disk; the text may have changed since."""
    save_again: bool = False
    revision: int = 0
    """Of the store when this was last saved: a snapshot of an older one knows less than `base`."""

    @property
    def editable(self) -> bool:
        return self.base is not None

    @property
    def dirty(self) -> bool:
        """Whether the text is not safely on disk, or not known to be."""
        if self.base is None:
            return False
        return self.text != self.base.content or self.conflict is not None or self.saving is not None


class Documents(QObject):
    """The open place and every text that is not saved yet. Leaving a place keeps its unsaved text.

    Signals:
        current_changed: another place is open.
        text_replaced: the current text was replaced from outside the editor (by the disk, or by a decision).
        state_changed: dirty, conflict or editability of the current place changed.
        dirty_changed: an address became dirty or clean.
        unsaved_changed: `unsaved_contents` may have changed.
        saved: the address of an item that is now on disk as written.
        outside_wanted: a save would write to this path outside the store; `allow_outside` agrees.
        save_failed: the address of an item that could not be written; its text is still here.
        history_changed: whether back and forward lead anywhere.
    """

    current_changed = Signal()
    text_replaced = Signal()
    state_changed = Signal()
    dirty_changed = Signal(str)
    unsaved_changed = Signal()
    saved = Signal(str)
    save_failed = Signal(str)
    outside_wanted = Signal(str)
    history_changed = Signal()

    def __init__(self, library: Library, writer: Writer, notices: Notices) -> None:
        super().__init__()
        self.current: Buffer | None = None
        self._library = library
        self._writer = writer
        self._notices = notices
        self._dirty: dict[Place, Buffer] = {}
        self._back: list[Place] = []
        self._forward: list[Place] = []
        self._outside: Buffer | None = None
        library.store_changed.connect(self._on_store_changed)
        library.snapshot_changed.connect(self._on_snapshot_changed)
        writer.saved.connect(self._on_saved)
        writer.failed.connect(self._on_save_failed)

    # ------------------------------------------------------------ going

    def open_item(self, category: str, name: str) -> bool:
        """Open an item; False when there is none."""
        return self.open(Place("item", category, name))

    def open(self, place: Place) -> bool:
        """Open a place and remember the one before. False when there is nothing to open."""
        if self.current is not None and self.current.place == place:
            return True
        before = self.current.place if self.current else None
        if not self._show(place):
            return False
        if before is not None:
            self._back = [*self._back[-_HISTORY:], before]
        self._forward = []
        self.history_changed.emit()
        return True

    @property
    def can_go_back(self) -> bool:
        return bool(self._back)

    @property
    def can_go_forward(self) -> bool:
        return bool(self._forward)

    @Slot()
    def go_back(self) -> None:
        self._go(self._back, self._forward)

    @Slot()
    def go_forward(self) -> None:
        self._go(self._forward, self._back)

    def _go(self, source: list[Place], target: list[Place]) -> None:
        here = self.current.place if self.current else None
        while source:
            if self._show(source.pop()):
                if here is not None:
                    target.append(here)
                break
        self.history_changed.emit()

    def _show(self, place: Place) -> bool:
        buffer = self._dirty.get(place) or self._read(place)
        if buffer is None:
            return False
        self.current = buffer
        self.current_changed.emit()
        self.state_changed.emit()
        return True

    def _read(self, place: Place) -> Buffer | None:
        store, snapshot = self._library.store, self._library.snapshot
        if store is None or snapshot is None:
            return None
        if place.kind == "item":
            item = snapshot.item(place.category, place.name)
            return Buffer(place, item, item.content) if item else None
        if place.kind == "shadowed":
            file = next((file for file in snapshot.files if file.category == place.category), None)
            for shadowed in file.shadowed if file else ():
                if (shadowed.item.name, shadowed.occurrence) == (place.name, place.occurrence):
                    return Buffer(place, None, shadowed.item.content)
            return None
        path = store.diary.path(place.category) if place.kind == "day" else store.path(place.category)
        try:
            return Buffer(place, None, path.read_bytes().decode("utf-8", "replace"))
        except OSError:
            return None

    # ------------------------------------------------------------ editing

    @property
    def read_only(self) -> bool:
        """Whether the current text can't be changed on disk."""
        return self.current is None or not self.current.editable or self.read_only_store

    @property
    def read_only_store(self) -> bool:
        return self._library.store is not None and self._library.store.read_only

    def set_text(self, text: str) -> None:
        """The person typed."""
        buffer = self.current
        if buffer is None or not buffer.editable or text == buffer.text:
            return
        was_dirty = buffer.dirty
        buffer.text = text
        self._keep(buffer, was_dirty=was_dirty)

    @property
    def unsaved(self) -> list[str]:
        """Addresses of all texts that differ from the disk."""
        return sorted(place.address for place in self._dirty)

    @property
    def unsaved_contents(self) -> dict[tuple[str, str], str]:
        """What hosts would read if every unsaved text were saved now, by category and name."""
        return {(place.category, place.name): as_read(buffer.text) for place, buffer in self._dirty.items()}

    def is_dirty(self, category: str, name: str) -> bool:
        return Place("item", category, name) in self._dirty

    @Slot()
    def save(self) -> None:
        """Write the current text."""
        if self.current is not None and self.current.dirty:
            self._save(self.current)

    @Slot()
    def save_all(self) -> None:
        for buffer in list(self._dirty.values()):
            self._save(buffer)

    def discard_all(self) -> None:
        """Give up every unsaved text (the person was asked)."""
        for buffer in list(self._dirty.values()):
            if buffer.base is not None:
                self._settle(buffer, buffer.base, buffer.base.content)
                self._follow_disk(buffer)

    def keep_mine(self) -> None:
        """Resolve the conflict: my text is to replace theirs, which I have seen."""
        buffer = self.current
        if buffer is not None and buffer.conflict is not None and buffer.conflict.theirs is not None:
            buffer.base, buffer.conflict = buffer.conflict.theirs, None
            self.state_changed.emit()
            self._save(buffer)

    def take_theirs(self) -> None:
        """Resolve the conflict: the text on disk replaces mine in the editor."""
        buffer = self.current
        if buffer is None or buffer.conflict is None:
            return
        theirs = buffer.conflict.theirs
        if theirs is None:
            self._forget(buffer)
            self.current = None
            self.current_changed.emit()
            self.state_changed.emit()
        else:
            self._settle(buffer, theirs, theirs.content)

    def allow_outside(self) -> None:
        """The person agreed to write the symlinked file that could not be saved; save it again."""
        store, buffer = self._library.store, self._outside
        if store is not None and buffer is not None:
            store.allow_outside(store.path(buffer.place.category))
            self._save(buffer)

    def _save(self, buffer: Buffer) -> None:
        store = self._library.store
        if store is None or buffer.base is None:
            return
        if buffer.conflict is not None:
            self.state_changed.emit()
            self.save_failed.emit(buffer.place.address)
        elif buffer.saving is not None:
            buffer.save_again = True
        else:
            buffer.saving = SaveRequest(store, buffer.base, buffer.text)
            self._writer.save(buffer.saving)

    def _keep(self, buffer: Buffer, *, was_dirty: bool) -> None:
        """Note whether the buffer is dirty now."""
        if buffer.dirty:
            self._dirty[buffer.place] = buffer
        else:
            self._dirty.pop(buffer.place, None)
        if buffer.dirty != was_dirty:
            self.dirty_changed.emit(buffer.place.address)
        self.unsaved_changed.emit()
        if buffer is self.current:
            self.state_changed.emit()

    def _settle(self, buffer: Buffer, item: MemoryItem, text: str) -> None:
        """The item is what is on disk, the text what the person sees from now on."""
        was_dirty, replaced = buffer.dirty, buffer.text != text
        buffer.base, buffer.text = item, text
        buffer.conflict, buffer.saving, buffer.save_again = None, None, False
        self._keep(buffer, was_dirty=was_dirty)
        if replaced and buffer is self.current:
            self.text_replaced.emit()

    def _forget(self, buffer: Buffer) -> None:
        self._dirty.pop(buffer.place, None)
        self.dirty_changed.emit(buffer.place.address)
        self.unsaved_changed.emit()

    # ------------------------------------------------------------ what happens meanwhile

    @Slot()
    def _on_store_changed(self) -> None:
        self.current, self._dirty, self._back, self._forward, self._outside = None, {}, [], [], None
        self.unsaved_changed.emit()
        self.current_changed.emit()
        self.state_changed.emit()
        self.history_changed.emit()

    @Slot()
    def _on_snapshot_changed(self) -> None:
        current = self.current
        for buffer in {id(b): b for b in [*self._dirty.values(), *([current] if current else [])]}.values():
            self._follow_disk(buffer)

    def _follow_disk(self, buffer: Buffer) -> None:
        """Compare the buffer with the newest snapshot."""
        snapshot = self._library.snapshot
        if snapshot is None or buffer.saving is not None or snapshot.revision < buffer.revision:
            return
        fresh = self._read(buffer.place)
        if not buffer.editable:
            if buffer is self.current and fresh is not None and fresh.text != buffer.text:
                buffer.text = fresh.text
                self.text_replaced.emit()
            return
        theirs = fresh.base if fresh else None
        if theirs != buffer.base:
            self._meet(buffer, theirs)
        elif theirs is not None and buffer.conflict is not None:
            self._settle(buffer, theirs, buffer.text)  # they took their change back

    def _meet(self, buffer: Buffer, theirs: MemoryItem | None) -> None:
        """The item on disk is not the one that the text is based on."""
        assert buffer.base is not None
        if theirs is not None and (not buffer.dirty or as_read(buffer.text) == theirs.content):
            self._settle(buffer, theirs, theirs.content)
        elif theirs is not None and theirs.content == buffer.base.content:
            self._settle(buffer, theirs, buffer.text)  # only its metadata changed
        elif buffer.dirty:
            self._mark_conflict(buffer, Conflict(buffer.base, theirs, buffer.text))
        elif buffer is self.current:
            # The item is gone and nobody typed: there is nothing to show any more.
            self.current = None
            self.current_changed.emit()
            self.state_changed.emit()

    def _mark_conflict(self, buffer: Buffer, conflict: Conflict) -> None:
        known = buffer.conflict
        if known is not None and known.theirs == conflict.theirs:
            return
        was_dirty = buffer.dirty
        buffer.conflict, buffer.conflict_seen_at = conflict, datetime.now()
        self._keep(buffer, was_dirty=was_dirty)

    def _under_way(self, request: SaveRequest) -> Buffer | None:
        """The buffer that waits for what comes of this request."""
        return next((buffer for buffer in self._dirty.values() if buffer.saving is request), None)

    @Slot(object, object)
    def _on_saved(self, request: SaveRequest, item: MemoryItem) -> None:
        if request.store is not self._library.store:
            return
        buffer = self._under_way(request)
        if buffer is not None:
            again = buffer.save_again
            buffer.revision = request.store.revision
            self._settle(buffer, item, item.content if buffer.text == request.text else buffer.text)
            self._follow_disk(buffer)
            if again and buffer.dirty:
                self._save(buffer)
        self._notices.clear("save")
        self.saved.emit(item.address)
        self._library.refresh()

    @Slot(object, object)
    def _on_save_failed(self, request: SaveRequest, error: WikimemError) -> None:
        if request.store is not self._library.store:
            return
        buffer = self._under_way(request)
        if buffer is not None:
            buffer.saving, buffer.save_again = None, False
            self._keep(buffer, was_dirty=True)
        if isinstance(error, Conflict) and buffer is not None:
            self._meet(buffer, error.theirs)
            if buffer.conflict is None:
                self._after_meeting(buffer)
                return
        elif isinstance(error, OutsideStore) and buffer is not None:
            self._outside = buffer
            self.outside_wanted.emit(str(error.target))
        else:
            self._notices.post(Level.ERROR, error_text(error), "save", str(error))
        self.save_failed.emit(request.base.address)
        self._library.refresh()
        if buffer is not None:
            self._follow_disk(buffer)

    def _after_meeting(self, buffer: Buffer) -> None:
        """What looked like a conflict was none: others wrote the same text, or changed only the metadata."""
        if buffer.dirty:
            self._save(buffer)
        else:
            self.saved.emit(buffer.place.address)
            self._library.refresh()
