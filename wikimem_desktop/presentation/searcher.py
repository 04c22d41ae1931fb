"""The worker that answers queries, on its own thread: never behind a build, only the newest request counts."""

from __future__ import annotations

import time
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from wikimem_desktop.engine.diary import Diary
from wikimem_desktop.engine.explain import ExplainedRun, explained_run
from wikimem_desktop.engine.index import Snapshot
from wikimem_desktop.engine.items import RetrievalResult, RetrievedItem
from wikimem_desktop.engine.retrieval import gather, with_window
from wikimem_desktop.engine.time_range import TimeRange


@dataclass(frozen=True, slots=True)
class Parameters:
    """How to run a query. `budget` None: no cap. `days` sets the time window, `gate_off` keeps the diary out."""

    limit: int = 10
    budget: int | None = None
    links: bool = True
    tokenizer: str = "auto"
    days: TimeRange | None = None
    gate_off: bool = False


@dataclass(frozen=True, slots=True)
class SearchRequest:
    number: int
    snapshot: Snapshot
    diary: Diary
    query: str
    parameters: Parameters


@dataclass(frozen=True, slots=True)
class Run:
    """The answer to a request."""

    request: SearchRequest
    explained: ExplainedRun
    milliseconds: float

    @property
    def result(self) -> RetrievalResult:
        return self.explained.result

    @property
    def sequence(self) -> list[RetrievedItem]:
        """All entries in order, those behind the cut included."""
        return self.explained.sequence


class Searcher(QObject):
    """Signals:
    found: a Run.
    """

    found = Signal(object)
    _requested = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._newest = 0
        self._requested.connect(self._on_requested)

    def request(self, request: SearchRequest) -> None:
        """Called on the GUI thread."""
        self._newest = request.number
        self._requested.emit(request)

    @Slot(object)
    def _on_requested(self, request: SearchRequest) -> None:
        if request.number == self._newest:
            run = run_query(request)
            if request.number == self._newest:
                self.found.emit(run)


def run_query(request: SearchRequest) -> Run:
    """Run a query and explain it."""
    started = time.perf_counter()
    parameters = request.parameters
    if parameters.gate_off:
        candidates = with_window(request.snapshot, None)
    else:
        candidates = gather(request.snapshot, request.diary, request.query, parameters.days)
    explained = explained_run(
        candidates,
        request.query,
        limit=parameters.limit,
        budget_tokens=parameters.budget,
        expand_links=parameters.links,
    )
    return Run(request, explained, (time.perf_counter() - started) * 1000)
