"""Going to an item by a few letters: what matches, the best first; without letters, where the person was lately."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Slot

from wikimem_desktop.engine.index import Snapshot

from .buffer import Place
from .document import Documents
from .library import Library

_MOST = 200
_MOST_RECENT = 50


@dataclass(frozen=True, slots=True)
class Match:
    """An address (or the name of a command) and where its letters were found."""

    text: str
    spans: tuple[tuple[int, int], ...]
    value: object


def best_matches(letters: str, entries: Iterable[tuple[str, object]], recent: Sequence[str] = ()) -> list[Match]:
    """The entries (text, value) that hold the letters in order: at word beginnings, together and early before others.

    Without letters, the recent ones in their order, then the others.
    """
    wanted = "".join(letters.lower().split())
    if not wanted:
        known = dict(entries)
        order = [text for text in recent if text in known]
        rest = (text for text in known if text not in set(order))
        return [Match(text, (), known[text]) for text, _ in zip([*order, *rest], range(_MOST), strict=False)]
    pattern = re.compile("".join(f"[^{re.escape(c)}]*{re.escape(c)}" for c in wanted), re.DOTALL)
    lately = {text: number for number, text in enumerate(recent)}
    found = []
    for text, value in entries:
        low = text.lower()
        if pattern.match(low):
            found.append((_cost(wanted, low), lately.get(text, _MOST_RECENT), len(text), text, value))
    found.sort(key=lambda entry: entry[:4])
    return [Match(text, _spans(wanted, text.lower()), value) for *_, text, value in found[:_MOST]]


def _cost(wanted: str, text: str) -> int:
    """Smaller is better."""
    name = text.rpartition(":")[2]
    if wanted in (text, name):
        return 0
    if name.startswith(wanted):
        return 1
    at = text.find(wanted)
    if at >= 0:
        return 2 if at == 0 or not text[at - 1].isalnum() else 3
    return 3 + len(_spans(wanted, text))


def _spans(wanted: str, text: str) -> tuple[tuple[int, int], ...]:
    """Where the letters are: together if they are so anywhere, else each at its first place."""
    at = text.rfind(wanted)
    if at >= 0:
        return ((at, at + len(wanted)),)
    spans: list[tuple[int, int]] = []
    at = 0
    for letter in wanted:
        at = text.find(letter, at)
        if spans and spans[-1][1] == at:
            spans[-1] = (spans[-1][0], at + 1)
        else:
            spans.append((at, at + 1))
        at += 1
    return tuple(spans)


class Palette(QObject):
    """Knows every place of the open store, and where the person was."""

    def __init__(self, library: Library, documents: Documents) -> None:
        super().__init__()
        self.recent: list[str] = []
        """Addresses, the latest first."""
        self._library = library
        self._documents = documents
        self._known: tuple[Snapshot | None, tuple[str, ...], list[tuple[str, Place]]] = (None, (), [])
        self._last: tuple[str, list[tuple[str, Place]]] = ("", [])
        documents.current_changed.connect(self._on_current_changed)

    @Slot()
    def _on_current_changed(self) -> None:
        current = self._documents.current
        if current is not None:
            address = current.place.address
            self.recent = [address, *(other for other in self.recent if other != address)][:_MOST_RECENT]

    def _places(self) -> list[tuple[str, Place]]:
        snapshot, days = self._library.snapshot, self._library.days
        if self._known[0] is not snapshot or self._known[1] != days:
            files = snapshot.files if snapshot else ()
            places = [
                (f"{file.category}:{item.name}", Place("item", file.category, item.name))
                for file in files
                for item in file.items
            ]
            self._known = snapshot, days, [*places, *((day, Place("day", day)) for day in days)]
            self._last = "", self._known[2]
        return self._known[2]

    def find(self, letters: str) -> list[Match]:
        """Places by letters of their address."""
        places = self._places()
        before, passed = self._last
        narrower = bool(before) and letters.startswith(before)
        if letters.strip():
            wanted = "".join(letters.lower().split())
            pattern = re.compile("".join(f"[^{re.escape(c)}]*{re.escape(c)}" for c in wanted), re.DOTALL)
            passed = [entry for entry in (passed if narrower else places) if pattern.match(entry[0].lower())]
            self._last = letters, passed
            return best_matches(letters, passed, self.recent[1:])
        return best_matches("", places, self.recent[1:])

    def text_of(self, place: Place) -> str:
        """The first line of an item's text."""
        snapshot = self._library.snapshot
        item = snapshot.item(place.category, place.name) if snapshot and place.kind == "item" else None
        return item.content.partition("\n")[0] if item else ""
