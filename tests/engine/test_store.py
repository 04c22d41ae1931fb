"""Layouts, listing, adding, removing and the journal of a memory store."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.engine.folders import TS, categories_of, fill, tree
from wikimem_desktop.engine import MemoryItem, MemoryStore, errors

ITEM = "## a\n\ntext\n"

DETECTION = [
    pytest.param({}, "flat", id="empty-folder"),
    pytest.param({"notes.md": ITEM}, "flat", id="category-files-in-the-root"),
    pytest.param({"notes.md": ITEM, "journal.jsonl": '{"category": "notes"}\n'}, "flat", id="journal-with-category"),
    pytest.param({"wiki": "a file of that name"}, "flat", id="a-file-named-wiki"),
    pytest.param({"other/": "", "readme.txt": "x"}, "flat", id="foreign-folder"),
    pytest.param({"category/": ""}, "category", id="category-folder"),
    pytest.param({"category/": "", "diary/": ""}, "category", id="category-folder-and-diary"),
    pytest.param({"category/": "", "notes.md": ITEM}, "category", id="category-folder-and-root-files"),
    pytest.param({"category/": "", "journal.jsonl": '{"file": "notes"}\n'}, "category", id="category-before-journal"),
    pytest.param({"wiki/": ""}, "wiki", id="wiki-folder"),
    pytest.param({"wiki/": "", "category/": "", "notes.md": ITEM}, "wiki", id="wiki-before-all-others"),
    pytest.param({"diary/": ""}, "wiki", id="only-a-diary"),
    pytest.param({"journal.jsonl": '{"action": "add", "file": "n", "item": "a"}\n'}, "wiki", id="journal-file"),
    pytest.param({"journal.jsonl": "[" * 100_000}, "flat", id="journal-nested-too-deep"),
    pytest.param({"journal.jsonl": 'torn\n{"file": "n", "item": "a"}\n'}, "wiki", id="journal-file-behind-a-torn-line"),
]

FOLDERS = {"flat": "", "category": "category/", "wiki": "wiki/"}
JOURNAL_KEYS = {"flat": "category", "category": "category", "wiki": "file"}


def journal_lines(root: Path) -> list[dict[str, Any]]:
    data = (root / "journal.jsonl").read_bytes()
    assert data.endswith(b"\n")
    assert b"\r" not in data
    return [json.loads(line) for line in data.decode().removesuffix("\n").split("\n")]


@pytest.mark.parametrize(("files", "layout"), DETECTION)
def test_layout_is_found_from_what_is_there(files: dict[str, str], layout: str, tmp_path: Path) -> None:
    root = fill(tmp_path / "store", dict(files))
    before = tree(root)
    assert MemoryStore(root).layout.name == layout
    assert tree(root) == before


def test_a_missing_folder_is_an_empty_flat_store_that_the_first_write_makes(tmp_path: Path) -> None:
    root = tmp_path / "deep" / "store"
    store = MemoryStore(root)
    assert (store.layout.name, store.categories(), store.items()) == ("flat", [], [])
    assert not root.exists()
    store.add("notes", "a", "text")
    assert sorted(tree(root)) == ["journal.jsonl", "notes.md"]


@pytest.mark.parametrize(("files", "layout"), [case for case in DETECTION if case.id != "a-file-named-wiki"])
def test_an_empty_folder_that_a_host_lays_out_later_is_seen_as_when_opened_then(
    files: dict[str, str], layout: str, tmp_path: Path
) -> None:
    store = MemoryStore(tmp_path / "store")
    assert store.categories() == []
    fill(store.root, {**files, f"{FOLDERS[layout]}late.md": ITEM})
    assert "late" in store.categories()
    assert store.layout.name == layout
    store.add("late", "b", "more")
    assert {item.name for item in MemoryStore(store.root).items("late")} == {"a", "b"}
    assert store.journal.entries()[-1][JOURNAL_KEYS[layout]] == "late"
    store.diary.append("event", date="2026-07-20", time="10:00")
    assert MemoryStore(store.root).diary.dates() == ["2026-07-20"]


def test_a_write_into_an_empty_folder_follows_what_a_host_made_of_it(tmp_path: Path) -> None:
    store = MemoryStore(tmp_path)
    (tmp_path / "wiki").mkdir()
    store.add("notes", "a", "text")
    assert (tmp_path / "wiki" / "notes.md").exists()


def test_a_folder_that_is_laid_out_in_steps_is_followed(tmp_path: Path) -> None:
    store = MemoryStore(tmp_path)
    for files, layout in (({"diary/": ""}, "wiki"), ({"category/": ""}, "category"), ({"wiki/x.md": ITEM}, "wiki")):
        fill(tmp_path, dict(files))
        store.categories()
        assert store.layout.name == layout


def test_the_layout_of_a_store_with_categories_stays_while_they_are_away(tmp_path: Path) -> None:
    store = MemoryStore(fill(tmp_path, {"wiki/x.md": ITEM, "README.md": "# read me\n"}))
    assert store.categories() == ["x"]
    (tmp_path / "wiki").rename(tmp_path / "away")
    assert store.categories() == []
    (tmp_path / "away").rename(tmp_path / "wiki")
    assert store.categories() == ["x"]


def test_a_folder_of_another_layout_that_takes_the_place_of_the_first_is_read_and_written_in_its_own(
    tmp_path: Path,
) -> None:
    store = MemoryStore(fill(tmp_path / "store", {"x.md": ITEM}))
    assert [item.address for item in store.items()] == ["x:a"]
    fill(tmp_path / "other", {"wiki/x.md": ITEM, "wiki/y.md": ITEM})
    store.root.rename(tmp_path / "first")
    assert store.items() == []
    (tmp_path / "other").rename(store.root)
    assert [(file.category, file.path.parent) for file in store.files()] == [
        ("x", store.root / "wiki"),
        ("y", store.root / "wiki"),
    ]
    store.add("z", "b", "text")
    assert (store.root / "wiki" / "z.md").exists()


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(errors.StoreNotFound):
        MemoryStore(fill(tmp_path, {"store": "a file"}) / "store")


@pytest.mark.parametrize("layout", ["flat", "category", "wiki"])
def test_writes_go_back_into_the_layout_that_was_found(layout: str, tmp_path: Path) -> None:
    folder = FOLDERS[layout]
    fill(tmp_path, {f"{folder}notes.md": ITEM})
    store = MemoryStore(tmp_path)
    assert store.path("notes") == tmp_path / folder / "notes.md"
    store.add("notes", "b", "more")
    store.add("work", "c", "new file")
    store.remove("notes", "a")
    assert sorted(categories_of(tree(tmp_path))) == [f"{folder}notes.md", f"{folder}work.md"]
    assert [(item.category, item.name) for item in store.items()] == [("notes", "b"), ("work", "c")]
    assert MemoryStore(tmp_path).layout.name == layout
    assert [(line[JOURNAL_KEYS[layout]], line["item"]) for line in journal_lines(tmp_path)] == [
        ("notes", "b"),
        ("work", "c"),
        ("notes", "a"),
    ]


@pytest.mark.parametrize("chosen", ["flat", "category", "wiki"])
def test_the_person_may_override_the_layout(chosen: str, tmp_path: Path) -> None:
    fill(tmp_path, {"wiki/w.md": ITEM, "category/c.md": ITEM, "f.md": ITEM})
    store = MemoryStore(tmp_path, layout=chosen)
    store.categories()
    assert store.layout.name == chosen
    assert store.categories() == [chosen[0]]
    store.add("new", "a", "text")
    assert (tmp_path / FOLDERS[chosen] / "new.md").is_file()


def test_the_journal_says_what_was_done(tmp_path: Path) -> None:
    store = MemoryStore(tmp_path)
    store.add("notes", "海边", "text", owner="user:ann", source_conv="conv_1")
    store.add("notes", "海边", "other text")
    store.update("notes", "海边", "third text")
    store.remove("notes", "海边", owner="user:bo")
    lines = journal_lines(tmp_path)
    assert [line["action"] for line in lines] == ["add", "update", "update", "remove"]
    assert {(line["category"], line["item"]) for line in lines} == {("notes", "海边")}
    assert (lines[0]["owner"], lines[0]["source_conv"], lines[3]["owner"]) == ("user:ann", "conv_1", "user:bo")
    allowed = {"ts", "action", "category", "item", "owner", "source_conv", "detail"}
    assert all(set(line) <= allowed and None not in line.values() for line in lines)
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", line["ts"]) for line in lines)
    assert "海边".encode() in (tmp_path / "journal.jsonl").read_bytes()
    assert store.journal.entries() == lines


def test_add_makes_an_item_with_its_fields_and_returns_it(tmp_path: Path) -> None:
    store = MemoryStore(tmp_path)
    added = store.add("notes", "  the \t sea ", "\n[[b:c]] text \n", owner="a|b", source_conv="conv_1", ts=TS)
    assert added == MemoryItem("notes", "the sea", "[[b:c]] text", "a/b", "conv_1", TS)
    assert [link.render() for link in added.links] == ["[[b:c]]"]
    assert MemoryStore(tmp_path).items() == [added]
    assert store.get("notes", "the  sea") == added
    assert store.get("notes", "other") is None
    assert store.get("missing", "the sea") is None


def test_a_new_item_is_stamped_with_now_in_utc_and_whole_seconds(tmp_path: Path) -> None:
    ts = MemoryStore(tmp_path).add("notes", "a", "text").ts
    assert ts is not None
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", ts)


def test_add_on_an_existing_name_replaces_in_place_and_keeps_owner_and_source(tmp_path: Path) -> None:
    text = f"# notes\n\n## a\n\nold\n\n<!-- wikimem: owner=me | mood=ok | source=conv_1 | ts={TS} -->\n\n## b\n\nlast\n"
    store = MemoryStore(fill(tmp_path, {"notes.md": text}))
    later = "2026-08-01T00:00:00+00:00"
    assert store.add("notes", "a", "new", ts=later) == MemoryItem("notes", "a", "new", "me", "conv_1", later)
    expected = text.replace("old", "new").replace(TS, later)
    assert (tmp_path / "notes.md").read_text(encoding="utf-8") == expected
    assert store.add("notes", "a", "new", owner="you", ts=later).owner == "you"
    assert (tmp_path / "notes.md").read_text(encoding="utf-8") == expected.replace("owner=me", "owner=you")
    stamped = store.add("notes", "a", "new").ts
    assert stamped not in (later, None)


def test_update_edits_the_text_and_keeps_the_metadata(tmp_path: Path) -> None:
    text = f"## a\n\nold\n\n<!-- wikimem: owner=me | ts={TS} -->\n"
    store = MemoryStore(fill(tmp_path, {"notes.md": text}))
    assert store.update("notes", "a", "new").items("notes")[0] == MemoryItem("notes", "a", "new", "me", None, TS)
    assert (tmp_path / "notes.md").read_text(encoding="utf-8") == text.replace("old", "new")
    with pytest.raises(errors.WikimemError):
        store.update("notes", "missing", "new")
    assert (tmp_path / "notes.md").read_text(encoding="utf-8") == text.replace("old", "new")


def test_revision_counts_writes_to_categories_only(tmp_path: Path) -> None:
    store = MemoryStore(tmp_path, layout="wiki")
    seen = [store.revision]
    store.add("notes", "a", "text")
    seen.append(store.revision)
    store.update("notes", "a", "other")
    seen.append(store.revision)
    store.remove("notes", "a")
    seen.append(store.revision)
    assert seen == sorted(set(seen))
    store.diary.append("an event")
    store.remove("notes", "a")
    assert store.revision == seen[-1]


def test_remove_says_whether_there_was_something(tmp_path: Path) -> None:
    store = MemoryStore(fill(tmp_path, {"notes.md": "## a b\n\nx\n\n## c\n\ny\n"}))
    assert store.remove("notes", "missing") is False
    assert store.remove("missing", "a") is False
    assert sorted(tree(tmp_path)) == ["notes.md"]
    assert store.remove("notes", "a  b") is True
    assert (tmp_path / "notes.md").read_bytes() == b"## c\n\ny\n"
    assert [line["action"] for line in journal_lines(tmp_path)] == ["remove"]


@pytest.mark.parametrize("name", ["Prefs", "a b", "", "-a", "a\n", "é", "../a", "a/b", "a.b"])
def test_no_slug_no_category(name: str, tmp_path: Path) -> None:
    root = tmp_path / "store"
    with pytest.raises(errors.InvalidCategory):
        MemoryStore(root).add(name, "a", "text")
    assert list(tmp_path.rglob("*")) == []


@pytest.mark.parametrize("name", ["", " \t", "a:b", "a|b", "#a", "a [[b", "b]] c"])
def test_names_that_headings_and_links_reserve_are_refused(name: str, tmp_path: Path) -> None:
    root = tmp_path / "store"
    with pytest.raises(errors.InvalidItemName):
        MemoryStore(root).add("notes", name, "text")
    assert list(tmp_path.rglob("*")) == []


def test_categories_are_sorted_by_name_and_items_follow_the_files(tmp_path: Path) -> None:
    fill(tmp_path, {"b.md": "## 2\n## 1\n", "a-z.md": "## x\n", "_in.md": "## y\n", "a.md": "## z\n", "0.md": "## w\n"})
    store = MemoryStore(tmp_path)
    assert store.categories() == sorted(["b", "a-z", "_in", "a", "0"])
    assert [item.name for item in store.items()] == ["w", "y", "z", "x", "2", "1"]
    assert [item.name for item in store.items("b")] == ["2", "1"]
    assert store.items("missing") == []
