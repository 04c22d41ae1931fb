"""Whole files: what an item and its file hand each other, how files meet the disk; no byte changes by itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.engine.folders import fill
from tests.presentation.dead_window import leave_drafts
from tests.presentation.house import House, edit_outside, write_outside
from tests.presentation.notes import NOTES, A, B, current, on_disk, type_text, write
from wikimem_desktop.places import find_places
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.presentation.qt_text import for_document

FILE = Place("text", "notes")


def replace_in(house: House, old: str, new: str) -> None:
    """Type over one piece of the current text."""
    buffer = current(house)
    cursor = buffer.document.find(old)
    assert not cursor.isNull(), f"{old!r} is not on show"
    cursor.insertText(for_document(new))


def journal(root: Path) -> str:
    path = root / "journal.jsonl"
    return path.read_text("utf-8") if path.exists() else ""


def test_a_whole_file_is_saved_byte_for_byte(house: House, root: Path) -> None:
    assert house.documents.open(FILE)
    assert current(house).text == NOTES
    replace_in(house, "prose", "other prose")
    replace_in(house, "mood=ok", "mood=fine")
    house.save()
    expected = NOTES.replace("prose", "other prose").replace("mood=ok", "mood=fine")
    assert on_disk(root) == expected
    assert not current(house).dirty
    assert journal(root) == ""  # hosts read every item as before


def test_the_journal_tells_which_items_came_changed_and_went(house: House, root: Path) -> None:
    assert house.documents.open(FILE)
    replace_in(house, "one", "uno")
    replace_in(house, "## b", "## c")
    house.save()
    actions = [line.split('"action": "')[1].split('"')[0] for line in journal(root).splitlines()]
    assert actions == ["update", "add", "remove"]
    assert house.content("notes", "a") == "uno"
    assert (house.content("notes", "b"), house.content("notes", "c")) == (None, "two")


def test_unsaved_items_are_carried_into_the_file_and_back(house: House, root: Path) -> None:
    type_text(house, "one more")
    current(house).set_field("owner", "you")
    type_text(house, "two more", B)
    house.documents.open_file(4)
    file = current(house)
    expected = NOTES.replace("one", "one more").replace("two", "two more").replace("=me", "=you")
    assert (file.place, file.text) == (FILE, expected)
    assert house.documents.buffers == [file]
    assert house.documents.unsaved == ["notes:a", "notes:b"]
    house.documents.open_item_at(file.text.index("two"))
    assert current(house).place == B
    assert current(house).text == "two more"
    assert {buffer.place for buffer in house.documents.buffers} == {A, B}
    assert house.documents.open(A)
    assert current(house).field("owner") == "you"
    house.saver.save_all()
    house.settle()
    assert on_disk(root) == expected


def test_what_was_typed_can_be_undone_after_going_to_the_file_and_back(house: House, root: Path) -> None:
    type_text(house, "one more")
    house.documents.open_file()
    house.documents.open_item_at(current(house).text.index("one more"))
    current(house).document.undo()
    assert current(house).text == "one"
    assert not current(house).dirty


def test_the_caret_goes_to_the_same_place(house: House, root: Path) -> None:
    spots: list[int] = []
    house.documents.spot_wanted.connect(spots.append)
    type_text(house, "first\r\nsecond line")
    house.documents.open_file(len("first\r\nsecond"))
    at = spots[-1]
    assert current(house).text[:at].endswith("second")
    house.documents.open_item_at(at)
    assert spots[-1] == len("first\r\nsecond")
    house.documents.open_file(0)
    house.documents.open_item_at(0)  # in front of all items
    assert (current(house).place, spots[-1]) == (A, 0)


def test_an_item_that_waits_for_a_decision_keeps_the_person_there(house: House, root: Path) -> None:
    undecided: list[bool] = []
    house.documents.undecided.connect(lambda: undecided.append(True))
    type_text(house, "one\n## splits")
    assert house.documents.open(B)
    assert house.documents.open(FILE)
    assert (current(house).place, undecided) == (A, [True])
    write(current(house), "mine")
    edit_outside(root / "notes.md", "one", "theirs")
    assert house.documents.open(FILE)  # before anyone else saw that the disk changed
    assert (current(house).place, undecided) == (A, [True, True])
    assert current(house).conflict is not None


def test_changes_beyond_items_keep_the_person_in_the_file(house: House, root: Path) -> None:
    kept: list[Place] = []
    spots: list[int] = []
    house.documents.kept_in_file.connect(kept.append)
    house.documents.spot_wanted.connect(spots.append)
    assert house.documents.open(FILE)
    replace_in(house, "prose", "other prose")
    replace_in(house, "two", "deux")
    assert house.documents.open(B)
    assert (current(house).place, kept) == (FILE, [B])
    assert current(house).text[spots[-1] :].startswith("deux")
    house.save()
    assert house.documents.open(B)
    assert (current(house).place, current(house).text) == (B, "deux")
    assert on_disk(root) == NOTES.replace("prose", "other prose").replace("two", "deux")


def test_others_and_the_person_change_different_sections(house: House, root: Path) -> None:
    assert house.documents.open(FILE)
    replace_in(house, "one", "mine")
    edit_outside(root / "notes.md", "two", "theirs")
    house.follow_disk()
    both = NOTES.replace("one", "mine").replace("two", "theirs")
    assert current(house).text == both
    assert current(house).conflict is None
    house.save()
    assert on_disk(root) == both


def test_a_clean_file_follows_the_disk_as_one_undo_step(house: House, root: Path) -> None:
    assert house.documents.open(FILE)
    write_outside(root / "notes.md", NOTES.replace("one", "1").replace("two", "2").encode())
    house.follow_disk()
    assert current(house).text == NOTES.replace("one", "1").replace("two", "2")
    current(house).document.undo()
    assert current(house).text == NOTES


@pytest.mark.parametrize("decision", ["mine", "theirs"])
def test_of_a_conflict_only_the_sections_that_both_changed_are_decided(house: House, root: Path, decision: str) -> None:
    lost: list[tuple[str, str]] = []
    house.documents.lost.connect(lambda place, side, text: lost.append((side, text)))
    assert house.documents.open(FILE)
    replace_in(house, "one", "mine")
    replace_in(house, "prose", "my prose")
    mine = current(house).text
    theirs = NOTES.replace("one", "theirs").replace("two", "deux")
    write_outside(root / "notes.md", theirs.encode())
    house.follow_disk()
    assert current(house).conflict is not None
    if decision == "mine":
        house.saver.keep_mine()
        house.settle()
        assert on_disk(root) == NOTES.replace("one", "mine").replace("two", "deux").replace("prose", "my prose")
        assert lost == [("theirs", theirs)]
    else:
        house.documents.take_theirs()
        assert current(house).text == theirs.replace("prose", "my prose")
        assert current(house).dirty
        assert lost == [("mine", mine)]
        current(house).document.undo()
        assert current(house).text == mine


def test_a_file_that_others_deleted_can_be_made_again(house: House, root: Path) -> None:
    assert house.documents.open(FILE)
    replace_in(house, "one", "mine")
    (root / "notes.md").unlink()
    house.follow_disk()
    buffer = current(house)
    assert buffer.conflict is not None
    assert buffer.conflict.theirs is None
    house.structure.recreate()
    house.settle()
    assert on_disk(root) == NOTES.replace("one", "mine")
    assert not current(house).dirty


def test_a_save_of_an_item_that_is_under_way_is_no_second_text(house: House, root: Path) -> None:
    type_text(house, "one more")
    house.saver.save()
    house.documents.open_file()
    assert current(house).place == FILE
    house.settle()
    house.follow_disk()
    assert on_disk(root) == current(house).text == NOTES.replace("one", "one more")
    assert house.documents.buffers == []


def test_runs_know_what_an_unsaved_file_changes(house: House, root: Path) -> None:
    assert house.documents.open(FILE)
    replace_in(house, "one", "uno")
    replace_in(house, "## b", "## c")
    assert house.documents.unsaved_contents == {("notes", "a"): "uno", ("notes", "b"): None, ("notes", "c"): "two"}
    assert house.documents.unsaved == ["notes:a", "notes:b", "notes:c"]
    assert house.documents.is_dirty("notes", "a")


def test_a_file_is_found_again_after_the_window_died(house: House, tmp_path: Path, qtbot: QtBot) -> None:
    typed = NOTES.replace("prose", "my prose").replace("one", "mine")

    def use(dying: House) -> None:
        assert dying.documents.open(FILE)
        replace_in(dying, "prose", "my prose")
        replace_in(dying, "one", "mine")

    folder = fill(tmp_path / "store", {"notes.md": NOTES})
    leave_drafts(qtbot, folder, use)
    house.open(folder)
    assert [draft.place for draft in house.drafts.found] == [FILE]
    house.drafts.restore_all()
    assert (current(house).place, current(house).text) == (FILE, typed)
    house.save()
    assert on_disk(folder) == typed


def test_a_window_that_died_between_item_and_file_left_one_text(house: House, tmp_path: Path, qtbot: QtBot) -> None:
    of_item: dict[str, bytes] = {}

    def use(dying: House) -> None:
        type_text(dying, "one more")
        dying.drafts.write()
        dying.settle()
        of_item.update({path.name: path.read_bytes() for path in find_places().drafts.rglob("*.json")})
        dying.documents.open_file()
        replace_in(dying, "two", "two more")

    folder = fill(tmp_path / "store", {"notes.md": NOTES})
    leave_drafts(qtbot, folder, use)
    (of_file,) = find_places().drafts.rglob("*.json")
    for name, data in of_item.items():  # the window died before it took them away
        of_file.with_name(name).write_bytes(data)
    house.open(folder)
    assert {draft.place for draft in house.drafts.found} == {A, FILE}
    house.drafts.restore_all()
    assert [buffer.place for buffer in house.documents.buffers] == [FILE]
    assert current(house).text == NOTES.replace("one", "one more").replace("two", "two more")
    house.settle()
    assert house.drafts.kept() == []


def test_a_heading_in_a_fence_is_saved_as_hosts_read_it(house: House, root: Path) -> None:
    assert house.documents.open(FILE)
    replace_in(house, "two", "```\n## in code\n```")
    house.save()
    assert on_disk(root) == NOTES.replace("two", "```\r\n## in code\r\n```")
    assert house.content("notes", "in code") == "```"


def test_a_read_only_store_shows_the_file(house: House, tmp_path: Path) -> None:
    house.open(fill(tmp_path / "other", {"notes.md": NOTES}), read_only=True)
    assert house.documents.open(FILE)
    assert house.documents.read_only
    replace_in(house, "one", "what if")
    assert not house.documents.can_save
