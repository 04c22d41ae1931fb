"""Renaming and moving take every link along that led there, and touch nothing else."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.folders import fill, tree
from tests.engine.test_crash import memory_files
from tests.engine.test_intents import all_crashes
from wikimem_desktop.engine import MemoryStore, errors
from wikimem_desktop.engine.arranging import merge_items
from wikimem_desktop.engine.changes import Change, Mark
from wikimem_desktop.engine.document import Document
from wikimem_desktop.engine.intents import finish_intents
from wikimem_desktop.engine.links import WikiLink, parse_wiki_links
from wikimem_desktop.engine.refactoring import (
    LinkLine,
    Redirection,
    count_redirected,
    links_to,
    move_items,
    read_only_among,
    redirection_of_category,
    redirection_of_item,
    rename_category,
    rename_item,
    rewrite_line,
    rewrite_text,
)

CODE = "```\n[[notes:a]]\n```\n`[[notes:a]]` and ``x [[notes:a]]``\n"
FILES: dict[str, str | bytes] = {
    "wiki/notes.md": "# notes\n\nprose [[notes:a]]\n\n## a\n\nself [[notes:a]]\n\n## b\n\nkept [[notes:b]]\n",
    "wiki/other.md": "# other\r\n\r\n## a\r\n\r\n[[ notes : a ]], [[notes:a|alias]], [[notes:b]] [[notes:gone]]\r\n",
    "wiki/code.md": f"## c\n\n\n\nplain [[notes:a]]\n\n{CODE}\n````\n```\n[[notes:a]]\n````\n\n~~~\n[[notes:a]]\n",
    "wiki/twice.md": "## a [[notes:a]]\n\nhidden [[notes:a]]\n\n## a [[notes:a]]\n\n[[other:a]]\n",
    "diary/2026-07-10.md": "# 2026-07-10\n\n## 09:00\n\n[[notes:a]]\n\n## 09:00\n\n[[notes:a]] [[code:c]]\n",
}


@pytest.fixture
def store(tmp_path: Path) -> MemoryStore:
    return MemoryStore(fill(tmp_path / "store", FILES))


def do(store: MemoryStore, change: Change) -> Change:
    return store.change(change.files, change.records)


def text(store: MemoryStore, key: str) -> str:
    return store.path(key).read_bytes().decode()


def resolved(store: MemoryStore) -> list[tuple[str, str]]:
    """What the links of all files lead to, in order: the text of the item, however it is called."""
    items = {(item.category, item.name): item for item in store.items()}
    keys = [*store.categories(), *(f"diary/{day}" for day in store.diary.dates())]
    found = []
    for key in sorted(keys):
        lines = [line for line in text(store, key).splitlines() if not line.startswith("##")]
        for link in parse_wiki_links("\n".join(lines)):
            item = items.get((link.category, link.name))
            found.append((item.name, item.content) if item else ("", link.render()))
    return found


# ------------------------------------------------------------ what is found


def test_the_preview_names_every_line_and_whether_it_is_code(store: MemoryStore) -> None:
    """B02: fences of three and four backticks, of tildes, one that is never closed; spans."""
    found = links_to(store, redirection_of_item(store, "notes", "a", "notes", "x"))
    assert [(line.key, line.line, line.section, line.in_code) for line in found] == [
        ("code", 5, "c", False),
        ("code", 8, "c", True),
        ("code", 10, "c", True),
        ("code", 14, "c", True),
        ("code", 18, "c", True),
        ("notes", 3, "", False),
        ("notes", 7, "a", False),
        ("other", 5, "a", False),
        ("twice", 3, "a [[notes:a]]", False),
        ("diary/2026-07-10", 5, "09:00", False),
        ("diary/2026-07-10", 9, "09:00", False),
    ]


def test_a_line_with_a_link_in_code_and_one_outside_is_no_code() -> None:
    redirection = Redirection("a", "a", {"b": "c"})
    document = Document("## x\n\n`[[a:b]]` [[a:b]]\n")
    store = MemoryStore(fill(Path(tempfile.mkdtemp()), {"x.md": document.text}))
    assert [line.in_code for line in links_to(store, redirection)] == [False]


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("[[a:b]]", "[[n:c]]"),
        ("[[ a :  b ]]x", "[[ n :  c ]]x"),
        ("[[a:b|c]]", "[[a:b|c]]"),
        ("[[a:B]] [[A:b]]", "[[a:B]] [[A:b]]"),
        ("[[a:other]]", "[[a:other]]"),
        ("[[[a:b]]] [[a:b]][[a:b]]", "[[[n:c]]] [[n:c]][[n:c]]"),
        ("[[a:b:c]] [[a]] [[:b]]", "[[a:b:c]] [[a]] [[:b]]"),
    ],
)
def test_of_a_link_only_the_address_changes(line: str, after: str) -> None:
    assert rewrite_line(line, Redirection("a", "n", {"b": "c"}, frozenset({"other"}))) == after


def test_a_link_in_another_unicode_form_leads_there_too_unless_there_is_one_of_that_form() -> None:
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    link = WikiLink("a", decomposed)
    assert Redirection("a", "a", {composed: "x"}).target(link) == WikiLink("a", "x")
    assert Redirection("a", "a", {composed: "x"}, frozenset({decomposed})).target(link) is None


def test_there_and_back_is_the_same_text() -> None:
    redirection = Redirection("a", "n", {"b": "c"})
    text = "x [[a:b]]\r\n\r\n[[ a:b ]]\u2028[[a:z]]"
    assert rewrite_text(rewrite_text(text, redirection), redirection.reversed()) == text


# ------------------------------------------------------------ what becomes of it


def test_renaming_an_item_rewrites_its_links_and_no_other_byte(store: MemoryStore) -> None:
    """B27: in categories that hold an item of the same name, in the diary, in code; links with an alias stay."""
    before = resolved(store)
    do(store, rename_item(store, "notes", "a", "x"))
    for name, old in FILES.items():
        assert isinstance(old, str)
        wanted = old.replace("[[notes:a]]", "[[notes:x]]").replace("[[ notes : a ]]", "[[ notes : x ]]")
        wanted = wanted.replace("## a [[notes:x]]", "## a [[notes:a]]")  # a heading is a name, not a link
        wanted = wanted.replace("## a\n\nself", "## x\n\nself")
        assert (store.root / name).read_bytes().decode() == wanted
    renamed = {("a", content): ("x", content) for _, content in before if content.startswith("self")}
    now = [(name, content.replace("notes:x", "notes:a")) for name, content in resolved(store)]
    assert [name for name, _ in now] == [renamed.get(entry, entry)[0] for entry in before]


def test_lines_in_code_that_were_not_ticked_stay(store: MemoryStore) -> None:
    found = links_to(store, redirection_of_item(store, "notes", "a", "notes", "x"))
    kept = {line.mark for line in found if line.in_code}
    do(store, rename_item(store, "notes", "a", "x", kept))
    assert "plain [[notes:x]]" in text(store, "code")
    assert CODE in text(store, "code")


def test_a_category_takes_all_its_links_along_but_leaves_those_that_led_nowhere(store: MemoryStore) -> None:
    do(store, rename_category(store, "notes", "fresh"))
    assert text(store, "fresh").startswith("# fresh\n\nprose [[fresh:a]]\n\n## a\n\nself [[fresh:a]]\n")
    assert "[[ fresh : a ]], [[notes:a|alias]], [[fresh:b]] [[notes:gone]]" in text(store, "other")
    assert "notes" not in store.categories()
    assert text(store, "diary/2026-07-10").count("[[fresh:a]]") == 2


def test_items_move_with_all_their_sections_and_links(store: MemoryStore) -> None:
    do(store, move_items(store, [("notes", "a"), ("twice", "a [[notes:a]]")], "code"))
    assert text(store, "notes") == "# notes\n\nprose [[code:a]]\n\n## b\n\nkept [[notes:b]]\n"
    assert not store.path("twice").exists()
    moved = str(FILES["wiki/twice.md"]).replace("\n\nhidden [[notes:a]]", "\n\nhidden [[code:a]]")
    assert text(store, "code").endswith(f"\n## a\n\nself [[code:a]]\n\n{moved}")


def test_a_name_that_is_taken_where_it_goes_is_refused_before_anything_is_written(store: MemoryStore) -> None:
    before = tree(store.root)
    with pytest.raises(errors.NameTaken) as caught:
        move_items(store, [("notes", "b"), ("notes", "a")], "other")
    assert "a" in str(caught.value)
    assert tree(store.root) == before


def test_moving_makes_a_category_and_the_last_item_takes_its_file_along(store: MemoryStore) -> None:
    do(store, move_items(store, [("code", "c")], "fresh"))
    assert text(store, "fresh").startswith("# fresh\n\n## c\n\n\n\nplain [[notes:a]]\n")
    assert not store.path("code").exists()
    assert "[[fresh:c]]" in text(store, "diary/2026-07-10")
    with pytest.raises(errors.InvalidCategory):
        move_items(store, [("notes", "b")], "No Name")


def test_the_journal_tells_what_moved_and_what_was_rewritten(store: MemoryStore) -> None:
    do(store, move_items(store, [("notes", "b")], "fresh"))
    told = [(e["action"], e["file"], e["item"], e.get("detail")) for e in store.journal.entries()]
    assert told == [
        ("remove", "notes", "b", "fresh:b"),
        ("add", "fresh", "b", "notes:b"),
        ("update", "other", "a", None),
        ("update", "fresh", "b", None),
    ]


@pytest.mark.parametrize("name", ["rename-item", "move-item", "rename-category"])
def test_killed_after_any_call_it_is_done_whole_or_not_at_all(name: str, tmp_path: Path) -> None:
    start = fill(tmp_path / "start", FILES)
    (start / "journal.jsonl").write_text('{"ts": "x", "action": "add", "file": "notes", "item": "a"}\n')
    old = memory_files(start)
    whole = None
    done = []
    for root in all_crashes(start, name, tmp_path):
        finish_intents(MemoryStore(root))
        found = memory_files(root)
        whole = memory_files(tmp_path / "whole") if whole is None else whole
        assert found in (old, whole)
        done.append(found == whole)
        assert not [path for path in root.iterdir() if "intent" in path.name]
    assert done == sorted(done)
    assert (done[0], done[-1]) == (False, True)


def test_a_linking_file_that_is_read_only_is_named_and_nothing_is_changed(store: MemoryStore) -> None:
    """B30."""
    locked = [store.path("other"), store.path("diary/2026-07-10")]
    for path in locked:
        path.chmod(0o444)
    before = tree(store.root)
    assert read_only_among(store, ["notes", "other", "diary/2026-07-10", "none"]) == ["other", "diary/2026-07-10"]
    for plan in (
        lambda: rename_item(store, "notes", "a", "x"),
        lambda: rename_category(store, "notes", "fresh"),
        lambda: move_items(store, [("notes", "a")], "fresh"),
        lambda: merge_items(store, ("code", "c"), [("notes", "a")]),
    ):
        with pytest.raises(errors.ReadOnlyFiles) as caught:
            plan()
        assert sorted(caught.value.paths) == sorted(locked)
    assert tree(store.root) == before
    do(store, rename_item(store, "twice", "a [[notes:a]]", "y"))  # no link leads there
    for path in locked:
        path.chmod(0o644)


@pytest.mark.parametrize(
    ("plan", "redirection", "counted"),
    [
        (lambda s, kept: rename_item(s, "notes", "a", "x", kept), Redirection("notes", "notes", {"a": "x"}), (7, 5)),
        (
            lambda s, kept: rename_category(s, "notes", "new", kept),
            Redirection("notes", "new", {"a": "a", "b": "b"}),
            (9, 5),
        ),
        (lambda s, kept: move_items(s, [("notes", "a")], "new", kept), Redirection("notes", "new", {"a": "a"}), (7, 5)),
    ],
)
def test_what_is_told_of_links_is_counted_on_disk(
    plan: Callable[[MemoryStore, set[Mark]], Change], redirection: Redirection, counted: tuple[int, int],
    store: MemoryStore,
) -> None:  # fmt: skip
    """B30: those that were kept, and those that others brought back meanwhile, are not told as done."""
    kept = {line.mark for line in links_to(store, redirection) if line.in_code}
    done = do(store, plan(store, kept))
    assert count_redirected(store, done, redirection) == counted
    path = store.path("other")
    path.write_bytes(path.read_bytes() + b"\n[[notes:a]]\n")
    assert count_redirected(store, done, redirection)[0] == counted[0] - 1


# ------------------------------------------------------------ at random

NAMES = ["a", "b", "海边", "e\u0301", "x y"]
CATEGORIES = ["one", "two", "three"]
pieces = st.sampled_from(
    [*(f"[[{c}:{n}]]" for c in CATEGORIES for n in NAMES), "[[ one : a ]]", "[[one:a|b]]", "[[one:gone]]", "text",
     "```", "~~~", "`[[one:a]]`", "\n", "\r\n", "\n\n", "\u2028", " ", "# t", "<!-- wikimem: owner=me -->\n"]
)  # fmt: skip
bodies = st.lists(pieces, max_size=8).map("".join)
files = st.dictionaries(
    st.sampled_from(CATEGORIES),
    st.tuples(bodies, st.lists(st.tuples(st.sampled_from(NAMES), bodies), min_size=1, max_size=4)),
    min_size=1,
)


def build(root: Path, content: dict[str, tuple[str, list[tuple[str, str]]]], day: str) -> MemoryStore:
    written: dict[str, str | bytes] = {"diary/2026-07-10.md": f"# d\n\n## 09:00\n\n{day}\n"}
    for category, (prose, items) in content.items():
        sections = "".join(f"\n## {name}\n\n{body}\n" for name, body in items)
        written[f"wiki/{category}.md"] = f"# {category}\n{prose}\n{sections}"
    return MemoryStore(fill(root, written))


def meant(store: MemoryStore) -> list[tuple[str, str, bool]]:
    """The links of hosts in all items: whose, and whether they lead somewhere."""
    names = {(item.category, item.name) for item in store.items()}
    return [(link.category, link.name, (link.category, link.name) in names) for i in store.items() for link in i.links]


@given(files, bodies, st.data())
def test_no_link_that_resolved_dangles_and_undo_brings_every_byte_back(
    content: dict[str, tuple[str, list[tuple[str, str]]]], day: str, data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = build(Path(folder), content, day)
        items = store.items()
        if not items:
            return
        item = data.draw(st.sampled_from(items))
        act = data.draw(st.sampled_from(["rename", "category", "move"]))
        before, dangling = tree(store.root), sum(not leads for *_, leads in meant(store))
        if act == "rename":
            redirection = redirection_of_item(store, item.category, item.name, item.category, "fresh")
            plan = rename_item(store, item.category, item.name, "fresh")
        elif act == "category":
            redirection = redirection_of_category(store, item.category, "fresh")
            plan = rename_category(store, item.category, "fresh")
        else:
            redirection = redirection_of_item(store, item.category, item.name, "fresh", item.name)
            plan = move_items(store, [(item.category, item.name)], "fresh")
        found = links_to(store, redirection)
        done = do(store, plan)
        assert links_to(store, redirection) == []
        assert sum(not leads for *_, leads in meant(store)) <= dangling
        touched = {line.key for line in found} | {item.category, "fresh"}
        assert set(done.files) <= touched
        do(store, done.reversed())
        after = {path: bytes_ for path, bytes_ in tree(store.root).items() if path != "journal.jsonl"}
        assert after == before


def test_lines_are_equal_by_what_they_say() -> None:
    line = LinkLine("a", 3, 4, "x", (), "i", True)
    assert line.mark == ("a", "x", True)
