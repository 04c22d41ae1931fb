"""The system's own word that something below a folder changed, by way of watchdog."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
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
_LIMITS = (errno.ENOSPC, errno.EMFILE, errno.ENFILE, errno.ENOMEM)
_JOIN_SECONDS = 0.75
"""watchdog holds a move back for half a second, also when it is to end."""


class Trouble:
    """What an observer does not tell by an event. Set on watchdog's threads."""

    def __init__(self) -> None:
        self.refused: OSError | None = None
        """The system had no more watches for a folder below."""
        self.folder_gone = False


class NativeWatch:
    """Calls `tell`, on a thread of watchdog, for all that happens below the folders. Links there are not followed.

    Raises `OSError` (or `RuntimeError`, where there are no more threads) when the system refuses it.
    """

    def __init__(self, folders: Iterable[Path], tell: Callable[[], object]) -> None:
        self.trouble = Trouble()
        self._observer = _make_observer(self.trouble, tell)
        paths = [os.path.realpath(folder) for folder in folders]
        handler = _Handler(paths, self.trouble, tell)
        try:
            for path in paths:
                self._observer.schedule(handler, path, recursive=True, event_filter=_CHANGES)
            self._observer.start()
            if self.trouble.refused is not None:
                raise self.trouble.refused
        except (OSError, RuntimeError):
            self.end()
            raise

    @property
    def alive(self) -> bool:
        """Whether events arrive: an observer lives on when the threads that feed it are dead."""
        return self._observer.is_alive() and all(emitter.is_alive() for emitter in self._observer.emitters)

    def end(self) -> None:
        """Tell nothing more. watchdog waits for its threads without bound; this waits for a moment."""
        ending = Thread(target=self._observer.stop, name="end of watch", daemon=True)
        ending.start()
        ending.join(_JOIN_SECONDS)
        if self._observer.ident is not None:
            self._observer.join(_JOIN_SECONDS)


class _Handler(FileSystemEventHandler):
    def __init__(self, paths: list[str], trouble: Trouble, tell: Callable[[], object]) -> None:
        super().__init__()
        self._paths = paths
        self._trouble = trouble
        self._tell = tell

    def on_any_event(self, event: FileSystemEvent) -> None:
        if isinstance(event, DirDeletedEvent) and event.src_path in self._paths:
            self._trouble.folder_gone = True
        self._tell()


if sys.platform == "linux":
    from watchdog.observers.inotify import InotifyEmitter
    from watchdog.observers.inotify_c import CallbackId, InotifyEvent, InotifyFD, Mask, WatchCallback, WatchDescriptor

    class _Inotify(InotifyFD):
        """Says when a folder could not be watched, and when events were lost: watchdog only logs that."""

        def __init__(self, trouble: Trouble, tell: Callable[[], object]) -> None:
            super().__init__()
            self._trouble = trouble
            self._tell = tell

        def add_callback(self, path: bytes, mask: Mask, callback: WatchCallback, id_: CallbackId) -> WatchDescriptor:
            try:
                return super().add_callback(path, mask, callback, id_)
            except OSError as error:
                if error.errno in _LIMITS:
                    self._trouble.refused = error
                raise

        def handle_event(self, event: InotifyEvent) -> None:
            super().handle_event(event)
            if event.is_queue_overflow:
                self._tell()

    class _InotifyObserver(BaseObserver):
        """watchdog's own, over our `_Inotify`; its reading thread counts among the living."""

        def __init__(self, trouble: Trouble, tell: Callable[[], object]) -> None:
            self._inotify = _Inotify(trouble, tell)
            self._inotify.start()
            super().__init__(InotifyEmitter, inotify_fd=self._inotify)

        def is_alive(self) -> bool:
            return super().is_alive() and self._inotify.is_alive()

        def on_thread_stop(self) -> None:
            super().on_thread_stop()
            self._inotify.stop()
            self._inotify.join(_JOIN_SECONDS)

    def _make_observer(trouble: Trouble, tell: Callable[[], object]) -> BaseObserver:
        return _InotifyObserver(trouble, tell)

else:
    from watchdog.observers import Observer

    def _make_observer(trouble: Trouble, tell: Callable[[], object]) -> BaseObserver:
        return Observer()
