"""Duplicates, splitting, repairs and undo from the window: what is written, and the way back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from tests.engine.folders import fill
from tests.widgets.desk import Desk, dialog
from tests.widgets.small_memory import LEFT, PLANS, STORE, enter, files, note, press, read, select, settle
from wikimem_desktop.engine.problems import Kind
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.presentation.problems_model import ProblemRole
from wikimem_desktop.widgets.naming import NamingDialog, NewItemDialog
from wikimem_desktop.widgets.removal import RemovalDialog

# ------------------------------------------------------------ duplicates and what others find odd


def test_sections_of_one_name_are_told_apart_and_can_be_settled(notes: Desk) -> None:
    before = files(notes)
    bar = notes.app.item_view.note_bar
    notes.app.documents.open(Place("shadowed", "twice", "a", 0))
    assert bar.rename.isVisible()
    press(bar.rename)
    shown = dialog(NamingDialog)
    assert not shown.agree.isEnabled()
    notes.type(shown.name, "a before")
    enter(shown)
    settle(notes)
    assert read(notes, "twice") == str(STORE["twice.md"]).replace("## a", "## a before", 1)
    assert notes.address == "twice:a before"
    assert notes.buffer.editable
    assert not bar.isVisible()
    notes.app.tree.tree.setFocus()
    notes.keys("Ctrl+Z")
    settle(notes)
    assert files(notes) == before
    assert notes.buffer.place == Place("shadowed", "twice", "a", 0)
    press(bar.delete)
    settle(notes)
    assert read(notes, "twice") == "# twice\n\n## b\n\nmore\n\n## a\n\nsecond\n"
    notes.keys("Ctrl+Z")
    settle(notes)
    assert files(notes) == before


def test_deleting_an_item_says_that_hidden_sections_of_its_name_go_too(notes: Desk) -> None:
    select(notes, "twice", "a")
    notes.keys("Del")
    shown = dialog(RemovalDialog)
    assert "1 section of that name" in " ".join(label.text() for label in shown.losses)
    shown.reject()


def test_an_item_is_split_at_its_headings_from_the_bar(notes: Desk) -> None:
    notes.open_item("plans:beach")
    bar = notes.app.item_view.unstorable_bar
    notes.text.selectAll()
    notes.type(notes.text, "sand\n\n## tea\n\nhot\n\n## walk\n")
    assert not bar.split.isEnabled()
    assert "walk is taken" in bar.text
    notes.type(notes.text, "x")
    notes.put_caret("## walk")
    notes.type(notes.text, "s")
    assert bar.split.isEnabled()
    assert "split" not in bar.text
    press(bar.split)
    settle(notes)
    assert [leaf for leaf in notes.leaves() if leaf.startswith("plans")] == [
        "plans:beach", "plans:tea", "plans:walks", "plans:walk",
    ]  # fmt: skip
    assert notes.address == "plans:beach"
    assert notes.buffer.text == "sand"
    written = re.sub(r"<!-- wikimem: ts=[^ ]+ -->", "(now)", read(notes, "plans"))
    new = "## beach\n\nsand\n\n## tea\n\nhot\n\n(now)\n\n## walks\n\nx\n\n(now)\n\n"
    assert written == PLANS[: PLANS.index("## beach")] + new + PLANS[PLANS.index("## walk") :]
    notes.app.tree.tree.setFocus()
    notes.keys("Ctrl+Z")
    settle(notes)
    assert read(notes, "plans") == PLANS


@pytest.mark.parametrize(("heading", "words"), [("## a:b\n", "“a:b”: A name can't"), ("## new\n\n## New\n", "upper")])
def test_a_heading_that_can_be_no_item_keeps_from_splitting(notes: Desk, heading: str, words: str) -> None:
    notes.open_item("plans:beach")
    bar = notes.app.item_view.unstorable_bar
    notes.text.selectAll()
    notes.type(notes.text, f"sand\n\n{heading}")
    assert not bar.split.isEnabled()
    assert bar.escape.isEnabled()
    assert words in bar.text
    notes.app.documents.discard_all()


# ------------------------------------------------------------ problems


FENCE = "```\n## fenced\n<!-- wikimem: owner=x -->\n```\n"
ODD = f"\ufeff## hidden\n\nunder a mark\n\n## a\n\n{FENCE}\n[[odd:new one]] [[odd:a#b]]\n"


def fix(desk: Desk, kind: Kind, number: int = 0) -> None:
    """Ctrl+Enter on a row of the problems pane."""
    model, view = desk.app.problems_model, desk.app.problems_view
    found = [model.index(row) for row in range(model.rowCount())]
    view.setCurrentIndex([row for row in found if row.data(ProblemRole.PROBLEM).kind is kind][number])
    desk.key(view, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)


@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [
        (Kind.BOM_BEFORE_HEADING, "\ufeff##", "\ufeff\n##"),
        (Kind.HEADING_IN_FENCE, "## fenced", " ## fenced"),
        (Kind.METADATA_IN_FENCE, "<!--", "\\<!--"),
    ],
)
def test_a_fix_changes_what_it_must_and_can_be_undone(
    desk: Desk, tmp_path: Path, kind: Kind, before: str, after: str
) -> None:
    path = fill(tmp_path / "store", {"odd.md": ODD}) / "odd.md"
    desk.open(path.parent)
    fix(desk, kind)
    settle(desk)
    assert path.read_bytes().decode() == ODD.replace(before, after, 1)
    assert kind not in {problem.kind for problem in desk.app.problems_model.problems}
    desk.app.problems_view.setFocus()
    desk.keys("Ctrl+Z")
    settle(desk)
    assert path.read_bytes().decode() == ODD


def test_the_item_that_a_link_lacks_is_made_or_asked_about(desk: Desk, tmp_path: Path) -> None:
    path = fill(tmp_path / "store", {"odd.md": ODD}) / "odd.md"
    desk.open(path.parent)
    fix(desk, Kind.UNRESOLVED_LINK, 1)
    shown = dialog(NewItemDialog)
    assert (shown.chosen, shown.typed) == ("odd", "a#b")
    assert "#" in note(shown)
    shown.reject()
    fix(desk, Kind.UNRESOLVED_LINK, 0)
    settle(desk)
    assert desk.address == "odd:new one"
    assert desk.window.focusWidget() is desk.text
    assert "\n## new one\n" in path.read_bytes().decode()


def test_a_link_that_leads_nowhere_offers_its_item_when_it_is_followed(notes: Desk) -> None:
    notes.open_item("plans:walk")
    notes.put_caret("north")
    notes.type(notes.text, " [[plans:南]]")
    notes.key(notes.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert "plans:南" in notes.notice()
    buttons = notes.window.findChildren(QPushButton)
    press(next(button for button in buttons if button.isVisible() and button.text() == "Create item"))
    settle(notes)
    assert notes.address == "plans:南"
    assert notes.app.notices.current is None
    notes.app.documents.discard_all()


@pytest.mark.parametrize("way", ["click", "keys"])
def test_the_playground_makes_the_item_that_a_link_of_the_run_lacks(sample: Desk, way: str) -> None:
    sample.run("想去海边玩", budget=None)
    view, row = sample.app.panel.view, sample.row(str)
    assert "Create" in row.data(Qt.ItemDataRole.AccessibleDescriptionRole)
    if way == "click":
        view.scrollTo(row)
        QTest.mouseClick(view.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, view.fix_rect(row).center())
    else:
        view.setCurrentIndex(row)
        sample.key(view, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    settle(sample)
    assert sample.address == "travel:海边民宿"
    assert "\n## 海边民宿\n" in sample.path("travel").read_bytes().decode()
    sample.newest_run()
    assert not any("海边民宿" in card and "Not found" in card for card in sample.cards())


def test_elsewhere_on_the_row_a_click_leads_to_the_link(sample: Desk) -> None:
    sample.run("想去海边玩", budget=None)
    sample.click(sample.app.panel.view, sample.row(str))
    assert sample.address == "preferences:likes-the-sea"


# ------------------------------------------------------------ undo in each pane


def test_the_edit_menu_undoes_what_has_the_focus(notes: Desk) -> None:
    undo, redo = notes.app.undo_actions.undo, notes.app.undo_actions.redo
    assert not undo.isEnabled()
    select(notes, "plans", "walk")
    notes.keys("Del")
    notes.settle()
    assert (undo.text(), undo.isEnabled(), redo.isEnabled()) == ("&Undo Delete walk", True, False)
    notes.open_item("plans:beach")
    notes.put_caret("because")
    notes.type(notes.text, "!")
    notes.window.menus.edit.aboutToShow.emit()
    assert (undo.text(), undo.isEnabled()) == ("&Undo", True)
    undo.trigger()
    assert "because!" not in notes.buffer.text
    notes.window.menus.edit.aboutToShow.emit()
    assert (undo.isEnabled(), redo.isEnabled()) == (False, True)
    redo.trigger()
    assert "because!" in notes.buffer.text
    notes.type(notes.app.panel.query_box, "abc")
    notes.window.menus.edit.aboutToShow.emit()
    assert (undo.text(), undo.isEnabled()) == ("&Undo", True)
    undo.trigger()
    assert notes.app.panel.query_box.text() == ""
    notes.app.tree.tree.setFocus()
    assert undo.text() == "&Undo Delete walk"
    undo.trigger()
    notes.settle()
    assert read(notes, "plans") == PLANS
    assert (redo.text(), redo.isEnabled(), undo.isEnabled()) == ("&Redo Delete walk", True, False)
    redo.trigger()
    notes.settle()
    assert "## walk" not in read(notes, "plans")
    notes.app.documents.discard_all()


def test_the_edit_menu_works_by_mouse_in_the_text(notes: Desk) -> None:
    notes.open_item("plans:beach")
    notes.put_caret("because")
    notes.type(notes.text, "!")
    menu, undo = notes.window.menus.edit, notes.app.undo_actions.undo
    menu.popup(notes.window.mapToGlobal(notes.window.rect().center()))
    assert menu.actions()[0] is undo
    QTest.mouseClick(menu, LEFT, Qt.KeyboardModifier.NoModifier, menu.actionGeometry(undo).center())
    assert "because!" not in notes.buffer.text
    assert not notes.buffer.dirty


def test_undo_in_the_text_leaves_the_memory_alone(notes: Desk) -> None:
    select(notes, "plans", "walk")
    notes.keys("Del")
    notes.settle()
    gone = read(notes, "plans")
    notes.open_item("plans:beach")
    notes.text.setFocus()
    notes.keys("Ctrl+Z")
    notes.settle()
    assert read(notes, "plans") == gone
