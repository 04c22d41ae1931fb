"""Faults that people met elsewhere while they typed, saved or others wrote (the ids are those of the case list)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QInputMethodEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.engine.folders import fill
from tests.presentation.house import edit_outside, write_outside
from tests.widgets.desk import Desk

LEFT = Qt.MouseButton.LeftButton
NOTES = "# notes\n\n## a\n\none\n\ntwo\n\n<!-- wikimem: owner=me -->\n\n## b\n\nthree\n"


@pytest.fixture
def notes(desk: Desk, tmp_path: Path) -> Desk:
    """A small memory with an item open."""
    desk.open(fill(tmp_path / "store", {"notes.md": NOTES, "other.md": "## c\n\nfour\n"}))
    desk.open_item("notes:a")
    return desk


# ------------------------------------------------------------ others write


def test_b21_a_text_whose_conflict_is_not_decided_can_still_be_saved(notes: Desk) -> None:
    notes.put_caret("one")
    notes.type(notes.text, " (mine)")
    path = notes.path("notes")
    edit_outside(path, "one", "1")
    notes.until(lambda: notes.buffer.conflict)
    for _ in range(2):
        assert notes.window.isWindowModified()
        assert notes.window.menus.save_action.isEnabled()
        assert notes.app.item_view.header.save.isEnabled()
        notes.open_item("other:c")
        notes.open_item("notes:a")
    QTest.mouseClick(notes.app.item_view.conflict_bar.keep_mine, LEFT)
    notes.settle()
    assert path.read_bytes().decode() == NOTES.replace("one", "one (mine)")
    assert not notes.window.isWindowModified()


def in_place(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def by_backup(path: Path, data: bytes) -> None:
    """As vim does."""
    backup = path.with_name(path.name + "~")
    path.rename(backup)
    path.write_bytes(data)
    backup.unlink()


def with_the_old_time(path: Path, data: bytes) -> None:
    """As tools do that restore files."""
    status = path.stat()
    path.write_bytes(data)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


WAYS = pytest.mark.parametrize("write", [write_outside, in_place, by_backup, with_the_old_time])


@WAYS
def test_b22_coming_back_to_the_window_finds_every_way_of_saving(
    notes: Desk, write: Callable[[Path, bytes], None]
) -> None:
    notes.app.watcher.stop()
    elsewhere = QWidget()
    notes.qtbot.addWidget(elsewhere)
    elsewhere.show()
    elsewhere.activateWindow()
    notes.until(lambda: not notes.window.isActiveWindow())
    write(notes.path("notes"), NOTES.replace("one", "ONE").encode())
    notes.window.activateWindow()
    notes.until(lambda: notes.buffer.text == "ONE\n\ntwo")
    assert not notes.window.isWindowModified()


@WAYS
def test_b22_no_way_of_saving_is_overwritten_though_nobody_told_of_it(
    notes: Desk, write: Callable[[Path, bytes], None]
) -> None:
    notes.app.watcher.stop()
    notes.put_caret("one")
    notes.type(notes.text, "!")
    theirs = NOTES.replace("one", "ONE").encode()
    write(notes.path("notes"), theirs)
    notes.save()
    assert notes.path("notes").read_bytes() == theirs
    assert notes.buffer.conflict is not None
    assert notes.buffer.text == "one!\n\ntwo"


def test_b25_saving_and_following_the_disk_leave_both_changes_to_undo(notes: Desk) -> None:
    notes.put_caret("one")
    notes.type(notes.text, "!")
    notes.save()
    edit_outside(notes.path("notes"), "two", "2")
    notes.until(lambda: notes.buffer.text == "one!\n\n2")
    seen = []
    notes.text.setFocus()
    for keys in ("Ctrl+Z", "Ctrl+Z", "Ctrl+Shift+Z", "Ctrl+Shift+Z"):
        notes.keys(keys)
        seen.append(notes.buffer.text)
    assert seen == ["one!\n\ntwo", "one\n\ntwo", "one!\n\ntwo", "one!\n\n2"]
    assert not notes.window.isWindowModified()


# ------------------------------------------------------------ saving by itself


@pytest.fixture
def long_item(desk: Desk, tmp_path: Path) -> Desk:
    """The middle of a long item, in a memory that saves by itself as soon as nothing is typed."""
    lines = "\n".join(f"line {number}" for number in range(600))
    desk.open(fill(tmp_path / "store", {"notes.md": f"## long\n\n{lines}\n\n## b\n\nthree\n"}))
    desk.open_item("notes:long")
    desk.window.menus.autosave_action.trigger()
    timer = desk.app.saver.findChild(QTimer)
    assert timer is not None
    timer.setInterval(5)
    desk.put_caret("line 300")
    desk.text.centerCursor()
    return desk


def view_of(desk: Desk) -> tuple[int, int, int]:
    cursor = desk.text.textCursor()
    return cursor.anchor(), cursor.position(), desk.text.verticalScrollBar().value()


def test_b23_the_caret_never_moves_while_texts_are_saved_by_themselves(long_item: Desk) -> None:
    path, typed = long_item.path("notes"), ""
    for number, character in enumerate("in the middle\nof it"):
        long_item.type(long_item.text, character)
        typed += character
        before = view_of(long_item)
        long_item.until(lambda: not long_item.window.isWindowModified())
        long_item.settle()
        if number % 7 == 3:
            edit_outside(path, "## b\n", f"## b\n\nmore {number}\n")
            long_item.follow_disk()
        assert view_of(long_item) == before
        assert f"line 300{typed}" in path.read_text(encoding="utf-8")


def test_b23_a_selection_stays_while_its_text_is_saved_or_followed(long_item: Desk) -> None:
    cursor = long_item.text.textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, 6)
    long_item.text.setTextCursor(cursor)
    before = view_of(long_item)
    assert before[0] != before[1]
    long_item.buffer.set_field("owner", "me")
    long_item.until(lambda: not long_item.window.isWindowModified())
    long_item.settle()
    assert view_of(long_item) == before
    edit_outside(long_item.path("notes"), "line 500\n", "line five hundred\n")
    long_item.until(lambda: "five hundred" in long_item.buffer.text)
    assert view_of(long_item) == before


# ------------------------------------------------------------ what counts as unsaved


def test_b26_only_typing_makes_a_text_unsaved(desk: Desk, tmp_path: Path) -> None:
    fenced = "## a\n\n```py\n# comment\n```\n\n~~~\nopen fence with [[f0:a]]\n"
    desk.open(fill(tmp_path / "store", {f"f{number}.md": fenced for number in range(5)}))
    for number in range(5):
        desk.open_item(f"f{number}:a")
        desk.text.grab()
        assert not desk.window.isWindowModified()
        assert not desk.text.document().isUndoAvailable()
    desk.put_caret("comment")
    desk.type(desk.text, "s")
    assert desk.window.isWindowModified()
    desk.key(desk.text, Qt.Key.Key_Backspace)
    assert not desk.window.isWindowModified()


@pytest.mark.parametrize("typed", [False, True])
def test_b26_a_file_that_is_deleted_outside_leaves_only_what_was_typed(notes: Desk, typed: bool) -> None:
    if typed:
        notes.put_caret("one")
        notes.type(notes.text, "!")
    notes.path("notes").unlink()
    notes.follow_disk()
    assert notes.window.isWindowModified() == typed
    assert (notes.app.documents.current is not None) == typed
    assert notes.app.documents.unsaved == (["notes:a"] if typed else [])


# ------------------------------------------------------------ input methods


def click_in_tree(desk: Desk) -> None:
    desk.app.tree.tree.expandAll()
    desk.click(desk.app.tree.tree, desk.app.memory_model.find("other", "c"))
    assert desk.address == "other:c"


def go_back(desk: Desk) -> None:
    QTest.mouseClick(desk.window.back_button, LEFT)
    assert desk.address == "other:c"


def save(desk: Desk) -> None:
    QTest.mouseClick(desk.app.item_view.header.save, LEFT)
    desk.settle()


def save_by_keys(desk: Desk) -> None:
    desk.save()


def save_all(desk: Desk) -> None:
    desk.keys("Ctrl+Shift+S")
    desk.settle()


def close(desk: Desk) -> None:
    desk.answer("Save all")
    desk.window.close()
    desk.until(lambda: desk.ended)


def read(desk: Desk) -> None:
    QTest.mouseClick(desk.app.item_view.header.read, LEFT)


@pytest.mark.parametrize("leave", [click_in_tree, go_back, save, save_by_keys, save_all, close, read])
@pytest.mark.parametrize("before", ["", "typed "])
def test_b65_what_is_being_composed_is_committed_once_and_where_it_belongs(
    notes: Desk, leave: Callable[[Desk], None], before: str
) -> None:
    notes.open_item("other:c")
    notes.open_item("notes:a")
    notes.put_caret("one")
    notes.type(notes.text, before)
    QApplication.sendEvent(notes.text, QInputMethodEvent("海", []))
    leave(notes)
    wanted = f"one{before}海\n\ntwo"
    if leave in (save, save_by_keys, save_all, close):
        assert notes.path("notes").read_bytes().decode() == NOTES.replace("one\n\ntwo", wanted)
    else:
        assert notes.app.documents.unsaved_contents == {("notes", "a"): wanted}
    assert "海" not in notes.path("other").read_text(encoding="utf-8")


def test_b65_an_outside_change_does_not_disturb_what_is_being_composed(notes: Desk) -> None:
    notes.put_caret("two")
    QApplication.sendEvent(notes.text, QInputMethodEvent("hai", []))
    edit_outside(notes.path("notes"), "one", "1\n\nand more")
    notes.until(lambda: "more" in notes.buffer.text)
    decided = QInputMethodEvent()
    decided.setCommitString("海")
    QApplication.sendEvent(notes.text, decided)
    assert notes.buffer.text == "1\n\nand more\n\ntwo海"
