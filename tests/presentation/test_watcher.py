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
    watching = Watcher(QUIET_MS, ceiling_ms=2000, poll_seconds=0.05)
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


def test_a_folder_that_just_went_is_not_watched(tmp_path: Path, watcher: Watcher) -> None:
    before = set(threading.enumerate())
    watcher.watch(tmp_path / "gone")
    assert watcher.mode == "off"
    assert set(threading.enumerate()) <= before
