"""Notices that something in the store's folder may have changed. Native events are a hint; the disk is the truth."""

from __future__ import annotations

import logging
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

    Signals:
        changed: something below the folder may have changed.
        mode_changed: "watching", "polling" or "off".
    """

    changed = Signal()
    mode_changed = Signal(str)
    _event_seen = Signal()

    def __init__(self, quiet_ms: int = 300, ceiling_ms: int = 2000, poll_seconds: float = 2) -> None:
        super().__init__()
        self.mode = "off"
        self._poll_seconds = poll_seconds
        self._observer: BaseObserver | None = None
        self._quiet = QTimer(self, singleShot=True, interval=quiet_ms)
        self._ceiling = QTimer(self, singleShot=True, interval=ceiling_ms)
        self._quiet.timeout.connect(self._on_settled)
        self._ceiling.timeout.connect(self._on_settled)
        self._event_seen.connect(self._on_event_seen)

    def watch(self, folder: Path) -> None:
        """Watch this folder instead of the one before; the mode stays "off" if even polling fails."""
        self.stop()
        for mode, make in (("watching", Observer), ("polling", self._make_polling_observer)):
            try:
                self._observer = _started(make, _Handler(self), folder)
            except OSError as error:
                _log.info("%s %s is not possible: %s", mode, folder, error)
            else:
                self._set_mode(mode)
                return

    def stop(self) -> None:
        self._quiet.stop()
        self._ceiling.stop()
        if self._observer is not None:
            self._observer.stop()
            self._observer.join(_JOIN_SECONDS)
            self._observer = None
        self._set_mode("off")

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
