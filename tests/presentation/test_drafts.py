"""Unsaved text is kept outside the store while it is unsaved, and what a decision gave up stays for a while."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.engine.folders import categories_of, tree
from tests.presentation.dead_window import leave_drafts
from tests.presentation.house import House, edit_outside
from tests.presentation.notes import NOTES, A, B, current, on_disk, type_text
from wikimem_desktop.places import find_places
from wikimem_desktop.presentation.drafts import DraftRequest, FindRequest, LeaveRequest


def draft_files() -> list[Path]:
    return sorted(path for path in find_places().drafts.rglob("*.json"))


def write_drafts(house: House) -> None:
    house.drafts.write()
    house.settle()


@pytest.fixture
def dead(house: House, root: Path, qtbot: QtBot) -> Path:
    """The drafts of a window that died over unsaved texts of `a` and `b`; this house opens the store after it."""

    def use(other: House) -> None:
        type_text(other, "mine\nand more")
        current(other).set_field("owner", "you")
        type_text(other, "mine in b", B)

    leave_drafts(qtbot, root, use)
    return root


def test_unsaved_text_is_written_outside_the_store_by_itself(house: House, root: Path) -> None:
    before = categories_of(tree(root))
    type_text(house, "mine")
    house.until(draft_files)
    assert "mine" in draft_files()[0].read_text()
    assert categories_of(tree(root)) == before


def test_a_draft_goes_when_its_text_is_saved_or_taken_back(house: House, root: Path) -> None:
    type_text(house, "mine")
    type_text(house, "mine in b", B)
    write_drafts(house)
    assert len(draft_files()) == 2
    house.save()
    write_drafts(house)
    assert len(draft_files()) == 1
    type_text(house, "one")
    write_drafts(house)
    assert draft_files() == []


def test_a_window_that_ends_well_leaves_nothing(house: House, root: Path, qtbot: QtBot) -> None:
    other = House(qtbot)
    other.open(root)
    type_text(other, "mine")
    write_drafts(other)
    other.save()
    other.close()
    assert [path for path in find_places().drafts.rglob("*") if path.is_file()] == []


def test_what_another_living_window_types_is_left_to_it(house: House, root: Path, qtbot: QtBot) -> None:
    type_text(house, "mine")
    write_drafts(house)
    other = House(qtbot)
    other.open(root)
    assert other.drafts.found == []
    other.close()
    assert len(draft_files()) == 1


def test_texts_of_a_window_that_died_are_found_and_come_back_unsaved(house: House, dead: Path) -> None:
    house.open(dead)
    assert sorted(draft.text for draft in house.drafts.found) == ["mine\r\nand more", "mine in b"]
    house.drafts.restore_all()
    assert house.documents.unsaved == ["notes:a", "notes:b"]
    assert house.documents.open(A)
    assert (current(house).content, current(house).field("owner")) == ("mine\nand more", "you")
    current(house).document.undo()
    assert current(house).text == "one"
    current(house).document.redo()
    assert on_disk(dead) == NOTES
    house.save()
    assert on_disk(dead) == NOTES.replace("one", "mine\r\nand more").replace("owner=me", "owner=you")
    house.documents.discard_all()
    write_drafts(house)
    assert [path for path in draft_files() if path.parent.name != "kept"] == []


def test_found_texts_that_are_not_restored_are_found_again(house: House, dead: Path, qtbot: QtBot) -> None:
    house.open(dead)
    assert len(house.drafts.found) == 2
    other = House(qtbot)
    other.open(dead)
    assert other.drafts.found == []
    house.library.close()
    house.settle()
    other.library.close()
    other.open(dead)
    assert len(other.drafts.found) == 2
    other.close()


def test_a_found_text_whose_item_changed_since_is_a_conflict(house: House, dead: Path) -> None:
    edit_outside(dead / "notes.md", "one", "theirs")
    house.open(dead)
    house.drafts.restore_all()
    house.documents.open(A)
    conflict = current(house).conflict
    assert conflict is not None
    assert conflict.theirs is not None
    assert (current(house).content, conflict.theirs.text) == ("mine\nand more", "theirs")


def test_a_found_text_whose_item_is_gone_can_be_created_anew(house: House, dead: Path) -> None:
    (dead / "notes.md").unlink()
    house.open(dead)
    house.drafts.restore_all()
    assert house.documents.open(B)
    assert current(house).conflict is not None
    house.structure.recreate()
    house.settle()
    assert house.content("notes", "b") == "mine in b"


def test_a_found_text_that_was_saved_after_all_is_not_offered(house: House, dead: Path) -> None:
    edit_outside(dead / "notes.md", "two", "mine in b")
    house.open(dead)
    assert [draft.name for draft in house.drafts.found] == ["a"]


def test_typing_over_a_found_text_does_not_destroy_it(house: House, dead: Path) -> None:
    house.open(dead)
    type_text(house, "typed anew", B)
    write_drafts(house)
    assert [draft.name for draft in house.drafts.found] == ["a"]
    assert [draft.text for draft in house.drafts.kept()] == ["mine in b"]
    house.drafts.restore_all()
    assert house.documents.open(B)
    assert current(house).text == "typed anew"


def test_found_texts_that_are_given_up_are_kept(house: House, dead: Path) -> None:
    house.open(dead)
    house.drafts.forget_found()
    house.settle()
    assert house.drafts.found == []
    assert sorted(draft.text for draft in house.drafts.kept()) == ["mine\r\nand more", "mine in b"]
    assert len(draft_files()) == 2


def test_what_a_decision_gives_up_is_kept_and_can_be_deleted(house: House, root: Path) -> None:
    type_text(house, "mine")
    edit_outside(root / "notes.md", "one", "theirs")
    house.until(lambda: current(house).conflict)
    house.saver.keep_mine()
    house.settle()
    type_text(house, "mine again")
    edit_outside(root / "notes.md", "mine", "theirs again")
    house.until(lambda: current(house).conflict)
    house.documents.take_theirs()
    house.settle()
    kept = house.drafts.kept()
    assert [(draft.side, draft.text) for draft in kept] == [("mine", "mine again"), ("theirs", "theirs")]
    house.drafts.delete(kept[0])
    house.settle()
    assert [draft.text for draft in house.drafts.kept()] == ["theirs"]


def test_a_torn_or_foreign_draft_is_passed_over(house: House, dead: Path) -> None:
    files = draft_files()
    files[0].write_bytes(files[0].read_bytes()[:40])
    (files[0].parent / "other.json").write_text('["not", "ours"]')
    house.open(dead)
    assert len(house.drafts.found) == 1


def test_drafts_that_cannot_be_written_are_told_and_cost_nothing_else(house: House, root: Path) -> None:
    find_places().drafts.parent.mkdir(parents=True, exist_ok=True)
    find_places().drafts.write_bytes(b"a file where the folder should be")
    type_text(house, "mine")
    write_drafts(house)
    assert current(house).text == "mine"
    assert "can't be kept" in house.notice().text
    house.save()
    assert on_disk(root) == NOTES.replace("one", "mine")


def test_a_draft_that_could_not_be_written_is_written_as_soon_as_it_can_be(house: House, root: Path) -> None:
    type_text(house, "first")
    write_drafts(house)
    session = draft_files()[0].parent
    session.rename(session.with_name("aside"))
    session.write_bytes(b"a file where the folder was")
    type_text(house, "mine")
    house.until(lambda: house.notices.current)
    assert "can't be kept" in house.notice().text
    session.unlink()
    session.with_name("aside").rename(session)
    house.until(lambda: '"text": "mine"' in draft_files()[0].read_text())
    house.until(lambda: house.notices.current is None)


def test_a_renamed_item_is_at_no_moment_without_its_draft(house: House, root: Path) -> None:
    type_text(house, "mine")
    write_drafts(house)
    house.structure.rename(A, "c")
    house.settle()
    moments: list[bool] = []

    def look(request: object, _: object) -> None:
        if isinstance(request, DraftRequest | FindRequest | LeaveRequest):  # the history notes files meanwhile
            moments.append(any('"text": "mine"' in path.read_text() for path in draft_files()))

    house.writer.done.connect(look, Qt.ConnectionType.DirectConnection)
    write_drafts(house)
    house.writer.done.disconnect(look)
    assert moments == [True, True]
    assert len(draft_files()) == 1


def test_a_text_that_is_brought_back_does_not_destroy_an_unsaved_one(house: House, root: Path) -> None:
    type_text(house, "older")
    house.documents.discard_all()
    house.settle()
    (older,) = house.drafts.kept()
    type_text(house, "newer")
    house.drafts.bring_back(older)
    house.settle()
    assert current(house).text == "older"
    assert "newer" in [draft.text for draft in house.drafts.kept()]


def test_one_found_text_comes_back_on_the_base_it_was_typed_over(house: House, dead: Path) -> None:
    edit_outside(dead / "notes.md", "two", "theirs")
    house.open(dead)
    house.drafts.bring_back(next(draft for draft in house.drafts.found if draft.place == B))
    assert (current(house).text, current(house).conflict is not None) == ("mine in b", True)
    assert [draft.place for draft in house.drafts.found] == [A]
    house.drafts.bring_back(house.drafts.found[0])
    assert house.drafts.found == []
    assert house.notices.current is None


def test_a_given_up_text_that_could_not_be_written_is_kept_all_the_same(house: House, root: Path) -> None:
    find_places().drafts.parent.mkdir(parents=True, exist_ok=True)
    find_places().drafts.write_bytes(b"a file where the folder should be")
    type_text(house, "mine")
    house.structure.remove(A)
    house.settle()
    assert "can't be kept" in house.notice().text
    assert [draft.text for draft in house.drafts.kept()] == ["one", "mine"]
    find_places().drafts.unlink()
    house.until(lambda: len(draft_files()) == 2)
    assert [draft.text for draft in house.drafts.kept()] == ["one", "mine"]
