"""Any text goes through Qt's documents and comes back as it was, edits and undo included."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from wikimem_desktop.presentation.qt_text import (
    SYMBOL_NAMES,
    for_document,
    from_document,
    inside_pair,
    replace_text,
    utf16_length,
)

ODD = (
    "\x00\x01\x08\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x7f\x85\xa0\xad\u200b\u200d\u2028\u2029\u202f\u3000"
    "\ufdd0\ufdd1\ufdef\ufeff\ufff9\ufffc\ufffd\ufffe\uffff\U0001f600\U00010000\U0010ffff\U000f0000"
    "\ue000\uf8df\uf8e0\uf8e1\uf8e2\uf8ea\uf8ec\uf8ed\uf8ee\uf8ef\uf8f0\uf8ff"
)
texts = st.text(st.sampled_from(ODD) | st.sampled_from("ab海\n") | st.characters(exclude_categories=["Cs"]))


@pytest.fixture
def editor(qtbot: QtBot) -> QPlainTextEdit:
    widget = QPlainTextEdit()
    qtbot.addWidget(widget)
    return widget


def through_editor(editor: QPlainTextEdit, text: str) -> str:
    editor.setPlainText(for_document(text))
    return from_document(editor.document())


@pytest.mark.parametrize("character", ODD, ids=lambda character: f"U+{ord(character):04X}")
@pytest.mark.parametrize("pattern", ["{0}", "{0}a", "a{0}", "a{0}{0}b", "{0}\U0001f600", "\U0001f600{0}\n", "\r{0}\n"])
def test_every_odd_character_survives(character: str, pattern: str, editor: QPlainTextEdit) -> None:
    text = pattern.format(character)
    assert through_editor(editor, text) == text
    document = QTextDocument()
    document.setPlainText(for_document(text))
    assert from_document(document) == text


def test_any_text_survives_typing_elsewhere_and_undo(editor: QPlainTextEdit) -> None:
    @given(texts, st.data())
    @settings(max_examples=300, deadline=None)
    def check(text: str, data: st.DataObject) -> None:
        assert through_editor(editor, text) == text
        at = data.draw(st.integers(0, len(text)))
        typed = data.draw(texts)
        cursor = QTextCursor(editor.document())
        cursor.setPosition(utf16_length(for_document(text[:at])))
        cursor.insertText(for_document(typed))
        assert from_document(editor.document()) == text[:at] + typed + text[at:]
        if typed:
            editor.undo()
        assert from_document(editor.document()) == text
        if typed:
            editor.redo()
            assert from_document(editor.document()) == text[:at] + typed + text[at:]

    check()


def test_any_piece_can_be_deleted_and_brought_back(editor: QPlainTextEdit) -> None:
    @given(texts, st.data())
    @settings(deadline=None)
    def check(text: str, data: st.DataObject) -> None:
        through_editor(editor, text)
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, len(text)))
        cursor = QTextCursor(editor.document())
        cursor.setPosition(utf16_length(for_document(text[:start])))
        cursor.setPosition(utf16_length(for_document(text[:end])), QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        assert from_document(editor.document()) == text[:start] + text[end:]
        if start < end:
            editor.undo()
        assert from_document(editor.document()) == text

    check()


@given(texts)
def test_a_text_enters_with_no_line_break_but_newlines(text: str) -> None:
    entering = for_document(text)
    assert len(entering.splitlines()) == len(f"{entering}.".split("\n")) - entering.endswith("\n") - (entering == "")
    assert not set(entering) & set("\x00\u2029\ufdd0\ufdd1")


@given(texts)
def test_positions_are_counted_as_qt_counts_them(text: str) -> None:
    document = QTextDocument()
    document.setPlainText(for_document(text))
    assert utf16_length(for_document(text)) == document.characterCount() - 1


@given(st.sampled_from(["\n", "\r\n", "\r"]), texts)
@example("\n", "\uf8f0")
@example("\n", "\uf8f1\nx")
@example("\n", "\uf8e0\uf8f0\n")
@example("\r\n", "a\n")
def test_a_caret_stands_between_any_two_characters_and_in_none(newline: str, text: str) -> None:
    document = QTextDocument()
    document.setPlainText(for_document(text, newline))
    at, inside = 0, set()
    for character in re.findall("\r\n|.", text, re.DOTALL):
        length = utf16_length(for_document(character, newline))
        if length > utf16_length(character) or (character == "\r\n" and length == 2):
            inside.add(at + 1)
        at += length
    assert {place for place in range(at + 1) if inside_pair(document, place)} == inside


def test_every_symbol_says_what_it_stands_for() -> None:
    for symbol, name in SYMBOL_NAMES.items():
        character = chr(int(name.removeprefix("U+"), 16))
        newline = "\r\n" if character == "\n" else "\n"  # a plain break needs no symbol where it is the rule
        assert for_document(character, newline).rstrip("\n") == symbol


@given(st.lists(st.sampled_from(["\r\n", "\n", "\r", "a", "\uf8e2", "\uf8f0", "\x00", "海😀"])).map("".join) | texts)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_line_end_survives_whatever_the_file_mostly_has(newline: str, text: str) -> None:
    document = QTextDocument()
    document.setPlainText(for_document(text, newline))
    assert from_document(document, newline) == text


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_plain_break_is_the_line_end_that_the_file_mostly_has(newline: str) -> None:
    document = QTextDocument()
    document.setPlainText(for_document(f"a{newline}b", newline))
    QTextCursor(document).insertText("new\n")
    assert document.toPlainText() == "new\na\nb"
    assert from_document(document, newline) == f"new{newline}a{newline}b"


@given(texts, texts, st.lists(st.sampled_from(["one\n", "two\n", "😀 three\n", "\n", "x"])), st.randoms())
def test_a_replaced_text_is_one_undo_step_and_touches_only_what_differs(one: str, two: str, lines, dice) -> None:
    before = one + "".join(lines)
    after = two + "".join(line for line in lines if dice.random() < 0.7) + one
    document = QTextDocument()
    document.setPlainText(for_document(before))
    document.setModified(False)
    replace_text(document, for_document(after))
    assert from_document(document) == after
    if before != after:
        document.undo()
        assert not document.isUndoAvailable()
    assert from_document(document) == before


def test_a_caret_between_two_replaced_lines_stays_at_its_word() -> None:
    document = QTextDocument()
    document.setPlainText("first\n😀 middle\nlast")
    caret = document.find("middle")
    replace_text(document, "one more\nfirst!\n😀 middle\nlast one")
    assert caret.selectedText() == "middle"
    assert document.toPlainText() == "one more\nfirst!\n😀 middle\nlast one"
