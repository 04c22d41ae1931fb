"""Steps whose file others changed before they are carried out: they find what they are about, or leave all alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.folders import fill
from tests.presentation.house import House, edit_outside
from tests.presentation.notes import NOTES, A, B, current, on_disk, type_text
from wikimem_desktop.engine.problems import Kind, Problem
from wikimem_desktop.presentation.buffer import Place

TWICE = "## a\n\nfirst\n\n## a\n\nsecond\n\n## b\n\nmore\n"


@pytest.mark.parametrize("way", ["delete", "rename"])
@pytest.mark.parametrize("theirs", ["## a\n\nsecond\n", "## b\n\nmore\n", TWICE.replace("first", "newer")])
def test_a_section_that_is_hidden_no_more_is_left_alone(way: str, theirs: str, house: House, root: Path) -> None:
    (root / "twice.md").write_text(TWICE)
    hidden = Place("shadowed", "twice", "a", 0)
    house.follow_disk()
    assert house.documents.open(hidden)
    house.watcher.stop()  # the index does not know yet
    (root / "twice.md").write_text(theirs)
    if way == "delete":
        house.structure.remove(hidden)
    else:
        house.structure.rename(hidden, "c")
    house.settle()
    assert (root / "twice.md").read_text() == theirs
    assert "changed meanwhile" in house.notice().text
    assert house.steps.undo_label == ""


FENCED = "## a\n\n```\n## x\n```\n\n## b\n\nmore\n"


def fenced_heading(house: House, root: Path) -> Problem:
    (root / "fenced.md").write_text(FENCED)
    house.until(lambda: any(problem.kind is Kind.HEADING_IN_FENCE for problem in house.library.findings.problems))
    return next(problem for problem in house.library.findings.problems if problem.kind is Kind.HEADING_IN_FENCE)


def test_a_repair_finds_its_line_where_others_moved_it(house: House, root: Path) -> None:
    problem = fenced_heading(house, root)
    house.watcher.stop()
    theirs = "## real\n\n## real too\n\n" + FENCED  # where the line of the problem was stands a heading now
    (root / "fenced.md").write_text(theirs[:9] + "\n" + theirs[9:])
    before = (root / "fenced.md").read_text()
    assert before.splitlines()[problem.line - 1] == "## real too"
    house.structure.fix([problem])
    house.settle()
    assert (root / "fenced.md").read_text() == before.replace("## x", " ## x")


def test_a_repair_of_what_is_in_no_fence_any_more_is_refused(house: House, root: Path) -> None:
    problem = fenced_heading(house, root)
    house.watcher.stop()
    theirs = FENCED.replace("```\n", "")
    (root / "fenced.md").write_text(theirs)
    house.structure.fix([problem])
    house.settle()
    assert (root / "fenced.md").read_text() == theirs
    assert "changed meanwhile" in house.notice().text


def test_a_repaired_heading_is_shown_in_the_item_it_becomes_text_of(house: House, root: Path) -> None:
    problem = fenced_heading(house, root)
    house.documents.open(Place("item", "fenced", "x"))
    house.structure.fix([problem])
    house.settle()
    house.follow_disk()
    assert current(house).place == Place("item", "fenced", "a")
    assert current(house).text == "```\n ## x\n```"


def test_a_heading_is_not_repaired_into_unsaved_text(house: House, root: Path) -> None:
    problem = fenced_heading(house, root)
    type_text(house, "mine", Place("item", "fenced", "a"))
    house.structure.fix([problem])
    house.settle()
    assert (root / "fenced.md").read_text() == FENCED
    assert current(house).conflict is None
    assert "fenced:a holds unsaved text" in house.notice().text


def test_a_change_that_may_not_be_written_outside_leaves_the_item_as_any_other(house: House, tmp_path: Path) -> None:
    outside = fill(tmp_path / "elsewhere", {"notes.md": NOTES}) / "notes.md"
    linked = fill(tmp_path / "linked", {})
    (linked / "notes.md").symlink_to(outside)
    house.open(linked)
    type_text(house, "mine")
    house.structure.rename(A, "c")
    house.structure.rename(B, "d")
    house.settle()
    for _ in range(2):
        house.steps.answer_outside(agreed=False)
    for place, text in ((A, "one"), (B, "two")):
        house.documents.open(place)
        edit_outside(outside, text, f"theirs in {place.name}")
    house.follow_disk()
    assert current(house).text == "theirs in b"
    house.documents.open(A)
    assert (current(house).text, current(house).conflict is not None) == ("mine", True)


def test_a_split_keeps_a_changed_field(house: House, root: Path) -> None:
    type_text(house, "first\n## c\nsecond")
    current(house).set_field("owner", "you")
    house.structure.split()
    house.settle()
    assert (current(house).text, current(house).field("owner")) == ("first", "you")
    house.save()
    assert "owner=you | mood=ok" in on_disk(root)


def kept(house: House) -> list[tuple[Place, str]]:
    return [(draft.place, draft.text) for draft in house.drafts.kept()]


def test_a_deleted_text_whose_place_is_taken_is_among_the_drafts(house: House, root: Path) -> None:
    house.structure.remove(A)
    house.settle()
    theirs = b"## a\n\nof the agent\n\n## b\n\ntwo\n"
    (root / "notes.md").write_bytes(theirs)
    house.steps.undo()
    house.settle()
    assert (root / "notes.md").read_bytes() == theirs
    assert "changed meanwhile" in house.notice().text
    assert kept(house) == [(A, "one")]


def test_what_others_wrote_before_the_index_saw_it_is_kept_when_its_item_is_deleted(house: House, root: Path) -> None:
    house.watcher.stop()
    edit_outside(root / "notes.md", "two", "of the agent")
    house.structure.remove(B)
    house.settle()
    assert kept(house) == [(B, "of the agent")]


def test_a_text_that_was_created_anew_is_kept_when_that_is_undone(house: House, root: Path) -> None:
    type_text(house, "mine")
    edit_outside(root / "notes.md", "## a\r\n\r\none\r\n", "")
    house.until(lambda: current(house).conflict)
    house.structure.recreate()
    house.steps.undo()
    house.settle()
    assert "mine" not in on_disk(root)
    assert kept(house) == [(A, "mine")]


def test_the_text_of_the_last_item_is_kept_when_it_takes_its_file_along(house: House, root: Path) -> None:
    (root / "notes.md").write_bytes(b"# notes\n\n## a\n\none\n")
    house.follow_disk()
    house.structure.remove(A)
    house.settle()
    assert not (root / "notes.md").exists()
    assert kept(house) == [(A, "one")]
