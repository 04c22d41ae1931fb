"""Lists and quotes while writing: Enter, Tab and Shift+Tab."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent, QTextCursor
from PySide6.QtWidgets import QApplication

from tests.engine.folders import fill
from tests.widgets.desk import Desk
from wikimem_desktop.widgets.editor.lists import entered, marker_width, shifted

SHIFT = Qt.KeyboardModifier.ShiftModifier


def after_enter(line: str) -> str | None:
    """The line with the caret at the bar, after Enter."""
    caret = line.index("|")
    line = line.replace("|", "")
    change = entered(line, caret)
    return None if change is None else f"{line[: change.start]}{change.text}|{line[change.end :]}"


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("- a|", "- a\n- |"),
        ("* 海|边", "* 海\n* |边"),
        ("+ 🌊|", "+ 🌊\n+ |"),
        ("  - a|", "  - a\n  - |"),
        ("9. a|", "9. a\n10. |"),
        ("01) a|", "01) a\n02) |"),
        ("- [ ] a|", "- [ ] a\n- [ ] |"),
        ("- [x] done|", "- [x] done\n- [ ] |"),
        ("> said|", "> said\n> |"),
        ("> > deep|", "> > deep\n> > |"),
        ("> - a|", "> - a\n> - |"),
        ("- |", "|"),
        ("  12. |", "|"),
        ("- [ ] |", "|"),
        ("- [ ]|", "|"),
        ("> |", "|"),
        ("> - |", "> |"),
        ("plain|", None),
        ("|- a", None),
        ("-|", None),
        ("-a|", None),
        ("* * *|", None),
        ("- - -|", None),
        ("2026. |", "|"),
        ("1234567890. a|", None),
        ("|", None),
    ],
)
def test_enter_goes_on_with_a_list_or_ends_it(line: str, after: str | None) -> None:
    assert after_enter(line) == after


@pytest.mark.parametrize(
    ("line", "width"),
    [("- a", 2), ("10. a", 4), ("> * a", 2), ("a", 0), ("> a", 0), ("---", 0), ("* * *", 0)],
)
def test_a_marker_has_a_width(line: str, width: int) -> None:
    assert marker_width(line) == width


@pytest.mark.parametrize(
    ("line", "columns", "after"),
    [
        ("- a", 2, "  - a"),
        ("> - a", 2, ">   - a"),
        ("", 2, ""),
        ("   - a", -2, " - a"),
        (" - a", -2, "- a"),
        ("- a", -2, "- a"),
        ("\t- a", -2, "- a"),
    ],
)
def test_lines_move_by_columns(line: str, columns: int, after: str) -> None:
    start, end, text = shifted(line, columns)
    assert line[:start] + text + line[end:] == after


@pytest.fixture
def page(desk: Desk, tmp_path: Path) -> Desk:
    """An item with a list and a fence."""
    text = "- one\n\n```\n- code\n```\n\n1. 🌊 first\n2. second\n\nplain"
    desk.open(fill(tmp_path / "store", {"x.md": f"## a\n\n{text}\n"}))
    desk.open_item("x:a")
    return desk


def test_a_list_is_typed_and_ended_by_enter(page: Desk) -> None:
    page.put_caret("- one")
    page.type(page.text, "\ntwo\n海\n\nafter")
    assert "- one\n- two\n- 海\nafter\n\n```" in page.buffer.text


def test_going_on_is_one_step_to_undo(page: Desk) -> None:
    page.put_caret("- one")
    before = page.buffer.text
    page.type(page.text, "\n")
    assert page.buffer.text != before
    page.text.undo()
    assert page.buffer.text == before


def test_enter_takes_the_place_of_what_is_selected(page: Desk) -> None:
    page.put_caret("fir")
    cursor = page.text.textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.KeepAnchor, 2)
    page.text.setTextCursor(cursor)
    page.type(page.text, "\nx")
    assert "1. 🌊 fir\n2. x\n2. second" in page.buffer.text
    page.text.undo()
    page.text.undo()
    assert "1. 🌊 first\n2. second" in page.buffer.text


def test_code_is_no_list(page: Desk) -> None:
    page.put_caret("- code")
    page.type(page.text, "\nx")
    page.key(page.text, Qt.Key.Key_Tab)
    assert "- code\nx\t\n```" in page.buffer.text


def test_shift_enter_only_breaks_the_line(page: Desk) -> None:
    page.put_caret("- one")
    page.key(page.text, Qt.Key.Key_Return, SHIFT)
    page.type(page.text, "x")
    assert "- one\nx\n" in page.buffer.text


def test_tab_moves_list_items_and_elsewhere_is_a_tab(page: Desk) -> None:
    page.put_caret("plain")
    page.key(page.text, Qt.Key.Key_Tab)
    assert page.buffer.text.endswith("plain\t")
    page.put_caret("1. 🌊")
    cursor = page.text.textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.Down, QTextCursor.MoveMode.KeepAnchor)
    page.text.setTextCursor(cursor)
    before = page.buffer.text
    page.key(page.text, Qt.Key.Key_Tab)
    assert "\n   1. 🌊 first\n   2. second\n" in page.buffer.text
    page.key(page.text, Qt.Key.Key_Backtab, SHIFT)
    assert page.buffer.text == before
    assert page.text.hasFocus()
    page.text.undo()
    assert "\n   1. 🌊 first\n   2. second\n" in page.buffer.text
    page.text.undo()
    assert page.buffer.text == before


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Escape])
def test_no_key_decides_while_composing(page: Desk, key: Qt.Key) -> None:
    page.put_caret("- one")
    before = page.buffer.text
    QApplication.sendEvent(page.text, QInputMethodEvent("hai", []))
    page.key(page.text, key)
    assert page.buffer.text == before
    event = QInputMethodEvent()
    event.setCommitString("海")
    QApplication.sendEvent(page.text, event)
    page.type(page.text, "\n")
    assert "- one海\n- \n" in page.buffer.text
