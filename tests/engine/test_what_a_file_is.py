"""A category that is called otherwise, or comes back, is the link that it was, and its permission bits are the same."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from tests.engine.folders import fill
from wikimem_desktop.engine import MemoryStore
from wikimem_desktop.engine.changes import Change, FileChange
from wikimem_desktop.engine.refactoring import move_items, rename_category
from wikimem_desktop.places import Places

TEXT = "# notes\n\n## a\n\none\n"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="permission bits and links of POSIX")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def do(store: MemoryStore, change: Change) -> Change:
    return store.change(change.files, change.records)


@pytest.fixture
def private(tmp_path: Path) -> MemoryStore:
    root = fill(tmp_path / "store", {"notes.md": TEXT, "other.md": "## b\n\n[[notes:a]]\n"})
    (root / "notes.md").chmod(0o600)
    return MemoryStore(root)


def test_a_private_file_stays_private_under_another_name(private: MemoryStore) -> None:
    done = do(private, rename_category(private, "notes", "diary"))
    assert mode(private.path("diary")) == 0o600
    do(private, done.reversed())
    assert mode(private.path("notes")) == 0o600


def test_the_last_item_of_a_private_file_makes_no_public_one(private: MemoryStore) -> None:
    do(private, move_items(private, [("notes", "a")], "fresh"))
    assert mode(private.path("fresh")) == 0o600


def test_a_private_file_that_comes_back_is_private(private: MemoryStore) -> None:
    done = do(private, Change({"notes": FileChange(TEXT.encode(), None)}))
    assert not private.path("notes").exists()
    do(private, done.reversed())
    assert mode(private.path("notes")) == 0o600


@pytest.fixture
def linked(tmp_path: Path) -> MemoryStore:
    """Its notes are kept in a folder below."""
    root = fill(tmp_path / "store", {"kept/real.md": TEXT, "other.md": "## b\n\n[[notes:a]]\n"})
    (root / "notes.md").symlink_to(Path("kept", "real.md"))
    return MemoryStore(root)


def test_a_link_is_one_under_another_name(linked: MemoryStore) -> None:
    done = do(linked, rename_category(linked, "notes", "diary"))
    assert os.readlink(linked.path("diary")) == os.path.join("kept", "real.md")
    assert not os.path.lexists(linked.path("notes"))
    assert (linked.root / "kept" / "real.md").read_text() == TEXT.replace("# notes", "# diary")
    assert linked.path("other").read_text() == "## b\n\n[[diary:a]]\n"
    do(linked, done.reversed())
    assert os.readlink(linked.path("notes")) == os.path.join("kept", "real.md")
    assert (linked.root / "kept" / "real.md").read_text() == TEXT


@pytest.mark.parametrize("changed", [False, True])
def test_a_link_that_comes_back_is_one_if_it_leads_to_the_same(changed: bool, linked: MemoryStore) -> None:
    done = do(linked, Change({"notes": FileChange(TEXT.encode(), None)}))
    target = linked.root / "kept" / "real.md"
    assert target.read_text() == TEXT
    if changed:
        target.write_text("something else\n")
    do(linked, done.reversed())
    assert linked.path("notes").is_symlink() is not changed
    assert linked.path("notes").read_text() == TEXT


def test_what_the_window_keeps_of_memories_is_read_by_nobody_else(tmp_path: Path) -> None:
    places = Places(*(tmp_path / name for name in ("config", "data", "log", "cache")))
    places.make_private()
    assert mode(places.data) == 0o700
