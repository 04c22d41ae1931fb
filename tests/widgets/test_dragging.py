"""Items dragged with the mouse, on a real screen: Qt's offscreen one knows no dragging."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, QTimer
from PySide6.QtGui import QDrag
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.widgets.desk import Desk, dialog
from tests.widgets.small_memory import LEFT, enter, files, read, settle
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.presentation.ordering import Order
from wikimem_desktop.widgets.naming import MovingDialog

pytestmark = pytest.mark.xvfb


def drag(desk: Desk, start: QPoint, end: QPoint) -> None:
    """Press, move and let go; Qt's own loop runs during a drag."""
    tree, window = desk.app.tree.tree, desk.window.windowHandle()

    def there(point: QPoint) -> QPoint:
        return tree.viewport().mapTo(desk.window, point)

    def let_go() -> None:
        if tree.findChild(QDrag) is None:
            QTimer.singleShot(5, let_go)
            return
        for point in (start + QPoint(20, 20), end, end):
            QTest.mouseMove(window, there(point))
        QTest.mouseRelease(window, LEFT, pos=there(end))

    QTest.mousePress(window, LEFT, pos=there(start))
    QTimer.singleShot(5, let_go)
    for step in (4, 8, 12, 16):
        QTest.mouseMove(window, there(start + QPoint(step, step)))
    desk.until(lambda: tree.findChild(QDrag) is None)


def row(desk: Desk, category: str, name: str = "") -> QRect:
    return desk.app.tree.tree.visualRect(desk.app.memory_model.find(category, name))


@pytest.fixture
def opened(notes: Desk) -> Desk:
    notes.app.tree.expand(["prefs", "solo"])
    return notes


def test_an_item_dragged_onto_a_category_is_asked_to_move_there(opened: Desk) -> None:
    drag(opened, row(opened, "prefs", "sea").center(), row(opened, "solo").center())
    opened.until(lambda: isinstance(QApplication.activeModalWidget(), MovingDialog))
    shown = dialog(MovingDialog)
    assert shown.typed == "solo"
    enter(shown)
    settle(opened)
    assert {"solo:sea", "solo:only"} < set(opened.leaves())
    assert "prefs:sea" not in opened.leaves()


def test_an_item_dragged_between_others_of_its_file_is_put_there(opened: Desk) -> None:
    sea = row(opened, "prefs", "sea")
    drag(opened, row(opened, "prefs", "tea").center(), QPoint(sea.center().x(), sea.top() + 1))
    opened.until(lambda: read(opened, "prefs").index("## tea") < read(opened, "prefs").index("## sea"))
    settle(opened)
    assert opened.app.tree.selected == Place("item", "prefs", "tea")


def test_where_another_order_is_shown_nothing_is_put_between(opened: Desk) -> None:
    before = files(opened)
    opened.app.tree.set_order(Order.NAME)
    sea = row(opened, "prefs", "sea")
    drag(opened, row(opened, "prefs", "tea").center(), QPoint(sea.center().x(), sea.top() + 1))
    settle(opened)
    assert files(opened) == before
