"""Finding text in an item: from what a person asks for to places, and from a place to the next one."""

from __future__ import annotations

import re
import warnings
from bisect import bisect_left
from dataclasses import dataclass

Span = tuple[int, int]
_GLUED = r"[^\W\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
"""What makes a longer word of one. Chinese and Japanese are written without gaps: there it is no sign of that."""


class BadPattern(Exception):
    """A regular expression, or the text to replace with, means nothing. The text says why."""


@dataclass(frozen=True, slots=True)
class Search:
    """What to find."""

    text: str
    match_case: bool = False
    whole_words: bool = False
    regex: bool = False

    def pattern(self) -> re.Pattern[str] | None:
        """None when there is nothing to find; raises `BadPattern`."""
        if not self.text:
            return None
        source = self.text if self.regex else re.escape(self.text)
        if self.whole_words:
            source = f"(?<!{_GLUED})(?:{source})(?!{_GLUED})"
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # `[[` may come to mean something in a later Python
                return re.compile(source, re.MULTILINE | (0 if self.match_case else re.IGNORECASE))
        except (re.error, OverflowError, RecursionError) as error:
            raise BadPattern(str(error)) from error

    def replacement(self, match: re.Match[str], template: str) -> str:
        """What takes the place of a match: the template, with the pattern's groups; raises `BadPattern`."""
        if not self.regex:
            return template
        try:
            return match.expand(template)
        except (re.error, IndexError) as error:
            raise BadPattern(str(error)) from error


def find_spans(pattern: re.Pattern[str], text: str) -> list[Span]:
    """All places in order; they may be empty."""
    return [match.span() for match in pattern.finditer(text)]


def next_span(spans: list[Span], here: Span) -> int:
    """The number of the first place behind `here`, from the top again if there is none."""
    start, end = here
    number = bisect_left(spans, (end, end + (start == end)))
    return number if number < len(spans) else 0


def previous_span(spans: list[Span], here: Span) -> int:
    """The number of the last place before `here`, from the bottom again if there is none."""
    number = bisect_left(spans, (here[0], here[0])) - 1
    while number >= 0 and spans[number][1] > here[0]:
        number -= 1
    return number % len(spans)
