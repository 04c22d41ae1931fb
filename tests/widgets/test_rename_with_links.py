"""Renaming in the window where links in items, in code and in the diary follow; and what stands in its way."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.engine.folders import fill, tree
from tests.widgets.desk import Desk, dialog
from tests.widgets.small_memory import enter, press, rows, settle
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.widgets.naming import MovingDialog, RenamingDialog
from wikimem_desktop.widgets.removal import RemovalDialog

CODE = "```\n[[notes:a]] 1\n````\n\n~~~\n[[notes:a]] 2\n~~~\n\n````\n```\n[[notes:a]] 1\n"
FILES: dict[str, str | bytes] = {
    "wiki/Old.md": "# Old\n\n## x\n\n[[Old:x]]\n",
    "wiki/notes.md": "# notes\n\n## a\n\ntext\n\n## b\n\n[[notes:a]]\n",
    "wiki/code.md": f"# code\n\n## a\n\n[[code:a]]\n\n{CODE}",
    "diary/2026-07-10.md": "# 2026-07-10\n\n## 09:00\n\n[[notes:a]] [[notes:a|alias]]\n",
}


@pytest.fixture
def memory(desk: Desk, tmp_path: Path) -> Desk:
    desk.open(fill(tmp_path / "store", FILES))
    return desk


def bytes_of(desk: Desk) -> dict[str, bytes | None]:
    store = desk.app.library.store
    assert store is not None
    return {name: data for name, data in tree(store.root).items() if name.endswith(".md")}


ALL = {name: str(text).encode() for name, text in FILES.items()}


def choose(desk: Desk, place: Place) -> None:
    desk.app.tree.expand(["Old", "code", "notes"])
    desk.click(desk.app.tree.tree, desk.app.memory_model.find(place.category, place.name))


def ask(desk: Desk, place: Place) -> RenamingDialog:
    choose(desk, place)
    desk.keys("F2")
    shown = dialog(RenamingDialog)
    desk.until(shown.links.isVisible)
    return shown


def type_name(desk: Desk, shown: RenamingDialog, name: str) -> None:
    shown.name.clear()
    desk.type(shown.name, name)


def test_b02_links_in_code_stand_apart_and_stay_when_they_are_unticked_by_key(memory: Desk) -> None:
    shown = ask(memory, Place("item", "notes", "a"))
    model = shown.links.model
    assert [line.in_code for line in model.lines] == [False, False, True, True, True]
    assert shown.links.count == 5
    assert shown.agree.text().endswith("with 5 links")
    type_name(memory, shown, "new")
    shown.links.list.setFocus()
    QTest.keyClick(shown.links.list, Qt.Key.Key_End)
    QTest.keyClick(shown.links.list, Qt.Key.Key_Space)
    ticks = [model.index(row).data(Qt.ItemDataRole.CheckStateRole) for row in range(5)]
    on, off = Qt.CheckState.Checked, Qt.CheckState.Unchecked
    assert ticks == [None, None, off, on, off]  # a line that says the same shares its fate
    assert shown.agree.text().endswith("with 3 links")
    press(shown.agree)
    settle(memory)
    assert memory.path("code").read_text(encoding="utf-8") == str(FILES["wiki/code.md"]).replace("a]] 2", "new]] 2")


def test_b27_an_item_of_the_same_name_elsewhere_and_a_link_with_an_alias_are_left_alone(memory: Desk) -> None:
    shown = ask(memory, Place("item", "notes", "a"))
    type_name(memory, shown, "new")
    enter(shown)
    settle(memory)
    wanted = {name: data.replace(b"[[notes:a]]", b"[[notes:new]]") for name, data in ALL.items()}
    wanted["wiki/notes.md"] = wanted["wiki/notes.md"].replace(b"## a", b"## new")
    assert bytes_of(memory) == wanted
    memory.until(lambda: "5 links follow in 3 files." in memory.notice())
    memory.keys("Ctrl+Z")
    settle(memory)
    assert bytes_of(memory) == ALL


def test_b29_deleting_lists_links_of_the_diary_too_and_undo_restores(memory: Desk) -> None:
    choose(memory, Place("item", "notes", "a"))
    memory.keys("Del")
    shown = dialog(RemovalDialog)
    assert "2026-07-10:09:00  ·  2026-07-10.md:5" in rows(shown.links.list)
    assert "notes:b  ·  notes.md:9" in rows(shown.links.list)
    press(shown.delete)
    settle(memory)
    assert b"## a" not in (bytes_of(memory)["wiki/notes.md"] or b"")
    memory.app.tree.tree.setFocus()
    memory.keys("Ctrl+Z")
    settle(memory)
    assert bytes_of(memory) == ALL


def test_b30_a_linking_file_that_is_read_only_is_named_before_anything_is_done(memory: Desk) -> None:
    memory.path("code").chmod(0o444)
    shown = ask(memory, Place("item", "notes", "a"))
    type_name(memory, shown, "new")
    assert shown.links.obstacle.isVisible()
    assert "code.md" in shown.links.obstacle.text()
    assert not shown.agree.isEnabled()
    enter(shown)
    assert shown.isVisible()
    shown.reject()
    memory.app.tree.tree.setFocus()
    memory.keys("Ctrl+M")
    moving = dialog(MovingDialog)
    memory.until(moving.links.isVisible)
    memory.type(moving.name, "fresh")
    assert not moving.agree.isEnabled()
    moving.reject()
    memory.app.structure.rename(Place("item", "notes", "a"), "new")  # the file was locked behind the dialog
    settle(memory)
    assert "code.md" in memory.notice()
    assert bytes_of(memory) == ALL
    assert memory.app.steps.undo_label == ""
    memory.path("code").chmod(0o644)


def test_a_category_of_a_name_that_hosts_can_not_write_gets_its_small_letters(memory: Desk) -> None:
    """B06, W10."""
    shown = ask(memory, Place("category", "Old"))
    type_name(memory, shown, "old")
    enter(shown)
    settle(memory)
    assert "wiki/Old.md" not in bytes_of(memory)
    assert bytes_of(memory)["wiki/old.md"] == b"# old\n\n## x\n\n[[old:x]]\n"
    assert memory.app.tree.selected == Place("category", "old")
    memory.app.tree.tree.setFocus()
    memory.keys("Ctrl+Z")
    settle(memory)
    assert bytes_of(memory) == ALL


def test_the_categories_to_move_to_are_listed_by_the_down_key(memory: Desk) -> None:
    choose(memory, Place("item", "notes", "b"))
    memory.keys("Ctrl+M")
    shown = dialog(MovingDialog)
    assert shown.name.accessibleName() == "Category"
    memory.until(shown.name.hasFocus)
    QTest.keyClick(shown.name, Qt.Key.Key_Down)
    popup = shown.name.completer().popup()
    assert popup is not None
    assert popup.isVisible()
    listed = [popup.model().index(row, 0).data() for row in range(popup.model().rowCount())]
    assert listed == ["code"]  # items can't be added to Old
    QTest.keyClick(popup, Qt.Key.Key_Down)
    QTest.keyClick(popup, Qt.Key.Key_Return)
    assert shown.typed == "code"
    enter(shown)
    settle(memory)
    assert memory.path("code").read_text(encoding="utf-8").endswith("\n## b\n\n[[notes:a]]\n")
