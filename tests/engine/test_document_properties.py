"""Reading agrees with hosts, and no edit touches a byte it need not: properties over messy files."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.engine import messy, naive_host
from tests.engine.naive_host import HostSection, read_items, read_sections
from wikimem_desktop.engine import MemoryItem, errors
from wikimem_desktop.engine.document import Document

thorough = settings(max_examples=300, deadline=None)


def raw_lines(data: bytes) -> list[str]:
    """The lines with their ends, byte for byte."""
    return data.decode().splitlines(keepends=True)


def ended(line: str) -> bool:
    return line.splitlines()[0] != line


def same_but_for_a_missing_end(old: list[str], new: list[str]) -> bool:
    """Whether the lines are the same bytes; a line at the end of a file may have been given the end it lacked."""
    if len(old) != len(new):
        return False
    return all(a == b or (not ended(a) and b.splitlines() == [a]) for a, b in zip(old, new, strict=True))


def as_items(sections: list[HostSection]) -> list[MemoryItem]:
    return [MemoryItem("c", s.name, s.content, s.owner, s.source, s.ts) for s in sections]


def texts_of(data: bytes) -> list[tuple[object, ...]]:
    """What hosts read of every section, without the line numbers."""
    return [(s.name, s.content, s.owner, s.source, s.ts, s.effective) for s in read_sections(data)]


@given(messy.files())
@thorough
def test_reading_and_writing_back_is_the_identity(data: bytes) -> None:
    assert Document.from_bytes(data).to_bytes() == data


@given(st.binary(max_size=60))
@thorough
def test_any_bytes_come_back_or_are_refused_as_not_utf8(data: bytes) -> None:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        with pytest.raises(errors.NotUtf8):
            Document.from_bytes(data)
    else:
        assert Document.from_bytes(data).to_bytes() == data


@given(messy.files())
@thorough
def test_sections_are_those_a_host_reads(data: bytes) -> None:
    found = [
        HostSection(s.name, s.content, s.owner, s.source_conv, s.ts, s.first_line, s.end_line, s.effective)
        for s in Document.from_bytes(data).sections
    ]
    assert found == read_sections(data)


@given(messy.files())
@thorough
def test_items_are_the_last_of_each_name_at_the_place_of_the_first(data: bytes) -> None:
    assert Document.from_bytes(data).items("c") == as_items(read_items(data))


@given(messy.files(min_items=1), messy.contents(), st.integers(0, 99))
@thorough
def test_editing_one_item_leaves_every_byte_outside_it(data: bytes, content: str, pick: int) -> None:
    items = read_items(data)
    target = items[pick % len(items)]
    assume(naive_host.first_unstorable_line(content) is None)
    document = Document.from_bytes(data)
    edited = document.with_content(target.name, content).to_bytes()
    assert document.to_bytes() == data
    old, new = raw_lines(data), raw_lines(edited)
    behind = len(old) - target.end_line
    assert new[: target.first_line] == old[: target.first_line]
    assert new[len(new) - behind :] == old[target.end_line :]
    assert same_but_for_a_missing_end([old[target.first_line]], [new[target.first_line]])
    inside_old, inside_new = old[target.first_line : target.end_line], new[target.first_line : len(new) - behind]
    assert same_but_for_a_missing_end(
        [line for line in inside_old if naive_host.comment(line) is not None],
        [line for line in inside_new if naive_host.comment(line) is not None],
    )
    expected = [
        (s.name, naive_host.stored_form(content) if s == target else s.content, s.owner, s.source, s.ts, s.effective)
        for s in read_sections(data)
    ]
    assert texts_of(edited) == expected


@given(messy.files(min_items=1), messy.unstorable_contents, st.integers(0, 99))
@thorough
def test_content_a_host_would_split_or_eat_is_refused_with_its_line(data: bytes, content: str, pick: int) -> None:
    assume(not naive_host.survives(content))
    items = read_items(data)
    assume(naive_host.survives(items[pick % len(items)].content))  # else the kept indent may hide the line again
    document = Document.from_bytes(data)
    with pytest.raises(errors.ContentNotStorable) as caught:
        document.with_content(items[pick % len(items)].name, content)
    assert caught.value.line == naive_host.first_unstorable_line(content)
    with pytest.raises(errors.ContentNotStorable):
        document.with_new_item("new-one", content, owner=None, source_conv=None, ts=None)
    assert document.to_bytes() == data


@given(messy.files(min_items=1), messy.contents() | messy.unstorable_contents, st.integers(0, 99))
@thorough
def test_what_is_written_is_read_back_or_it_is_not_written(data: bytes, content: str, pick: int) -> None:
    items = read_items(data)
    target = items[pick % len(items)]
    document = Document.from_bytes(data)
    try:
        edited = document.with_content(target.name, content).to_bytes()
    except errors.ContentNotStorable:
        return
    stored = naive_host.stored_form(content)
    assert as_items(read_items(edited)) == as_items(
        [replace(item, content=stored) if item == target else item for item in items]
    )


@given(messy.files(min_items=1), st.integers(0, 99))
@thorough
def test_editing_with_the_same_content_changes_nothing(data: bytes, pick: int) -> None:
    items = read_items(data)
    target = items[pick % len(items)]
    assert Document.from_bytes(data).with_content(target.name, target.content).to_bytes() == data


@given(messy.files(), messy.item_names, messy.contents(), messy.field_values | st.none())
@thorough
def test_a_new_item_goes_last_behind_every_old_byte(data: bytes, name: str, content: str, owner: str | None) -> None:
    name = " ".join(name.split())
    assume(name not in [item.name for item in read_items(data)])
    assume(naive_host.first_unstorable_line(content) is None)
    ts = "2026-07-10T03:00:00+00:00"
    added = Document.from_bytes(data).with_new_item(name, content, owner=owner, source_conv=None, ts=ts).to_bytes()
    assert added.startswith(data)
    kept_owner = owner.replace("|", "/").strip() or None if owner else None
    new = (name, naive_host.stored_form(content), kept_owner, None, ts, True)
    assert texts_of(added) == [*texts_of(data), new]


@given(messy.files(min_items=1), messy.contents())
@thorough
def test_a_new_item_without_fields_has_no_comment(data: bytes, content: str) -> None:
    assume(naive_host.first_unstorable_line(content) is None)
    added = Document.from_bytes(data).with_new_item("new-one", content, owner=None, source_conv=None, ts=None)
    tail = added.to_bytes()[len(data) :].decode()
    assert all(naive_host.comment(line) is None for line in tail.splitlines())


@given(messy.files(min_items=1), st.integers(0, 99))
@thorough
def test_removing_an_item_takes_its_sections_and_no_other_byte(data: bytes, pick: int) -> None:
    sections = read_sections(data)
    name = sections[pick % len(sections)].name
    lines = raw_lines(data)
    kept = lines[: sections[0].first_line]
    for section in sections:
        kept += lines[section.first_line : section.end_line] if section.name != name else []
    document = Document.from_bytes(data)
    left = document.without_item(name).to_bytes()
    assert left == "".join(kept).encode()
    assert texts_of(left) == [text for text in texts_of(data) if text[0] != name]
    assert document.to_bytes() == data


@given(messy.files(min_items=2), st.lists(st.tuples(st.integers(0, 99), messy.contents()), max_size=5))
@settings(max_examples=150, deadline=None)
def test_a_series_of_edits_reads_as_the_last_text_of_each_item(data: bytes, edits: list[tuple[int, str]]) -> None:
    document = Document.from_bytes(data)
    expected = read_items(data)
    for pick, content in edits:
        index = pick % len(expected)
        if naive_host.first_unstorable_line(content) is None:
            document = document.with_content(expected[index].name, content)
            expected[index] = replace(expected[index], content=naive_host.stored_form(content))
    assert document.items("c") == as_items(expected)
    assert Document.from_bytes(document.to_bytes()).items("c") == as_items(expected)
