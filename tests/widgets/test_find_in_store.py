"""Find in store: every file is searched, a line leads to its item, results follow the disk."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.presentation.house import edit_outside
from tests.widgets.desk import Desk, dialog
from tests.widgets.small_memory import PLANS, PREFS, files, press, read, settle
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.widgets.find_in_store import FindInStore
from wikimem_desktop.widgets.replace_preview import ReplacePreview

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


def test_a_name_and_what_stands_above_all_items_lead_into_the_file(notes: Desk) -> None:
    find(notes, "sea")
    notes.keys("Down")
    notes.keys("Down")
    notes.keys("Down")
    notes.keys("Return")
    assert notes.buffer.place == Place("text", "prefs")
    assert notes.text.textCursor().selectedText() == "sea"
    assert notes.text.textCursor().block().text() == "## sea"


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


def test_what_was_typed_stays_when_the_keys_come_from_elsewhere(notes: Desk) -> None:
    notes.open_item("plans:walk")
    notes.text.selectAll()
    view = find(notes, "green")
    for keys, field in (("Ctrl+Shift+H", view.template), ("Ctrl+Shift+F", view.field)):
        notes.keys(keys)
        notes.until(field.hasFocus)
        assert view.field.text() == "green"
    notes.app.tree.tree.setFocus()
    notes.keys("Ctrl+Shift+F")
    assert view.field.text() == "green"


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


# ------------------------------------------------------------ replacing


def preview(desk: Desk, text: str, template: str, *, regex: bool = False) -> ReplacePreview:
    view = find(desk, text)
    if regex != view.regex.isChecked():
        QTest.mouseClick(view.regex, LEFT)
        desk.until(lambda: desk.app.store_search.search.regex == regex and not desk.app.store_search.searching)
    desk.keys("Ctrl+Shift+H")
    desk.until(view.template.hasFocus)
    desk.type(view.template, template + "\n")
    desk.until(lambda: isinstance(QApplication.activeModalWidget(), ReplacePreview))
    return dialog(ReplacePreview)


def lines(shown: ReplacePreview) -> list[str]:
    return [f"{one.hit.key}:{one.hit.line} {one.after}" for one in shown.model.rows]


def test_all_lines_are_shown_and_replaced_in_one_step(notes: Desk) -> None:
    before = files(notes)
    notes.open_item("plans:walk")
    shown = preview(notes, r"(n)(or)th|gre+n", r"<\1>", regex=True)
    assert lines(shown) == ["plans:9 <n>", "prefs:9 [[prefs:sea]] <>"]
    head, *change = shown.model.pieces(1)[1]
    assert head == ("[[prefs:sea]] ", "text")
    assert [text for text, _ in change[:3]] == ["green", " → ", "<>"]
    QTest.keyClick(shown.list, Qt.Key.Key_Return)
    settle(notes)
    assert read(notes, "plans") == str(before["plans.md"], "utf-8").replace("north", "<n>")  # type: ignore[arg-type]
    assert read(notes, "prefs").endswith("[[prefs:sea]] <>\n")
    assert notes.text.toPlainText() == "<n>"
    notes.until(lambda: notes.app.find_in_store.count.text() == "No match")
    notes.app.steps.undo()
    settle(notes)
    assert files(notes) == before
    assert notes.text.toPlainText() == "north"


def test_a_line_is_left_out_by_space_and_a_name_stands_apart(notes: Desk) -> None:
    shown = preview(notes, "sea", "ocean")
    assert lines(shown) == [
        "plans:5 because [[prefs:ocean]], again [[prefs:ocean]]", "prefs:9 [[prefs:ocean]] green", "prefs:3 ## ocean",
    ]  # fmt: skip
    assert [one.hit.line for one in shown.model.chosen] == [5, 9]
    assert "It is a name" in str(shown.model.data(shown.model.index(2)))
    assert "There is no [[prefs:ocean]]" in str(shown.model.data(shown.model.index(0)))
    QTest.keyClick(shown.list, Qt.Key.Key_Space)
    assert [one.hit.line for one in shown.model.chosen] == [9]
    press(shown.replace)
    settle(notes)
    assert "again [[prefs:sea]]" in read(notes, "plans")
    assert read(notes, "prefs") == PREFS.replace("[[prefs:sea]]", "[[prefs:ocean]]")


def test_unsaved_text_is_never_replaced_under_the_hands(notes: Desk) -> None:
    notes.open_item("plans:walk")
    notes.text.moveCursor(QTextCursor.MoveOperation.End)
    notes.type(notes.text, "wards")
    shown = preview(notes, "north", "south")
    assert [one.against for one in shown.model.rows] == ["unsaved"]
    assert not shown.replace.isEnabled()
    assert "1 item" in notes.app.find_in_store.count.text()
    shown.reject()
    assert read(notes, "plans") == PLANS
    assert notes.text.toPlainText() == "northwards"


def test_an_unsaved_file_is_not_replaced_either(notes: Desk) -> None:
    assert notes.app.documents.open(Place("text", "plans"))
    notes.text.moveCursor(QTextCursor.MoveOperation.End)
    notes.type(notes.text, "more")
    shown = preview(notes, "because", "since")
    assert [one.against for one in shown.model.rows] == ["unsaved"]
    shown.reject()


def test_what_others_changed_meanwhile_is_not_overwritten(notes: Desk) -> None:
    shown = preview(notes, "north", "south")
    edit_outside(notes.path("plans"), "north", "far north")
    press(shown.replace)
    settle(notes)
    assert read(notes, "plans") == PLANS.replace("north", "far north")
    assert "was changed meanwhile" in notes.notice()


def test_a_replacement_that_means_nothing_is_told(notes: Desk) -> None:
    view = find(notes, "north")
    QTest.mouseClick(view.regex, LEFT)
    notes.until(lambda: bool(rows(notes)))
    notes.type(view.template, "\\9\n")
    notes.until(lambda: view.message.text().startswith("Can't replace with that"))


def test_the_notice_of_a_replacement_goes_with_the_next_step_and_undoes_no_other(notes: Desk) -> None:
    shown = preview(notes, "north", "south")
    press(shown.replace)
    settle(notes)
    told = notes.app.notices.current
    assert told is not None
    assert [action.text for action in told.actions] == ["Undo"]
    notes.app.arrangement.duplicate([Place("item", "prefs", "tea")])
    settle(notes)
    assert notes.app.notices.current is None
    told.actions[0].act()
    settle(notes)
    assert "## tea 2" in read(notes, "prefs")
    assert "south" in read(notes, "plans")
