"""Notices that something in the store's folder may have changed. Native events are a hint; the disk is the truth."""

from __future__ import annotations

import errno
import logging
import os
import stat
import time
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from wikimem_desktop.engine.layout import SUBFOLDERS

from .native_watch import NativeWatch
from .poller import Poller
from .remote_path import is_remote

_log = logging.getLogger(__name__)
_MOST_DEATHS = 3
"""A native watch that dies more often is given up."""
_REASONS = {errno.ENOSPC: "watches", errno.EMFILE: "instances"}


class Watcher(QObject):
    """Watches one folder at a time. Bursts are joined: quiet for `quiet_ms`, or `ceiling_ms` after the first event.

    An observer tells neither that its folder was deleted and made anew nor that it died: a heartbeat looks at both.
    Where there is no native watch, or none that can be trusted, it polls.

    Signals:
        changed: something below the folder may have changed, or the folder went or came.
        look_due: no event came for this, but the disk is worth a look from time to time.
        mode_changed: "watching", "polling", "missing" (until the folder is there again) or "off".
        healed: the watch had died and was started again.
    """

    changed = Signal()
    look_due = Signal()
    mode_changed = Signal(str)
    healed = Signal()
    _event_seen = Signal()
    _polled = Signal(object, bool)

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
        self.reason = ""
        """Why it polls: "remote", "watches" or "instances" (the system has no more of them), "died", "refused"."""
        self._poll_seconds = poll_seconds
        self._folder: Path | None = None
        self._identity: _Identity = {}
        self._watch: NativeWatch | Poller | None = None
        self._ending: list[NativeWatch | Poller] = []
        self._deaths = 0
        self._heartbeat = QTimer(self, interval=heartbeat_ms)
        self._look = QTimer(self, interval=look_ms)
        self._heartbeat.timeout.connect(self._on_heartbeat)
        self._look.timeout.connect(self._on_look)
        self._quiet = QTimer(self, singleShot=True, interval=quiet_ms)
        self._ceiling = QTimer(self, singleShot=True, interval=ceiling_ms)
        self._quiet.timeout.connect(self._on_settled)
        self._ceiling.timeout.connect(self._on_settled)
        self._event_seen.connect(self._on_event_seen)
        self._polled.connect(self._on_polled)

    def watch(self, folder: Path) -> None:
        """Watch this folder instead of the one before; the mode is "off" while even polling fails."""
        self.stop()
        self._folder = folder
        self._deaths = 0
        self._start()
        self._heartbeat.start()
        self._look.start()

    @Slot()
    def retry(self) -> None:
        """Begin anew with the folder, the native watch first."""
        if self._folder is not None:
            self.watch(self._folder)
            self.changed.emit()

    def stop(self) -> None:
        """Tell nothing more; threads may take a moment to end."""
        for timer in (self._heartbeat, self._look, self._quiet, self._ceiling):
            timer.stop()
        self._end_watch()
        self._set_mode("off")

    def wait(self, seconds: float) -> bool:
        """Whether all threads have ended within the time."""
        deadline = time.monotonic() + seconds
        self._ending = [watch for watch in self._ending if not watch.wait(max(0.0, deadline - time.monotonic()))]
        return not self._ending

    def report(self) -> None:
        """Called on watchdog's threads: only passes the word on."""
        self._event_seen.emit()

    # ------------------------------------------------------------ starting

    def _start(self) -> None:
        """Watch the folder that has the path now."""
        self._end_watch()
        assert self._folder is not None
        if is_remote(self._folder):
            self._poll("remote")
            return
        self._identity = _identity(self._folder)
        if not self._identity:
            self._set_mode("missing")
        elif any(is_remote(Path(path)) for path in self._identity):
            self._poll("remote")
        else:
            self._watch_natively()

    def _watch_natively(self) -> None:
        try:
            self._watch = NativeWatch(self._identity, self.report)
        except (OSError, RuntimeError) as error:
            _log.info("watching %s is not possible: %s", self._folder, error)
            self._poll(_reason(error))
        else:
            self._set_mode("watching")

    def _poll(self, reason: str) -> None:
        self._end_watch()
        assert self._folder is not None
        try:
            self._watch = Poller(self._folder, self._poll_seconds, self._polled.emit)
        except RuntimeError as error:
            _log.info("polling %s is not possible: %s", self._folder, error)
            self._set_mode("off", reason)
        else:
            self._set_mode("polling", reason)

    def _end_watch(self) -> None:
        if self._watch is not None:
            self._watch.end()
            self._ending.append(self._watch)
            self._watch = None
        self.wait(0)

    def _set_mode(self, mode: str, reason: str = "") -> None:
        if (mode, reason) != (self.mode, self.reason):
            self.mode, self.reason = mode, reason
            self.mode_changed.emit(mode)

    # ------------------------------------------------------------ staying alive

    @Slot()
    def _on_heartbeat(self) -> None:
        if self._other_folders():
            self._start()
            self.changed.emit()
        elif self._watch is not None and not self._watch.alive:
            self._heal()

    def _other_folders(self) -> bool:
        """Whether a folder of the store came, went, or is another one than the one that is watched."""
        if self._folder is None or isinstance(self._watch, Poller):  # that looks for itself: it may be far away
            return False
        gone = self._watch is not None and self._watch.folder_gone
        return gone or _identity(self._folder) != self._identity

    def _heal(self) -> None:
        self._deaths += 1
        _log.warning("the watch over %s had died (%d)", self._folder, self._deaths)
        if self._deaths > _MOST_DEATHS:
            self._poll("died")
        else:
            self._start()
        self.healed.emit()
        self.changed.emit()

    @Slot()
    def _on_look(self) -> None:
        if self.mode == "off":
            self._start()
        self.look_due.emit()

    # ------------------------------------------------------------ what is told

    @Slot()
    def _on_event_seen(self) -> None:
        if self._watch is not None:
            self._quiet.start()
            if not self._ceiling.isActive():
                self._ceiling.start()

    @Slot(object, bool)
    def _on_polled(self, poller: Poller, there: bool) -> None:
        if poller is self._watch:
            self._set_mode("polling" if there else "missing", self.reason)
            self._quiet.start()

    @Slot()
    def _on_settled(self) -> None:
        self._quiet.stop()
        self._ceiling.stop()
        if self._other_folders():
            self._start()  # before anyone looks: what happens from now on is told
        self.changed.emit()


_Identity = dict[str, tuple[int, int]]
"""Devices and inodes by the real paths of folders."""


def _identity(root: Path) -> _Identity:
    """Which folders the store has now, at their real paths; none when there is no root."""
    found: _Identity = {}
    for folder in (root, *(root / name for name in SUBFOLDERS)):
        try:
            path = os.path.realpath(folder)
            status = os.stat(path)
        except OSError:
            status = None
        if status is not None and stat.S_ISDIR(status.st_mode):
            found[path] = status.st_dev, status.st_ino
        elif folder is root:
            return {}
    return found


def _reason(error: Exception) -> str:
    return _REASONS.get(getattr(error, "errno", None) or 0, "refused")
