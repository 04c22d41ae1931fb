"""The worker that looks through the history: a save must not wait while hundreds of old texts are read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QThread, Signal, Slot

from wikimem_desktop.engine import versions
from wikimem_desktop.engine.history import History
from wikimem_desktop.engine.store import CategoryFile, Stamp, stamp_of
from wikimem_desktop.engine.versions import Facts, GoneItem, Patience, TextVersion

from .differences import Span, differences

_MOST_FACTS = 200_000


@dataclass(frozen=True, slots=True, eq=False)
class Question(ABC):
    """Something to find in the history that is in a folder. `find` runs on the reader's thread."""

    folder: Path

    @abstractmethod
    def find(self, history: History, facts: Facts, wanted: Patience) -> object:
        """What was found."""


@dataclass(frozen=True, slots=True, eq=False)
class VersionsQuestion(Question):
    """The versions of an item, or without a name of its file."""

    file: str
    name: str = ""

    def find(self, history: History, facts: Facts, wanted: Patience) -> list[TextVersion]:
        if self.name:
            return versions.item_versions(history, self.file, self.name, facts, wanted)
        return versions.file_versions(history, self.file)


@dataclass(frozen=True, slots=True, eq=False)
class GoneQuestion(Question):
    """The items that are in none of these files any more. What is in a file that can't be read is not gone."""

    files: Sequence[CategoryFile]

    def find(self, history: History, facts: Facts, wanted: Patience) -> list[GoneItem]:
        present = {(file.category, item.name) for file in self.files for item in file.items}
        unreadable = {file.category for file in self.files if file.error is not None}
        gone = versions.gone_items(history, present, wanted)
        return [item for item in gone if item.category not in unreadable]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two texts and where they differ; `before` None: there was none. `text` None: it is not there (any more)."""

    before: str | None
    text: str | None
    spans: tuple[list[Span], list[Span]]


@dataclass(frozen=True, slots=True, eq=False)
class ComparisonQuestion(Question):
    """What two texts of the history, by digest, say of an item, or without a name as a whole."""

    name: str
    before: str | None
    digest: str | None

    def find(self, history: History, facts: Facts, wanted: Patience) -> Comparison:
        before, text = (versions.text_of(history, digest, self.name) for digest in (self.before, self.digest))
        return Comparison(before, text, differences(before or "", text or ""))


class HistoryReader(QObject):
    """Of each kind of question only the newest is answered.

    Signals:
    answered: a Question, and what was found.
    """

    answered = Signal(object, object)
    _asked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._newest: dict[bool, Question] = {}
        self._history: tuple[Stamp, History] | None = None
        self._facts: Facts = {}
        self._asked.connect(self._on_asked)

    def ask(self, question: Question) -> None:
        """Called on the GUI thread."""
        self._newest[isinstance(question, ComparisonQuestion)] = question
        self._asked.emit(question)

    @Slot(object)
    def _on_asked(self, question: Question) -> None:
        def wanted() -> bool:
            newest = self._newest[isinstance(question, ComparisonQuestion)]
            return newest is question and not QThread.currentThread().isInterruptionRequested()

        if wanted():
            if len(self._facts) > _MOST_FACTS:
                self._facts.clear()
            found = question.find(self._opened(question.folder), self._facts, wanted)
            if wanted():
                self.answered.emit(question, found)

    def _opened(self, folder: Path) -> History:
        """The history as it is now, read once for all questions until it grows."""
        stamp = stamp_of(History(folder).log)
        if self._history is None or self._history[0] != stamp or self._history[1].folder != folder:
            self._history = stamp, History(folder)
        return self._history[1]
