"""The diary by hand: an entry is added, a day is written in and deleted, and each of it can be taken back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QDate, Qt, QTime
from PySide6.QtTest import QTest

from tests.engine.folders import fill
from tests.widgets.desk import Desk, dialog
from tests.widgets.small_memory import press, settle
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.widgets.diary_dialog import DiaryDialog

DAY = "# 2026-07-20\n\n## 09:00\n\nearly\n\n## 18:30\n\nlate\n"
JULY_20 = Place("day", "2026-07-20")


@pytest.fixture
def diary(desk: Desk, tmp_path: Path) -> Desk:
    desk.open(fill(tmp_path / "store", {"wiki/x.md": "# x\n\n## a\n\ntext\n", "diary/2026-07-20.md": DAY}))
    return desk


def day(desk: Desk, date: str = "2026-07-20") -> Path:
    assert desk.app.library.store is not None
    return desk.app.library.store.diary.path(date)


def undo_in_tree(desk: Desk, keys: str = "Ctrl+Z") -> None:
    desk.app.tree.tree.setFocus()
    desk.keys(keys)
    settle(desk)


def add(desk: Desk, text: str, time: tuple[int, int], date: tuple[int, int, int] | None = None) -> None:
    desk.keys("Ctrl+Shift+A")
    shown = dialog(DiaryDialog)
    if date is not None:
        shown.date.setDate(QDate(*date))
    shown.time.setTime(QTime(*time))
    desk.type(shown.text, text)
    desk.type(shown.owner, "user:me")
    QTest.keyClick(shown.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    settle(desk)


def test_an_entry_comes_to_its_place_by_time_and_can_be_taken_back(diary: Desk) -> None:
    diary.click(diary.app.tree.tree, diary.app.memory_model.find("diary"))
    assert diary.app.documents.open(JULY_20)
    add(diary, "at noon\nthe sea", (12, 5))
    written = day(diary).read_text("utf-8")
    head, _, tail = written.partition("<!-- wikimem: owner=user:me | ts=")
    assert head == "# 2026-07-20\n\n## 09:00\n\nearly\n\n## 12:05\n\nat noon\nthe sea\n\n"
    assert tail.endswith("-->\n\n## 18:30\n\nlate\n")
    assert (diary.buffer.place, diary.buffer.text) == (JULY_20, written)
    assert diary.text.textCursor().selectedText() == "at noon"
    journal = (day(diary).parent.parent / "journal.jsonl").read_text("utf-8").splitlines()
    entry = json.loads(journal[-1])
    assert (entry["action"], entry["date"], entry["time"]) == ("diary", "2026-07-20", "12:05")
    undo_in_tree(diary)
    assert day(diary).read_text("utf-8") == DAY
    assert diary.buffer.text == DAY
    undo_in_tree(diary, "Ctrl+Shift+Z")
    assert day(diary).read_text("utf-8") == written


def test_the_first_entry_makes_a_day(diary: Desk) -> None:
    add(diary, "snow", (7, 0), (2026, 12, 1))
    assert day(diary, "2026-12-01").read_text("utf-8").startswith("# 2026-12-01\n\n## 07:00\n\nsnow\n")
    assert list(diary.app.library.days) == ["2026-07-20", "2026-12-01"]
    assert diary.buffer.place == Place("day", "2026-12-01")
    undo_in_tree(diary)
    assert not day(diary, "2026-12-01").exists()
    assert list(diary.app.library.days) == ["2026-07-20"]


def test_a_text_that_would_be_another_entry_is_refused_at_once(diary: Desk) -> None:
    diary.keys("Ctrl+Shift+A")
    shown = dialog(DiaryDialog)
    assert not shown.agree.isEnabled()
    assert not shown.note.isVisible()
    diary.type(shown.text, "well\n## 10:00")
    assert shown.note.isVisible()
    assert "2" in shown.note.text()
    QTest.keyClick(shown.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert shown.isVisible()
    press(shown.cancel)
    settle(diary)
    assert day(diary).read_text("utf-8") == DAY


def test_a_day_is_written_in_by_hand(diary: Desk) -> None:
    assert diary.app.documents.open(JULY_20)
    assert not diary.app.item_view.header.file.isVisible()
    diary.put_caret("early")
    diary.type(diary.text, " bird")
    assert diary.app.documents.unsaved == ["2026-07-20"]
    day(diary).write_text(DAY.replace("late", "later"), "utf-8")
    diary.follow_disk()
    diary.save()
    assert day(diary).read_text("utf-8") == DAY.replace("early", "early bird").replace("late", "later")
    assert not (day(diary).parent.parent / "journal.jsonl").exists()


def test_an_entry_comes_into_a_day_with_unsaved_text(diary: Desk) -> None:
    assert diary.app.documents.open(JULY_20)
    diary.put_caret("early")
    diary.type(diary.text, " bird")
    add(diary, "noon", (12, 0))
    assert "early bird" in diary.buffer.text
    assert "noon" in diary.buffer.text
    assert "early bird" not in day(diary).read_text("utf-8")
    diary.save()
    assert "early bird\n\n## 12:00\n\nnoon" in day(diary).read_text("utf-8")


def test_a_day_is_deleted_and_comes_back(diary: Desk) -> None:
    diary.app.tree.expand(["diary/"])
    diary.click(diary.app.tree.tree, diary.app.memory_model.find("2026-07-20", "2026-07-20"))
    assert diary.buffer.place == JULY_20
    diary.app.tree.tree.setFocus()
    diary.keys("Del")
    settle(diary)
    assert not day(diary).exists()
    assert diary.app.documents.current is None
    undo_in_tree(diary)
    assert day(diary).read_text("utf-8") == DAY
    assert diary.buffer.place == JULY_20


def test_a_store_without_a_diary_has_no_entries(notes: Desk) -> None:
    assert not notes.app.diary_actions.add.isEnabled()
