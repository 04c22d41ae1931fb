"""What others changed since the person last looked: the list, and what becomes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from wikimem_desktop.engine.authors import Address, Author
from wikimem_desktop.engine.changes import Change
from wikimem_desktop.engine.diary import day_of
from wikimem_desktop.engine.item_changes import ItemChange
from wikimem_desktop.engine.review import Reviewer, revert
from wikimem_desktop.engine.store import MemoryStore

from .buffer import Place
from .history import LocalHistory
from .library import Library
from .steps import Step, Steps
from .writer import Request, Writer


@dataclass(frozen=True, slots=True, eq=False)
class ReviewRequest(Request):
    """Take some changes as seen; gives all that are not, and who made them."""

    reviewer: Reviewer
    kept: Sequence[ItemChange] = ()

    @property
    def path(self) -> Path:
        return Path("seen.json")

    def perform(self) -> tuple[list[ItemChange], dict[Address, Author]]:
        if self.kept:
            self.reviewer.refresh()
            self.reviewer.keep(self.kept)
        changes = self.reviewer.refresh()
        return changes, self.reviewer.authors(changes)


class Review(QObject):
    """Signals:
    changed: `changes` are others now.
    """

    changed = Signal()

    def __init__(self, history: LocalHistory, library: Library, steps: Steps, writer: Writer) -> None:
        super().__init__()
        self.changes: list[ItemChange] = []
        self._authors: dict[Address, Author] = {}
        self._history = history
        self._library = library
        self._steps = steps
        self._writer = writer
        self._request: ReviewRequest | None = None
        self._again = False
        library.store_changed.connect(self._on_store_changed)
        history.grown.connect(self._ask)
        writer.done.connect(self._on_written)

    @Slot()
    def _on_store_changed(self) -> None:
        self._request, self._again = None, False
        self._show([], {})

    @Slot()
    def _ask(self) -> None:
        self._submit(())

    def keep(self, changes: Sequence[ItemChange]) -> None:
        """The person has seen these, and leaves them as they are."""
        self._submit(changes)

    def _submit(self, kept: Sequence[ItemChange]) -> None:
        reviewer = self._history.reviewer
        if reviewer is None:
            return
        if self._request is not None and not kept:
            self._again = True
            return
        self._request = ReviewRequest(reviewer, kept)
        self._writer.submit(self._request)

    def revert(self, changes: Sequence[ItemChange]) -> None:
        """Make these again what the person saw before; one step that can be undone."""
        reviewer = self._history.reviewer
        if reviewer is None or not changes:
            return

        def plan(store: MemoryStore) -> Change:
            return revert(store, changes, reviewer.seen)

        label = self.tr("Revert {0}").format(changes[0].name or changes[0].file)
        if len(changes) > 1:
            label = self.tr("Revert %n change(s)", None, len(changes))
        self._steps.submit(Step(label), plan)

    def author_of(self, change: ItemChange) -> Author | None:
        """Who made it, if the journal tells."""
        return self._authors.get((change.file, change.name))

    @staticmethod
    def place_of(change: ItemChange) -> Place:
        """What to open to edit it."""
        day = day_of(change.file)
        if day is not None:
            return Place("day", day)
        return Place("item", change.file, change.name) if change.name else Place("text", change.file)

    @Slot(object, object)
    def _on_written(self, request: Request, result: object) -> None:
        if request is not self._request:
            return
        assert isinstance(result, tuple)
        self._request = None
        self._show(*result)
        if self._again:
            self._again = False
            self._ask()

    def _show(self, changes: list[ItemChange], authors: dict[Address, Author]) -> None:
        if (changes, authors) != (self.changes, self._authors):
            self.changes, self._authors = changes, authors
            self.changed.emit()
