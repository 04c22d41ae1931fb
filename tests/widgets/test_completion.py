"""Links are completed while they are typed, and show on hover where they lead."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QInputMethodEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from tests.engine.folders import fill
from tests.widgets.desk import Desk
from wikimem_desktop.widgets.editor.completion_popup import CompletionPopup

CTRL = Qt.KeyboardModifier.ControlModifier
FILES: dict[str, str | bytes] = {
    "alpha.md": "## first one\n\ntext [[beta:海边]] and [[beta:gone]] end\n\n## second\n\nx\n",
    "beta.md": "## 海边\n\n<b>walks</b> & sand\n\n## harbour\n\nships\n\n## odd\uf8e1name\n\nx\n",
    "much.md": "".join(f"## item {number:02}\n\n.\n\n" for number in range(60)) + "## long\n\n" + "words " * 200,
}


@pytest.fixture
def page(desk: Desk, tmp_path: Path) -> Desk:
    desk.open(fill(tmp_path / "store", FILES))
    desk.open_item("alpha:second")
    desk.put_caret("x")
    return desk


def popup(desk: Desk) -> CompletionPopup:
    return desk.app.item_view.completion


def rows(desk: Desk) -> list[str]:
    """What is listed, as a screen reader says it."""
    model = popup(desk).view.model()
    if not popup(desk).isVisible():
        return []
    return [str(model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole)) for row in range(model.rowCount())]


def compose(desk: Desk, preedit: str = "", commit: str = "") -> None:
    event = QInputMethodEvent(preedit, [])
    event.setCommitString(commit)
    QApplication.sendEvent(desk.text, event)


def test_a_link_is_typed_with_enter_twice(page: Desk) -> None:
    page.type(page.text, " [[")
    assert rows(page) == ["alpha, 2 items", "beta, 3 items", "much, 61 items"]
    page.type(page.text, "be\n")
    assert page.buffer.text == "x [[beta:"
    assert rows(page) == ["beta:海边", "beta:harbour", "beta:odd\uf8e1name"]
    page.type(page.text, "har\n!")
    assert page.buffer.text == "x [[beta:harbour]]!"
    assert rows(page) == []
    assert page.text.hasFocus()


def test_each_insertion_is_one_step_to_undo(page: Desk) -> None:
    page.type(page.text, "[[be\nhar\n")
    steps = []
    for _ in range(3):
        page.text.undo()
        steps.append(page.buffer.text)
    assert steps == ["x[[beta:har", "x[[beta:", "x[[be"]


def test_an_item_is_found_by_its_name_alone(page: Desk) -> None:
    page.type(page.text, "[[海")
    assert rows(page) == ["beta:海边"]
    page.key(page.text, Qt.Key.Key_Tab)
    assert page.buffer.text == "x[[beta:海边]]"


def test_what_closes_the_link_already_is_used(page: Desk) -> None:
    page.type(page.text, "]] y")
    page.put_caret("x")
    page.type(page.text, "[[much:59")
    page.type(page.text, "\n")
    assert page.buffer.text == "x[[much:item 59]] y"
    assert page.caret_behind().endswith("59]]")


def test_odd_characters_go_in_and_out(page: Desk) -> None:
    page.type(page.text, "[[beta:odd\n")
    assert page.buffer.text == "x[[beta:odd\uf8e1name]]"


def test_arrows_and_pages_choose(page: Desk) -> None:
    page.type(page.text, "[[much:")
    view = popup(page).view
    seen = []
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp, Qt.Key.Key_Up):
        page.key(page.text, key)
        seen.append(view.currentIndex().row())
    assert seen == [1, 2, 1, 9, 1, 0]
    page.key(page.text, Qt.Key.Key_Up)
    assert view.currentIndex().row() == 0
    page.type(page.text, "\n")
    assert page.buffer.text == "x[[much:item 00]]"


def test_a_click_inserts_and_the_focus_stays(page: Desk) -> None:
    page.type(page.text, "[[")
    page.click(popup(page).view, popup(page).view.model().index(1, 0))
    assert page.buffer.text == "x[[beta:"
    assert page.text.hasFocus()
    page.click(popup(page).view, popup(page).view.model().index(1, 0))
    assert page.buffer.text == "x[[beta:harbour]]"
    page.type(page.text, "!")
    assert page.buffer.text.endswith("]]!")


def test_esc_closes_until_it_is_asked_for_again(page: Desk) -> None:
    page.type(page.text, "[[be")
    page.key(page.text, Qt.Key.Key_Escape)
    assert rows(page) == []
    page.type(page.text, "t")
    assert rows(page) == []
    page.key(page.text, Qt.Key.Key_Space, CTRL)
    assert rows(page) == ["beta, 3 items"]
    page.type(page.text, "\n")
    assert page.buffer.text == "x[[beta:"


def test_outside_a_link_there_is_nothing_to_list(page: Desk) -> None:
    page.key(page.text, Qt.Key.Key_Space, CTRL)
    assert rows(page) == []
    assert page.buffer.text == "x"


def test_it_closes_when_the_caret_leaves_the_link(page: Desk) -> None:
    page.type(page.text, "[[be")
    page.key(page.text, Qt.Key.Key_Home)
    assert rows(page) == []
    page.put_caret("[[be")
    page.key(page.text, Qt.Key.Key_Space, CTRL)
    page.type(page.text, "ta:x]]")
    assert rows(page) == []


def test_it_closes_when_the_focus_goes_or_another_item_comes(page: Desk) -> None:
    page.type(page.text, "[[")
    page.app.tree.filter_box.setFocus()
    assert rows(page) == []
    page.text.setFocus()
    page.key(page.text, Qt.Key.Key_Space, CTRL)
    assert rows(page)
    page.open_item("beta:harbour")
    assert rows(page) == []


def test_where_nothing_matches_keys_are_the_editors_again(page: Desk) -> None:
    page.type(page.text, "[[zzz")
    assert rows(page) == []
    page.type(page.text, "\n")
    assert page.text.document().toRawText() == "x[[zzz\u2029"


def test_going_back_to_what_matches_lists_again(page: Desk) -> None:
    page.type(page.text, "[[bez")
    assert rows(page) == []
    page.key(page.text, Qt.Key.Key_Backspace)
    assert rows(page) == ["beta, 3 items"]


def test_an_input_method_composes_in_peace(page: Desk) -> None:
    page.type(page.text, "[[beta:")
    compose(page, "hai")
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Down, Qt.Key.Key_Escape, Qt.Key.Key_Tab):
        page.key(page.text, key)
    assert page.buffer.text == "x[[beta:"
    assert popup(page).view.currentIndex().row() == 0
    compose(page, commit="海")
    assert rows(page) == ["beta:海边"]
    page.type(page.text, "\n")
    assert page.buffer.text == "x[[beta:海边]]"


def test_the_list_stands_below_the_line_or_above_it_and_inside_the_window(page: Desk) -> None:
    def line(top: bool) -> int:
        rect = page.text.cursorRect()
        point = rect.topLeft() if top else rect.bottomLeft()
        return page.text.viewport().mapTo(page.window, point).y()

    page.type(page.text, "[[")
    assert popup(page).parentWidget() is page.window
    assert popup(page).geometry().top() > line(top=False)
    page.key(page.text, Qt.Key.Key_Escape)
    for name, dock in page.window.docks.all.items():
        dock.setVisible(name in ("memory", "playground"))
    page.window.resize(900, 480)
    page.until(lambda: page.text.viewport().height() > 200)
    page.type(page.text, "\n" * 30 + "[[much:")
    assert popup(page).geometry().bottom() < line(top=True)
    assert page.window.rect().contains(popup(page).geometry())
    page.key(page.text, Qt.Key.Key_Escape)
    page.text.moveCursor(QTextCursor.MoveOperation.Start)
    page.type(page.text, "\n" * 4 + "[[much:")
    assert popup(page).geometry().top() > line(top=False)
    assert page.window.rect().contains(popup(page).geometry())


def test_links_are_followed_still(page: Desk) -> None:
    page.open_item("alpha:first one")
    page.put_caret("[[beta:海")
    page.key(page.text, Qt.Key.Key_Return, CTRL)
    assert page.address == "beta:海边"


# ------------------------------------------------------------ hover


def hover(desk: Desk, behind: str) -> str:
    place = desk.put_caret(behind) if behind else QPoint(300, 100)
    at = desk.text.viewport().mapToGlobal(place)
    QApplication.sendEvent(desk.text.viewport(), QHelpEvent(QEvent.Type.ToolTip, place, at))
    return QToolTip.text() if QToolTip.isVisible() else ""


def test_hovering_shows_where_a_link_leads(page: Desk) -> None:
    page.open_item("alpha:first one")
    tip = hover(page, "[[beta:海")
    assert "beta:海边" in tip
    assert "&lt;b&gt;walks&lt;/b&gt; &amp; sand" in tip
    assert "There is no such item" in hover(page, "[[beta:gone")
    page.until(lambda: hover(page, "text") == "")
    page.until(lambda: hover(page, "") == "")


def test_a_long_target_is_shortened(page: Desk) -> None:
    page.type(page.text, "[[much:long]]")
    tip = hover(page, "much:lo")
    assert tip.count("words") in range(40, 60)
    assert "…" in tip
    QToolTip.hideText()
    QTest.mouseMove(page.text.viewport(), QPoint(5, 5))
