"""Which items a link that leads nowhere may have meant: names that are nearly the same."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from heapq import nsmallest
from itertools import pairwise

from .index import Snapshot
from .links import WikiLink, parse_wiki_links

_SEPARATORS = re.compile(r"[\s_-]+")
_SAME, _ELSEWHERE, _NEAR = range(3)


def suggestions(snapshot: Snapshot, link: WikiLink, most: int = 5) -> list[WikiLink]:
    """Links that resolve and are like this one, the likeliest first.

    First those that differ in case, Unicode form, separators or an alias only, then the same name in other categories,
    then names that differ by a few letters or hold each other. Takes about 0.1 s at 100,000 items.
    """
    ranked = nsmallest(most + 1, _ranked(snapshot, link))  # one of them may be the link itself
    found = [WikiLink(category, name) for *_, category, name in ranked]
    return [other for other in found if other != link][:most]


def _ranked(snapshot: Snapshot, link: WikiLink) -> Iterator[tuple[int, int, bool, int, str, str]]:
    """What to sort by (how alike, letters that differ, another category, length), and the address."""
    home, wanted = folded(link.category), folded(link.name)
    alias = folded(link.name.partition("|")[0])
    near = _Near(wanted)
    for known in snapshot.rows.values():
        away = folded(known.items[0].category) != home if known.items else True
        for item in known.items:
            name = folded(item.name)
            if name in (wanted, alias):
                rank, distance = (_ELSEWHERE if away else _SAME), int(name != wanted)
            else:
                distance = near.distance(name)
                if distance > near.most:
                    continue
                rank = _NEAR
            if parse_wiki_links(WikiLink(item.category, item.name).render()) == [WikiLink(item.category, item.name)]:
                yield rank, distance, away, abs(len(name) - len(wanted)), item.category, item.name


def folded(text: str) -> str:
    """What is the same for names that differ in case, width, Unicode form and separators only."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return _SEPARATORS.sub(" ", text.casefold()).strip()


class _Near:
    """How many letters must be put in, taken out, changed or swapped to come from one name to others."""

    def __init__(self, wanted: str) -> None:
        self.most = max(1, min(4, len(wanted) // 3))
        self._wanted = wanted
        self._letters: dict[str, int] = {}
        for at, letter in enumerate(wanted):
            self._letters[letter] = self._letters.get(letter, 0) | 1 << at
        self._holds = re.compile("|".join(map(re.escape, self._pieces()))).search
        """Finds a piece that a name must hold to be near: fewer changes than pieces leave one of them whole."""

    def _pieces(self) -> list[str]:
        size, rest = divmod(len(self._wanted), self.most + 1)
        ends = [0]
        for number in range(self.most + 1):
            ends.append(ends[-1] + size + (number < rest))
        return [self._wanted[start:end] for start, end in pairwise(ends)]

    def distance(self, name: str) -> int:
        """More than `most` for names that are not near. A name that holds the other whole is just near enough."""
        if len(name) > 1 and len(self._wanted) > 1 and (name in self._wanted or self._wanted in name):
            return min(self.most, abs(len(name) - len(self._wanted)))
        if abs(len(name) - len(self._wanted)) > self.most or not self._holds(name):
            return self.most + 1
        return self._counted(name)

    def _counted(self, name: str) -> int:
        """The distance, column by column in the bits of whole numbers (Myers; swaps by Hyyrö)."""
        length = len(self._wanted)
        full, last = (1 << length) - 1, 1 << (length - 1)
        ups, downs, diagonal, before, distance = full, 0, 0, 0, length
        for letter in name:
            match = self._letters.get(letter, 0)
            swap = (((~diagonal) & match) << 1) & before
            diagonal = ((((match & ups) + ups) ^ ups) | match | downs | swap) & full
            plus, minus = downs | (full & ~(diagonal | ups)), diagonal & ups
            distance += bool(plus & last) - bool(minus & last)
            plus, minus = (plus << 1 | 1) & full, (minus << 1) & full
            ups, downs, before = minus | (full & ~(diagonal | plus)), diagonal & plus, match
        return distance
