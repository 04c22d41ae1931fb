"""Three-way comparison of texts by lines: what only one side changed, and where both did."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NamedTuple


class _Stretch(NamedTuple):
    """Lines of the base that both sides left as they are: where they stand in all three."""

    base: int
    theirs: int
    mine: int
    size: int


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that belong together. `kind` is "same", "theirs", "mine", "both" (changed alike) or "conflict"."""

    kind: str
    base: tuple[str, ...]
    theirs: tuple[str, ...]
    mine: tuple[str, ...]

    @property
    def text(self) -> str:
        """What the hunk comes to where that is clear; mine in a conflict."""
        return "".join(self.theirs if self.kind in ("same", "theirs") else self.mine)


def three_way(base: str, theirs: str, mine: str) -> list[Hunk]:
    """The hunks in order; all lines of each text stand in them once."""
    lines = [text.splitlines(keepends=True) for text in (base, theirs, mine)]
    hunks: list[Hunk] = []
    at = [0, 0, 0]
    for stretch in _stretches(*lines):
        starts = stretch[:3]
        if any(here < start for here, start in zip(at, starts, strict=True)):
            hunks.append(_hunk(*(tuple(text[a:b]) for text, a, b in zip(lines, at, starts, strict=True))))
        if stretch.size:
            same = tuple(lines[0][stretch.base : stretch.base + stretch.size])
            hunks.append(Hunk("same", same, same, same))
        at = [start + stretch.size for start in starts]
    return hunks


def _hunk(base: tuple[str, ...], theirs: tuple[str, ...], mine: tuple[str, ...]) -> Hunk:
    if theirs == mine:
        kind = "both"
    elif mine == base:
        kind = "theirs"
    elif theirs == base:
        kind = "mine"
    else:
        kind = "conflict"
    return Hunk(kind, base, theirs, mine)


def _stretches(base: list[str], theirs: list[str], mine: list[str]) -> Iterator[_Stretch]:
    """What is the same in all three, and an empty stretch at the end."""
    others = _matches(base, theirs), _matches(base, mine)
    i = j = 0
    while i < len(others[0]) and j < len(others[1]):
        (a, b, size), (c, d, other_size) = others[0][i], others[1][j]
        start, end = max(a, c), min(a + size, c + other_size)
        if start < end:
            yield _Stretch(start, b + start - a, d + start - c, end - start)
        if a + size < c + other_size:
            i += 1
        else:
            j += 1
    yield _Stretch(len(base), len(theirs), len(mine), 0)


def _matches(base: list[str], other: list[str]) -> list[tuple[int, int, int]]:
    matcher = SequenceMatcher(None, base, other, autojunk=False)
    return [(block.a, block.b, block.size) for block in matcher.get_matching_blocks() if block.size]


def merged(hunks: list[Hunk], choices: Mapping[int, str] | None = None) -> str:
    """The text that hunks come to; `choices` tells "theirs", "mine" or "both" for conflicts, by their index."""
    pieces = []
    for index, hunk in enumerate(hunks):
        choice = (choices or {}).get(index, "mine")
        if hunk.kind != "conflict" or choice == "mine":
            pieces.append(hunk.text)
        elif choice == "theirs":
            pieces.append("".join(hunk.theirs))
        else:
            pieces.append(both(hunk))
    return "".join(pieces)


def both(hunk: Hunk) -> str:
    """Their lines, then mine."""
    theirs, mine = "".join(hunk.theirs), "".join(hunk.mine)
    return theirs + ("" if not mine or not theirs or theirs.endswith(("\n", "\r")) else "\n") + mine


def is_clear(hunks: list[Hunk]) -> bool:
    """Whether nothing has to be decided."""
    return all(hunk.kind != "conflict" for hunk in hunks)
