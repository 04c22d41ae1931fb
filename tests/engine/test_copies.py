"""Bringing a sync tool's copy home: nothing of either file is lost unless it was chosen so."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.engine.folders import categories_of, fill, tree
from wikimem_desktop.engine import MemoryStore, errors
from wikimem_desktop.engine.copies import bring_home, differences_of

PREFS = "# prefs\r\n\r\n## a\r\n\r\none\r\n\r\n## b\r\n\r\ntwo\r\n"
COPY = "# prefs\n\n## a\n\none\n\n## b\n\ndos\n\n<!-- wikimem: owner=me -->\n\n## c\n\nthree\n"
NAME = "prefs.sync-conflict-20260101-120000-ABCDEFG"


@pytest.fixture
def store(tmp_path: Path) -> MemoryStore:
    return MemoryStore(fill(tmp_path, {"prefs.md": PREFS, f"{NAME}.md": COPY}))


def home(store: MemoryStore, **choices: str) -> list[tuple[str, str, str | None]]:
    change = bring_home(store, NAME, "prefs", choices)
    done = store.change(change.files, change.records)
    assert not store.path(NAME).exists()
    found = [(item.name, item.content, item.owner) for item in store.items("prefs")]
    undo = done.reversed()
    store.change(undo.files, undo.records)
    assert (store.path("prefs").read_bytes(), store.path(NAME).read_bytes()) == (PREFS.encode(), COPY.encode())
    return found


def test_what_differs_is_listed(store: MemoryStore) -> None:
    b, c = differences_of(store, NAME, "prefs")
    assert (b.copied, b.original) == ("## b\n\ndos\n\n<!-- wikimem: owner=me -->\n\n", "## b\r\n\r\ntwo\r\n")
    assert (c.name, c.original, c.known, c.comes_as) == ("c", None, None, "c")


@pytest.mark.parametrize(
    ("choice", "b"),
    [
        ("original", [("b", "two", None)]),
        ("copy", [("b", "dos", "me")]),
        ("both", [("b", "two", None), ("b 2", "dos", "me")]),
    ],
)
def test_each_item_as_it_was_chosen_and_new_ones_come_along(
    choice: str, b: list[tuple[str, str, str | None]], store: MemoryStore
) -> None:
    assert home(store, b=choice) == [("a", "one", None), *b, ("c", "three", None)]


def test_without_a_choice_both_stay(store: MemoryStore) -> None:
    assert [name for name, _, _ in home(store)] == ["a", "b", "b 2", "c"]


def test_a_copy_without_its_original_is_refused(store: MemoryStore) -> None:
    store.path("prefs").unlink()
    with pytest.raises(errors.CategoryNotFound):
        bring_home(store, NAME, "prefs", {})


@pytest.mark.parametrize(
    ("original", "copy", "whole"),
    [
        ("# p\n\nMine.\n\n## a\n\nx\n", "# p (copy)\n\nTheirs.\n## a\n\nx\n", "# p\n\nMine.\n\nTheirs.\n\n## a\n\nx\n"),
        ("# p\n\nMine.\nMore.\n## a\n\nx\n", "# p\n\nMine.\n", "# p\n\nMine.\nMore.\n## a\n\nx\n"),
        ("## a\n\nx\n", "Theirs.\n\n## a\n\nx\n", "Theirs.\n\n## a\n\nx\n"),
        ("# p\r\n", "One.\n\nTwo.", "# p\r\n\r\nOne.\r\n\r\nTwo.\r\n"),
        ("\ufeff# p\n", "\ufeff# p\n", "\ufeff# p\n"),
        ("One.\n", "\ufeffOne.\n", "One.\n"),
        ("\ufeffOne.\n", "One.\n", "\ufeffOne.\n"),
        ("One.\n", "\ufeffTwo.\n", "One.\n\nTwo.\n"),
        ("# p\n\n## a\n\nx\n", "# p\n\n    code\u2028more\n\n## a\n\nx\n", "# p\n\n    code\u2028more\n\n## a\n\nx\n"),
        ("# p\n", "\ufeff## a\n\nno item\n", "# p\n\n\ufeff## a\n\nno item\n"),
    ],
)
def test_prose_comes_along_once(original: str, copy: str, whole: str, tmp_path: Path) -> None:
    store = MemoryStore(fill(tmp_path, {"prefs.md": original, f"{NAME}.md": copy}))
    change = bring_home(store, NAME, "prefs", {})
    store.change(change.files, change.records)
    assert store.path("prefs").read_bytes().decode() == whole


# ------------------------------------------------------------ nothing goes unseen


def brought(root: Path, files: dict[str, str | bytes], choices: dict[str, str] | None = None) -> MemoryStore:
    """The store with its copy (of the same name in all these tests) at home; what undoing it gives is looked at."""
    store = MemoryStore(fill(root / "store", files))
    before = categories_of(tree(store.root))
    change = bring_home(store, NAME, "prefs", choices or {})
    undo = store.change(change.files, change.records).reversed()
    after = MemoryStore(shutil.copytree(store.root, root / "after"))
    store.change(undo.files, undo.records)
    assert categories_of(tree(store.root)) == before
    return after


def text(store: MemoryStore, category: str = "prefs") -> str:
    return store.path(category).read_bytes().decode()


@pytest.mark.parametrize(("choice", "home"), [("original", "b"), ("copy", "b"), ("both", "b 2")])
def test_links_to_the_copy_lead_to_where_the_item_is(choice: str, home: str, tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "prefs.md": f"## a\n\none\n\n## b\n\ntwo [[{NAME}:a]]\n",
        f"{NAME}.md": f"## a\n\none\n\n## b\n\ndos [[{NAME}:c]]\n\n## c\n\n[[prefs:b]] [[{NAME}:b]]\n",
        "plans.md": f"## p\n\n[[{NAME}:a]] [[{NAME}:b]] [[{NAME}:c]] [[{NAME}:none]]\n",
    }
    after = brought(tmp_path, files, {"b": choice})
    assert text(after, "plans") == f"## p\n\n[[prefs:a]] [[prefs:{home}]] [[prefs:c]] [[{NAME}:none]]\n"
    assert f"## c\n\n[[prefs:b]] [[prefs:{home}]]\n" in text(after)
    assert NAME not in text(after)


def test_what_differs_only_around_the_text_is_a_difference(tmp_path: Path) -> None:
    comment = "\n<!-- wikimem: owner=me | mood=good | ts=2026 -->\n"
    names = ["owner", "unknown", "separator", "indent", "same"]
    mine = "".join(f"## {name}\n\na\nb\n{comment}\n" for name in names).replace("\n", "\r\n")
    theirs = {
        "owner": f"a\nb\n{comment.replace('=me', '=you')}",
        "unknown": f"a\nb\n{comment.replace('good', 'bad')}",
        "separator": f"a\u2028b\n{comment}",
        "indent": f"    a\nb\n{comment}",
        "same": f"a\nb\n{comment}",
    }
    copy = "".join(f"## {name}\n\n{body}\n" for name, body in theirs.items())
    store = MemoryStore(fill(tmp_path / "store", {"prefs.md": mine, f"{NAME}.md": copy}))
    found = differences_of(store, NAME, "prefs")
    assert [(each.name, each.same_text) for each in found] == [(name, True) for name in names[:-1]]
    change = bring_home(store, NAME, "prefs", dict.fromkeys(theirs, "copy"))
    store.change(change.files, change.records)
    assert text(store) == copy.replace("\n", "\r\n")


def test_sections_that_hosts_ignore_come_along_and_stay_ignored(tmp_path: Path) -> None:
    mine = "## a\n\nold\n\n## a\n\nmine\n\n## b\n\nsame\n\n## c\n\nlast\n"
    theirs = "## a\n\nold\n\n## a\n\ndraft\n\n## a\n\ntheirs\n\n## b\n\nwas\n\n## b\n\nsame\n\n## d\n\n1\n\n## d\n\n2\n"
    files: dict[str, str | bytes] = {"prefs.md": mine, f"{NAME}.md": theirs}
    b, d = "## b\n\nwas\n\n## b\n\nsame\n\n## c\n\nlast\n", "\n## d\n\n1\n\n## d\n\n2\n"
    old, draft = "## a\n\nold\n\n", "## a\n\ndraft\n\n"
    for choice, a, comes in (
        ("copy", f"{old}{draft}## a\n\ntheirs\n\n", ""),
        ("original", f"{old}{draft}## a\n\nmine\n\n", ""),
        ("both", f"{old}## a\n\nmine\n\n", "\n## a 2\n\ndraft\n\n## a 2\n\ntheirs\n"),
    ):
        after = brought(tmp_path / choice, files, {"a": choice})
        assert text(after) == a + b + comes + d


def test_a_text_that_begins_with_an_indented_heading_is_taken(tmp_path: Path) -> None:
    copy = "## a\n\n    ## code\n    more\n"
    after = brought(tmp_path, {"prefs.md": "## a\n\none\n", f"{NAME}.md": copy}, {"a": "copy"})
    assert text(after) == copy


def test_what_only_the_copy_has_keeps_its_name(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"prefs.md": "## a\n\none\n", f"{NAME}.md": "## a\n\nuno\n\n## a 2\n\ndue\n"}
    items = {item.name: item.content for item in brought(tmp_path, files).items("prefs")}
    assert items == {"a": "one", "a 3": "uno", "a 2": "due"}


def test_names_that_look_alike_mean_one_item_or_get_a_number(tmp_path: Path) -> None:
    copy = "## Tea\n\nblack\n\n## e\u0301\n\nx\n\n## new\n\n1\n\n## NEW\n\n2\n\n## Sea\n\nblue\n\n## sea\n\nsalt\n"
    prefs = "## tea\n\ngreen\n\n## \u00e9\n\nx\n\n## sea\n\nsalt\n"
    store = MemoryStore(fill(tmp_path / "seen", {"prefs.md": prefs, f"{NAME}.md": copy}))
    assert [
        (each.name, each.known, each.comes_as, each.same_text) for each in differences_of(store, NAME, "prefs")
    ] == [
        ("Tea", "tea", "Tea 2", False),
        ("e\u0301", "\u00e9", "e\u0301 2", True),
        ("new", None, "new", False),
        ("NEW", None, "NEW 2", False),
        ("Sea", None, "Sea 2", False),
    ]
    links = {"plans.md": f"## p\n\n[[{NAME}:Tea]] [[{NAME}:e\u0301]] [[{NAME}:NEW]]\n"}
    files: dict[str, str | bytes] = {"prefs.md": prefs, f"{NAME}.md": copy, **links}
    after = brought(tmp_path, files, {"Tea": "copy", "e\u0301": "original"})
    items = {item.name: item.content for item in after.items("prefs")}
    assert items == {
        "tea": "black",
        "\u00e9": "x",
        "sea": "salt",
        "new": "1",
        "NEW 2": "2",
        "Sea 2": "blue",
    }
    assert text(after, "plans") == "## p\n\n[[prefs:tea]] [[prefs:\u00e9]] [[prefs:NEW 2]]\n"
