"""Notices that something in the store's folder may have changed. Native events are a hint; the disk is the truth."""

from __future__ import annotations

import logging
import stat
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver
from watchdog.observers.polling import PollingObserver

_log = logging.getLogger(__name__)
_CHANGES: list[type[FileSystemEvent]] = [
    FileCreatedEvent,
    FileModifiedEvent,
    FileDeletedEvent,
    FileMovedEvent,
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
]
"""Not opening and closing: our own reading would wake us for ever."""
_JOIN_SECONDS = 1.5


class Watcher(QObject):
    """Watches one folder at a time. Bursts are joined: quiet for `quiet_ms`, or `ceiling_ms` after the first event.

    An observer tells neither that its folder was deleted and made anew nor that it died: a heartbeat looks at both.

    Signals:
        changed: something below the folder may have changed, or the folder went or came.
        look_due: no event came for this, but the disk is worth a look from time to time.
        mode_changed: "watching", "polling", "missing" (until the folder is there again) or "off".
    """

    changed = Signal()
    look_due = Signal()
    mode_changed = Signal(str)
    _event_seen = Signal()

    def __init__(
        self,
        quiet_ms: int = 300,
        ceiling_ms: int = 2000,
        poll_seconds: float = 2,
        heartbeat_ms: int = 1000,
        look_ms: int = 30_000,
    ) -> None:
        super().__init__()
        self.mode = "off"
        self._poll_seconds = poll_seconds
        self._folder = Path()
        self._identity: tuple[int, int] | None = None
        self._observer: BaseObserver | None = None
        self._heartbeat = QTimer(self, interval=heartbeat_ms)
        self._look = QTimer(self, interval=look_ms)
        self._heartbeat.timeout.connect(self._on_heartbeat)
        self._look.timeout.connect(self._on_look)
        self._quiet = QTimer(self, singleShot=True, interval=quiet_ms)
        self._ceiling = QTimer(self, singleShot=True, interval=ceiling_ms)
        self._quiet.timeout.connect(self._on_settled)
        self._ceiling.timeout.connect(self._on_settled)
        self._event_seen.connect(self._on_event_seen)

    def watch(self, folder: Path) -> None:
        """Watch this folder instead of the one before; the mode is "off" while even polling fails."""
        self.stop()
        self._folder = folder
        self._start()
        self._heartbeat.start()
        self._look.start()

    def stop(self) -> None:
        for timer in (self._heartbeat, self._look, self._quiet, self._ceiling):
            timer.stop()
        self._end_observer()
        self._set_mode("off")

    def _start(self) -> None:
        """Watch the folder that has the path now."""
        self._end_observer()
        self._identity = _identity(self._folder)
        self._set_mode("missing" if self._identity is None else self._start_observer())

    def _start_observer(self) -> str:
        for mode, make in (("watching", Observer), ("polling", self._make_polling_observer)):
            try:
                self._observer = _started(make, _Handler(self), self._folder)
            except OSError as error:
                _log.info("%s %s is not possible: %s", mode, self._folder, error)
            else:
                return mode
        return "off"

    def _end_observer(self) -> None:
        if self._observer is not None:
            self._observer.stop()
            self._observer.join(_JOIN_SECONDS)
            self._observer = None

    def report(self) -> None:
        """Called on watchdog's thread: only passes the word on."""
        self._event_seen.emit()

    def _make_polling_observer(self) -> BaseObserver:
        return PollingObserver(timeout=self._poll_seconds)

    def _set_mode(self, mode: str) -> None:
        if mode != self.mode:
            self.mode = mode
            self.mode_changed.emit(mode)

    @Slot()
    def _on_heartbeat(self) -> None:
        died = self._observer is not None and not _alive(self._observer)
        if died or _identity(self._folder) != self._identity:
            self._start()
            self.changed.emit()

    @Slot()
    def _on_look(self) -> None:
        if self.mode == "off":
            self._start()
        self.look_due.emit()

    @Slot()
    def _on_event_seen(self) -> None:
        if self._observer is not None:
            self._quiet.start()
            if not self._ceiling.isActive():
                self._ceiling.start()

    @Slot()
    def _on_settled(self) -> None:
        self._quiet.stop()
        self._ceiling.stop()
        self.changed.emit()


class _Handler(FileSystemEventHandler):
    def __init__(self, watcher: Watcher) -> None:
        super().__init__()
        self._watcher = watcher

    def on_any_event(self, event: FileSystemEvent) -> None:
        self._watcher.report()


def _started(make: Callable[[], BaseObserver], handler: FileSystemEventHandler, folder: Path) -> BaseObserver:
    """An observer at work; one that can't start leaves none of its threads behind."""
    observer = make()
    observer.schedule(handler, str(folder), recursive=True, event_filter=_CHANGES)
    try:
        observer.start()
    except OSError:
        observer.stop()
        raise
    return observer


def _alive(observer: BaseObserver) -> bool:
    """Whether events arrive: an observer lives on when the threads that feed it are dead."""
    return observer.is_alive() and all(emitter.is_alive() for emitter in observer.emitters)


def _identity(folder: Path) -> tuple[int, int] | None:
    """Which folder has the path now; None when there is none."""
    try:
        status = folder.stat()
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISDIR(status.st_mode) else None
