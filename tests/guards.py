"""What no test may leave behind: threads, timers, windows, and log lines it did not announce."""

from __future__ import annotations

import functools
import gc
import logging
import re
import sysconfig
import threading
import traceback
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest

_QT_FIXTURES = {"qapp", "qtbot", "qtmodeltester"}
_NOT_LEFT_BEHIND = ("QTipLabel",)
"""Classes of windows that Qt keeps to itself for the next time."""
_HARMLESS_LOGS = (
    # watchdog 7.1.0 says so when it is stopped between looking at its flag and reading the next event.
    "InotifyEmitter.queue_events() called when the thread is inactive",
)
_JOIN_SECONDS = 2.0
_LIBRARIES = tuple(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))


# ------------------------------------------------------------ log lines


class LogGuard(logging.Handler):
    """Keeps what is logged as a warning or worse."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[logging.LogRecord] = []
        self.announced: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)

    def complaints(self) -> list[str]:
        """Lines that nobody announced, and announced ones that never came."""
        lines = [f"{record.levelname} {record.name}: {record.getMessage()}" for record in self.records]
        lines = [line for line in lines if not any(harmless in line for harmless in _HARMLESS_LOGS)]
        unexpected = [line for line in lines if not any(re.search(pattern, line) for pattern in self.announced)]
        missing = [pattern for pattern in self.announced if not any(re.search(pattern, line) for line in lines)]
        return unexpected + [f"never logged: {pattern}" for pattern in missing]


@pytest.fixture(autouse=True)
def quiet_log() -> Iterator[LogGuard]:
    """Nothing is logged as a warning or worse, unless `expected_log` announced it."""
    guard = LogGuard()
    logging.getLogger().addHandler(guard)
    yield guard
    logging.getLogger().removeHandler(guard)
    complaints = guard.complaints()
    if complaints:
        pytest.fail("log lines:\n  " + "\n  ".join(complaints), pytrace=False)


@pytest.fixture
def expected_log(quiet_log: LogGuard) -> Callable[[str], None]:
    """Announce a log line by a regular expression over "LEVEL logger: message"; it must come."""
    return quiet_log.announced.append


# ------------------------------------------------------------ threads, timers, windows


class Starts:
    """Which line started a thread or timer."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        from PySide6.QtCore import QThread, QTimer

        self.lines: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()
        for kind in (QThread, QTimer, threading.Thread):
            self._record(kind, patch)

    def _record(self, kind: type, patch: pytest.MonkeyPatch) -> None:
        original = kind.start  # type: ignore[attr-defined]

        @functools.wraps(original)
        def start(started: Any, *args: Any) -> Any:
            self.lines[started] = _caller()
            return original(started, *args)

        patch.setattr(kind, "start", start)

    def of(self, kind: type) -> list[Any]:
        """Everything of that kind that was started and still exists."""
        from shiboken6 import isValid

        return [started for started in list(self.lines) if isinstance(started, kind) and isValid(started)]


def _caller() -> str:
    """The innermost line that is neither ours nor of a library."""
    frames = [frame for frame in traceback.extract_stack() if frame.filename != __file__]
    own = [frame for frame in frames if not frame.filename.startswith(_LIBRARIES)]
    frame = (own or frames)[-1]
    return f"{frame.filename}:{frame.lineno} {frame.line}"


@pytest.fixture(autouse=True)
def no_leaks(request: pytest.FixtureRequest) -> Iterator[None]:
    """Tests with Qt end as they began: no thread, no running timer, no window more."""
    if not _QT_FIXTURES.intersection(request.fixturenames):
        yield
        return
    threads, windows = set(threading.enumerate()), _windows()
    with pytest.MonkeyPatch.context() as patch:
        starts = Starts(patch)
        yield
        _settle()
        leaks = [*_left_threads(starts, threads), *_left_timers(starts), *_left_windows(windows)]
    if leaks:
        pytest.fail("left behind:\n  " + "\n  ".join(leaks), pytrace=False)


def _settle() -> None:
    """Let everything be deleted that is to be deleted."""
    from PySide6.QtCore import QCoreApplication, QEvent

    for _ in range(3):
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _left_threads(starts: Starts, before: set[threading.Thread]) -> Iterator[str]:
    from PySide6.QtCore import QThread

    for thread in starts.of(QThread):
        if thread.isRunning():
            yield f"running QThread {thread.objectName()!r}, started at {starts.lines[thread]}"
            thread.requestInterruption()
            thread.quit()
            thread.wait(int(_JOIN_SECONDS * 1000))
    for left in set(threading.enumerate()) - before:
        # Python code that asks a QThread for its name gets a dummy, which lives on.
        if left.is_alive() and not isinstance(left, threading._DummyThread):
            yield f"running thread {left.name!r} ({type(left).__name__}), started at {starts.lines.get(left, '?')}"
            getattr(left, "stop", lambda: None)()
            left.join(_JOIN_SECONDS)


def _left_timers(starts: Starts) -> Iterator[str]:
    from PySide6.QtCore import QTimer

    for timer in starts.of(QTimer):
        if timer.isActive():
            yield f"active QTimer of {timer.parent()!r}, started at {starts.lines[timer]}"
            timer.stop()


def _windows() -> dict[int, Any]:
    """Top-level widgets by their address."""
    from PySide6.QtWidgets import QApplication
    from shiboken6 import getCppPointer

    if not isinstance(QApplication.instance(), QApplication):
        return {}
    found = [w for w in QApplication.topLevelWidgets() if w.metaObject().className() not in _NOT_LEFT_BEHIND]
    return {getCppPointer(widget)[0]: widget for widget in found}


def _left_windows(before: dict[int, Any]) -> Iterator[str]:
    left = _windows().keys() - before.keys()
    if left:
        gc.collect()
        _settle()
    for address, widget in _windows().items():
        if address not in before and widget.parent() is None:
            yield f"window {type(widget).__name__} {widget.objectName() or widget.windowTitle()!r}"
            widget.close()
            widget.deleteLater()
    _settle()
