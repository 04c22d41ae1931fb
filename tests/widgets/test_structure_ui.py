"""Making, renaming and deleting from the window, by keys and mouse, and the way back."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from tests.engine.folders import fill
from tests.presentation.house import edit_outside
from tests.widgets.desk import Desk, dialog
from tests.widgets.small_memory import (
    LINKS_TO_SEA,
    PLANS,
    PREFS,
    STORE,
    enter,
    files,
    note,
    press,
    read,
    rows,
    select,
    settle,
)
from wikimem_desktop.engine.problems import Kind
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.widgets.naming import MovingDialog, NamingDialog, NewItemDialog, RenamingDialog
from wikimem_desktop.widgets.removal import RemovalDialog

# ------------------------------------------------------------ making


def test_a_new_item_is_named_in_the_category_of_what_is_open_and_then_written(notes: Desk) -> None:
    notes.open_item("prefs:tea")
    notes.text.setFocus()
    notes.keys("Ctrl+N")
    shown = dialog(NewItemDialog)
    assert shown.chosen == "prefs"
    assert not shown.agree.isEnabled()
    assert note(shown) == ""
    notes.type(shown.name, "手冲咖啡: no sugar")
    assert ":" in note(shown)
    assert shown.name.accessibleDescription() == note(shown)
    assert not shown.agree.isEnabled()
    enter(shown)
    assert shown.isVisible()
    shown.name.clear()
    notes.type(shown.name, "手冲咖啡 at home")
    assert note(shown) == ""
    enter(shown)
    settle(notes)
    assert notes.address == "prefs:手冲咖啡 at home"
    assert notes.window.focusWidget() is notes.text
    assert read(notes, "prefs").startswith(PREFS + "\n## 手冲咖啡 at home\n\n")
    assert notes.app.tree.selected == notes.buffer.place
    notes.type(notes.text, "每天")
    notes.save()
    assert "## 手冲咖啡 at home\n\n每天\n" in read(notes, "prefs")


def test_enter_and_escape_belong_to_the_input_method_while_it_composes(notes: Desk) -> None:
    notes.keys("Ctrl+N")
    shown = dialog(NewItemDialog)
    for field in (shown.name, shown.category):
        notes.type(shown.name, "x")
        field.setFocus()
        QApplication.sendEvent(field, QInputMethodEvent("he", []))
        for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            QTest.keyClick(field, key)
            assert shown.isVisible()
        decided = QInputMethodEvent()
        decided.setCommitString("")
        QApplication.sendEvent(field, decided)
    assert shown.typed == "xx"
    QTest.keyClick(shown.name, Qt.Key.Key_Escape)
    assert not shown.isVisible()


@pytest.mark.parametrize(
    ("name", "words"),
    [("a:b", "“:”"), ("a|b", "“|”"), ("#1", "“#”"), ("x]", "“]”"), ("tea", "taken"), ("Tea", "upper"), ("  ", "")],
)
def test_a_name_that_cannot_be_is_refused_while_it_is_typed(notes: Desk, name: str, words: str) -> None:
    """W10."""
    before = files(notes)
    notes.open_item("prefs:tea")
    notes.keys("Ctrl+N")
    shown = dialog(NewItemDialog)
    notes.type(shown.name, name)
    assert words in note(shown)
    enter(shown)
    press(shown.agree)
    assert shown.isVisible()
    press(shown.cancel)
    settle(notes)
    assert files(notes) == before


def test_a_name_that_differs_in_unicode_form_only_is_refused(notes: Desk) -> None:
    edit_outside(notes.path("prefs"), "## tea", "## caf\u00e9")
    notes.follow_disk()
    notes.keys("Ctrl+N")
    shown = dialog(NewItemDialog)
    shown.category.setCurrentText("prefs")
    notes.type(shown.name, "cafe\u0301")
    assert "looks the same" in note(shown)
    assert not shown.agree.isEnabled()
    shown.reject()


def test_a_new_item_may_make_its_category(notes: Desk) -> None:
    notes.keys("Ctrl+N")
    shown = dialog(NewItemDialog)
    notes.type(shown.name, "flying")
    field = shown.category.lineEdit()
    assert field is not None
    field.selectAll()
    notes.type(shown.category, "Ideas")
    assert shown.category_note.objectName() == "inlineError"
    assert not shown.agree.isEnabled()
    field.selectAll()
    notes.type(shown.category, "ideas")
    assert "new category" in shown.category_note.text()
    press(shown.agree)
    settle(notes)
    assert read(notes, "ideas").startswith("# ideas\n\n## flying\n")
    assert notes.address == "ideas:flying"


def test_a_new_category_is_selected_in_the_tree(notes: Desk) -> None:
    notes.open_item("prefs:tea")
    notes.keys("Ctrl+Shift+N")
    shown = dialog(NamingDialog)
    notes.type(shown.name, "Prefs")
    assert "a–z" in note(shown)
    shown.name.clear()
    notes.type(shown.name, "prefs")
    assert "taken" in note(shown)
    notes.type(shown.name, "_2")
    enter(shown)
    settle(notes)
    assert read(notes, "prefs_2") == "# prefs_2\n"
    assert notes.app.tree.selected == Place("category", "prefs_2")
    notes.follow_disk()
    assert notes.app.tree.selected == Place("category", "prefs_2")


def test_the_plus_in_the_caption_makes_an_item(notes: Desk) -> None:
    select(notes, "plans")
    press(notes.app.memory_actions.new_button)
    shown = dialog(NewItemDialog)
    assert shown.chosen == "plans"
    notes.type(shown.name, "swim")
    press(shown.agree)
    settle(notes)
    assert notes.address == "plans:swim"


def test_a_new_item_opens_in_the_write_view(notes: Desk) -> None:
    notes.open_item("prefs:tea")
    press(notes.app.item_view.header.read)
    notes.keys("Ctrl+N")
    shown = dialog(NewItemDialog)
    notes.type(shown.name, "new")
    enter(shown)
    notes.settle()
    assert notes.text.isVisible()
    assert notes.window.focusWidget() is notes.text


# ------------------------------------------------------------ renaming


def test_a_rename_lists_the_links_that_follow(notes: Desk) -> None:
    select(notes, "prefs", "sea")
    notes.keys("F2")
    shown = dialog(RenamingDialog)
    assert shown.typed == "sea"
    assert not shown.agree.isEnabled()
    notes.until(shown.links.isVisible)
    assert "3 links lead here, in 2 files" in shown.links.list.accessibleName()
    notes.type(shown.name, "海")
    rows = [shown.links.model.index(row).data() for row in range(shown.links.model.rowCount())]
    assert [row.split("\n")[0] for row in rows] == ["plans.md:5", "prefs.md:9"]
    assert rows[0].endswith("because [[prefs:海]], again [[prefs:海]]")
    enter(shown)
    settle(notes)
    assert read(notes, "prefs") == PREFS.replace("## sea", "## 海").replace("[[prefs:sea]]", "[[prefs:海]]")
    assert read(notes, "plans") == PLANS.replace("[[prefs:sea]]", "[[prefs:海]]")
    assert "3 links follow in 2 files." in notes.notice()
    assert notes.address == "prefs:海"
    assert notes.app.tree.selected == Place("item", "prefs", "海")
    notes.app.tree.tree.setFocus()
    notes.keys("Ctrl+Z")
    settle(notes)
    assert read(notes, "prefs") == PREFS
    assert notes.address == "prefs:sea"


def test_the_title_renames_at_once_what_no_link_leads_to(notes: Desk) -> None:
    notes.open_item("plans:walk")
    title = notes.app.item_view.header.name
    title.selectAll()
    notes.type(title, "long walk\n")
    settle(notes)
    assert QApplication.activeModalWidget() is None
    assert read(notes, "plans") == PLANS.replace("## walk", "## long walk")
    assert notes.address == "plans:long walk"


@pytest.mark.parametrize("answer", ["agree", "cancel"])
def test_the_title_asks_when_links_follow(notes: Desk, answer: str) -> None:
    notes.open_item("prefs:sea")
    title = notes.app.item_view.header.name
    title.selectAll()
    notes.type(title, "ocean\n")
    shown = dialog(RenamingDialog)
    assert shown.typed == "ocean"
    notes.until(lambda: shown.links.model.rowCount() == 2)
    press(getattr(shown, answer))
    settle(notes)
    renamed = PREFS.replace("## sea", "## ocean").replace("[[prefs:sea]]", "[[prefs:ocean]]")
    after = renamed if answer == "agree" else PREFS
    assert read(notes, "prefs") == after
    assert title.text() == ("ocean" if answer == "agree" else "sea")


def test_a_category_is_renamed_with_what_is_open_of_it(notes: Desk) -> None:
    notes.open_item("prefs:tea")
    notes.put_caret("green")
    notes.type(notes.text, "!")
    select(notes, "prefs")
    assert notes.address == "prefs:tea"
    notes.keys("F2")
    shown = dialog(RenamingDialog)
    notes.until(lambda: shown.links.model.rowCount() == 2)
    notes.type(shown.name, "Prefs")
    assert "a–z" in note(shown)
    shown.name.clear()
    notes.type(shown.name, "likes")
    enter(shown)
    settle(notes)
    assert not notes.path("prefs").exists()
    assert read(notes, "likes") == PREFS.replace("# prefs", "# likes", 1).replace("[[prefs:", "[[likes:")
    assert notes.address == "likes:tea"
    assert notes.buffer.dirty
    assert notes.app.tree.selected == Place("category", "likes")
    notes.app.documents.discard_all()


def test_only_letter_case_is_no_new_name_for_a_category(notes: Desk) -> None:
    """B06."""
    before = files(notes)
    select(notes, "prefs")
    notes.keys("F2")
    shown = dialog(NamingDialog)
    notes.type(shown.name, "Prefs")
    enter(shown)
    assert shown.isVisible()
    shown.reject()
    settle(notes)
    assert files(notes) == before


# ------------------------------------------------------------ deleting


def test_an_item_goes_at_once_when_it_can_be_brought_back_whole(notes: Desk) -> None:
    select(notes, "plans", "beach")
    notes.keys("Del")
    assert QApplication.activeModalWidget() is None
    settle(notes)
    assert read(notes, "plans") == PLANS[: PLANS.index("## beach")] + PLANS[PLANS.index("## walk") :]
    assert notes.notice() == "Deleted beach"
    assert notes.address == "plans:walk"
    assert notes.app.tree.selected == Place("item", "plans", "walk")
    assert notes.app.tree.tree.hasFocus()
    notes.keys("Ctrl+Z")
    settle(notes)
    assert read(notes, "plans") == PLANS
    assert notes.address == "plans:beach"
    assert notes.app.notices.current is None


def test_the_notice_brings_back_what_was_deleted(notes: Desk) -> None:
    select(notes, "plans", "walk")
    notes.keys("Del")
    notes.settle()
    buttons = notes.window.findChildren(QPushButton)
    press(next(button for button in buttons if button.isVisible() and button.text() == "Undo"))
    notes.settle()
    assert read(notes, "plans") == PLANS
    assert notes.address == "plans:walk"


@pytest.mark.parametrize("answer", ["delete", "cancel"])
def test_deleting_shows_who_links_here_first(notes: Desk, answer: str) -> None:
    before = files(notes)
    select(notes, "prefs", "sea")
    notes.keys("Del")
    shown = dialog(RemovalDialog)
    assert "“sea”" in shown.question.text()
    assert rows(shown.links.list) == LINKS_TO_SEA
    press(getattr(shown, answer))
    settle(notes)
    if answer == "cancel":
        assert files(notes) == before
        return
    assert "## sea" not in read(notes, "prefs")
    notes.app.tree.tree.setFocus()
    notes.keys("Ctrl+Z")
    settle(notes)
    assert files(notes) == before


def test_unsaved_text_is_asked_about_and_kept_among_the_drafts(notes: Desk) -> None:
    select(notes, "plans", "walk")
    notes.put_caret("north")
    notes.type(notes.text, " and south")
    select(notes, "plans", "walk")
    notes.app.tree.tree.setFocus()
    notes.keys("Del")
    shown = dialog(RemovalDialog)
    assert "unsaved" in " ".join(label.text() for label in shown.losses)
    press(shown.delete)
    settle(notes)
    assert "## walk" not in read(notes, "plans")
    assert [draft.text for draft in notes.app.drafts.kept()] == ["north", "north and south"]


def test_the_last_item_takes_its_file_along_and_comes_back_with_it(notes: Desk) -> None:
    """W08."""
    before = files(notes)
    select(notes, "solo", "only")
    notes.keys("Del")
    shown = dialog(RemovalDialog)
    assert "solo.md" in " ".join(label.text() for label in shown.losses)
    press(shown.delete)
    settle(notes)
    assert not notes.path("solo").exists()
    notes.app.tree.tree.setFocus()
    notes.keys("Ctrl+Z")
    settle(notes)
    assert files(notes) == before


def test_a_category_says_how_much_it_holds(notes: Desk) -> None:
    before = files(notes)
    select(notes, "prefs")
    notes.keys("Del")
    shown = dialog(RemovalDialog)
    assert "2 items" in " ".join(label.text() for label in shown.losses)
    assert len(rows(shown.links.list)) == 2
    press(shown.delete)
    settle(notes)
    assert not notes.path("prefs").exists()
    notes.app.tree.tree.setFocus()
    notes.keys("Ctrl+Z")
    settle(notes)
    assert files(notes) == before


def test_the_delete_key_deletes_a_character_where_one_writes(notes: Desk) -> None:
    notes.open_item("plans:walk")
    notes.put_caret("nor")
    notes.text.setFocus()
    notes.keys("Del")
    assert notes.buffer.text == "norh"
    notes.settle()
    assert read(notes, "plans") == PLANS
    notes.app.documents.discard_all()


# ------------------------------------------------------------ moving


def test_an_item_moves_to_another_category_with_its_links(notes: Desk) -> None:
    select(notes, "prefs", "sea")
    notes.keys("Ctrl+M")
    shown = dialog(MovingDialog)
    notes.until(shown.links.isVisible)
    notes.type(shown.name, "prefs")
    assert not shown.agree.isEnabled()
    shown.name.clear()
    notes.type(shown.name, "solo")
    enter(shown)
    settle(notes)
    assert read(notes, "solo") == "# solo\n\n## only\n\none\n\n## sea\n\nlikes it\n\n"
    assert read(notes, "prefs") == "# prefs\n\n## tea\n\n[[solo:sea]] green\n"
    assert read(notes, "plans") == PLANS.replace("[[prefs:sea]]", "[[solo:sea]]")
    assert notes.address == "solo:sea"
    notes.app.tree.tree.setFocus()
    notes.keys("Ctrl+Z")
    settle(notes)
    assert files(notes) == {name: str(text).encode() for name, text in STORE.items()}
    assert notes.address == "prefs:sea"


def test_an_unsaved_text_follows_the_rename_of_what_it_links_to(notes: Desk) -> None:
    notes.open_item("plans:beach")
    notes.put_caret("again")
    notes.type(notes.text, "and [[prefs:sea]] ")
    notes.open_item("prefs:sea")
    notes.app.structure.rename(Place("item", "prefs", "sea"), "ocean")
    settle(notes)
    notes.open_item("plans:beach")
    assert notes.buffer.dirty
    assert notes.buffer.conflict is None
    assert "sea" not in notes.buffer.text
    notes.save()
    settle(notes)
    assert read(notes, "plans").count("[[prefs:ocean]]") == 3
    assert not [p for p in notes.app.library.findings.problems if p.kind is Kind.UNRESOLVED_LINK]


def click_undo(desk: Desk) -> None:
    notice = desk.app.notices.current
    assert notice is not None
    for action in notice.actions:
        action.act()
    settle(desk)


def test_the_undo_of_a_notice_undoes_what_it_tells_of_and_nothing_else(notes: Desk) -> None:
    notes.app.structure.rename(Place("item", "prefs", "sea"), "ocean")
    settle(notes)
    assert notes.notice().startswith("prefs:sea is prefs:ocean now.")
    told = notes.app.notices.current
    assert told is not None
    notes.app.arrangement.duplicate([Place("item", "plans", "walk")])
    settle(notes)
    assert notes.app.notices.current is None
    told.actions[0].act()
    settle(notes)
    assert "## walk 2" in read(notes, "plans")
    assert "## ocean" in read(notes, "prefs")


def test_what_was_taken_back_is_told_without_an_undo_of_something_else(notes: Desk) -> None:
    before = files(notes)
    notes.app.arrangement.duplicate([Place("item", "plans", "walk")])
    settle(notes)
    copied = files(notes)
    notes.app.structure.rename(Place("item", "prefs", "sea"), "ocean")
    settle(notes)
    click_undo(notes)
    assert files(notes) == copied
    assert notes.notice().startswith("prefs:ocean is prefs:sea now.")
    click_undo(notes)
    assert files(notes) == copied
    notes.app.steps.undo()
    settle(notes)
    assert notes.app.notices.current is None
    assert files(notes) == before


def test_an_empty_memory_says_how_its_first_item_is_made(desk: Desk, tmp_path: Path) -> None:
    desk.open(fill(tmp_path / "store", {"prefs.md": PREFS}))
    shown = desk.app.item_view.stack.currentWidget()
    assert isinstance(shown, QLabel)
    assert shown.text() == "Choose an item in the memory."
    desk.path("prefs").unlink()
    desk.until(lambda: "Ctrl+N makes its first item" in shown.text())
