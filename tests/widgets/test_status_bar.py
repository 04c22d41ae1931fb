"""The status bar tells the truth: the index, the watcher, and what can be done when they are not well."""

from __future__ import annotations

import errno
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QProgressBar, QToolButton, QWidget
from pytestqt.qtbot import QtBot
from watchdog.observers.api import EventEmitter

from tests.engine.folders import fill
from tests.presentation.house import edit_outside
from tests.widgets.desk import Desk
from wikimem_desktop.presentation import watcher as watcher_module
from wikimem_desktop.presentation.memory_model import Role
from wikimem_desktop.widgets.dot_label import DotLabel


class Hold(QObject):
    """Keeps a worker's thread busy until it is over."""

    _begun = Signal()

    def __init__(self, worker: QObject) -> None:
        super().__init__()
        self.over = threading.Event()
        self._begun.connect(self._on_begun)
        self.moveToThread(worker.thread())
        self._begun.emit()

    @Slot()
    def _on_begun(self) -> None:
        self.over.wait(10)


def test_the_status_bar_tells_index_watcher_tokenizer_and_layout(sample: Desk) -> None:
    words = sample.status()
    for part in (f"{len(sample.items())} items", "up to date", "Watching", "jieba", "wiki store"):
        assert part in words
    assert "read-only" not in words
    sample.run("x", tokenizer="bigrams")
    assert "bigrams" in sample.status()


@pytest.mark.parametrize(("name", "words"), [("x.md", "flat store"), ("wiki/x.md", "wiki store")])
def test_the_layout_is_named(desk: Desk, tmp_path: Path, name: str, words: str) -> None:
    desk.open(fill(tmp_path / "store", {name: "## a\n\ntext\n"}), read_only=True)
    assert words in desk.status()
    assert "read-only" in desk.status()


def test_one_is_counted_as_one_and_thousands_are_grouped(desk: Desk, tmp_path: Path) -> None:
    root = fill(tmp_path / "store", {"x.md": "## a\n\n[[x:gone]]\n"})
    desk.open(root)
    assert "up to date · 1 item |" in desk.status()
    assert desk.status().endswith("| 1 problem")
    away = root.rename(root.with_name("away"))
    root.write_bytes(b"no folder")
    desk.until(lambda: "behind the disk · 1 item |" in desk.status())
    root.unlink()
    away.rename(root)
    fill(root, {"x.md": "".join(f"## {number}\n\n" for number in range(1234))})
    desk.follow_disk()
    assert "up to date · 1,234 items |" in desk.status()


def test_a_folder_that_was_opened_empty_shows_what_a_host_makes_of_it(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    desk.open(tmp_path / "store")
    assert "flat store" in desk.status()
    fill(tmp_path / "store", {"wiki/x.md": "## a\n\ntext\n", "diary/2026-07-20.md": "## 10:00\n\nevent\n"})
    desk.until(lambda: desk.leaves() == ["x:a", "2026-07-20"])
    assert "wiki store" in desk.status()


# ------------------------------------------------------------ progress


@pytest.fixture
def held(sample: Desk) -> Iterator[Hold]:
    """The indexer's thread is busy until it is over."""
    hold = Hold(sample.app.indexer)
    yield hold
    hold.over.set()


def button(desk: Desk, text: str) -> QToolButton:
    return next(b for b in desk.app.status_bar.findChildren(QToolButton) if b.text() == text)


def bar_of_progress(desk: Desk) -> QProgressBar:
    found = desk.app.status_bar.findChild(QProgressBar)
    assert isinstance(found, QProgressBar)
    return found


def test_only_lengthy_work_shows_progress(sample: Desk, held: Hold) -> None:
    library, progress = sample.app.library, bar_of_progress(sample)
    library.rebuild()
    sample.app.indexer.progressed.emit(2, 10)
    assert "up to date" in sample.status(), "nothing flashes"
    assert not progress.isVisible()
    sample.until(progress.isVisible)
    assert "Indexing · 20 %" in sample.status()
    assert button(sample, "Cancel").isVisible()
    sample.app.indexer.progressed.emit(5, 10)
    assert "Indexing · 50 %" in sample.status()
    assert (progress.value(), progress.maximum()) == (5, 10)
    held.over.set()
    sample.until(lambda: "up to date" in sample.status())
    assert not progress.isVisible()
    assert not button(sample, "Cancel").isVisible()


def test_what_is_told_after_the_end_does_not_come_back(sample: Desk) -> None:
    sample.app.indexer.progressed.emit(9, 10)
    sample.settle()
    assert "up to date" in sample.status()
    assert not bar_of_progress(sample).isVisible()


def test_work_is_cancelled_and_taken_up_again_by_the_keys(sample: Desk, held: Hold) -> None:
    before = sample.app.library.snapshot
    sample.app.library.rebuild()
    cancel, update = button(sample, "Cancel"), button(sample, "Update")
    sample.until(cancel.isVisible)
    sample.app.tree.filter_box.setFocus()
    for _ in range(90):
        if not cancel.hasFocus():
            QTest.keyClick(QApplication.focusWidget() or sample.window, Qt.Key.Key_Tab)
    QTest.keyClick(cancel, Qt.Key.Key_Space)
    assert "Indexing was cancelled · the index may be behind the disk" in sample.status()
    assert not cancel.isVisible()
    held.over.set()
    sample.settle()
    assert sample.app.library.snapshot is before
    assert QApplication.focusWidget() is update
    QTest.keyClick(update, Qt.Key.Key_Space)
    sample.until(lambda: "up to date" in sample.status())
    assert sample.app.library.snapshot is not before, "the build that was cancelled is done"
    assert not update.isVisible()


def test_a_first_build_that_is_cancelled_says_so_too(desk: Desk, sample_store: Path) -> None:
    hold = Hold(desk.app.indexer)
    desk.app.open_store(sample_store)
    assert "Indexing…" in desk.status()
    desk.until(button(desk, "Cancel").isVisible)
    button(desk, "Cancel").click()
    hold.over.set()
    desk.settle()
    assert "may be behind the disk" in desk.status()
    assert desk.leaves() == []
    button(desk, "Update").click()
    desk.until(desk.leaves)
    assert "up to date" in desk.status()


def test_who_cancels_the_wait_for_jieba_has_an_index_that_is_not_behind(desk: Desk, sample_store: Path) -> None:
    library = desk.app.library
    library.snapshot_changed.connect(library.cancel)
    desk.app.open_store(sample_store)
    desk.until(lambda: "Chinese is searched by pairs of characters" in desk.status())
    library.snapshot_changed.disconnect(library.cancel)
    desk.run("coffee")
    assert "behind" not in desk.status()
    assert not any(label.text() == "older than the disk" for label in desk.app.panel.findChildren(QLabel))
    button(desk, "Update").click()
    desk.until(lambda: "up to date" in desk.status() and "| jieba |" in desk.status())


def test_a_run_says_that_it_is_older_than_the_disk(sample: Desk, held: Hold) -> None:
    """Case W21: what others write does not count as a revision of ours; the run is stale until the index followed."""

    def stale() -> bool:
        return any(label.text() == "older than the disk" for label in sample.app.panel.findChildren(QLabel))

    assert sample.app.library.store is not None
    sample.run("coffee")
    revision = sample.app.library.store.revision
    edit_outside(sample.path("people"), "[[health:annual-check-up]]", "coffee")
    sample.until(stale)
    assert sample.app.library.store.revision == revision
    held.over.set()
    sample.until(lambda: not stale())
    run = sample.newest_run()
    assert "people:陈医生" in [entry.item.address for entry in run.sequence]


# ------------------------------------------------------------ the watcher


def test_a_dead_watch_is_told_and_tried_again_by_the_keys(sample: Desk) -> None:
    retry = button(sample, "Retry")
    assert not retry.isVisible()
    sample.app.watcher.stop()
    assert "Not watching" in sample.status()
    edit_outside(sample.path("people"), "[[health:annual-check-up]]", "[[health:annual-checkup]]")
    retry.setFocus()
    QTest.keyClick(retry, Qt.Key.Key_Space)
    assert "Watching" in sample.status()
    assert not retry.isVisible()
    sample.until(lambda: not sample.app.memory_model.find("people", "陈医生").data(Role.PROBLEM))


def test_a_network_folder_is_polled_and_nothing_is_to_be_retried(
    desk: Desk, sample_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watcher_module, "is_remote", lambda folder: True)
    desk.open(sample_store)
    assert "Polling a network folder" in desk.status()
    assert not button(desk, "Retry").isVisible()
    edit_outside(desk.path("people"), "[[health:annual-check-up]]", "[[health:annual-checkup]]")
    desk.until(lambda: not desk.app.memory_model.find("people", "陈医生").data(Role.PROBLEM))


@pytest.mark.parametrize(
    ("error", "words", "more"),
    [
        (errno.ENOSPC, "Polling: no watches left", "max_user_watches"),
        (errno.EMFILE, "Polling: too many programs watch", "max_user_instances"),
        (errno.ENOTSUP, "Polling |", "does not tell"),
    ],
)
def test_where_the_system_refuses_the_bar_says_why_and_offers_to_try_again(
    error: int, words: str, more: str, desk: Desk, sample_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case B58."""

    def refuse(*_: object) -> object:
        raise OSError(error, "refused")

    with monkeypatch.context() as patch:
        patch.setattr(watcher_module, "NativeWatch", refuse)
        desk.open(sample_store)
        assert words in desk.status()
        assert desk.leaves()
        (label,) = [label for label in desk.app.status_bar.findChildren(DotLabel) if "Polling" in label.text()]
        assert more in label.toolTip() == label.accessibleDescription()
        assert label.color.name() == desk.app.theme.colors.warning
        button(desk, "Retry").click()
        assert words in desk.status()
    button(desk, "Retry").click()
    assert "Watching" in desk.status()
    assert not button(desk, "Retry").isVisible()


def test_the_worst_news_makes_the_window_no_wider(sample: Desk) -> None:
    bar = sample.app.status_bar
    height = bar.height()
    sample.app.watcher._poll("instances")
    sample.app.library.rebuild()
    sample.app.library.cancel()
    assert "may be behind the disk" in sample.status()
    assert bar.minimumSizeHint().width() <= sample.window.minimumSizeHint().width()
    sample.app.watcher._set_mode("missing")
    sample.until(lambda: "Waiting for the folder" in sample.status())
    assert bar.height() == height


def test_a_watch_that_died_is_told_and_what_it_missed_is_indexed(
    sample: Desk, expected_log: Callable[[str], None]
) -> None:
    """Case B50."""
    expected_log("WARNING .*the watch over .* had died")
    for thread in threading.enumerate():
        if isinstance(thread, EventEmitter):
            thread.stop()
    edit_outside(sample.path("people"), "[[health:annual-check-up]]", "[[health:annual-checkup]]")
    sample.until(lambda: not sample.app.memory_model.find("people", "陈医生").data(Role.PROBLEM))
    assert "Watching had stopped" in sample.status()
    assert "Watching" in sample.status().replace("Watching had stopped", "")


def test_a_folder_that_went_is_told_and_unsaved_text_stays(sample: Desk) -> None:
    assert sample.app.library.store is not None
    root = sample.app.library.store.root
    sample.open_item("people:mei")
    sample.type(sample.text, "mine ")
    away = root.rename(root.with_name("away"))
    sample.until(lambda: "Waiting for the folder" in sample.status())
    assert str(root) in sample.notice()
    sample.until(lambda: "behind the disk" in sample.status())
    assert "people:mei" in sample.leaves()
    assert not button(sample, "Update").isVisible()
    assert sample.app.documents.unsaved == ["people:mei"]
    assert sample.buffer.text.startswith("mine ")
    away.rename(root)
    sample.until(lambda: "up to date" in sample.status())
    assert "Watching" in sample.status()
    assert sample.app.notices.current is None
    assert sample.app.documents.unsaved == ["people:mei"]
    assert sample.buffer.text.startswith("mine ")


def test_coming_back_to_the_window_finds_what_nobody_told(sample: Desk, qtbot: QtBot) -> None:
    sample.app.watcher.stop()
    elsewhere = QWidget()
    qtbot.addWidget(elsewhere)
    elsewhere.show()
    elsewhere.activateWindow()
    sample.until(lambda: not sample.window.isActiveWindow())
    edit_outside(sample.path("people"), "[[health:annual-check-up]]", "[[health:annual-checkup]]")
    sample.window.activateWindow()
    sample.until(lambda: not sample.app.memory_model.find("people", "陈医生").data(Role.PROBLEM))
