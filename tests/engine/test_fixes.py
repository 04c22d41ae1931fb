"""Repairs make hosts read what a person meant, and change no other byte."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine import messy
from tests.engine.naive_host import comment, heading, read_items, read_sections, survives
from tests.engine.test_document_properties import raw_lines
from wikimem_desktop.engine.document import Document, check_content
from wikimem_desktop.engine.fixes import blank_line_behind_bom, escape_line, escape_text, respell_links
from wikimem_desktop.engine.links import WikiLink

thorough = settings(max_examples=200, deadline=None)


def misread(line: str) -> bool:
    bare = line.splitlines()[0]
    return heading(bare) is not None or comment(bare) is not None


@given(messy.files(min_items=1), st.integers(0, 99))
@thorough
def test_an_escaped_line_is_text_and_no_other_byte_changes(data: bytes, pick: int) -> None:
    lines = raw_lines(data)
    index = pick % len(lines)
    fixed = raw_lines(escape_line(Document.from_bytes(data), index).to_bytes())
    assert (fixed[:index], fixed[index + 1 :]) == (lines[:index], lines[index + 1 :])
    assert not misread(fixed[index])
    if not misread(lines[index]):
        assert fixed[index] == lines[index]
    else:
        added = [at for at in range(len(fixed[index])) if fixed[index][:at] + fixed[index][at + 1 :] == lines[index]]
        assert added


@given(messy.files(min_items=1), st.integers(0, 99))
@thorough
def test_an_escaped_heading_stays_text_when_a_host_writes_the_item_anew(data: bytes, pick: int) -> None:
    sections = read_sections(data)
    section = sections[pick % len(sections)]
    fixed = escape_line(Document.from_bytes(data), section.first_line)
    assert len(fixed.sections) == len(sections) - 1
    if sections.index(section):
        above = fixed.sections[sections.index(section) - 1]
        assert survives(above.content) or not survives(sections[sections.index(section) - 1].content)


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("## a\n\n```\n## b\n```\n", 3, "## a\n\n```\n ## b\n```\n"),
        ("## a\r\n\r\n~~~~\r\n##\tb  \r\n", 3, "## a\r\n\r\n~~~~\r\n ##\tb  \r\n"),
        ("## a\n\ntext\n## b\x85more\n", 3, "## a\n\ntext\n\\## b\x85more\n"),
        ("## a\n```\n## b\n## c\n```\n", 3, "## a\n```\n## b\n\\## c\n```\n"),
        ("```\n## a\n", 1, "```\n ## a\n"),
        ("## a\n\n```\n  <!-- wikimem: ts=1 -->\n```\n", 3, "## a\n\n```\n  \\<!-- wikimem: ts=1 -->\n```\n"),
        ("## a\n\n### b\n", 2, "## a\n\n### b\n"),
    ],
)
def test_how_lines_are_escaped(text: str, line: int, expected: str) -> None:
    assert escape_line(Document(text), line).text == expected


@given(messy.contents() | messy.unstorable_contents)
@thorough
def test_an_escaped_text_can_be_stored_and_differs_by_one_character_a_line(text: str) -> None:
    escaped = escape_text(text)
    check_content(escaped)
    assert survives(escaped)
    assert escape_text(escaped) == escaped
    for old, new in zip(raw_lines(text.encode()), raw_lines(escaped.encode()), strict=True):
        assert new == old or any(new[:at] + new[at + 1 :] == old for at in range(len(new)))
    assert (escaped == text) == all(a == b for a, b in zip(text.splitlines(), escaped.splitlines(), strict=True))


@given(messy.contents())
@thorough
def test_a_text_that_can_be_stored_is_not_escaped(text: str) -> None:
    if survives(text + "\n."):  # white space behind the last line may go, and "##  " is a heading only with it
        assert escape_text(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\n  ## a\nb", "\n  \\## a\nb"),
        ("x\n ## a\n## b", "x\n ## a\n\\## b"),
        ("```\n## a\n```\n## b", "```\n ## a\n```\n\\## b"),
        ("````\n```\n## a\n````\r\n## b\r\n", "````\n```\n ## a\n````\r\n\\## b\r\n"),
        ("x\n  <!-- wikimem: a=b -->", "x\n  \\<!-- wikimem: a=b -->"),
    ],
)
def test_how_texts_are_escaped(text: str, expected: str) -> None:
    assert escape_text(text) == expected


def test_an_item_behind_a_byte_order_mark_is_seen() -> None:
    hidden = Document("\ufeff## a\r\n\r\none\r\n## b\r\n\r\ntwo\n")
    fixed = blank_line_behind_bom(hidden)
    assert [item.name for item in read_items(hidden.to_bytes())] == ["b"]
    assert [(item.name, item.content) for item in read_items(fixed.to_bytes())] == [("a", "one"), ("b", "two")]
    assert fixed.text == "\ufeff\r\n" + hidden.text[1:]


@given(messy.files())
@thorough
def test_only_an_item_behind_a_byte_order_mark_needs_the_blank_line(data: bytes) -> None:
    document = Document.from_bytes(data)
    fixed = blank_line_behind_bom(document)
    assert blank_line_behind_bom(fixed).text == fixed.text
    text = data.decode()
    hidden = text.startswith("\ufeff") and len(text) > 1 and heading(text[1:].splitlines()[0]) is not None
    assert len(fixed.sections) == len(document.sections) + hidden
    assert hidden or fixed.text == document.text


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("[[n:\u00e9]]", "[[n:e\u0301]]"),
        ("a [[ n : \u00e9 ]] b [[n:\u00e9]]\r\n", "a [[ n : e\u0301 ]] b [[n:e\u0301]]\r\n"),
        ("[[n:\u00e9x]] [[n:e\u0301]] n:\u00e9 [[m:\u00e9]]", "[[n:\u00e9x]] [[n:e\u0301]] n:\u00e9 [[m:\u00e9]]"),
    ],
)
def test_b08_only_the_links_meant_are_respelled(line: str, expected: str) -> None:
    document = Document(f"## a\n\n[[n:\u00e9]]\n{line}")
    respelled = respell_links(document, 3, WikiLink("n", "\u00e9"), WikiLink("n", "e\u0301"))
    assert respelled.text == f"## a\n\n[[n:\u00e9]]\n{expected}"
