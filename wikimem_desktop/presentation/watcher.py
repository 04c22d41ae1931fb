"""Notices that something in the store's folder may have changed. Native events are a hint; the disk is the truth."""

from __future__ import annotations

import logging
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

    def __init__(self, quiet_ms: int = 300, ceiling_ms: int = 2000) -> None:
        super().__init__()
        self.mode = "off"
        self._observer: BaseObserver | None = None
        self._quiet = QTimer(self, singleShot=True, interval=quiet_ms)
        self._ceiling = QTimer(self, singleShot=True, interval=ceiling_ms)
        self._quiet.timeout.connect(self._on_settled)
        self._ceiling.timeout.connect(self._on_settled)
        self._event_seen.connect(self._on_event_seen)

    def watch(self, folder: Path) -> None:
        """Watch this folder instead of the one before."""
        self.stop()
        handler = _Handler(self)
        try:
            self._observer = _started(Observer(), handler, folder)
            self._set_mode("watching")
        except OSError as error:
            _log.info("no native watch of %s (%s): polling", folder, error)
            self._observer = _started(PollingObserver(timeout=2), handler, folder)
            self._set_mode("polling")

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


def _started(observer: BaseObserver, handler: FileSystemEventHandler, folder: Path) -> BaseObserver:
    observer.daemon = True
    observer.schedule(handler, str(folder), recursive=True, event_filter=_CHANGES)
    observer.start()
    return observer
