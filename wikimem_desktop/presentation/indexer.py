"""The worker that reads and indexes a store, step by step, on its own thread."""

from __future__ import annotations

import contextlib
import gc
import logging
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import QObject, QThread, Signal, Slot

from wikimem_desktop.engine.checks import Checker, Findings
from wikimem_desktop.engine.errors import StoreError
from wikimem_desktop.engine.index import Progress, Snapshot, build_steps, refresh_steps
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
    findings: Findings


class _Superseded(Exception):
    """A newer request came, or the thread is to end."""


class Indexer(QObject):
    """Only the newest request counts; an older one ends at its next step.

    Signals:
        progressed: done, total (files), at most ten times a second.
        indexed: an Indexed.
        checked: a Checked.
        failed: request number, the StoreError.
    """

    progressed = Signal(int, int)
    indexed = Signal(object)
    checked = Signal(object)
    failed = Signal(int, object)
    _requested = Signal(object)
    _check_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._newest = 0
        self._snapshot: Snapshot | None = None
        self._store: MemoryStore | None = None
        self._checker = Checker()
        self._last_progress = 0.0
        self._requested.connect(self._on_requested)
        self._check_wanted.connect(self._on_check_wanted)

    def request(self, request: IndexRequest) -> None:
        """Called on the GUI thread."""
        self._newest = request.number
        self._requested.emit(request)

    def check(self, indexed: Indexed) -> None:
        """Look for problems (called on the GUI thread once it has shown what was indexed: both at once stall it)."""
        self._check_wanted.emit(indexed)

    def cancel(self) -> None:
        """Give up what is under way (called on the GUI thread)."""
        self._newest = -1

    @Slot(object)
    def _on_requested(self, request: IndexRequest) -> None:
        try:
            with _without_collections():
                if request.number == self._newest:
                    self._index(request)
        except _Superseded:
            return
        except StoreError as error:
            self.failed.emit(request.number, error)

    @Slot(object)
    def _on_check_wanted(self, indexed: Indexed) -> None:
        steps = self._checker.steps(indexed.snapshot, indexed.store, indexed.days)
        with contextlib.suppress(_Superseded), _without_collections():
            findings = self._drive(steps, indexed.number)
            self.checked.emit(Checked(indexed.number, indexed.store, findings))

    def _index(self, request: IndexRequest) -> None:
        store = request.store
        if request.rebuild or self._snapshot is None or self._store is not store:
            self._checker = self._checker if self._store is store else Checker()
            steps = build_steps(store, use_jieba=request.use_jieba)
        else:
            steps = refresh_steps(self._snapshot, store)
        snapshot = self._drive(steps, request.number)
        self._snapshot, self._store = snapshot, store
        days = tuple(store.diary.dates()) if store.layout.has_diary else ()
        self.indexed.emit(Indexed(request.number, store, snapshot, days, tuple(_stamps(store, snapshot, days))))

    def _drive(self, steps: Generator[Progress, None, _T], number: int) -> _T:
        while True:
            if number != self._newest or QThread.currentThread().isInterruptionRequested():
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


@contextlib.contextmanager
def _without_collections() -> Iterator[None]:
    """The work makes many objects that live long: looking for garbage among them would hold up every thread."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _stamps(store: MemoryStore, snapshot: Snapshot, days: tuple[str, ...]) -> Iterator[object]:
    yield from ((file.category, str(file.error)) for file in snapshot.files if file.error)
    for path in [*map(store.diary.path, days), *(file.path for file in snapshot.files if file.error)]:
        with contextlib.suppress(OSError):
            status = path.stat()
            yield path, status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino
