"""Edits of ours that another program took back by writing an older copy, and putting them in again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QObject, Signal, Slot

from wikimem_desktop.engine.hunks import is_clear, merged, three_way
from wikimem_desktop.engine.store import CategoryFile

from .buffer import Place, Version
from .differences import differences
from .document import Documents
from .library import Library
from .notices import Action, Level, Notices
from .opening import read_version
from .saver import Saver
from .words import clock_time
from .writer import Request, SaveRequest, Writer

_MOST = 200


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
        if not isinstance(request, SaveRequest) or request.store is not self._library.store:
            return
        assert isinstance(result, Version)
        place = Place("item", result.item.category, result.item.name)
        self._saved.pop(place, None)
        self._saved[place] = Saved(request.base, result, datetime.now())
        for oldest in list(self._saved)[: max(0, len(self._saved) - _MOST)]:
            del self._saved[oldest]
        self.dismiss(place)

    @Slot(object, str, str)
    def _on_lost(self, place: Place, side: str, text: str) -> None:
        """The person took theirs, knowing: what they saved before is theirs to lose."""
        if side == "mine":
            self._saved.pop(place, None)
            self.dismiss(place)

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
        """Put the edit into what is there now; saved at once unless both changed the same lines."""
        loss = self.losses.get(place)
        if loss is None or not self._documents.open(place):
            return
        buffer = self._documents.current
        if buffer is None or buffer.place != place or buffer.base is None or buffer.conflict is not None:
            return
        before, after = loss.saved.before, loss.saved.after
        theirs = buffer.text
        hunks = three_way(before.text, theirs, after.text)
        buffer.replace(merged(hunks))
        for key in ("owner", "source_conv", "ts"):
            if getattr(after.item, key) != getattr(before.item, key):
                buffer.set_field(key, getattr(after.item, key))
        self._documents.text_replaced.emit()
        self._saved.pop(place, None)
        self.dismiss(place)
        if is_clear(hunks):
            self._saver.save()
        else:
            self._documents.lost.emit(place, "theirs", theirs)
            text = self.tr("Your text is back, not saved: others changed the same lines. Theirs is among the drafts.")
            self._notices.post(Level.INFO, text, "overwritten")


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
