"""Writing and seeing at once; following links by key and by mouse; what a link leads to, on hover."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent, QInputMethodEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from tests.presentation.house import edit_outside, write_outside
from tests.widgets.desk import Desk
from wikimem_desktop.widgets.editor.split_view import SplitView

LINES = "\n\n".join(f"Paragraph {number} has some words." for number in range(200))
TEXT = f"First [[preferences:likes-the-sea]], [[no:where]].\n\n{LINES}"


@pytest.fixture
def split(sample: Desk) -> Iterator[Desk]:
    path = sample.path("preferences")
    write_outside(path, path.read_bytes() + f"\n## long\n\n{TEXT}\n".encode())
    sample.follow_disk()
    sample.open_item("preferences:long")
    sample.text.setFocus()
    sample.keys("Ctrl+T")
    sample.until(lambda: "Paragraph 199" in sample.app.item_view.preview.toPlainText())
    yield sample
    sample.app.documents.discard_all()


def view_of(desk: Desk) -> SplitView:
    return desk.app.item_view.split


def hover(view: QWidget, point: QPoint) -> str:
    QToolTip.hideText()
    QApplication.sendEvent(view, QHelpEvent(QEvent.Type.ToolTip, point, view.mapToGlobal(point)))
    return QToolTip.text()


def test_text_and_rendering_are_side_by_side_and_the_keys_lead_back(split: Desk) -> None:
    view = split.app.item_view
    assert view.header.split.isChecked()
    assert view.text_edit.isVisible()
    assert view.preview.isVisible()
    assert split.text.hasFocus(), "the caret stays where it was"
    split.keys("Ctrl+T")
    assert view.header.write.isChecked()
    assert not view.preview.isVisible()
    split.keys("Ctrl+Shift+R")
    assert view.reader.isVisible()
    split.keys("Ctrl+Shift+R")
    assert view.header.write.isChecked()


def test_the_rendering_follows_what_is_typed(split: Desk) -> None:
    split.put_caret("First")
    split.type(split.text, " **bold**")
    assert "bold" not in split.app.item_view.preview.toPlainText(), "not at each key"
    with split.qtbot.waitSignal(split.app.item_view.preview.textChanged):
        pass
    assert "First bold" in split.app.item_view.preview.toPlainText()
    split.keys("Ctrl+Z")
    split.until(lambda: "bold" not in split.app.item_view.preview.toPlainText())


def test_the_rendering_follows_the_disk_and_other_items(split: Desk) -> None:
    edit_outside(split.path("preferences"), "Paragraph 0 has", "Outside has")
    split.until(lambda: "Outside has" in split.app.item_view.preview.toPlainText())
    split.open_item("preferences:likes-the-sea")
    split.until(lambda: "海边" in split.app.item_view.preview.toPlainText())


def test_nothing_is_rendered_while_an_input_method_composes(split: Desk) -> None:
    split.put_caret("First")
    split.type(split.text, "x")
    preview = split.app.item_view.preview
    with split.qtbot.assertNotEmitted(preview.textChanged, wait=400):
        QApplication.sendEvent(split.text, QInputMethodEvent("hai", []))
    event = QInputMethodEvent()
    event.setCommitString("海")
    QApplication.sendEvent(split.text, event)
    split.until(lambda: "Firstx海" in split.app.item_view.preview.toPlainText())


def test_both_scroll_together(split: Desk) -> None:
    edit, preview = split.text.verticalScrollBar(), split.app.item_view.preview.verticalScrollBar()
    edit.setValue(edit.maximum())
    assert preview.value() == preview.maximum()
    edit.setValue(edit.maximum() // 2)
    assert abs(preview.value() / preview.maximum() - 0.5) < 0.02
    viewport = split.app.item_view.preview.viewport()
    middle = QPointF(viewport.rect().center())
    wheel = QWheelEvent(
        middle, viewport.mapToGlobal(middle), QPoint(), QPoint(0, 1200), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    for _ in range(60):
        QApplication.sendEvent(viewport, wheel)
    assert preview.value() == 0
    assert edit.value() == 0


def test_a_long_text_is_rendered_when_it_is_saved(split: Desk) -> None:
    view = view_of(split)
    assert not view.note.isVisible()
    split.text.moveCursor(split.text.textCursor().MoveOperation.End)
    split.text.insertPlainText("\n\n" + "many words " * 10_000)
    split.type(split.text, "the end")
    split.save()
    assert split.app.item_view.preview.toPlainText().endswith("the end")
    assert view.note.isVisible()
    with split.qtbot.assertNotEmitted(split.app.item_view.preview.textChanged, wait=300):
        split.type(split.text, "!")
    assert split.app.item_view.preview.toPlainText().endswith("the end")


def test_a_narrow_window_has_the_rendering_below(split: Desk) -> None:
    assert view_of(split).orientation() == Qt.Orientation.Horizontal
    split.window.resize(split.window.minimumSize())
    split.until(lambda: view_of(split).width() >= 480 or view_of(split).orientation() == Qt.Orientation.Vertical)


def test_links_are_followed_by_key_and_mouse_and_back(split: Desk) -> None:
    split.put_caret("[[preferences:li")
    split.keys("Ctrl+Return")
    assert split.address == "preferences:likes-the-sea"
    split.keys("Alt+Left")
    assert split.address == "preferences:long"
    split.keys("Alt+Right")
    assert split.address == "preferences:likes-the-sea"
    split.keys("Alt+Left")
    point = split.put_caret("[[preferences:li")
    QTest.mouseClick(split.text.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, point)
    assert split.address == "preferences:likes-the-sea"


def test_hover_shows_what_a_link_leads_to_in_both(split: Desk) -> None:
    point = split.put_caret("[[preferences:li")
    words = hover(split.text.viewport(), point)
    assert "preferences:likes-the-sea" in words
    assert "海边" in words
    assert "no such item" in hover(split.text.viewport(), split.put_caret("[[no:wh"))
    preview = split.app.item_view.preview
    for found, expected in (("likes-the-sea", "海边"), ("no:where", "no such item")):
        cursor = preview.document().find(found)
        assert expected in hover(preview.viewport(), preview.cursorRect(cursor).center() - QPoint(8, 0))
    hover(preview.viewport(), QPoint(5, preview.viewport().height() - 5))
    split.until(lambda: not QToolTip.text())
