"""Typing and saving: what is written is what was typed, and nothing else in the file changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox

from tests.engine.folders import TS, fill, tree
from tests.widgets.desk import Desk
from wikimem_desktop.presentation.memory_model import Role

GIFT = "preferences:gift-style"


def replaced(data: bytes, old: str, new: str) -> bytes:
    assert data.count(old.encode()) == 1
    return data.replace(old.encode(), new.encode())


def unsaved_in_tree(desk: Desk, address: str) -> bool:
    category, _, name = address.partition(":")
    return bool(desk.app.memory_model.find(category, name).data(Role.UNSAVED))


def test_saving_what_was_typed_changes_one_place_of_the_file(sample: Desk) -> None:
    sample.open_item(GIFT)
    path = sample.path("preferences")
    before = path.read_bytes()
    sample.put_caret("handwritten note")
    sample.type(sample.text, ", or 手写的信 🌊")
    sample.save()
    assert path.read_bytes() == replaced(before, "handwritten note", "handwritten note, or 手写的信 🌊")


def test_unsaved_text_is_marked_everywhere_until_it_is_saved(sample: Desk) -> None:
    view = sample.app.item_view
    sample.open_item(GIFT)
    marks = (
        sample.window.isWindowModified,
        sample.window.menus.save_action.isEnabled,
        view.header.save.isEnabled,
        lambda: unsaved_in_tree(sample, GIFT),
    )
    assert [mark() for mark in marks] == [False] * 4
    sample.put_caret("handwritten note")
    sample.type(sample.text, "s")
    assert [mark() for mark in marks] == [True] * 4
    sample.qtbot.mouseClick(view.header.save, Qt.MouseButton.LeftButton)
    sample.settle()
    assert [mark() for mark in marks] == [False] * 4


def test_an_unsaved_text_is_kept_when_another_item_is_opened(sample: Desk) -> None:
    sample.open_item(GIFT)
    sample.put_caret("handwritten note")
    sample.type(sample.text, " (short)")
    mine = sample.buffer.text
    sample.open_item("people:mei")
    assert unsaved_in_tree(sample, GIFT)
    assert not sample.window.menus.save_action.isEnabled()
    assert sample.window.isWindowModified()
    sample.open_item(GIFT)
    assert sample.buffer.text == mine
    sample.save()
    assert "handwritten note (short)" in sample.path("preferences").read_text()


def test_save_all_writes_every_unsaved_item(sample: Desk) -> None:
    for address, text in ((GIFT, "handwritten note"), ("people:mei", "numbers first")):
        sample.open_item(address)
        sample.put_caret(text)
        sample.type(sample.text, "!!")
    sample.keys("Ctrl+Shift+S")
    sample.until(lambda: not sample.window.isWindowModified())
    assert "handwritten note!!" in sample.path("preferences").read_text()
    assert "numbers first!!" in sample.path("people").read_text()


def test_text_typed_and_taken_back_is_not_unsaved(sample: Desk) -> None:
    sample.open_item(GIFT)
    sample.put_caret("handwritten note")
    sample.type(sample.text, "s")
    sample.key(sample.text, Qt.Key.Key_Backspace)
    assert not sample.window.isWindowModified()
    sample.type(sample.text, "s")
    assert sample.window.isWindowModified()
    sample.keys("Ctrl+Z")
    assert not sample.window.isWindowModified()
    assert not unsaved_in_tree(sample, GIFT)


def test_opening_items_with_fences_and_links_marks_nothing_unsaved(sample: Desk) -> None:
    for item in sample.items():
        sample.open_item(item.address)
        assert not sample.buffer.dirty, item.address
        assert sample.buffer.content == item.content
    assert not sample.window.isWindowModified()


def test_undo_reaches_behind_a_save(sample: Desk) -> None:
    sample.open_item(GIFT)
    before = sample.path("preferences").read_bytes()
    sample.put_caret("handwritten note")
    sample.type(sample.text, "s")
    sample.save()
    sample.keys("Ctrl+Z")
    assert sample.window.isWindowModified()
    sample.save()
    assert sample.path("preferences").read_bytes() == before


ODD = (
    "intro above\r\n\r\n## first\r\n\r\nstays\u00a0here\r\n\r\n"
    "## odd\r\n\r\nnon\u00a0break and \x00 nul\r\n🌊𠮷 astral\r\nE000 \ue000 \uf8e1 \uf8e0 private\r\nlast line\r\n"
    f"<!-- wikimem: owner=a | x=unknown | ts={TS} -->\r\n\r\n## third  \r\n\r\nno end of line"
)


def test_odd_characters_and_line_ends_survive_typing_elsewhere(desk: Desk, tmp_path: Path) -> None:
    """W03: an unknown metadata field too."""
    path = fill(tmp_path / "store", {"odd.md": ODD}) / "odd.md"
    desk.open(path.parent)
    desk.open_item("odd:odd")
    desk.put_caret("last line")
    desk.type(desk.text, "\nand one more")
    desk.save()
    assert path.read_bytes() == replaced(ODD.encode(), "last line", "last line\r\nand one more")


@pytest.mark.parametrize("separator", ["\u2028", "\x85", "\x0c", "\x1d"])
def test_odd_line_separators_survive_typing_in_another_line(desk: Desk, tmp_path: Path, separator: str) -> None:
    text = f"## a\n\nfirst{separator}second\n\nthird\n\n## b\n\nx\n"
    path = fill(tmp_path / "store", {"odd.md": text}) / "odd.md"
    desk.open(path.parent)
    desk.open_item("odd:a")
    desk.put_caret("third")
    desk.type(desk.text, "!")
    desk.save()
    assert path.read_bytes() == replaced(text.encode(), "third", "third!")


def test_a_heading_line_is_refused_with_its_number_and_nothing_is_written(sample: Desk) -> None:
    sample.open_item(GIFT)
    before = tree(sample.path("preferences").parent)
    sample.put_caret("xiaolin-birthday-gift]].")
    sample.type(sample.text, "\n\n## Another item")
    lines = sample.buffer.text.split("\n")
    sample.save()
    words = sample.app.item_view.unstorable_bar.text
    assert str(lines.index("## Another item") + 1) in words
    assert "## Another item" in words
    assert sample.window.isWindowModified()
    assert tree(sample.path("preferences").parent) == before


def test_a_metadata_line_is_refused_too(sample: Desk) -> None:
    sample.open_item(GIFT)
    before = sample.path("preferences").read_bytes()
    sample.put_caret("xiaolin-birthday-gift]].")
    sample.type(sample.text, "\n<!-- wikimem: owner=x -->\nmore")
    sample.save()
    assert "<!-- wikimem: owner=x -->" in sample.app.item_view.unstorable_bar.text
    assert sample.path("preferences").read_bytes() == before


def test_the_refusal_goes_when_the_text_is_put_right(sample: Desk) -> None:
    sample.open_item(GIFT)
    sample.put_caret("xiaolin-birthday-gift]].")
    sample.type(sample.text, "\n\n## Another item")
    sample.save()
    assert "Not saved" in sample.app.item_view.unstorable_bar.text
    sample.put_caret("## Another item")
    sample.key(sample.text, Qt.Key.Key_Home)
    sample.type(sample.text, "\\")
    sample.save()
    assert not sample.app.item_view.unstorable_bar.isVisible()
    assert "\n\\## Another item\n" in sample.path("preferences").read_text()


def test_nothing_can_be_saved_in_a_memory_that_is_open_read_only(desk: Desk, sample_store: Path) -> None:
    before = tree(sample_store)
    desk.open(sample_store, read_only=True)
    desk.open_item(GIFT)
    desk.put_caret("handwritten note")
    desk.type(desk.text, "s")
    assert desk.buffer.dirty
    assert not desk.window.menus.save_action.isEnabled()
    assert not desk.window.menus.save_all_action.isEnabled()
    assert not desk.app.item_view.header.save.isEnabled()
    desk.save()
    assert tree(sample_store) == before


@pytest.mark.parametrize("answer", [QMessageBox.StandardButton.No, QMessageBox.StandardButton.Yes])
def test_writing_through_a_link_that_leads_outside_is_asked_about(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: QMessageBox.StandardButton
) -> None:
    outside = fill(tmp_path / "elsewhere", {"real.md": "## a\n\ntext\n"}) / "real.md"
    store = fill(tmp_path / "store", {"plain.md": "## b\n\nx\n"})
    (store / "linked.md").symlink_to(outside)
    questions: list[str] = []

    def question(parent: object, title: str, text: str) -> QMessageBox.StandardButton:
        questions.append(text)
        return answer

    monkeypatch.setattr(QMessageBox, "question", question)
    desk.open(store)
    desk.open_item("linked:a")
    desk.put_caret("text")
    desk.type(desk.text, " more")
    desk.save()
    desk.settle()
    assert len(questions) == 1
    assert str(outside) in questions[0]
    written = answer == QMessageBox.StandardButton.Yes
    assert outside.read_text() == ("## a\n\ntext more\n" if written else "## a\n\ntext\n")
    assert desk.window.isWindowModified() != written
    assert (store / "linked.md").is_symlink()
