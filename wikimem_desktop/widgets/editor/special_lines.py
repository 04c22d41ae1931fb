"""The few lines of a text on which more hangs than their own look: code fences and lines that are very long."""

from __future__ import annotations

from bisect import bisect_left

from wikimem_desktop.engine.markdown import Fence, after_line

LONG_LINE = 20_000
"""From this length on a line is shown without colours, and no line of its text is wrapped."""


def is_long(line: str) -> bool:
    return len(line) >= LONG_LINE


class SpecialLines:
    """Knows which fence is open at any line, while lines change, come and go."""

    def __init__(self) -> None:
        self._numbers: list[int] = []
        self._lines: list[str] = []
        self._after: list[Fence | None] = []
        """The fence that is open behind each of them."""
        self._long = 0

    @property
    def any_long(self) -> bool:
        return self._long > 0

    def fence_before(self, number: int) -> Fence | None:
        """The fence that is open where the line begins."""
        index = bisect_left(self._numbers, number)
        return self._after[index - 1] if index else None

    def replace(self, first: int, count: int, lines: list[str]) -> bool:
        """`count` lines, from number `first` on, became these; whether another fence than before is open then."""
        start, end = bisect_left(self._numbers, first), bisect_left(self._numbers, first + count)
        before = self._after[end - 1] if end else None
        found = {number: line for number, line in enumerate(lines, first) if is_long(line) or _may_be_fence(line)}
        fence = self._after[start - 1] if start else None
        states = []
        for line in found.values():
            fence, _ = after_line(fence, line)
            states.append(fence)
        self._long += sum(map(is_long, found.values())) - sum(map(is_long, self._lines[start:end]))
        moved = len(lines) - count
        self._numbers[start:] = [*found, *(number + moved for number in self._numbers[end:])]
        self._lines[start:end] = found.values()
        self._after[start:end] = states
        if fence == before:
            return False
        self._spread(start + len(found), fence)
        return True

    def _spread(self, start: int, fence: Fence | None) -> None:
        """Follow a fence that opened or closed down to where it makes no difference any more."""
        for index in range(start, len(self._lines)):
            fence, _ = after_line(fence, self._lines[index])
            if fence == self._after[index]:
                return
            self._after[index] = fence


def _may_be_fence(line: str) -> bool:
    return line.lstrip(" ").startswith(("```", "~~~"))
