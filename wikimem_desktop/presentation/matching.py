"""What a few letters mean: the best of many texts first, found fast enough for a hundred thousand at each key."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

MOST = 200
"""Matches that are told."""
_MOST_COMPARED = 4000
"""Of more matches of one kind only the shortest are put into order."""


def best(letters: str, texts: Sequence[str], recent: Mapping[int, int]) -> list[int]:
    """The numbers of the texts that hold the letters in order, at most `MOST`, the best first.

    Texts are in small letters and begin with a `:`. Better are those with a name that is or begins so, then those that
    hold it where a word begins, then anywhere, then with other letters between. `recent` tells how lately a text was
    chosen (0: last); of equal matches the latest comes first, then the shortest.
    """
    wanted = letters.lower().strip().removeprefix(":")
    marked = f":{wanted}"

    def rank(number: int) -> tuple[int, int]:
        return recent.get(number, MOST), len(texts[number])

    begin = [number for number, text in enumerate(texts) if marked in text]
    found = _in_order(begin, texts, lambda number: (not texts[number].endswith(marked), *rank(number)))
    if len(found) < MOST:
        seen = set(begin)
        hold = [n for n, text in enumerate(texts) if wanted in text and n not in seen]
        found += _in_order(hold, texts, lambda number: (_inside(texts[number], wanted), *rank(number)))
        seen.update(hold)
        squeezed = "".join(wanted.split())
        if len(found) < MOST and len(squeezed) > 1:
            match = fuzzy(squeezed).match
            rest = [n for n, text in enumerate(texts) if match(text) and n not in seen]
            found += _in_order(rest, texts, lambda number: (len(spans(squeezed, texts[number])), *rank(number)))
    return found[:MOST]


def _in_order(numbers: list[int], texts: Sequence[str], key) -> list[int]:  # type: ignore[no-untyped-def]
    if len(numbers) > _MOST_COMPARED:
        numbers = sorted(numbers, key=lambda number: len(texts[number]))[:_MOST_COMPARED]
    return sorted(numbers, key=lambda number: (*key(number), texts[number]))


def _inside(text: str, wanted: str) -> bool:
    """Whether it stands inside of a word."""
    return text[text.find(wanted) - 1].isalnum()


def fuzzy(letters: str) -> re.Pattern[str]:
    """Letters in their order, each at its first place behind the one before: nothing to try again."""
    return re.compile("".join(f"[^{re.escape(c)}]*{re.escape(c)}" for c in letters), re.DOTALL)


def spans(letters: str, text: str) -> tuple[tuple[int, int], ...]:
    """Where the letters are in a text of small letters: together if they are so anywhere, else at the first places."""
    wanted = letters.lower().strip()
    at = text.find(f":{wanted}") + 1 or text.find(wanted)
    if at > 0 or text.startswith(wanted):
        return ((at, at + len(wanted)),)
    found: list[tuple[int, int]] = []
    at = 0
    for letter in "".join(wanted.split()):
        at = text.find(letter, at)
        if found and found[-1][1] == at:
            found[-1] = (found[-1][0], at + 1)
        else:
            found.append((at, at + 1))
        at += 1
    return tuple(found)
