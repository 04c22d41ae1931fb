"""Notices that something in the store's folder may have changed. Native events are a hint; the disk is the truth."""

from __future__ import annotations

import errno
import logging
import os
import stat
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
        self._identity: _Identity | None = None
        self._watch: NativeWatch | Poller | None = None
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
        for timer in (self._heartbeat, self._look, self._quiet, self._ceiling):
            timer.stop()
        self._end_watch()
        self._set_mode("off")

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
        if self._identity is None:
            self._set_mode("missing")
        else:
            self._watch_natively(self._folder)

    def _watch_natively(self, folder: Path) -> None:
        linked = _linked_folders(folder)
        if any(map(is_remote, linked)):
            self._poll("remote")
            return
        try:
            self._watch = NativeWatch([folder, *linked], self.report)
        except (OSError, RuntimeError) as error:
            _log.info("watching %s is not possible: %s", folder, error)
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
            self._watch = None

    def _set_mode(self, mode: str, reason: str = "") -> None:
        if (mode, reason) != (self.mode, self.reason):
            self.mode, self.reason = mode, reason
            self.mode_changed.emit(mode)

    # ------------------------------------------------------------ staying alive

    @Slot()
    def _on_heartbeat(self) -> None:
        if isinstance(self._watch, Poller):  # that looks for the folder itself: it may be far away
            if not self._watch.alive:
                self._heal()
            return
        assert self._folder is not None
        trouble = self._watch.trouble if self._watch else None
        if _identity(self._folder) != self._identity or (trouble and trouble.folder_gone):
            self._start()
            self.changed.emit()
        elif trouble and trouble.refused:
            _log.info("not all of %s can be watched: %s", self._folder, trouble.refused)
            self._poll(_reason(trouble.refused))
        elif self._watch is not None and not self._watch.alive:
            self._heal()

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
        self.changed.emit()


_Identity = tuple[tuple[int, int], ...]


def _identity(folder: Path) -> _Identity | None:
    """Which folder has the path now, and what links in it lead to; None when there is none."""
    try:
        found = [path.stat() for path in (folder, *_linked_folders(folder))]
    except OSError:
        return None
    if not stat.S_ISDIR(found[0].st_mode):
        return None
    return tuple((status.st_dev, status.st_ino) for status in found)


def _linked_folders(folder: Path) -> list[Path]:
    """The folders of a store that lie elsewhere: a native watch does not follow links."""
    return [path for name in SUBFOLDERS if os.path.islink(path := folder / name) and os.path.isdir(path)]


def _reason(error: Exception) -> str:
    return _REASONS.get(getattr(error, "errno", None) or 0, "refused")
