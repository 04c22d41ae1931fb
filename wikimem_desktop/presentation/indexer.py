"""The worker that reads and indexes a store, step by step, on its own thread."""

from __future__ import annotations

import contextlib
import gc
import logging
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import QObject, QThread, Signal, Slot

from wikimem_desktop.engine.errors import StoreError, UnreadableFile
from wikimem_desktop.engine.index import Progress, Snapshot, build_steps, refresh_steps
from wikimem_desktop.engine.journal import Journal
from wikimem_desktop.engine.problems import (
    FileReport,
    Kind,
    PlacedLink,
    Problem,
    check_diary,
    check_file,
    check_journal,
    check_links,
    inbound_links,
)
from wikimem_desktop.engine.store import MemoryStore

_log = logging.getLogger(__name__)
_PROGRESS_SECONDS = 0.1
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class IndexRequest:
    """Bring the index of a store up to date; `rebuild` starts from nothing."""

    number: int
    store: MemoryStore
    use_jieba: bool | None
    rebuild: bool


@dataclass(frozen=True, slots=True)
class Indexed:
    """A store as it is on disk now."""

    number: int
    store: MemoryStore
    snapshot: Snapshot
    days: tuple[str, ...]
    stamps: tuple[object, ...]
    """What changes when a file does that the snapshot does not hold: a day, or a file that can't be read."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What is wrong with the store of a snapshot."""

    number: int
    store: MemoryStore
    problems: tuple[Problem, ...]
    inbound: Mapping[tuple[str, str], Sequence[PlacedLink]]
    """Links by the category and name they lead to."""


class _Superseded(Exception):
    """A newer request came, or the thread is to end."""


class Indexer(QObject):
    """Only the newest request counts; an older one ends at its next step.

    Signals:
        progressed: done, total (files), at most ten times a second.
        indexed: an Indexed.
        checked: a Checked, after its Indexed.
        failed: request number, the StoreError.
    """

    progressed = Signal(int, int)
    indexed = Signal(object)
    checked = Signal(object)
    failed = Signal(int, object)
    _requested = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._newest = 0
        self._snapshot: Snapshot | None = None
        self._store: MemoryStore | None = None
        self._reports: dict[str, tuple[object, FileReport]] = {}
        self._last_progress = 0.0
        self._requested.connect(self._on_requested)

    def request(self, request: IndexRequest) -> None:
        """Called on the GUI thread."""
        self._newest = request.number
        self._requested.emit(request)

    def cancel(self) -> None:
        """Give up what is under way (called on the GUI thread)."""
        self._newest = -1

    @Slot(object)
    def _on_requested(self, request: IndexRequest) -> None:
        gc.disable()
        try:
            if request.number == self._newest:
                self._index(request)
        except _Superseded:
            return
        except StoreError as error:
            self.failed.emit(request.number, error)
        finally:
            gc.enable()

    def _index(self, request: IndexRequest) -> None:
        store = request.store
        if request.rebuild or self._snapshot is None or self._store is not store:
            self._reports = {} if self._store is not store else self._reports
            steps = build_steps(store, use_jieba=request.use_jieba)
        else:
            steps = refresh_steps(self._snapshot, store)
        snapshot = self._drive(steps, request)
        self._snapshot, self._store = snapshot, store
        days = tuple(store.diary.dates()) if store.layout.has_diary else ()
        self.indexed.emit(Indexed(request.number, store, snapshot, days, tuple(_stamps(store, snapshot, days))))
        problems, reports = self._drive(self._check_steps(store, snapshot, days), request)
        self.checked.emit(Checked(request.number, store, problems, inbound_links(reports)))

    def _check_steps(
        self, store: MemoryStore, snapshot: Snapshot, days: tuple[str, ...]
    ) -> Generator[Progress, None, tuple[tuple[Problem, ...], list[FileReport]]]:
        for number, file in enumerate(snapshot.files):
            known = self._reports.get(file.category)
            if known is None or known[0] is not file:
                self._reports[file.category] = (file, check_file(file))
                yield Progress(number, len(snapshot.files))
        self._reports = {file.category: self._reports[file.category] for file in snapshot.files}
        reports = [report for _, report in self._reports.values()]
        reports.append(check_diary(store.diary.folder, days))
        found = [problem for report in reports for problem in report.problems]
        found += check_links(snapshot, reports)
        found += _check_journal(store.journal)
        return tuple(sorted(found, key=lambda problem: (problem.path.name, problem.line))), reports

    def _drive(self, steps: Generator[Progress, None, _T], request: IndexRequest) -> _T:
        while True:
            if request.number != self._newest or QThread.currentThread().isInterruptionRequested():
                raise _Superseded
            try:
                progress = next(steps)
            except StopIteration as stop:
                result: _T = stop.value
                return result
            now = time.monotonic()
            if now - self._last_progress > _PROGRESS_SECONDS:
                self._last_progress = now
                self.progressed.emit(progress.done, progress.total)


def _stamps(store: MemoryStore, snapshot: Snapshot, days: tuple[str, ...]) -> Iterator[object]:
    yield from ((file.category, str(file.error)) for file in snapshot.files if file.error)
    for path in [*map(store.diary.path, days), *(file.path for file in snapshot.files if file.error)]:
        with contextlib.suppress(OSError):
            status = path.stat()
            yield path, status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def _check_journal(journal: Journal) -> list[Problem]:
    """A journal that can't be read is one more problem, not the end of the checks."""
    try:
        return check_journal(journal)
    except UnreadableFile as error:
        return [Problem(Kind.UNREADABLE, error.path, 0, error.path.name, detail=error.reason)]
