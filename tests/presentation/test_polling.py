"""Where nobody tells of changes (far away, or out of watches) the watcher looks for itself, and says why."""

from __future__ import annotations

import ctypes
import errno
import logging
import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.engine.folders import fill
from tests.presentation.house import write_outside
from tests.presentation.watching import CHANGES, QUIET_MS, WAIT_MS, end, linux_only, posix_only, until_quiet
from wikimem_desktop.presentation import poller as poller_module
from wikimem_desktop.presentation import watcher as watcher_module
from wikimem_desktop.presentation.watcher import Watcher

# ------------------------------------------------------------ polling


@pytest.fixture
def remote(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every folder is on another machine."""
    monkeypatch.setattr(watcher_module, "is_remote", lambda folder: True)


def test_a_remote_folder_is_polled(remote: None, folder: Path, watcher: Watcher, qtbot: QtBot) -> None:
    before = set(threading.enumerate())
    watcher.watch(folder)
    assert (watcher.mode, watcher.reason) == ("polling", "remote")
    until_quiet(watcher, qtbot)
    for change in ("replace", "create below", "append", "rename away"):
        with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
            CHANGES[change](folder)
    until_quiet(watcher, qtbot)
    with qtbot.assertNotEmitted(watcher.changed, wait=3 * QUIET_MS):
        (folder / "b.md").read_bytes()
    end(watcher)
    assert (watcher.mode, watcher.reason) == ("off", "")
    assert set(threading.enumerate()) <= before


@posix_only
def test_a_link_to_a_remote_folder_is_polled(
    folder: Path, tmp_path: Path, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(folder / "wiki")
    (folder / "wiki").symlink_to(fill(tmp_path / "share", {}))
    monkeypatch.setattr(watcher_module, "is_remote", lambda path: path == tmp_path / "share")
    watcher.watch(folder)
    assert (watcher.mode, watcher.reason) == ("polling", "remote")


@pytest.mark.parametrize("error", [errno.EBUSY, errno.EIO, errno.ESTALE, errno.ENOENT, errno.ENOTDIR])
def test_a_share_that_was_away_is_polled_again(
    error: int, remote: None, folder: Path, watcher: Watcher, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case B57."""

    def away(path: Path) -> object:
        raise OSError(error, os.strerror(error), str(path))

    watcher.watch(folder)
    until_quiet(watcher, qtbot)
    (thread,) = [thread for thread in threading.enumerate() if thread.name == "poller"]
    for _ in range(2):
        with monkeypatch.context() as patch, qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
            patch.setattr(poller_module, "scandir", away)
            qtbot.waitUntil(lambda: watcher.mode == "missing", timeout=WAIT_MS)
            write_outside(folder / "wiki" / "c.md", b"written meanwhile")
        with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
            pass
        assert (watcher.mode, watcher.reason) == ("polling", "remote")
        with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
            write_outside(folder / "wiki" / "c.md", b"written after that")
    assert thread.is_alive(), "the same one went on"


def test_a_folder_below_that_cannot_be_listed_hides_no_other(
    remote: None, folder: Path, watcher: Watcher, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def listed(path: Path) -> object:
        if path.name == "wiki":
            raise OSError(errno.EBUSY, "busy", str(path))
        return os.scandir(path)

    monkeypatch.setattr(poller_module, "scandir", listed)
    watcher.watch(folder)
    until_quiet(watcher, qtbot)
    with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
        write_outside(folder / "a.md", b"## other\n")
    assert watcher.mode == "polling"


def test_a_poller_that_died_is_replaced(
    remote: None,
    folder: Path,
    watcher: Watcher,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    expected_log: Callable[[str], None],
) -> None:
    expected_log("WARNING .*the watch over .* had died")
    watcher.watch(folder)
    until_quiet(watcher, qtbot)
    with monkeypatch.context() as patch, qtbot.waitSignal(watcher.healed, timeout=WAIT_MS):
        patch.setattr(threading, "excepthook", lambda args: None)
        patch.setattr(poller_module, "_look", None)
    until_quiet(watcher, qtbot)
    with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
        write_outside(folder / "a.md", b"## other\n")


# ------------------------------------------------------------ where the system refuses


def test_where_there_is_no_native_watch_it_polls_and_says_why(
    no_native_watch: None, folder: Path, watcher: Watcher, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        watcher.watch(folder)
    assert (watcher.mode, watcher.reason) == ("polling", "refused")
    assert "there is none" in caplog.text
    until_quiet(watcher, qtbot)
    with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
        write_outside(folder / "wiki" / "c.md", b"## other")


class Kernel:
    """The calls of Linux, with limits that a test can set."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        from watchdog.observers import inotify_c

        self._init, self._add = inotify_c.inotify_init, inotify_c.inotify_add_watch
        self.instances = self.watches = 1000
        patch.setattr(inotify_c, "inotify_init", self.inotify_init)
        patch.setattr(inotify_c, "inotify_add_watch", self.inotify_add_watch)

    def inotify_init(self) -> int:
        self.instances -= 1
        return self._init() if self.instances >= 0 else self._refuse(errno.EMFILE)

    def inotify_add_watch(self, file: int, path: bytes, mask: int) -> int:
        self.watches -= 1
        return self._add(file, path, mask) if self.watches >= 0 else self._refuse(errno.ENOSPC)

    def _refuse(self, error: int) -> int:
        ctypes.set_errno(error)
        return -1


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Kernel:
    return Kernel(monkeypatch)


@linux_only
@pytest.mark.parametrize(
    ("instances", "watches", "reason"),
    [(0, 1000, "instances"), (1000, 0, "watches"), (1000, 1, "watches")],
)
def test_where_a_limit_is_reached_it_polls_and_says_which(
    instances: int, watches: int, reason: str, kernel: Kernel, folder: Path, watcher: Watcher, qtbot: QtBot
) -> None:
    """Case B58."""
    before = set(threading.enumerate())
    kernel.instances, kernel.watches = instances, watches
    watcher.watch(folder)
    assert (watcher.mode, watcher.reason) == ("polling", reason)
    until_quiet(watcher, qtbot)
    with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
        write_outside(folder / "wiki" / "c.md", b"## other")
    end(watcher)
    assert set(threading.enumerate()) <= before


@linux_only
def test_where_watches_run_out_later_it_polls_from_then_on(
    kernel: Kernel, folder: Path, watcher: Watcher, qtbot: QtBot
) -> None:
    watcher.watch(folder)
    assert watcher.mode == "watching"
    kernel.watches = 0
    (folder / "diary").mkdir()
    qtbot.waitUntil(lambda: watcher.mode == "polling", timeout=WAIT_MS)
    assert watcher.reason == "watches"
    until_quiet(watcher, qtbot)
    with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
        write_outside(folder / "diary" / "2026-07-01.md", b"## 10:00\n")


@linux_only
def test_retrying_watches_natively_once_the_limit_is_raised(
    kernel: Kernel, folder: Path, watcher: Watcher, qtbot: QtBot
) -> None:
    kernel.watches = 0
    watcher.watch(folder)
    watcher.retry()
    assert watcher.mode == "polling"
    kernel.watches = 1000
    with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
        watcher.retry()
    assert (watcher.mode, watcher.reason) == ("watching", "")


@linux_only
def test_events_that_the_system_lost_are_made_up_for_by_a_look(
    folder: Path, watcher: Watcher, qtbot: QtBot, expected_log: Callable[[str], None]
) -> None:
    from watchdog.observers.inotify_c import InotifyConstants, InotifyEvent, InotifyFD

    expected_log("WARNING watchdog.*overflowed")
    watcher.watch(folder)
    (reader,) = [thread for thread in threading.enumerate() if isinstance(thread, InotifyFD)]
    with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
        reader.handle_event(InotifyEvent(-1, InotifyConstants.IN_Q_OVERFLOW, 0, b""))  # type: ignore[arg-type]
    with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
        write_outside(folder / "wiki" / "c.md", b"## other")


def test_where_even_polling_fails_it_is_tried_again(
    no_native_watch: None, folder: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> object:
        raise RuntimeError("can't start new thread")

    watching = Watcher(QUIET_MS, look_ms=20)
    with monkeypatch.context() as patch:
        patch.setattr(watcher_module, "Poller", refused)
        watching.watch(folder)
        assert (watching.mode, watching.reason) == ("off", "refused")
    qtbot.waitUntil(lambda: watching.mode == "polling", timeout=WAIT_MS)
    end(watching)
