"""What is wrong or surprising in a store: traps of the format that hosts fall into silently.

A `Problem` names a kind, a place and the words it is about; the sentences a person reads are made elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import accumulate
from pathlib import Path

from .conflict_copies import original_of
from .document import BOM, Document
from .errors import InvalidCategory, InvalidItemName, NotUtf8
from .index import Snapshot
from .items import composed, sanitize_item_name, validate_category
from .journal import Journal
from .links import find_wiki_links
from .markdown import code_lines, unclosed_fence
from .sections import Section, heading_name, metadata_fields
from .store import CategoryFile
from .tokens import has_tokens

UNCLOSED = "unclosed"
"""Detail of a line in a code fence that nothing closes: it may be meant as what hosts read."""
_MOST_OVER_BUDGET = 200
_ODD_SEPARATOR = re.compile("[\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]|\r(?!\n)")

_NEARLY_METADATA = re.compile(r"^\s*<!--\s*wikimem\b", re.IGNORECASE | re.MULTILINE)


class Kind(StrEnum):
    """What kind of problem it is."""

    UNRESOLVED_LINK = "unresolved-link"
    FORM_MISMATCH = "form-mismatch"
    """A link that looks like an item's address and is written with other characters: hosts do not resolve it."""
    AMBIGUOUS_LINK = "ambiguous-link"
    SHADOWED = "shadowed"
    HEADING_IN_FENCE = "heading-in-fence"
    METADATA_IN_FENCE = "metadata-in-fence"
    BOM_BEFORE_HEADING = "bom-before-heading"
    ODD_SEPARATOR = "odd-separator"
    NOT_UTF8 = "not-utf8"
    UNREADABLE = "unreadable"
    FOREIGN_NAME = "foreign-name"
    BROKEN_JOURNAL_LINE = "broken-journal-line"
    SAME_MINUTE = "same-minute"
    CONFLICT_COPY = "conflict-copy"
    NEAR_DUPLICATE = "near-duplicate"
    """Another item says nearly the same; `detail` is its address."""
    OVER_BUDGET = "over-budget"
    """No run with this budget can hold the item; `detail` is its estimate in tokens."""
    """A file that a sync tool made beside its original; hosts read it as a category of its own."""
    UNLINKABLE_NAME = "unlinkable-name"
    MALFORMED_METADATA = "malformed-metadata"
    NO_TOKENS = "no-tokens"
    ALIAS_LINK = "alias-link"
    """`[[a:b|c]]`: hosts look for an item `b|c`, though there is an item `b`."""
    CASE_MISMATCH = "case-mismatch"
    """A link that would lead to an item if upper and lower case did not matter."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding. `line` counts from 1 (0: the whole file); `subject` is what it is about, `detail` more of it."""

    kind: Kind
    path: Path
    line: int
    subject: str
    category: str | None = None
    item: str | None = None
    detail: str = ""
    in_diary: bool = False
    """Whether `category` is a day and `item` a time."""


@dataclass(frozen=True, slots=True)
class PlacedLink:
    """A wiki-link with the place it stands at."""

    category: str
    name: str
    path: Path
    line: int
    from_item: str
    in_diary: bool = False


@dataclass(frozen=True)
class FileReport:
    """What one file shows by itself, and the links that only the whole store can judge."""

    problems: tuple[Problem, ...]
    links: tuple[PlacedLink, ...]

    @cached_property
    def links_by_target(self) -> Mapping[tuple[str, str], Sequence[PlacedLink]]:
        """Links by the category and name they lead to."""
        found: dict[tuple[str, str], list[PlacedLink]] = {}
        for link in self.links:
            found.setdefault((link.category, link.name), []).append(link)
        return found

    @cached_property
    def target_categories(self) -> frozenset[str]:
        """The categories that links lead to or may be meant to, in composed form."""
        named = {composed(link.category) for link in self.links}
        return frozenset(named | {category.lower() for category in named})

    @cached_property
    def problems_by_item(self) -> Mapping[str | None, Sequence[Problem]]:
        """Problems by the item they are in; None: in none."""
        found: dict[str | None, list[Problem]] = {}
        for problem in self.problems:
            found.setdefault(problem.item, []).append(problem)
        return found


def check_file(file: CategoryFile) -> FileReport:
    """Check one category file as it is on disk now."""
    if file.error is not None:
        kind = Kind.NOT_UTF8 if isinstance(file.error, NotUtf8) else Kind.UNREADABLE
        problem = Problem(kind, file.path, 0, file.path.name, file.category, detail=file.error.reason)
        return FileReport((problem,), ())
    try:
        document = Document.from_bytes(file.path.read_bytes(), file.path)
    except (OSError, NotUtf8):
        return FileReport((), ())
    return FileReport(tuple(_text_problems(document, file)), tuple(_links(document, file.path)))


def check_links(snapshot: Snapshot, report: FileReport) -> Iterator[Problem]:
    """Links whose target is missing, and links to a name that stands more than once in its file."""
    for link in report.links:
        rendered = f"[[{link.category}:{link.name}]]"
        place = (link.path, link.line, rendered, link.path.stem, link.from_item, "", link.in_diary)
        if snapshot.row(link.category, link.name) is None:
            yield Problem(_why_unresolved(snapshot, link), *place)
        elif link.name in snapshot.shadowed_names(link.category):
            yield Problem(Kind.AMBIGUOUS_LINK, *place)


def _why_unresolved(snapshot: Snapshot, link: PlacedLink) -> Kind:
    if snapshot.lookalike(link.category, link.name):
        return Kind.FORM_MISMATCH
    name, bar, _ = link.name.partition("|")
    if bar and snapshot.row(link.category, name.strip()) is not None:
        return Kind.ALIAS_LINK
    if snapshot.row(link.category.lower(), link.name) is not None:
        return Kind.CASE_MISMATCH
    return Kind.UNRESOLVED_LINK


def check_copies(files: Iterable[CategoryFile]) -> list[Problem]:
    """Files that look like copies which a sync tool made of others of the store."""
    paths = {file.category: file.path for file in files}
    originals = ((category, original_of(category, paths)) for category in paths)
    return [
        Problem(Kind.CONFLICT_COPY, paths[category], 0, paths[category].name, category, detail=paths[original].name)
        for category, original in originals
        if original is not None
    ]


def check_budget(snapshot: Snapshot, budget: int | None) -> list[Problem]:
    """Items that exceed a budget (tokens; None: there is none) alone, the largest first."""
    if budget is None:
        return []
    postings = snapshot.postings
    (rows,) = ((postings.estimates > budget) & postings.live).nonzero()
    paths = {file.category: file.path for file in snapshot.files}
    found = []
    for row in sorted(rows.tolist(), key=lambda row: -int(postings.estimates[row]))[:_MOST_OVER_BUDGET]:
        item = snapshot.item_at(row)
        place = paths[item.category], 0, item.name, item.category, item.name
        found.append(Problem(Kind.OVER_BUDGET, *place, str(int(postings.estimates[row]))))
    return found


def check_journal(journal: Journal) -> list[Problem]:
    journal.entries()
    return [Problem(Kind.BROKEN_JOURNAL_LINE, journal.path, line, journal.path.name) for line in journal.broken_lines]


def check_day(path: Path, day: str) -> FileReport:
    """A day file that can't be read, and minutes that stand twice (a windowed run shows only one of them)."""
    try:
        document = Document.from_bytes(path.read_bytes(), path)
    except NotUtf8 as error:
        return FileReport((Problem(Kind.NOT_UTF8, path, 0, path.name, day, detail=error.reason, in_diary=True),), ())
    except OSError as error:
        reason = error.strerror or str(error)
        return FileReport((Problem(Kind.UNREADABLE, path, 0, path.name, day, detail=reason, in_diary=True),), ())
    problems: list[Problem] = []
    numbers, seen = line_numbers(document), set[str]()
    for section in document.sections:
        if section.name in seen:
            line = numbers[section.first_line]
            problems.append(Problem(Kind.SAME_MINUTE, path, line, section.name, day, section.name, in_diary=True))
        seen.add(section.name)
    return FileReport(tuple(problems), tuple(_links(document, path, in_diary=True)))


def _text_problems(document: Document, file: CategoryFile) -> Iterator[Problem]:
    try:
        validate_category(file.category)
    except InvalidCategory:
        yield Problem(Kind.FOREIGN_NAME, file.path, 0, file.path.name, file.category)
    if document.text.startswith(BOM) and document.lines and heading_name(document.lines[0].removeprefix(BOM)):
        name = heading_name(document.lines[0].removeprefix(BOM)) or ""
        yield Problem(Kind.BOM_BEFORE_HEADING, file.path, 1, name, file.category)
    numbers = line_numbers(document)
    yield from _shadowed(document, file, numbers)
    yield from _fenced(document, file, numbers)
    yield from _odd_separators(document, file, numbers)
    yield from _names_and_words(document, file, numbers)
    yield from _malformed_metadata(document, file, numbers)


def _names_and_words(document: Document, file: CategoryFile, numbers: Sequence[int]) -> Iterator[Problem]:
    """Items that no link can reach, and items that no query can find."""
    for section in document.sections:
        if not section.effective:
            continue
        place = (file.path, numbers[section.first_line], section.name, file.category, section.name)
        try:
            sanitize_item_name(section.name)
        except InvalidItemName as error:
            yield Problem(Kind.UNLINKABLE_NAME, *place, detail=error.reserved or "")
        if not has_tokens(section.name) and not has_tokens(section.content):
            yield Problem(Kind.NO_TOKENS, *place)


def _malformed_metadata(document: Document, file: CategoryFile, numbers: Sequence[int]) -> Iterator[Problem]:
    """Lines that begin like a metadata comment and are text to hosts."""
    if not _NEARLY_METADATA.search(document.text):
        return
    bare = [line.splitlines()[0] for line in document.lines]
    for at, (line, code) in enumerate(zip(bare, code_lines(bare), strict=True)):
        if not code and _NEARLY_METADATA.match(line) and metadata_fields(line) is None:
            section = _section_at(document, at)
            item = section.name if section else None
            yield Problem(Kind.MALFORMED_METADATA, file.path, numbers[at], line.strip(), file.category, item)


def _shadowed(document: Document, file: CategoryFile, numbers: Sequence[int]) -> Iterator[Problem]:
    effective = document.effective()
    for section in document.sections:
        if not section.effective:
            line = numbers[section.first_line]
            winner = numbers[effective[section.name].first_line]
            yield Problem(Kind.SHADOWED, file.path, line, section.name, file.category, section.name, str(winner))


def fenced_line(document: Document, problem: Problem) -> int | None:
    """The line (from 0) that a problem of a code fence is about, also when the file has changed since."""
    numbers = line_numbers(document)
    wanted = problem.kind, problem.item, problem.detail
    found = [at for at, *what in _fenced_lines(document) if tuple(what) == wanted]
    return min(found, key=lambda at: abs(numbers[at] - problem.line), default=None)


def _fenced(document: Document, file: CategoryFile, numbers: Sequence[int]) -> Iterator[Problem]:
    for at, kind, item, detail in _fenced_lines(document):
        yield Problem(kind, file.path, numbers[at], item or file.category, file.category, item, detail)


def _fenced_lines(document: Document) -> Iterator[tuple[int, Kind, str | None, str]]:
    """Lines (from 0) inside code fences that hosts read as headings or metadata, of which item, and their detail."""
    if "```" not in document.text and "~~~" not in document.text:
        return
    bare = [line.splitlines()[0] for line in document.lines]
    unclosed = unclosed_fence(bare)
    for at, (line, code) in enumerate(zip(bare, code_lines(bare), strict=True)):
        detail = UNCLOSED if unclosed is not None and at > unclosed else ""
        name = heading_name(line) if code else None
        if name is not None:
            yield at, Kind.HEADING_IN_FENCE, name, detail
        elif code and metadata_fields(line) is not None:
            section = _section_at(document, at)
            yield at, Kind.METADATA_IN_FENCE, section.name if section else None, detail


def _odd_separators(document: Document, file: CategoryFile, numbers: Sequence[int]) -> Iterator[Problem]:
    """One problem an item: a text pasted from elsewhere may hold hundreds."""
    if not _ODD_SEPARATOR.search(document.text):
        return
    seen: set[str | None] = set()
    for number, line in enumerate(document.lines):
        found = _ODD_SEPARATOR.search(line)
        if found is None:
            continue
        section = _section_at(document, number)
        item = section.name if section else None
        if item not in seen:
            seen.add(item)
            place = numbers[number]
            detail = f"U+{ord(found[0]):04X}"
            yield Problem(Kind.ODD_SEPARATOR, file.path, place, item or file.category, file.category, item, detail)


def _links(document: Document, path: Path, *, in_diary: bool = False) -> Iterator[PlacedLink]:
    """Links of the sections that hosts see: in a diary all of them."""
    if "[[" not in document.text:
        return
    numbers = line_numbers(document)
    for section in document.sections:
        if not (section.effective or in_diary) or "[[" not in section.content:
            continue
        for number in range(section.first_line + 1, section.end_line):
            line = document.lines[number]
            if "[[" in line and metadata_fields(line.splitlines()[0]) is None:
                for span in find_wiki_links(line.splitlines()[0]):
                    place = numbers[number]
                    yield PlacedLink(span.link.category, span.link.name, path, place, section.name, in_diary)


def _section_at(document: Document, line: int) -> Section | None:
    return next((s for s in document.sections if s.first_line <= line < s.end_line), None)


def line_numbers(document: Document) -> Sequence[int]:
    """For each line the number from 1 that a text editor shows: unusual separators do not count there."""
    if not _ODD_SEPARATOR.search(document.text):
        return range(1, len(document.lines) + 1)
    return list(accumulate((line.endswith(("\n", "\r")) for line in document.lines[:-1]), initial=1))
