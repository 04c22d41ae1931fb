"""What a person may mean who has typed the beginning of a wiki-link: ranked candidates, and what choosing one inserts.

Letters are compared without regard to case, width and Unicode form. A file's names are prepared once, as one text: a
search is then a few regular expressions over it, fast enough for every key also in a large memory.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from wikimem_desktop.engine.index import Snapshot
from wikimem_desktop.engine.items import MemoryItem
from wikimem_desktop.engine.links import find_wiki_links

MOST_SHOWN = 50
_MOST_CATEGORIES = 10
"""Beside items."""
_MOST_COMPARED = 1000
"""Of one kind of match; beyond that the first ones are as good as any."""
_UNREACHABLE = re.compile(r"[\[\]:]")
_INITIAL = re.compile(r"(?<![^\W_])[^\W_]")
_SOUND_MARKS = "\uff9e\uff9f"
"""Halfwidth: they become one with the kana before them."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A category (`name` empty) with the number of its items, or an item. `marks`: the ranges that matched."""

    category: str
    name: str = ""
    count: int = 0
    marks: tuple[tuple[int, int], ...] = ()

    @property
    def label(self) -> str:
        """What is compared with what was typed."""
        return self.name or self.category


@dataclass(frozen=True, slots=True)
class Insertion:
    """The part of a line that a text takes the place of (code points); the caret goes behind it."""

    start: int
    end: int
    text: str


def typed_link(left: str) -> str | None:
    """What stands between the `[[` of an open link and the caret, given the line left of it."""
    opened = left.rfind("[[")
    typed = left[opened + 2 :]
    return None if opened < 0 or re.search(r"[\[\]]|:.*:", typed) else typed


def insertion(line: str, caret: int, candidate: Candidate) -> Insertion:
    """Complete the link around the caret; what stands of it behind the caret is used again."""
    start = line.rfind("[[", 0, caret)
    link = next((span for span in find_wiki_links(line) if span.start <= start and caret < span.end), None)
    if candidate.name:
        end = link.end if link else caret + 2 * line.startswith("]]", caret)
        return Insertion(start, end, f"[[{candidate.category}:{candidate.name}]]")
    colon = line.find(":", caret) if link else caret
    return Insertion(start, colon + 1 if line.startswith(":", colon) else caret, f"[[{candidate.category}:")


class Completion:
    """Finds candidates, and remembers what it prepared of each file."""

    def __init__(self) -> None:
        self._names: dict[str, _Names] = {}

    def candidates(self, snapshot: Snapshot, typed: str) -> list[Candidate]:
        """The best first. Behind a colon items of that category, before it categories and then items of all."""
        before, colon, behind = typed.partition(":")
        if colon:
            wanted = before.strip()
            exact = [names for names in self._all(snapshot) if names.category == wanted]
            alike = exact or [n for n in self._all(snapshot) if _folded(n.category) == _folded(wanted)]
            return [_item(names, row, behind) for names, row in _best(alike, behind)][:MOST_SHOWN]
        categories = self._categories(snapshot, typed)
        if not typed.strip():
            return categories[:MOST_SHOWN]
        items = [_item(names, row, typed) for names, row in _best(self._all(snapshot), typed)]
        # Few items leave room for more categories.
        return [*categories[: max(_MOST_CATEGORIES, MOST_SHOWN - len(items))], *items][:MOST_SHOWN]

    @staticmethod
    def _categories(snapshot: Snapshot, typed: str) -> list[Candidate]:
        counts = {file.category: len(file.items) for file in snapshot.files if not file.error}
        reachable = _Names("", (), tuple(counts))
        return [
            Candidate(key, "", counts[key], _marks(key, typed))
            for key in (reachable.names[row] for _, row in _best([reachable], typed))
        ]

    def _all(self, snapshot: Snapshot) -> list[_Names]:
        before, self._names = self._names, {}
        for file in snapshot.files:
            if file.error or _UNREACHABLE.search(file.category):
                continue
            known = before.get(file.category)
            if known is None or known.items is not file.items:
                known = _Names(file.category, file.items, tuple(item.name for item in file.items))
            self._names[file.category] = known
        return list(self._names.values())


class _Names:
    """Names that a link can reach, and all of them as one text to search: each behind a line break."""

    def __init__(self, category: str, items: tuple[MemoryItem, ...], names: Sequence[str]) -> None:
        self.category = category
        self.items = items
        joined = "\n".join(names)
        if _UNREACHABLE.search(joined):
            names = [name for name in names if not _UNREACHABLE.search(name)]
            joined = "\n".join(names)
        self.names = names
        self.text = "\n" + _folded(joined) if names else ""


def _item(names: _Names, row: int, typed: str) -> Candidate:
    return Candidate(names.category, names.names[row], 0, _marks(names.names[row], typed))


def _best(where: Sequence[_Names], typed: str) -> list[tuple[_Names, int]]:
    """Names that match, the best first; all in their order when nothing is typed."""
    wanted = _folded(typed.strip())
    if not wanted:
        return [(names, row) for names in where for row in range(min(len(names.names), MOST_SHOWN))]
    found: dict[tuple[int, int], tuple[_Names, int]] = {}
    for pattern, needed in _patterns(wanted):
        hits = (
            (_looseness(name, wanted), len(name), number, row)
            for number, names in enumerate(where)
            if all(part in names.text for part in needed)
            for row, name in _hits(pattern, names.text)
            if (number, row) not in found
        )
        found |= {(number, row): (where[number], row) for *_, number, row in sorted(islice(hits, _MOST_COMPARED))}
        if len(found) >= MOST_SHOWN:
            break
    return list(found.values())[:MOST_SHOWN]


def _patterns(wanted: str) -> Iterator[tuple[re.Pattern[str], Iterable[str]]]:
    """Ways to match a name, the best first: from its start, from a word's, anywhere, letters in order.

    With each what a text must hold for it: that is found out faster.
    """
    literal = re.escape(wanted)
    for pattern in ("\n" + literal, f"{literal}(?<![^\\W_]{literal})", literal):
        yield re.compile(pattern), [wanted]
    # Each letter at its first place behind the one before: nothing to try again.
    letters = _letters(wanted)
    yield re.compile("\n" + "".join(f"[^\n{c}]*+{c}" for c in map(re.escape, letters))), letters


def _hits(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, str]]:
    """The rows of the text that match, with their names."""
    row, counted, end = -1, 0, 0
    while match := pattern.search(text, end):
        at = match.start() + 1
        row += text.count("\n", counted, at)
        start = text.rfind("\n", 0, at) + 1
        end = text.find("\n", at)
        counted = end = len(text) if end < 0 else end
        yield row, text[start:end]


def _looseness(name: str, wanted: str) -> int:
    """How many letters stand alone within words."""
    places = _places(name, wanted)
    starts = {match.start() for match in _INITIAL.finditer(name)}
    return sum(place not in starts and place - 1 != before for before, place in pairwise([-9, *places]))


def _places(name: str, wanted: str) -> list[int]:
    """Where the letters stand in the name: together, or at the starts of words, or the first places in order."""
    literal = re.escape(wanted)
    whole = re.match(literal, name) or re.search(rf"(?<![^\W_]){literal}", name) or re.search(literal, name)
    if whole:
        return list(range(*whole.span()))
    initials = [match.start() for match in _INITIAL.finditer(name)]
    return _in_order(name, wanted, initials) or _in_order(name, wanted, range(len(name)))


def _in_order(name: str, wanted: str, places: Iterable[int]) -> list[int]:
    """The first of the places where all letters stand in order; empty when they don't."""
    left = iter(places)
    found = [next((at for at in left if name[at] == letter), -1) for letter in _letters(wanted)]
    return [] if -1 in found else found


def _letters(wanted: str) -> list[str]:
    return [letter for letter in wanted if not letter.isspace()]


def _marks(text: str, typed: str) -> tuple[tuple[int, int], ...]:
    """The ranges of the text that what is typed matches."""
    wanted = _folded(typed.strip())
    if not wanted:
        return ()
    pieces = [(start, end, _folded(text[start:end])) for start, end in _pieces(text)]
    origin = [(start, end) for start, end, folded in pieces for _ in folded]
    return _joined([origin[at] for at in _places("".join(folded for *_, folded in pieces), wanted)])


def _joined(ranges: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    joined: list[tuple[int, int]] = []
    for start, end in ranges:
        if joined and start <= joined[-1][1]:
            start = joined.pop()[0]
        joined.append((start, end))
    return tuple(joined)


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Letters with the marks that belong to them."""
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or not (unicodedata.combining(text[at]) or text[at] in _SOUND_MARKS):
            yield start, at
            start = at


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
