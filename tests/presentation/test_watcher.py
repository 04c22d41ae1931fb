"""The watcher: one word for each burst of changes, none for reading, and no thread left behind."""

from __future__ import annotations

import errno
import logging
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from watchdog.observers import Observer
from watchdog.observers.api import EventEmitter

from tests.engine.folders import fill
from tests.presentation.house import write_outside
from wikimem_desktop.presentation import watcher as watcher_module
from wikimem_desktop.presentation.watcher import Watcher

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


class Refusing(EventEmitter):
    """A native emitter where the system's watch limit is reached."""

    def on_thread_start(self) -> None:
        raise OSError(errno.ENOSPC, "inotify watch limit reached")


@pytest.fixture
def no_native_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit of the system can't be reached in a test; everything else is real."""

    def observer() -> object:
        real = Observer()
        real._emitter_class = Refusing
        real._emitter_kwargs = {}
        return real

    monkeypatch.setattr(watcher_module, "Observer", observer)


def test_where_there_is_no_native_watch_it_polls(
    no_native_watch: None, folder: Path, watcher: Watcher, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    before = set(threading.enumerate())
    with caplog.at_level(logging.INFO):
        watcher.watch(folder)
    assert watcher.mode == "polling"
    assert "limit reached" in caplog.text
    for data in (b"one", b"one two"):
        with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
            write_outside(folder / "wiki" / "c.md", data)
    with qtbot.assertNotEmitted(watcher.changed, wait=3 * QUIET_MS):
        (folder / "a.md").read_bytes()
    watcher.stop()
    assert watcher.mode == "off"
    assert set(threading.enumerate()) <= before


# ------------------------------------------------------------ what an observer does not tell


def emitters() -> list[EventEmitter]:
    """watchdog's threads that read what happens."""
    return [thread for thread in threading.enumerate() if isinstance(thread, EventEmitter)]


def until_quiet(watcher: Watcher, qtbot: QtBot) -> None:
    """Until nothing more is told of what happened."""
    told = True
    while told:
        with qtbot.waitSignal(watcher.changed, timeout=3 * QUIET_MS, raising=False) as waiting:
            pass
        told = waiting.signal_triggered


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


def test_a_thread_of_watchdog_that_died_is_replaced(folder: Path, watcher: Watcher, qtbot: QtBot) -> None:
    watcher.watch(folder)
    (dead,) = emitters()
    with qtbot.waitSignal(watcher.changed, timeout=WAIT_MS):
        dead.stop()
    assert watcher.mode == "watching"
    assert not dead.is_alive()
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
    folder: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(**_: object) -> object:
        raise OSError(errno.EMFILE, "too many open files")

    watching = Watcher(QUIET_MS, look_ms=20)
    with monkeypatch.context() as patch:
        patch.setattr(watcher_module, "Observer", refused)
        patch.setattr(watcher_module, "PollingObserver", refused)
        watching.watch(folder)
        assert watching.mode == "off"
    qtbot.waitUntil(lambda: watching.mode == "watching", timeout=WAIT_MS)
    watching.stop()
