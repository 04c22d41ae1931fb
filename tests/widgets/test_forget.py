"""Forget for good: the list of all places, the purge, and that nothing of the window brings the text back."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.engine.traces import grep
from tests.presentation.house import edit_outside
from tests.widgets.desk import Desk, dialog
from tests.widgets.small_memory import press, read, select, settle
from wikimem_desktop.engine.token_cache import cjk_texts
from wikimem_desktop.widgets.forget_dialog import ForgetDialog

SECRET = "Halcyon dossier"


def ask(desk: Desk) -> ForgetDialog:
    desk.app.forget_action.action.trigger()
    shown = dialog(ForgetDialog)
    looked(desk, shown)
    return shown


def looked(desk: Desk, shown: ForgetDialog) -> None:
    desk.until(lambda: not shown._pause.isActive() and desk.app.forget_action.forgetting.state == "")


def places(shown: ForgetDialog) -> list[str]:
    return [f"{row.text} {row.detail}".strip() for row in shown.list.row_model.rows]


def forget(desk: Desk, shown: ForgetDialog) -> None:
    press(shown.forget)
    desk.until(lambda: desk.app.forget_action.forgetting.state == "done")


def everywhere(desk: Desk, profile: Path) -> list[str]:
    """All places on the disk that hold the text."""
    assert desk.app.library.store is not None
    roots = (desk.app.library.store.root, profile, Path(os.environ["XDG_DATA_HOME"]))
    return [place for root in roots for place in grep(root, SECRET)]


def leave_traces(desk: Desk) -> None:
    """The text in items, history, steps, drafts, trash, journal, log, clipboard, query."""
    app = desk.app
    desk.open_item("prefs:sea")
    desk.type(desk.text, f" {SECRET}")
    desk.save()
    app.structure.new_item("plans", SECRET)
    settle(desk)
    app.structure.rename(app.documents.current.place, f"{SECRET} two")  # type: ignore[union-attr]
    settle(desk)
    edit_outside(desk.path("solo"), "one", SECRET)
    settle(desk)
    select(desk, "solo")
    desk.app.structure.remove(desk.app.tree.selected)  # type: ignore[arg-type]
    settle(desk)
    desk.open_item("prefs:tea")
    desk.type(desk.text, f" {SECRET.upper()}")
    app.drafts.write()
    app.playground.set_query(f"about {SECRET}")
    app._remember_store()
    QApplication.clipboard().setText(SECRET)
    settle(desk)


def test_a_text_is_nowhere_after_it_was_forgotten(notes: Desk, profile: Path) -> None:
    leave_traces(notes)
    assert len(everywhere(notes, profile)) >= 6
    notes.text.selectAll()
    shown = ask(notes)
    shown.text.setPlainText(SECRET)
    looked(notes, shown)
    found = places(shown)
    for place in (
        "The memory: prefs:sea",
        "The journal: journal.jsonl × ",
        "The clipboard",
        "Drafts: ",
        "Local history: ",
    ):
        assert any(row.startswith(place) for row in found), (place, found)
    for place in ("Steps that can be undone: ", "Unsaved text in the editor: prefs:tea", "What the window remembers"):
        assert any(row.startswith(place) for row in found), (place, found)
    assert any(row.startswith("The system's trash: solo") for row in found)
    forget(notes, shown)
    assert "is nowhere" in shown.summary.text()
    press(shown.close_button)
    settle(notes)
    assert everywhere(notes, profile) == []
    assert read(notes, "prefs").startswith("# prefs\n\n## sea\n\n …likes it\n")
    assert notes.text.toPlainText() == " …[[prefs:sea]] green"


def test_nothing_of_the_window_brings_it_back(notes: Desk, profile: Path) -> None:
    leave_traces(notes)
    shown = ask(notes)
    shown.whole_item.setChecked(False)
    shown.text.setPlainText(SECRET)
    looked(notes, shown)
    forget(notes, shown)
    press(shown.close_button)
    for place in ("prefs:tea", "prefs:sea"):
        notes.open_item(place)
        for _ in range(20):
            notes.text.undo()
        assert SECRET.lower() not in notes.text.toPlainText().lower()
        for _ in range(20):
            notes.text.redo()
    while notes.app.steps.undo_label:
        before = notes.app.steps.undo_label
        notes.app.steps.undo()
        settle(notes)
        assert notes.app.steps.undo_label != before
    notes.app.saver.save_all()
    settle(notes)
    assert everywhere(notes, profile) == []
    assert notes.app.review.changes == []
    notes.quit()
    assert everywhere(notes, profile) == []


def test_the_open_item_is_what_is_forgotten_unless_a_text_is_selected(notes: Desk, profile: Path) -> None:
    notes.open_item("prefs:sea")
    notes.type(notes.text, "x")
    notes.save()
    shown = ask(notes)
    assert shown.text.toPlainText() == read(notes, "prefs").split("\n")[4]
    assert shown.whole_item.isChecked()
    assert "The memory: plans:beach" in places(shown)  # a link
    forget(notes, shown)
    press(shown.close_button)
    settle(notes)
    assert notes.app.documents.current is None
    assert read(notes, "prefs") == "# prefs\n\n## tea\n\n… green\n"
    assert read(notes, "plans").startswith("# plans\n\n## beach\n\nbecause …, again …\n")
    assert not any(entry.get("item") == "sea" for entry in notes.app.library.store.journal.entries())  # type: ignore[union-attr]
    notes.open_item("prefs:tea")
    notes.text.selectAll()
    again = ask(notes)
    assert again.text.toPlainText() == "… green"
    assert not again.whole_item.isChecked()
    again.reject()


def test_a_renamed_item_is_forgotten_under_its_old_name_too(notes: Desk, profile: Path) -> None:
    notes.open_item("prefs:sea")
    notes.type(notes.text, SECRET)
    notes.save()
    notes.app.structure.rename(notes.app.documents.current.place, "ocean")  # type: ignore[union-attr]
    settle(notes)
    notes.open_item("prefs:ocean")
    notes.text.selectAll()
    notes.type(notes.text, "harmless")
    notes.save()
    assert everywhere(notes, profile) != []
    shown = ask(notes)
    shown.text.setPlainText("")
    shown.whole_item.setChecked(True)
    looked(notes, shown)
    forget(notes, shown)
    assert "is nowhere" in shown.summary.text()
    press(shown.close_button)
    memory = notes.path("prefs").parent
    notes.quit()
    for text in (SECRET, "prefs:sea", "prefs:ocean"):
        assert [*grep(profile, text), *grep(memory, text)] == []


def test_the_name_of_a_file_is_told(notes: Desk) -> None:
    assert notes.app.library.store is not None
    (notes.app.library.store.root / f"attach {SECRET}.txt").write_text("x", encoding="utf-8")
    notes.open_item("prefs:sea")
    shown = ask(notes)
    shown.whole_item.setChecked(False)
    shown.text.setPlainText(SECRET)
    looked(notes, shown)
    name = f"attach {SECRET}.txt"
    assert f"Other files in the folder: {name} a file or folder is called so: rename it" in places(shown)
    assert not shown.forget.isEnabled()
    shown.reject()


def test_too_little_and_nothing_can_not_be_forgotten(notes: Desk) -> None:
    shown = ask(notes)
    assert not shown.whole_item.isVisible()
    assert not shown.forget.isEnabled()
    assert shown.summary.text() == "Write what to forget."
    QTest.keyClicks(shown.text, "nowhere at all")
    looked(notes, shown)
    assert "nowhere" in shown.summary.text()
    assert not shown.forget.isEnabled()
    shown.reject()


def test_a_repository_is_named(notes: Desk) -> None:
    assert notes.app.library.store is not None
    (notes.app.library.store.root / ".git").mkdir()
    notes.open_item("prefs:sea")
    shown = ask(notes)
    assert any("its commits stay" in place for place in places(shown))
    shown.reject()


def test_a_read_only_memory_is_not_forgotten(notes: Desk) -> None:
    assert notes.app.library.store is not None
    assert notes.app.forget_action.action.isEnabled()
    notes.open(notes.app.library.store.root, read_only=True)
    assert not notes.app.forget_action.action.isEnabled()


def test_words_that_jieba_found_are_forgotten_too(notes: Desk, profile: Path) -> None:
    pytest.importorskip("jieba")
    secret = "海边的秘密计划"
    edit_outside(notes.path("prefs"), "likes it", secret)
    notes.app.playground.set_parameters(tokenizer="jieba")

    def packs() -> list[Path]:
        return [
            path
            for path in (profile / "cache" / "tokens").rglob("*.tokens")
            if any(secret in text for _, text in cjk_texts(path.read_bytes()))
        ]

    notes.follow_disk()
    notes.until(lambda: not notes.app.library.indexing)
    assert packs()
    shown = ask(notes)
    shown.text.setPlainText(secret)
    looked(notes, shown)
    assert any(row.startswith("Words kept for the index") for row in places(shown))
    forget(notes, shown)
    press(shown.close_button)
    notes.quit()
    assert packs() == []
