"""Several items at once, copies, order, splitting and merging: by keys, each one step that can be undone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.widgets.desk import Desk, dialog
from tests.widgets.small_memory import PLANS, PREFS, STORE, enter, files, press, read, select, settle
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.widgets.memory_rows import Drop
from wikimem_desktop.widgets.naming import MergingDialog, MovingDialog, NamingDialog
from wikimem_desktop.widgets.removal import RemovalDialog

SEA, TEA = Place("item", "prefs", "sea"), Place("item", "prefs", "tea")
BEFORE = {name: str(text).encode() for name, text in STORE.items()}


@pytest.fixture
def two(notes: Desk) -> Desk:
    """The two items of a category are selected."""
    select(notes, "prefs", "sea")
    QTest.keySequence(notes.app.tree.tree, "Shift+Down")
    assert notes.app.tree.selection == [SEA, TEA]
    return notes


def undo(desk: Desk) -> None:
    desk.app.tree.tree.setFocus()
    desk.keys("Ctrl+Z")
    settle(desk)


def test_several_items_are_deleted_in_one_step(two: Desk) -> None:
    two.keys("Delete")
    shown = dialog(RemovalDialog)
    assert "2 items" in shown.question.text()
    assert shown.links.list.count() == 2, "the link of one to the other goes too"
    press(shown.delete)
    settle(two)
    assert not two.path("prefs").exists()
    undo(two)
    assert files(two) == BEFORE


def test_several_items_move_in_one_step(two: Desk) -> None:
    two.keys("Ctrl+M")
    shown = dialog(MovingDialog)
    two.type(shown.name, "plans")
    enter(shown)
    settle(two)
    assert not two.path("prefs").exists()
    assert "## tea\n\n[[plans:sea]] green" in read(two, "plans")
    assert "2 items are in plans now." in two.notice()
    undo(two)
    assert files(two) == BEFORE


def test_links_of_several_items_are_copied_line_by_line(two: Desk) -> None:
    two.app.memory_actions.copy_link.trigger()
    assert QGuiApplication.clipboard().text() == "[[prefs:sea]]\n[[prefs:tea]]"


def test_a_copy_stands_behind_its_original_and_is_open(notes: Desk) -> None:
    select(notes, "prefs", "sea")
    notes.keys("Ctrl+D")
    settle(notes)
    assert read(notes, "prefs") == PREFS.replace("## tea", "## sea 2\n\nlikes it\n\n## tea")
    assert notes.address == "prefs:sea 2"
    undo(notes)
    assert files(notes) == BEFORE


def test_an_item_goes_down_and_up_in_its_file(notes: Desk) -> None:
    select(notes, "prefs", "sea")
    actions = notes.app.memory_actions
    assert (actions.up.isEnabled(), actions.down.isEnabled()) == (False, True)
    notes.keys("Alt+Down")
    settle(notes)
    assert read(notes, "prefs").index("## tea") < read(notes, "prefs").index("## sea")
    assert notes.app.tree.selected == SEA
    notes.keys("Alt+Up")
    settle(notes)
    assert read(notes, "prefs").index("## sea") < read(notes, "prefs").index("## tea")
    undo(notes)
    undo(notes)
    assert files(notes) == BEFORE


@pytest.mark.parametrize("read_only", [False, True])
def test_what_can_not_go_further_stays_selected_and_nothing_else_goes(notes: Desk, read_only: bool) -> None:
    if read_only:
        notes.open(notes.path("prefs").parent, read_only=True)
    select(notes, "plans", "beach")
    for keys in ("Alt+Up", "Alt+Left", "Alt+Down", "Alt+Down", "Alt+Down"):
        notes.keys(keys)
        settle(notes)
        assert notes.app.tree.selected == Place("item", "plans", "beach")
    assert files(notes)["prefs.md"] == BEFORE["prefs.md"]
    assert (read(notes, "plans").index("## walk") < read(notes, "plans").index("## beach")) is not read_only


@pytest.mark.parametrize("text", ["", "from a link"])
def test_undoing_what_was_made_leads_back_to_what_was_open_before(notes: Desk, text: str) -> None:
    select(notes, "prefs", "sea")
    if text:
        notes.app.memory_actions.create_rendered("[[prefs:new]]")
    else:
        notes.keys("Ctrl+D")
    settle(notes)
    assert notes.address in ("prefs:sea 2", "prefs:new")
    undo(notes)
    assert notes.address == "prefs:sea"
    assert notes.app.tree.selected == SEA


def test_two_items_are_merged_and_links_follow(two: Desk) -> None:
    two.app.memory_actions.merge.trigger()
    shown = dialog(MergingDialog)
    assert "“sea” behind that of “tea”" in shown.question.text()
    two.until(shown.links.isVisible)
    press(shown.agree)
    settle(two)
    assert read(two, "prefs") == "# prefs\n\n## tea\n\n[[prefs:tea]] green\n\nlikes it\n"
    assert read(two, "plans") == PLANS.replace("prefs:sea", "prefs:tea")
    assert two.address == "prefs:tea"
    undo(two)
    assert files(two) == BEFORE


def test_what_goes_with_a_merged_item_is_said_first(notes: Desk) -> None:
    notes.app.memory_actions.ask_to_merge(TEA, [Place("item", "twice", "a")])
    shown = dialog(MergingDialog)
    assert [label.text() for label in shown.losses] == ["1 section of that name that hosts ignore goes too."]
    shown.reject()
    assert files(notes) == BEFORE


def test_the_open_text_is_split_at_the_caret(notes: Desk) -> None:
    notes.open_item("prefs:sea")
    notes.put_caret("likes ")
    notes.keys("Ctrl+Alt+Return")
    shown = dialog(NamingDialog)
    notes.type(shown.name, "tea")
    assert not shown.agree.isEnabled()
    shown.name.clear()
    notes.type(shown.name, "what")
    enter(shown)
    settle(notes)
    assert "## sea\n\nlikes\n\n## what\n\nit\n" in read(notes, "prefs")
    undo(notes)
    assert files(notes) == BEFORE


def test_what_is_dropped_on_a_category_moves_there_and_between_items_it_is_reordered(notes: Desk) -> None:
    select(notes, "prefs", "sea")
    notes.app.tree.dropped.emit(Drop(Place("category", "solo"), between=False, before=None))
    shown = dialog(MovingDialog)
    assert shown.typed == "solo"
    shown.reject()
    notes.app.tree.dropped.emit(Drop(TEA, between=True, before=None))
    settle(notes)
    assert read(notes, "prefs").index("## tea") < read(notes, "prefs").index("## sea")
    undo(notes)
    assert files(notes) == BEFORE


def test_items_with_unsaved_text_are_not_merged(two: Desk) -> None:
    two.open_item("prefs:sea")
    two.type(two.text, "x")
    two.app.arrangement.merge(TEA, [SEA])
    settle(two)
    assert "prefs:sea holds unsaved text" in two.notice()
    assert files(two) == BEFORE
    two.app.documents.discard_all()


def test_rows_of_items_can_be_dragged_and_no_others(notes: Desk) -> None:
    model = notes.app.memory_model
    item, category = model.find("prefs", "sea"), model.find("prefs", "")
    assert model.flags(item) & Qt.ItemFlag.ItemIsDragEnabled
    assert not model.flags(category) & Qt.ItemFlag.ItemIsDragEnabled
