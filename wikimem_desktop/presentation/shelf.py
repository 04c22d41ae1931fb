"""The texts that are open, or were and still hold something: which there are, and which are unsaved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from .buffer import Buffer, Place
from .library import Library

_KEPT = 40
"""How many places keep their undo history without being unsaved."""
_PAUSE_MS = 150
_LONG = 20_000
"""Characters; comparing a longer text with the disk waits for a pause."""


class Shelf(QObject):
    """Leaving a place keeps its text and its undo history.

    Signals:
        current_changed: another place is open.
        state_changed: dirty, conflict or editability of the current place changed.
        dirty_changed: an address became dirty or clean; of a whole file also: other items of it are.
        unsaved_changed: some unsaved text is another now (a moment after the last key).
        lost: a Place, a side ("mine" or "theirs") and a text that a decision gave up.
    """

    current_changed = Signal()
    state_changed = Signal()
    dirty_changed = Signal(str)
    unsaved_changed = Signal()
    lost = Signal(object, str, str)

    def __init__(self, library: Library) -> None:
        super().__init__()
        self.current: Buffer | None = None
        self._library = library
        self._held: Counter[Place] = Counter()
        self._kept: dict[Place, Buffer] = {}
        """Buffers that were open, the latest last."""
        self._dirty: set[Place] = set()
        """What was last said to be dirty."""
        self._edited: set[Place] = set()
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._on_pause)

    @property
    def _here(self) -> Place | None:
        return self.current.place if self.current else None

    # ------------------------------------------------------------ which there are

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
        """Addresses of all texts that differ from the disk; an unsaved file counts for its items too."""
        found: set[str] = set()
        for buffer in self.buffers:
            found.update([f"{category}:{name}" for category, name in buffer.contents] or [buffer.place.address])
        return sorted(found)

    @property
    def unsaved_contents(self) -> dict[tuple[str, str], str | None]:
        """What hosts would read if every unsaved text were saved now, by category and name; None: the item goes."""
        return {address: text for buffer in self.buffers for address, text in buffer.contents.items()}

    def of(self, places: Iterable[Place]) -> list[Buffer]:
        """The buffers of items and of whole categories, and of the files that they are in."""
        wanted = set(places)
        keys, categories = ({p.key for p in wanted}, {p.category for p in wanted if p.kind == "category"})
        return [
            buffer
            for place, buffer in self._kept.items()
            if place in wanted or place.key in categories or (place.whole and place.key in keys)
        ]

    def is_dirty(self, category: str, name: str) -> bool:
        """Whether an item, or the file that it is in, holds unsaved text."""
        places = (Place("item", category, name), Place("text", category))
        return any(place in self._kept and self._kept[place].dirty for place in places)

    def waiting_for(self, request: object) -> Buffer | None:
        """The buffer whose text is on its way to the disk by this request."""
        return next((buffer for buffer in self._kept.values() if buffer.saving is request), None)

    # ------------------------------------------------------------ coming and going

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

    def _forget(self, buffer: Buffer) -> None:
        """Drop the buffer with all it holds."""
        self._kept.pop(buffer.place, None)
        if buffer.place in self._dirty:
            self._dirty.discard(buffer.place)
            self.dirty_changed.emit(buffer.place.address)
        if buffer is self.current:
            self._set_current(None)
        self.unsaved_changed.emit()

    # ------------------------------------------------------------ what is unsaved

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
            if buffer.place.kind == "text" and buffer.dirty:
                self.dirty_changed.emit(buffer.place.address)
        self.unsaved_changed.emit()

    def note(self, buffer: Buffer) -> None:
        """Say whether the buffer is dirty now."""
        dirty = buffer.dirty
        if dirty != (buffer.place in self._dirty):
            (self._dirty.add if dirty else self._dirty.discard)(buffer.place)
            self.dirty_changed.emit(buffer.place.address)
        if buffer is self.current:
            self.state_changed.emit()

    # ------------------------------------------------------------ what the person changes elsewhere

    def hold(self, place: Place) -> None:
        """A change by the person of an item or a whole category is under way: what the disk says of it is no news."""
        self._held[place] += 1

    def release(self, place: Place) -> None:
        """The change is done, or was not possible."""
        self._held -= Counter([place])

    def _is_held(self, place: Place) -> bool:
        if place in self._held or Place("category", place.key) in self._held:
            return True
        return place.whole and any(held.key == place.key for held in self._held)
