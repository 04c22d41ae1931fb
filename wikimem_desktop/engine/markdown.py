"""The little Markdown that the engine itself must understand: where code fences are (CommonMark, section 4.5)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_OPENING = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_CLOSING = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*$")


class Fence(NamedTuple):
    """An open code fence: its character and how many of them close it at least."""

    character: str
    length: int


def after_line(fence: Fence | None, line: str) -> tuple[Fence | None, bool]:
    """The fence that is open behind the line, and whether the line belongs to a code block (its fences included)."""
    if fence is None:
        opening = _OPENING.match(line)
        return (Fence(opening[1][0], len(opening[1])), True) if opening else (None, False)
    closing = _CLOSING.match(line)
    if closing and closing[1][0] == fence.character and len(closing[1]) >= fence.length:
        return None, True
    return fence, True


def code_lines(lines: Iterable[str]) -> Iterator[bool]:
    """For each line (without its end) whether it belongs to a fenced code block. An unclosed fence runs to the end."""
    fence: Fence | None = None
    for line in lines:
        fence, code = after_line(fence, line)
        yield code


def unclosed_fence(lines: Iterable[str]) -> int | None:
    """The index of the line that opens a fence which nothing closes."""
    fence: Fence | None = None
    opened = None
    for at, line in enumerate(lines):
        before, (fence, _) = fence, after_line(fence, line)
        opened = None if fence is None else at if before is None else opened
    return opened
