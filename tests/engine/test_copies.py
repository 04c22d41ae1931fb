"""Bringing a sync tool's copy home: nothing of either file is lost unless it was chosen so."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.folders import fill
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
    assert [tuple(found) for found in differences_of(store, NAME, "prefs")] == [
        ("b", "dos", "two"),
        ("c", "three", None),
    ]


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
    ],
)
def test_prose_comes_along_once(original: str, copy: str, whole: str, tmp_path: Path) -> None:
    store = MemoryStore(fill(tmp_path, {"prefs.md": original, f"{NAME}.md": copy}))
    change = bring_home(store, NAME, "prefs", {})
    store.change(change.files, change.records)
    assert store.path("prefs").read_bytes().decode() == whole
