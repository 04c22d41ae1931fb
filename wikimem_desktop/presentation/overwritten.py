"""Edits of ours that another program took back by writing an older copy, and putting them in again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QObject, Signal, Slot

from wikimem_desktop.engine import changes
from wikimem_desktop.engine.changes import Change, FileChange
from wikimem_desktop.engine.diary import day_of
from wikimem_desktop.engine.document import Document
from wikimem_desktop.engine.errors import NotUtf8
from wikimem_desktop.engine.hunks import is_clear, merged, three_way
from wikimem_desktop.engine.store import CategoryFile

from .buffer import Place, Version
from .differences import differences
from .document import Documents
from .library import Library
from .notices import Action, Level, Notices
from .opening import read_version
from .saver import Saver
from .steps import ChangeRequest
from .words import clock_time
from .writer import Request, SaveFileRequest, SaveRequest, Writer

_MOST = 200
_MOST_BYTES = 400_000
"""Of a step's files, before and after, that the window has time to look into; the others are not watched any more."""


@dataclass(frozen=True, slots=True)
class Saved:
    """What a person saved last of an item: before it, and after."""

    before: Version
    after: Version
    at: datetime


@dataclass(frozen=True, slots=True)
class Loss:
    """What was saved, and what stands there instead."""

    saved: Saved
    now: Version
    seen_at: datetime


class Overwritten(QObject):
    """Signals:
    changed: `losses` are others now.
    """

    changed = Signal()

    def __init__(self, library: Library, documents: Documents, saver: Saver, writer: Writer, notices: Notices) -> None:
        super().__init__()
        self.losses: dict[Place, Loss] = {}
        self._library = library
        self._documents = documents
        self._saver = saver
        self._notices = notices
        self._saved: dict[Place, Saved] = {}
        self._seen: dict[str, CategoryFile] = {}
        library.store_changed.connect(self._on_store_changed)
        library.snapshot_changed.connect(self._on_snapshot_changed)
        writer.done.connect(self._on_written)
        documents.lost.connect(self._on_lost)

    @Slot()
    def _on_store_changed(self) -> None:
        self._saved, self._seen = {}, {}
        self._set({})

    def forget(self) -> None:
        """No text that was saved before shall come back."""
        self._saved = {}
        self._set({})

    @Slot(object, object)
    def _on_written(self, request: Request, result: object) -> None:
        if isinstance(request, SaveRequest) and request.store is self._library.store:
            assert isinstance(result, Version)
            self._note(request.base, result)
        elif isinstance(request, SaveFileRequest) and request.store is self._library.store:
            assert isinstance(result, Version)
            texts = request.base.text.encode(), request.text.encode()  # not what others wrote, which was merged
            self._learn(Change({request.place.key: FileChange(*texts)}))
        elif isinstance(request, ChangeRequest) and request.store is self._library.store:
            assert isinstance(result, Change)
            self._learn(result)

    def _learn(self, done: Change) -> None:
        """A step is an edit of ours too: what it takes back no one else did."""
        watched, room = {place.category for place in self._saved}, _MOST_BYTES
        for category, change in sorted(done.files.items(), key=lambda file: file[0] not in watched):
            room -= sum(len(data or b"") for data in change)
            try:
                before, after = (Document.from_bytes(data or b"" if room > 0 else b"") for data in change)
            except NotUtf8:
                before = after = Document("")
            if not before.text or not after.text:
                self._drop([place for place in self._saved if place.category == category])
            elif day_of(category) is None:
                self._learn_file(category, before, after)

    def _learn_file(self, category: str, before: Document, after: Document) -> None:
        for record in changes.differences(before.items(category), after.items(category)):
            old, new = (Version.of(document, category, record.item) for document in (before, after))
            place = Place("item", category, record.item)
            known = self._saved.get(place)
            if old is None or new is None:
                self._drop([place])
            elif known is not None and known.after == old and not _is_lost(known, new):
                self._note(known.before, new)  # a link follows, say: what was saved before is watched as before
            else:
                self._note(old, new)

    def _note(self, before: Version, after: Version) -> None:
        """The person wrote this; what they wrote there before is in it still, or they took it back themselves."""
        place = Place("item", after.item.category, after.item.name)
        self._drop([place])
        self._saved[place] = Saved(before, after, datetime.now())
        for oldest in list(self._saved)[: max(0, len(self._saved) - _MOST)]:
            del self._saved[oldest]

    def _drop(self, places: Sequence[Place]) -> None:
        for place in places:
            self._saved.pop(place, None)
            self.dismiss(place)

    @Slot(object, str, str)
    def _on_lost(self, place: Place, side: str, text: str) -> None:
        """The person took theirs, knowing: what they saved before is theirs to lose."""
        if side == "mine":
            self._drop([place])

    @Slot()
    def _on_snapshot_changed(self) -> None:
        snapshot, store = self._library.snapshot, self._library.store
        assert snapshot is not None
        assert store is not None
        files = {file.category: file for file in snapshot.files}
        changed = {category for category, file in files.items() if self._seen.get(category) is not file}
        self._seen = files
        losses = dict(self.losses)
        for place, saved in list(self._saved.items()):
            if place.category not in changed:
                continue
            now = read_version(store, place)
            if now is None:  # deleted or renamed: the history and the changes tell
                losses.pop(place, None)
            elif _is_lost(saved, now):
                losses[place] = Loss(saved, now, datetime.now())
            else:
                losses.pop(place, None)
        self._set(losses)

    def _set(self, losses: dict[Place, Loss]) -> None:
        if losses == self.losses:
            return
        new = [place for place in losses if place not in self.losses]
        self.losses = losses
        self.changed.emit()
        here = self._documents.current.place if self._documents.current else None
        elsewhere = [place for place in new if place != here]
        if elsewhere:
            place = elsewhere[0]
            text = self.tr("Another program took back what you saved in {0} at {1}.")
            text = text.format(place.address, clock_time(losses[place].saved.at))
            show = Action(self.tr("Show"), lambda: self._documents.open(place))
            self._notices.post(Level.WARNING, text, "overwritten", actions=(show,))

    def dismiss(self, place: Place) -> None:
        """The person leaves it as it is."""
        if place in self.losses:
            self._set({other: loss for other, loss in self.losses.items() if other != place})
            self._notices.clear("overwritten")

    def reapply(self, place: Place) -> None:
        """Put the edit into what is there now; saved at once unless both changed the same lines, or text is unsaved."""
        loss = self.losses.get(place)
        if loss is None or not self._documents.open(place):
            return
        buffer = self._documents.current
        if buffer is None or buffer.place != place or buffer.base is None or buffer.conflict is not None:
            return
        before, after = loss.saved.before, loss.saved.after
        typed, unsaved, replaced = buffer.typed, buffer.differs, buffer.text
        hunks = three_way(before.text, replaced, after.text)
        buffer.replace(merged(hunks))
        for key in ("owner", "source_conv", "ts"):
            if getattr(after.item, key) != getattr(before.item, key):
                buffer.set_field(key, getattr(after.item, key))
        self._documents.text_replaced.emit()
        self._saved.pop(place, None)
        self.dismiss(place)
        if not is_clear(hunks):
            # What was typed meanwhile is the person's own, and stands above what is theirs.
            self._documents.lost.emit(place, "mine" if typed else "theirs", replaced)
            text = self.tr("Your text is back, not saved: others changed the same lines. Theirs is among the drafts.")
            if typed:
                text = self.tr("Your text is back, not saved. What you had typed there is among the drafts.")
            self._notices.post(Level.INFO, text, "overwritten")
        elif not unsaved:
            self._saver.save()


def _is_lost(saved: Saved, now: Version) -> bool:
    """Whether nothing of the edit is left: the item stands as before it, or without any word of it."""
    before, after = saved.before, saved.after
    if _fields(now) == _fields(after) and now.text == after.text:
        return False
    if (now.text, _fields(now)) == (before.text, _fields(before)):
        return True
    removed, added = (
        [text[start:end].strip() for start, end in spans]
        for text, spans in zip((before.text, after.text), differences(before.text, after.text), strict=True)
    )
    if any(added):
        return not any(piece in now.text for piece in added if piece)
    return any(removed) and all(piece in now.text for piece in removed if piece)


def _fields(version: Version) -> tuple[str | None, ...]:
    return version.item.owner, version.item.source_conv, version.item.ts
