"""Notes every version of a store's files in its history: what was read, what others wrote, what we write."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from .atomic import read_or_none
from .diary import day_key
from .errors import StoreError, UnreadableFile, WriteFailed
from .folders import claim, folder_of, has_own_id, settle
from .history import MOST_BYTES, MOST_DAYS, History
from .store import MemoryStore, Stamp, stamp_of


class Recorder:
    """The witness of a store's writes; all calls come from the thread that writes.

    `on_error` is told what keeps versions from being kept; the store's own writes go on. A read-only store is given no
    id: its history is known by its path.
    """

    def __init__(
        self,
        store: MemoryStore,
        histories: Path,
        on_error: Callable[[WriteFailed], object] = lambda error: None,
        *,
        most_bytes: int = MOST_BYTES,
        most_days: int = MOST_DAYS,
    ) -> None:
        self.store = store
        self._histories = histories
        self._on_error = on_error
        self._bounds = {"most_bytes": most_bytes, "most_days": most_days}
        self._stamps: dict[str, Stamp] | None = None
        self._old: bytes | None = None
        self.on_own_write: Callable[[str, bytes | None, bytes | None], object] = lambda key, old, new: None
        """Told a file, its bytes and its new ones after each write of ours."""
        self.history = History(folder_of(histories, store.root), most_bytes=most_bytes, most_days=most_days)

    def before_write(self, key: str, old: bytes | None) -> None:
        self._settle(claim)
        self._old = old
        if old is not None or self.history.newest(key) is not None:
            self._keep(key, old, "outside")

    def after_write(self, key: str, new: bytes | None) -> None:
        self._keep(key, new, "app")
        self.on_own_write(key, self._old, new)

    def _settle(self, find: Callable[[Path, Path], Path] = settle) -> None:
        """The store may have an id by now, from us or from another window."""
        with contextlib.suppress(WriteFailed, OSError):  # what is written next will say why
            if find is claim or has_own_id(self._histories, self.store.root):
                folder = find(self._histories, self.store.root)
                if folder != self.history.folder:
                    self.history = History(folder, **self._bounds)

    def see(self, files: Iterable[tuple[str, str | None]]) -> None:
        """Note how category files are; each with its SHA-256 as last read, None: it is gone."""
        self._settle()
        for key, digest in files:
            newest = self.history.newest(key)
            if newest is None or newest.digest != digest or not self.history.holds(newest):
                self._read(key)

    def see_days(self) -> None:
        """Note how the days of the diary are; and, at the first time, what went while no one looked."""
        self._settle()
        if not self.store.root.is_dir():
            return  # away, not emptied
        days = self.store.diary.dates() if self.store.layout.has_diary else []
        first = self._stamps is None
        stamps, self._stamps = self._stamps or {}, {key: stamp_of(self.store.path(key)) for key in map(day_key, days)}
        for key in {*stamps, *self._stamps}:
            if stamps.get(key) != self._stamps.get(key):
                self._read(key)
        if first:
            for key in self.history.files():
                newest = self.history.newest(key)
                if newest and newest.digest and not os.path.lexists(self.store.path(key)):
                    self._read(key)

    def _read(self, key: str) -> None:
        try:
            data = read_or_none(self.store.path(key))
        except UnreadableFile:
            return
        if data is not None or self.history.newest(key) is not None:
            self._keep(key, data, "outside")

    def _keep(self, key: str, data: bytes | None, author: str) -> None:
        try:
            self.history.keep(key, data, author)
        except WriteFailed as error:
            self._on_error(error)

    def trim(self, needed: Iterable[str] = ()) -> None:
        self._settle()
        try:
            self.history.trim(needed)
        except (StoreError, OSError) as error:
            self._on_error(error if isinstance(error, WriteFailed) else WriteFailed(self.history.folder, str(error)))
