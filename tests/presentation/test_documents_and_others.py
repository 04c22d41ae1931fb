"""The open item while other programs write: their text is never overwritten unseen, ours never lost."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest
from pytestqt.qtbot import QtBot

from tests.presentation.house import House, edit_outside, write_outside
from tests.presentation.notes import NOTES, A, B, base, current, on_disk, type_text, write
from wikimem_desktop.engine.index import Snapshot, build_steps, run_to_end
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.presentation.indexer import Indexed


def write_notes(root: Path, *changes: tuple[str, str]) -> str:
    """Replace pieces of the file as another program does; returns its text."""
    for old, new in changes:
        edit_outside(root / "notes.md", old, new)
    return on_disk(root)


def conflict_texts(house: House) -> tuple[str, str | None]:
    conflict = current(house).conflict
    assert conflict is not None
    return current(house).text, conflict.theirs.text if conflict.theirs else None


# ------------------------------------------------------------ a clean text follows


def test_a_clean_text_is_replaced_by_what_others_wrote(house: House, root: Path, qtbot: QtBot) -> None:
    house.documents.open(A)
    with qtbot.waitSignal(house.documents.text_replaced, timeout=10_000):
        write_notes(root, ("one", "theirs"))
    assert (current(house).text, current(house).dirty, current(house).conflict) == ("theirs", False, None)


def test_a_clean_item_that_goes_closes(house: House, root: Path, qtbot: QtBot) -> None:
    house.documents.open(B)
    with qtbot.waitSignal(house.documents.current_changed, timeout=10_000):
        write_notes(root, ("\r\n## b\r\n\r\ntwo\r\n", ""))
    assert house.documents.current is None
    house.saver.save()
    assert house.documents.unsaved == []


def test_a_day_that_is_open_follows_the_disk(house: House, sample_store: Path, qtbot: QtBot) -> None:
    house.open(sample_store)
    assert house.documents.open(Place("day", "2026-07-20"))
    with qtbot.waitSignal(house.documents.text_replaced, timeout=10_000):
        edit_outside(sample_store / "diary" / "2026-07-20.md", "Mei asked", "Mei wanted")
    assert "Mei wanted" in current(house).text


# ------------------------------------------------------------ nothing to ask


def test_other_items_of_the_file_are_merged_silently(house: House, root: Path) -> None:
    house.watcher.stop()
    type_text(house, "mine")
    expected = write_notes(root, ("two", "theirs"), ("prose", "other prose")).replace("one", "mine")
    house.save()
    assert on_disk(root) == expected
    assert (current(house).dirty, current(house).conflict) == (False, None)


@pytest.mark.parametrize("seen", [True, False], ids=["seen by the index", "not yet seen"])
def test_changed_metadata_is_no_conflict(seen: bool, house: House, root: Path, qtbot: QtBot) -> None:
    house.watcher.stop()
    type_text(house, "mine")
    expected = write_notes(root, ("owner=me", "owner=them")).replace("one", "mine")
    with qtbot.assertNotEmitted(house.documents.text_replaced):
        if seen:
            house.follow_disk()
            assert base(house).owner == "them"
        assert (current(house).text, current(house).dirty, current(house).conflict) == ("mine", True, None)
        house.save()
        house.until(lambda: not house.documents.unsaved)
    assert on_disk(root) == expected
    assert (base(house).owner, current(house).conflict) == ("them", None)


@pytest.mark.parametrize("mine", ["both", "both\n\n", "  both"])
@pytest.mark.parametrize("seen", [True, False], ids=["seen by the index", "not yet seen"])
def test_the_same_text_from_both_is_no_conflict(mine: str, seen: bool, house: House, root: Path) -> None:
    house.watcher.stop()
    type_text(house, mine)
    expected = write_notes(root, ("one", "both"))
    if seen:
        house.follow_disk()
    else:
        house.save()
    assert (current(house).content, current(house).dirty, current(house).conflict) == ("both", False, None)
    assert on_disk(root) == expected
    assert house.documents.unsaved == []


# ------------------------------------------------------------ conflicts


@pytest.mark.parametrize("seen", [True, False], ids=["seen by the index", "not yet seen"])
def test_a_text_that_others_changed_meanwhile_is_never_overwritten(seen: bool, house: House, root: Path) -> None:
    house.watcher.stop()
    type_text(house, "mine")
    theirs = write_notes(root, ("one", "theirs"))
    if seen:
        house.follow_disk()
        assert conflict_texts(house) == ("mine", "theirs")
    for _ in range(3):
        house.save()
        assert on_disk(root) == theirs
    house.saver.save_all()
    house.settle()
    assert on_disk(root) == theirs
    assert conflict_texts(house) == ("mine", "theirs")
    write(current(house), "mine and more")
    assert conflict_texts(house) == ("mine and more", "theirs")
    assert house.documents.unsaved == ["notes:a"]


def test_keeping_mine_replaces_what_was_seen(house: House, root: Path) -> None:
    type_text(house, "mine")
    theirs = write_notes(root, ("one", "theirs"))
    house.until(lambda: current(house).conflict)
    write(current(house), "mine at last")
    house.saver.keep_mine()
    house.until(lambda: not house.documents.unsaved)
    assert on_disk(root) == theirs.replace("theirs", "mine at last")
    assert (current(house).text, current(house).conflict) == ("mine at last", None)


def test_keeping_mine_does_not_replace_what_was_not_seen(house: House, root: Path) -> None:
    house.watcher.stop()
    type_text(house, "mine")
    write_notes(root, ("one", "theirs"))
    house.follow_disk()
    newer = write_notes(root, ("theirs", "theirs again"))
    house.saver.keep_mine()
    house.settle()
    assert on_disk(root) == newer
    assert conflict_texts(house) == ("mine", "theirs again")
    house.saver.keep_mine()
    house.settle()
    assert on_disk(root) == newer.replace("theirs again", "mine")


def test_taking_theirs_shows_their_text(house: House, root: Path, qtbot: QtBot) -> None:
    type_text(house, "mine")
    theirs = write_notes(root, ("one", "theirs"))
    house.until(lambda: current(house).conflict)
    with qtbot.waitSignals([house.documents.text_replaced, house.documents.dirty_changed]):
        house.documents.take_theirs()
    assert (current(house).text, current(house).dirty, current(house).conflict) == ("theirs", False, None)
    assert on_disk(root) == theirs


def test_a_conflict_is_kept_when_its_item_is_left_and_opened_again(house: House, root: Path) -> None:
    type_text(house, "mine")
    house.documents.open(B)
    write_notes(root, ("one", "theirs"))
    house.until(lambda: house.content("notes", "a") == "theirs")
    house.documents.open(A)
    assert conflict_texts(house) == ("mine", "theirs")


def test_a_conflict_goes_when_others_take_their_change_back(house: House, root: Path) -> None:
    type_text(house, "mine")
    write_notes(root, ("one", "theirs"))
    house.until(lambda: current(house).conflict)
    write_notes(root, ("theirs", "one"))
    house.until(lambda: not current(house).conflict)
    assert (current(house).text, current(house).dirty) == ("mine", True)
    house.save()
    assert on_disk(root) == NOTES.replace("one", "mine")


def test_a_conflict_is_told_once_and_not_at_every_refresh(house: House, root: Path, qtbot: QtBot) -> None:
    type_text(house, "mine")
    write_notes(root, ("one", "theirs"))
    house.until(lambda: current(house).conflict)
    conflict = current(house).conflict
    with qtbot.waitSignal(house.documents.unsaved_changed):
        house.settle()
    with qtbot.assertNotEmitted(house.documents.state_changed):
        write_notes(root, ("two", "theirs as well"))
        house.follow_disk()
    assert current(house).conflict is conflict


def test_giving_up_a_conflict_shows_what_is_on_disk(house: House, root: Path) -> None:
    type_text(house, "mine")
    write_notes(root, ("one", "theirs"))
    house.until(lambda: current(house).conflict)
    house.documents.discard_all()
    assert (current(house).text, house.documents.unsaved) == ("theirs", [])


# ------------------------------------------------------------ the item goes


@pytest.mark.parametrize("how", ["item", "file"])
def test_unsaved_text_of_an_item_that_goes_is_kept(how: str, house: House, root: Path) -> None:
    type_text(house, "mine", B)
    if how == "file":
        (root / "notes.md").unlink()
    else:
        write_notes(root, ("\r\n## b\r\n\r\ntwo\r\n", ""))
    house.until(lambda: current(house).conflict)
    assert conflict_texts(house) == ("mine", None)
    house.save()
    house.settle()
    assert conflict_texts(house) == ("mine", None)
    assert (root / "notes.md").exists() == (how == "item")
    write_outside(root / "notes.md", NOTES.encode())
    house.until(lambda: not current(house).conflict)
    assert (current(house).text, current(house).dirty) == ("mine", True)
    house.save()
    assert on_disk(root) == NOTES.replace("two", "mine")


def test_giving_up_the_text_of_an_item_that_is_gone_closes_it(house: House, root: Path) -> None:
    type_text(house, "mine", B)
    write_notes(root, ("\r\n## b\r\n\r\ntwo\r\n", ""))
    house.until(lambda: current(house).conflict)
    house.documents.take_theirs()
    assert (house.documents.current, house.documents.unsaved) == (None, [])
    assert not house.documents.open(B)


# ------------------------------------------------------------ what arrives late, or early


def snapshot_now(house: House) -> Snapshot:
    return run_to_end(build_steps(house.store, use_jieba=False))


def deliver(house: House, snapshot: Snapshot) -> None:
    """As if the indexer had finished a request just now."""
    house.indexer.indexed.emit(Indexed(0, house.store, snapshot, (), (), True))


def test_an_index_from_before_our_save_does_not_bring_the_old_text_back(house: House, root: Path, qtbot: QtBot) -> None:
    house.watcher.stop()
    old = snapshot_now(house)
    type_text(house, "mine")
    with qtbot.waitSignal(house.saver.saved, timeout=10_000):
        house.saver.save()
    with qtbot.assertNotEmitted(house.documents.text_replaced):
        deliver(house, old)
    assert (current(house).text, current(house).dirty, current(house).conflict) == ("mine", False, None)
    write(current(house), "mine and more")
    house.settle()
    assert (current(house).text, current(house).conflict) == ("mine and more", None)


def test_an_index_that_knows_our_save_before_we_are_told_is_no_conflict(house: House, root: Path) -> None:
    house.watcher.stop()
    type_text(house, "mine\n")
    house.saver.save()
    write(current(house), "mine\nand more")
    wait_for(root, "mine")
    deliver(house, snapshot_now(house))
    assert (current(house).content, current(house).conflict) == ("mine\nand more", None)
    house.settle()
    assert (current(house).content, current(house).dirty, current(house).conflict) == ("mine\nand more", True, None)
    house.save()
    assert on_disk(root) == NOTES.replace("one", "mine\r\nand more")


def test_a_change_right_behind_our_save_is_seen(house: House, root: Path) -> None:
    house.watcher.stop()
    type_text(house, "mine")
    house.saver.save()
    wait_for(root, "mine")
    write_notes(root, ("mine", "theirs"))
    deliver(house, snapshot_now(house))
    house.settle()
    assert (current(house).text, current(house).dirty, current(house).conflict) == ("theirs", False, None)


def wait_for(root: Path, text: str) -> None:
    """Until the writer's thread has written, while this thread hears of nothing."""
    for _ in range(1000):
        if text in on_disk(root):
            return
        Event().wait(0.01)
    raise AssertionError(f"{text!r} was never written")


def test_a_rename_does_not_settle_a_conflict(house: House, root: Path) -> None:
    type_text(house, "mine")
    edit_outside(root / "notes.md", "one", "theirs")
    house.until(lambda: current(house).conflict)
    house.structure.rename(A, "c")
    house.settle()
    conflict = current(house).conflict
    assert conflict is not None
    assert conflict.theirs is not None
    assert (conflict.theirs.item.address, conflict.theirs.text) == ("notes:c", "theirs")
    house.save()
    assert on_disk(root) == NOTES.replace("one", "theirs").replace("## a", "## c")


def test_a_changed_field_stays_when_others_change_the_text(house: House, root: Path) -> None:
    house.documents.open(A)
    current(house).set_field("owner", "you")
    edit_outside(root / "notes.md", "one", "theirs")
    house.until(lambda: current(house).text == "theirs")
    assert (current(house).field("owner"), current(house).dirty) == ("you", True)
    house.save()
    assert on_disk(root) == NOTES.replace("one", "theirs").replace("owner=me", "owner=you")


def test_the_text_before_a_split_is_kept(house: House, root: Path) -> None:
    type_text(house, "first\n\n## c\n\nsecond")
    house.structure.split()
    house.settle()
    house.steps.undo()
    house.settle()
    assert (current(house).text, current(house).dirty) == ("one", False)
    assert [draft.text for draft in house.drafts.kept()] == ["first\r\n\r\n## c\r\n\r\nsecond"]


def test_what_is_typed_while_an_item_is_created_anew_stays(house: House, root: Path) -> None:
    type_text(house, "mine")
    write_outside(root / "notes.md", NOTES[NOTES.index("## b") :].encode())
    house.until(lambda: current(house).conflict)
    house.structure.recreate()
    write(current(house), "mine and more")
    house.settle()
    assert house.content("notes", "a") == "mine"
    assert (current(house).text, current(house).dirty) == ("mine and more", True)
