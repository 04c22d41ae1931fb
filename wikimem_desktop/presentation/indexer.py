"""The worker that reads and indexes a store, step by step, on its own thread."""

from __future__ import annotations

import contextlib
import gc
import logging
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, QThread, Signal, Slot

from wikimem_desktop.engine.checks import Checker, Findings
from wikimem_desktop.engine.errors import StoreError
from wikimem_desktop.engine.index import Progress, Snapshot, Steps, build_steps, refresh_steps
from wikimem_desktop.engine.store import MemoryStore
from wikimem_desktop.engine.tokens import chinese_words, uses_jieba

if TYPE_CHECKING:
    from wikimem_desktop.engine.token_cache import TokenCache

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
    complete: bool
    """False: indexed by pairs of characters while jieba is awaited."""


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
        indexed: an Indexed. One that is not complete waits for `find_words`.
        checked: a Checked.
        failed: request number, the StoreError.
    """

    progressed = Signal(int, int)
    indexed = Signal(object)
    checked = Signal(object)
    failed = Signal(int, object)
    _requested = Signal(object)
    _check_wanted = Signal(object)
    _words_wanted = Signal(object)
    _store_closed = Signal()

    def __init__(self, cache_folder: Path | None = None) -> None:
        super().__init__()
        self._cache_folder = cache_folder
        self._newest = 0
        self._snapshot: Snapshot | None = None
        self._store: MemoryStore | None = None
        self._checker = Checker()
        self._last_progress = 0.0
        self._requested.connect(self._on_requested)
        self._check_wanted.connect(self._on_check_wanted)
        self._words_wanted.connect(self._on_words_wanted)
        self._store_closed.connect(self._let_go)

    def request(self, request: IndexRequest) -> None:
        """Called on the GUI thread."""
        self._newest = request.number
        self._requested.emit(request)

    def check(self, indexed: Indexed) -> None:
        """Look for problems (called on the GUI thread once it has shown what was indexed: both at once stall it)."""
        self._check_wanted.emit(indexed)

    def find_words(self, indexed: Indexed) -> None:
        """Index by jieba's words what is indexed by pairs of characters (called on the GUI thread)."""
        self._words_wanted.emit(indexed)

    def forget(self) -> None:
        """Give up what is under way, and the store with it (called on the GUI thread)."""
        self.cancel()
        self._store_closed.emit()

    def cancel(self) -> None:
        """Give up what is under way (called on the GUI thread)."""
        self._newest = -1

    @Slot(object)
    def _on_requested(self, request: IndexRequest) -> None:
        with self._working(request.number):
            store, jieba = request.store, uses_jieba(request.use_jieba)
            known = self._snapshot if self._store is store else None
            if known is None:
                self._let_go()
            if known is not None and (not request.rebuild or jieba > known.postings.jieba):
                steps = self._refresh_steps(known, store)
            elif known is not None and jieba:
                steps = self._jieba_steps(known, store)
            else:
                steps = build_steps(store, use_jieba=False)
            self._publish(self._drive(steps, request.number), request.number, store, jieba=jieba)

    @Slot(object)
    def _on_words_wanted(self, indexed: Indexed) -> None:
        with self._working(indexed.number):
            steps = self._jieba_steps(indexed.snapshot, indexed.store)
            self._publish(self._drive(steps, indexed.number), indexed.number, indexed.store, jieba=True)

    @Slot(object)
    def _on_check_wanted(self, indexed: Indexed) -> None:
        with self._working(indexed.number):
            steps = self._checker.steps(indexed.snapshot, indexed.store, indexed.days)
            findings = self._drive(steps, indexed.number)
            self.checked.emit(Checked(indexed.number, indexed.store, findings))

    @Slot()
    def _let_go(self) -> None:
        """Forget the store before; its many objects go a file at a time, or every thread would be held up."""
        parts = [*self._snapshot.rows.values(), *self._snapshot.files] if self._snapshot else []
        self._snapshot, self._store, self._checker = None, None, Checker()
        while parts:
            parts.pop()

    @contextlib.contextmanager
    def _working(self, number: int) -> Iterator[None]:
        try:
            with _without_collections():
                yield
        except _Superseded:
            return
        except StoreError as error:
            self.failed.emit(number, error)

    def _publish(self, snapshot: Snapshot, number: int, store: MemoryStore, *, jieba: bool) -> None:
        self._snapshot, self._store = snapshot, store
        days = tuple(store.diary.dates()) if store.layout.has_diary else ()
        stamps = tuple(_stamps(store, snapshot, days))
        self.indexed.emit(Indexed(number, store, snapshot, days, stamps, snapshot.postings.jieba == jieba))

    def _refresh_steps(self, known: Snapshot, store: MemoryStore) -> Steps:
        cache = self._token_cache(store) if known.postings.jieba else None
        snapshot = yield from refresh_steps(known, store, cache=cache)
        if cache is not None:
            cache.save(whole=False)
        return snapshot

    def _jieba_steps(self, known: Snapshot, store: MemoryStore) -> Steps:
        """Load jieba, then index by its words; what it found is kept even when this is stopped half-way."""
        from wikimem_desktop.engine.chinese import load_steps

        start, whole = Progress(0, len(known.files)), False
        for _ in load_steps():
            yield start
        cache = self._token_cache(store)
        if cache is None:
            return (yield from build_steps(store, use_jieba=True))
        for _ in cache.load_steps():
            yield start
        try:
            snapshot = yield from build_steps(store, use_jieba=True, cache=cache)
            whole = True
        finally:
            cache.save(whole=whole)
        return snapshot

    def _token_cache(self, store: MemoryStore) -> TokenCache | None:
        if self._cache_folder is None:
            return None
        from wikimem_desktop.engine.chinese import cutter
        from wikimem_desktop.engine.token_cache import TokenCache

        return TokenCache(self._cache_folder, store.root, chinese_words, cutter().dictionary)

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
