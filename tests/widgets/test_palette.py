"""Ctrl+P goes to any item, Ctrl+Shift+P gives any command, by keys alone."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.widgets.desk import Desk, dialog
from tests.widgets.small_memory import enter, read, settle
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.widgets.keys_dialog import KeysDialog
from wikimem_desktop.widgets.naming import NewItemDialog
from wikimem_desktop.widgets.palette import PaletteDialog


def rows(desk: Desk) -> list[str]:
    return [row.text for row in desk.app.palette.list.row_model.rows]


def open_palette(desk: Desk, keys: str = "Ctrl+P") -> PaletteDialog:
    desk.keys(keys)
    shown = dialog(PaletteDialog)
    desk.until(shown.field.hasFocus)
    return shown


def test_a_few_letters_and_enter_open_an_item(notes: Desk) -> None:
    shown = open_palette(notes)
    notes.type(shown.field, "walk")
    assert rows(notes) == ["plans:walk"]
    assert shown.list.row_model.rows[0].detail == "north"
    QTest.keyClick(shown.field, Qt.Key.Key_Return)
    assert not shown.isVisible()
    assert notes.address == "plans:walk"


def test_down_goes_through_the_matches_and_esc_leaves_everything(notes: Desk) -> None:
    notes.open_item("prefs:sea")
    shown = open_palette(notes)
    QTest.keyClick(shown.field, Qt.Key.Key_Down)
    QTest.keyClick(shown.field, Qt.Key.Key_Down)
    assert shown.list.currentIndex().row() == 2
    QTest.keyClick(shown.field, Qt.Key.Key_Escape)
    assert not shown.isVisible()
    assert notes.address == "prefs:sea"
    notes.until(notes.window.isActiveWindow)


def test_the_places_before_come_first(notes: Desk) -> None:
    for address in ("plans:walk", "prefs:tea", "prefs:sea"):
        notes.open_item(address)
    open_palette(notes)
    assert rows(notes)[:2] == ["prefs:tea", "plans:walk"]
    notes.app.palette.reject()


def test_shift_enter_makes_what_was_typed(notes: Desk) -> None:
    shown = open_palette(notes)
    notes.type(shown.field, "prefs:rain")
    QTest.keyClick(shown.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    naming = dialog(NewItemDialog)
    assert (naming.chosen, naming.typed) == ("prefs", "rain")
    enter(naming)
    settle(notes)
    assert "## rain" in read(notes, "prefs")


def test_any_command_is_found_and_carried_out(notes: Desk) -> None:
    notes.open_item("prefs:sea")
    shown = open_palette(notes, "Ctrl+Shift+P")
    assert shown.field.text() == ">"
    notes.type(shown.field, "quit")
    assert rows(notes)[0] == "File › Quit"
    shown.field.setText(">query box")
    assert rows(notes)[0] == "Go › Query box"
    assert shown.list.row_model.rows[0].detail == "Ctrl+L"
    QTest.keyClick(shown.field, Qt.Key.Key_Return)
    notes.until(notes.app.panel.query_box.hasFocus)


def test_what_is_not_possible_now_is_greyed_and_does_nothing(notes: Desk) -> None:
    shown = open_palette(notes, "Ctrl+Shift+P")
    notes.type(shown.field, "merge into")
    assert shown.list.row_model.rows[0].color == "faint"
    QTest.keyClick(shown.field, Qt.Key.Key_Return)
    assert shown.isVisible()
    shown.reject()


def test_categories_and_days_are_places_too(notes: Desk) -> None:
    shown = open_palette(notes)
    notes.type(shown.field, "plans")
    assert shown.list.row_model.rows[0].detail == "category"
    QTest.keyClick(shown.field, Qt.Key.Key_Return)
    assert notes.buffer.place == Place("text", "plans")


def test_why_a_command_is_not_possible_is_told(desk: Desk) -> None:
    shown = open_palette(desk, "Ctrl+Shift+P")
    desk.type(shown.field, "query box")
    assert shown.list.row_model.rows[0].detail == "no memory is open · Ctrl+L"
    shown.reject()


def test_f1_lists_all_keys(notes: Desk) -> None:
    notes.keys("F1")
    shown = dialog(KeysDialog)
    notes.type(shown.field, "query box")
    found = [(row.text.strip(), row.detail) for row in shown.list.row_model.rows]
    assert found == [("Go", ""), ("Query box", "Ctrl+L")]
    shown.field.clear()
    notes.type(shown.field, "follow the")
    assert [row.text.strip() for row in shown.list.row_model.rows] == ["In a text", "Follow the link at the caret"]
    shown.field.clear()
    keys = [key for row in shown.list.row_model.rows for key in row.detail.split(", ")]
    assert {"Ctrl+Enter", "Shift+Enter", "Alt+1", "F7", "F1"} <= set(keys)
    assert "F14" not in keys
    QTest.keyClick(shown.field, Qt.Key.Key_Escape)
    assert not shown.isVisible()


def test_enter_and_esc_belong_to_the_input_method_while_it_composes(notes: Desk) -> None:
    """B67."""
    notes.open_item("prefs:sea")
    shown = open_palette(notes)
    QApplication.sendEvent(shown.field, QInputMethodEvent("hai", []))
    QTest.keyClick(shown.field, Qt.Key.Key_Return)
    QTest.keyClick(shown.field, Qt.Key.Key_Escape)
    assert shown.isVisible()
    assert notes.address == "prefs:sea"
    done = QInputMethodEvent()
    done.setCommitString("海")
    QApplication.sendEvent(shown.field, done)
    assert shown.field.text() == "海"
    assert rows(notes) == []
    shown.reject()


def test_what_the_palette_begins_with_is_not_selected_however_the_focus_comes(notes: Desk) -> None:
    """A dialog that is shown gives its field the focus as by Tab, which selects all in any other field."""
    for times in range(2):
        shown = open_palette(notes, "Ctrl+Shift+P")
        assert not shown.field.hasSelectedText(), times
        QApplication.sendEvent(shown.field, QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.TabFocusReason))
        QTest.keyClicks(shown.field, "q")
        assert shown.field.text() == ">q"
        shown.reject()
