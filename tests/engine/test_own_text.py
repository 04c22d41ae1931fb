"""An item's own text: as it stands in the file, and replaced so that no other byte changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.engine.folders import fill
from tests.engine.messy import contents, files
from wikimem_desktop.engine.document import Document, as_read, own_part
from wikimem_desktop.engine.errors import Conflict, ContentNotStorable
from wikimem_desktop.engine.items import MemoryItem
from wikimem_desktop.engine.store import MemoryStore


def a_name(data: st.DataObject, document: Document) -> str:
    return data.draw(st.sampled_from(sorted(document.effective())))


@given(file=files(min_items=1), data=st.data())
def test_own_text_reads_as_the_content_and_put_back_changes_no_byte(file: bytes, data: st.DataObject) -> None:
    document = Document.from_bytes(file)
    name = a_name(data, document)
    own = document.own_text(name)
    assert as_read(own) == document.effective()[name].content
    assert document.with_own_text(name, own).to_bytes() == file


@given(file=files(min_items=1), text=contents(), data=st.data())
def test_a_replaced_text_stands_there_exactly_and_all_around_stays(file: bytes, text: str, data: st.DataObject) -> None:
    document = Document.from_bytes(file)
    name = a_name(data, document)
    own = document.own_text(name)
    try:
        changed = document.with_own_text(name, text)
    except ContentNotStorable:
        return
    assert changed.effective()[name].content == as_read(text)
    for old, new in zip(document.sections, changed.sections, strict=True):
        if not (old.effective and old.name == name):
            assert old.item("c") == new.item("c")
    if own and own_part(text) and "\r" not in text and own in document.text:
        before, _, after = document.text.partition(own)
        assume(own not in before + after)
        assert changed.text == before + own_part(text) + after


@given(file=files(min_items=1), data=st.data())
def test_one_typed_character_is_one_changed_character(file: bytes, data: st.DataObject) -> None:
    document = Document.from_bytes(file)
    name = a_name(data, document)
    own = document.own_text(name)
    assume(own)
    at = data.draw(st.integers(0, len(own)))
    typed = own[:at] + "é" + own[at:]
    try:
        changed = document.with_own_text(name, typed)
    except ContentNotStorable:
        return
    assert len(changed.text) == len(document.text) + 1
    assert changed.own_text(name) == typed


def test_metadata_between_the_lines_stays_between_them() -> None:
    document = Document("## a\none\n<!-- wikimem: owner=x -->\ntwo\r\n\n## b\nthree")
    assert document.own_text("a") == "one\ntwo"
    assert document.with_own_text("a", "one\n2\u2028\nmore").text == (
        "## a\none\n<!-- wikimem: owner=x -->\n2\u2028\nmore\r\n\n## b\nthree"
    )
    assert document.with_own_text("b", "").text == "## a\none\n<!-- wikimem: owner=x -->\ntwo\r\n\n## b\n"


def test_text_at_the_end_of_the_file_does_not_run_into_metadata() -> None:
    document = Document("## a\none\n<!-- wikimem: owner=x -->\ntwo")
    assert document.with_own_text("a", "3").text == "## a\n3\n<!-- wikimem: owner=x -->\n"


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("", ""),
        (" \n\t\r\n", ""),
        ("\n\n  a\nb  \n\n", "  a\nb  "),
        ("\u2028 a \x85\x0c", " a "),
        ("a\r", "a"),
    ],
)
def test_blank_lines_around_a_text_are_not_its_own(text: str, own: str) -> None:
    assert own_part(text) == own


@pytest.fixture
def store(tmp_path: Path) -> MemoryStore:
    return MemoryStore(fill(tmp_path, {"x.md": "## a\r\n\r\none\u2028two\nthree\r\n\r\n## b\r\n\r\nb\r\n"}))


def item(store: MemoryStore, name: str) -> MemoryItem:
    found = store.get("x", name)
    assert found is not None
    return found


def test_an_update_with_the_own_text_keeps_every_separator(store: MemoryStore) -> None:
    own = store.document("x").own_text("a")
    assert own == "one\u2028two\nthree"
    store.update("x", "a", own.replace("two", "2"), base=item(store, "a"), own_text=own)
    assert store.path("x").read_bytes() == "## a\r\n\r\none\u20282\nthree\r\n\r\n## b\r\n\r\nb\r\n".encode()


def test_an_update_of_a_file_that_a_host_rewrote_takes_its_line_ends(store: MemoryStore) -> None:
    base, own = item(store, "a"), store.document("x").own_text("a")
    path = store.path("x")
    path.write_bytes(b"# x\n\n## a\n\none\ntwo\nthree\n\n## b\n\nb\n\n## c\n\nc\n")
    store.update("x", "a", own.replace("three", "3"), base=base, own_text=own)
    assert item(store, "a").content == "one\ntwo\n3"
    assert item(store, "c").content == "c"


def test_fields_change_with_the_text_and_only_their_pairs(store: MemoryStore) -> None:
    path = store.path("x")
    path.write_bytes(b"## a\n\ntext\n\n<!-- wikimem:owner=me |mood=good| ts=2026-01-01 -->\n")
    base = item(store, "a")
    store.update("x", "a", "text!", base=base, own_text="text", fields={"owner": "you|us", "ts": None})
    assert path.read_bytes() == b"## a\n\ntext!\n\n<!-- wikimem:owner=you/us |mood=good -->\n"
    with pytest.raises(Conflict):
        store.update("x", "a", "text?", base=base, own_text="text", fields={"owner": "x"})
