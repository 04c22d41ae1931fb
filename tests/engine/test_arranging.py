"""Duplicating, reordering, splitting, merging and removing items: what is not named keeps its bytes."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.folders import fill, tree
from wikimem_desktop.engine import MemoryStore, errors
from wikimem_desktop.engine.arranging import (
    duplicate_items,
    free_name,
    merge_items,
    neighbour,
    place_item,
    remove_items,
    split_at,
)
from wikimem_desktop.engine.changes import Change
from wikimem_desktop.engine.document import Document

NOTES = "# notes\n\n## a\n\none\n\n<!-- wikimem: owner=me -->\n\n## b\n\ntwo\n\n## c\n\nthree [[notes:b]]"
FILES: dict[str, str | bytes] = {"wiki/notes.md": NOTES, "wiki/other.md": "# other\n\n## x\n\nsee [[notes:b]]\n"}


@pytest.fixture
def store(tmp_path: Path) -> MemoryStore:
    return MemoryStore(fill(tmp_path / "store", FILES))


def do(store: MemoryStore, change: Change) -> Change:
    return store.change(change.files, change.records)


def text(store: MemoryStore, key: str = "notes") -> str:
    return store.path(key).read_text(encoding="utf-8")


def names(store: MemoryStore) -> list[str]:
    return [item.name for item in store.items("notes")]


@pytest.mark.parametrize(
    ("name", "taken", "free"),
    [("a", ["a"], "a 2"), ("a 2", ["a 2"], "a 3"), ("a", ["a", "A 2"], "a 3"), ("2", ["2"], "2 2")],
)
def test_a_copy_is_numbered(name: str, taken: list[str], free: str) -> None:
    assert free_name(name, taken) == free


def test_duplicates_stand_behind_what_they_copy_with_its_metadata(store: MemoryStore) -> None:
    change, copies = duplicate_items(store, [("notes", "a"), ("notes", "c")])
    do(store, change)
    assert copies == [("notes", "a 2"), ("notes", "c 2")]
    assert names(store) == ["a", "a 2", "b", "c", "c 2"]
    copy = store.get("notes", "a 2")
    assert copy is not None
    assert (copy.content, copy.owner) == ("one", "me")


@pytest.mark.parametrize(("name", "step", "order"), [("b", -1, "bac"), ("b", 1, "acb"), ("c", -1, "acb")])
def test_an_item_goes_up_and_down(name: str, step: int, order: str, store: MemoryStore) -> None:
    possible, before = neighbour(Document(text(store)), name, step)
    assert possible
    do(store, place_item(store, "notes", name, before))
    assert names(store) == list(order)
    assert store.journal.entries() == []


@pytest.mark.parametrize(("name", "step"), [("a", -1), ("c", 1), ("none", 1)])
def test_the_first_can_go_no_higher_and_the_last_no_lower(name: str, step: int, store: MemoryStore) -> None:
    assert neighbour(Document(text(store)), name, step) == (False, None)


def test_a_split_keeps_owner_and_place(store: MemoryStore) -> None:
    do(store, split_at(store, "notes", "a", "on", "rest", "e"))
    assert names(store) == ["a", "rest", "b", "c"]
    new = store.get("notes", "rest")
    assert new is not None
    assert (new.content, new.owner) == ("e", "me")
    with pytest.raises(errors.NameTaken):
        split_at(store, "notes", "a", "o", "B", "n")


def test_merged_items_are_one_text_and_links_lead_to_it(store: MemoryStore) -> None:
    do(store, merge_items(store, ("notes", "a"), [("notes", "b"), ("notes", "c")]))
    item = store.get("notes", "a")
    assert item is not None
    assert (item.content, item.owner) == ("one\n\ntwo\n\nthree [[notes:a]]", "me")
    assert names(store) == ["a"]
    assert "[[notes:a]]" in text(store, "other")


def test_items_of_two_files_merge_and_an_empty_file_goes(store: MemoryStore) -> None:
    done = do(store, merge_items(store, ("notes", "b"), [("other", "x")]))
    item = store.get("notes", "b")
    assert item is not None
    assert item.content == "two\n\nsee [[notes:b]]"
    assert not store.path("other").exists()
    do(store, done.reversed())
    assert (text(store), text(store, "other")) == (NOTES, FILES["wiki/other.md"])


@pytest.mark.parametrize(
    ("into", "other", "merged"),
    [
        ("one", "    ## code\n    more", "one\n\n    ## code\n    more"),
        ("", "    ## code", "    ## code"),
        ("    ## code", "two", "    ## code\n\ntwo"),
        ("one\x0cuno", "a\u2028b\x0cc\r\nd", "one\x0cuno\n\na\u2028b\x0cc\nd"),
    ],
)
def test_merged_texts_stay_as_they_stand(into: str, other: str, merged: str, tmp_path: Path) -> None:
    store = MemoryStore(fill(tmp_path / "store", {"t.md": f"# t\n\n## a\n\n{into}\n", "u.md": f"## b\n\n{other}\n"}))
    do(store, merge_items(store, ("t", "a"), [("u", "b")]))
    assert store.path("t").read_bytes().decode() == f"# t\n\n## a\n\n{merged}\n" + "\n" * (into == "")


def test_several_items_are_removed_in_one_step(store: MemoryStore) -> None:
    done = do(store, remove_items(store, [("notes", "a"), ("other", "x"), ("notes", "b")]))
    assert (names(store), store.path("other").exists()) == (["c"], False)
    assert [(e["action"], e["item"]) for e in store.journal.entries()] == [(("remove"), n) for n in "axb"]
    do(store, done.reversed())
    assert (text(store), text(store, "other")) == (NOTES, FILES["wiki/other.md"])


bodies = st.sampled_from(["", "one", "two\n\nmore", "x\r\ny", "```\n## b\n```", "<!-- wikimem: owner=me -->"])
texts = st.builds(
    lambda items, end: "# t\n" + "".join(f"\n## {n}\n\n{b}\n" for n, b in items) + end,
    st.lists(st.tuples(st.sampled_from(["a", "b", "c", "d"]), bodies), min_size=1, max_size=5),
    st.sampled_from(["", "\n", "last"]),
)
ACTS: dict[str, Callable[[MemoryStore, str, str], Change]] = {
    "duplicate": lambda store, one, other: duplicate_items(store, [("t", one)])[0],
    "place": lambda store, one, other: place_item(store, "t", one, other),
    "end": lambda store, one, other: place_item(store, "t", one, None),
    "split": lambda store, one, other: split_at(store, "t", one, "above", "fresh", "below"),
    "merge": lambda store, one, other: merge_items(store, ("t", one), [("t", other)] if one != other else []),
    "remove": lambda store, one, other: remove_items(store, [("t", one)]),
}


def parts(store: MemoryStore) -> dict[str, list[str]]:
    """The text of each section as it stands in the file, by name; what is in front of all, by ""."""
    path = store.path("t")
    document = Document.from_bytes(path.read_bytes() if path.exists() else b"")
    first = document.sections[0].first_line if document.sections else len(document.lines)
    found = {"": ["".join(document.lines[:first]).rstrip()]}
    for section in document.sections:
        lines = document.lines[section.first_line : section.end_line]
        found.setdefault(section.name, []).append("".join(lines).rstrip())  # blank lines between sections may change
    return found


def blank_lines(store: MemoryStore) -> int:
    """The longest series of blank lines."""
    lines = store.path("t").read_text(encoding="utf-8").splitlines() if store.path("t").exists() else []
    return max((len(list(run)) for blank, run in groupby(lines, lambda line: not line.strip()) if blank), default=0)


@pytest.mark.parametrize("act", ACTS)
@given(texts, st.data())
def test_other_items_stay_and_undo_brings_every_byte_back(act: str, content: str, data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = MemoryStore(fill(Path(folder), {"t.md": content.encode()}))
        present = {item.name: item for item in store.items()}
        one, other = (data.draw(st.sampled_from(sorted(present))) for _ in range(2))
        before, sections, before_blank = tree(store.root), parts(store), blank_lines(store)
        done = do(store, ACTS[act](store, one, other))
        after, left = {item.name: item for item in store.items()}, parts(store)
        touched = set() if act in ("place", "end", "duplicate") else {one, other} if act == "merge" else {one}
        for name, item in present.items():
            if name not in touched:
                assert after[name] == item
                assert left[name] == sections[name]
        assert left[""] == sections[""] or not after
        assert blank_lines(store) <= max(1, before_blank)
        do(store, done.reversed())
        now = {name: bytes_ for name, bytes_ in tree(store.root).items() if name != "journal.jsonl"}
        assert now == before
