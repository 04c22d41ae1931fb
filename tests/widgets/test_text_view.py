"""The write view by itself: colours of whatever comes into view, very long lines, nothing of it in undo or on disk."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.engine.folders import fill
from tests.widgets.desk import Desk, Ear
from tests.widgets.text_view import View
from tests.widgets.wheel import wheel
from wikimem_desktop.widgets.editor import special_lines

PLAIN = "nothing to colour here\n"
MANY = 2000
NONE = QTextCharFormat()
MOVE = QTextCursor.MoveOperation


@pytest.fixture
def view(qtbot: QtBot) -> View:
    return View(qtbot)


# ------------------------------------------------------------ colours of what is on show


def test_a_text_has_its_colours_when_it_is_first_painted(view: View) -> None:
    view.show("# Head\n\n- item with [[a:b]] and [[a:none]]\n> quoted\n**strong** and `code`\n")
    assert view.look("Head").fontWeight() > 400
    assert view.color("- item") == "accent"
    assert view.color("[[a:b]]") == "link"
    assert view.color("[[a:none]]") == "cut"
    assert view.color("> quoted") == "muted"
    assert view.look("strong").fontWeight() > 400
    assert view.is_code("code")
    picture = view.edit.grab().toImage()
    colors = {picture.pixelColor(x, y).name() for x in range(0, 500, 2) for y in range(0, 200, 2)}
    assert view.theme.color("linkFill").name() in colors


def test_what_is_scrolled_to_has_its_colours(view: View) -> None:
    view.show("[[a:b]] top\n" + PLAIN * MANY + "[[a:b]] middle\n" + PLAIN * MANY + "[[a:b]] end")
    assert view.color("[[a:b]] top") == "link"
    for place in ("[[a:b]] middle", "[[a:b]] end"):
        assert view.look(place) == NONE
        view.caret(place)
        view.paint()
        assert view.color(place) == "link"
    view.edit.verticalScrollBar().setValue(0)
    view.paint()
    assert view.color("[[a:b]] top") == "link"


def test_characters_outside_the_basic_plane_shift_nothing(view: View) -> None:
    view.show("🌊𠮷🌊 [[a:b]] 🌊 `code`")
    assert view.color("[[a:b]]") == "link"
    assert view.look(" `code`") == NONE
    assert view.is_code("`code`")


@pytest.mark.parametrize("mark", ["```", "~~~~"])
def test_a_fence_far_above_colours_what_is_below(view: View, mark: str) -> None:
    view.show(f"{mark}python\n" + PLAIN * MANY + f"the end\n{mark}\nbehind it\n")
    view.caret("the end")
    assert view.is_code("the end")
    assert not view.is_code("behind it")


def test_a_fence_that_comes_or_goes_recolours_what_follows(view: View) -> None:
    view.show("\nfirst\n\n```\ninside\n```\noutside")
    view.caret("first")
    assert [view.is_code(text) for text in ("first", "inside", "outside")] == [False, True, False]
    QTest.keyClick(view.edit, Qt.Key.Key_Return)
    QTest.keyClicks(view.edit, "```")
    assert [view.is_code(text) for text in ("first", "inside", "outside")] == [False, False, True]
    QTest.keyClick(view.edit, Qt.Key.Key_Backspace)
    assert [view.is_code(text) for text in ("first", "inside", "outside")] == [False, True, False]
    view.edit.undo()
    assert [view.is_code(text) for text in ("first", "inside", "outside")] == [False, False, True]


def test_a_fence_typed_far_above_is_known_below(view: View) -> None:
    view.show("\n" + PLAIN * MANY + "the end")
    QTest.keyClicks(view.edit, "```")
    view.caret("the end")
    assert view.is_code("the end")
    view.edit.moveCursor(MOVE.Start)
    QTest.keyClick(view.edit, Qt.Key.Key_Delete)
    view.caret("the end")
    assert not view.is_code("the end")


def test_the_theme_recolours_what_is_on_show(view: View) -> None:
    view.show("[[a:b]] top\n" + PLAIN * MANY + "[[a:b]] end")
    light = view.look("[[a:b]] top").foreground().color()
    view.theme.choose("dark")
    view.paint()
    assert view.look("[[a:b]] top").foreground().color() != light
    assert view.color("[[a:b]] top") == "link"
    view.caret("[[a:b]] end")
    view.paint()
    assert view.color("[[a:b]] end") == "link"
    view.theme.choose("light")


def test_links_that_come_to_resolve_look_so(view: View) -> None:
    view.show("[[a:c]] top [[a:b]]\n" + PLAIN * MANY + "[[a:c]] end")
    assert view.color("[[a:c]] top") == "cut"
    view.there = {"a:c"}
    view.edit.refresh_links()
    view.paint()
    assert view.color("[[a:c]] top") == "link"
    assert view.color("[[a:b]]") == "cut"
    view.caret("[[a:c]] end")
    view.paint()
    assert view.color("[[a:c]] end") == "link"


def test_links_that_stay_as_they_are_cost_no_painting(view: View, qtbot: QtBot) -> None:
    view.show("[[a:c]] [[a:b]]\n" * 50)
    asked = Ear(view.edit._highlighter.outdated)
    view.there = {"a:b", "other:item"}
    view.edit.refresh_links()
    assert asked.times == 0


def test_links_that_changed_are_looked_at_once(view: View) -> None:
    view.show("[[a:c]] top\n" + PLAIN * MANY + "the end")
    view.caret("the end")
    view.paint()
    asked = Ear(view.edit._highlighter.outdated)
    view.there = {"a:c"}
    for _ in range(3):
        view.edit.refresh_links()
        view.paint()
    assert asked.times == 1


def test_the_words_of_a_query_are_marked_inside_other_colours(view: View) -> None:
    view.show("**hello** world, 想去海边玩 wor\n# the world 🌊 world")
    view.edit.mark_terms(["world", "海边", "边玩", "hello"])
    view.paint()
    match = view.theme.color("match")
    for text in ("hello", "world,", "海边玩", "边玩", "玩 wor", "world 🌊", "world"):
        assert view.look(text).background().color() == match, text
    for text in ("** world", "去海", " wor\n".strip("\n"), " 🌊"):
        assert view.look(text).background().color() != match, text
    assert view.look("hello").fontWeight() > 400
    assert view.look("world 🌊").fontWeight() > 400
    view.edit.mark_terms([])
    view.paint()
    assert view.look("world,") == NONE


def test_a_document_that_is_shown_again_has_its_colours(view: View) -> None:
    first = view.show("\n\n[[a:b]]\nbelow")
    view.show("```\n[[a:c]]\nanother")
    QTextCursor(first).insertText("~~~")  # as the disk may have it
    view.theme.choose("dark")
    view.edit.setDocument(first)
    assert view.is_code("below")
    assert view.color("[[a:b]]") == "link"
    view.theme.choose("light")
    view.edit.setDocument(QTextDocument(view.edit))
    view.paint()
    view.edit.setDocument(first)
    assert view.is_code("below")


@pytest.mark.parametrize("line", ["# " + "a heading of many words " * 3, "```\n海边 code\n```"])
@pytest.mark.parametrize("wrap", [True, False])
def test_a_caret_that_is_jumped_to_stays_in_view_when_colours_make_lines_higher(
    view: View, line: str, wrap: bool
) -> None:
    view.edit.set_wrap(wrap)
    view.show(PLAIN + f"{line}\n" * 300 + "the very end")
    for place in (MOVE.End, MOVE.Start, MOVE.End):
        view.edit.moveCursor(place)
        view.paint()
        view.paint()
        assert view.edit.viewport().rect().contains(view.edit.cursorRect())


def test_what_is_composed_keeps_the_colours_around_it(view: View) -> None:
    view.show("see [[a:b]] and `code`")
    view.caret("see ")
    composing = QTextCharFormat()
    composing.setFontUnderline(True)
    attribute = QInputMethodEvent.Attribute(QInputMethodEvent.AttributeType.TextFormat, 0, 3, composing)
    QApplication.sendEvent(view.edit, QInputMethodEvent("hai", [attribute]))
    view.paint()
    spans = view.edit.document().firstBlock().layout().formats()
    shown = [(s.start, s.length, QTextCharFormat(s.format).fontUnderline()) for s in spans]
    assert (len("see "), 3, True) in shown
    assert (len("see hai"), len("[[a:b]]"), False) in shown
    event = QInputMethodEvent()
    event.setCommitString("海")
    QApplication.sendEvent(view.edit, event)
    assert view.edit.toPlainText() == "see 海[[a:b]] and `code`"
    assert view.color("[[a:b]]") == "link"
    assert view.is_code("`code`")


# ------------------------------------------------------------ colours are no change


def test_colours_are_neither_a_change_nor_an_undo_step(view: View) -> None:
    text = "```\ncode\n```\n# Head [[a:b]]\n" * 200
    document = QTextDocument()
    document.setPlainText(text)
    document.setModified(False)
    ear = Ear(document.contentsChanged, document.undoAvailable, document.modificationChanged)
    ranges = Ear(document.contentsChange)
    view.edit.setDocument(document)
    view.paint()
    view.edit.moveCursor(MOVE.End)
    view.paint()
    view.theme.choose("dark")
    view.edit.mark_terms(["head"])
    view.there = set()
    view.edit.refresh_links()
    view.paint()
    view.theme.choose("light")
    assert (ear.times, ranges.times) == (0, 0)
    assert not document.isModified()
    assert not document.isUndoAvailable()
    view.edit.setDocument(QTextDocument(view.edit))


def test_one_key_is_one_change_of_one_character_and_one_undo_step(view: View) -> None:
    document = view.show("```\n" + PLAIN * 5 + "```\n" + PLAIN * MANY)
    document.setModified(False)
    changes: list[tuple[int, int, int]] = []

    def note(position: int, removed: int, added: int) -> None:
        changes.append((position, removed, added))

    view.edit.moveCursor(MOVE.End)
    view.paint()
    document.contentsChange.connect(note)
    QTest.keyClicks(view.edit, "x")
    end = document.characterCount() - 2
    assert changes == [(end, 0, 1)]
    view.paint()
    view.edit.undo()
    assert not document.isModified()
    assert not document.isUndoAvailable()
    document.contentsChange.disconnect(note)


# ------------------------------------------------------------ very long lines

LONG = "[[a:b]] " * 3000
"""24,000 characters."""


@pytest.fixture
def long_lines(view: View) -> list[bool]:
    """What the view said about long lines."""
    said: list[bool] = []
    view.edit.long_lines_changed.connect(said.append)
    return said


def test_a_long_line_is_shown_without_colours_and_wrapping(view: View, long_lines: list[bool]) -> None:
    view.show("[[a:b]] top\n" + "word " * 300 + "\n")
    assert (view.wraps, view.edit.long_lines, long_lines) == (True, False, [])
    view.show("[[a:b]] top\n" + LONG + "\n[[a:b]] below")
    assert (view.wraps, view.edit.long_lines, long_lines) == (False, True, [True])
    assert view.color("[[a:b]] top") == "link"
    assert view.color("[[a:b]] below") == "link"
    assert view.look("[[a:b]] [[a:b]]") == NONE
    view.show("short again " * 100)
    assert (view.wraps, long_lines) == (True, [True, False])


def test_a_long_line_comes_by_pasting_and_goes_by_undo(view: View, long_lines: list[bool], qtbot: QtBot) -> None:
    view.show(PLAIN * 50 + "a short one " * 20)
    QGuiApplication.clipboard().setText("x" * 200_000)
    view.caret(PLAIN.strip())
    view.edit.paste()
    assert (view.wraps, long_lines) == (False, [True])
    QTest.keyClicks(view.edit, "y")
    assert "xy\n" in view.edit.toPlainText()
    view.edit.undo()
    view.edit.undo()
    assert (view.wraps, long_lines) == (True, [True, False])
    view.edit.redo()
    assert (view.wraps, long_lines) == (False, [True, False, True])
    QTest.keyClick(view.edit, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(view.edit, Qt.Key.Key_Delete)
    assert long_lines == [True, False, True, False]
    QGuiApplication.clipboard().clear()


def test_the_key_that_reaches_the_length_changes_the_view_and_the_one_that_leaves_it(
    view: View, long_lines: list[bool]
) -> None:
    view.show("x" * (special_lines.LONG_LINE - 1) + "\n[[a:b]] below")
    QTest.keyClicks(view.edit, "y")
    assert long_lines == [True]
    QTest.keyClicks(view.edit, "y")
    QTest.keyClick(view.edit, Qt.Key.Key_Backspace)
    assert long_lines == [True]
    QTest.keyClick(view.edit, Qt.Key.Key_Return)
    assert long_lines == [True, False]
    QTest.keyClick(view.edit, Qt.Key.Key_Backspace)
    assert long_lines == [True, False, True]


def test_two_long_lines_count_as_long_until_both_are_gone(view: View, long_lines: list[bool]) -> None:
    view.show(f"{LONG}\nbetween\n{LONG}\nend")
    for expected in ([True], [True, False]):
        view.caret("a:b")
        cursor = view.edit.textCursor()
        cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
        cursor.insertText("gone")
        assert long_lines == expected


def test_the_persons_own_choice_comes_back_after_a_long_line(view: View) -> None:
    view.show("word " * 300)
    view.edit.set_wrap(False)
    assert not view.wraps
    view.show(LONG)
    view.edit.set_wrap(True)
    assert not view.wraps
    view.show("word " * 300)
    assert view.wraps


# ------------------------------------------------------------ the wheel


@pytest.mark.parametrize(("turns", "steps"), [([120], [1]), ([-240], [-2]), ([40, 40, 40, 60], [0, 0, 1, 0])])
def test_the_wheel_with_ctrl_asks_for_another_size(view: View, turns: list[int], steps: list[int]) -> None:
    view.show(PLAIN * 100)
    asked: list[int] = []
    view.edit.zoom_wanted.connect(asked.append)
    for turn in turns:
        wheel(view.edit.viewport(), turn, Qt.KeyboardModifier.ControlModifier)
    assert (asked, view.edit.verticalScrollBar().value()) == (steps, 0)
    wheel(view.edit.viewport(), -240, Qt.KeyboardModifier.NoModifier)
    assert asked == steps
    assert view.edit.verticalScrollBar().value() > 0


# ------------------------------------------------------------ in the whole window


def test_opening_texts_with_fences_leaves_nothing_unsaved(desk: Desk, tmp_path: Path) -> None:
    names = ("a", "b", "c", "d", "e")
    text = "".join(f"## {name}\n\n```python\ncode\n```\n\n[[x:a]] [[x:none]]\n\n" for name in names)
    desk.open(fill(tmp_path / "store", {"x.md": text}))
    for name in names:
        desk.open_item(f"x:{name}")
        desk.text.grab()
    assert not desk.app.documents.unsaved
    assert not desk.window.isWindowModified()
    desk.type(desk.text, "~")
    assert desk.window.isWindowModified()
    desk.key(desk.text, Qt.Key.Key_Backspace)
    assert not desk.window.isWindowModified()
