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
from wikimem_desktop.engine.errors import StoreError, StoreNotFound
from wikimem_desktop.engine.index import Progress, Snapshot, Steps, build_steps, refresh_steps, words_steps
from wikimem_desktop.engine.store import MemoryStore, stamp_of
from wikimem_desktop.engine.tokens import chinese_words, uses_jieba

if TYPE_CHECKING:
    from wikimem_desktop.engine.token_cache import TokenCache

_log = logging.getLogger(__name__)
_PROGRESS_SECONDS = 0.1
_CANCELLED = -1
"""The number of no request."""
_BEGINNING = Progress(0, 0)
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
        checked: a Checked; for a store's first check there are two, the second one with near-duplicates.
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
        self._words: Steps | None = None
        """On the way to jieba's words; a refresh comes first and may break in."""
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
        self._newest = _CANCELLED

    @Slot(object)
    def _on_requested(self, request: IndexRequest) -> None:
        with self._working(request.number):
            store, jieba = request.store, uses_jieba(request.use_jieba)
            known = self._snapshot if self._store is store else None
            if known is None:
                self._let_go()
            if known is not None and not request.rebuild:
                steps = self._refresh_steps(known, store)
            else:
                self._stop_words()
                in_use = known is not None and known.postings.jieba
                steps = self._words_steps(store) if jieba and in_use else build_steps(store, use_jieba=False)
            self._publish(self._drive(steps, request.number), request.number, store, jieba=jieba)

    @Slot(object)
    def _on_words_wanted(self, indexed: Indexed) -> None:
        """Go on where a change of the disk broke in, and follow that in the end."""
        number, store = indexed.number, indexed.store
        if store is not self._store or self._snapshot is None:
            return
        with self._working(number):
            if not self._snapshot.postings.jieba:
                self._words = self._words or self._words_steps(store, indexed.snapshot)
                self._snapshot = self._drive(self._words, number)
                self._words = None
            steps = self._refresh_steps(self._snapshot, store)
            self._publish(self._drive(steps, number), number, store, jieba=True)

    @Slot(object)
    def _on_check_wanted(self, indexed: Indexed) -> None:
        with self._working(indexed.number):
            steps = self._checker.judgement(indexed.snapshot, indexed.store, indexed.days)
            findings = self._drive(steps, indexed.number)
            if not self._checker.compared:
                self.checked.emit(Checked(indexed.number, indexed.store, findings))
            findings = self._drive(self._checker.comparison(indexed.snapshot, findings), indexed.number)
            self.checked.emit(Checked(indexed.number, indexed.store, findings))

    @Slot()
    def _let_go(self) -> None:
        """Forget the store before; its many objects go a file at a time, or every thread would be held up."""
        self._stop_words()
        parts = [*self._snapshot.rows.values(), *self._snapshot.files] if self._snapshot else []
        self._snapshot, self._store, self._checker = None, None, Checker()
        while parts:
            parts.pop()

    def _stop_words(self) -> None:
        if self._words is not None:
            self._words.close()
            self._words = None

    @contextlib.contextmanager
    def _working(self, number: int) -> Iterator[None]:
        try:
            with _without_collections():
                yield
        except _Superseded:
            if self._newest == _CANCELLED or QThread.currentThread().isInterruptionRequested():
                self._stop_words()
        except StoreError as error:
            self.failed.emit(number, error)

    def _publish(self, snapshot: Snapshot, number: int, store: MemoryStore, *, jieba: bool) -> None:
        """Raises `StoreNotFound` when the folder went: that it may come back is likelier than an empty memory."""
        if self._snapshot is not None and not store.root.is_dir():
            raise StoreNotFound(store.root, "it is not there any more")
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

    def _words_steps(self, store: MemoryStore, pairs: Snapshot | None = None) -> Steps:
        """Load jieba, then index by its words what is in `pairs`, or all files anew.

        What it found is kept even when this is stopped half-way.
        """
        from wikimem_desktop.engine.chinese import load_steps

        for _ in load_steps():
            yield _BEGINNING
        cache = self._token_cache(store)
        for _ in cache.load_steps() if cache else ():
            yield _BEGINNING
        whole = False
        try:
            steps = words_steps(pairs, cache=cache) if pairs else build_steps(store, use_jieba=True, cache=cache)
            snapshot = yield from steps
            whole = True
        finally:
            if cache is not None:
                cache.save(whole=whole)
        return snapshot

    def _token_cache(self, store: MemoryStore) -> TokenCache | None:
        if self._cache_folder is None:
            return None
        from wikimem_desktop.engine.chinese import cutter
        from wikimem_desktop.engine.token_cache import TokenCache

        return TokenCache(self._cache_folder, store.root, chinese_words, cutter().dictionary)

    def _drive(self, steps: Generator[Progress, None, _T], number: int) -> _T:
        """A step towards jieba's words is made in any case: with a store that never rests they would never be there."""
        checked = steps is not self._words
        while True:
            if checked and (number != self._newest or QThread.currentThread().isInterruptionRequested()):
                raise _Superseded
            checked = True
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
        yield path, stamp_of(path)
