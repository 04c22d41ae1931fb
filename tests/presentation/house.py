"""The objects that app.py builds, without widgets, over real threads and real files."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

import shiboken6
from PySide6.QtCore import QObject, Signal, Slot
from pytestqt.qtbot import QtBot

from wikimem_desktop.engine.index import Snapshot
from wikimem_desktop.engine.store import MemoryStore
from wikimem_desktop.places import find_places
from wikimem_desktop.presentation.arrangement import Arrangement
from wikimem_desktop.presentation.document import Documents
from wikimem_desktop.presentation.drafts import Drafts
from wikimem_desktop.presentation.history import LocalHistory
from wikimem_desktop.presentation.indexer import Indexer
from wikimem_desktop.presentation.library import Library
from wikimem_desktop.presentation.notices import Notice, Notices
from wikimem_desktop.presentation.playground import Playground
from wikimem_desktop.presentation.review import Review
from wikimem_desktop.presentation.saver import Saver
from wikimem_desktop.presentation.searcher import Searcher
from wikimem_desktop.presentation.step_log import StepLog
from wikimem_desktop.presentation.steps import Steps
from wikimem_desktop.presentation.structure import Structure
from wikimem_desktop.presentation.watcher import Watcher
from wikimem_desktop.presentation.worker_thread import WorkerThread
from wikimem_desktop.presentation.writer import Request, Writer

_WAIT_MS = 10_000


class Echo(QObject):
    """Answers behind everything a worker was asked before, and behind all that the worker said of it."""

    answered = Signal()
    _asked = Signal()

    def __init__(self, worker: QObject) -> None:
        super().__init__()
        self._far = _FarEnd()
        self._far.moveToThread(worker.thread())
        self._asked.connect(self._far.on_asked)
        self._far.answered.connect(self._on_answered)

    def ask(self) -> None:
        self._asked.emit()

    def wait(self) -> None:
        """Until the worker has got there, while nothing is heard here."""
        self._far.reached.clear()
        self._asked.emit()
        assert self._far.reached.wait(_WAIT_MS / 1000)

    @Slot()
    def _on_answered(self) -> None:
        self.answered.emit()


class _FarEnd(QObject):
    """Lives in the worker's thread."""

    answered = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.reached = Event()

    @Slot()
    def on_asked(self) -> None:
        self.reached.set()
        self.answered.emit()


class _Keeper(QObject):
    """Keeps what is said on the GUI thread."""

    def __init__(self, said: list[tuple[Request, object]]) -> None:
        super().__init__()
        self._said = said

    @Slot(object, object)
    def on_done(self, request: Request, result: object) -> None:
        self._said.append((request, result))


class House:
    """Everything behind the window. Close it at the end."""

    def __init__(self, qtbot: QtBot) -> None:
        self._qtbot = qtbot
        self.notices = Notices()
        self.indexer = Indexer(find_places().tokens)
        self.searcher = Searcher()
        self.writer = Writer()
        self._workers = (self.indexer, self.searcher, self.writer)
        self._threads = [
            WorkerThread(worker, type(worker).__name__, finishes=worker is self.writer) for worker in self._workers
        ]
        self._echoes = [Echo(worker) for worker in self._workers]
        self.watcher = Watcher(quiet_ms=20, ceiling_ms=200, heartbeat_ms=50)
        self.library = Library(self.indexer, self.watcher, self.notices)
        self.documents = Documents(self.library)
        self.saver = Saver(self.documents, self.library, self.writer, self.notices)
        self.steps = Steps(self.library, self.documents, self.writer, self.notices)
        self.structure = Structure(self.library, self.documents, self.steps, self.writer, self.notices)
        self.arrangement = Arrangement(self.library, self.documents, self.steps, self.notices)
        self.history = LocalHistory(find_places().history, self.library, self.steps, self.writer, self.notices)
        self.review = Review(self.history, self.library, self.steps, self.writer)
        self.step_log = StepLog(self.library, self.steps, self.history, self.writer)
        self.drafts = Drafts(find_places().drafts, self.library, self.documents, self.writer, self.notices)
        self.playground = Playground(self.library, self.documents, self.searcher)

    def close(self) -> None:
        self.documents.stop()
        self.saver.stop()
        self.drafts.stop()
        self.history.stop()
        self.library.stop()
        for thread in self._threads:
            thread.request_stop()
        unfinished = [thread for thread in self._threads if not thread.wait(_WAIT_MS)]
        assert unfinished == []
        assert self.watcher.wait(_WAIT_MS / 1000)

    def kill(self) -> None:
        """End so that the disk is left as if the process had been killed behind the writer's last request."""
        self.wait_for_writer()
        with TemporaryDirectory() as folder:
            saved = {path: Path(folder, str(number)) for number, path in enumerate(self._on_disk())}
            for path, copy in saved.items():
                shutil.copytree(path, copy, ignore=shutil.ignore_patterns("lock"))
            self.close()
            for path, copy in saved.items():
                shutil.rmtree(path)
                shutil.copytree(copy, path)
        parts = (
            self.saver,
            self.steps,
            self.structure,
            self.arrangement,
            self.history,
            self.step_log,
            self.review,
            self.drafts,
            self.playground,
            self.documents,
            self.library,
            self.watcher,
        )
        for part in parts:  # the writer's last words are heard by no one
            shiboken6.delete(part)

    def wait_for_writer(self) -> None:
        """Until the writer has done all that it was asked, while nothing of it is heard here."""
        self._echoes[-1].wait()

    def _on_disk(self) -> list[Path]:
        return [path for path in (self.store.root, find_places().drafts) if path.exists()]

    # ------------------------------------------------------------ what is open

    @property
    def store(self) -> MemoryStore:
        assert self.library.store is not None
        return self.library.store

    @property
    def snapshot(self) -> Snapshot:
        assert self.library.snapshot is not None
        return self.library.snapshot

    def notice(self) -> Notice:
        assert self.notices.current is not None
        return self.notices.current

    def content(self, category: str, name: str) -> str | None:
        """The text of an item as it is indexed."""
        item = self.snapshot.item(category, name)
        return item.content if item else None

    def open(self, root: Path, *, read_only: bool = False, tokenizer: str = "bigrams") -> None:
        """Open a store and wait until it is indexed and checked."""
        self.library.open(root, read_only=read_only, tokenizer=tokenizer)
        self.settle()

    # ------------------------------------------------------------ waiting

    def until(self, condition: Callable[[], object]) -> None:
        self._qtbot.waitUntil(lambda: bool(condition()), timeout=_WAIT_MS)

    def settle(self) -> None:
        """Until the workers have done what they were asked to, and all they said has arrived."""
        for _ in range(3):  # what one worker said may have set another to work
            for echo in self._echoes:
                with self._qtbot.waitSignal(echo.answered, timeout=_WAIT_MS):
                    echo.ask()

    @contextmanager
    def told(self) -> Iterator[None]:
        """The watcher tells of what is done meanwhile."""
        with self._qtbot.waitSignal(self.watcher.changed, timeout=_WAIT_MS):
            yield

    @contextmanager
    def quiet_for(self, milliseconds: int) -> Iterator[None]:
        """The watcher says nothing within the time."""
        with self._qtbot.assertNotEmitted(self.watcher.changed, wait=milliseconds):
            yield

    @contextmanager
    def no_news_from_the_writer(self) -> Iterator[None]:
        """What the writer says arrives at the end."""
        said: list[tuple[Request, object]] = []
        receivers = (self.saver._on_done, self.steps._on_done, self.drafts._on_done)
        for receiver in receivers:
            self.writer.done.disconnect(receiver)
        ear = _Keeper(said)
        self.writer.done.connect(ear.on_done)
        yield
        self.writer.done.disconnect(ear.on_done)
        for receiver in receivers:
            self.writer.done.connect(receiver)
            for request, result in said:
                receiver(request, result)

    def follow_disk(self) -> None:
        """Have the index catch up with the disk now, whatever the watcher saw."""
        self.library.refresh()
        self.settle()

    def save(self) -> None:
        """Save the current text and wait for what comes of it."""
        self.saver.save()
        self.settle()


def write_outside(path: Path, data: bytes) -> None:
    """Replace a file as another program does."""
    temporary = path.with_name("other-program.tmp")
    temporary.write_bytes(data)
    os.replace(temporary, path)


def edit_outside(path: Path, old: str, new: str) -> None:
    """Replace one piece of a file as another program does."""
    text = path.read_bytes().decode()
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path.name}"
    write_outside(path, text.replace(old, new).encode())
