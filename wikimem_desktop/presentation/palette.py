"""Going to any place of the store by a few letters; without letters, where the person was lately."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Slot

from wikimem_desktop.engine.index import Snapshot
from wikimem_desktop.engine.store import CategoryFile

from .buffer import Place
from .document import Documents
from .library import Library
from .matching import MOST, best, spans

_MOST_RECENT = 50


@dataclass(frozen=True, slots=True)
class Match:
    """An address (or the name of a command) and where its letters were found."""

    text: str
    spans: tuple[tuple[int, int], ...]
    value: object


def best_matches(letters: str, entries: Iterable[tuple[str, object]], recent: Sequence[str] = ()) -> list[Match]:
    """The entries (text, value) that hold the letters in order, the best first; without letters, the recent ones."""
    known = dict(entries)
    texts = list(known)
    if not letters.strip():
        first = [text for text in recent if text in known]
        order = list(dict.fromkeys([*first, *texts]))[:MOST]
        return [Match(text, (), known[text]) for text in order]
    lately = {text: number for number, text in enumerate(recent)}
    low = [f":{text.lower()}" for text in texts]
    ranks = {number: lately[text] for number, text in enumerate(texts) if text in lately}
    return [
        Match(texts[number], spans(letters, texts[number].lower()), known[texts[number]])
        for number in best(letters, low, ranks)
    ]


class _Known:
    """The addresses of a store in small letters. A file that did not change costs nothing."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._files: dict[str, tuple[CategoryFile, list[str]]] = {}
        self._places: list[tuple[int, CategoryFile | None, int]] = []
        self._days: tuple[str, ...] = ()
        self._snapshot: Snapshot | None = None

    def follow(self, snapshot: Snapshot | None, days: tuple[str, ...]) -> None:
        if snapshot is self._snapshot and days == self._days:
            return
        before, self._files = self._files, {}
        for file in snapshot.files if snapshot else ():
            known = before.get(file.category)
            if known is None or known[0] is not file:
                head = f":{file.category}".lower()
                known = file, [head, *(f"{head}:{item.name}".lower() for item in file.items)]
            self._files[file.category] = known
        self.texts = [text for _, texts in self._files.values() for text in texts]
        self.texts += [f":{day}" for day in days]
        self._snapshot, self._days = snapshot, days

    def place(self, number: int) -> Place:
        """The place of the text of that number: a category's file, an item, or a day."""
        for file, texts in self._files.values():
            if number < len(texts):
                return _of_file(file) if number == 0 else Place("item", file.category, file.items[number - 1].name)
            number -= len(texts)
        return Place("day", self._days[number])

    def number(self, address: str) -> int | None:
        """The number of a place by its address, if it is there."""
        category, colon, name = address.partition(":")
        start = 0
        for file, texts in self._files.values():
            if file.category == category:
                if not colon:
                    return start
                names = (at for at, item in enumerate(file.items, start + 1) if item.name == name)
                return next(names, None)
            start += len(texts)
        return start + self._days.index(address) if address in self._days else None


def _of_file(file: CategoryFile) -> Place:
    return Place("file" if file.error else "text", file.category)


class Palette(QObject):
    """Knows every place of the open store, and where the person was."""

    def __init__(self, library: Library, documents: Documents) -> None:
        super().__init__()
        self.recent: list[str] = []
        """Addresses, the latest first."""
        self._library = library
        self._documents = documents
        self._known = _Known()
        documents.current_changed.connect(self._on_current_changed)

    @Slot()
    def _on_current_changed(self) -> None:
        current = self._documents.current
        if current is not None:
            address = current.place.address
            self.recent = [address, *(other for other in self.recent if other != address)][:_MOST_RECENT]

    def find(self, letters: str) -> list[Match]:
        """Places by letters of their address."""
        known, current = self._known, self._documents.current
        known.follow(self._library.snapshot, self._library.days)
        here = current.place.address if current else None
        lately = [known.number(address) for address in self.recent if address != here]
        recent = {number: rank for rank, number in enumerate(lately) if number is not None}
        if letters.strip():
            numbers = best(letters, known.texts, recent)
        else:
            numbers = list(dict.fromkeys([*recent, *range(min(MOST, len(known.texts)))]))[:MOST]
        return [self._match(letters, number) for number in numbers]

    def _match(self, letters: str, number: int) -> Match:
        place = self._known.place(number)
        low = self._known.texts[number][1:]
        return Match(place.address, spans(letters, low) if letters.strip() else (), place)

    def text_of(self, place: Place) -> str:
        """The first line of an item's text."""
        snapshot = self._library.snapshot
        item = snapshot.item(place.category, place.name) if snapshot and place.kind == "item" else None
        return item.content.partition("\n")[0] if item else ""
