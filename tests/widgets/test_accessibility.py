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
    for _ in range(90):
        focused = QApplication.focusWidget()
        assert focused is not None
        if focused in seen[:-1]:
            break
        if focused not in seen:  # Tab goes from link to link in what is rendered
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
    order = [sample.app.tree.tree, view.header.name, view.header.write, view.reader, view.footer.owner,
             view.footer.source, view.footer.now, panel.query_box, panel.view, sample.app.problems_view]  # fmt: skip
    places = [seen.index(widget) for widget in order]
    assert places == sorted(places), "as the eye goes"


def test_f6_goes_from_pane_to_pane_out_of_the_text_too(sample: Desk) -> None:
    sample.open_item("preferences:likes-the-sea")
    app = sample.app
    stops = [app.tree.tree, app.item_view.text_edit, app.panel.query_box, app.problems_view]
    app.tree.tree.setFocus()
    for stop in [*stops[1:], stops[0]]:
        sample.keys("F6")
        assert stop.hasFocus()
    for stop in reversed(stops):
        sample.keys("Shift+F6")
        assert stop.hasFocus()
    for name in ("problems", "history", "changes"):
        sample.window.docks.all[name].hide()
    sample.keys("Shift+F6")
    assert app.panel.query_box.hasFocus()


def test_rows_say_what_their_signs_mean(sample: Desk) -> None:
    sample.run("想去海边玩", tokenizer="bigrams", budget=140)
    assert "rank 2, daily_life:beach-trip-plan, link via likes-the-sea, 22 tokens, kept" in sample.cards()
    index = sample.app.memory_model.find("daily_life", "周末市集")
    words = str(index.data(Qt.ItemDataRole.AccessibleTextRole))
    assert "rank 4, behind the budget cut" in words
