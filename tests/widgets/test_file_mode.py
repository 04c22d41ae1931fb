"""The switch between an item and its whole file, and what keeps a person in the file."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest

from tests.engine.messy import files
from tests.presentation.house import edit_outside
from tests.widgets.desk import Desk
from tests.widgets.small_memory import LEFT, PREFS, press, read, select, settle
from tests.widgets.test_exact_bytes import KEYS, Typist, own_files
from tests.widgets.test_exact_bytes import typist as typist
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.presentation.memory_model import Role

FILE = Place("text", "prefs")
KEY = "Ctrl+Shift+I"


def test_the_key_leads_to_the_file_and_back_with_caret_and_unsaved_text(notes: Desk) -> None:
    notes.open_item("prefs:tea")
    notes.put_caret("green")
    notes.type(notes.text, " leaves")
    notes.keys(KEY)
    assert notes.buffer.place == FILE
    assert notes.caret_behind() == "n leaves"
    assert notes.app.item_view.header.file.isChecked()
    assert notes.app.file_mode.action.isChecked()
    assert notes.app.item_view.header.name.text() == "prefs.md"
    assert not notes.app.item_view.footer.owner.isVisible()
    notes.type(notes.text, "!")
    notes.keys(KEY)
    assert notes.address == "prefs:tea"
    assert notes.buffer.text == "[[prefs:sea]] green leaves!"
    assert notes.caret_behind() == " leaves!"
    assert notes.app.item_view.header.item.isChecked()
    notes.save()
    assert read(notes, "prefs") == PREFS.replace("green", "green leaves!")


def test_the_switch_in_the_header_does_the_same(notes: Desk) -> None:
    notes.open_item("prefs:sea")
    press(notes.app.item_view.header.file)
    assert notes.buffer.place == FILE
    assert notes.app.tree.selected == Place("item", "prefs", "sea")
    press(notes.app.item_view.header.item)
    assert notes.address == "prefs:sea"


def test_an_item_that_waits_for_a_decision_says_so(notes: Desk) -> None:
    notes.open_item("prefs:tea")
    notes.type(notes.text, "\n## split\n")
    press(notes.app.item_view.header.file)
    assert notes.address == "prefs:tea"
    assert notes.app.item_view.header.item.isChecked()
    assert notes.app.item_view.unstorable_bar.isVisible()


@pytest.mark.parametrize("opening", ["double click", "Return"])
def test_a_category_row_opens_its_file(notes: Desk, opening: str) -> None:
    tree, index = notes.app.tree.tree, notes.app.memory_model.find("plans")
    place = tree.visualRect(index).center()
    if opening == "Return":
        tree.setFocus()
        tree.setCurrentIndex(index)
        notes.keys("Return")
    else:
        QTest.mouseClick(tree.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, QPoint(place))
        QTest.mouseDClick(tree.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, QPoint(place))
    assert notes.buffer.place == Place("text", "plans")


def test_prose_that_is_not_saved_keeps_the_person_in_the_file(notes: Desk) -> None:
    assert notes.app.documents.open(FILE)
    notes.text.moveCursor(QTextCursor.MoveOperation.Start)
    notes.type(notes.text, "# our ")
    select(notes, "prefs", "tea")
    bar = notes.app.item_view.file_bar
    assert notes.buffer.place == FILE
    assert bar.isVisible()
    assert "tea" in bar.text
    assert notes.text.textCursor().block().text() == "[[prefs:sea]] green"
    assert notes.app.tree.selected == Place("item", "prefs", "tea")
    press(bar.save)
    notes.until(lambda: notes.address == "prefs:tea")
    assert not bar.isVisible()
    assert read(notes, "prefs") == "# our " + PREFS


def test_the_unsaved_file_can_be_given_up_and_found_among_the_drafts(notes: Desk) -> None:
    assert notes.app.documents.open(FILE)
    notes.type(notes.text, "## new\n")
    select(notes, "prefs", "tea")
    press(notes.app.item_view.file_bar.discard)
    notes.until(lambda: notes.address == "prefs:tea")
    notes.settle()
    assert read(notes, "prefs") == PREFS
    assert [(draft.place, draft.text) for draft in notes.app.drafts.kept()] == [(FILE, "## new\n" + PREFS)]
    notes.app.drafts.bring_back(notes.app.drafts.kept()[0])
    assert (notes.buffer.place, notes.buffer.text) == (FILE, "## new\n" + PREFS)


def test_the_tree_marks_the_items_of_an_unsaved_file(notes: Desk) -> None:
    model = notes.app.memory_model
    assert notes.app.documents.open(FILE)
    notes.put_caret("likes it")
    notes.type(notes.text, "!")
    notes.until(lambda: model.data(model.find("prefs", "sea"), Role.UNSAVED))
    assert not model.data(model.find("prefs", "tea"), Role.UNSAVED)
    notes.put_caret("green")
    notes.type(notes.text, "!")
    notes.until(lambda: model.data(model.find("prefs", "tea"), Role.UNSAVED))
    notes.save()
    assert not model.data(model.find("prefs", "sea"), Role.UNSAVED)


def test_prose_marks_the_category(notes: Desk) -> None:
    model = notes.app.memory_model
    assert notes.app.documents.open(FILE)
    notes.type(notes.text, "# our ")
    notes.until(lambda: model.data(model.find("prefs"), Role.UNSAVED))


def test_a_conflict_in_the_file_shows_the_bar(notes: Desk) -> None:
    assert notes.app.documents.open(FILE)
    notes.put_caret("green")
    notes.type(notes.text, " mine")
    edit_outside(notes.path("prefs"), "green", "theirs")
    settle(notes)
    bar = notes.app.item_view.conflict_bar
    assert bar.isVisible()
    press(bar.compare)
    assert notes.app.item_view.conflict_view.isVisible()
    press(bar.keep_mine)
    settle(notes)
    assert read(notes, "prefs") == PREFS.replace("green", "green mine")


def test_a_typed_character_is_all_that_changes_in_a_whole_file(typist: Typist) -> None:
    @given(files() | own_files, st.data(), st.sampled_from(KEYS))
    @settings(max_examples=110, deadline=None)
    def check(file: bytes, data: st.DataObject, key: str) -> None:
        typist.open_file(file)
        text = file.decode()
        assert typist.desk.buffer.text == text
        at = typist.put_caret(data)
        new = text[:at] + typist.type(key) + text[at:]
        assert typist.desk.buffer.text == new
        typist.desk.keys("Ctrl+Z")
        assert typist.desk.buffer.text == text
        assert typist.save() == file
        typist.desk.keys("Ctrl+Shift+Z")
        assert typist.save() == new.encode()
        assert not typist.desk.app.documents.unsaved
        typist.done()

    check()
