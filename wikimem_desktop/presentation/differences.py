"""Where two texts differ: by lines, and inside changed lines by words and characters."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from itertools import accumulate

Span = tuple[int, int]
_WORD = re.compile(r"[A-Za-z0-9]+|\s+|.", re.DOTALL)
_MOST_WORDS = 4000
"""Beyond that, changed lines are marked as a whole."""


def differences(one: str, other: str) -> tuple[list[Span], list[Span]]:
    """Start and end, in characters, of what only the first text has, and of what only the other one has."""
    spans: tuple[list[Span], list[Span]] = ([], [])
    lines = one.splitlines(keepends=True), other.splitlines(keepends=True)
    starts = [list(accumulate(map(len, side), initial=0)) for side in lines]
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, *lines, autojunk=False).get_opcodes():
        if tag != "equal":
            pieces = "".join(lines[0][i1:i2]), "".join(lines[1][j1:j2])
            for side, (offset, inside) in enumerate(zip((starts[0][i1], starts[1][j1]), _inside(*pieces), strict=True)):
                spans[side].extend((offset + start, offset + end) for start, end in inside)
    return spans


def _inside(one: str, other: str) -> tuple[list[Span], list[Span]]:
    words = _WORD.findall(one), _WORD.findall(other)
    if max(map(len, words)) > _MOST_WORDS:
        return [(0, len(one))], [(0, len(other))]
    starts = [list(accumulate(map(len, side), initial=0)) for side in words]
    first: list[Span] = []
    second: list[Span] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, *words, autojunk=False).get_opcodes():
        if tag != "equal":
            first += [(starts[0][i1], starts[0][i2])] if i2 > i1 else []
            second += [(starts[1][j1], starts[1][j2])] if j2 > j1 else []
    return first, second
