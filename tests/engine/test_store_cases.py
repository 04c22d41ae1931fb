"""Faults that people met elsewhere, and traps of the host (the ids are those of the case list)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.engine.folders import TS, fill, tree
from wikimem_desktop.engine import MemoryIndex, MemoryStore, errors

FENCED = "# work\n\n## install\n\nRun this:\n\n```md\n# Title\n## Installation\ntext\n```\n\nDone.\n"
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="symlinks need rights on Windows")


def read(root: Path, name: str = "notes.md") -> str:
    return (root / name).read_bytes().decode()


def test_b01_a_heading_in_a_fence_splits_the_item_as_in_hosts_and_edits_keep_the_rest(tmp_path: Path) -> None:
    store = MemoryStore(fill(tmp_path, {"work.md": FENCED}))
    assert [(item.name, item.content) for item in store.items()] == [
        ("install", "Run this:\n\n```md\n# Title"),
        ("Installation", "text\n```\n\nDone."),
    ]
    store.update("work", "Installation", "text\n```\n\nDone at last.")
    assert read(tmp_path, "work.md") == FENCED.replace("Done.", "Done at last.")


@pytest.mark.parametrize("fence", ["```", "````", "~~~", "  ```", "~~~~ text"])
def test_b02_comments_in_code_are_no_titles(fence: str, tmp_path: Path) -> None:
    text = f"## code\n\n{fence}\n# comment\n### deeper\n#### deepest\n\tx ## y\n"
    store = MemoryStore(fill(tmp_path, {"notes.md": text}))
    assert [item.name for item in store.items()] == ["code"]
    store.update("notes", "code", store.items()[0].content + "\n# more")
    assert read(tmp_path) == text + "# more\n"


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("## x", 1),
        ("one\n## x\ntwo", 2),
        ("one\r\ntwo\r\n##\tx", 3),
        ("one\x0b## x", 2),
        ("one\u2028## x", 2),
        ("a\n\n<!-- wikimem: owner=x -->", 3),
        ("a\n  <!--wikimem:-->  \n## b", 2),
        ("  ## x", 1),
        ("\n\n\t## x", 3),
    ],
)
def test_b03_w04_text_that_hosts_would_split_or_eat_is_refused(content: str, line: int, tmp_path: Path) -> None:
    store = MemoryStore(fill(tmp_path, {"notes.md": "## a\n\nold\n"}))
    for write in (
        lambda: store.add("notes", "a", content),
        lambda: store.add("notes", "new", content),
        lambda: store.add("other", "new", content),
        lambda: store.update("notes", "a", content),
    ):
        with pytest.raises(errors.ContentNotStorable) as caught:
            write()
        assert caught.value.line == line
    assert tree(tmp_path) == {"notes.md": b"## a\n\nold\n"}


def test_b03_what_only_looks_like_a_heading_is_stored(tmp_path: Path) -> None:
    content = "##no\n### deep\n text ## x\n##\n<!-- wikimem owner=x -->\n<!-- note -->\n  ## indented"
    store = MemoryStore(tmp_path)
    assert store.add("notes", "a", content).content == content
    assert MemoryStore(tmp_path).items()[0].content == content


def test_b04_w02_a_repeated_heading_counts_once_and_both_texts_stay(tmp_path: Path) -> None:
    text = "## a\n\nfirst\n\n<!-- wikimem: owner=x -->\n\n## b\n\nmid\n\n## a\n\nsecond\n"
    store = MemoryStore(fill(tmp_path, {"notes.md": text}))
    assert [(item.name, item.content) for item in store.items()] == [("a", "second"), ("b", "mid")]
    assert store.items()[0].owner is None
    store.update("notes", "a", "third")
    store.add("notes", "b", "middle", ts=TS)
    expected = text.replace("second", "third").replace("mid\n", f"middle\n\n<!-- wikimem: ts={TS} -->\n")
    assert read(tmp_path) == expected
    assert store.remove("notes", "a")
    assert [item.name for item in store.items()] == ["b"]
    assert "first" not in read(tmp_path)


def test_b10_a_heading_behind_a_byte_order_mark_is_no_item_and_the_mark_stays(tmp_path: Path) -> None:
    text = "\ufeff## a\r\n\r\nlost\r\n\r\n## b\r\n\r\nfound\r\n"
    store = MemoryStore(fill(tmp_path, {"notes.md": text}))
    assert [item.name for item in store.items()] == ["b"]
    store.update("notes", "b", "changed\nlines")
    assert read(tmp_path) == text.replace("found", "changed\r\nlines")
    store.add("notes", "c", "x", ts=TS)
    assert read(tmp_path).startswith(text.replace("found", "changed\r\nlines"))
    assert "\n" not in read(tmp_path).replace("\r\n", "")


def test_b11_w06_what_cannot_be_read_is_set_aside_and_all_else_works(tmp_path: Path) -> None:
    bad = "## 名字\n\n内容\n".encode("gbk")
    fill(tmp_path, {"good.md": "## a\n\nsea\n", "gbk.md": bad, "folder.md/": "", "._good.md": b"\x00\x05\x16\x07\x00"})
    store = MemoryStore(tmp_path)
    assert [item.name for item in store.items()] == ["a"]
    aside = {Path(problem.path).name: problem.reason for problem in store.unreadable()}
    assert set(aside) == {"gbk.md", "folder.md", "._good.md"}
    assert all(aside.values())
    assert "UTF-8" in str(aside["gbk.md"])
    assert [hit.item.name for hit in MemoryIndex(store, use_jieba=False).retrieve("sea").items] == ["a"]
    assert store.add("good", "b", "more").name == "b"
    with pytest.raises(errors.NotUtf8):
        store.add("gbk", "b", "more")
    with pytest.raises(errors.WikimemError):
        store.add("folder", "b", "more")
    assert (tmp_path / "gbk.md").read_bytes() == bad
    assert list((tmp_path / "folder.md").iterdir()) == []


@posix_only
def test_w06_a_dangling_link_is_set_aside(tmp_path: Path) -> None:
    fill(tmp_path, {"good.md": "## a\n"})
    (tmp_path / "gone.md").symlink_to(tmp_path / "nowhere.md")
    store = MemoryStore(tmp_path)
    assert [item.name for item in store.items()] == ["a"]
    assert [Path(problem.path).name for problem in store.unreadable()] == ["gone.md"]


def test_w01_text_above_the_first_item_stays_when_an_item_is_added(tmp_path: Path) -> None:
    text = "# My notes\n\nAn introduction,\nkept by hand.\n\n## a\n\nx\n"
    store = MemoryStore(fill(tmp_path, {"notes.md": text}))
    store.add("notes", "b", "y", ts=TS)
    assert read(tmp_path) == f"{text}\n## b\n\ny\n\n<!-- wikimem: ts={TS} -->\n"
    store.add("notes", "a", "z", ts=TS)
    assert read(tmp_path).startswith(text.replace("x\n", "z\n"))


def test_w03_unknown_fields_and_line_ends_stay(tmp_path: Path) -> None:
    text = f"# n\r\n\r\n## a\r\n\r\nx\r\ny\r\n\r\n<!--wikimem: mood=ok |owner= me| ts={TS}-->\r\n\r\n## b\r\n\r\nz\r\n"
    store = MemoryStore(fill(tmp_path, {"notes.md": text}))
    store.update("notes", "a", "x\nnew\ny")
    assert read(tmp_path) == text.replace("x\r\ny", "x\r\nnew\r\ny")
    store.add("notes", "a", "x\ny", ts="2027-01-01T00:00:00+00:00")
    assert read(tmp_path) == text.replace(TS, "2027-01-01T00:00:00+00:00")


def test_w05_unusual_separators_are_read_as_hosts_do_and_stay_on_disk(tmp_path: Path) -> None:
    text = "## a\n\none\u2028two\x85three\x0cfour\n\n## b\n\nx\x1cy\n"
    store = MemoryStore(fill(tmp_path, {"notes.md": text}))
    assert [item.content for item in store.items()] == ["one\ntwo\nthree\nfour", "x\ny"]
    store.update("notes", "a", "one\ntwo\nthree\nfive")
    assert read(tmp_path) == text.replace("four", "five")


def test_w07_foreign_names_are_read_and_capital_suffixes_are_not(tmp_path: Path) -> None:
    fill(tmp_path, {"My Notes.md": "## a\n", ".hidden.md": "## b\n", "sub/x.md": "## c\n", ".git/x.md": "## d\n"})
    (tmp_path / "Q.MD").write_bytes(b"## e\n")
    store = MemoryStore(tmp_path)
    assert store.categories() == [".hidden", "My Notes"]
    assert [(item.category, item.name) for item in store.items()] == [(".hidden", "b"), ("My Notes", "a")]
    before = tree(tmp_path)
    with pytest.raises(errors.InvalidCategory):
        store.add("My Notes", "b", "text")
    assert tree(tmp_path) == before


@posix_only
def test_w08_the_last_item_of_a_symlinked_category_is_gone_from_the_linked_file_too(tmp_path: Path) -> None:
    fill(tmp_path, {"shelf/real.md": "# notes\n\n## a\n\nsecret\n"})
    (tmp_path / "notes.md").symlink_to(Path("shelf") / "real.md")
    assert MemoryStore(tmp_path).remove("notes", "a")
    assert MemoryStore(tmp_path).items() == []
    assert all(b"secret" not in (data or b"") for data in tree(tmp_path).values())


@pytest.mark.parametrize("category", ["sub/x", "../outside", "sub/../notes"])
def test_a_path_is_no_category(category: str, tmp_path: Path) -> None:
    """Sub-folders and what lies outside are left alone, by edits as by additions, and not read either."""
    root = fill(tmp_path / "store", {"sub/x.md": "## a\n\nx\n", "notes.md": "## a\n\nx\n"})
    fill(tmp_path, {"outside.md": "## a\n\nx\n"})
    store, before = MemoryStore(root), tree(tmp_path)
    assert (store.items(category), store.get(category, "a")) == ([], None)
    for write in (
        lambda: store.add(category, "a", "y"),
        lambda: store.update(category, "a", "y"),
        lambda: store.remove(category, "a"),
    ):
        with pytest.raises(errors.WikimemError):
            write()
    assert tree(tmp_path) == before


@pytest.mark.parametrize("field", ["content", "name", "owner"])
def test_text_that_cannot_be_encoded_is_refused_and_nothing_is_written(field: str, tmp_path: Path) -> None:
    store = MemoryStore(fill(tmp_path, {"notes.md": "## a\n\nx\n"}))
    before = tree(tmp_path)
    with pytest.raises(ValueError, match=r"."):
        store.add("notes", **({"name": "b", "content": "y"} | {field: "half \ud83d"}))
    assert tree(tmp_path) == before
    assert store.journal.entries() == []


@pytest.mark.parametrize("preamble", ["", "# notes\n\n", "# Another title\r\n\r\n", "\ufeff# notes\n", "\n\n"])
def test_w08_a_file_with_only_a_title_goes_with_its_last_item(preamble: str, tmp_path: Path) -> None:
    store = MemoryStore(fill(tmp_path, {"notes.md": preamble + "## a\n\nx\n"}))
    assert store.remove("notes", "a")
    assert not (tmp_path / "notes.md").exists()
    assert store.categories() == []


@pytest.mark.parametrize(
    "preamble", ["# t\n\nprose\n", "prose\n\n", "# one\n\n# two\n", "# t\n\n### u\n", "<!-- x -->\n"]
)
def test_w08_prose_is_never_removed_with_the_last_item(preamble: str, tmp_path: Path) -> None:
    store = MemoryStore(fill(tmp_path, {"notes.md": preamble + "## a\n\nx\n"}))
    assert store.remove("notes", "a")
    assert read(tmp_path) == preamble


def test_w09_a_torn_journal_line_is_skipped_and_closed_by_the_next_write(tmp_path: Path) -> None:
    torn = '{"ts": "x", "action": "add", "category": "n", "item": "a"}\n{"ts": "2026-'
    store = MemoryStore(fill(tmp_path, {"journal.jsonl": torn}))
    store.add("notes", "a", "text")
    lines = read(tmp_path, "journal.jsonl").split("\n")
    assert "\n".join(lines[:2]) == torn
    assert [entry["item"] for entry in store.journal.entries()] == ["a", "a"]
    assert store.journal.broken == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_w06_a_pipe_named_like_a_category_is_set_aside_and_never_waited_for(tmp_path: Path) -> None:
    store = MemoryStore(fill(tmp_path, {"good.md": "## a\n\nsea\n"}))
    os.mkfifo(tmp_path / "pipe.md")
    assert [item.name for item in store.items()] == ["a"]
    assert [Path(problem.path).name for problem in store.unreadable()] == ["pipe.md"]
