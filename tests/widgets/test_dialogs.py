"""In dialogs Enter and Tab do what the eye expects, whatever had the focus before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QMenu, QPushButton, QScrollArea, QWidget

from tests.engine.folders import fill
from tests.widgets.desk import Desk, dialog
from tests.widgets.small_memory import press, read, select, settle
from wikimem_desktop.engine.problems import Kind
from wikimem_desktop.presentation.problems_model import ProblemRole
from wikimem_desktop.widgets.comparison import ComparisonDialog, CopyDialog
from wikimem_desktop.widgets.diary_dialog import DiaryDialog
from wikimem_desktop.widgets.forget_dialog import ForgetDialog
from wikimem_desktop.widgets.keys_dialog import KeysDialog
from wikimem_desktop.widgets.naming import AddressDialog, MergingDialog, MovingDialog, NewItemDialog, RenamingDialog
from wikimem_desktop.widgets.replace_preview import ReplacePreview


def tab(shown: QDialog, times: int = 1) -> QWidget:
    """Press Tab so often; where the focus is then."""
    for _ in range(times):
        QTest.keyClick(QApplication.focusWidget() or shown, Qt.Key.Key_Tab)
    focused = QApplication.focusWidget()
    assert focused is not None
    return focused


def way(desk: Desk, shown: QDialog) -> list[QWidget]:
    """All stops of Tab from where the focus is, once round."""
    desk.until(lambda: shown.isAncestorOf(QApplication.focusWidget() or desk.window))
    stops = [tab(shown, 0)]
    while (focused := tab(shown)) is not stops[0]:
        if focused is not stops[-1]:  # a date has stops inside
            assert focused not in stops
            stops.append(focused)
    return stops


def places(stops: list[QWidget]) -> Iterator[tuple[int, int]]:
    """Line and column of each."""
    for stop in stops:
        place = stop.mapTo(stop.window(), QPoint())
        yield place.y() + stop.height() // 2, place.x()


def in_lines(stops: list[QWidget]) -> list[tuple[int, int]]:
    """The same, what is nearly in one line as in one."""
    return [(y // 20, x) for y, x in places(stops)]


def assert_by_the_eye(stops: list[QWidget]) -> None:
    """From the first one down, left to right; then round again."""
    found = in_lines(stops)
    start = found.index(min(found))
    found = found[start:] + found[:start]
    assert found == sorted(found), [type(stop).__name__ for stop in stops]


def ask_for_name(desk: Desk, keys: str) -> AddressDialog:
    select(desk, "prefs", "sea")
    desk.keys(keys)
    shown = dialog(AddressDialog)
    desk.until(shown.links.isVisible)
    desk.until(shown.name.hasFocus)
    return shown


def test_enter_renames_though_tab_went_over_cancel(notes: Desk) -> None:
    shown = ask_for_name(notes, "F2")
    notes.type(shown.name, "ocean")
    assert shown.cancel in way(notes, shown)
    assert shown.name.hasFocus()
    QTest.keyClick(shown.name, Qt.Key.Key_Return)
    settle(notes)
    assert "## ocean" in read(notes, "prefs")


def test_enter_renames_from_the_list_of_links(notes: Desk) -> None:
    shown = ask_for_name(notes, "F2")
    notes.type(shown.name, "ocean")
    while tab(shown) is not shown.cancel:
        pass
    shown.links.list.setFocus()
    QTest.keyClick(shown.links.list, Qt.Key.Key_Enter)
    settle(notes)
    assert "## ocean" in read(notes, "prefs")


@pytest.mark.parametrize("keys", ["F2", "Ctrl+M"])
def test_enter_on_cancel_cancels(keys: str, notes: Desk) -> None:
    before = read(notes, "prefs")
    shown = ask_for_name(notes, keys)
    notes.type(shown.name, "ocean")
    shown.cancel.setFocus()
    QTest.keyClick(shown.cancel, Qt.Key.Key_Return)
    settle(notes)
    assert QApplication.activeModalWidget() is None
    assert read(notes, "prefs") == before


@pytest.mark.parametrize("keys", ["F2", "Ctrl+M"])
def test_tab_goes_from_the_name_to_the_links_and_then_to_the_buttons(keys: str, notes: Desk) -> None:
    shown = ask_for_name(notes, keys)
    notes.type(shown.name, "ocean")
    stops = way(notes, shown)
    assert stops[:2] == [shown.name, shown.links.list]
    assert set(stops[2:]) == {shown.agree, shown.cancel}
    assert_by_the_eye(stops)
    shown.reject()


def test_a_merge_agrees_by_enter_in_the_list(notes: Desk) -> None:
    select(notes, "prefs", "sea")
    QTest.keySequence(notes.app.tree.tree, "Shift+Down")
    notes.app.memory_actions.merge.trigger()
    shown = dialog(MergingDialog)
    notes.until(shown.links.isVisible)
    shown.links.list.setFocus()
    stops = way(notes, shown)
    assert {shown.agree, shown.cancel, shown.links.list} == set(stops)
    assert_by_the_eye(stops)
    QTest.keyClick(shown.links.list, Qt.Key.Key_Return)
    settle(notes)
    assert "## sea" not in read(notes, "prefs")


def test_a_new_item_is_made_though_tab_went_over_cancel(notes: Desk) -> None:
    notes.keys("Ctrl+N")
    shown = dialog(NewItemDialog)
    notes.type(shown.name, "rain")
    stops = way(notes, shown)
    assert {shown.category, shown.name, shown.agree, shown.cancel} <= set(stops)
    assert_by_the_eye(stops)
    QTest.keyClick(shown.name, Qt.Key.Key_Return)
    assert not shown.isVisible()
    settle(notes)
    assert any("## rain" in read(notes, key) for key in ("prefs", "plans", "solo", "twice"))


def test_an_entry_of_the_diary_is_added_by_enter_though_tab_went_over_cancel(sample: Desk) -> None:
    action = next(a for a in sample.window.menus.memory.actions() if "diary" in a.text().lower())
    action.trigger()
    shown = dialog(DiaryDialog)
    sample.until(shown.text.hasFocus)
    sample.type(shown.text, "rain")
    stops = way(sample, shown)
    assert {shown.date, shown.time, shown.text, shown.owner, shown.source, shown.agree, shown.cancel} <= set(stops)
    assert_by_the_eye(stops)
    shown.owner.setFocus()
    QTest.keyClick(shown.owner, Qt.Key.Key_Return)
    assert not shown.isVisible()
    settle(sample)
    assert sample.app.steps.undo_label


def preview(desk: Desk) -> ReplacePreview:
    desk.keys("Ctrl+Shift+H")
    find = desk.app.find_in_store
    find.field.setText("likes it")
    find.template.setText("loves it")
    desk.until(lambda: find.list.row_model.rows)
    desk.until(find.replace_button.isEnabled)
    desk.key(find.template, Qt.Key.Key_Return)
    desk.until(lambda: isinstance(QApplication.activeModalWidget(), ReplacePreview))
    return dialog(ReplacePreview)


def test_all_buttons_of_the_preview_are_reached_and_enter_presses_the_one_with_the_focus(notes: Desk) -> None:
    shown = preview(notes)
    shown.list.setFocus()
    stops = way(notes, shown)
    assert {shown.list, shown.all, shown.none, shown.replace} <= set(stops)
    assert len(stops) == 5
    assert_by_the_eye(stops)
    shown.none.setFocus()
    QTest.keyClick(shown.none, Qt.Key.Key_Return)
    assert shown.isVisible()
    assert shown.model.chosen == []
    shown.all.setFocus()
    QTest.keyClick(shown.all, Qt.Key.Key_Return)
    tab(shown, 4)
    shown.list.setFocus()
    QTest.keyClick(shown.list, Qt.Key.Key_Return)
    settle(notes)
    assert "loves it" in read(notes, "prefs")


def fix(desk: Desk, kind: Kind) -> None:
    model = desk.app.problems_model
    rows = [model.index(row).data(ProblemRole.PROBLEM) for row in range(model.rowCount())]
    desk.app.navigation._on_fix_chosen(next(problem for problem in rows if problem.kind is kind))


def test_a_copy_is_brought_home_by_keys(desk: Desk, tmp_path: Path) -> None:
    copy = "prefs (conflicted copy 2026-01-01).md"
    root = fill(tmp_path / "store", {"prefs.md": "## a\n\none\n", copy: "## a\n\nuno\n"})
    desk.open(root)
    fix(desk, Kind.CONFLICT_COPY)
    shown = dialog(CopyDialog)
    shown.texts.left.setFocus()
    stops = way(desk, shown)
    assert not any(isinstance(stop, QScrollArea) for stop in stops)
    assert stops[:3] == [shown.texts.left, shown.texts.right, shown.choices["a"]]
    assert set(stops[3:]) == {shown.agree, shown.cancel}
    assert_by_the_eye(stops)
    shown.agree.setFocus()
    QTest.keyClick(shown.agree, Qt.Key.Key_Return)
    desk.settle()
    assert not (root / copy).exists()


def test_two_items_that_nearly_say_the_same_are_merged_by_keys(desk: Desk, tmp_path: Path) -> None:
    text = "Every Sunday a walk along the river with Mei, past the old mill, then tea and cake at the station"
    desk.open(fill(tmp_path / "store", {"a.md": f"## one\n\n{text}\n", "b.md": f"## two\n\n{text}.\n\n## c\n\nx\n"}))
    fix(desk, Kind.NEAR_DUPLICATE)
    shown = dialog(ComparisonDialog)
    shown.texts.left.setFocus()
    stops = way(desk, shown)
    assert shown.agree in stops
    assert_by_the_eye(stops)
    shown.reject()


def test_forgetting_needs_its_own_button(notes: Desk) -> None:
    """Nothing brings it back: Enter elsewhere cancels, on the button it forgets."""
    notes.open_item("prefs:sea")
    notes.app.forget_action.action.trigger()
    shown = dialog(ForgetDialog)
    notes.until(lambda: shown.forget.isEnabled())
    stops = way(notes, shown)
    assert shown.forget in stops
    assert_by_the_eye(stops)
    shown.list.setFocus()
    shown.forget.setFocus()
    QTest.keyClick(shown.forget, Qt.Key.Key_Return)
    notes.until(lambda: notes.app.forget_action.forgetting.state == "done")
    press(shown.close_button)


def test_a_dialog_stands_over_the_middle_of_the_window(notes: Desk) -> None:
    notes.window.move(100, 60)
    for keys in ("F2", "Ctrl+M", "Ctrl+N", "F1"):
        select(notes, "prefs", "sea")
        notes.keys(keys)
        shown = QApplication.activeModalWidget()
        assert isinstance(shown, QDialog)
        middle = shown.geometry().center() - notes.window.geometry().center()
        assert abs(middle.x()) <= 2, keys
        assert abs(middle.y()) <= 40, keys
        shown.reject()


def test_a_dialog_with_links_has_its_width_before_they_are_found(notes: Desk) -> None:
    """X11 maps a window at the size it had when it was shown; what is resized meanwhile may be forgotten."""
    select(notes, "prefs", "sea")
    notes.keys("F2")
    shown = dialog(RenamingDialog)
    width = shown.width()
    notes.until(shown.links.isVisible)
    settle(notes)
    assert shown.width() == width >= 640
    shown.resize(640, 100)  # what a window manager may do that was asked before
    column = shown.layout()
    assert column is not None
    assert shown.height() >= column.totalHeightForWidth(shown.width())
    shown.reject()


def test_shift_f10_opens_the_menu_of_what_has_the_focus(notes: Desk) -> None:
    def open_menu(widget: QWidget) -> None:
        widget.setFocus()
        notes.until(widget.hasFocus)
        QTest.keyClick(widget, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        menu.close()

    select(notes, "prefs", "sea")
    notes.open_item("prefs:sea")
    for widget in (notes.app.tree.tree, notes.text, notes.app.panel.query_box):
        open_menu(widget)
    notes.keys("F1")
    shown = dialog(KeysDialog)
    open_menu(shown.field)
    shown.reject()


def test_no_button_of_a_dialog_becomes_the_default_by_its_focus(notes: Desk) -> None:
    for keys in ("F2", "Ctrl+M", "Ctrl+N", "Ctrl+Shift+N", "F1"):
        select(notes, "prefs", "sea")
        notes.keys(keys)
        shown = QApplication.activeModalWidget()
        assert isinstance(shown, QDialog)
        assert not any(button.autoDefault() for button in shown.findChildren(QPushButton)), keys
        shown.reject()


def test_a_category_to_move_to_has_one_field(notes: Desk) -> None:
    select(notes, "prefs", "sea")
    notes.keys("Ctrl+M")
    shown = dialog(MovingDialog)
    assert len(shown.findChildren(QLineEdit)) == 1
    shown.reject()
