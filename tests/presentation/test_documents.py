"""The open item and every unsaved text: saved without loss, never over what others wrote, never forgotten."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.engine.folders import categories_of, fill, tree
from tests.presentation.house import House, edit_outside
from tests.presentation.notes import NOTES, A, B, base, current, on_disk, type_text, write
from wikimem_desktop.presentation import saver
from wikimem_desktop.presentation.buffer import Buffer, Place, Version
from wikimem_desktop.presentation.writer import SaveRequest

# ------------------------------------------------------------ going


def test_each_kind_of_place_opens_and_what_hosts_read_can_be_edited(house: House, sample_store: Path) -> None:
    house.open(sample_store)
    documents = house.documents
    for place, words in (
        (Place("item", "preferences", "likes-the-sea"), "喜欢海边"),
        (Place("text", "preferences"), "# preferences"),
        (Place("shadowed", "work", "站会", 0), "三楼小会议室"),
        (Place("day", "2026-07-20"), "## 07:35"),
        (Place("file", "old-notes"), "# old-notes"),
    ):
        assert documents.open(place)
        assert current(house).place == place
        assert words in current(house).text
        by_hand = place.kind in ("item", "text", "day")
        assert current(house).editable == by_hand
        assert documents.read_only != by_hand
        write(current(house), "typed")
        assert current(house).dirty == by_hand
    nowhere = (Place("item", "work", "gone"), Place("text", "gone"), Place("day", "2026-01-01"))
    for place in (*nowhere, Place("shadowed", "work", "站会", 7)):
        assert not documents.open(place)
        assert current(house).place == Place("file", "old-notes")
    assert documents.unsaved[0] == "2026-07-20"
    assert all(address.startswith("preferences:") for address in documents.unsaved[1:])


def test_back_and_forward_lead_through_what_was_open(house: House, root: Path, qtbot: QtBot) -> None:
    documents = house.documents
    assert not documents.trail.can_go_back
    assert documents.open(A)
    assert documents.open(B)
    assert documents.open(B)
    documents.go_back()
    assert (current(house).place, documents.trail.can_go_back, documents.trail.can_go_forward) == (A, False, True)
    documents.go_back()
    assert current(house).place == A
    documents.go_forward()
    assert (current(house).place, documents.trail.can_go_back, documents.trail.can_go_forward) == (B, True, False)
    documents.go_back()
    with qtbot.waitSignal(documents.history_changed):
        assert documents.open(B)
    assert not documents.trail.can_go_forward


def test_back_skips_what_is_gone(house: House, root: Path) -> None:
    edit_outside(root / "notes.md", "## b\r\n", "## c\r\n\r\nthree\r\n\r\n## b\r\n")
    house.until(lambda: house.content("notes", "c"))
    for place in (A, Place("item", "notes", "c"), B):
        assert house.documents.open(place)
    edit_outside(root / "notes.md", "## c\r\n\r\nthree\r\n\r\n", "")
    house.until(lambda: not house.content("notes", "c"))
    house.documents.go_back()
    assert current(house).place == A


def test_another_store_forgets_places_and_texts(house: House, root: Path, sample_store: Path) -> None:
    type_text(house, "typed")
    house.documents.open(B)
    house.open(sample_store)
    documents = house.documents
    assert (documents.current, documents.unsaved) == (None, [])
    assert not documents.trail.can_go_back
    assert not documents.open(A)


# ------------------------------------------------------------ typing


def test_unsaved_texts_are_kept_for_each_place(house: House, root: Path) -> None:
    documents = house.documents
    changes: list[str] = []
    documents.dirty_changed.connect(changes.append)
    type_text(house, "typed in a")
    type_text(house, "typed in b", B)
    documents.open(A)
    assert (current(house).text, current(house).dirty) == ("typed in a", True)
    assert documents.unsaved == ["notes:a", "notes:b"]
    assert documents.is_dirty("notes", "b")
    write(current(house), "one")
    assert not current(house).dirty
    assert documents.unsaved == ["notes:b"]
    house.until(lambda: len(changes) == 3)
    documents.open(B)
    assert current(house).text == "typed in b"
    assert changes == ["notes:a", "notes:b", "notes:a"]
    assert on_disk(root) == NOTES


def test_giving_up_shows_the_disk_again(house: House, root: Path, qtbot: QtBot) -> None:
    type_text(house, "typed in a")
    type_text(house, "typed in b", B)
    with qtbot.waitSignal(house.documents.text_replaced):
        house.documents.discard_all()
    assert (current(house).text, house.documents.unsaved) == ("two", [])
    house.documents.open(A)
    assert current(house).text == "one"
    assert on_disk(root) == NOTES


# ------------------------------------------------------------ saving


def test_saving_writes_only_the_bytes_of_that_item(house: House, root: Path) -> None:
    saved: list[str] = []
    house.saver.saved.connect(saved.append)
    type_text(house, "one\nmore")
    house.save()
    assert on_disk(root) == NOTES.replace("one\r\n", "one\r\nmore\r\n")
    assert (current(house).dirty, saved, house.documents.unsaved) == (False, ["notes:a"], [])
    assert house.content("notes", "a") == "one\nmore"
    assert base(house).owner == "me"
    assert house.notices.current is None


def test_a_clean_text_is_not_written(house: House, root: Path) -> None:
    house.documents.open(A)
    before = tree(root)
    house.save()
    assert tree(root) == before


def test_all_texts_are_saved_at_once_those_of_one_file_too(house: House, root: Path) -> None:
    type_text(house, "typed in a")
    type_text(house, "typed in b", B)
    house.saver.save_all()
    house.settle()
    assert on_disk(root) == NOTES.replace("one", "typed in a").replace("two", "typed in b")
    assert house.documents.unsaved == []


@pytest.mark.parametrize("typed", ["first and more", "one", "first\n"], ids=["more", "back to the old text", "a line"])
def test_what_is_typed_while_saving_stays_and_can_be_saved(typed: str, house: House, root: Path) -> None:
    type_text(house, "first")
    house.saver.save()
    write(current(house), typed)
    house.settle()
    assert on_disk(root) == NOTES.replace("one", "first")
    assert current(house).content == typed.strip()
    assert current(house).dirty == (typed != "first\n")  # a blank line behind a text is no part of it
    assert current(house).conflict is None
    house.save()
    assert on_disk(root) == NOTES.replace("one", typed.strip())
    assert (current(house).dirty, current(house).conflict) == (False, None)


def test_saving_again_before_the_first_save_is_done_saves_the_newest_text(house: House, root: Path) -> None:
    failures: list[str] = []
    house.saver.failed.connect(failures.append)
    for text in ("first", "second", "second", "third"):
        type_text(house, text)
        house.saver.save()
    house.until(lambda: not house.documents.unsaved)
    house.settle()
    assert on_disk(root) == NOTES.replace("one", "third")
    assert (current(house).text, current(house).conflict, failures) == ("third", None, [])
    assert house.notices.current is None


def test_a_text_counts_as_unsaved_until_it_is_on_disk(house: House, root: Path) -> None:
    type_text(house, "first")
    house.saver.save()
    write(current(house), "one")
    assert house.documents.unsaved == ["notes:a"]
    house.settle()
    assert house.documents.unsaved == ["notes:a"]


def test_a_text_that_is_left_while_it_is_saved_is_saved(house: House, root: Path) -> None:
    type_text(house, "first")
    house.saver.save()
    house.documents.open(B)
    house.settle()
    assert on_disk(root) == NOTES.replace("one", "first")
    house.documents.open(A)
    assert (current(house).text, current(house).dirty) == ("first", False)


# ------------------------------------------------------------ what can't be saved


@pytest.mark.parametrize(("text", "kind"), [("one\n## x", "heading"), ("<!-- wikimem: owner=x -->", "metadata")])
def test_text_that_cannot_be_stored_is_told_and_nothing_is_written(
    text: str, kind: str, house: House, root: Path, qtbot: QtBot
) -> None:
    before = tree(root)
    type_text(house, text)
    with qtbot.waitSignals([house.saver.refused, house.saver.failed]):
        house.save()
    assert tree(root) == before
    assert (current(house).content, current(house).dirty, current(house).conflict) == (text, True, None)
    error = current(house).unstorable()
    assert error is not None
    assert error.kind == kind
    write(current(house), "storable")
    house.save()
    assert on_disk(root) == NOTES.replace("one", "storable")
    assert house.notices.current is None


def test_a_read_only_store_keeps_the_text_in_the_editor(house: House, root: Path) -> None:
    house.open(root, read_only=True)
    before = tree(root)
    type_text(house, "what if")
    assert house.documents.read_only
    house.save()
    assert tree(root) == before
    assert (current(house).text, current(house).dirty) == ("what if", True)
    assert "read-only" in house.notice().text


def test_a_symlink_that_leads_outside_is_written_only_after_consent(house: House, tmp_path: Path, qtbot: QtBot) -> None:
    outside = fill(tmp_path / "elsewhere", {"shared.md": "## a\n\none\n"}) / "shared.md"
    root = fill(tmp_path / "linked", {})
    (root / "notes.md").symlink_to(outside)
    house.open(root)
    wanted: list[str] = []
    house.saver.outside_wanted.connect(wanted.append)
    type_text(house, "first")
    house.save()
    assert wanted == [str(outside)]
    assert outside.read_bytes() == b"## a\n\none\n"
    assert current(house).dirty
    house.saver.answer_outside(agreed=True)
    house.settle()
    assert outside.read_bytes() == b"## a\n\nfirst\n"
    assert (root / "notes.md").is_symlink()
    type_text(house, "second")
    house.save()
    assert outside.read_bytes() == b"## a\n\nsecond\n"
    assert wanted == [str(outside)]


def test_a_journal_that_cannot_be_written_costs_no_text(house: House, root: Path) -> None:
    (root / "journal.jsonl").mkdir()
    type_text(house, "first\n")
    house.save()
    assert on_disk(root) == NOTES.replace("one", "first")
    assert (current(house).content, current(house).dirty, current(house).conflict) == ("first", False, None)
    assert "Saved" in house.notice().text


def spoil_by_bytes(path: Path) -> None:
    path.write_bytes(b"\xff" + path.read_bytes())


def spoil_by_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def spoil_by_loop(path: Path) -> None:
    path.unlink()
    path.symlink_to(path)


def spoil_by_dangling_link(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.with_name("nowhere.md"))


@pytest.mark.parametrize("seen", [True, False])
@pytest.mark.parametrize("spoil", [spoil_by_bytes, spoil_by_folder, spoil_by_loop, spoil_by_dangling_link])
def test_a_file_that_cannot_be_written_any_more_keeps_the_text_here(
    spoil: Callable[[Path], None], seen: bool, house: House, root: Path
) -> None:
    house.watcher.stop()
    type_text(house, "first")
    spoil(root / "notes.md")
    if seen:
        house.follow_disk()
    before = categories_of(tree(root))
    house.save()
    assert categories_of(tree(root)) == before
    assert (current(house).text, current(house).dirty) == ("first", True)
    assert house.notices.current is not None or current(house).conflict is not None
    (root / "notes.md").rmdir() if (root / "notes.md").is_dir() else (root / "notes.md").unlink()
    (root / "notes.md").write_bytes(NOTES.encode())
    house.follow_disk()
    assert (current(house).text, current(house).conflict) == ("first", None)
    house.save()
    assert on_disk(root) == NOTES.replace("one", "first")


def test_a_failed_save_can_be_tried_again_or_kept_as_a_copy(house: House, root: Path, tmp_path: Path) -> None:
    house.watcher.stop()
    type_text(house, "first\nmore")
    spoil_by_folder(root / "notes.md")
    house.save()
    retry, copy = house.notice().actions
    wanted: list[Buffer] = []
    house.saver.copy_wanted.connect(wanted.append)
    copy.act()
    assert wanted == [current(house)]
    house.saver.save_copy(wanted[0], tmp_path / "copy.md")
    house.settle()
    assert (tmp_path / "copy.md").read_bytes() == b"first\r\nmore"
    (root / "notes.md").rmdir()
    (root / "notes.md").write_bytes(NOTES.encode())
    retry.act()
    house.settle()
    assert on_disk(root) == NOTES.replace("one", "first\r\nmore")
    assert house.notices.current is None


def test_a_copy_that_cannot_be_written_is_told(house: House, root: Path, tmp_path: Path) -> None:
    type_text(house, "first")
    house.saver.save_copy(current(house), tmp_path)
    house.settle()
    assert tmp_path.name in house.notice().text


def test_texts_are_saved_by_themselves_a_moment_after_the_last_key(house: House, root: Path) -> None:
    house.saver.set_autosave(True)
    type_text(house, "first")
    type_text(house, "two\n\n## heading", B)
    house.until(lambda: "first" in on_disk(root))
    house.settle()
    assert house.documents.unsaved == ["notes:b"], "what must be decided first is left alone"
    assert "heading" not in on_disk(root)
    house.saver.set_autosave(False)
    write(current(house), "not by itself")
    house.documents.open(A)
    house.settle()
    assert house.documents.unsaved == ["notes:b"]


def test_half_a_character_in_a_field_does_not_keep_the_item_from_being_saved(house: House, root: Path) -> None:
    type_text(house, "first")
    current(house).set_field("owner", "you\ud83d")
    house.save()
    assert on_disk(root) == NOTES.replace("one", "first").replace("owner=me", "owner=you")
    assert not current(house).dirty


class Mistake(SaveRequest):
    """A save that meets an error that nobody has thought of."""

    def perform(self) -> Version:
        raise ZeroDivisionError


def test_after_an_error_that_nobody_has_thought_of_a_text_can_be_saved_again(
    house: House, root: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    type_text(house, "first")
    with monkeypatch.context() as patch, qtbot.capture_exceptions() as caught:
        patch.setattr(saver, "SaveRequest", Mistake)
        house.save()
    assert [kind for kind, _, _ in caught] == [ZeroDivisionError]
    assert "Your text is still here" in house.notice().text
    house.save()
    assert on_disk(root) == NOTES.replace("one", "first")
