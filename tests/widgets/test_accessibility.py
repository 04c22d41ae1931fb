"""Every control says what it is, and the keyboard reaches all of them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QHeaderView,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QScrollBar,
    QTextBrowser,
    QWidget,
)

from tests.widgets.desk import Desk

CONTROLS = (
    QAbstractButton, QAbstractItemView, QAbstractSlider, QAbstractSpinBox, QLineEdit, QPlainTextEdit, QTextBrowser,
)  # fmt: skip


def is_part_of_qt(widget: QWidget) -> bool:
    """Scroll bars, headers that never show, and what Qt puts inside line edits and spin boxes."""
    inside = isinstance(widget.parentWidget(), QLineEdit | QAbstractSpinBox)
    return isinstance(widget, QScrollBar | QHeaderView) or inside or widget.objectName().startswith("qt_")


def test_every_control_has_a_name(sample: Desk) -> None:
    nameless = []
    for widget in sample.window.findChildren(QWidget):
        if isinstance(widget, CONTROLS) and not is_part_of_qt(widget):
            text = widget.text() if isinstance(widget, QAbstractButton) else ""
            if not (widget.accessibleName() or text.strip()):
                nameless.append(f"{type(widget).__name__} {widget.objectName()}")
    assert nameless == []


def test_every_entry_of_every_menu_has_a_text(sample: Desk) -> None:
    menus = sample.window.findChildren(QMenu)
    assert menus
    assert all(action.text() for menu in menus for action in menu.actions() if not action.isSeparator())


def test_tab_goes_from_the_filter_through_all_panes_and_back(sample: Desk) -> None:
    sample.app.documents.open_item("preferences", "likes-the-sea")
    sample.app.item_view.header.read.click()
    sample.run("想去海边玩")
    sample.app.tree.filter_box.setFocus()
    seen: list[QWidget] = []
    for _ in range(60):
        focused = QApplication.focusWidget()
        assert focused is not None
        if focused in seen:
            break
        seen.append(focused)
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    panel, view = sample.app.panel, sample.app.item_view
    for widget in (
        sample.app.tree.tree, view.header.write, view.reader, panel.query_box, panel.parameters.limit,
        panel.parameters.budget, panel.parameters.links, panel.parameters.tokenizer, panel.ruler, panel.view,
        sample.app.problems_view,
    ):  # fmt: skip
        assert widget in seen, widget.accessibleName()
    assert QApplication.focusWidget() in seen


def test_rows_say_what_their_signs_mean(sample: Desk) -> None:
    sample.run("想去海边玩", tokenizer="bigrams", budget=140)
    assert "rank 2, daily_life:beach-trip-plan, link via likes-the-sea, 22 tokens, kept" in sample.cards()
    index = sample.app.memory_model.find("daily_life", "周末市集")
    words = str(index.data(Qt.ItemDataRole.AccessibleTextRole))
    assert "rank 4, behind the budget cut" in words
