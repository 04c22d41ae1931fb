"""A link that leads nowhere is mended where it stands: create it, did you mean, remove it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from tests.presentation.house import write_outside
from tests.widgets.desk import Desk

TEXT = "Buy [[prefrences:gift-style]] paper, see [[preferences:likes-the-sea]] & [[no:where]]."
FIRST = "preferences:mended"


@pytest.fixture
def mended(sample: Desk) -> Iterator[Desk]:
    path = sample.path("preferences")
    write_outside(path, path.read_bytes() + f"\n## mended\n\n{TEXT}\n".encode())
    sample.follow_disk()
    sample.open_item(FIRST)
    sample.text.setFocus()
    yield sample
    sample.app.documents.discard_all()


def menu_in_front(desk: Desk) -> QMenu:
    desk.until(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def words(menu: QMenu) -> list[str]:
    """The choices about the link: all above the editor's own."""
    texts = [action.text() for action in menu.actions()]
    return texts[: texts.index("")] if "" in texts else texts


def right_click(view: QWidget, point: QPoint) -> None:
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, point, view.mapToGlobal(point))
    QApplication.sendEvent(view, event)


@pytest.mark.parametrize("keys", ["Ctrl+.", "Alt+Return"])
def test_did_you_mean_replaces_the_link_in_one_undo_step(keys: str, mended: Desk) -> None:
    mended.put_caret("[[prefrences")
    mended.keys(keys)
    menu = menu_in_front(mended)
    assert words(menu) == [
        "Create prefrences:gift-style",
        "Did you mean preferences:gift-style",
        "Remove the link, keep its words",
    ]
    QTest.keyClick(menu, Qt.Key.Key_Down)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    assert mended.buffer.text == TEXT.replace("prefrences", "preferences")
    assert mended.text.hasFocus()
    mended.keys("Ctrl+Z")
    assert mended.buffer.text == TEXT


def test_a_link_is_removed_and_its_words_are_kept(mended: Desk) -> None:
    mended.put_caret("[[no:wh")
    mended.keys("Ctrl+.")
    menu = menu_in_front(mended)
    assert words(menu) == ["Create no:where", "Remove the link, keep its words"]
    QTest.keyClick(menu, Qt.Key.Key_Up)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    assert mended.buffer.text == TEXT.replace("[[no:where]]", "where")


def test_a_link_has_its_item_created(mended: Desk) -> None:
    mended.put_caret("[[no:wh")
    mended.keys("Ctrl+.")
    QTest.keyClick(menu_in_front(mended), Qt.Key.Key_Return)
    mended.settle()
    mended.follow_disk()
    assert mended.address == "no:where"
    assert mended.path("no").read_text().startswith("# no")


def test_a_link_that_leads_somewhere_is_opened_or_removed(mended: Desk) -> None:
    mended.put_caret("[[preferences:likes")
    mended.keys("Ctrl+.")
    menu = menu_in_front(mended)
    assert words(menu) == ["Open preferences:likes-the-sea", "Remove the link, keep its words"]
    QTest.keyClick(menu, Qt.Key.Key_Return)
    assert mended.address == "preferences:likes-the-sea"


def test_esc_leaves_the_text_alone_and_no_link_is_told(mended: Desk) -> None:
    mended.put_caret("[[no:wh")
    mended.keys("Ctrl+.")
    QTest.keyClick(menu_in_front(mended), Qt.Key.Key_Escape)
    assert mended.buffer.text == TEXT
    mended.put_caret("Bu")
    mended.keys("Ctrl+.")
    assert mended.notice() == "There is no link at the caret."
    mended.open_item("preferences:likes-the-sea")
    assert mended.app.notices.current is None, "it was about the text that was left"


def test_the_context_menu_of_the_text_has_the_choices_above_its_own(mended: Desk) -> None:
    point = mended.put_caret("[[prefre")
    right_click(mended.text.viewport(), point)
    menu = menu_in_front(mended)
    assert words(menu)[1] == "Did you mean preferences:gift-style"
    assert len(menu.actions()) > 4
    menu.close()


@pytest.mark.parametrize("way", ["read", "split"])
def test_the_context_menu_of_the_rendering_mends_the_text(way: str, mended: Desk) -> None:
    view = mended.app.item_view
    getattr(view.header, way).click()
    reader = view.reader if way == "read" else view.preview
    mended.until(lambda: "gift-style" in reader.toPlainText())
    cursor = reader.document().find("prefrences:gift")
    point = reader.cursorRect(cursor).center() - QPoint(8, 0)
    right_click(reader.viewport(), point)
    menu = menu_in_front(mended)
    assert words(menu)[1] == "Did you mean preferences:gift-style"
    QTest.keyClick(menu, Qt.Key.Key_Down)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    assert mended.buffer.text == TEXT.replace("prefrences", "preferences")
    mended.until(lambda: "prefrences" not in reader.toPlainText())


def test_only_the_link_that_was_meant_is_replaced(mended: Desk) -> None:
    mended.text.selectAll()
    mended.type(mended.text, "[[no:where]] and [[no:where]]")
    mended.app.item_view.header.read.click()
    reader = mended.app.item_view.reader
    mended.until(lambda: "and" in reader.toPlainText())
    cursor = reader.document().find("where", reader.document().find("and"))
    right_click(reader.viewport(), reader.cursorRect(cursor).center() - QPoint(8, 0))
    menu = menu_in_front(mended)
    QTest.keyClick(menu, Qt.Key.Key_Down)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    assert mended.buffer.text == "[[no:where]] and where"


def test_the_not_found_row_of_a_run_offers_the_same_at_the_text_that_holds_the_link(mended: Desk) -> None:
    mended.open_item("preferences:likes-the-sea")
    mended.app.panel.query_box.setText("mended paper")
    view = mended.app.panel.view
    model = mended.app.sequence_model
    mended.until(lambda: any("no:where" in str(model.index(row).data()) for row in range(model.rowCount())))
    row = next(row for row in range(model.rowCount()) if "no:where" in str(model.index(row).data()))
    index = model.index(row)
    view.scrollTo(index)
    QTest.mouseMove(view.viewport(), view.others_rect(index).center())
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.others_rect(index).center())
    menu = menu_in_front(mended)
    assert words(menu) == ["Create no:where", "Remove the link, keep its words"]
    assert mended.address == FIRST
    menu.close()
    view.setFocus()
    view.setCurrentIndex(index)
    mended.open_item("preferences:likes-the-sea")
    view.setFocus()
    view.setCurrentIndex(index)
    mended.keys("Ctrl+.")
    assert words(menu_in_front(mended)) == ["Create no:where", "Remove the link, keep its words"]
    menu_in_front(mended).close()


def test_a_read_only_memory_creates_nothing(desk: Desk, sample_store: Path) -> None:
    desk.open(sample_store, read_only=True)
    desk.open_item("preferences:likes-the-sea")
    desk.put_caret("海边")
    desk.type(desk.text, " [[no:where]]")
    desk.app.item_view.text_edit.setFocus()
    desk.keys("Escape")
    desk.put_caret("[[no:wh")
    desk.keys("Ctrl+.")
    assert words(menu_in_front(desk)) == ["Remove the link, keep its words"]
    menu_in_front(desk).close()
    desk.app.documents.discard_all()
