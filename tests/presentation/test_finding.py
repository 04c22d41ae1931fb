"""Finding: what matches, and which match is the next."""

from __future__ import annotations

import re

import pytest
from PySide6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot

from wikimem_desktop.presentation.finding import BadPattern, Search, find_spans, next_span, previous_span
from wikimem_desktop.presentation.qt_text import ShownText, for_document


def found(text: str, wanted: str, **switches: bool) -> list[str]:
    pattern = Search(wanted, **switches).pattern()
    assert pattern is not None
    return [text[start:end] for start, end in find_spans(pattern, text)]


def test_letters_of_a_pattern_are_letters_unless_it_is_one() -> None:
    assert found("a.b axb A.B", "a.b") == ["a.b", "A.B"]
    assert found("a.b axb A.B", "a.b", match_case=True) == ["a.b"]
    assert found("a.b axb A.B", "a.b", regex=True) == ["a.b", "axb", "A.B"]


def test_whole_words_end_where_other_letters_do() -> None:
    assert found("use used reuse use_ use", "use", whole_words=True) == ["use", "use"]
    assert found("去看海use海边", "use", whole_words=True) == ["use"]
    assert found("喜欢海边", "海边", whole_words=True) == ["海边"]
    assert found("ab abc b", "a?b", whole_words=True, regex=True) == ["ab", "b"]


def test_a_pattern_sees_lines() -> None:
    assert found("one\ntwo\nthree", "^t.*$", regex=True) == ["two", "three"]
    assert found("one\ntwo", r"e\nt", regex=True) == ["e\nt"]


@pytest.mark.parametrize("wanted", ["(", "[[", "a{99999999999}", "*", r"\1", "(?P<a", "(" * 5000 + ")" * 5000])
def test_what_is_no_pattern_is_said_to_be_none(wanted: str) -> None:
    with pytest.raises(BadPattern):
        Search(wanted, regex=True).pattern()


def test_nothing_is_not_looked_for() -> None:
    assert Search("").pattern() is None


def test_a_replacement_is_literal_or_uses_groups() -> None:
    match = re.search("(a)(b)?", "a")
    assert match is not None
    assert Search("x").replacement(match, r"\1\n") == r"\1\n"
    assert Search("x", regex=True).replacement(match, r"\1\n\2") == "a\n"
    for template in (r"\7", r"\q", r"\g<no>", "\\"):
        with pytest.raises(BadPattern):
            Search("x", regex=True).replacement(match, template)


def test_next_and_previous_go_around() -> None:
    spans = [(2, 4), (4, 6), (9, 9), (9, 12)]
    assert [next_span(spans, here) for here in ((0, 0), (2, 4), (4, 6), (9, 9), (9, 12))] == [0, 1, 2, 3, 0]
    assert [previous_span(spans, here) for here in ((0, 0), (2, 4), (4, 6), (9, 9), (20, 20))] == [3, 3, 0, 1, 3]
    assert previous_span(spans, (3, 3)) == 3


def test_empty_places_are_passed_one_by_one() -> None:
    spans = find_spans(re.compile("x*"), "axb")
    assert spans == [(0, 0), (1, 2), (2, 2), (3, 3)]
    here, seen = (0, 0), []
    for _ in spans:
        here = spans[next_span(spans, here)]
        seen.append(here)
    assert seen == [(1, 2), (2, 2), (3, 3), (0, 0)]


@pytest.mark.parametrize(
    ("text", "newline"),
    [
        ("plain\nlines", "\n"),
        ("🌊 one 𠮷\ntwo", "\n"),
        ("a\u2028b\x00 \ue000\uf8e0\uf8e1 end", "\n"),
        ("mixed\r\nends\nhere 🌊\r\nx", "\r\n"),
    ],
)
def test_characters_are_where_the_document_has_them(qtbot: QtBot, text: str, newline: str) -> None:
    document = QTextDocument()
    document.setPlainText(for_document(text, newline))
    shown = ShownText(document)
    assert shown.text == text.replace("\r\n", "\n")
    raw = document.toRawText().replace("\u2029", "\n").encode("utf-16-le")
    for offset in range(len(shown.text)):
        start, end = shown.position(offset), shown.position(offset + 1)
        piece = raw[2 * start : 2 * end].decode("utf-16-le")
        assert piece.endswith(shown.text[offset]) or for_document(shown.text[offset]) == piece
        assert shown.offset(start) == offset
    assert 2 * shown.position(len(shown.text)) == len(raw)
