"""The worker that answers queries, on its own thread: never behind a build, only the newest request counts."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, Signal, Slot

from wikimem_desktop.engine.diary import Diary
from wikimem_desktop.engine.explain import ExplainedRun, explained_run
from wikimem_desktop.engine.index import Snapshot
from wikimem_desktop.engine.items import RetrievalResult, RetrievedItem
from wikimem_desktop.engine.retrieval import gather, with_window
from wikimem_desktop.engine.time_range import TimeRange


@dataclass(frozen=True, slots=True)
class Parameters:
    """How to run a query. `budget` None: no cap. `days` sets the time window, `gate_off` keeps the diary out.

    `unsaved`: text that is not saved yet takes the place of what is on disk.
    """

    limit: int = 10
    budget: int | None = None
    links: bool = True
    unsaved: bool = True
    tokenizer: str = "auto"
    days: TimeRange | None = None
    gate_off: bool = False


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """`contents`, by category and name, take the place of the texts that the snapshot holds."""

    number: int
    snapshot: Snapshot
    diary: Diary
    query: str
    parameters: Parameters
    contents: Mapping[tuple[str, str], str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Run:
    """The answer to a request. `snapshot` is that of the request with its contents."""

    request: SearchRequest
    snapshot: Snapshot
    explained: ExplainedRun
    milliseconds: float

    @property
    def result(self) -> RetrievalResult:
        return self.explained.result

    @property
    def sequence(self) -> list[RetrievedItem]:
        """All entries in order, those behind the cut included."""
        return self.explained.sequence

    @property
    def unsaved_items(self) -> int:
        """How many items were ranked with a text that is not on disk."""
        pairs = ((self.request.snapshot.item(*key), self.snapshot.item(*key)) for key in self.request.contents)
        return sum(before is not after for before, after in pairs)


class Searcher(QObject):
    """Signals:
    found: a Run.
    """

    found = Signal(object)
    _requested = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._newest = 0
        self._overlay: tuple[SearchRequest, Snapshot] | None = None
        self._requested.connect(self._on_requested)

    def request(self, request: SearchRequest) -> None:
        """Called on the GUI thread."""
        self._newest = request.number
        self._requested.emit(request)

    def forget(self) -> None:
        """Another store is open: keep nothing of the old one."""
        self._overlay = None

    @Slot(object)
    def _on_requested(self, request: SearchRequest) -> None:
        if request.number == self._newest:
            run = run_query(request, self._searched(request))
            if request.number == self._newest:
                self.found.emit(run)

    def _searched(self, request: SearchRequest) -> Snapshot:
        """The snapshot with the request's contents, made once for all queries that follow."""
        if not request.contents:
            self._overlay = None
            return request.snapshot
        known = self._overlay
        if known and known[0].snapshot is request.snapshot and known[0].contents == request.contents:
            return known[1]
        searched = request.snapshot.with_contents(request.contents)
        self._overlay = request, searched
        return searched


def run_query(request: SearchRequest, snapshot: Snapshot | None = None) -> Run:
    """Run a query and explain it. `snapshot` is the request's with its contents, if it is made already."""
    started = time.perf_counter()
    parameters = request.parameters
    snapshot = snapshot or request.snapshot.with_contents(request.contents)
    if parameters.gate_off:
        candidates = with_window(snapshot, None)
    else:
        candidates = gather(snapshot, request.diary, request.query, parameters.days)
    explained = explained_run(
        candidates,
        request.query,
        limit=parameters.limit,
        budget_tokens=parameters.budget,
        expand_links=parameters.links,
    )
    return Run(request, snapshot, explained, (time.perf_counter() - started) * 1000)
