"""Workers on their threads, and the one channel of messages."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

from PySide6.QtCore import QObject, QThread, Signal, Slot
from pytestqt.qtbot import QtBot

from wikimem_desktop.presentation.notices import Level, Notice, Notices
from wikimem_desktop.presentation.worker_thread import WorkerThread

WAIT_MS = 10_000


class Worker(QObject):
    wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.began, self.may_end = Event(), Event()
        self.ran_on: QThread | None = None
        self.saw_interruption = False
        self.wanted.connect(self._on_wanted)

    @Slot()
    def _on_wanted(self) -> None:
        self.ran_on = QThread.currentThread()
        self.began.set()
        assert self.may_end.wait(WAIT_MS / 1000)
        self.saw_interruption = QThread.currentThread().isInterruptionRequested()


def test_a_worker_works_on_its_own_thread_and_is_asked_to_stop(qtbot: QtBot) -> None:
    worker = Worker()
    thread = WorkerThread(worker, "lane")
    assert worker.thread().objectName() == "lane"
    worker.wanted.emit()
    assert worker.began.wait(WAIT_MS / 1000)
    thread.request_stop()
    worker.may_end.set()
    assert thread.wait(WAIT_MS)
    assert worker.ran_on is not QThread.currentThread()
    assert worker.saw_interruption


def test_a_worker_that_does_not_end_in_time_is_told_and_not_waited_for(
    qtbot: QtBot, expected_log: Callable[[str], None]
) -> None:
    expected_log("ERROR .*worker_thread: thread slow lane did not end in time")
    worker = Worker()
    thread = WorkerThread(worker, "slow lane")
    worker.wanted.emit()
    assert worker.began.wait(WAIT_MS / 1000)
    thread.request_stop()
    assert not thread.wait(1)
    worker.may_end.set()
    assert thread.wait(WAIT_MS)


def test_many_threads_come_and_go(qtbot: QtBot) -> None:
    for _ in range(30):
        thread = WorkerThread(QObject(), "short")
        thread.request_stop()
        assert thread.wait(WAIT_MS)


def test_a_notice_is_shown_once_and_replaced_by_the_next(qtbot: QtBot) -> None:
    notices = Notices()
    seen: list[Notice | None] = []
    notices.shown.connect(seen.append)
    notices.cleared.connect(lambda: seen.append(None))
    notices.clear()
    for _ in range(2):
        notices.post(Level.ERROR, "down", "endpoint", "details")
    notices.post(Level.INFO, "up", "endpoint")
    notices.clear("other")
    notices.clear("endpoint")
    notices.clear("endpoint")
    assert seen == [
        Notice(Level.ERROR, "down", "endpoint", "details"),
        Notice(Level.INFO, "up", "endpoint"),
        None,
    ]
