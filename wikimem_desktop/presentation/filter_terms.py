"""What a filter asks for: letters of an address, and terms like `owner:"user:xnne" age:<7d text:海边`."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wikimem_desktop.engine.items import MemoryItem

from .branches import day_moment, moment_of

_TERM = re.compile(r'(?<!\S)(owner|source|age|text):("(?:[^"]|"")*"?|\S*)\s*')
_AGE = re.compile(r"([<>]?)([0-9]{1,6})([hdwmy]?)")
_SECONDS = {"h": 3600, "d": 86400, "": 86400, "w": 7 * 86400, "m": 30 * 86400, "y": 365 * 86400}
_WORDS = {"week": "<7d", "month": "<30d", "older": ">30d"}
_Span = tuple[float, float]
"""From the first moment on, to the second one, which is not in it; NaN: no moment is known."""
_UNDATED: _Span = (math.nan, math.nan)


@dataclass(frozen=True, slots=True)
class Term:
    """One thing that is asked for. `exact`: the whole value and no other ("" for none), else any that holds it."""

    field: str
    """"owner", "source", "age" (today, week, month, older, <7d, >2w) or "text"."""
    value: str
    exact: bool = False

    def __str__(self) -> str:
        quoted = self.exact or not self.value or any(c.isspace() or c == '"' for c in self.value)
        return f'{self.field}:"{self.value.replace(chr(34), chr(34) * 2)}"' if quoted else f"{self.field}:{self.value}"


def terms_of(text: str) -> list[Term]:
    """The terms in a filter's text; those that are still without a value are left out."""
    return [term for term in map(_term, _TERM.finditer(text)) if term.value or term.exact]


def letters_of(text: str) -> str:
    """What else is in a filter's text."""
    return " ".join(_TERM.sub(" ", text).split())


def without(text: str, term: Term) -> str:
    """A filter's text without that term."""
    return _TERM.sub(lambda match: "" if _term(match) == term else match[0], text).strip()


def _term(match: re.Match[str]) -> Term:
    field, value = match[1], match[2]
    if not value.startswith('"'):
        return Term(field, value)
    closed = len(value) > 1 and value.endswith('"')
    return Term(field, value[1 : -1 if closed else None].replace('""', '"'), closed)


class Sieve:
    """Lets items through that have one of the owners, one of the sources, all ages and all texts asked for."""

    def __init__(self, terms: Sequence[Term]) -> None:
        self.terms = terms
        self._owners = _values(terms, "owner")
        self._sources = _values(terms, "source")
        self._spans = list(_spans(terms))
        self._texts = [term.value.lower() for term in terms if term.field == "text" and term.value]

    def __bool__(self) -> bool:
        return bool(self._owners or self._sources or self._spans or self._texts)

    def narrows(self, other: Sieve) -> bool:
        """Whether what this one lets through the other one does too."""
        if self.terms == other.terms or not other:
            return True
        longer = len(self._texts) >= len(other._texts) and all(
            mine.startswith(theirs) for mine, theirs in zip(self._texts, other._texts, strict=False)
        )
        rest = [term for term in self.terms if term.field != "text"]
        return longer and rest == [term for term in other.terms if term.field != "text"]

    def cost(self, item: MemoryItem) -> int:
        """How much there is to look at, in units of about a microsecond."""
        return 1 + len(self._texts) * (len(item.content) >> 7)

    def lets(self, item: MemoryItem) -> bool:
        if self._owners and not _among(item.owner, self._owners):
            return False
        if self._sources and not _among(item.source_conv, self._sources):
            return False
        if self._spans and not self._dated(moment_of(item.ts)):
            return False
        if not self._texts:
            return True
        name, content = item.name.lower(), item.content.lower()
        return all(text in name or text in content for text in self._texts)

    def lets_day(self, day: str) -> bool:
        """A day of the diary has neither owner nor source, and its text is not known here."""
        return not (self._owners or self._sources or self._texts) and self._dated(day_moment(day))

    def _dated(self, moment: float | None) -> bool:
        if moment is None:
            return all(span is _UNDATED for span in self._spans)
        return all(first <= moment < end for first, end in self._spans)


def _values(terms: Sequence[Term], field: str) -> list[tuple[str, bool]]:
    return [(term.value.lower(), term.exact) for term in terms if term.field == field]


def _among(value: str | None, wanted: Sequence[tuple[str, bool]]) -> bool:
    known = (value or "").lower()
    return any(known == text if exact else text in known for text, exact in wanted)


def _spans(terms: Sequence[Term]) -> Iterator[_Span]:
    """The spans of time that ages mean; an age that is not written to its end means nothing yet."""
    now = dt.datetime.now().astimezone()
    for term in terms:
        if term.field != "age":
            continue
        if not term.value:
            yield _UNDATED
        elif term.value == "today":
            yield now.replace(hour=0, minute=0, second=0, microsecond=0).timestamp(), math.inf
        elif match := _AGE.fullmatch(_WORDS.get(term.value, term.value)):
            limit = now.timestamp() - int(match[2]) * _SECONDS[match[3]]
            yield (-math.inf, limit) if match[1] == ">" else (limit, math.inf)
