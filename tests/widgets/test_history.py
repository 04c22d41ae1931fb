"""The History pane: versions of the open item and its file, what is gone, and the way back."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.presentation.house import edit_outside
from tests.widgets.desk import Desk
from tests.widgets.small_memory import PREFS, read, settle
from wikimem_desktop.engine.versions import GoneItem, text_of
from wikimem_desktop.presentation.buffer import Place

LEFT = Qt.MouseButton.LeftButton


def show(desk: Desk) -> None:
    desk.window.docks.show_pane("history")
    desk.until(desk.app.history_view.list.isVisible)


def versions(desk: Desk) -> list[str | None]:
    recorder = desk.app.history.recorder
    assert recorder is not None
    values = [row.value for row in desk.app.history_view.list.row_model.rows]
    return [v.text if isinstance(v, GoneItem) else text_of(recorder.history, v.digest, v.name) for v in values]  # type: ignore[attr-defined]


def test_the_versions_of_the_open_item_are_listed_and_one_is_restored(notes: Desk) -> None:
    notes.open_item("prefs:sea")
    notes.put_caret("likes")
    notes.type(notes.text, "really ")
    typed = notes.buffer.text
    notes.save()
    settle(notes)
    show(notes)
    view = notes.app.history_view
    notes.until(lambda: versions(notes) == [typed, "likes it"])
    assert "this app" in view.list.row_model.rows[0].detail
    assert "outside" in view.list.row_model.rows[1].detail
    assert not view.restore.isEnabled()
    view.list.setFocus()
    notes.keys("Down")
    notes.until(lambda: view.texts.right.toPlainText() == "likes it")
    view.against_now.click()
    notes.until(lambda: view.texts.right.toPlainText() == typed)
    assert view.texts.left.toPlainText() == "likes it"
    QTest.mouseClick(view.copy, LEFT)
    assert QGuiApplication.clipboard().text() == "likes it"
    QTest.mouseClick(view.restore, LEFT)
    settle(notes)
    assert read(notes, "prefs") == PREFS
    assert notes.buffer.text == "likes it"
    assert notes.app.steps.undo_label == "Restore sea"
    notes.app.steps.undo()
    settle(notes)
    assert typed in read(notes, "prefs")


def test_an_item_deleted_outside_is_found_and_brought_back(notes: Desk) -> None:
    edit_outside(notes.path("prefs"), "## sea\n\nlikes it\n\n", "")
    settle(notes)
    notes.window.docks.show_pane("history")
    view = notes.app.history_view
    QTest.mouseClick(view.gone_button, LEFT)
    notes.until(lambda: versions(notes) == ["likes it"])
    assert view.list.row_model.rows[0].text == "prefs:sea"
    view.filter_box.setFocus()
    notes.type(view.filter_box, "nothing like it")
    assert versions(notes) == []
    assert view.filter_box.isVisible()
    view.filter_box.clear()
    notes.type(view.filter_box, "likes")
    view.list.setFocus()
    gone = read(notes, "prefs")
    notes.keys("Return")
    settle(notes)
    assert view.texts.left.hasFocus()
    assert read(notes, "prefs") == gone
    notes.keys("Ctrl+Return")
    settle(notes)
    assert read(notes, "prefs") == PREFS
    assert notes.address == "prefs:sea"


def test_a_whole_file_is_restored(notes: Desk) -> None:
    notes.open_item("prefs:tea")
    edit_outside(notes.path("prefs"), "likes it", "spoilt")
    settle(notes)
    show(notes)
    view = notes.app.history_view
    QTest.mouseClick(view.file_button, LEFT)
    notes.until(lambda: versions(notes)[1:] == [PREFS])
    view.list.setFocus()
    notes.keys("Down")
    QTest.mouseClick(view.restore, LEFT)
    settle(notes)
    assert read(notes, "prefs") == PREFS


def test_enter_on_a_version_shows_what_changed_and_writes_nothing(notes: Desk) -> None:
    notes.open_item("prefs:sea")
    edit_outside(notes.path("prefs"), "likes it", "spoilt")
    settle(notes)
    show(notes)
    view = notes.app.history_view
    notes.until(lambda: versions(notes) == ["spoilt", "likes it"])
    view.list.setFocus()
    notes.keys("Down")
    QTest.mouseDClick(view.list.viewport(), LEFT, pos=view.list.visualRect(view.list.currentIndex()).center())
    notes.keys("Return")
    settle(notes)
    assert view.texts.right.hasFocus()
    assert "spoilt" in read(notes, "prefs")
    assert notes.app.steps.undo_label == ""
    notes.keys("Ctrl+Return")
    settle(notes)
    assert read(notes, "prefs") == PREFS


def test_a_damaged_file_is_restored_and_its_bytes_come_back_with_undo(notes: Desk) -> None:
    damaged = b"# prefs\n\n## sea\n\n\xff\n"
    notes.path("prefs").write_bytes(damaged)
    settle(notes)
    assert notes.app.documents.open(Place("file", "prefs"))
    show(notes)
    view = notes.app.history_view
    notes.until(lambda: len(versions(notes)) == 2)
    view.list.setFocus()
    notes.keys("Down")
    notes.keys("Ctrl+Return")
    settle(notes)
    assert read(notes, "prefs") == PREFS
    notes.app.tree.tree.setFocus()
    notes.keys("Ctrl+Z")
    settle(notes)
    assert notes.path("prefs").read_bytes() == damaged


def test_nothing_is_asked_while_the_pane_is_closed(notes: Desk) -> None:
    notes.window.docks.all["history"].close()
    asked = []
    notes.app.history.answered.connect(lambda request, found: asked.append(request))
    notes.open_item("prefs:sea")
    settle(notes)
    assert asked == []
