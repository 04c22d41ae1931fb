"""Finding text in all files of a store, line by line: names, texts, metadata, the diary.

Regular expressions run under a time limit: some need longer than a life for one line, and nobody could stop them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from .atomic import read_or_none
from .diary import day_key
from .document import Document
from .errors import UnreadableFile
from .problems import line_numbers
from .sections import heading_name, metadata_fields

if TYPE_CHECKING:
    from .store import MemoryStore

Span = tuple[int, int]
FindInLine = Callable[[str], "Sequence[Match]"]
_SECONDS_A_FILE = 1.0
_LINES_A_STEP = 2000
_WHOLE = 1_000_000
"""Characters: a text up to this size is looked through in one go, to see whether anything is there at all."""


class Match(Protocol):
    """A match of either library."""

    def span(self, group: int = 0, /) -> Span: ...
    def expand(self, template: str, /) -> str: ...


class TooSlow(Exception):
    """The pattern takes too long in a file."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A line with matches. `at` is its index in `Document.lines`, `line` its number from 1 as an editor shows it."""

    key: str
    at: int
    line: int
    text: str
    spans: tuple[Span, ...]
    section: str
    """The item or time it belongs to; "" above the first one."""
    occurrence: int | None
    """Which section of that name in the file, from 0, when hosts ignore it; None: the one they see."""
    below: int
    """How many lines below the section's heading."""

    @property
    def own(self) -> bool:
        """Whether it is of an item's own text: no heading, no metadata, nothing above the first item."""
        return self.section != "" and self.below > 0 and metadata_fields(self.text) is None


@dataclass(frozen=True, slots=True)
class Found:
    """What a step found in a file. `left_out`: it could not be read, or the pattern is too slow for it."""

    key: str
    hits: tuple[Hit, ...] = ()
    left_out: str = ""
    """"unreadable" or "slow"."""


def search_steps(store: MemoryStore, finder: Finder) -> Iterator[Found]:
    """Look through every file; each step is a short piece of work."""
    for key in file_keys(store):
        path = store.path(key)
        try:
            data = None if path.name.startswith("._") else read_or_none(path)
            document = None if data is None else Document.from_bytes(data, path)
        except (UnreadableFile, OSError):
            document = None
        if document is None:
            yield Found(key, left_out="unreadable")
        elif finder.is_nowhere_in(document.text):
            yield Found(key)
        else:
            yield from search_document(key, document, finder.in_file())


def file_keys(store: MemoryStore) -> list[str]:
    """Every file that can be searched: categories, then days."""
    days = store.diary.dates() if store.layout.has_diary else []
    return [*store.categories(), *map(day_key, days)]


def search_document(key: str, document: Document, find: FindInLine) -> Iterator[Found]:
    """Look through one file, some lines a step."""
    lines = document.text.splitlines()
    where = _Places(document, lines)
    for start in range(0, len(lines), _LINES_A_STEP):
        hits: list[Hit] = []
        for at, line in enumerate(lines[start : start + _LINES_A_STEP], start):
            try:
                matches = find(line)
            except TooSlow:
                yield Found(key, tuple(hits), left_out="slow")
                return
            if matches:
                spans = tuple(match.span() for match in matches)
                hits.append(Hit(key, at, where.number(at), line, spans, *where.section(at)))
        yield Found(key, tuple(hits))


class _Places:
    """Where lines stand in a document; looked up only when something was found."""

    def __init__(self, document: Document, lines: Sequence[str]) -> None:
        self._document = document
        self._lines = lines
        self._numbers: Sequence[int] = ()
        self._starts: list[int] = []
        self._names: list[tuple[str, int | None]] = []

    def number(self, at: int) -> int:
        """The number of a line from 1, as an editor shows it."""
        self._numbers = self._numbers or line_numbers(self._document)
        return self._numbers[at]

    def section(self, at: int) -> tuple[str, int | None, int]:
        """The section that a line belongs to, which of its name it is if hosts ignore it, and how far below it is."""
        if not self._starts:
            names = {at: heading_name(line) for at, line in enumerate(self._lines) if line.startswith("##")}
            headings = {at: name for at, name in names.items() if name is not None}
            last, seen = {name: at for at, name in headings.items()}, Counter[str]()
            for start, name in headings.items():
                self._starts.append(start)
                self._names.append((name, None if last[name] == start else seen[name]))
                seen[name] += 1
        number = bisect_right(self._starts, at) - 1
        return (*self._names[number], at - self._starts[number]) if number >= 0 else ("", None, at)


class Finder:
    """A pattern, ready to look through files. Raises `re.error` for one that the bounded search does not know."""

    def __init__(self, pattern: re.Pattern[str], *, plain: bool) -> None:
        self.pattern = pattern
        self.plain = plain
        self._bounded: Any = None
        self._errors: tuple[type[Exception], ...] = ()
        if not plain:
            import regex  # only for this

            self._errors = (regex.error, IndexError)
            try:
                self._bounded = regex.compile(pattern.pattern, pattern.flags & re.IGNORECASE | re.MULTILINE)
            except regex.error as error:
                raise re.error(str(error)) from error

    def expand(self, match: Match, template: str) -> str:
        """What takes the place of a match: the template, with the pattern's groups. Raises `re.error`."""
        if self.plain:
            return template
        try:
            return match.expand(template)
        except self._errors as error:
            raise re.error(str(error)) from error

    def is_nowhere_in(self, text: str) -> bool:
        """Whether a whole text can be passed over; False where it takes long to say."""
        return self.plain and len(text) <= _WHOLE and self.pattern.search(text) is None

    def in_file(self) -> FindInLine:
        """What finds the matches in the lines of one file; it raises `TooSlow`."""
        if self.plain:
            search, finditer = self.pattern.search, self.pattern.finditer
            return lambda line: list(finditer(line)) if search(line) else ()
        end = monotonic() + _SECONDS_A_FILE

        def find(line: str) -> Sequence[Match]:
            left = max(end - monotonic(), 0.001)
            try:
                return list(self._bounded.finditer(line, timeout=left, concurrent=True))
            except TimeoutError:
                raise TooSlow from None

        return find
