"""What structural changes come to on disk and in the journal, what they refuse, and that each can be undone."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.engine.folders import TS, categories_of, fill, tree
from wikimem_desktop.engine import MemoryStore, errors
from wikimem_desktop.engine.changes import (
    Change,
    FileChange,
    Record,
    check_category_name,
    check_item_name,
    new_category,
    new_item,
    remove_category,
    remove_item,
    split_item,
)
from wikimem_desktop.engine.refactoring import rename_category, rename_item

COMMENT = f"<!-- wikimem: owner=me | source=conv | ts={TS} -->"
NOTES = f"\ufeff# notes\r\n\r\n## a\r\n\r\none\ntwo\r\n\r\n{COMMENT}\r\n\r\n## b\r\n\r\nshadowed\r\n## b  \r\n\r\nkept"
SINGLE = "# single\n\n## only\n\nalone, see [[notes:a]]\n"
TWICE = "## x\n\nearlier\n\n## x\n\n[[notes:a]] [[ notes : a ]] [[notes:b]]\n"
FILES: dict[str, str | bytes] = {
    "wiki/notes.md": NOTES,
    "wiki/single.md": SINGLE,
    "wiki/twice.md": TWICE,
    "wiki/prose.md": "# prose\n\nwords\n\n## p\n\ntext\n",
    "wiki/My Notes.md": "# My Notes\n\n## foreign\n\ntext\n",
}
Plan = Callable[[MemoryStore], Change]
PLANS: dict[str, Plan] = {
    "new item": lambda store: new_item(store, "notes", "c", "text", owner="me", ts=TS),
    "new item in a new file": lambda store: new_item(store, "fresh", "c", "text"),
    "new category": lambda store: new_category(store, "fresh"),
    "rename item": lambda store: rename_item(store, "notes", "b", "B 2"),
    "rename category": lambda store: rename_category(store, "notes", "fresh"),
    "rename foreign category": lambda store: rename_category(store, "My Notes", "my-notes"),
    "remove item": lambda store: remove_item(store, "notes", "b"),
    "remove last item": lambda store: remove_item(store, "single", "only"),
    "remove last item below prose": lambda store: remove_item(store, "prose", "p"),
    "remove category": lambda store: remove_category(store, "notes"),
    "split item": lambda store: split_item(store, "notes", "a", "one", [("a 2", "two"), ("a 3", "")]),
    "split last item": lambda store: split_item(store, "notes", "b", "ke", [("pt", "pt")]),
}


@pytest.fixture
def store(tmp_path: Path) -> MemoryStore:
    return MemoryStore(fill(tmp_path / "store", FILES))


def do(store: MemoryStore, change: Change) -> Change:
    return store.change(change.files, change.records)


def text(store: MemoryStore, category: str) -> str:
    return store.path(category).read_bytes().decode()


def journal(store: MemoryStore) -> list[tuple[Any, ...]]:
    keys = ("action", "file", "item", "owner", "source_conv", "detail")
    return [tuple(entry.get(key) for key in keys) for entry in store.journal.entries()]


# ------------------------------------------------------------ what they do


def test_a_new_item_goes_last_with_its_metadata(store: MemoryStore) -> None:
    do(store, new_item(store, "notes", " c   d ", "text", owner="me", ts=TS))
    assert text(store, "notes") == NOTES + f"\r\n\r\n## c d\r\n\r\ntext\r\n\r\n<!-- wikimem: owner=me | ts={TS} -->\r\n"
    assert journal(store) == [("add", "notes", "c d", "me", None, None)]


def test_a_new_item_is_stamped_and_makes_its_category(store: MemoryStore) -> None:
    do(store, new_item(store, "fresh", "c"))
    assert text(store, "fresh").startswith("# fresh\n\n## c\n\n<!-- wikimem: ts=20")


def test_a_new_category_has_a_title_and_no_journal_line(store: MemoryStore) -> None:
    change = do(store, new_category(store, "fresh"))
    assert (text(store, "fresh"), journal(store)) == ("# fresh\n", [])
    assert change == Change({"fresh": FileChange(None, b"# fresh\n")}, ())
    assert "fresh" in store.categories()


def test_a_rename_takes_shadowed_sections_along(store: MemoryStore) -> None:
    do(store, rename_item(store, "notes", "b", "B"))
    assert text(store, "notes") == NOTES.replace("## b", "## B")
    assert journal(store) == [
        ("remove", "notes", "b", None, None, "notes:B"),
        ("add", "notes", "B", None, None, "notes:b"),
        ("update", "twice", "x", None, None, None),
    ]


def test_a_category_moves_with_every_byte_but_its_title(store: MemoryStore) -> None:
    do(store, rename_category(store, "notes", "fresh"))
    assert not store.path("notes").exists()
    assert text(store, "fresh") == NOTES.replace("# notes", "# fresh")
    assert journal(store) == [
        ("remove", "notes", "a", "me", "conv", "fresh:a"),
        ("add", "fresh", "a", "me", "conv", "notes:a"),
        ("remove", "notes", "b", None, None, "fresh:b"),
        ("add", "fresh", "b", None, None, "notes:b"),
        ("update", "single", "only", None, None, None),
        ("update", "twice", "x", None, None, None),
    ]


@pytest.mark.parametrize("title", ["# Notes", "# notes 2", "## notes", "notes", "#notes", ""])
def test_a_title_that_is_not_the_name_stays(title: str, store: MemoryStore) -> None:
    store.path("notes").write_text(f"{title}\n\n## a\n")
    do(store, rename_category(store, "notes", "fresh"))
    assert text(store, "fresh") == f"{title}\n\n## a\n"


def test_removing_takes_all_sections_of_the_name(store: MemoryStore) -> None:
    do(store, remove_item(store, "notes", "b"))
    assert text(store, "notes") == NOTES[: NOTES.index("## b")]
    assert journal(store) == [("remove", "notes", "b", None, None, None)]


def test_the_file_goes_with_its_last_item_but_prose_stays(store: MemoryStore) -> None:
    do(store, remove_item(store, "single", "only"))
    do(store, remove_item(store, "prose", "p"))
    assert not store.path("single").exists()
    assert text(store, "prose") == "# prose\n\nwords\n\n"


def test_removing_a_category_takes_all_it_holds(store: MemoryStore) -> None:
    do(store, remove_category(store, "prose"))
    assert not store.path("prose").exists()
    assert journal(store) == [("remove", "prose", "p", None, None, None)]


def test_a_split_puts_the_new_items_behind_the_old(store: MemoryStore) -> None:
    do(store, split_item(store, "notes", "a", "one", [("a 2", "two\nthree"), ("a 3", "")]))
    items = store.items("notes")
    assert [(item.name, item.content) for item in items] == [
        ("a", "one"), ("a 2", "two\nthree"), ("a 3", ""), ("b", "kept"),
    ]  # fmt: skip
    assert [(item.owner, item.source_conv) for item in items[:3]] == [("me", "conv")] * 3
    assert items[0].ts == TS
    assert items[1].ts != TS
    head, tail = NOTES[: NOTES.index("two")], NOTES[NOTES.index("## b") :]
    assert text(store, "notes").startswith(head.removesuffix("\n"))
    assert text(store, "notes").endswith(tail)
    assert [line[0] for line in journal(store)] == ["update", "add", "add"]


@pytest.mark.parametrize("name", PLANS)
def test_planning_writes_nothing(name: str, store: MemoryStore) -> None:
    before = tree(store.root)
    PLANS[name](store)
    assert tree(store.root) == before


@pytest.mark.parametrize("name", PLANS)
def test_the_store_knows_what_was_written(name: str, store: MemoryStore) -> None:
    store.items()
    revision = store.revision
    change = do(store, PLANS[name](store))
    assert store.written_since(revision) == set(change.files)
    assert {item.address for item in store.items()} == {item.address for item in MemoryStore(store.root).items()}
    for category, (_, new) in change.files.items():
        assert (store.path(category).read_bytes() if new is not None else None) == new


# ------------------------------------------------------------ undo


@pytest.mark.parametrize("name", PLANS)
def test_every_change_can_be_undone_and_done_again(name: str, store: MemoryStore) -> None:
    before = categories_of(tree(store.root))
    change = do(store, PLANS[name](store))
    after = categories_of(tree(store.root))
    assert after != before
    undone = do(store, change.reversed())
    assert categories_of(tree(store.root)) == before
    do(store, undone.reversed())
    assert categories_of(tree(store.root)) == after
    actions = [line[:3] for line in journal(store)]
    count = len(change.records)
    opposite = {"add": "remove", "remove": "add", "update": "update"}
    assert actions[count : 2 * count] == [(opposite[a], *place) for a, *place in reversed(actions[:count])]
    assert actions[2 * count :] == actions[:count]


@pytest.mark.parametrize("name", sorted(PLANS.keys() - {"remove last item", "remove category"}))
def test_undo_keeps_what_an_agent_added_meanwhile(name: str, store: MemoryStore) -> None:
    before = {(item.address, item.content) for item in store.items()}
    change = do(store, PLANS[name](store))
    agent = MemoryStore(store.root)
    category = next(category for category, (_, new) in change.files.items() if new is not None)
    agent.add(category, "agent", "theirs")
    do(store, change.reversed())
    assert {(item.address, item.content) for item in store.items()} == before | {(f"{category}:agent", "theirs")}
    for gone in (gone for gone, (_, new) in change.files.items() if new is None):
        assert text(store, gone) == FILES[f"wiki/{gone}.md"]


@pytest.mark.parametrize("name", ["remove last item", "remove category"])
def test_undo_does_not_overwrite_a_file_that_an_agent_made_anew(name: str, store: MemoryStore) -> None:
    change = do(store, PLANS[name](store))
    (category,) = change.files
    MemoryStore(store.root).add(category, "agent", "theirs")
    before = tree(store.root)
    with pytest.raises(errors.Conflict) as caught:
        do(store, change.reversed())
    assert (caught.value.category, caught.value.name) == (category, None)
    assert tree(store.root) == before


def test_undo_of_a_change_to_an_item_that_was_edited_since_is_a_conflict(store: MemoryStore) -> None:
    change = do(store, rename_item(store, "notes", "b", "c"))
    MemoryStore(store.root).update("notes", "c", "edited")
    before = tree(store.root)
    with pytest.raises(errors.Conflict) as caught:
        do(store, change.reversed())
    assert (caught.value.category, caught.value.name) == ("notes", "c")
    assert tree(store.root) == before


# ------------------------------------------------------------ what changed meanwhile


def test_a_change_is_merged_with_what_others_wrote_since_it_was_planned(store: MemoryStore) -> None:
    plan = rename_item(store, "notes", "b", "c")
    agent = MemoryStore(store.root)
    agent.add("notes", "agent", "theirs", ts=TS)
    agent.update("notes", "a", "changed")
    change = do(store, plan)
    assert [(item.name, item.content) for item in store.items("notes")] == [
        ("a", "changed"), ("c", "kept"), ("agent", "theirs"),
    ]  # fmt: skip
    assert change.files["notes"] == (
        agent.path("notes").read_bytes().replace(b"## c", b"## b"),
        text(store, "notes").encode(),
    )


def test_what_an_agent_added_to_a_category_that_goes_stays_below_the_title(store: MemoryStore) -> None:
    plan = remove_category(store, "single")
    MemoryStore(store.root).add("single", "agent", "theirs", ts=TS)
    do(store, plan)
    assert text(store, "single") == f"# single\n\n## agent\n\ntheirs\n\n<!-- wikimem: ts={TS} -->\n"


def test_prose_that_others_wrote_into_a_category_that_goes_stays(store: MemoryStore) -> None:
    plan = remove_category(store, "single")
    store.path("single").write_text("# single\n\nwords of theirs\n")
    do(store, plan)
    assert text(store, "single") == "# single\n\nwords of theirs\n"


def test_a_category_that_loses_an_item_meanwhile_goes_all_the_same(store: MemoryStore) -> None:
    plan = remove_category(store, "notes")
    MemoryStore(store.root).remove("notes", "a")
    do(store, plan)
    assert not store.path("notes").exists()


@pytest.mark.parametrize(
    ("edit", "disk", "name"),
    [
        (FileChange(SINGLE.encode(), SINGLE.replace("alone", "mine").encode()), SINGLE.replace("alone", "x"), "only"),
        (FileChange(SINGLE.encode(), None), SINGLE.replace("alone", "theirs"), "only"),
        (FileChange(SINGLE.encode(), SINGLE.replace("alone", "mine").encode()), None, None),
        (FileChange(None, b"# single\n"), SINGLE, None),
    ],
)
def test_what_can_not_be_merged_is_a_conflict_and_nothing_is_written(
    edit: FileChange, disk: str | None, name: str | None, store: MemoryStore
) -> None:
    store.path("single").unlink()
    if disk is not None:
        store.path("single").write_bytes(disk.encode())
    before = tree(store.root)
    other = FileChange(NOTES.encode(), NOTES.replace("one", "1").encode())
    for edits in ({"single": edit}, {"notes": other, "single": edit}, {"single": edit, "notes": other}):
        with pytest.raises(errors.Conflict) as caught:
            store.change(edits, [Record("update", "single", "only")])
        assert (caught.value.category, caught.value.name) == ("single", name)
        assert tree(store.root) == before


def test_a_change_that_is_done_already_writes_nothing(store: MemoryStore) -> None:
    before = tree(store.root)
    edits = {"notes": FileChange(b"old", NOTES.encode()), "gone": FileChange(b"old", None)}
    assert store.change(edits, [Record("add", "notes", "a")]) == Change()
    assert tree(store.root) == before
    assert store.revision == 0


def test_a_file_that_is_not_utf8_can_not_be_merged(store: MemoryStore) -> None:
    store.path("notes").write_bytes(b"\xff")
    with pytest.raises(errors.NotUtf8):
        do(store, Change({"notes": FileChange(NOTES.encode(), b"x")}))
    assert store.path("notes").read_bytes() == b"\xff"


@pytest.mark.skipif(sys.platform == "win32", reason="symlinks are POSIX")
def test_nothing_is_written_outside_the_store_or_when_it_is_read_only(store: MemoryStore, tmp_path: Path) -> None:
    outside = fill(tmp_path / "outside", {"real.md": SINGLE}) / "real.md"
    (store.folder / "linked.md").symlink_to(outside)
    before = tree(tmp_path)
    change = {"linked": FileChange(SINGLE.encode(), b"new"), "notes": FileChange(NOTES.encode(), b"new")}
    with pytest.raises(errors.OutsideStore):
        store.change(change)
    with pytest.raises(errors.ReadOnlyStore):
        MemoryStore(store.root, read_only=True).change({"notes": change["notes"]})
    with pytest.raises(errors.InvalidCategory):
        store.change({"../notes": FileChange(None, b"new"), "notes": change["notes"]})
    assert tree(tmp_path) == before
    store.allow_outside(store.path("linked"))
    store.change(change)
    assert (outside.read_bytes(), store.path("linked").is_symlink()) == (b"new", True)


def test_a_journal_that_fails_tells_what_was_done(store: MemoryStore) -> None:
    before = categories_of(tree(store.root))
    (store.root / "journal.jsonl").mkdir()
    for plan in (rename_item(store, "notes", "b", "c"), rename_category(store, "single", "fresh")):
        with pytest.raises(errors.JournalFailed) as caught:
            do(store, plan)
        assert caught.value.change == plan
        assert caught.value.change is not None
        with pytest.raises(errors.JournalFailed):
            do(store, caught.value.change.reversed())
        assert categories_of(tree(store.root)) == before
    assert [path.name for path in store.root.iterdir() if path.suffix == ".tmp"] == []


def test_the_journal_lines_of_a_flat_store_say_category(tmp_path: Path) -> None:
    store = MemoryStore(fill(tmp_path, {"notes.md": SINGLE}))
    do(store, new_item(store, "notes", "海", "text", owner="me", source_conv="conv"))
    line = (tmp_path / "journal.jsonl").read_text(encoding="utf-8")
    assert list(json.loads(line)) == ["ts", "action", "category", "item", "owner", "source_conv"]
    assert '"item": "海"' in line


# ------------------------------------------------------------ names


NFD = unicodedata.normalize("NFD", "café")


@pytest.mark.parametrize(
    ("name", "how"),
    [("Likes Sea", "case"), ("likes sea", "same"), ("café", "form"), ("CAFÉ", "case"), ("STRASSE", "case")],
)
def test_a_name_that_some_system_takes_for_another_is_taken(name: str, how: str) -> None:
    taken = ["other", "likes sea", NFD, "straße"]
    with pytest.raises(errors.NameTaken) as caught:
        check_item_name(name, taken, category="c")
    assert (caught.value.category, caught.value.name, caught.value.how) == ("c", name, how)
    assert caught.value.taken_by in taken


def test_the_very_name_is_named_before_one_alike() -> None:
    with pytest.raises(errors.NameTaken) as caught:
        check_item_name("a", ["A", "a"])
    assert (caught.value.taken_by, caught.value.how) == ("a", "same")


@pytest.mark.parametrize(("name", "reserved"), [("a[b", "["), ("a]", "]"), ("a:b", ":"), ("a|b", "|"), (" \t", None)])
def test_item_names_that_no_link_could_reach_are_refused(name: str, reserved: str | None) -> None:
    with pytest.raises(errors.InvalidItemName) as caught:
        check_item_name(name, [])
    assert caught.value.reserved == reserved


def test_an_item_may_change_the_case_or_form_of_its_own_name(store: MemoryStore) -> None:
    assert check_item_name("  Likes   sea ", ["likes sea"], "likes sea") == "Likes sea"
    assert check_item_name("café", [NFD], NFD) == "café"
    do(store, rename_item(store, "single", "only", "Only"))
    assert text(store, "single") == SINGLE.replace("only", "Only", 1)
    with pytest.raises(errors.NameTaken):
        rename_item(store, "notes", "a", "B")


@pytest.mark.parametrize(
    ("name", "reserved"), [("Prefs", False), ("a b", False), ("", False), ("con", True), ("lpt9", True), ("com1", True)]
)
def test_names_that_can_be_no_category_are_refused(name: str, reserved: bool, store: MemoryStore) -> None:
    for act in (new_category, lambda store, name: rename_category(store, "notes", name)):
        with pytest.raises(errors.InvalidCategory) as caught:
            act(store, name)
        assert caught.value.reserved is reserved
    with pytest.raises(errors.InvalidCategory):
        new_item(store, name, "a")


def test_category_names_are_taken_in_any_case() -> None:
    with pytest.raises(errors.NameTaken) as caught:
        check_category_name("prefs", ["Prefs"])
    assert (caught.value.category, caught.value.name, caught.value.how) == ("prefs", None, "case")
    assert check_category_name("prefs", ["Prefs", "notes"], "Prefs") == "prefs"
    assert check_category_name("com", ["notes"]) == "com"


@pytest.mark.parametrize(
    ("plan", "error"),
    [
        (lambda store: rename_item(store, "notes", "none", "x"), errors.ItemNotFound),
        (lambda store: rename_item(store, "none", "a", "x"), errors.ItemNotFound),
        (lambda store: remove_item(store, "notes", "none"), errors.ItemNotFound),
        (lambda store: split_item(store, "notes", "none", "x", []), errors.ItemNotFound),
        (lambda store: rename_category(store, "none", "x"), errors.CategoryNotFound),
        (lambda store: remove_category(store, "none"), errors.CategoryNotFound),
        (lambda store: new_item(store, "notes", "b"), errors.NameTaken),
        (lambda store: new_category(store, "notes"), errors.NameTaken),
        (lambda store: rename_category(store, "notes", "single"), errors.NameTaken),
        (lambda store: split_item(store, "notes", "a", "x", [("n", ""), ("N", "")]), errors.NameTaken),
        (lambda store: split_item(store, "notes", "a", "x", [("b", "")]), errors.NameTaken),
        (lambda store: split_item(store, "notes", "a", "x", [("n", "## y")]), errors.ContentNotStorable),
        (lambda store: new_item(store, "notes", "c", "x\n## y"), errors.ContentNotStorable),
        (lambda store: new_item(store, "My Notes", "c"), errors.InvalidCategory),
    ],
)
def test_what_can_not_be_done_is_said_before_anything_is_written(
    plan: Plan, error: type[Exception], store: MemoryStore
) -> None:
    before = tree(store.root)
    with pytest.raises(error):
        plan(store)
    assert tree(store.root) == before


def test_a_rename_to_the_same_name_is_no_change(store: MemoryStore) -> None:
    assert rename_item(store, "notes", "a", " a ") == Change()
    assert rename_category(store, "notes", "notes") == Change()
