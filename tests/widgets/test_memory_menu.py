"""The Memory menu and the context menu of the tree: what they offer on which row, and their dialogs."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QPoint, Qt, QUrl, Slot
from PySide6.QtGui import QContextMenuEvent, QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenuBar

from tests.engine.folders import fill
from tests.presentation.house import edit_outside
from tests.widgets.desk import Desk, dialog
from tests.widgets.small_memory import (
    STORE,
    files,
    select,
    settle,
)
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.widgets.naming import NamingDialog, NewItemDialog
from wikimem_desktop.widgets.removal import RemovalDialog


def test_the_memory_menu_stands_between_going_and_playing(notes: Desk) -> None:
    bar = notes.window.findChild(QMenuBar)
    assert isinstance(bar, QMenuBar)
    titles = [action.text().replace("&", "") for action in bar.actions()]
    assert titles[titles.index("Go") :][:3] == ["Go", "Memory", "Playground"]
    entries = [action.text().replace("&", "") for action in notes.window.menus.memory.actions() if action.text()]
    assert entries[:3] == ["New item…", "New category…", "Add a diary entry…"]
    assert entries[3:6] == ["Rename…", "Move to category…", "Delete"]


def test_the_dialogs_can_be_used_by_keys_and_say_what_their_fields_are(notes: Desk) -> None:
    notes.keys("Ctrl+N")
    shown = dialog(NewItemDialog)
    assert (shown.category.accessibleName(), shown.name.accessibleName()) == ("Category", "Name")
    notes.type(shown.name, "x")
    seen = []
    for _ in range(4):
        focused = shown.focusWidget()
        seen.append(focused)
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    assert seen == [shown.name, shown.agree, shown.cancel, shown.category]
    shown.reject()
    select(notes, "prefs", "sea")
    notes.keys("Del")
    asked = dialog(RemovalDialog)
    assert asked.focusWidget() is asked.delete
    QTest.keyClick(asked.delete, Qt.Key.Key_Escape)
    assert not asked.isVisible()


class FileManager(QObject):
    """Opens folders in place of the system's."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.opened.append(url.toLocalFile())


def test_what_can_be_done_depends_on_what_is_selected(notes: Desk) -> None:
    actions = notes.app.memory_actions

    def possible() -> list[bool]:
        things = (actions.new_item, actions.new_category, actions.rename, actions.delete, actions.copy_link)
        return [action.isEnabled() for action in (*things, actions.reveal)]

    assert possible() == [True, True, False, False, False, False]
    notes.open_item("prefs:tea")
    assert possible() == [True, True, True, True, True, True]
    select(notes, "prefs")
    assert possible() == [True, True, True, True, False, True]
    notes.app.panel.query_box.setFocus()
    assert possible() == [True, True, True, True, True, True]
    notes.app.documents.open(Place("shadowed", "twice", "a", 0))
    assert possible() == [True, True, True, True, False, True]


def test_a_link_is_copied_and_the_folder_shown(notes: Desk) -> None:
    manager, actions = FileManager(), notes.app.memory_actions
    QDesktopServices.setUrlHandler("file", manager, "open")  # type: ignore[arg-type]  # PySide refuses bytes
    select(notes, "prefs", "tea")
    actions.copy_link.trigger()
    assert QGuiApplication.clipboard().text() == "[[prefs:tea]]"
    actions.reveal.trigger()
    QDesktopServices.unsetUrlHandler("file")
    assert manager.opened == [str(notes.path("prefs").parent)]


@pytest.mark.parametrize("reason", [QContextMenuEvent.Reason.Mouse, QContextMenuEvent.Reason.Keyboard])
def test_the_tree_has_a_context_menu(notes: Desk, reason: QContextMenuEvent.Reason) -> None:
    select(notes, "prefs", "tea")
    view = notes.app.tree.tree
    place = view.visualRect(view.currentIndex()).center()
    QApplication.sendEvent(view.viewport(), QContextMenuEvent(reason, place, view.viewport().mapToGlobal(place)))
    menu = notes.app.memory_actions.context_menu
    assert menu.isVisible()
    menu.close()
    notes.app.memory_actions.rename.trigger()
    assert dialog(NamingDialog).typed == "tea"
    dialog(NamingDialog).reject()


def test_below_the_rows_only_new_things_can_be_made(notes: Desk) -> None:
    select(notes, "prefs", "tea")
    view = notes.app.tree.tree
    place = QPoint(20, view.viewport().height() - 2)
    assert not view.indexAt(place).isValid()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, view.viewport().mapToGlobal(place))
    QApplication.sendEvent(view.viewport(), event)
    actions = notes.app.memory_actions
    assert actions.context_menu.isVisible()
    assert (actions.new_item.isEnabled(), actions.rename.isEnabled(), actions.delete.isEnabled()) == (
        True,
        False,
        False,
    )
    actions.context_menu.close()


def test_a_read_only_memory_offers_no_change(desk: Desk, tmp_path: Path) -> None:
    desk.open(fill(tmp_path / "store", STORE), read_only=True)
    before = files(desk)
    select(desk, "plans", "walk")
    actions = desk.app.memory_actions
    for action in (actions.new_item, actions.new_category, actions.rename, actions.delete):
        assert not action.isEnabled()
    assert not actions.new_button.isEnabled()
    assert actions.copy_link.isEnabled()
    for keys in ("Del", "F2", "Ctrl+N", "Ctrl+Shift+N"):
        desk.keys(keys)
        assert QApplication.activeModalWidget() is None
    desk.app.documents.open(Place("shadowed", "twice", "a", 0))
    assert desk.app.item_view.note_bar.isVisible()
    assert not desk.app.item_view.note_bar.rename.isVisible()
    settle(desk)
    assert files(desk) == before


def test_a_selected_category_stays_selected_when_others_write(notes: Desk) -> None:
    notes.open_item("prefs:tea")
    select(notes, "plans")
    edit_outside(notes.path("prefs"), "green", "black")
    notes.follow_disk()
    assert notes.app.tree.selected == Place("category", "plans")
    assert notes.address == "prefs:tea"
