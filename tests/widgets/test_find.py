"""Find and replace in the open item, while writing and while reading."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.engine.folders import fill
from tests.widgets.desk import Desk
from wikimem_desktop.widgets.editor.find_bar import FindBar

LEFT, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier
TEXT = "One sea, two Seas.\nOverseas 🌊 sea\u2028sea and 海边.\n\nlast [[x:b]] sea"


@pytest.fixture
def page(desk: Desk, tmp_path: Path) -> Desk:
    desk.open(fill(tmp_path / "store", {"x.md": f"## a\n\n{TEXT}\n\n## b\n\nno more than a\n"}))
    desk.open_item("x:a")
    desk.text.setFocus()
    return desk


def bar(desk: Desk) -> FindBar:
    return desk.app.item_view.find_bar


def find(desk: Desk, wanted: str, replacement: str | None = None) -> FindBar:
    """Ask for a text by keys."""
    desk.text.moveCursor(QTextCursor.MoveOperation.Start)
    desk.keys("Ctrl+F" if replacement is None else "Ctrl+H")
    bar(desk).find_field.clear()
    desk.type(bar(desk).find_field, wanted)
    if replacement is not None:
        desk.type(bar(desk).replace_field, replacement)
    return bar(desk)


def switch(button) -> None:
    QTest.mouseClick(button, LEFT)


def selected(desk: Desk) -> str:
    return desk.text.textCursor().selectedText()


def place(desk: Desk) -> int:
    """Where the selection starts, in characters of the item."""
    before = desk.text.document().toRawText().encode("utf-16-le")[: 2 * desk.text.textCursor().selectionStart()]
    return len(before.decode("utf-16-le"))


def marked(desk: Desk) -> list[str]:
    return [mark.cursor.selectedText() for mark in desk.text.extraSelections()]


def test_what_is_typed_is_found_counted_and_marked(page: Desk) -> None:
    found = find(page, "sea")
    assert found.isVisible()
    assert found.count.text() == "1 of 6"
    assert selected(page) == "sea"
    assert marked(page) == ["sea", "Sea", "sea", "sea", "sea", "sea"]
    page.type(found.find_field, "x")
    assert found.count.text() == "No match"
    assert marked(page) == []
    page.key(found.find_field, Qt.Key.Key_Backspace)
    assert found.count.text() == "1 of 6"


def test_enter_and_f3_go_around_in_both_directions(page: Desk) -> None:
    field = find(page, "sea").find_field
    seen = []
    for _ in range(6):
        page.key(field, Qt.Key.Key_Return)
        seen.append(place(page))
    starts = [
        TEXT.index("sea"),
        TEXT.index("Sea"),
        TEXT.index("seas "),
        *(TEXT.index(s) for s in ("sea\u2028", "sea a")),
    ]
    assert seen == [*starts[1:], len(TEXT) - 3, starts[0]]
    page.key(field, Qt.Key.Key_Return, SHIFT)
    assert bar(page).count.text() == "6 of 6"
    page.text.setFocus()
    page.keys("F3")
    assert bar(page).count.text() == "1 of 6"
    page.keys("Shift+F3")
    assert bar(page).count.text() == "6 of 6"
    switch(bar(page).previous)
    switch(bar(page).next)
    assert bar(page).count.text() == "6 of 6"


def test_the_selection_is_asked_for(page: Desk) -> None:
    page.put_caret("海")
    cursor = page.text.textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.KeepAnchor, 1)
    page.text.setTextCursor(cursor)
    page.keys("Ctrl+F")
    assert bar(page).find_field.text() == "边"
    assert bar(page).find_field.selectedText() == "边"
    assert bar(page).count.text() == "1 of 1"
    page.text.selectAll()
    page.text.setFocus()
    page.keys("Ctrl+F")
    assert bar(page).find_field.text() == "边"


def test_esc_closes_and_gives_the_focus_back(page: Desk) -> None:
    field = find(page, "sea").find_field
    QApplication.sendEvent(field, QInputMethodEvent("hai", []))
    page.key(field, Qt.Key.Key_Escape)
    page.key(field, Qt.Key.Key_Return)
    assert bar(page).isVisible()
    assert bar(page).count.text() == "1 of 6"
    QApplication.sendEvent(field, QInputMethodEvent())
    page.key(field, Qt.Key.Key_Escape)
    assert not bar(page).isVisible()
    assert page.text.hasFocus()
    assert marked(page) == []
    page.keys("Ctrl+F")
    page.key(bar(page).regex, Qt.Key.Key_Escape)
    assert not bar(page).isVisible()


def test_switches(page: Desk) -> None:
    found = find(page, "sea")
    switch(found.match_case)
    assert found.count.text() == "1 of 5"
    switch(found.whole_words)
    assert found.count.text() == "1 of 4"
    switch(found.regex)
    page.type(found.find_field, "s?")
    assert found.count.text() == "1 of 4"
    switch(found.whole_words)
    assert found.count.text() == "1 of 5"


def test_a_pattern_sees_lines_and_empty_places(page: Desk) -> None:
    found = find(page, "^")
    assert found.count.text() == "No match"
    switch(found.regex)
    assert found.count.text().endswith("of 4")
    seen = []
    for _ in range(4):
        page.key(found.find_field, Qt.Key.Key_Return)
        seen.append(found.count.text())
    assert sorted(seen) == ["1 of 4", "2 of 4", "3 of 4", "4 of 4"]


def test_a_bad_pattern_is_said_to_be_one_where_it_is_typed(page: Desk) -> None:
    found = find(page, "")
    switch(found.regex)
    for wrong in ("(", "[[", "*"):
        found.find_field.clear()
        page.type(found.find_field, wrong)
        assert "Not a regular expression" in found.message.text()
        assert found.message.isVisible()
        page.key(found.find_field, Qt.Key.Key_Return)
        page.keys("F3")
    found.find_field.clear()
    page.type(found.find_field, "s.a")
    assert not found.message.isVisible()
    assert found.count.text() == "1 of 6"


def test_replace_takes_one_after_the_other(page: Desk) -> None:
    found = find(page, "sea", "𠮷\\1")
    page.key(found.replace_field, Qt.Key.Key_Return)
    assert page.buffer.text == TEXT.replace("sea", "𠮷\\1", 1)
    assert found.count.text() == "1 of 5"
    assert selected(page) == "Sea"
    switch(found.replace_button)
    assert page.buffer.text.startswith("One 𠮷\\1, two 𠮷\\1s.\n")
    page.text.undo()
    assert page.buffer.text == TEXT.replace("sea", "𠮷\\1", 1)


def test_nothing_is_replaced_that_was_not_shown(page: Desk) -> None:
    found = find(page, "sea", "x")
    page.put_caret("Overseas")
    switch(found.replace_button)
    assert page.buffer.text == TEXT
    assert place(page) == TEXT.index("sea\u2028")


def test_replace_all_is_one_step_to_undo_and_says_how_many(page: Desk) -> None:
    found = find(page, "sea", "lake")
    switch(found.replace_all_button)
    assert page.buffer.text == TEXT.replace("sea", "lake").replace("Sea", "lake")
    assert found.message.text() == "Replaced 6 matches"
    assert found.count.text() == "No match"
    page.text.undo()
    assert page.buffer.text == TEXT
    page.until(lambda: found.count.text() != "No match")
    assert found.message.text() == "Replaced 6 matches"


def test_patterns_replace_with_groups_and_lines(page: Desk) -> None:
    found = find(page, r"(\w+), (two)|\n\n(last)", r"\2\n\1\3")
    switch(found.regex)
    switch(found.replace_all_button)
    assert page.buffer.text == TEXT.replace("sea, two", "two\nsea", 1).replace("\n\nlast", "\nlast")
    page.text.undo()
    assert page.buffer.text == TEXT


def test_a_replacement_that_means_nothing_changes_nothing(page: Desk) -> None:
    found = find(page, "sea", r"\7")
    switch(found.regex)
    switch(found.replace_all_button)
    switch(found.replace_button)
    assert "Can't replace with that" in found.message.text()
    assert page.buffer.text == TEXT


def test_every_line_is_quoted(page: Desk) -> None:
    found = find(page, "^", "> ")
    switch(found.regex)
    switch(found.replace_all_button)
    assert page.buffer.text == "\n".join(f"> {line}" for line in TEXT.split("\n"))


def test_the_count_follows_the_text_and_the_item(page: Desk) -> None:
    found = find(page, "sea")
    page.put_caret("Over")
    page.type(page.text, "sea ")
    page.until(lambda: "7" in found.count.text())
    page.open_item("x:b")
    page.until(lambda: found.count.text() == "No match")
    page.open_item("x:a")
    page.until(lambda: "7" in found.count.text())
    assert len(marked(page)) == 7


def test_reading_is_searched_too_but_not_changed(page: Desk) -> None:
    found = find(page, "sea", "x")
    page.app.item_view.header.read.click()
    reader = page.app.item_view.reader
    page.until(lambda: "6" in found.count.text())
    assert not found.replace_field.isVisible()
    assert not found.replace_button.isVisible()
    page.key(found.find_field, Qt.Key.Key_Return)
    assert reader.textCursor().selectedText().lower() == "sea"
    assert len([m for m in reader.extraSelections() if m.cursor.selectedText().lower() == "sea"]) >= 6
    page.keys("Ctrl+H")
    assert not found.replace_field.isVisible()
    page.key(found.find_field, Qt.Key.Key_Escape)
    assert reader.hasFocus()
    assert reader.extraSelections() == []
    page.app.item_view.header.write.click()
    assert page.buffer.text == TEXT


def test_without_an_item_there_is_nothing_to_find(desk: Desk, tmp_path: Path) -> None:
    desk.open(fill(tmp_path / "store", {"x.md": "## a\n\nsea\n"}))
    desk.keys("Ctrl+F")
    desk.keys("F3")
    assert not bar(desk).isVisible()


def test_the_edit_menu_acts_where_the_focus_is(page: Desk) -> None:
    field = find(page, "sea").find_field
    field.setText("keep cut")
    field.setSelection(4, 4)
    edit = {a.text().replace("&", ""): a for a in page.window.actions()}
    edit["Cut"].trigger()
    assert field.text() == "keep"
    edit["Paste"].trigger()
    assert field.text() == "keep cut"
    page.text.selectAll()
    page.text.setFocus()
    edit["Copy"].trigger()
    assert QApplication.clipboard().text() == TEXT


def test_many_matches_are_found_and_replaced_without_delay(desk: Desk, tmp_path: Path) -> None:
    desk.open(fill(tmp_path / "store", {"x.md": "## a\n\n" + "a sea of 海 words\n" * 5000}))
    desk.open_item("x:a")
    found = find(desk, "sea", "lake")
    assert found.count.text() == "1 of 5000"
    assert len(marked(desk)) == 2000
    switch(found.replace_all_button)
    assert desk.buffer.text.count("lake") == 5000
    desk.text.undo()
    assert "lake" not in desk.buffer.text
