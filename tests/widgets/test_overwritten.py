"""What the person saved is taken back by an older copy that another program writes: told, and put in again."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from tests.presentation.house import edit_outside, write_outside
from tests.widgets.desk import Desk

GIFT = "preferences:gift-style"


def save_and_overwrite(desk: Desk, *, elsewhere: bool = False) -> str:
    """The agent writes the copy it read before the person saved."""
    path = desk.path("preferences")
    stale = path.read_bytes()
    desk.open_item(GIFT)
    desk.put_caret("handwritten note")
    desk.type(desk.text, " (mine)")
    mine = desk.buffer.text
    desk.save()
    if elsewhere:
        desk.open_item("preferences:coding-music")
    write_outside(path, stale)
    desk.until(lambda: desk.app.overwritten.losses)
    return mine


def test_a_stale_copy_that_takes_an_edit_back_is_told_and_the_edit_reapplied(sample: Desk) -> None:
    """B15."""
    mine = save_and_overwrite(sample)
    bar = sample.app.item_view.overwritten_bar
    assert bar.isVisible()
    assert "older copy" in bar.text
    sample.qtbot.mouseClick(bar.compare, Qt.MouseButton.LeftButton)
    assert "(mine)" in sample.app.item_view.conflict_view.right.toPlainText()
    sample.qtbot.mouseClick(bar.reapply, Qt.MouseButton.LeftButton)
    sample.settle()
    assert sample.buffer.text == mine
    assert "(mine)" in sample.path("preferences").read_text()
    assert not bar.isVisible()


def test_it_is_told_too_when_another_item_is_open(sample: Desk) -> None:
    save_and_overwrite(sample, elsewhere=True)
    assert "took back what you saved in preferences:" in sample.notice()
    assert not sample.app.item_view.overwritten_bar.isVisible()
    notice = sample.app.notices.current
    assert notice is not None
    notice.actions[0].act()
    assert sample.address == GIFT
    bar = sample.app.item_view.overwritten_bar
    assert bar.isVisible()
    sample.qtbot.mouseClick(bar.dismiss, Qt.MouseButton.LeftButton)
    assert not bar.isVisible()


def save_a_note(desk: Desk) -> str:
    """Returns what was saved."""
    desk.open_item(GIFT)
    desk.put_caret("handwritten note")
    desk.type(desk.text, " (mine)")
    desk.save()
    return desk.buffer.text


def test_a_restore_of_ours_is_no_loss_and_others_who_take_it_back_are_told(sample: Desk) -> None:
    save_a_note(sample)
    saved = sample.path("preferences").read_bytes()
    sample.settle()
    history = sample.app.history_view
    sample.window.docks.show_pane("history")
    sample.until(lambda: len(history.list.row_model.rows) == 2)
    history.list.setFocus()
    sample.keys("Down")
    sample.keys("Ctrl+Return")
    sample.settle()
    sample.follow_disk()
    assert "(mine)" not in sample.buffer.text
    assert sample.app.overwritten.losses == {}
    assert not sample.app.item_view.overwritten_bar.isVisible()
    write_outside(sample.path("preferences"), saved)
    sample.follow_disk()
    assert [place.address for place in sample.app.overwritten.losses] == [GIFT]


def test_what_was_saved_is_still_watched_after_a_step_that_left_it(sample: Desk) -> None:
    stale = sample.path("preferences").read_bytes()
    save_a_note(sample)
    sample.app.arrangement.go(sample.buffer.place, 1)
    sample.settle()
    sample.follow_disk()
    assert sample.app.overwritten.losses == {}
    write_outside(sample.path("preferences"), stale)
    sample.follow_disk()
    assert [place.address for place in sample.app.overwritten.losses] == [GIFT]


@pytest.mark.parametrize("clash", [False, True])
def test_reapplying_over_unsaved_typing_files_it_as_mine_and_saves_nothing(sample: Desk, clash: bool) -> None:
    save_and_overwrite(sample)
    if clash:
        sample.put_caret("handwritten note")
        sample.type(sample.text, "typing")
    else:
        sample.buffer.set_field("owner", "me")
    typed, on_disk = sample.buffer.text, sample.path("preferences").read_bytes()
    sample.qtbot.mouseClick(sample.app.item_view.overwritten_bar.reapply, Qt.MouseButton.LeftButton)
    sample.settle()
    assert "(mine)" in sample.buffer.text
    assert sample.buffer.dirty
    assert sample.path("preferences").read_bytes() == on_disk
    kept = [(draft.side, draft.text) for draft in sample.app.drafts.kept()]
    assert kept == ([("mine", typed)] if clash else [])
    assert sample.buffer.field("owner") == ("agent:companion" if clash else "me")
    sample.app.documents.discard_all()


def test_an_agent_that_goes_on_from_what_was_saved_takes_nothing_back(sample: Desk) -> None:
    sample.open_item(GIFT)
    sample.put_caret("handwritten note")
    sample.type(sample.text, " (mine)")
    sample.save()
    edit_outside(sample.path("preferences"), "note (mine)", "note (mine), and more")
    sample.follow_disk()
    assert sample.app.overwritten.losses == {}


def test_who_takes_theirs_is_not_told_that_their_own_is_gone(sample: Desk) -> None:
    sample.open_item(GIFT)
    sample.put_caret("handwritten note")
    sample.type(sample.text, " (mine)")
    sample.save()
    sample.type(sample.text, " more")
    edit_outside(sample.path("preferences"), "note (mine)", "letter")
    sample.until(lambda: sample.buffer.conflict)
    sample.qtbot.mouseClick(sample.app.item_view.conflict_bar.take_theirs, Qt.MouseButton.LeftButton)
    sample.settle()
    assert sample.app.overwritten.losses == {}
    assert not sample.app.item_view.overwritten_bar.isVisible()
