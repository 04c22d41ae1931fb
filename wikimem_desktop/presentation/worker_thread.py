"""The one owner of a QThread and of the worker that lives in it."""

from __future__ import annotations

import logging

from PySide6.QtCore import QObject, QThread, Signal, Slot

_log = logging.getLogger(__name__)


class WorkerThread:
    """Starts a thread for a worker (which must have no parent) and stops it within a bounded time.

    `finishes`: the worker does all that it was asked to before the thread ends.
    """

    def __init__(self, worker: QObject, name: str, *, finishes: bool = False) -> None:
        self._worker = worker
        self._thread = QThread()
        self._thread.setObjectName(name)
        self._end = _End() if finishes else None
        if self._end is not None:
            self._end.moveToThread(self._thread)
        worker.moveToThread(self._thread)
        self._thread.finished.connect(worker.deleteLater)
        self._thread.start()

    def request_stop(self) -> None:
        """Ask for the end; a worker's loop sees it as an interruption request."""
        if self._end is not None:
            self._end.wanted.emit()
        else:
            self._thread.requestInterruption()
            self._thread.quit()

    def wait(self, milliseconds: int) -> bool:
        """Whether the thread has ended within the time."""
        ended = self._thread.wait(milliseconds)
        if not ended:
            _log.error("thread %s did not end in time", self._thread.objectName())
        return ended


class _End(QObject):
    """Ends its thread behind everything that was asked before."""

    wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.wanted.connect(self._on_wanted)

    @Slot()
    def _on_wanted(self) -> None:
        self.thread().quit()
