"""Find in store: a worker that looks through all files, and what it found so far."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from wikimem_desktop.engine.errors import StoreError
from wikimem_desktop.engine.replacing import Replacement, Resolves, replacement_steps
from wikimem_desktop.engine.search import Finder, Found, Hit, search_steps
from wikimem_desktop.engine.store import MemoryStore

from .finding import BadPattern, Search
from .library import Library
from .words import error_text

MOST_SHOWN = 20_000
"""Lines; the others are only counted."""
MOST_REPLACED = 50_000
"""Lines that can be replaced in one step."""
_STEPS_AT_ONCE = 40
"""How many steps are told together."""


@dataclass(frozen=True, slots=True)
class StoreSearchRequest:
    number: int
    store: MemoryStore
    finder: Finder


@dataclass(frozen=True, slots=True)
class PreviewRequest:
    """What replacing every match would come to. `resolves` tells whether a link leads to an item."""

    number: int
    store: MemoryStore
    finder: Finder
    template: str
    resolves: Resolves


class StoreSearcher(QObject):
    """Lives on a thread of its own; a newer request ends the one of its kind before.

    Signals:
        found: number of the request, a list of Found.
        ended: number of the request, and why it broke off ("": it did not).
        previewed: number of the request, a list of Replacement, and why there is none ("": there may be).
    """

    found = Signal(int, object)
    ended = Signal(int, str)
    previewed = Signal(int, object, str)
    _requested = Signal(object)
    _preview_requested = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._newest = self._newest_preview = 0
        self._requested.connect(self._on_requested)
        self._preview_requested.connect(self._on_preview_requested)

    def request(self, request: StoreSearchRequest) -> None:
        """Called on the GUI thread."""
        self._newest = request.number
        self._requested.emit(request)

    def cancel(self) -> None:
        """Called on the GUI thread."""
        self._newest = 0

    def preview(self, request: PreviewRequest) -> None:
        """Called on the GUI thread."""
        self._newest_preview = request.number
        self._preview_requested.emit(request)

    def cancel_preview(self) -> None:
        """Called on the GUI thread."""
        self._newest_preview = 0

    @Slot(object)
    def _on_preview_requested(self, request: PreviewRequest) -> None:
        replacements: list[Replacement] = []
        error = ""
        steps = replacement_steps(request.store, request.finder, request.template, request.resolves)
        try:
            for step in steps:
                if request.number != self._newest_preview or self.thread().isInterruptionRequested():
                    return
                replacements += step
                if len(replacements) > MOST_REPLACED:
                    break
        except StoreError as failed:
            error = error_text(failed)
        except re.error as bad:
            error = str(bad)
        self.previewed.emit(request.number, replacements, error)

    @Slot(object)
    def _on_requested(self, request: StoreSearchRequest) -> None:
        pieces: list[Found] = []
        error = ""
        try:
            for step in search_steps(request.store, request.finder):
                if request.number != self._newest or self.thread().isInterruptionRequested():
                    return
                pieces.append(step)
                if step.hits or len(pieces) >= _STEPS_AT_ONCE:
                    self.found.emit(request.number, pieces)
                    pieces = []
        except StoreError as failed:
            error = error_text(failed)
        self.found.emit(request.number, pieces)
        self.ended.emit(request.number, error)


@dataclass(slots=True)
class Results:
    """What was found so far. `left_out`: files, and why."""

    shown: list[Hit | str] = field(default_factory=list)
    """The key of a file, and the lines that were found in it; only so many."""
    lines: int = 0
    matches: int = 0
    files: int = 0
    left_out: dict[str, str] = field(default_factory=dict)


class StoreSearch(QObject):
    """Asks for searches, and holds what the newest one found.

    Signals:
        changed: `results`, `searching`, `error` or `stale` are others.
    """

    changed = Signal()

    def __init__(self, library: Library, searcher: StoreSearcher) -> None:
        super().__init__()
        self.results = Results()
        self.search = Search("")
        self.searching = False
        self.error = ""
        """Why there is nothing to find, in words."""
        self.wanted = False
        """Whether someone looks: only then results follow the disk."""
        self._library = library
        self._searcher = searcher
        self._number = 0
        self._fresh = Results()
        self._last_file = ""
        self._telling = QTimer(self, singleShot=True, interval=50)
        self._telling.timeout.connect(self.changed)
        library.store_changed.connect(self._on_store_changed)
        library.snapshot_changed.connect(self._on_snapshot_changed)
        searcher.found.connect(self._on_found)
        searcher.ended.connect(self._on_ended)

    def find(self, search: Search) -> None:
        """Look for something else."""
        self.search = search
        self._start(keep=False)

    @Slot()
    def cancel(self) -> None:
        """Stop; what was found stays."""
        if self.searching:
            self._searcher.cancel()
            self._number += 1
            self.searching = False
            self.results = self._fresh
            self.changed.emit()

    def _start(self, *, keep: bool) -> None:
        """`keep`: show what is known until the new search is at its end."""
        store, self._number = self._library.store, self._number + 1
        self.error, self._fresh, self._last_file = "", Results(), ""
        self.searching = False
        self._searcher.cancel()
        if not keep:
            self.results = self._fresh
        try:
            pattern = self.search.pattern()
            finder = Finder(pattern, plain=not self.search.regex) if pattern is not None else None
        except (BadPattern, re.error) as bad:
            finder, self.error = None, str(bad)
        if finder is not None and store is not None:
            self.searching = True
            self._searcher.request(StoreSearchRequest(self._number, store, finder))
        else:
            self.results = self._fresh
        self.changed.emit()

    @Slot(int, object)
    def _on_found(self, number: int, pieces: list[Found]) -> None:
        if number != self._number:
            return
        fresh = self._fresh
        for piece in pieces:
            if piece.left_out:
                fresh.left_out[piece.key] = piece.left_out
            if piece.hits:
                if piece.key != self._last_file:
                    fresh.files += 1
                    self._last_file = piece.key
                    fresh.shown += [piece.key] if fresh.lines < MOST_SHOWN else []
                fresh.shown += piece.hits[: max(0, MOST_SHOWN - fresh.lines)]
                fresh.lines += len(piece.hits)
                fresh.matches += sum(len(hit.spans) for hit in piece.hits)
        if self.results is fresh and not self._telling.isActive():
            self._telling.start()

    @Slot(int, str)
    def _on_ended(self, number: int, error: str) -> None:
        if number == self._number:
            self.searching, self.error, self.results = False, error, self._fresh
            self._telling.stop()
            self.changed.emit()

    def want(self, wanted: bool, /) -> None:
        """Follow the disk only as long as someone looks."""
        if wanted and not self.wanted and self.search.text:
            self._start(keep=True)
        self.wanted = wanted

    @Slot()
    def _on_store_changed(self) -> None:
        self.stop()
        self._start(keep=False)

    @Slot()
    def _on_snapshot_changed(self) -> None:
        if self.wanted and self.search.text:
            self._start(keep=True)

    def stop(self) -> None:
        """The application ends, or another store is opened."""
        self._searcher.cancel()
        self._telling.stop()
        self.searching = False
