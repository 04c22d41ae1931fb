"""The menu bar: every command a person can give, by name and by key."""

from __future__ import annotations

import sys
from collections.abc import Callable

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QMenuBar

from wikimem_desktop.widgets.docks import Docks
from wikimem_desktop.widgets.text_actions import TextActions

_REPLACE_KEYS = "Ctrl+Alt+F" if sys.platform == "darwin" else "Ctrl+H"  # Cmd+H hides the application
_Keys = QKeySequence.StandardKey


class Menus(QMenuBar):
    """Actions without a slot are connected by whoever carries them out.

    Signals:
        store_chosen: path of a folder, as text.
        theme_chosen: "system", "light" or "dark".
    """

    store_chosen = Signal(str)
    theme_chosen = Signal(str)

    def __init__(self, window: QMainWindow, docks: Docks) -> None:
        super().__init__()
        self._window = window
        self._in_store: list[QAction] = []
        self.file = self.addMenu(self.tr("&File"))
        self.edit = self.addMenu(self.tr("&Edit"))
        self.view = self.addMenu(self.tr("&View"))
        self.go = self.addMenu(self.tr("&Go"))
        self.memory = self.addMenu(self.tr("&Memory"))
        self.playground = self.addMenu(self.tr("&Playground"))
        self._build_file()
        self._build_edit()
        docks.fill(self.view)
        self.view.addSeparator()
        self.text_actions = TextActions(self.view)
        window.addActions(self.text_actions.all)
        self.view.addSeparator()
        self._build_theme(self.view.addMenu(self.tr("&Theme")))
        self._build_go()
        self.run_action = self.add(self.playground, self.tr("&Run again"), "Ctrl+R", in_store=True)
        self.rebuild_action = self.add(self.playground, self.tr("Re&build the index"), in_store=True)
        self.help = self.addMenu(self.tr("&Help"))
        self.keys_action = self.add(self.help, self.tr("All &keys"), _Keys.HelpContents)

    def add(
        self,
        menu: QMenu,
        text: str,
        keys: QKeySequence.StandardKey | str | None = None,
        slot: Callable[[], object] | None = None,
        *,
        in_store: bool = False,
    ) -> QAction:
        """A command more at the end of a menu; `in_store`: possible only while a memory is open."""
        action = menu.addAction(text)
        if keys is not None:
            action.setShortcut(QKeySequence(keys))
        if slot is not None:
            action.triggered.connect(slot)
        if in_store:
            self._in_store.append(action)
        self._window.addAction(action)
        return action

    def _build_file(self) -> None:
        menu = self.file
        self.open_action = self.add(menu, self.tr("&Open a memory folder…"), _Keys.Open)
        self.sample_action = self.add(menu, self.tr("Open the &sample memory"))
        self.recent_menu = menu.addMenu(self.tr("Open &recent"))
        menu.addSeparator()
        self.save_action = self.add(menu, self.tr("&Save"), _Keys.Save)
        self.save_all_action = self.add(menu, self.tr("Save a&ll"), "Ctrl+Shift+S")
        self.copy_action = self.add(menu, self.tr("Save a cop&y…"))
        self.autosave_action = self.add(menu, self.tr("Save a&utomatically"))
        self.autosave_action.setCheckable(True)
        self.autosave_action.setToolTip(self.tr("Save a moment after the last key"))
        self.drafts_action = self.add(menu, self.tr("&Drafts…"))
        menu.addSeparator()
        self.close_store_action = self.add(menu, self.tr("&Close this memory"), "Ctrl+Shift+W", in_store=True)
        self.quit_action = self.add(menu, self.tr("&Quit"), _Keys.Quit)

    def _build_edit(self) -> None:
        menu = self.edit
        for text, what, key in (
            (self.tr("Cu&t"), "cut", _Keys.Cut),
            (self.tr("&Copy"), "copy", _Keys.Copy),
            (self.tr("&Paste"), "paste", _Keys.Paste),
        ):
            self.add(menu, text, key, self._on_edit_wanted).setData(what)
        menu.addSeparator()
        self.find_action = self.add(menu, self.tr("&Find…"), _Keys.Find, in_store=True)
        self.find_next_action = self.add(menu, self.tr("Find &next"), _Keys.FindNext, in_store=True)
        self.find_previous_action = self.add(menu, self.tr("Find pre&vious"), _Keys.FindPrevious, in_store=True)
        self.replace_action = self.add(menu, self.tr("&Replace…"), _REPLACE_KEYS, in_store=True)
        self.find_in_store_action = self.add(menu, self.tr("Find in &store…"), "Ctrl+Shift+F", in_store=True)
        self.replace_in_store_action = self.add(menu, self.tr("Replace in s&tore…"), "Ctrl+Shift+H", in_store=True)

    def _build_theme(self, menu: QMenu) -> None:
        self._themes = QActionGroup(self)
        for key, text in (("system", self.tr("&System")), ("light", self.tr("&Light")), ("dark", self.tr("&Dark"))):
            action = menu.addAction(text)
            action.setCheckable(True)
            action.setData(key)
            self._themes.addAction(action)
        self._themes.triggered.connect(self._on_theme_chosen)

    def _build_go(self) -> None:
        menu = self.go
        self.back_action = self.add(menu, self.tr("&Back"), _Keys.Back)
        self.forward_action = self.add(menu, self.tr("&Forward"), _Keys.Forward)
        menu.addSeparator()
        self.go_to_action = self.add(menu, self.tr("&Go to item…"), "Ctrl+P", in_store=True)
        self.commands_action = self.add(menu, self.tr("All &commands…"), "Ctrl+Shift+P")
        menu.addSeparator()
        self.filter_action = self.add(menu, self.tr("F&ilter the tree"), "Ctrl+Shift+L", in_store=True)
        self.query_action = self.add(menu, self.tr("&Query box"), "Ctrl+L", in_store=True)
        self.text_action = self.add(menu, self.tr("Item &text"), "Ctrl+Shift+E", in_store=True)
        self.bar_action = self.add(menu, self.tr("Bar abo&ve the text"), "Ctrl+Shift+B", in_store=True)
        self.problems_action = self.add(menu, self.tr("&Problems"), "Ctrl+Shift+M", in_store=True)

    def needs_store(self, action: QAction) -> bool:
        """Whether a command is possible only while a memory is open."""
        return action in self._in_store

    # ------------------------------------------------------------ what the state says

    def show_store(self, *, is_open: bool) -> None:
        for action in self._in_store:
            action.setEnabled(is_open)

    def show_theme(self, choice: str) -> None:
        for action in self._themes.actions():
            action.setChecked(action.data() == choice)

    def show_recent(self, paths: list[str], *menus: QMenu) -> None:
        """The folders opened lately, in the File menu and in others."""
        for menu in (self.recent_menu, *menus):
            menu.clear()
            for path in paths:
                action = menu.addAction(path)
                action.setData(path)
                action.triggered.connect(self._on_recent_chosen)
        self.recent_menu.setEnabled(bool(paths))

    @Slot()
    def _on_recent_chosen(self) -> None:
        action = self.sender()
        assert isinstance(action, QAction)
        self.store_chosen.emit(action.data())

    @Slot()
    def _on_edit_wanted(self) -> None:
        """Cut, copy or paste where the focus is, if that is possible there."""
        action = self.sender()
        assert isinstance(action, QAction)
        act = getattr(QApplication.focusWidget(), action.data(), None)
        if act is not None:
            act()

    @Slot(QAction)
    def _on_theme_chosen(self, action: QAction) -> None:
        self.theme_chosen.emit(action.data())
