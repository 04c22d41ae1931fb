"""Metadata fields, lines that can't be stored, re-creating, and the drafts: what a person sees and does."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QPushButton
from pytestqt.qtbot import QtBot

from tests.engine.folders import fill
from tests.presentation.dead_window import leave_drafts
from tests.presentation.house import House, edit_outside, write_outside
from tests.presentation.notes import current, write
from tests.widgets.desk import Desk
from wikimem_desktop.engine.store import MemoryStore
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.widgets.drafts_view import DraftsView

LEFT = Qt.MouseButton.LeftButton
SEA, GIFT = "preferences:likes-the-sea", "preferences:gift-style"
COMMENT = "<!-- wikimem: owner=me | mood=good | source=conv_1 | ts=2026-07-10T03:00:00+00:00 -->"


@pytest.fixture
def notes(desk: Desk, tmp_path: Path) -> Path:
    path = fill(tmp_path / "store", {"notes.md": f"# notes\r\n\r\n## a\r\n\r\none\r\n\r\n{COMMENT}\r\n"}) / "notes.md"
    desk.open(path.parent)
    desk.open_item("notes:a")
    return path


def on_disk(path: Path) -> str:
    return path.read_bytes().decode()


# ------------------------------------------------------------ fields


def test_a_field_changes_only_its_pair(desk: Desk, notes: Path) -> None:
    before = on_disk(notes)
    owner = desk.app.item_view.footer.owner
    assert owner.text() == "me"
    owner.selectAll()
    desk.type(owner, "用户|us")
    assert owner.text() == "用户/us", "what a field can't hold is replaced before one's eyes"
    assert desk.window.isWindowModified()
    assert "Not saved" in desk.app.item_view.footer._facts.text()
    desk.save()
    assert on_disk(notes) == before.replace("owner=me", "owner=用户/us")
    assert not desk.window.isWindowModified()


def test_an_emptied_field_takes_its_pair_away_and_typed_back_it_is_clean(desk: Desk, notes: Path) -> None:
    source = desk.app.item_view.footer.source
    source.selectAll()
    desk.key(source, Qt.Key.Key_Delete)
    assert desk.window.isWindowModified()
    desk.type(source, "conv_1")
    assert not desk.window.isWindowModified()
    source.selectAll()
    desk.key(source, Qt.Key.Key_Delete)
    desk.save()
    assert "source" not in on_disk(notes)
    assert "mood=good" in on_disk(notes)


def test_written_now_changes_only_the_time(desk: Desk, notes: Path) -> None:
    QTest.mouseClick(desk.app.item_view.footer.now, LEFT)
    desk.save()
    item = MemoryStore(notes.parent).get("notes", "a")
    assert item is not None
    assert item.ts is not None
    assert item.ts > "2026-07-10"
    assert on_disk(notes).replace(item.ts, "2026-07-10T03:00:00+00:00").endswith(COMMENT + "\r\n")


def test_an_edit_leaves_the_time_alone(desk: Desk, notes: Path) -> None:
    desk.put_caret("one")
    desk.type(desk.text, "!")
    desk.save()
    assert on_disk(notes).endswith(f"one!\r\n\r\n{COMMENT}\r\n")


def test_fields_cannot_be_edited_where_nothing_can_be_saved(desk: Desk, notes: Path) -> None:
    desk.open(notes.parent, read_only=True)
    desk.open_item("notes:a")
    footer = desk.app.item_view.footer
    desk.type(footer.owner, "x")
    assert footer.owner.text() == "me"
    assert not footer.now.isVisible()


# ------------------------------------------------------------ lines that can't be stored


def test_escaped_lines_stay_text(sample: Desk) -> None:
    sample.open_item(GIFT)
    path = sample.path("preferences")
    before = path.read_bytes()
    sample.put_caret("xiaolin-birthday-gift]].")
    sample.type(sample.text, "\n## heading\n<!-- wikimem: owner=x -->")
    bar = sample.app.item_view.unstorable_bar
    sample.until(bar.isVisible)
    QTest.mouseClick(bar.escape, LEFT)
    sample.until(lambda: not bar.isVisible())
    assert sample.text.hasFocus()
    sample.save()
    addition = b"\n\\## heading\n\\<!-- wikimem: owner=x -->"
    assert path.read_bytes() == before.replace(b"xiaolin-birthday-gift]].", b"xiaolin-birthday-gift]]." + addition)
    sample.keys("Ctrl+Z")
    assert "\n## heading" in sample.buffer.text, "escaping is one undo step"


def test_cancel_leaves_the_text_as_it_is_until_it_is_to_be_saved(sample: Desk) -> None:
    sample.open_item(GIFT)
    path = sample.path("preferences")
    before = path.read_bytes()
    sample.put_caret("handwritten note")
    sample.text.insertPlainText("\n## pasted\n")
    typed = sample.buffer.text
    bar = sample.app.item_view.unstorable_bar
    sample.until(bar.isVisible)
    QTest.mouseClick(bar.cancel, LEFT)
    assert not bar.isVisible()
    assert sample.text.hasFocus()
    sample.type(sample.text, "!")
    assert sample.buffer.text.replace("!", "") == typed
    assert not bar.isVisible(), "asked once"
    sample.save()
    assert bar.isVisible()
    assert path.read_bytes() == before


def test_a_refused_save_of_a_conflict_can_be_decided_by_keys(sample: Desk) -> None:
    sample.open_item(GIFT)
    sample.put_caret("handwritten note")
    sample.type(sample.text, " (mine)")
    edit_outside(sample.path("preferences"), "handwritten note", "postcard")
    sample.until(lambda: sample.buffer.conflict)
    sample.text.setFocus()
    sample.save()
    view = sample.app.item_view
    assert view.conflict_view.isVisible()
    assert view.conflict_bar.text.startswith("Not saved.")
    assert view.conflict_bar.compare.hasFocus()
    assert view.conflict_bar.compare.text() == "Back to my text"
    sample.keys("Esc")
    assert sample.text.hasFocus()
    assert view.conflict_bar.compare.text() == "View difference"


# ------------------------------------------------------------ the item is gone


def test_the_text_of_an_item_that_is_gone_can_be_created_anew(sample: Desk) -> None:
    sample.open_item("preferences:coding-music")
    sample.put_caret("kitchen")
    sample.type(sample.text, "!")
    path = sample.path("preferences")
    text = path.read_text()
    start, end = text.index("## coding-music"), text.index("## how-to-remind-me")
    write_outside(path, (text[:start] + text[end:]).encode())
    sample.until(lambda: sample.buffer.conflict)
    bar = sample.app.item_view.conflict_bar
    assert "Deleted or renamed" in bar.text
    QTest.mouseClick(bar.recreate, LEFT)
    sample.until(lambda: not sample.window.isWindowModified())
    assert not bar.isVisible()
    item = MemoryStore(path.parent.parent).get("preferences", "coding-music")
    assert item is not None
    assert "kitchen!" in item.content


# ------------------------------------------------------------ drafts


def type_and_die(house: House) -> None:
    assert house.documents.open_item("preferences", "gift-style")
    write(current(house), "typed before the end")


def press(desk: Desk, text: str) -> None:
    buttons = [b for b in desk.window.findChildren(QPushButton) if b.text() == text and b.isVisible()]
    QTest.mouseClick(buttons[0], LEFT)


def test_unsaved_text_is_offered_after_a_crash(desk: Desk, sample_store: Path, qtbot: QtBot) -> None:
    leave_drafts(qtbot, sample_store, type_and_die)
    desk.open(sample_store)
    assert f"1 unsaved text of a window that did not end well: {GIFT}" in desk.notice()
    press(desk, "Restore")
    assert desk.address == GIFT
    assert desk.app.notices.current is None
    assert desk.app.documents.unsaved == [GIFT]
    desk.open_item(GIFT)
    assert desk.buffer.text == "typed before the end"
    desk.text.setFocus()
    desk.keys("Ctrl+Z")
    assert "handwritten note" in desk.buffer.text


def test_given_up_text_can_be_brought_back(sample: Desk) -> None:
    sample.open_item(GIFT)
    sample.put_caret("handwritten note")
    sample.type(sample.text, " (mine)")
    edit_outside(sample.path("preferences"), "handwritten note", "postcard")
    sample.until(lambda: sample.buffer.conflict)
    QTest.mouseClick(sample.app.item_view.conflict_bar.take_theirs, LEFT)
    sample.settle()
    view = DraftsView(sample.app.drafts, sample.window)
    sample.qtbot.addWidget(view)
    view.wanted_back.connect(sample.app.questions.bring_back)
    view.show()
    assert "(mine)" in view.text.toPlainText()
    QTest.mouseClick(view.bring_back, LEFT)
    assert view.result() == QDialog.DialogCode.Accepted
    assert "(mine)" in sample.buffer.text
    assert "postcard" not in sample.buffer.text
    assert sample.window.isWindowModified()
    sample.text.setFocus()
    sample.keys("Ctrl+Z")
    assert "postcard" in sample.buffer.text


def test_a_draft_of_an_item_that_is_gone_can_be_brought_back_too(sample: Desk) -> None:
    sample.app.documents.bring_back(Place("item", "people", "nobody"), "text")
    assert sample.address == "people:nobody"
    assert sample.app.item_view.conflict_bar.recreate.isVisible()
    QTest.mouseClick(sample.app.item_view.conflict_bar.recreate, LEFT)
    sample.until(lambda: not sample.window.isWindowModified())
    item = MemoryStore(sample.path("people").parent.parent).get("people", "nobody")
    assert item is not None
    assert item.content == "text"


def test_drafts_can_be_deleted_one_by_one(sample: Desk) -> None:
    for text in ("one", "two"):
        sample.app.drafts.keep(Place("item", "people", "mei"), "mine", text)
    sample.settle()
    view = DraftsView(sample.app.drafts, sample.window)
    sample.qtbot.addWidget(view)
    assert view.list.count() == 2
    QTest.mouseClick(view.delete, LEFT)
    sample.until(lambda: view.list.count() == 1)
    QTest.mouseClick(view.delete, LEFT)
    sample.until(lambda: view.list.count() == 0)
    assert not view.delete.isEnabled()


def test_found_text_can_be_brought_back_after_its_notice_is_gone(desk: Desk, sample_store: Path, qtbot: QtBot) -> None:
    leave_drafts(qtbot, sample_store, type_and_die)
    desk.open(sample_store)
    desk.app.notices.clear()
    view = DraftsView(desk.app.drafts, desk.window)
    qtbot.addWidget(view)
    view.wanted_back.connect(desk.app.questions.bring_back)
    view.show()
    QTest.mouseClick(view.bring_back, LEFT)
    assert (desk.address, desk.buffer.text) == (GIFT, "typed before the end")
    assert view.list.count() == 0
