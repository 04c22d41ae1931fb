"""Other programs write while a text is open: nothing of theirs is overwritten, nothing of mine is lost."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent, QTextCursor
from PySide6.QtWidgets import QApplication

from tests.engine.folders import fill
from tests.presentation.house import edit_outside, write_outside
from tests.widgets.desk import Desk
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.widgets.editor.merge_view import MergeView
from wikimem_desktop.widgets.elided_label import ElidedLabel

GIFT = "preferences:gift-style"
MINE = "handwritten note (mine)"
THEIRS = "handwritten letter"


@pytest.fixture
def conflict(sample: Desk) -> Desk:
    """My text differs from the disk, whose text was changed meanwhile."""
    sample.open_item(GIFT)
    sample.put_caret("handwritten note")
    sample.type(sample.text, " (mine)")
    edit_outside(sample.path("preferences"), "handwritten note", THEIRS)
    sample.until(lambda: sample.buffer.conflict)
    return sample


def test_an_outside_change_under_a_clean_text_shows_in_place_with_the_caret_kept(sample: Desk) -> None:
    sample.open_item(GIFT)
    sample.put_caret("fit into one hand")
    before = sample.caret_behind()
    edit_outside(sample.path("preferences"), "喜欢手工的", "很喜欢手工的、小的")
    sample.until(lambda: "小的" in sample.buffer.text)
    assert sample.caret_behind() == before
    assert not sample.window.isWindowModified()
    news = [label.text() for label in sample.app.status_bar.findChildren(ElidedLabel)]
    assert any("changed on disk" in text for text in news), "a quiet notice"
    edit_outside(sample.path("preferences"), "never gift cards", "never ever gift cards")
    sample.until(lambda: "never ever" in sample.buffer.text)
    assert sample.caret_behind() == before
    sample.open_item("preferences:likes-the-sea")
    news = [label.text() for label in sample.app.status_bar.findChildren(ElidedLabel)]
    assert not any("changed on disk" in text for text in news), "it was about the other text"


@pytest.mark.parametrize(
    ("selected", "backwards"),
    [("", False), ("handwritten", False), ("handwritten", True), (" note", False), (" note", True)],
)
def test_what_others_put_in_at_the_caret_is_never_selected(selected: str, backwards: bool, sample: Desk) -> None:
    """Or the next key would take it away."""
    sample.open_item(GIFT)
    sample.put_caret("handwritten")
    text = sample.text.textCursor()
    place = text.position()
    ends = {"": (place, place), "handwritten": (place - 11, place), " note": (place, place + 5)}[selected]
    text.setPosition(ends[backwards])
    text.setPosition(ends[not backwards], QTextCursor.MoveMode.KeepAnchor)
    sample.text.setTextCursor(text)
    edit_outside(sample.path("preferences"), "handwritten note", "handwritten, sealed note")
    sample.until(lambda: "sealed" in sample.buffer.text)
    after = sample.text.textCursor()
    assert after.selectedText() == selected
    assert (after.position() < after.anchor()) == (backwards and selected != "")
    sample.type(sample.text, "x")
    assert "sealed" in sample.buffer.text


def test_an_outside_change_is_one_undo_step(sample: Desk) -> None:
    sample.open_item(GIFT)
    before = sample.buffer.text
    edit_outside(sample.path("preferences"), "never gift cards", "never ever gift cards")
    sample.until(lambda: "never ever" in sample.buffer.text)
    sample.text.setFocus()
    sample.keys("Ctrl+Z")
    assert sample.buffer.text == before
    assert sample.window.isWindowModified()


def test_an_outside_change_under_a_scrolled_text_keeps_the_place(sample: Desk) -> None:
    path = sample.path("preferences")
    long = "\n".join(f"line {number}" for number in range(300))
    write_outside(path, path.read_bytes() + f"\n## long\n\n{long}\n".encode())
    sample.follow_disk()
    sample.open_item("preferences:long")
    sample.put_caret("line 150")
    sample.text.centerCursor()
    scroll = sample.text.verticalScrollBar().value()
    assert scroll > 0
    edit_outside(path, "line 200\n", "line two hundred\n")
    sample.until(lambda: "two hundred" in sample.buffer.text)
    assert sample.text.verticalScrollBar().value() == scroll
    assert sample.caret_behind() == "line 150"


def test_an_outside_change_of_another_item_leaves_an_unsaved_text_alone(sample: Desk) -> None:
    sample.open_item(GIFT)
    sample.put_caret("handwritten note")
    sample.type(sample.text, "s")
    mine = sample.buffer.text
    path = sample.path("preferences")
    edit_outside(path, "Lyrics are for the kitchen.", "No lyrics.")
    sample.follow_disk()
    assert sample.buffer.conflict is None
    assert sample.buffer.text == mine
    sample.save()
    assert "No lyrics." in path.read_text()
    assert "handwritten notes" in path.read_text()


def test_the_bar_says_whose_text_is_which_and_from_when(conflict: Desk) -> None:
    """B19."""
    words = conflict.app.item_view.conflict_bar.text
    changed = datetime.fromtimestamp(conflict.path("preferences").stat().st_mtime)
    assert f"by another program at {changed:%H:%M}" in words
    assert conflict.buffer.typed_at is not None
    assert f"Your text from {conflict.buffer.typed_at:%H:%M}" in words
    bar = conflict.app.item_view.conflict_bar
    assert [bar.keep_mine.text(), bar.take_theirs.text()] == ["Keep mine", "Take theirs"]


def test_a_conflict_is_told_in_a_bar_and_both_texts_can_be_seen(conflict: Desk) -> None:
    """B18."""
    view = conflict.app.item_view
    assert MINE in conflict.buffer.text
    assert view.conflict_bar.compare.isVisible()
    conflict.qtbot.mouseClick(view.conflict_bar.compare, Qt.MouseButton.LeftButton)
    assert view.conflict_view.isVisible()
    assert THEIRS in view.conflict_view.left.toPlainText()
    assert MINE in view.conflict_view.right.toPlainText()
    conflict.qtbot.mouseClick(view.conflict_bar.compare, Qt.MouseButton.LeftButton)
    assert conflict.text.isVisible()
    assert MINE in conflict.buffer.text


def test_saving_in_a_conflict_writes_nothing(conflict: Desk) -> None:
    before = conflict.path("preferences").read_bytes()
    conflict.text.setFocus()
    conflict.save()
    assert conflict.path("preferences").read_bytes() == before
    assert conflict.buffer.conflict
    assert MINE in conflict.buffer.text
    assert conflict.app.item_view.conflict_view.isVisible(), "a refused save shows both texts"


def test_a_save_that_is_faster_than_the_watcher_does_not_overwrite_either(sample: Desk) -> None:
    sample.app.watcher.stop()
    sample.open_item(GIFT)
    sample.put_caret("handwritten note")
    sample.type(sample.text, " (mine)")
    path = sample.path("preferences")
    edit_outside(path, "handwritten note", THEIRS)
    before = path.read_bytes()
    sample.save()
    sample.until(lambda: sample.buffer.conflict)
    assert path.read_bytes() == before
    assert MINE in sample.buffer.text
    assert sample.app.item_view.conflict_view.isVisible()


def test_keep_mine_replaces_theirs_on_disk(conflict: Desk) -> None:
    view, path = conflict.app.item_view, conflict.path("preferences")
    before = path.read_bytes()
    conflict.qtbot.mouseClick(view.conflict_bar.compare, Qt.MouseButton.LeftButton)
    conflict.qtbot.mouseClick(view.conflict_bar.keep_mine, Qt.MouseButton.LeftButton)
    conflict.until(lambda: not conflict.window.isWindowModified())
    assert path.read_bytes() == before.replace(THEIRS.encode(), MINE.encode())
    assert conflict.text.isVisible()
    assert not view.conflict_bar.compare.isVisible()


def test_take_theirs_shows_the_disk_and_leaves_it_as_it_is(conflict: Desk) -> None:
    """B17, B18."""
    view, path = conflict.app.item_view, conflict.path("preferences")
    before = path.read_bytes()
    conflict.qtbot.mouseClick(view.conflict_bar.compare, Qt.MouseButton.LeftButton)
    conflict.qtbot.mouseClick(view.conflict_bar.take_theirs, Qt.MouseButton.LeftButton)
    conflict.settle()
    assert path.read_bytes() == before
    assert THEIRS in conflict.buffer.text
    assert conflict.buffer.text.encode() in before
    assert not conflict.window.isWindowModified()
    conflict.text.setFocus()
    conflict.keys("Ctrl+Z")
    assert MINE in conflict.buffer.text, "undo brings my text back"


def test_my_text_stays_when_its_item_is_deleted_outside(sample: Desk) -> None:
    sample.open_item("preferences:coding-music")
    sample.put_caret("kitchen")
    sample.type(sample.text, "!")
    path = sample.path("preferences")
    text = path.read_text()
    start, end = text.index("## coding-music"), text.index("## how-to-remind-me")
    write_outside(path, (text[:start] + text[end:]).encode())
    sample.until(lambda: sample.buffer.conflict)
    assert sample.address == "preferences:coding-music"
    assert "kitchen!" in sample.buffer.text
    view = sample.app.item_view
    sample.qtbot.mouseClick(view.conflict_bar.compare, Qt.MouseButton.LeftButton)
    assert not view.conflict_bar.keep_mine.isVisible()
    sample.qtbot.mouseClick(view.conflict_bar.take_theirs, Qt.MouseButton.LeftButton)
    assert not sample.window.isWindowModified()
    assert "coding-music" not in path.read_text()


def test_an_open_clean_item_that_is_deleted_outside_goes(sample: Desk) -> None:
    sample.open_item("Reading List:海边的卡夫卡")
    os.unlink(sample.path("Reading List"))
    sample.until(lambda: sample.app.documents.current is None)
    assert not sample.app.item_view.text_edit.isVisible()


def test_a_conflict_of_an_item_in_the_background_shows_when_it_is_opened_again(sample: Desk) -> None:
    sample.open_item(GIFT)
    sample.put_caret("handwritten note")
    sample.type(sample.text, " (mine)")
    sample.open_item("people:mei")
    edit_outside(sample.path("preferences"), "handwritten note", THEIRS)
    sample.follow_disk()
    assert not sample.app.item_view.conflict_bar.compare.isVisible()
    sample.open_item(GIFT)
    assert sample.app.item_view.conflict_bar.compare.isVisible()
    assert MINE in sample.buffer.text


def test_what_an_input_method_composes_is_kept_when_its_item_is_deleted_outside(sample: Desk) -> None:
    sample.open_item("Reading List:海边的卡夫卡")
    sample.text.setFocus()
    sample.text.moveCursor(QTextCursor.MoveOperation.End)
    QApplication.sendEvent(sample.text, QInputMethodEvent("niao", []))
    assert not sample.buffer.dirty
    os.unlink(sample.path("Reading List"))
    sample.until(lambda: sample.app.item_view.conflict_bar.recreate.isVisible())
    assert sample.buffer.text.endswith("niao")


def test_a_text_that_others_shortened_in_the_background_has_the_caret_at_its_end(sample: Desk) -> None:
    sample.open_item("people:mei")
    sample.text.moveCursor(QTextCursor.MoveOperation.End)
    text = sample.buffer.text
    sample.open_item(GIFT)
    edit_outside(sample.path("people"), text, "short")
    sample.follow_disk()
    sample.open_item("people:mei")
    assert (sample.buffer.text, sample.text.textCursor().position()) == ("short", len("short"))


# ------------------------------------------------------------ merging


def start_merge(desk: Desk) -> MergeView:
    view = desk.app.item_view
    desk.qtbot.mouseClick(view.conflict_bar.merge, Qt.MouseButton.LeftButton)
    assert view.merge_view.isVisible()
    return view.merge_view


@pytest.mark.parametrize(("key", "kept"), [("Alt+1", [THEIRS]), ("Alt+2", [MINE]), ("Alt+3", [THEIRS, MINE])])
def test_a_conflict_is_merged_by_keys_and_then_saved(conflict: Desk, key: str, kept: list[str]) -> None:
    merge = start_merge(conflict)
    assert THEIRS in merge.sides.left.toPlainText()
    assert MINE in merge.sides.right.toPlainText()
    assert not merge.apply.isEnabled()
    conflict.keys(key)
    assert merge.apply.isEnabled()
    assert [text for text in (THEIRS, MINE) if text in merge.result.toPlainText()] == kept
    conflict.keys("Ctrl+Return")
    assert conflict.buffer.conflict is None
    assert conflict.text.isVisible()
    conflict.save()
    on_disk = conflict.path("preferences").read_text()
    assert [text for text in (THEIRS, MINE) if text in on_disk] == kept
    conflict.text.setFocus()
    while conflict.buffer.document.isUndoAvailable() and MINE not in conflict.buffer.text:
        conflict.keys("Ctrl+Z")
    assert MINE in conflict.buffer.text


def test_what_only_one_side_changed_is_not_asked_about(conflict: Desk) -> None:
    conflict.put_caret("handwritten")
    conflict.keys("Ctrl+Home")
    conflict.type(conflict.text, "mine above\n")
    merge = start_merge(conflict)
    assert "1 of 1" in merge.count.text()
    assert merge.result.toPlainText().startswith("mine above\n")


def test_the_result_can_be_edited_and_esc_leaves_all_as_it_was(conflict: Desk) -> None:
    merge = start_merge(conflict)
    mine = conflict.buffer.text
    conflict.keys("Escape")
    assert conflict.text.isVisible()
    assert (conflict.buffer.text, bool(conflict.buffer.conflict)) == (mine, True)
    merge = start_merge(conflict)
    merge.result.setFocus()
    conflict.type(merge.result, "by hand ")
    assert merge.apply.isEnabled(), "what is edited by hand is decided"
    conflict.qtbot.mouseClick(merge.apply, Qt.MouseButton.LeftButton)
    assert "by hand " in conflict.buffer.text
    conflict.app.documents.discard_all()


LINES = "## x\n\nline one\nline two\nline three\n\n## y\n\nz\n\n\n"


def merging(desk: Desk, tmp_path: Path, place: Place) -> tuple[Path, MergeView]:
    """Both sides changed the second line; it is being merged, and both are wanted."""
    root = fill(tmp_path / "store", {"a.md": LINES})
    desk.open(root)
    desk.app.documents.open(place)
    desk.put_caret("two")
    desk.type(desk.text, " mine")
    write_outside(root / "a.md", LINES.replace("two", "two theirs").encode())
    desk.until(lambda: desk.buffer.conflict)
    merge = start_merge(desk)
    merge.choose("both")
    return root / "a.md", merge


@pytest.mark.parametrize("place", [Place("item", "a", "x"), Place("text", "a")])
def test_what_comes_while_one_merges_is_not_overwritten(place: Place, desk: Desk, tmp_path: Path) -> None:
    path, merge = merging(desk, tmp_path, place)
    newer = LINES.replace("two", "two theirs, again").replace("z\n", "z NEWER\n")
    write_outside(path, newer.encode())
    desk.follow_disk()
    desk.qtbot.mouseClick(merge.apply, Qt.MouseButton.LeftButton)
    desk.until(lambda: desk.buffer.conflict)
    assert "two theirs\nline two mine" in desk.buffer.text
    assert desk.app.item_view.conflict_bar.isVisible()
    desk.save()
    assert path.read_text() == newer
    desk.app.documents.discard_all()


@pytest.mark.parametrize("place", [Place("item", "a", "x"), Place("text", "a")])
def test_what_comes_elsewhere_while_one_merges_stays(place: Place, desk: Desk, tmp_path: Path) -> None:
    path, merge = merging(desk, tmp_path, place)
    write_outside(path, LINES.replace("two", "two theirs").replace("z\n", "z NEWER\n").encode())
    desk.follow_disk()
    desk.qtbot.mouseClick(merge.apply, Qt.MouseButton.LeftButton)
    assert desk.buffer.conflict is None
    desk.save()
    both = LINES.replace("line two", "line two theirs\nline two mine")
    assert path.read_text() == both.replace("z\n", "z NEWER\n")


def test_an_item_that_goes_while_one_merges_can_be_made_anew(desk: Desk, tmp_path: Path) -> None:
    path, merge = merging(desk, tmp_path, Place("item", "a", "x"))
    write_outside(path, b"## y\n\nz\n")
    desk.follow_disk()
    desk.qtbot.mouseClick(merge.apply, Qt.MouseButton.LeftButton)
    desk.until(desk.app.item_view.conflict_bar.recreate.isVisible)
    assert "line two mine" in desk.buffer.text
    desk.app.documents.discard_all()


def test_a_merged_file_keeps_its_end(desk: Desk, tmp_path: Path) -> None:
    path, merge = merging(desk, tmp_path, Place("text", "a"))
    desk.qtbot.mouseClick(merge.apply, Qt.MouseButton.LeftButton)
    desk.save()
    assert path.read_text() == LINES.replace("line two", "line two theirs\nline two mine")
