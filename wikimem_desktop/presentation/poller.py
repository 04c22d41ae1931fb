"""Looks through a store's folders again and again, where the system tells of no changes."""

from __future__ import annotations

import time
from collections.abc import Callable
from os import DirEntry, scandir
from pathlib import Path
from threading import Event, Thread

from wikimem_desktop.engine.layout import SUBFOLDERS
from wikimem_desktop.engine.store import status_stamp

_REST = 10
"""Looking takes no more than one part in so many of the time."""

_Sight = tuple[object, ...]


class Poller:
    """Calls `tell(poller, there)` on its own thread after the first look and whenever a look finds another state.

    `there`: whether the folder can be listed. One that can't (a share is away) is looked for until it is back.
    Raises `RuntimeError` where there are no more threads.
    """

    def __init__(self, root: Path, seconds: float, tell: Callable[[Poller, bool], object]) -> None:
        self._root = root
        self._seconds = seconds
        self._tell = tell
        self._over = Event()
        self._thread = Thread(target=self._run, name="poller", daemon=True)  # a dead share may hold it up for ever
        self._thread.start()

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def end(self) -> None:
        """Begin to end: a look that is under way may take its time."""
        self._over.set()

    def wait(self, seconds: float) -> bool:
        """Whether it has ended within the time."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        before: _Sight | None = ()
        pause = 0.0
        while not self._over.wait(pause):
            started = time.monotonic()
            now = _look(self._root)
            if now != before and not self._over.is_set():
                before = now
                self._tell(self, now is not None)
            pause = max(self._seconds, _REST * (time.monotonic() - started))


def _look(root: Path) -> _Sight | None:
    """What tells one state of the folders from another; None when the root can't be listed."""
    try:
        return (_entries(root), *(_entries_or_error(root / name) for name in SUBFOLDERS))
    except OSError:
        return None


def _entries_or_error(folder: Path) -> _Sight:
    try:
        return _entries(folder)
    except OSError as error:
        return (error.errno,)


def _entries(folder: Path) -> _Sight:
    with scandir(folder) as entries:
        return tuple(sorted((entry.name, _stamp(entry)) for entry in entries))


def _stamp(entry: DirEntry[str]) -> tuple[int, ...]:
    try:
        status = entry.stat()
    except OSError as error:
        return (error.errno or 0,)
    return status_stamp(status)
