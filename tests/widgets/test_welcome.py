"""The first page, and every way to open a folder."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from tests.engine.folders import fill, tree
from tests.widgets.desk import Desk
from wikimem_desktop.places import find_places, resource
from wikimem_desktop.presentation.notices import Level
from wikimem_desktop.start import open_first, parse_arguments

LEFT = Qt.MouseButton.LeftButton


def drop(target: QWidget, *paths: Path) -> bool:
    """Drag paths onto a widget and let go; whether it took them."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    place, action, none = QPoint(20, 20), Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(place, action, data, LEFT, none)
    QApplication.sendEvent(target, enter)
    if not enter.isAccepted():
        return False
    event = QDropEvent(QPointF(place), action, data, LEFT, none)
    QApplication.sendEvent(target, event)
    return event.isAccepted()


def shows_welcome(desk: Desk) -> bool:
    return desk.window.welcome.isVisible() and not any(dock.isVisible() for dock in desk.window.docks.all.values())


def store_name(desk: Desk) -> str:
    return desk.app.library.store.root.name if desk.app.library.store else ""


def test_the_first_window_shows_the_welcome_page_alone(desk: Desk) -> None:
    assert shows_welcome(desk)
    assert not desk.window.menus.save_action.isEnabled()
    assert not desk.window.welcome.recent.isVisible()


@pytest.mark.parametrize("chosen", [True, False])
def test_the_button_opens_the_folder_of_the_dialog(
    desk: Desk, sample_store: Path, monkeypatch: pytest.MonkeyPatch, chosen: bool
) -> None:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(sample_store) if chosen else "")
    QTest.mouseClick(desk.window.welcome.open_button, LEFT)
    desk.settle()
    assert shows_welcome(desk) != chosen
    assert store_name(desk) == ("sample" if chosen else "")
    assert all(dock.isVisible() == chosen for dock in desk.window.docks.all.values())


def test_the_sample_opens_as_a_copy_with_a_query_and_an_item(desk: Desk) -> None:
    before = tree(resource("sample"))
    QTest.mouseClick(desk.window.welcome.sample_button, LEFT)
    desk.until(lambda: desk.app.documents.current)
    assert desk.app.library.store is not None
    assert desk.app.library.store.root == find_places().sample_copy
    assert desk.newest_run().sequence
    desk.text.setFocus()
    desk.type(desk.text, "changed ")
    desk.save()
    assert tree(resource("sample")) == before
    assert tree(find_places().sample_copy) != before


def test_a_sample_that_a_person_worked_in_is_opened_again_as_it_is(desk: Desk) -> None:
    desk.app.open_sample()
    desk.until(lambda: desk.app.documents.current)
    desk.type(desk.text, "mine ")
    desk.save()
    before = tree(find_places().sample_copy)
    desk.keys("Ctrl+Shift+W")
    assert shows_welcome(desk)
    desk.app.open_sample()
    desk.until(lambda: desk.app.documents.current)
    assert "mine " in desk.buffer.text
    assert tree(find_places().sample_copy) == before


def test_a_folder_dropped_on_the_page_opens(desk: Desk, sample_store: Path) -> None:
    assert drop(desk.window.welcome, sample_store)
    desk.settle()
    assert store_name(desk) == "sample"


def test_a_folder_dropped_on_the_window_replaces_the_open_one(sample: Desk, tmp_path: Path) -> None:
    other = fill(tmp_path / "other", {"x.md": "## a\n\ntext\n"})
    assert drop(sample.window, other)
    sample.settle()
    assert store_name(sample) == "other"
    assert sample.leaves() == ["x:a"]


def test_two_folders_at_once_are_not_taken(desk: Desk, sample_store: Path, tmp_path: Path) -> None:
    assert not drop(desk.window.welcome, sample_store, tmp_path)
    assert shows_welcome(desk)


def tick_read_only(desk: Desk) -> None:
    QTest.mouseClick(desk.window.welcome.read_only, LEFT, Qt.KeyboardModifier.NoModifier, QPoint(8, 8))
    assert desk.window.welcome.read_only.isChecked()


@pytest.mark.parametrize("way", ["button", "menu", "drop", "recent", "sample"])
def test_what_is_opened_beside_the_ticked_box_is_read_only(
    desk: Desk, sample_store: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(sample_store))
    welcome = desk.window.welcome
    desk.open(sample_store)
    before = tree(sample_store)
    desk.keys("Ctrl+Shift+W")
    tick_read_only(desk)
    ways: dict[str, Callable[[], object]] = {
        "button": lambda: QTest.mouseClick(welcome.open_button, LEFT),
        "menu": lambda: desk.keys("Ctrl+O"),
        "drop": lambda: drop(welcome, sample_store),
        "recent": lambda: desk.click(welcome.recent, welcome.recent.model().index(0, 0)),
        "sample": lambda: QTest.mouseClick(welcome.sample_button, LEFT),
    }
    ways[way]()
    desk.settle()
    assert store_name(desk).startswith("sample")
    assert desk.app.documents.read_only_store
    assert tree(sample_store) == before


@pytest.mark.parametrize("way", ["menu", "drop", "recent", "sample"])
def test_the_ticked_box_does_not_count_when_it_is_out_of_sight(
    desk: Desk, sample_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    other = fill(tmp_path / "other", {"x.md": "## a\n\ntext\n"})
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(other))
    desk.open(other)
    desk.keys("Ctrl+Shift+W")
    tick_read_only(desk)
    drop(desk.window.welcome, sample_store)
    assert desk.app.documents.read_only_store
    sample_action = next(a for a in desk.window.actions() if "sample" in a.text())
    recent = next(a for a in desk.window.menus.recent_menu.actions() if a.text() == str(other))
    ways: dict[str, Callable[[], object]] = {
        "menu": lambda: desk.keys("Ctrl+O"),
        "drop": lambda: drop(desk.window, other),
        "recent": recent.trigger,
        "sample": sample_action.trigger,
    }
    ways[way]()
    desk.settle()
    assert store_name(desk) == ("sample memory" if way == "sample" else "other")
    assert not desk.app.documents.read_only_store


def test_the_command_line_opens_the_sample_as_it_opens_a_folder(desk: Desk) -> None:
    options = parse_arguments(["--sample", "--read-only", "--item", "people:mei", "--query", "deploy"])
    open_first(desk.app, options)
    desk.until(lambda: desk.app.documents.current)
    assert desk.address == "people:mei"
    assert desk.newest_run().request.query == "deploy"
    assert desk.app.documents.read_only_store


@pytest.mark.parametrize("kind", ["missing", "file"])
def test_what_is_no_folder_is_said_and_the_page_stays(desk: Desk, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "nothing"
    if kind == "file":
        path.write_text("text")
    drop(desk.window.welcome, path)
    assert shows_welcome(desk)
    assert desk.app.notices.current is not None
    assert desk.app.notices.current.level is Level.ERROR
    assert "nothing" in desk.notice()
    assert not desk.window.welcome.recent.count()


def test_what_is_no_folder_leaves_the_open_memory_open(sample: Desk, tmp_path: Path) -> None:
    drop(sample.window, tmp_path / "nothing")
    sample.settle()
    assert store_name(sample) == "sample"
    assert "nothing" in sample.notice()


@pytest.mark.parametrize("way", ["click", "enter"])
def test_recent_memories_are_listed_newest_first_and_open(
    desk: Desk, sample_store: Path, tmp_path: Path, way: str
) -> None:
    other = fill(tmp_path / "other", {"x.md": "## a\n\ntext\n"})
    desk.open(sample_store)
    desk.open(other)
    desk.keys("Ctrl+Shift+W")
    recent = desk.window.welcome.recent
    paths = [recent.item(row).data(Qt.ItemDataRole.UserRole) for row in range(recent.count())]
    assert paths == [str(other), str(sample_store)]
    if way == "click":
        desk.click(recent, recent.model().index(1, 0))
    else:
        recent.setCurrentRow(1)
        desk.key(recent, Qt.Key.Key_Return)
    desk.settle()
    assert store_name(desk) == "sample"


def test_a_memory_opens_again_as_it_was_left(desk: Desk, sample_store: Path) -> None:
    desk.open(sample_store)
    desk.open_item("people:mei")
    desk.run("deploy checklist", limit=7, budget=90, links=False, tokenizer="bigrams")
    desk.app.tree.expand(["people", "work"])
    desk.keys("Ctrl+Shift+W")
    desk.open(sample_store)
    assert desk.address == "people:mei"
    run = desk.newest_run()
    parameters = run.request.parameters
    assert run.request.query == desk.app.panel.query_box.text() == "deploy checklist"
    assert (parameters.limit, parameters.budget, parameters.links, parameters.tokenizer) == (7, 90, False, "bigrams")
    assert desk.app.tree.expanded == ["people", "work"]


def test_item_and_query_of_the_command_line_are_shown(desk: Desk, sample_store: Path) -> None:
    desk.open(sample_store, item="people:mei", query="deploy")
    assert desk.address == "people:mei"
    assert desk.newest_run().request.query == "deploy"


@pytest.mark.parametrize("address", ["people:nobody", "nobody", "people:"])
def test_an_item_of_the_command_line_that_does_not_exist_is_said(desk: Desk, sample_store: Path, address: str) -> None:
    desk.open(sample_store, item=address)
    assert address in desk.notice()


@pytest.mark.skipif(sys.platform == "win32", reason="no colon in a file's name")
def test_an_item_whose_file_has_a_colon_is_opened_again_and_by_the_command_line(desk: Desk, tmp_path: Path) -> None:
    root = fill(tmp_path / "store", {"a:b.md": "## c\n\ntext\n", "x.md": "## d\n\n## e\n"})
    desk.open(root, item="a:b:c")
    assert (desk.buffer.place.category, desk.buffer.place.name) == ("a:b", "c")
    desk.keys("Ctrl+Shift+W")
    desk.open(root)
    assert (desk.buffer.place.category, desk.buffer.place.name) == ("a:b", "c")
    assert desk.app.notices.current is None


def test_the_state_is_written_when_the_application_ends(desk: Desk, sample_store: Path) -> None:
    desk.open(sample_store)
    desk.open_item("people:mei")
    desk.quit()
    state = json.loads(find_places().state_file.read_text(encoding="utf-8"))
    assert state["recent"] == [str(sample_store)]
    assert state["stores"][str(sample_store)]["item"] == "people:mei"
