"""Renaming and removing sections changes their own bytes only."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.engine import messy
from tests.engine.naive_host import heading, read_sections
from tests.engine.test_document_properties import raw_lines, texts_of
from wikimem_desktop.engine.document import Document

thorough = settings(max_examples=200, deadline=None)
picks = st.integers(0, 99)


def occurrence_of(names: list[str], index: int) -> int:
    return names[:index].count(names[index])


def without_name(line: str, name: str) -> tuple[str, str]:
    """What stands in front of and behind the name in a heading line; names with odd white space are found by parts."""
    words = name.split()
    start = line.index(words[0], 2)
    end = line.rindex(words[-1]) + len(words[-1])
    return line[:start], line[end:]


@given(messy.files(min_items=1), messy.item_names, picks)
@thorough
def test_a_rename_changes_the_headings_of_that_name_and_there_only_the_name(data: bytes, new: str, pick: int) -> None:
    sections = read_sections(data)
    name = sections[pick % len(sections)].name
    document = Document.from_bytes(data)
    renamed = document.with_name(name, new).to_bytes()
    expected = [new if section.name == name else section.name for section in sections]
    assert [section.name for section in read_sections(renamed)] == expected
    changed = {section.first_line for section in sections if section.name == name}
    for number, (old_line, new_line) in enumerate(zip(raw_lines(data), raw_lines(renamed), strict=True)):
        if number not in changed:
            assert new_line == old_line
        elif name:
            assert without_name(new_line, new) == without_name(old_line, name)
    assert document.to_bytes() == data


@given(messy.files(min_items=2), messy.item_names, picks)
@thorough
def test_one_section_is_renamed_or_removed_by_its_occurrence(data: bytes, new: str, pick: int) -> None:
    sections = read_sections(data)
    index = pick % len(sections)
    names = [section.name for section in sections]
    place = names[index], occurrence_of(names, index)
    document = Document.from_bytes(data)
    renamed = document.with_section_name(*place, new)
    assert [section.name for section in renamed.sections] == [*names[:index], new, *names[index + 1 :]]
    lines = raw_lines(data)
    first, end = sections[index].first_line, sections[index].end_line
    after = raw_lines(renamed.to_bytes())
    assert (after[:first], after[first + 1 :]) == (lines[:first], lines[first + 1 :])
    assert document.without_section(*place).to_bytes() == "".join(lines[:first] + lines[end:]).encode()
    left = [section[:5] for section in texts_of(document.without_section(*place).to_bytes())]
    assert left == [section[:5] for at, section in enumerate(texts_of(data)) if at != index]


@given(messy.files(min_items=1), messy.item_names, picks)
@thorough
def test_renaming_back_restores_every_byte(data: bytes, new: str, pick: int) -> None:
    sections = read_sections(data)
    section = sections[pick % len(sections)]
    names = [section.name for section in sections]
    lines = raw_lines(data)
    # Not with another of the new name, nor with white space in the name that hosts collapse.
    assume(section.name and new not in names)
    assume(all(s.name in lines[s.first_line] for s in sections if s.name == section.name))
    document = Document.from_bytes(data)
    assert document.with_name(section.name, new).with_name(new, section.name).to_bytes() == data


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("##  a  b \t\r\n", "##  new \t\r\n"),
        ("##\u3000a\x85", "##\u3000new\x85"),
        ("## a", "## new"),
        ("##  \r\n", "##  new\r\n"),
        ("## a \\1 ##\n", "## new\n"),
    ],
)
def test_white_space_and_the_line_end_of_a_heading_stay(line: str, expected: str) -> None:
    name = heading(line.splitlines()[0])
    assert name is not None
    assert Document(f"x\n{line}").with_name(name, "new").text == f"x\n{expected}"


def test_an_occurrence_that_is_not_there_is_an_error() -> None:
    document = Document("## a\n\n## a\n")
    for occurrence in (-1, 2):
        with pytest.raises(KeyError):
            document.without_section("a", occurrence)
    with pytest.raises(KeyError):
        document.with_section_name("b", 0, "c")
