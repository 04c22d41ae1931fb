"""New, renamed, split and removed items: written at once, undone step by step, and no text is lost on the way."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.engine.folders import categories_of, tree
from tests.presentation.house import House, edit_outside
from tests.presentation.notes import NOTES, A, B, current, on_disk, type_text
from wikimem_desktop.engine.problems import Kind, Problem
from wikimem_desktop.presentation import trash
from wikimem_desktop.presentation.buffer import Foreign, Place

posix_only = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="their trash is no folder to look into")


def trashed() -> list[Path]:
    return sorted(Path(os.environ["XDG_DATA_HOME"], "Trash", "files").glob("notes*"))


def raising(error: Exception) -> Callable[..., None]:
    def act(*arguments: object) -> None:
        raise error

    return act


@pytest.fixture(autouse=True)
def empty_trash() -> Iterator[None]:
    yield
    for path in trashed():
        path.unlink()


def steps_of(house: House) -> tuple[str, str]:
    return house.steps.undo_label, house.steps.redo_label


def test_a_new_item_is_opened_and_can_be_undone_and_redone(house: House, root: Path) -> None:
    house.structure.new_item("notes", "c")
    house.settle()
    assert current(house).place == Place("item", "notes", "c")
    assert on_disk(root).startswith(NOTES + "\r\n## c\r\n\r\n")
    written = on_disk(root)
    assert steps_of(house) == ("New item c", "")
    house.steps.undo()
    house.settle()
    assert on_disk(root) == NOTES
    assert house.documents.current is None
    assert steps_of(house) == ("", "New item c")
    house.steps.redo()
    house.settle()
    assert on_disk(root) == written
    assert steps_of(house) == ("New item c", "")


def test_a_new_category_is_a_file_with_a_title(house: House, root: Path) -> None:
    house.structure.new_category("ideas")
    house.settle()
    assert (root / "ideas.md").read_bytes() == b"# ideas\n"
    assert "ideas" in house.structure.categories
    house.steps.undo()
    house.settle()
    assert not (root / "ideas.md").exists()


def test_an_item_is_renamed_with_its_unsaved_text_and_its_undo(house: House, root: Path) -> None:
    type_text(house, "mine")
    house.documents.open(B)
    house.structure.rename(A, "new name")
    house.settle()
    assert on_disk(root) == NOTES.replace("## a", "## new name")
    assert house.documents.unsaved == ["notes:new name"]
    house.documents.go_back()
    assert current(house).place == Place("item", "notes", "new name")
    assert (current(house).text, current(house).conflict) == ("mine", None)
    house.save()
    assert on_disk(root) == NOTES.replace("## a", "## new name").replace("one", "mine")
    house.steps.undo()
    house.settle()
    assert on_disk(root) == NOTES.replace("one", "mine")
    assert current(house).place == A
    current(house).document.undo()
    assert current(house).text == "one"


def test_a_category_is_renamed_with_all_that_is_open_of_it(house: House, root: Path) -> None:
    type_text(house, "mine")
    house.documents.open(B)
    house.structure.rename(Place("category", "notes"), "memos")
    house.settle()
    assert not (root / "notes.md").exists()
    assert (root / "memos.md").read_bytes().decode() == NOTES.replace("# notes", "# memos")
    assert current(house).place == Place("item", "memos", "b")
    assert house.documents.unsaved == ["memos:a"]
    house.steps.undo()
    house.settle()
    assert on_disk(root) == NOTES
    assert current(house).place == B
    assert house.documents.unsaved == ["notes:a"]


def test_unsaved_text_of_a_deleted_item_is_handed_over(house: House, root: Path) -> None:
    lost: list[tuple[Place, str, str]] = []
    house.documents.lost.connect(lambda *what: lost.append(what))
    type_text(house, "mine")
    house.structure.remove(A)
    house.settle()
    assert lost == [(A, "mine", "mine"), (A, "mine", "one")]
    assert house.documents.current is None
    assert house.documents.unsaved == []
    assert "## a" not in on_disk(root)
    house.steps.undo()
    house.settle()
    assert on_disk(root) == NOTES


def test_a_deleted_category_comes_back_byte_for_byte(house: House, root: Path) -> None:
    house.documents.open(A)
    house.structure.remove(Place("category", "notes"))
    house.settle()
    assert not (root / "notes.md").exists()
    assert house.documents.current is None
    house.steps.undo()
    house.settle()
    assert on_disk(root) == NOTES


@posix_only
def test_a_deleted_file_goes_into_the_trash(house: House, root: Path) -> None:
    """W08."""
    house.structure.remove(B)
    house.settle()
    assert trashed() == []
    before = on_disk(root).encode()
    house.structure.remove(A)
    house.settle()
    assert on_disk(root) == "# notes\r\n\r\nprose\r\n\r\n", "prose stays"
    house.steps.undo()
    house.structure.remove(Place("category", "notes"))
    house.settle()
    assert not (root / "notes.md").exists()
    assert [path.read_bytes() for path in trashed()] == [before]
    house.structure.rename(Place("category", "notes"), "memos")
    house.settle()
    assert len(trashed()) == 1


@posix_only
def test_without_a_trash_a_deleted_file_is_removed(house: House, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trash, "send2trash", raising(OSError("no trash here")))
    house.structure.remove(Place("category", "notes"))
    house.settle()
    assert not (root / "notes.md").exists()
    house.steps.undo()
    house.settle()
    assert on_disk(root) == NOTES


def test_undo_keeps_what_others_wrote_meanwhile(house: House, root: Path) -> None:
    house.structure.remove(A)
    house.settle()
    edit_outside(root / "notes.md", "two", "two of the agent")
    house.steps.undo()
    house.settle()
    assert on_disk(root) == NOTES.replace("two", "two of the agent")


def test_a_step_whose_item_others_changed_is_not_undone_blindly(house: House, root: Path) -> None:
    house.structure.new_item("notes", "c")
    house.settle()
    edit_outside(root / "notes.md", "## c\r\n", "## c\r\n\r\nof the agent\r\n")
    before = on_disk(root)
    house.steps.undo()
    house.settle()
    assert on_disk(root) == before
    assert "New item c" in house.notice().text
    assert "changed meanwhile" in house.notice().text
    assert steps_of(house) == ("New item c", "")


def test_the_text_of_an_item_that_is_gone_is_created_anew(house: House, root: Path) -> None:
    type_text(house, "mine\nmore")
    edit_outside(root / "notes.md", NOTES[NOTES.index("## a") : NOTES.index("## b")], "")
    house.until(lambda: current(house).conflict)
    house.structure.recreate()
    house.settle()
    assert (current(house).conflict, current(house).dirty) == (None, False)
    item = house.store.get("notes", "a")
    assert item is not None
    assert (item.content, item.owner) == ("mine\nmore", "me")
    assert "two" in on_disk(root)


def test_a_text_with_headings_becomes_several_items(house: House, root: Path) -> None:
    type_text(house, "first\n\n## c\n\nsecond\n\n## d\nthird")
    assert house.structure.split_names() == ["c", "d"]
    house.structure.split()
    house.settle()
    assert [(item.name, item.content) for item in house.store.items("notes")] == [
        ("a", "first"),
        ("c", "second"),
        ("d", "third"),
        ("b", "two"),
    ]
    assert current(house).place == A
    assert (current(house).content, current(house).dirty, current(house).conflict) == ("first", False, None)
    house.steps.undo()
    house.settle()
    assert on_disk(root) == NOTES
    assert current(house).content == "one"


def test_a_split_over_an_item_that_others_changed_is_refused(house: House, root: Path) -> None:
    house.watcher.stop()
    type_text(house, "first\n\n## c\n\nsecond")
    edit_outside(root / "notes.md", "one", "theirs")
    before = categories_of(tree(root))
    house.structure.split()
    house.settle()
    assert categories_of(tree(root)) == before
    assert current(house).dirty
    assert "## c" in current(house).text


@pytest.mark.parametrize(
    ("name", "words"),
    [("", "empty"), ("a:b", ":"), ("x]", "]"), ("a", "taken"), ("A", "upper"), ("c", "")],
)
def test_names_are_judged_before_anything_happens(name: str, words: str, house: House, root: Path) -> None:
    error = house.structure.name_error("notes", name)
    assert words in error
    assert bool(error) == bool(words)
    assert house.structure.name_error("notes", "A", renaming="a") == ""
    assert house.structure.category_error("notes")
    assert house.structure.category_error("Notes")
    assert house.structure.category_error("ideas") == ""


def test_who_links_here_is_known_before_a_change(house: House, root: Path) -> None:
    edit_outside(root / "notes.md", "two", "[[notes:a]] and [[notes:a]]")
    (root / "other.md").write_bytes(b"## x\n\n[[notes:a]] [[notes:b]] [[other:x]]\n")
    house.until(lambda: house.content("other", "x") and house.library.findings.links_to("notes", "a"))
    house.settle()
    assert [link.from_item for link in house.structure.inbound(A)] == ["b", "b", "x"]
    assert [link.from_item for link in house.structure.inbound(Place("category", "notes"))] == ["x", "x"]


def test_the_safe_repairs_change_one_line_and_can_be_undone(house: House, root: Path) -> None:
    text = "\ufeff## hidden\n\n## a\n\n```\n## fenced\n```\n\none\u2028two\n"
    (root / "odd.md").write_bytes(text.encode())
    house.until(lambda: any(problem.kind is Kind.HEADING_IN_FENCE for problem in house.library.findings.problems))
    problems = {problem.kind: problem for problem in house.library.findings.problems}
    house.structure.fix([problems[Kind.HEADING_IN_FENCE]])
    house.settle()
    assert (root / "odd.md").read_bytes().decode() == text.replace("## fenced", " ## fenced")
    house.structure.fix([problems[Kind.BOM_BEFORE_HEADING]])
    house.settle()
    assert house.store.get("odd", "hidden")
    house.steps.undo()
    house.steps.undo()
    house.settle()
    assert (root / "odd.md").read_bytes().decode() == text


def test_a_read_only_store_stays_as_it_is(house: House, root: Path) -> None:
    house.open(root, read_only=True)
    before = tree(root)
    house.structure.new_item("notes", "c")
    house.settle()
    assert tree(root) == before
    assert "read-only" in house.notice().text


def test_another_store_has_no_steps_to_undo(house: House, root: Path, sample_store: Path) -> None:
    house.structure.new_item("notes", "c")
    house.settle()
    house.open(sample_store)
    assert steps_of(house) == ("", "")
    house.steps.undo()
    house.settle()
    assert "## c" in on_disk(root)


def test_what_a_dead_program_left_is_cleared_away_when_the_store_is_opened(house: House, root: Path) -> None:
    (root / ".wikimem-abc.tmp").write_bytes(b"left behind")
    os.utime(root / ".wikimem-abc.tmp", (0, 0))
    house.open(root)
    assert not (root / ".wikimem-abc.tmp").exists()


LINKS = "[[ odd:{0} ]] [[odd:{0}]]\u2028[[odd:{0}]]"
ODD = f"\ufeff# odd\r\n\r\n## e\u0301\r\n\r\nx\r\n\r\n## b\r\n\r\n{LINKS}\r\n[[odd:\u00e9]]\r\n".replace(
    "{0}", "\u00e9"
)


def form_mismatches(house: House) -> list[Problem]:
    return [problem for problem in house.library.findings.problems if problem.kind is Kind.FORM_MISMATCH]


def test_b08_a_link_takes_the_spelling_of_its_item_and_can_be_undone(house: House, root: Path) -> None:
    (root / "odd.md").write_bytes(ODD.encode())
    house.until(lambda: form_mismatches(house))
    assert house.snapshot.item("odd", "\u00e9") is None
    house.structure.fix([form_mismatches(house)[0]])
    house.settle()
    fixed = ODD.replace(LINKS.format("\u00e9"), LINKS.format("e\u0301"))
    assert (root / "odd.md").read_bytes().decode() == fixed
    entry = house.store.journal.entries()[-1]
    assert (entry["action"], entry["category"], entry["item"]) == ("update", "odd", "b")
    house.steps.undo()
    house.settle()
    assert (root / "odd.md").read_bytes().decode() == ODD


def test_b08_unsaved_text_is_not_repaired_under_the_persons_hands(house: House, root: Path) -> None:
    (root / "odd.md").write_bytes(ODD.encode())
    house.until(lambda: form_mismatches(house))
    type_text(house, "mine", Place("item", "odd", "b"))
    house.structure.fix([form_mismatches(house)[0]])
    house.settle()
    assert "unsaved" in house.notice().text
    assert current(house).text == "mine"
    assert (root / "odd.md").read_bytes().decode() == ODD


GBK = "# 笔记\r\n\r\n## 海\r\n\r\n喜欢海边。\r\n\r\n## 山\r\n\r\n也喜欢山。".encode("gb18030")
FILE = Place("file", "gbk")


def foreign(house: House) -> Foreign:
    assert house.documents.open(FILE)
    found = current(house).foreign
    assert found is not None
    return found


def test_b11_a_file_in_another_encoding_becomes_items_and_gets_its_bytes_back(house: House, root: Path) -> None:
    (root / "gbk.md").write_bytes(GBK)
    house.follow_disk()
    assert "喜欢海边。" in foreign(house).text
    house.structure.convert("gbk", GBK, foreign(house).text)
    house.settle()
    assert (root / "gbk.md").read_bytes() == GBK.decode("gb18030").encode()
    assert current(house).place == Place("item", "gbk", "海")
    added = [(entry["action"], entry["item"]) for entry in house.store.journal.entries()]
    assert added == [("add", "海"), ("add", "山")]
    assert house.content("gbk", "山") == "也喜欢山。"
    house.steps.undo()
    house.settle()
    assert (root / "gbk.md").read_bytes() == GBK
    assert current(house).place == FILE
    assert house.content("gbk", "山") is None
    house.steps.redo()
    house.settle()
    assert house.content("gbk", "山") == "也喜欢山。"


def test_b11_a_file_that_changed_since_it_was_read_is_not_converted(house: House, root: Path) -> None:
    (root / "gbk.md").write_bytes(GBK)
    house.follow_disk()
    text = foreign(house).text
    (root / "gbk.md").write_bytes(GBK + b"\r\n")
    house.structure.convert("gbk", GBK, text)
    house.settle()
    assert (root / "gbk.md").read_bytes() == GBK + b"\r\n"
    assert "changed meanwhile" in house.notice().text
    house.follow_disk()
    assert foreign(house).data == GBK + b"\r\n"


def test_b11_a_file_that_is_put_right_outside_is_no_foreign_file_any_more(house: House, root: Path) -> None:
    (root / "gbk.md").write_bytes(GBK)
    house.follow_disk()
    assert foreign(house).charset
    (root / "gbk.md").write_bytes(GBK.decode("gb18030").encode())
    house.follow_disk()
    assert house.documents.current is None
    assert house.documents.open_item("gbk", "海")


def test_b11_what_no_encoding_explains_is_shown_as_far_as_it_can_be_read(house: House, root: Path) -> None:
    (root / "gbk.md").write_bytes("## 海\n\n喜欢海边\n".encode() + b"\xff\n")
    house.follow_disk()
    assert foreign(house).charset is None
    assert "喜欢海边\n\ufffd" in current(house).text


@pytest.mark.parametrize("text", ["one", "mine"], ids=["clean", "unsaved"])
def test_a_rename_that_the_index_sees_before_we_are_told_is_no_news(text: str, house: House, root: Path) -> None:
    type_text(house, text)
    with house.no_news_from_the_writer():
        house.structure.rename(A, "new")
        house.until(lambda: "## new" in on_disk(root))
        house.library.refresh()
        house.until(lambda: house.content("notes", "new"))
        assert current(house).place == A
        assert current(house).conflict is None
    house.settle()
    assert current(house).place == Place("item", "notes", "new")
    assert (current(house).text, current(house).conflict) == (text, None)


def test_undo_means_the_step_that_is_under_way(house: House, root: Path) -> None:
    house.structure.new_item("notes", "c")
    house.settle()
    house.structure.new_item("notes", "d")
    house.steps.undo()
    house.settle()
    assert [item.name for item in house.store.items("notes")] == ["a", "b", "c"]
    assert steps_of(house) == ("New item c", "New item d")


def test_a_step_made_while_an_undo_is_under_way_is_not_the_one_that_counts_as_undone(house: House, root: Path) -> None:
    house.structure.new_item("notes", "c")
    house.settle()
    house.steps.undo()
    house.structure.new_item("notes", "d")
    house.settle()
    assert [item.name for item in house.store.items("notes")] == ["a", "b", "d"]
    assert house.steps.undo_label == "New item d"


def test_links_of_the_diary_count_too(house: House, sample_store: Path) -> None:
    house.open(sample_store)
    links = house.structure.inbound(Place("item", "people", "妈妈"))
    assert [(link.path.name, link.in_diary) for link in links if link.in_diary] == [("2026-07-21.md", True)]
    house.structure.remove(Place("item", "people", "妈妈"))
    house.settle()
    lost = [problem for problem in house.library.findings.problems if "妈妈" in problem.subject and problem.in_diary]
    assert [(problem.kind, problem.category) for problem in lost] == [(Kind.UNRESOLVED_LINK, "2026-07-21")]
