"""The window: header, docks, menus, and what closing asks."""

from __future__ import annotations

import sys
from collections.abc import Callable

from PySide6.QtCore import QByteArray, QEvent, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QCloseEvent, QDragEnterEvent, QDropEvent, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QMenu,
    QMenuBar,
    QMessageBox,
    QPushButton,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from wikimem_desktop.presentation.document import Documents
from wikimem_desktop.presentation.library import Library
from wikimem_desktop.presentation.saver import Saver
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.text_actions import TextActions
from wikimem_desktop.widgets.theme import Theme
from wikimem_desktop.widgets.welcome import WelcomePage

_SIZE = QSize(1440, 900)
_REPLACE_KEYS = "Ctrl+Alt+F" if sys.platform == "darwin" else "Ctrl+H"  # Cmd+H hides the application
_TREE_WIDTH, _PLAYGROUND_WIDTH, _PROBLEMS_HEIGHT = 250, 480, 170


class MainWindow(QMainWindow):
    """Everything a person sees. The parts come from outside; this class only arranges them.

    Signals:
        folder_wanted, sample_wanted: wishes of the welcome page and the File menu.
        store_chosen: path of a folder, as text.
        theme_chosen: "system", "light" or "dark".
        drafts_wanted: the person wants to see what was given up.
        store_close_requested: the person wants to go back to the welcome page.
        close_requested: the person wants to leave; whoever agrees calls `leave()`.
    """

    folder_wanted = Signal()
    sample_wanted = Signal()
    store_chosen = Signal(str)
    theme_chosen = Signal(str)
    drafts_wanted = Signal()
    store_close_requested = Signal()
    close_requested = Signal()

    def __init__(
        self, library: Library, documents: Documents, saver: Saver, theme: Theme, parts: dict[str, QWidget]
    ) -> None:
        super().__init__()
        self.setWindowTitle(self.tr("WikiMem Desktop"))
        self.setMinimumSize(760, 480)
        self.resize(_SIZE)
        self.setAcceptDrops(True)
        self._library = library
        self._documents = documents
        self._saver = saver
        self._theme = theme
        self._leaving = False
        self._had_store = False
        self._after_saving: Callable[[], object] | None = None
        self.welcome = WelcomePage(theme)
        self._center = QStackedWidget()
        self._center.addWidget(self.welcome)
        self._center.addWidget(parts["item"])
        self._build_header()
        top = QWidget()
        column = QVBoxLayout(top)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._center, 1)
        self.setCentralWidget(top)
        self._build_docks(parts)
        self._build_frame(parts)
        self._build_menus()
        self._connect()
        self._on_store_changed()

    def _build_header(self) -> None:
        self._header = styled(QWidget(), "header")
        self._header.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.back_button = QToolButton()
        self.forward_button = QToolButton()
        self.store_button = styled(QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup), "storeName")
        self.store_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.store_button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.store_menu = QMenu(self)
        self.store_button.setMenu(self.store_menu)
        self.go_to_button = styled(QPushButton(), "goTo")
        self.go_to_button.setMinimumWidth(270)
        row = QHBoxLayout(self._header)
        row.setContentsMargins(8, 6, 14, 6)
        row.setSpacing(2)
        for widget in (self.back_button, self.forward_button, self.store_button):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.go_to_button)

    def _build_docks(self, parts: dict[str, QWidget]) -> None:
        area = Qt.DockWidgetArea
        self._captions: dict[str, QLabel] = {}
        self.docks = {
            "memory": self._dock("memory", self.tr("Memory"), parts["memory"], area.LeftDockWidgetArea),
            "playground": self._dock(
                "playground", self.tr("Playground"), parts["playground"], area.RightDockWidgetArea
            ),
            "problems": self._dock("problems", self.tr("Problems"), parts["problems"], area.BottomDockWidgetArea),
        }
        self.setCorner(Qt.Corner.BottomRightCorner, area.RightDockWidgetArea)
        self.setCorner(Qt.Corner.BottomLeftCorner, area.LeftDockWidgetArea)
        self.resizeDocks(
            [self.docks["memory"], self.docks["playground"]],
            [_TREE_WIDTH, _PLAYGROUND_WIDTH],
            Qt.Orientation.Horizontal,
        )
        self.resizeDocks([self.docks["problems"]], [_PROBLEMS_HEIGHT], Qt.Orientation.Vertical)

    def _dock(self, name: str, title: str, widget: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self)
        dock.setObjectName(name)
        dock.setWidget(widget)
        caption = styled(QLabel(title.upper()), "caption", minimumHeight=22)
        bar = QWidget()
        row = QHBoxLayout(bar)
        row.setContentsMargins(14, 7, 10, 1)
        row.addWidget(caption, 1)
        dock.setTitleBarWidget(bar)
        self._captions[name] = caption
        self.addDockWidget(area, dock)
        return dock

    def _build_frame(self, parts: dict[str, QWidget]) -> None:
        """Menu bar, header and notices above everything, the status bar below."""
        frame = QWidget()
        column = QVBoxLayout(frame)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        # Our own: QMainWindow deletes the menu bar it made when it gets another menu widget.
        self._menu_bar = QMenuBar()
        column.addWidget(self._menu_bar)
        column.addWidget(self._header)
        column.addWidget(parts["notices"])
        self.setMenuWidget(frame)
        status = self.statusBar()
        status.setSizeGripEnabled(False)
        status.setContentsMargins(0, 0, 0, 0)
        status.addPermanentWidget(parts["status"], 1)

    def _build_menus(self) -> None:
        file = self._menu_bar.addMenu(self.tr("&File"))
        self.open_action = self._add(
            file, self.tr("&Open a memory folder…"), self.folder_wanted.emit, QKeySequence.StandardKey.Open
        )
        self._add(file, self.tr("Open the &sample memory"), self.sample_wanted.emit)
        self.recent_menu = file.addMenu(self.tr("Open &recent"))
        file.addSeparator()
        self.save_action = self._add(file, self.tr("&Save"), self._saver.save, QKeySequence.StandardKey.Save)
        self.save_all_action = self._add(file, self.tr("Save a&ll"), self._saver.save_all, "Ctrl+Shift+S")
        self.copy_action = self._add(file, self.tr("Save a cop&y…"), None)
        self.autosave_action = self._add(file, self.tr("Save a&utomatically"), None)
        self.autosave_action.setCheckable(True)
        self.autosave_action.setToolTip(self.tr("Save a moment after the last key"))
        self.drafts_action = self._add(file, self.tr("&Drafts…"), self.drafts_wanted.emit)
        file.addSeparator()
        self.close_store_action = self._add(file, self.tr("&Close this memory"), self._close_store, "Ctrl+Shift+W")
        self._add(file, self.tr("&Quit"), self.close, QKeySequence.StandardKey.Quit)
        self.edit_menu = self._menu_bar.addMenu(self.tr("&Edit"))
        self._build_edit_menu(self.edit_menu)
        view = self._menu_bar.addMenu(self.tr("&View"))
        for dock in self.docks.values():
            view.addAction(dock.toggleViewAction())
        view.addSeparator()
        self.text_actions = TextActions(view)
        self.addActions(self.text_actions.all)
        view.addSeparator()
        self._build_theme_menu(view.addMenu(self.tr("&Theme")))
        self.go_menu = go = self._menu_bar.addMenu(self.tr("&Go"))
        self.back_action = self._add(go, self.tr("&Back"), self._documents.go_back, QKeySequence.StandardKey.Back)
        self.forward_action = self._add(
            go, self.tr("&Forward"), self._documents.go_forward, QKeySequence.StandardKey.Forward
        )
        go.addSeparator()
        self.filter_action = self._add(go, self.tr("F&ind an item in the tree"), None, "Ctrl+P")
        self.query_action = self._add(go, self.tr("&Query box"), None, "Ctrl+L")
        self.text_action = self._add(go, self.tr("Item &text"), None, "Ctrl+Shift+E")
        self.problems_action = self._add(go, self.tr("&Problems"), None, "Ctrl+Shift+M")
        self.memory_menu = self._menu_bar.addMenu(self.tr("&Memory"))
        playground = self._menu_bar.addMenu(self.tr("&Playground"))
        self.run_action = self._add(playground, self.tr("&Run again"), None, "Ctrl+R")
        self.rebuild_action = self._add(playground, self.tr("Re&build the index"), self._library.rebuild)
        for button, action in ((self.back_button, self.back_action), (self.forward_button, self.forward_action)):
            button.clicked.connect(action.trigger)
        keys = self.filter_action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self.go_to_button.setText("  " + self.tr("Find an item") + f"    {keys}")
        self.go_to_button.clicked.connect(self.filter_action.trigger)

    def _build_edit_menu(self, menu: QMenu) -> None:
        keys = QKeySequence.StandardKey
        for text, what, key in (
            (self.tr("Cu&t"), "cut", keys.Cut),
            (self.tr("&Copy"), "copy", keys.Copy),
            (self.tr("&Paste"), "paste", keys.Paste),
        ):
            self._add(menu, text, self._on_edit_wanted, key).setData(what)
        menu.addSeparator()
        self.find_action = self._add(menu, self.tr("&Find…"), None, keys.Find)
        self.find_next_action = self._add(menu, self.tr("Find &next"), None, keys.FindNext)
        self.find_previous_action = self._add(menu, self.tr("Find pre&vious"), None, keys.FindPrevious)
        self.replace_action = self._add(menu, self.tr("&Replace…"), None, _REPLACE_KEYS)

    def _add(
        self,
        menu: QMenu,
        text: str,
        slot: Callable[[], object] | None,
        keys: QKeySequence.StandardKey | str | None = None,
    ) -> QAction:
        action = menu.addAction(text)
        if keys is not None:
            action.setShortcut(QKeySequence(keys))
        if slot is not None:
            action.triggered.connect(slot)
        self.addAction(action)
        return action

    def _build_theme_menu(self, menu: QMenu) -> None:
        self._themes = QActionGroup(self)
        for key, text in (("system", self.tr("&System")), ("light", self.tr("&Light")), ("dark", self.tr("&Dark"))):
            action = menu.addAction(text)
            action.setCheckable(True)
            action.setData(key)
            self._themes.addAction(action)
        self._themes.triggered.connect(self._on_theme_chosen)

    def _connect(self) -> None:
        self.welcome.folder_wanted.connect(self.folder_wanted)
        self.welcome.sample_wanted.connect(self.sample_wanted)
        self.welcome.store_chosen.connect(self.store_chosen)
        self._library.store_changed.connect(self._on_store_changed)
        self._documents.state_changed.connect(self._on_document_changed)
        self._documents.history_changed.connect(self._on_document_changed)
        self._saver.saved.connect(self._on_saved)
        self._saver.failed.connect(self._on_save_failed)
        self._theme.changed.connect(self._set_icons)
        self._set_icons()

    def add_to_caption(self, dock: str, button: QWidget) -> None:
        """Put a button at the right end of a pane's caption."""
        bar = self.docks[dock].titleBarWidget()
        layout = bar.layout()
        assert layout is not None
        layout.addWidget(button)

    # ------------------------------------------------------------ what the state says

    @property
    def read_only_wanted(self) -> bool:
        """Whether what is opened now is to be read-only: the welcome page's box counts as long as it is on show."""
        return self._library.store is None and self.welcome.read_only.isChecked()

    def show_theme(self, choice: str) -> None:
        for action in self._themes.actions():
            action.setChecked(action.data() == choice)

    def show_problem_count(self, count: int) -> None:
        title = self.tr("Problems").upper()
        self._captions["problems"].setText(f"{title}  {count}" if count else title)

    def show_recent(self, paths: list[str]) -> None:
        self.welcome.show_recent(paths)
        for menu in (self.recent_menu, self.store_menu):
            menu.clear()
            for path in paths:
                action = menu.addAction(path)
                action.setData(path)
                action.triggered.connect(self._on_recent_chosen)
        self.recent_menu.setEnabled(bool(paths))
        self.store_menu.addSeparator()
        # A new action each time: clear() deletes what the menu shows, shared actions included.
        self.store_menu.addAction(self.open_action.text()).triggered.connect(self.folder_wanted)

    @Slot()
    def _on_store_changed(self) -> None:
        store = self._library.store
        has_store = store is not None
        self._center.setCurrentIndex(int(has_store))
        self._header.setVisible(has_store)
        self.statusBar().setVisible(has_store)
        if has_store != self._had_store or not has_store:
            for dock in self.docks.values():
                dock.setVisible(has_store)
        self._had_store = has_store
        for action in (
            self.close_store_action, self.filter_action, self.query_action, self.text_action, self.run_action,
            self.rebuild_action, self.problems_action, self.find_action, self.find_next_action,
            self.find_previous_action, self.replace_action,
        ):  # fmt: skip
            action.setEnabled(has_store)
        if store is not None:
            self.store_button.setText(store.root.name or str(store.root))
            self.store_button.setToolTip(str(store.root))
            self.store_button.setAccessibleName(self.tr("Memory {0}").format(store.root.name))
        self._on_document_changed()

    @Slot()
    def _on_document_changed(self) -> None:
        current = self._documents.current
        self.save_action.setEnabled(self._documents.can_save)
        self.copy_action.setEnabled(current is not None)
        some = bool(self._documents.unsaved) and not self._documents.read_only_store
        self.save_all_action.setEnabled(some or self._documents.can_save)
        for button, action, can in (
            (self.back_button, self.back_action, self._documents.trail.can_go_back),
            (self.forward_button, self.forward_action, self._documents.trail.can_go_forward),
        ):
            button.setEnabled(can)
            action.setEnabled(can)
        store = self._library.store
        name = store.root.name if store else ""
        parts = [current.place.address] if current else []
        self.setWindowTitle(" – ".join([*parts, *([name] if name else []), self.tr("WikiMem Desktop")]) + "[*]")
        self.setWindowModified(bool(self._documents.unsaved))

    @Slot()
    def _set_icons(self) -> None:
        self.back_button.setIcon(self._theme.icon("chevron-left"))
        self.forward_button.setIcon(self._theme.icon("chevron-right"))
        self.store_button.setIcon(self._theme.icon("chevron-down"))
        self.go_to_button.setIcon(self._theme.icon("search"))
        for button, text in ((self.back_button, self.tr("Back")), (self.forward_button, self.tr("Forward"))):
            button.setToolTip(text)
            button.setAccessibleName(text)

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

    def changeEvent(self, event: QEvent) -> None:
        """Whoever comes back may have edited the files elsewhere; not every such change is told."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self._library.look()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _dropped_folder(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        folder = _dropped_folder(event)
        if folder:
            event.acceptProposedAction()
            self.store_chosen.emit(folder)

    # ------------------------------------------------------------ leaving

    def when_nothing_is_lost(self, then: Callable[[], object]) -> None:
        """Do something that drops the open texts: at once, or after the person saved or gave up what is unsaved."""
        self._documents.leaving.emit()
        unsaved = self._documents.unsaved
        if not unsaved:
            then()
            return
        box = QMessageBox(self)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle(self.tr("Unsaved text"))
        box.setText(self.tr("%n item(s) hold text that is not saved.", None, len(unsaved)))
        box.setInformativeText("\n".join(unsaved[:8]) + ("\n…" if len(unsaved) > 8 else ""))
        save = box.addButton(self.tr("Save all"), QMessageBox.ButtonRole.AcceptRole)
        discard = box.addButton(self.tr("Discard"), QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(save)
        save.setEnabled(not self._documents.read_only_store)
        box.exec()
        clicked = box.clickedButton()
        box.deleteLater()
        if clicked is discard:
            self._documents.discard_all()
            then()
        elif clicked is save:
            self._after_saving = then
            self._saver.save_all()

    @Slot(str)
    def _on_saved(self, address: str) -> None:
        if self._after_saving is not None and not self._saver.busy:
            then, self._after_saving = self._after_saving, None
            # When everyone has heard of the saved text; someone may have typed on meanwhile.
            QTimer.singleShot(0, lambda: self.when_nothing_is_lost(then))

    @Slot(str)
    def _on_save_failed(self, address: str) -> None:
        self._after_saving = None

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing is a wish; the application agrees by `leave()` once its threads are told."""
        if self._leaving:
            event.accept()
            return
        event.ignore()
        self.when_nothing_is_lost(self.close_requested.emit)

    def leave(self) -> None:
        self._leaving = True
        self.close()

    @Slot()
    def _close_store(self) -> None:
        self.when_nothing_is_lost(self.store_close_requested.emit)

    def restore_layout(self, geometry: str, layout: str) -> None:
        """As `saved_layout` gave them; nonsense is ignored."""
        self.restoreGeometry(QByteArray.fromBase64(geometry.encode()))
        self.restoreState(QByteArray.fromBase64(layout.encode()))
        if not self._had_store:
            for dock in self.docks.values():
                dock.hide()

    def saved_layout(self) -> tuple[str, str]:
        geometry, layout = self.saveGeometry().toBase64().data(), self.saveState().toBase64().data()
        return bytes(geometry).decode(), bytes(layout).decode()


def _dropped_folder(event: QDropEvent) -> str:
    """The local path that is dragged, or nothing."""
    urls = event.mimeData().urls()
    return urls[0].toLocalFile() if len(urls) == 1 else ""
