"""What an item costs and where its links lead, counted in small steps: a long text must not hold up typing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from wikimem_desktop.engine.index import Snapshot
from wikimem_desktop.engine.links import parse_wiki_links
from wikimem_desktop.engine.tokens import est_tokens
from wikimem_desktop.presentation.buffer import Buffer

_STEP_CHARACTERS = 30_000
_PAUSE_MS = 400


@dataclass(frozen=True, slots=True)
class ItemFacts:
    """Of the text as it stands in the editor, as hosts would read it. `tokens` is what it takes from a budget."""

    tokens: int = 0
    characters: int = 0
    links_out: int = 0
    unresolved: int = 0

    def __add__(self, other: ItemFacts) -> ItemFacts:
        return ItemFacts(
            self.tokens + other.tokens,
            self.characters + other.characters,
            self.links_out + other.links_out,
            self.unresolved + other.unresolved,
        )


class FactsCounter(QObject):
    """Counts one text at a time: a short one at once, a long one step by step after a pause in typing.

    Signals:
        counted: the ItemFacts of the text that was asked about last.
    """

    counted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._buffer: Buffer | None = None
        self._snapshot: Snapshot | None = None
        self._steps: Iterator[ItemFacts] = iter(())
        self._sum = ItemFacts()
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._on_timeout)

    def count(self, buffer: Buffer | None, snapshot: Snapshot | None) -> None:
        """Count the text of the buffer, and forget the one before. None: forget only."""
        self._timer.stop()
        self._buffer, self._snapshot = buffer, snapshot
        if buffer is None or snapshot is None:
            return
        if buffer.document.characterCount() < _STEP_CHARACTERS:
            self.counted.emit(sum(_steps(buffer, snapshot), ItemFacts()))
        else:
            self._steps, self._sum = iter(()), ItemFacts()
            self._timer.start(_PAUSE_MS)

    @Slot()
    def _on_timeout(self) -> None:
        if self._buffer is None or self._snapshot is None:
            return
        if self._sum == ItemFacts():
            self._steps = _steps(self._buffer, self._snapshot)
        facts = next(self._steps, None)
        if facts is None:
            self.counted.emit(self._sum)
        else:
            self._sum += facts
            self._timer.start(0)


def _steps(buffer: Buffer, snapshot: Snapshot) -> Iterator[ItemFacts]:
    """The facts of one piece of the text after another; neither tokens nor links reach over a line's end."""
    text = buffer.text.strip()
    yield ItemFacts(est_tokens(buffer.place.name), -1 if text else 0)  # no line break behind the last line
    start = 0
    while start < len(text):
        end = text.find("\n", start + _STEP_CHARACTERS) + 1 or len(text)
        lines = text[start:end].splitlines()
        piece = "\n".join(lines)
        links = parse_wiki_links(piece)
        missing = sum(snapshot.row(link.category, link.name) is None for link in links)
        yield ItemFacts(est_tokens(piece), len(piece) + 1, len(links), missing)
        start = end
