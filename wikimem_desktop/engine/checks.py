"""The problems and links of a whole store, kept up while it changes: one changed file costs one file.

A file is judged anew when it changed, or when a file that its links lead to did.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from .conflict_copies import original_of
from .errors import UnreadableFile
from .index import Progress, Snapshot
from .items import composed
from .journal import Journal
from .problems import (
    FileReport,
    Kind,
    PlacedLink,
    Problem,
    check_copies,
    check_day,
    check_file,
    check_journal,
    check_links,
)  # fmt: skip
from .store import CategoryFile, MemoryStore, Stamp, stamp_of

if TYPE_CHECKING:
    from .duplicates import NearDuplicates

_Judged = dict[str, tuple[FileReport, FileReport]]
"""By file: what it says by itself, and this with the problems of its links."""


@dataclass(frozen=True)
class Findings:
    """What the checks found, by file. A report that is the same object as before says the same as before."""

    categories: Mapping[str, FileReport] = field(default_factory=dict)
    days: Mapping[str, FileReport] = field(default_factory=dict)
    journal: tuple[Problem, ...] = ()
    copies: tuple[Problem, ...] = ()
    """Files that sync tools seem to have made."""
    duplicates: tuple[Problem, ...] = ()
    """Items that nearly say the same as another."""
    problems: tuple[Problem, ...] = ()
    """All of them, by the name of the file and by line."""

    def links_to(self, category: str, name: str) -> list[PlacedLink]:
        """The links of the store that lead to an address."""
        return [link for report in self._reports() for link in report.links_by_target.get((category, name), ())]

    def linked(self, addresses: Set[tuple[str, str]]) -> set[tuple[str, str]]:
        """Those of some addresses that links of the store lead to."""
        return {address for report in self._reports() for address in addresses & report.links_by_target.keys()}

    def links_into(self, category: str) -> list[PlacedLink]:
        """The links of the store that lead to any name in a category."""
        return [link for report in self._reports() for link in report.links if link.category == category]

    def same_as(self, other: Findings) -> bool:
        """Whether each report is that of the other."""
        return (
            self.journal == other.journal
            and self.copies == other.copies
            and self.duplicates == other.duplicates
            and _same(self.categories, other.categories)
            and _same(self.days, other.days)
        )  # fmt: skip

    def _reports(self) -> Iterator[FileReport]:
        yield from self.categories.values()
        yield from self.days.values()


class Checker:
    """Checks a store again and again."""

    def __init__(self) -> None:
        self._own: dict[str, tuple[CategoryFile, FileReport]] = {}
        """What each file says by itself, its links not judged."""
        self._own_days: dict[str, tuple[Stamp, FileReport]] = {}
        self._journal: tuple[Stamp | None, tuple[Problem, ...]] = (None, ())
        self._files: dict[str, CategoryFile] = {}
        """By which links were judged."""
        self._duplicates: NearDuplicates | None = None
        self.compared = False
        """Whether all items were compared once, which takes longer than anything else."""
        self._judged_files: _Judged = {}
        self._judged_days: _Judged = {}

    def steps(self, snapshot: Snapshot, store: MemoryStore, days: Sequence[str]) -> Generator[Progress, None, Findings]:
        """What is wrong now; `days` are the dates of the diary."""
        findings = yield from self.judgement(snapshot, store, days)
        return (yield from self.comparison(snapshot, findings))

    def judgement(
        self, snapshot: Snapshot, store: MemoryStore, days: Sequence[str]
    ) -> Generator[Progress, None, Findings]:
        """What is wrong now, but for near-duplicates."""
        moved = self._moved(snapshot.files)
        total = len(snapshot.files)
        for number, file in enumerate(snapshot.files):
            known = self._own.get(file.category)
            if known is None or known[0] is not file:
                self._own[file.category] = file, check_file(file)
                yield Progress(number, total)
        for day in days:
            path, seen = store.diary.path(day), self._own_days.get(day)
            stamp = stamp_of(path)
            if seen is None or seen[0] != stamp:
                self._own_days[day] = stamp, check_day(path, day)
                yield Progress(total, total)
        # Who drives this may stop at any step: what links were judged by changes with the judgements.
        self._own = {file.category: self._own[file.category] for file in snapshot.files}
        self._own_days = {day: self._own_days[day] for day in days}
        files = yield from self._judge(snapshot, self._own, self._judged_files, moved)
        judged_days = yield from self._judge(snapshot, self._own_days, self._judged_days, moved)
        self._judged_files, self._judged_days = files, judged_days
        self._files = {file.category: file for file in snapshot.files}
        return _findings(
            {category: judged for category, (_, judged) in files.items()},
            {day: judged for day, (_, judged) in judged_days.items()},
            self._check_journal(store.journal),
            tuple(check_copies(snapshot.files)),
        )

    def comparison(self, snapshot: Snapshot, findings: Findings) -> Generator[Progress, None, Findings]:
        """What the judgement found, and the items that nearly say the same."""
        from .duplicates import NearDuplicates

        duplicates = self._duplicates = self._duplicates or NearDuplicates()
        for number, file in enumerate(duplicates.stale(snapshot.files)):
            duplicates.take_in(file)
            yield Progress(number, len(snapshot.files))
        self.compared = True
        found = tuple(_duplicate_problems(snapshot, duplicates))
        return _findings(findings.categories, findings.days, findings.journal, findings.copies, found)

    def _moved(self, files: Iterable[CategoryFile]) -> set[str]:
        """The categories, in composed form, whose file is not the one that links were judged by."""
        now = {file.category: file for file in files}
        names = now.keys() | self._files.keys()
        return {composed(name) for name in names if now.get(name) is not self._files.get(name)}

    def _judge(
        self, snapshot: Snapshot, own: Mapping[str, tuple[object, FileReport]], before: _Judged, moved: set[str]
    ) -> Generator[Progress, None, _Judged]:
        """The reports with the problems of their links; those that still say the same as before are the same."""
        judged: _Judged = {}
        done = Progress(len(snapshot.files), len(snapshot.files))
        for key, (_, report) in own.items():
            known = before.get(key)
            if known is None or known[0] is not report or not moved.isdisjoint(report.target_categories):
                problems = sorted([*report.problems, *check_links(snapshot, report)], key=lambda problem: problem.line)
                found = replace(report, problems=tuple(dict.fromkeys(problems)))
                known = report, known[1] if known is not None and known[1] == found else found
                yield done
            judged[key] = known
        return judged

    def _check_journal(self, journal: Journal) -> tuple[Problem, ...]:
        stamp, known = stamp_of(journal.path), self._journal
        if known[0] != stamp:
            known = self._journal = stamp, tuple(_journal_problems(journal))
        return known[1]


def _findings(
    categories: Mapping[str, FileReport],
    days: Mapping[str, FileReport],
    journal: tuple[Problem, ...],
    copies: tuple[Problem, ...],
    duplicates: tuple[Problem, ...] = (),
) -> Findings:
    reports = [*categories.values(), *days.values()]
    found = [*(problem for report in reports for problem in report.problems), *journal, *copies, *duplicates]
    found.sort(key=lambda problem: (problem.path.name, problem.line))
    return Findings(categories, days, journal, copies, duplicates, tuple(found))


def _duplicate_problems(snapshot: Snapshot, duplicates: NearDuplicates) -> Iterator[Problem]:
    """Not those of a file and its copy, which is a problem by itself."""
    paths = {file.category: file.path for file in snapshot.files}
    for one, other in duplicates.pairs():
        homes = {original_of(category, paths) or category for category, _ in (one, other)}
        if one[0] != other[0] and len(homes) == 1:
            continue
        subject, detail = f"{other[0]}:{other[1]}", f"{one[0]}:{one[1]}"
        yield Problem(Kind.NEAR_DUPLICATE, paths[other[0]], 0, subject, *other, detail)


def _journal_problems(journal: Journal) -> list[Problem]:
    """A journal that can't be read is one more problem, not the end of the checks."""
    try:
        return check_journal(journal)
    except UnreadableFile as error:
        return [Problem(Kind.UNREADABLE, error.path, 0, error.path.name, detail=error.reason)]


def _same(now: Mapping[str, FileReport], before: Mapping[str, FileReport]) -> bool:
    return now.keys() == before.keys() and all(report is before[key] for key, report in now.items())
