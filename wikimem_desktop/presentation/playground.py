"""The query, its parameters and the newest run: what a host would inject now."""

from __future__ import annotations

import dataclasses
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from .library import Library
from .searcher import Parameters, Run, Searcher, SearchRequest


class Playground(QObject):
    """Runs while the person types, and again whenever the store changed.

    Signals:
        run_changed: `run` is new (or None).
        parameters_changed: limit, budget, links, tokenizer or time window changed.
        query_changed: the query was set from outside the box.
    """

    run_changed = Signal()
    parameters_changed = Signal()
    query_changed = Signal()

    def __init__(self, library: Library, searcher: Searcher, pause_ms: int = 60) -> None:
        super().__init__()
        self.query = ""
        self.parameters = Parameters()
        self.run: Run | None = None
        self._library = library
        self._searcher = searcher
        self._number = 0
        self._pause = QTimer(self, singleShot=True, interval=pause_ms)
        self._pause.timeout.connect(self.run_now)
        searcher.found.connect(self._on_found)
        library.snapshot_changed.connect(self.run_now)
        library.store_changed.connect(self._on_store_changed)

    @property
    def stale(self) -> bool:
        """Whether the run is of an older state of the store, or not of these words and parameters."""
        if self.run is None:
            return bool(self.query.strip())
        request = self.run.request
        as_now = (request.query, request.parameters) == (self.query, self.parameters)
        return request.snapshot is not self._library.snapshot or not as_now

    def restore(self, query: str, parameters: Parameters) -> None:
        """Set words and parameters at once, as they were when the store was left."""
        self.query, self.parameters = query, parameters
        self.query_changed.emit()
        self.parameters_changed.emit()
        self.run_now()

    def set_query(self, query: str) -> None:
        """The person typed: run after a short pause."""
        if query != self.query:
            self.query = query
            self._pause.start()

    def set_parameters(self, **changes: Any) -> None:
        """Change fields of `Parameters` and run."""
        parameters = dataclasses.replace(self.parameters, **changes)
        if parameters == self.parameters:
            return
        self.parameters = parameters
        self.parameters_changed.emit()
        if parameters.tokenizer != self._library.tokenizer:
            self._library.set_tokenizer(parameters.tokenizer)  # a new snapshot runs the query
        else:
            self.run_now()

    @Slot()
    def run_now(self) -> None:
        """Run the query without waiting."""
        self._pause.stop()
        store, snapshot = self._library.store, self._library.snapshot
        if store is None or snapshot is None:
            return
        self._number += 1
        if not self.query.strip() and self.parameters.days is None:
            self._set_run(None)
            return
        request = SearchRequest(self._number, snapshot, store.diary, self.query, self.parameters)
        self._searcher.request(request)

    def stop(self) -> None:
        """Forget a run that was about to start: the application ends."""
        self._pause.stop()

    def _set_run(self, run: Run | None) -> None:
        self.run = run
        self.run_changed.emit()

    @Slot(object)
    def _on_found(self, run: Run) -> None:
        if run.request.number == self._number:
            self._set_run(run)

    @Slot()
    def _on_store_changed(self) -> None:
        self._number += 1
        self._set_run(None)
