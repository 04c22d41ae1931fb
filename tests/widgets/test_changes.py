"""The Changes pane: what others did, kept, reverted and edited by keys."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from tests.presentation.house import edit_outside, write_outside
from tests.widgets.desk import Desk, dialog
from tests.widgets.small_memory import PLANS, PREFS, enter, read, select, settle
from wikimem_desktop.widgets.naming import RenamingDialog

LEFT = Qt.MouseButton.LeftButton


def rows(desk: Desk) -> list[str]:
    return [row.text for row in desk.app.changes_view.list.row_model.rows]


def show(desk: Desk, count: int) -> None:
    desk.until(lambda: len(desk.app.review.changes) == count)
    desk.window.docks.show_pane("changes")


def change_two(desk: Desk) -> None:
    edit_outside(desk.path("prefs"), "likes it", "hates it")
    edit_outside(desk.path("plans"), "north", "south")
    settle(desk)
    show(desk, 2)


def test_changes_by_others_are_counted_and_one_click_leads_to_them(notes: Desk) -> None:
    edit_outside(notes.path("prefs"), "likes it", "hates it")
    settle(notes)
    notes.until(lambda: "1 change by others" in notes.status())
    assert notes.window.docks.all["changes"].windowTitle() == "Changes 1"
    button = next(b for b in notes.app.status_bar.findChildren(QToolButton) if "by others" in b.text())
    QTest.mouseClick(button, LEFT)
    view = notes.app.changes_view
    notes.until(view.list.isVisible)
    assert notes.window.focusWidget() is view.list
    assert rows(notes) == ["±  prefs:sea"]
    assert "likes it" in view.texts.left.toPlainText()
    assert "hates it" in view.texts.right.toPlainText()


def test_keep_and_revert_by_keys(notes: Desk) -> None:
    change_two(notes)
    assert rows(notes) == ["±  plans:walk", "±  prefs:sea"]
    notes.keys("K")
    notes.until(lambda: rows(notes) == ["±  prefs:sea"])
    notes.keys("R")
    settle(notes)
    notes.until(lambda: rows(notes) == [])
    assert notes.app.changes_view.isAncestorOf(notes.window.focusWidget()), "the next key must not reach the text"
    assert read(notes, "prefs") == PREFS
    assert read(notes, "plans") == PLANS.replace("north", "south")
    assert notes.app.steps.undo_label == "Revert sea"
    notes.app.steps.undo()
    settle(notes)
    assert "hates it" in read(notes, "prefs")
    notes.until(lambda: rows(notes) == ["±  prefs:sea"])


def test_edit_opens_the_item_for_writing(notes: Desk) -> None:
    change_two(notes)
    notes.keys("Down")
    notes.keys("E")
    assert notes.address == "prefs:sea"
    assert notes.window.focusWidget() is notes.text


def test_all_are_kept_or_reverted_at_once(notes: Desk) -> None:
    change_two(notes)
    notes.answer("Yes")
    QTest.mouseClick(notes.app.changes_view.revert_all, LEFT)
    settle(notes)
    assert (read(notes, "prefs"), read(notes, "plans")) == (PREFS, PLANS)
    edit_outside(notes.path("prefs"), "likes it", "hates it")
    settle(notes)
    show(notes, 1)
    QTest.mouseClick(notes.app.changes_view.keep_all, LEFT)
    notes.until(lambda: rows(notes) == [])
    assert "hates it" in read(notes, "prefs")


def test_the_journal_tells_who_did_it(notes: Desk) -> None:
    edit_outside(notes.path("prefs"), "likes it", "hates it")
    with notes.path("prefs").with_name("journal.jsonl").open("a", encoding="utf-8") as journal:
        journal.write('{"ts": "2099-01-01T00:00:00Z", "category": "prefs", "item": "sea", "source_conv": "conv_7"}\n')
    settle(notes)
    show(notes, 1)
    assert notes.app.changes_view.who.text().startswith("conv_7 · ")


def test_in_a_read_only_memory_changes_can_be_kept_but_not_reverted(notes: Desk) -> None:
    path = notes.path("prefs")
    notes.open(path.parent, read_only=True)
    edit_outside(path, "likes it", "hates it")
    settle(notes)
    show(notes, 1)
    view = notes.app.changes_view
    assert not view.revert.isEnabled()
    assert not view.revert_all.isEnabled()
    notes.keys("R")
    notes.keys("K")
    notes.until(lambda: rows(notes) == [])
    assert "hates it" in path.read_text(encoding="utf-8")


def test_what_was_changed_again_before_reverting_is_told_and_stays(notes: Desk) -> None:
    change_two(notes)
    notes.app.watcher.stop()
    edit_outside(notes.path("plans"), "south", "west")
    notes.keys("R")
    notes.until(lambda: notes.app.notices.current is not None)
    assert "changed meanwhile" in notes.notice()
    assert "west" in read(notes, "plans")


def test_the_prose_of_a_file_is_edited_in_the_file(notes: Desk) -> None:
    edit_outside(notes.path("prefs"), "# prefs\n", "# prefs\n\nsome prose\n")
    settle(notes)
    show(notes, 1)
    assert rows(notes) == ["±  prefs:the text above its items"]
    notes.keys("E")
    assert notes.text.toPlainText().startswith("# prefs\n\nsome prose\n")


def test_own_edits_are_no_changes_by_others(notes: Desk) -> None:
    notes.open_item("prefs:sea")
    notes.type(notes.text, "x")
    notes.save()
    settle(notes)
    notes.app.structure.rename(notes.buffer.place, "ocean")
    settle(notes)
    assert notes.app.review.changes == []


def test_a_rename_leaves_what_others_added_in_the_list(notes: Desk) -> None:
    path = notes.path("plans")
    write_outside(path, path.read_bytes() + b"\n## driver\n\nasks for [[prefs:sea]]\n")
    settle(notes)
    show(notes, 1)
    assert rows(notes) == ["+  plans:driver"]
    select(notes, "prefs", "sea")
    notes.keys("F2")
    shown = dialog(RenamingDialog)
    shown.name.clear()
    notes.type(shown.name, "ocean")
    enter(shown)
    settle(notes)
    assert "asks for [[prefs:ocean]]" in read(notes, "plans")
    assert rows(notes) == ["+  plans:driver"]
    notes.window.docks.show_pane("changes")
    notes.app.changes_view.list.setFocus()
    notes.keys("R")
    settle(notes)
    notes.until(lambda: rows(notes) == [])
    assert "driver" not in read(notes, "plans")
    notes.app.tree.tree.setFocus()
    notes.keys("Ctrl+Z")
    settle(notes)
    notes.until(lambda: rows(notes) == ["+  plans:driver"])
