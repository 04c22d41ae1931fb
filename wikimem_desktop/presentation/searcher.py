"""The worker that answers queries, on its own thread: never behind a build, only the newest request counts."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, Signal, Slot

from wikimem_desktop.engine.diary import Diary
from wikimem_desktop.engine.explain import Cut, TermShare, budget_cut, term_shares
from wikimem_desktop.engine.index import Snapshot
from wikimem_desktop.engine.items import RetrievalResult, RetrievedItem
from wikimem_desktop.engine.retrieval import gather, inject, with_window
from wikimem_desktop.engine.time_range import TimeRange
from wikimem_desktop.engine.tokens import tokenize


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
    """A query, how it was run, and everything that came of it."""

    request: SearchRequest
    result: RetrievalResult
    terms: tuple[str, ...]
    """The query as the ranker sees it."""
    shares: dict[str, list[TermShare]] = field(default_factory=dict)
    """By address of a hit: what each query term added."""
    cut: Cut | None = None
    milliseconds: float = 0.0

    @property
    def sequence(self) -> list[RetrievedItem]:
        """All entries in order, those behind the cut included."""
        return self.result.items + self.result.dropped


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
    result = inject(
        candidates,
        request.query,
        limit=parameters.limit,
        budget_tokens=parameters.budget,
        expand_links=parameters.links,
        explain=True,
    )
    shares = {}
    for entry in result.items + result.dropped:
        row = candidates.row(entry.item)
        if entry.source == "hit" and row is not None:
            shares[entry.item.address] = term_shares(candidates, request.query, row)
    terms = tuple(tokenize(request.query, use_jieba=candidates.postings.jieba))
    milliseconds = (time.perf_counter() - started) * 1000
    return Run(request, result, terms, shares, budget_cut(result), milliseconds)
