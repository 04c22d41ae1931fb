"""The local history of the open store: kept on the writer's thread, asked for by the window."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from wikimem_desktop.engine import versions
from wikimem_desktop.engine.changes import Change
from wikimem_desktop.engine.diary import day_key, day_of
from wikimem_desktop.engine.errors import ItemNotFound, WriteFailed
from wikimem_desktop.engine.recorder import Recorder
from wikimem_desktop.engine.review import Reviewer
from wikimem_desktop.engine.store import CategoryFile, MemoryStore
from wikimem_desktop.engine.versions import GoneItem, TextVersion

from .buffer import Place
from .history_reader import ComparisonQuestion, GoneQuestion, HistoryReader, Question, VersionsQuestion
from .library import Library
from .notices import Level, Notices
from .steps import Step, Steps
from .worker_thread import WorkerThread
from .writer import Request, Writer

STEPS_FILE = "steps.jsonl"
_DIGEST = re.compile(rb'"([0-9a-f]{64})"')
_WAIT_MS = 1000
_SLICE = 16
"""Files that are noted at once: a person's save does not wait for all of them."""


@dataclass(frozen=True, slots=True, eq=False)
class SeeRequest(Request):
    """Note how files are; with no files, the days of the diary, and what is too old or too much goes."""

    recorder: Recorder
    files: Sequence[tuple[str, str | None]] = ()

    @property
    def path(self) -> Path:
        return self.recorder.history.folder

    def perform(self) -> None:
        if self.files:
            self.recorder.see(self.files)
        else:
            self.recorder.see_days()


@dataclass(frozen=True, slots=True, eq=False)
class TrimRequest(Request):
    """Forget what is too old or too much, but nothing that a step or the review needs."""

    recorder: Recorder
    reviewer: Reviewer

    @property
    def path(self) -> Path:
        return self.recorder.history.folder

    def perform(self) -> None:
        if not self.path.exists():
            return
        steps = self.path / STEPS_FILE
        of_steps = _DIGEST.findall(steps.read_bytes()) if steps.exists() else []
        self.recorder.trim([*self.reviewer.needed(), *(digest.decode() for digest in of_steps)])


class LocalHistory(QObject):
    """Signals:
    answered: a question of `ask…`, and what was found.
    grown: there may be versions that were not there before.
    """

    answered = Signal(object, object)
    grown = Signal()
    _failed = Signal(object)

    def __init__(
        self,
        folder: Path,
        library: Library,
        steps: Steps,
        writer: Writer,
        notices: Notices,
        bounds: Callable[[], dict[str, int]] = dict,
    ) -> None:
        super().__init__()
        self._folder = folder
        self._library = library
        self._steps = steps
        self._writer = writer
        self._notices = notices
        self._bounds = bounds
        self.recorder: Recorder | None = None
        self.reviewer: Reviewer | None = None
        self._seen: dict[str, CategoryFile] = {}
        self._to_see: list[tuple[str, str | None]] = []
        self._seeing: Request | None = None
        self._told = False
        self._reader = HistoryReader()
        self._thread = WorkerThread(self._reader, "history")
        self._reader.answered.connect(self._on_answered)
        library.store_changed.connect(self._on_store_changed)
        library.snapshot_changed.connect(self._on_snapshot_changed)
        writer.done.connect(self._on_written)
        self._failed.connect(self._on_failed)

    # ------------------------------------------------------------ keeping

    def stop(self) -> None:
        """Note nothing more: the application ends, and the writer with it."""
        self._to_see, self._seeing = [], None
        self.recorder = self.reviewer = None
        self._thread.request_stop()
        self._thread.wait(_WAIT_MS)

    @Slot()
    def _on_store_changed(self) -> None:
        store = self._library.store
        self._seen, self._to_see, self._seeing, self._told = {}, [], None, False
        self.recorder = Recorder(store, self._folder, self._failed.emit, **self._bounds()) if store else None
        self.reviewer = Reviewer(self.recorder, self._failed.emit) if self.recorder else None
        if store is not None and self.recorder is not None and self.reviewer is not None:
            store.witness = self.recorder
            self._trim()

    def _trim(self, *, if_full: bool = False) -> None:
        if self.recorder and self.reviewer and (self.recorder.history.full() or not if_full):
            self._writer.submit(TrimRequest(self.recorder, self.reviewer))

    @Slot()
    def _on_snapshot_changed(self) -> None:
        snapshot = self._library.snapshot
        assert snapshot is not None
        now = {file.category: file for file in snapshot.files}
        changed = [file for category, file in now.items() if self._seen.get(category) is not file]
        gone = [category for category in self._seen if category not in now]
        self._seen = now
        self._to_see += [(file.category, file.digest.hex() or None) for file in changed]
        self._to_see += [(category, None) for category in gone]
        self._to_see.append(("", None))  # the days come last
        self._see()

    def _see(self) -> None:
        """The next files, when the ones before are noted."""
        if self._seeing is not None or self.recorder is None or not self._to_see:
            return
        files, self._to_see = self._to_see[:_SLICE], self._to_see[_SLICE:]
        named = [file for file in files if file[0]]
        if not named:
            self._to_see = [file for file in self._to_see if file[0]]
        elif len(named) < len(files):
            self._to_see.append(("", None))
        self._seeing = SeeRequest(self.recorder, named)
        self._writer.submit(self._seeing)

    @Slot(object, object)
    def _on_written(self, request: Request, result: object) -> None:
        if request is self._seeing:
            self._seeing = None
            self._see()
            if self._seeing is None:
                self.grown.emit()
                self._trim(if_full=True)

    @Slot(object)
    def _on_failed(self, error: WriteFailed) -> None:
        """Once for a store: what goes wrong here keeps no one from working."""
        if not self._told:
            self._told = True
            text = self.tr("The local history can't be kept: {0}").format(error.reason)
            self._notices.post(Level.WARNING, text, "history", str(error))

    # ------------------------------------------------------------ asking

    def ask_versions(self, place: Place, *, whole_file: bool = False) -> Question | None:
        """Find the versions of a place; `answered` tells."""
        file = day_key(place.category) if place.kind == "day" else place.category
        name = "" if whole_file or place.kind != "item" else place.name
        return self._ask(lambda folder: VersionsQuestion(folder, file, name))

    def ask_gone(self) -> Question | None:
        """Find the items that are in no file any more; `answered` tells."""
        snapshot = self._library.snapshot
        return self._ask(lambda folder: GoneQuestion(folder, snapshot.files)) if snapshot else None

    def ask_difference(self, name: str, before: str | None, digest: str | None) -> Question | None:
        """Compare an item, or whole files, in two texts of the history; `answered` tells."""
        return self._ask(lambda folder: ComparisonQuestion(folder, name, before, digest))

    def _ask(self, make: Callable[[Path], Question]) -> Question | None:
        if self.recorder is None:
            return None
        question = make(self.recorder.history.folder)
        self._reader.ask(question)
        return question

    @Slot(object, object)
    def _on_answered(self, question: Question, found: object) -> None:
        if self.recorder is not None and question.folder == self.recorder.history.folder:
            self.answered.emit(question, found)

    # ------------------------------------------------------------ bringing back

    def restore(self, version: TextVersion) -> None:
        """Make an item or a file again what it was; one step that can be undone."""
        recorder = self.recorder
        if recorder is None:
            return
        if version.name:
            self._restore_item(recorder, version.file, version.name, version.digest)
            return

        def plan(store: MemoryStore) -> Change:
            data = _bytes(recorder, version.digest) if version.digest else None
            return versions.restore_file(store, version.file, data)

        day = day_of(version.file)
        self._steps.submit(Step(self.tr("Restore {0}").format(day or version.file)), plan)

    def bring_back(self, item: GoneItem) -> None:
        """Put an item that is gone into its file again; one step that can be undone."""
        if self.recorder is not None:
            self._restore_item(self.recorder, item.category, item.name, item.digest, gone=True)

    def _restore_item(
        self, recorder: Recorder, category: str, name: str, digest: str | None, *, gone: bool = False
    ) -> None:
        def plan(store: MemoryStore) -> Change:
            return versions.restore_item(store, category, name, _bytes(recorder, digest or ""))

        place = Place("item", category, name)
        self._steps.submit(Step(self.tr("Restore {0}").format(name), None if gone else place, place), plan)


def _bytes(recorder: Recorder, digest: str) -> bytes:
    try:
        return recorder.history.bytes_of(digest)
    except KeyError as error:
        raise ItemNotFound("", digest[:12]) from error
