"""Where two texts differ: by lines, and inside changed lines by words and characters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import accumulate

Span = tuple[int, int]
_WORD = re.compile(r"[A-Za-z0-9]+|\s+|.", re.DOTALL)
_MOST_PAIRS = 4_000_000
"""Pairs of words that are compared in two texts; beyond that, changed lines are marked as a whole."""


def differences(one: str, other: str) -> tuple[list[Span], list[Span]]:
    """Start and end, in characters, of what only the first text has, and of what only the other one has."""
    spans: tuple[list[Span], list[Span]] = ([], [])
    lines = one.splitlines(keepends=True), other.splitlines(keepends=True)
    starts = [list(accumulate(map(len, side), initial=0)) for side in lines]
    pairs = _MOST_PAIRS
    for i1, i2, j1, j2 in _changed_lines(*lines):
        pieces = "".join(lines[0][i1:i2]), "".join(lines[1][j1:j2])
        words = _WORD.findall(pieces[0]), _WORD.findall(pieces[1])
        wanted = len(words[0]) * len(words[1])
        if wanted <= pairs:
            pairs -= wanted
            marked = _inside(*words)
        else:
            marked = [(0, len(pieces[0]))], [(0, len(pieces[1]))]
        for side, (offset, inside) in enumerate(zip((starts[0][i1], starts[1][j1]), marked, strict=True)):
            spans[side].extend((offset + start, offset + end) for start, end in inside)
    return spans


def _changed_lines(one: list[str], other: list[str]) -> Iterator[tuple[int, int, int, int]]:
    """In long texts, lines that come again and again, empty ones say, are no anchors: comparing them takes minutes."""
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, one, other).get_opcodes():
        if tag == "replace" and i2 - i1 == j2 - j1:
            for number in range(i2 - i1):
                if one[i1 + number] != other[j1 + number]:
                    yield i1 + number, i1 + number + 1, j1 + number, j1 + number + 1
        elif tag != "equal":
            yield i1, i2, j1, j2


def _inside(one: list[str], other: list[str]) -> tuple[list[Span], list[Span]]:
    starts = [list(accumulate(map(len, side), initial=0)) for side in (one, other)]
    first: list[Span] = []
    second: list[Span] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag != "equal":
            first += [(starts[0][i1], starts[0][i2])] if i2 > i1 else []
            second += [(starts[1][j1], starts[1][j2])] if j2 > j1 else []
    return first, second
