"""The system's own word that something in a folder changed, by way of watchdog."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from threading import Thread

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
from watchdog.observers.api import BaseObserver

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


class NativeWatch:
    """Calls `tell`, on a thread of watchdog, for all that happens right in these folders (no links among them).

    Raises `OSError` (or `RuntimeError`, where there are no more threads) when the system refuses it.
    """

    def __init__(self, folders: Iterable[str], tell: Callable[[], object]) -> None:
        self._handler = _Handler(tell)
        self._observer = _make_observer(tell)
        self._ending = Thread(target=self._end_observer, name="end of watch", daemon=True)
        try:
            for folder in folders:
                self._handler.folders.add(folder)
                self._observer.schedule(self._handler, folder, event_filter=_CHANGES)
            self._observer.start()
        except (OSError, RuntimeError):
            self._end_observer()
            raise

    @property
    def alive(self) -> bool:
        """Whether events arrive: an observer lives on when the threads that feed it are dead."""
        return self._observer.is_alive() and all(emitter.is_alive() for emitter in self._observer.emitters)

    @property
    def folder_gone(self) -> bool:
        """Whether one of the folders was deleted: another one in its place may be the same to the system."""
        return self._handler.folder_gone

    def end(self) -> None:
        """Tell no more, and begin to end. watchdog waits for its threads, which hold a move back for half a second."""
        self._handler.over = True
        self._ending.start()

    def wait(self, seconds: float) -> bool:
        """Whether it has ended within the time."""
        self._ending.join(seconds)
        return not self._ending.is_alive()

    def _end_observer(self) -> None:
        self._observer.stop()
        if self._observer.ident is not None:
            self._observer.join()


class _Handler(FileSystemEventHandler):
    def __init__(self, tell: Callable[[], object]) -> None:
        super().__init__()
        self.folders: set[str] = set()
        self.folder_gone = self.over = False
        self._tell = tell

    def on_any_event(self, event: FileSystemEvent) -> None:
        if isinstance(event, DirDeletedEvent) and event.src_path in self.folders:
            self.folder_gone = True
        if not self.over:
            self._tell()


if sys.platform == "linux":
    from watchdog.observers.inotify import InotifyEmitter
    from watchdog.observers.inotify_c import InotifyEvent, InotifyFD

    class _Inotify(InotifyFD):
        """Tells as well when the system lost events: watchdog only logs that."""

        def __init__(self, tell: Callable[[], object]) -> None:
            super().__init__()
            self._tell = tell

        def handle_event(self, event: InotifyEvent) -> None:
            super().handle_event(event)
            if event.is_queue_overflow:
                self._tell()

    class _InotifyObserver(BaseObserver):
        """watchdog's own, over our `_Inotify`; its reading thread counts among the living."""

        def __init__(self, tell: Callable[[], object]) -> None:
            self._inotify = _Inotify(tell)
            self._inotify.start()
            super().__init__(InotifyEmitter, inotify_fd=self._inotify)

        def is_alive(self) -> bool:
            return super().is_alive() and self._inotify.is_alive()

        def on_thread_stop(self) -> None:
            super().on_thread_stop()
            self._inotify.stop()
            self._inotify.join()

    def _make_observer(tell: Callable[[], object]) -> BaseObserver:
        return _InotifyObserver(tell)

else:
    from watchdog.observers import Observer

    def _make_observer(tell: Callable[[], object]) -> BaseObserver:
        return Observer()
