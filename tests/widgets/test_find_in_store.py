"""Find in store: every file is searched, a line leads to its item, results follow the disk."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.presentation.house import edit_outside
from tests.widgets.desk import Desk
from tests.widgets.small_memory import settle
from wikimem_desktop.widgets.find_in_store import FindInStore

LEFT = Qt.MouseButton.LeftButton


def rows(desk: Desk) -> list[str]:
    found = desk.app.find_in_store.list.row_model.rows
    return [" ".join(found[number].text.split()) for number in range(len(found))]


def find(desk: Desk, text: str) -> FindInStore:
    desk.keys("Ctrl+Shift+F")
    view = desk.app.find_in_store
    desk.until(view.field.hasFocus)
    desk.type(view.field, text)
    desk.until(lambda: desk.app.store_search.search.text == text and not desk.app.store_search.searching)
    return view


def test_lines_of_all_files_are_found_and_enter_leads_to_the_match(notes: Desk) -> None:
    view = find(notes, "SEA")
    assert rows(notes) == [
        "plans.md", "5 because [[prefs:sea]], again [[prefs:sea]]", "prefs.md", "3 ## sea", "9 [[prefs:sea]] green",
    ]  # fmt: skip
    assert view.count.text().startswith("4 match")
    notes.keys("Return")
    assert view.list.hasFocus()
    for _ in range(3):
        notes.keys("Down")
    notes.keys("F4")
    assert notes.address == "prefs:tea"
    assert notes.text.hasFocus()
    assert notes.text.textCursor().selectedText() == "sea"
    assert notes.text.textCursor().selectionStart() == len("[[prefs:")


def test_case_words_and_expressions_are_switches(notes: Desk) -> None:
    view = find(notes, "s.a")
    assert rows(notes) == []
    assert view.count.text() == "No match"
    QTest.mouseClick(view.regex, LEFT)
    notes.until(lambda: "3 ## sea" in rows(notes))
    view.field.setText("(s.a")
    notes.until(lambda: view.message.text().startswith("Not a regular expression"))
    assert rows(notes) == []


def test_an_expression_that_never_ends_stops_by_itself(notes: Desk) -> None:
    notes.path("solo").write_text(f"# solo\n\n## only\n\n{'a' * 60}!\n")
    view = find(notes, "x")
    QTest.mouseClick(view.regex, LEFT)
    view.field.setText("(a|aa)+$")
    notes.until(lambda: "takes too long in: solo.md" in view.message.text())


def test_what_was_found_follows_the_disk(notes: Desk) -> None:
    find(notes, "green")
    edit_outside(notes.path("plans"), "north", "evergreen north")
    settle(notes)
    notes.until(lambda: "9 evergreen north" in rows(notes))


def test_the_selected_text_is_suggested(notes: Desk) -> None:
    notes.open_item("plans:walk")
    notes.text.selectAll()
    notes.text.setFocus()
    notes.keys("Ctrl+Shift+F")
    notes.until(lambda: rows(notes) == ["plans.md", "9 north"])


def test_enter_belongs_to_the_input_method_while_it_composes(notes: Desk) -> None:
    """B67."""
    view = find(notes, "sea")
    QApplication.sendEvent(view.field, QInputMethodEvent("hai", []))
    QTest.keyClick(view.field, Qt.Key.Key_Return)
    assert view.field.hasFocus()
    done = QInputMethodEvent()
    done.setCommitString("海")
    QApplication.sendEvent(view.field, done)
    assert view.field.text() == "sea海"
