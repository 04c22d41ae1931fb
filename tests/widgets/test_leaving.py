"""Closing asks about unsaved text, ends every thread, and is quick in the middle of work."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tests.engine.folders import fill
from tests.presentation.house import edit_outside
from tests.widgets.desk import Desk

GIFT = "preferences:gift-style"
PATIENCE_SECONDS = 2.0


@pytest.fixture
def unsaved(sample: Desk) -> Desk:
    """The sample with unsaved text in two items."""
    for address, text in ((GIFT, "handwritten note"), ("people:mei", "numbers first")):
        sample.open_item(address)
        sample.put_caret(text)
        sample.type(sample.text, "!!")
    return sample


def saved(desk: Desk) -> list[bool]:
    files = (("preferences", "handwritten note!!"), ("people", "numbers first!!"))
    return [text in desk.path(category).read_text(encoding="utf-8") for category, text in files]


def test_closing_without_unsaved_text_asks_nothing(sample: Desk) -> None:
    sample.window.close()
    assert sample.ended
    assert not sample.window.isVisible()


def test_cancel_keeps_the_window_and_the_texts(unsaved: Desk) -> None:
    texts = unsaved.answer("Cancel")
    unsaved.window.close()
    assert "2" in texts[0]
    assert texts[1].split("\n") == ["people:mei", GIFT]
    assert unsaved.window.isVisible()
    assert not unsaved.ended
    assert unsaved.app.documents.unsaved == ["people:mei", GIFT]
    assert saved(unsaved) == [False, False]


def test_discard_leaves_without_writing(unsaved: Desk) -> None:
    unsaved.answer("Discard")
    unsaved.window.close()
    assert unsaved.ended
    assert saved(unsaved) == [False, False]


def test_save_all_writes_and_leaves(unsaved: Desk) -> None:
    unsaved.answer("Save all")
    unsaved.window.close()
    unsaved.until(lambda: unsaved.ended)
    assert saved(unsaved) == [True, True]


@pytest.mark.parametrize("moment", ["while it is saved", "when it is saved"])
def test_what_is_typed_on_while_all_is_saved_is_asked_about_anew(unsaved: Desk, moment: str) -> None:
    unsaved.answer("Save all")
    unsaved.window.close()

    def type_on() -> None:
        if moment == "while it is saved" or not unsaved.app.saver.busy:
            unsaved.app.saver.saved.disconnect(type_on)
            unsaved.type(unsaved.text, "??")
            unsaved.answer("Cancel")

    unsaved.app.saver.saved.connect(type_on)
    if moment == "while it is saved":
        type_on()
    unsaved.until(lambda: not unsaved.app.saver.busy)
    unsaved.until(lambda: QApplication.activeModalWidget() is None and unsaved.app.documents.unsaved)
    unsaved.settle()
    assert saved(unsaved) == [True, True]
    assert not unsaved.ended
    unsaved.save()
    assert unsaved.app.documents.unsaved == []
    assert not unsaved.ended, "the wish to close ended with the question"


def test_a_text_that_can_not_be_saved_keeps_the_window(sample: Desk) -> None:
    sample.open_item(GIFT)
    sample.put_caret("xiaolin-birthday-gift]].")
    sample.type(sample.text, "\n## heading")
    sample.answer("Save all")
    sample.window.close()
    sample.settle()
    assert sample.window.isVisible()
    assert not sample.ended
    assert "## heading" in sample.app.item_view.unstorable_bar.text


def test_a_conflict_keeps_the_window(sample: Desk) -> None:
    sample.open_item(GIFT)
    sample.put_caret("handwritten note")
    sample.type(sample.text, "s")
    path = sample.path("preferences")
    edit_outside(path, "handwritten note", "handwritten letter")
    sample.until(lambda: sample.buffer.conflict)
    before = path.read_bytes()
    sample.answer("Save all")
    sample.window.close()
    sample.settle()
    assert sample.window.isVisible()
    assert path.read_bytes() == before


@pytest.mark.parametrize("met", ["before", "while saving"])
def test_a_conflict_ends_the_wish_to_close(sample: Desk, met: str) -> None:
    sample.open_item(GIFT)
    sample.put_caret("handwritten note")
    sample.type(sample.text, "s")
    if met == "while saving":
        sample.app.watcher.stop()
    edit_outside(sample.path("preferences"), "handwritten note", "handwritten letter")
    if met == "before":
        sample.until(lambda: sample.buffer.conflict)
    sample.answer("Save all")
    sample.window.close()
    sample.until(lambda: sample.buffer.conflict)
    sample.settle()
    sample.app.saver.keep_mine()
    sample.until(lambda: not sample.app.documents.unsaved)
    sample.settle()
    assert "handwritten notes" in sample.path("preferences").read_text(encoding="utf-8")
    assert sample.window.isVisible()
    assert not sample.ended


@pytest.mark.parametrize("answer", ["Cancel", "Discard"])
def test_opening_the_sample_asks_too(unsaved: Desk, answer: str) -> None:
    store = unsaved.app.library.store
    unsaved.run("deploy checklist", budget=90)
    unsaved.answer(answer)
    next(action for action in unsaved.window.actions() if "sample" in action.text()).trigger()
    unsaved.settle()
    if answer == "Discard":
        unsaved.until(lambda: unsaved.app.documents.current)
        assert unsaved.app.library.store is not store
        assert unsaved.address == "preferences:likes-the-sea"
        assert unsaved.newest_run().request.query == "想去海边玩"
        assert unsaved.newest_run().request.parameters.budget == 140
        return
    assert unsaved.app.library.store is store
    assert unsaved.app.documents.unsaved == ["people:mei", GIFT]
    assert unsaved.address == "people:mei"
    assert unsaved.app.playground.query == "deploy checklist"
    assert unsaved.app.playground.parameters.budget == 90
    assert saved(unsaved) == [False, False]
    edit_outside(unsaved.path("people"), "陈医生", "陈大夫")
    unsaved.until(lambda: "people:陈大夫" in unsaved.leaves())
    assert unsaved.address == "people:mei"


@pytest.mark.parametrize("answer", ["Cancel", "Discard", "Save all"])
def test_opening_another_memory_asks_too(unsaved: Desk, tmp_path: Path, answer: str) -> None:
    first = unsaved.path("people")
    other = fill(tmp_path / "other", {"x.md": "## a\n\ntext\n"})
    unsaved.answer(answer)
    unsaved.app.open_store(other)
    if answer == "Cancel":
        assert unsaved.app.documents.unsaved
        assert unsaved.path("people") == first
    else:
        unsaved.until(lambda: unsaved.leaves() == ["x:a"])
        assert ("numbers first!!" in first.read_text(encoding="utf-8")) == (answer == "Save all")


def test_closing_the_memory_asks_too(unsaved: Desk) -> None:
    unsaved.answer("Cancel")
    unsaved.keys("Ctrl+Shift+W")
    assert unsaved.leaves()
    assert not unsaved.window.welcome.isVisible()
    unsaved.answer("Discard")
    unsaved.keys("Ctrl+Shift+W")
    assert unsaved.leaves() == []
    assert unsaved.window.welcome.isVisible()


def test_quitting_while_a_large_memory_is_indexed_ends_in_time(desk: Desk, tmp_path: Path) -> None:
    text = "所有人都喜欢海边 and some words about coffee, [[c0:item-1]] "
    files = {
        f"c{category}.md": "".join(f"## item-{number}\n\n{text * 8}\n\n" for number in range(100))
        for category in range(20)
    }
    desk.app.open_store(fill(tmp_path / "store", files))  # type: ignore[arg-type]
    assert desk.app.library.indexing
    started = time.monotonic()
    desk.quit()
    assert desk.ended
    assert time.monotonic() - started < PATIENCE_SECONDS


def test_quitting_while_a_query_is_typed_leaves_no_timer(sample: Desk) -> None:
    sample.type(sample.app.panel.query_box, "deploy")
    sample.quit()
    assert sample.ended
