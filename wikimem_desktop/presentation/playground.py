"""The query, its parameters and the newest run: what a host would inject now, or once everything is saved."""

from __future__ import annotations

import dataclasses
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from .document import Documents
from .library import Library
from .searcher import Parameters, Run, Searcher, SearchRequest


class Playground(QObject):
    """Runs while the person types, and again whenever the store or (if `Parameters.unsaved`) an unsaved text changed.

    Signals:
        run_changed: `run` is new (or None).
        parameters_changed: limit, budget, links, unsaved text, tokenizer or time window changed.
        query_changed: the query was set from outside the box.
    """

    run_changed = Signal()
    parameters_changed = Signal()
    query_changed = Signal()

    def __init__(self, library: Library, documents: Documents, searcher: Searcher) -> None:
        super().__init__()
        self.query = ""
        self.parameters = Parameters()
        self.run: Run | None = None
        self._library = library
        self._documents = documents
        self._searcher = searcher
        self._number = 0
        self._due = QTimer(self, singleShot=True, interval=0)
        self._due.timeout.connect(self.run_now)
        searcher.found.connect(self._on_found)
        documents.unsaved_changed.connect(self._on_unsaved_changed)
        library.snapshot_changed.connect(self.run_now)
        library.store_changed.connect(self._on_store_changed)

    @property
    def stale(self) -> bool:
        """Whether the run is of older texts, or not of these words and parameters."""
        if self.run is None:
            return bool(self.query.strip())
        request = self.run.request
        as_now = (request.query, request.parameters) == (self.query, self.parameters)
        return request.snapshot is not self._library.snapshot or not as_now or request.contents != self._contents

    @property
    def _contents(self) -> dict[tuple[str, str], str | None]:
        """The texts that take the place of those on disk."""
        return self._documents.unsaved_contents if self.parameters.unsaved else {}

    @property
    def _asks(self) -> bool:
        return bool(self.query.strip()) or self.parameters.days is not None

    def restore(self, query: str, parameters: Parameters) -> None:
        """Set words and parameters at once, as they were when the store was left."""
        self.query, self.parameters = query, parameters
        self.query_changed.emit()
        self.parameters_changed.emit()
        self.run_now()

    def set_query(self, query: str) -> None:
        """The person typed: run once they are heard out; of runs that overlap only the newest is shown."""
        if query != self.query:
            self.query = query
            self._due.start()

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
        self._due.stop()
        store, snapshot = self._library.store, self._library.snapshot
        if store is None or snapshot is None:
            return
        self._number += 1
        if not self._asks:
            self._set_run(None)
            return
        request = SearchRequest(self._number, snapshot, store.diary, self.query, self.parameters, self._contents)
        self._searcher.request(request)

    def stop(self) -> None:
        """Forget a run that was about to start: the application ends."""
        self._due.stop()

    def _set_run(self, run: Run | None) -> None:
        self.run = run
        self.run_changed.emit()

    @Slot(object)
    def _on_found(self, run: Run) -> None:
        if run.request.number == self._number:
            self._set_run(run)

    @Slot()
    def _on_unsaved_changed(self) -> None:
        """Right behind a save the snapshot is older than the file; once it has followed, the query runs anyway."""
        store, snapshot = self._library.store, self._library.snapshot
        if store is None or snapshot is None or not (self._asks and self.parameters.unsaved):
            return
        if snapshot.revision == store.revision or self._library.behind:
            self.run_now()

    @Slot()
    def _on_store_changed(self) -> None:
        self._number += 1
        self._searcher.forget()
        self._set_run(None)
