"""The watcher: one word for each burst of changes, none for reading, and no thread left behind."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from watchdog.observers.api import EventEmitter
from watchdog.utils import BaseThread

from tests.engine.folders import fill
from tests.presentation.house import write_outside
from tests.presentation.watching import CHANGES, QUIET_MS, WAIT_MS, end, linux_only, posix_only, until_quiet
from wikimem_desktop.presentation.watcher import Watcher


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
    end(watching)


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
            end(watcher)
        assert set(threading.enumerate()) <= before
    end(watcher)
    assert modes == ["watching", "off"] * 3


# ------------------------------------------------------------ what an observer does not tell


def other_folder_in_its_place(folder: Path) -> None:
    folder.rename(folder.parent / "away")
    fill(folder, {"a.md": "## a\n"})


def deleted_and_made_anew(folder: Path) -> None:
    shutil.rmtree(folder)
    fill(folder, {"a.md": "## a\n"})


@pytest.mark.usefixtures("either_watch")
@pytest.mark.parametrize("change", [other_folder_in_its_place, deleted_and_made_anew])
def test_a_folder_that_another_one_replaced_is_told_and_watched(
    change: Callable[[Path], None],
    folder: Path,
    watcher: Watcher,
    qtbot: QtBot,
) -> None:
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
    end(watcher)
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
    victim = next(thread for thread in threads_of_watchdog() if type(thread).__name__ == kind)
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
    end(watching)
    with qtbot.assertNotEmitted(watching.look_due, wait=60):
        pass


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
@pytest.mark.usefixtures("either_watch")
def test_a_link_in_the_place_of_the_folder_is_followed(
    target: str,
    folder: Path,
    tmp_path: Path,
    watcher: Watcher,
    qtbot: QtBot,
) -> None:
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
