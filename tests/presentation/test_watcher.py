"""The watcher: one word for each burst of changes, none for reading, and no thread left behind."""

from __future__ import annotations

import ctypes
import errno
import logging
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from watchdog.observers.api import EventEmitter
from watchdog.utils import BaseThread

from tests.engine.folders import fill
from tests.presentation.house import write_outside
from wikimem_desktop.presentation import poller as poller_module
from wikimem_desktop.presentation import watcher as watcher_module
from wikimem_desktop.presentation.watcher import Watcher

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="only there folders are watched by inotify")
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="links")
QUIET_MS = 60
WAIT_MS = 10_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return fill(tmp_path / "store", {"a.md": "## a\n", "b.md": "## b\n", "wiki/c.md": "## c\n", "full/d.md": ""})


@pytest.fixture
def watcher() -> Iterator[Watcher]:
    watching = Watcher(QUIET_MS, ceiling_ms=2000, poll_seconds=0.05, heartbeat_ms=20)
    yield watching
    watching.stop()


def append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"more\n")


def many_writes(folder: Path) -> None:
    for number in range(40):
        write_outside(folder / "wiki" / f"{number % 5}.md", b"x" * number)


def until_quiet(watcher: Watcher, qtbot: QtBot) -> None:
    """Until nothing more is told of what happened."""
    told = True
    while told:
        with qtbot.waitSignal(watcher.changed, timeout=3 * QUIET_MS, raising=False) as waiting:
            pass
        told = waiting.signal_triggered


CHANGES: dict[str, Callable[[Path], object]] = {
    "create": lambda folder: (folder / "new.md").write_bytes(b"## n\n"),
    "create below": lambda folder: (folder / "wiki" / "new.md").write_bytes(b"## n\n"),
    "modify": lambda folder: (folder / "a.md").write_bytes(b"## a\n\ntext\n"),
    "append": lambda folder: append(folder / "a.md"),
    "truncate": lambda folder: os.truncate(folder / "a.md", 0),
    "delete": lambda folder: (folder / "a.md").unlink(),
    "rename": lambda folder: (folder / "a.md").rename(folder / "z.md"),
    "rename away": lambda folder: (folder / "a.md").rename(folder.parent / "gone.md"),
    "replace": lambda folder: write_outside(folder / "wiki" / "c.md", b"## other\n"),
    "new folder": lambda folder: (folder / "more" / "deep").mkdir(parents=True),
    "folder with files": lambda folder: fill(folder, {"more/deep/x.md": "## x\n"}),
    "folder gone": lambda folder: shutil.rmtree(folder / "full"),
    "folder renamed": lambda folder: (folder / "full").rename(folder / "fuller"),
    "many": many_writes,
}


@pytest.mark.parametrize("change", CHANGES)
def test_each_burst_of_changes_is_told_exactly_once(change: str, folder: Path, watcher: Watcher, qtbot: QtBot) -> None:
    watcher.watch(folder)
    assert watcher.mode == "watching"
    with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
        CHANGES[change](folder)
    with qtbot.assertNotEmitted(watcher.changed, wait=2 * QUIET_MS):
        pass


def test_a_file_in_a_folder_made_meanwhile_is_seen(folder: Path, watcher: Watcher, qtbot: QtBot) -> None:
    watcher.watch(folder)
    with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
        (folder / "category").mkdir()
    with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
        (folder / "category" / "new.md").write_bytes(b"## n\n")


def test_reading_is_no_change(folder: Path, watcher: Watcher, qtbot: QtBot) -> None:
    watcher.watch(folder)
    with qtbot.assertNotEmitted(watcher.changed, wait=3 * QUIET_MS):
        for path in folder.rglob("*"):
            if path.is_file():
                path.read_bytes()
                path.stat()
        os.listdir(folder)


def test_changes_that_never_pause_are_told_at_the_ceiling(folder: Path, qtbot: QtBot) -> None:
    watching = Watcher(quiet_ms=60_000, ceiling_ms=50)
    watching.watch(folder)
    for _ in range(2):
        with qtbot.waitSignal(watching.changed, timeout=WAIT_MS):
            write_outside(folder / "a.md", b"## a\n")
    watching.stop()


def test_only_the_newest_folder_is_watched(folder: Path, tmp_path: Path, watcher: Watcher, qtbot: QtBot) -> None:
    other = fill(tmp_path / "other", {"a.md": "## a\n"})
    watcher.watch(folder)
    watcher.watch(other)
    with qtbot.assertNotEmitted(watcher.changed, wait=3 * QUIET_MS):
        write_outside(folder / "a.md", b"## changed\n")
    with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
        write_outside(other / "a.md", b"## changed\n")


def test_stopping_leaves_no_thread_and_says_nothing_more(folder: Path, watcher: Watcher, qtbot: QtBot) -> None:
    before = set(threading.enumerate())
    modes: list[str] = []
    watcher.mode_changed.connect(modes.append)
    for _ in range(3):
        watcher.watch(folder)
        write_outside(folder / "a.md", b"## on the way\n")
        with qtbot.assertNotEmitted(watcher.changed, wait=2 * QUIET_MS):
            watcher.stop()
        assert set(threading.enumerate()) <= before
    watcher.stop()
    assert modes == ["watching", "off"] * 3


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
    watcher.stop()
    assert (watcher.mode, watcher.reason) == ("off", "")
    assert set(threading.enumerate()) <= before


@posix_only
def test_a_link_to_a_remote_folder_is_polled(
    folder: Path, tmp_path: Path, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(folder / "wiki")
    (folder / "wiki").symlink_to(fill(tmp_path / "share", {}))
    monkeypatch.setattr(watcher_module, "is_remote", lambda path: path == folder / "wiki")
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


@pytest.fixture
def no_native_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system without any."""

    def refuse(*_: object) -> object:
        raise OSError(errno.ENOTSUP, "there is none")

    monkeypatch.setattr(watcher_module, "NativeWatch", refuse)


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
    [(0, 1000, "instances"), (1000, 0, "watches"), (1000, 1, "watches"), (1000, 2, "watches")],
)
def test_where_a_limit_is_reached_it_polls_and_says_which(
    instances: int, watches: int, reason: str, kernel: Kernel, folder: Path, watcher: Watcher, qtbot: QtBot
) -> None:
    """Case B58; watchdog says nothing when only a folder below can't be watched."""
    before = set(threading.enumerate())
    kernel.instances, kernel.watches = instances, watches
    watcher.watch(folder)
    assert (watcher.mode, watcher.reason) == ("polling", reason)
    until_quiet(watcher, qtbot)
    with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
        write_outside(folder / "wiki" / "c.md", b"## other")
    watcher.stop()
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


# ------------------------------------------------------------ what an observer does not tell


def other_folder_in_its_place(folder: Path) -> None:
    folder.rename(folder.parent / "away")
    fill(folder, {"a.md": "## a\n"})


def deleted_and_made_anew(folder: Path) -> None:
    shutil.rmtree(folder)
    fill(folder, {"a.md": "## a\n"})


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("change", [other_folder_in_its_place, deleted_and_made_anew])
def test_a_folder_that_another_one_replaced_is_told_and_watched(
    change: Callable[[Path], None],
    native: bool,
    folder: Path,
    watcher: Watcher,
    qtbot: QtBot,
    request: pytest.FixtureRequest,
) -> None:
    if not native:
        request.getfixturevalue("no_native_watch")
    watcher.watch(folder)
    mode = watcher.mode
    with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
        change(folder)
    until_quiet(watcher, qtbot)
    assert watcher.mode == mode
    with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
        write_outside(folder / "a.md", b"## other\n")


def test_a_folder_that_goes_and_comes_back_is_told_each_time(folder: Path, watcher: Watcher, qtbot: QtBot) -> None:
    before = set(threading.enumerate())
    modes: list[str] = []
    watcher.mode_changed.connect(modes.append)
    watcher.watch(folder)
    away = folder.parent / "away"
    for _ in range(2):
        with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
            folder.rename(away)
        assert watcher.mode == "missing"
        with qtbot.assertNotEmitted(watcher.changed, wait=2 * QUIET_MS):
            pass
        with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
            away.rename(folder)
    assert modes == ["watching", "missing"] * 2 + ["watching"]
    with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
        write_outside(folder / "a.md", b"## other\n")
    watcher.stop()
    assert set(threading.enumerate()) <= before


def test_a_file_in_the_place_of_the_folder_is_none(folder: Path, watcher: Watcher, qtbot: QtBot) -> None:
    watcher.watch(folder)
    shutil.rmtree(folder)
    folder.write_bytes(b"no folder")
    qtbot.waitUntil(lambda: watcher.mode == "missing", timeout=WAIT_MS)


def test_a_folder_that_just_went_is_waited_for(tmp_path: Path, watcher: Watcher, qtbot: QtBot) -> None:
    before = set(threading.enumerate())
    watcher.watch(tmp_path / "gone")
    assert watcher.mode == "missing"
    assert set(threading.enumerate()) <= before
    with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
        (tmp_path / "gone").mkdir()
    assert watcher.mode == "watching"


def threads_of_watchdog() -> list[BaseThread]:
    """One reads what happens (on Linux two: one for all folders), one hands it on."""
    return [thread for thread in threading.enumerate() if isinstance(thread, BaseThread)]


@pytest.mark.parametrize("kind", ["InotifyEmitter", "_InotifyObserver", "_Inotify"])
@linux_only
def test_a_thread_of_watchdog_that_died_is_replaced(
    kind: str, folder: Path, watcher: Watcher, qtbot: QtBot, expected_log: Callable[[str], None]
) -> None:
    """Case B50."""
    expected_log("WARNING .*the watch over .* had died")
    watcher.watch(folder)
    (victim,) = [thread for thread in threads_of_watchdog() if type(thread).__name__ == kind]
    with qtbot.waitSignals([watcher.healed, watcher.changed], timeout=WAIT_MS, order="strict"):
        victim.stop()
    assert watcher.mode == "watching"
    assert not victim.is_alive()
    with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
        write_outside(folder / "a.md", b"## other\n")


def test_a_native_watch_that_dies_again_and_again_is_given_up(
    folder: Path, watcher: Watcher, qtbot: QtBot, expected_log: Callable[[str], None]
) -> None:
    expected_log("WARNING .*the watch over .* had died")
    watcher.watch(folder)
    while watcher.mode == "watching":
        with qtbot.waitSignal(watcher.healed, timeout=WAIT_MS):
            next(thread for thread in threads_of_watchdog() if isinstance(thread, EventEmitter)).stop()
    assert (watcher.mode, watcher.reason) == ("polling", "died")
    until_quiet(watcher, qtbot)
    with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
        write_outside(folder / "a.md", b"## other\n")


def test_the_disk_is_looked_at_from_time_to_time_though_nothing_is_told(folder: Path, qtbot: QtBot) -> None:
    watching = Watcher(look_ms=20)
    watching.watch(folder)
    for _ in range(2):
        with qtbot.waitSignal(watching.look_due, timeout=WAIT_MS):
            pass
    watching.stop()
    with qtbot.assertNotEmitted(watching.look_due, wait=60):
        pass


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
    watching.stop()


# ------------------------------------------------------------ links


@posix_only
@pytest.mark.parametrize("name", ["wiki", "diary"])
def test_a_folder_that_lies_elsewhere_is_watched_there(
    name: str, folder: Path, tmp_path: Path, watcher: Watcher, qtbot: QtBot
) -> None:
    shutil.rmtree(folder / "wiki")
    (folder / name).symlink_to(fill(tmp_path / "first", {"c.md": "## c\n"}))
    watcher.watch(folder)
    with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
        write_outside(tmp_path / "first" / "c.md", b"## other\n")
    fill(tmp_path / "second", {"c.md": "## c\n"})
    with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
        (folder / name).unlink()
        (folder / name).symlink_to(tmp_path / "second")
    until_quiet(watcher, qtbot)
    with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
        write_outside(tmp_path / "second" / "c.md", b"## other\n")


@posix_only
@pytest.mark.parametrize("target", ["moved", "other"])
@pytest.mark.parametrize("native", [True, False])
def test_a_link_in_the_place_of_the_folder_is_followed(
    native: bool,
    target: str,
    folder: Path,
    tmp_path: Path,
    watcher: Watcher,
    qtbot: QtBot,
    request: pytest.FixtureRequest,
) -> None:
    if not native:
        request.getfixturevalue("no_native_watch")
    shutil.copytree(folder, tmp_path / "other")
    watcher.watch(folder)
    until_quiet(watcher, qtbot)
    folder.rename(tmp_path / "moved")
    folder.symlink_to(tmp_path / target)
    if target == "other":  # the one that moved is the same as before
        qtbot.waitSignal(watcher.changed, timeout=WAIT_MS).wait()
    until_quiet(watcher, qtbot)
    for path in (folder, tmp_path / target):
        with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
            write_outside(path / "wiki" / "c.md", str(path).encode())


@posix_only
def test_links_that_go_round_do_no_harm(folder: Path, watcher: Watcher, qtbot: QtBot) -> None:
    (folder / "category").symlink_to(folder)
    (folder / "diary").symlink_to(folder / "diary")
    watcher.watch(folder)
    assert watcher.mode == "watching"
    with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
        write_outside(folder / "a.md", b"## other\n")
