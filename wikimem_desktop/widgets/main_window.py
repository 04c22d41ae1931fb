"""The window: header, docks, menus, and what closing asks."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QByteArray, QEvent, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeySequence
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMainWindow,
    QMenu,
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
from wikimem_desktop.widgets.context_menu_key import add_context_menu_key
from wikimem_desktop.widgets.docks import Docks
from wikimem_desktop.widgets.menus import Menus
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme
from wikimem_desktop.widgets.welcome import WelcomePage

_SIZE = QSize(1440, 900)


class MainWindow(QMainWindow):
    """Everything a person sees. The parts come from outside; this class only arranges them.

    Signals:
        folder_wanted, sample_wanted: wishes of the welcome page and the File menu.
        store_chosen: path of a folder, as text.
        store_close_requested: the person wants to go back to the welcome page.
        close_requested: the person wants to leave; whoever agrees calls `leave()`.
    """

    folder_wanted = Signal()
    sample_wanted = Signal()
    store_chosen = Signal(str)
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
        add_context_menu_key(self)
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
        self.docks = Docks(self, parts)
        # Our own: QMainWindow deletes the menu bar it made when it gets another menu widget.
        self.menus = Menus(self, self.docks)
        self._build_frame(parts)
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

    def _build_frame(self, parts: dict[str, QWidget]) -> None:
        """Menu bar, header and notices above everything, the status bar below."""
        frame = QWidget()
        column = QVBoxLayout(frame)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.menus)
        column.addWidget(self._header)
        column.addWidget(parts["notices"])
        self.setMenuWidget(frame)
        status = self.statusBar()
        status.setSizeGripEnabled(False)
        status.setContentsMargins(0, 0, 0, 0)
        status.addPermanentWidget(parts["status"], 1)

    def _connect(self) -> None:
        menus, documents = self.menus, self._documents
        for source in (self.welcome.folder_wanted, menus.open_action.triggered):
            source.connect(self.folder_wanted)
        for source in (self.welcome.sample_wanted, menus.sample_action.triggered):
            source.connect(self.sample_wanted)
        for source in (self.welcome.store_chosen, menus.store_chosen):
            source.connect(self.store_chosen)
        menus.save_action.triggered.connect(self._saver.save)
        menus.save_all_action.triggered.connect(self._saver.save_all)
        menus.close_store_action.triggered.connect(self._close_store)
        menus.quit_action.triggered.connect(self.close)
        menus.rebuild_action.triggered.connect(self._library.rebuild)
        buttons = ((self.back_button, menus.back_action), (self.forward_button, menus.forward_action))
        for (button, action), go in zip(buttons, (documents.go_back, documents.go_forward), strict=True):
            action.triggered.connect(go)
            button.clicked.connect(action.trigger)
        keys = menus.go_to_action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self.go_to_button.setText("  " + self.tr("Go to item") + f"    {keys}")
        self.go_to_button.clicked.connect(menus.go_to_action.trigger)
        self._library.store_changed.connect(self._on_store_changed)
        self._documents.state_changed.connect(self._on_document_changed)
        self._documents.history_changed.connect(self._on_document_changed)
        self._saver.saved.connect(self._on_saved)
        self._saver.failed.connect(self._on_save_failed)
        self._theme.changed.connect(self._set_icons)
        self._set_icons()

    # ------------------------------------------------------------ what the state says

    @property
    def read_only_wanted(self) -> bool:
        """Whether what is opened now is to be read-only: the welcome page's box counts as long as it is on show."""
        return self._library.store is None and self.welcome.read_only.isChecked()

    def show_recent(self, paths: list[str]) -> None:
        self.welcome.show_recent(paths)
        self.menus.show_recent(paths, self.store_menu)
        self.store_menu.addSeparator()
        # A new action each time: clear() deletes what the menu shows, shared actions included.
        self.store_menu.addAction(self.menus.open_action.text()).triggered.connect(self.folder_wanted)

    @Slot()
    def _on_store_changed(self) -> None:
        store = self._library.store
        has_store = store is not None
        self._center.setCurrentIndex(int(has_store))
        self._header.setVisible(has_store)
        self.statusBar().setVisible(has_store)
        if has_store != self._had_store or not has_store:
            self.docks.show_all(has_store)
        self._had_store = has_store
        self.menus.show_store(is_open=has_store)
        if store is not None:
            self.store_button.setText(store.root.name or str(store.root))
            self.store_button.setToolTip(str(store.root))
            self.store_button.setAccessibleName(self.tr("Memory {0}").format(store.root.name))
        self._on_document_changed()

    @Slot()
    def _on_document_changed(self) -> None:
        current = self._documents.current
        menus = self.menus
        menus.save_action.setEnabled(self._documents.can_save)
        menus.copy_action.setEnabled(current is not None)
        some = bool(self._documents.unsaved) and not self._documents.read_only_store
        menus.save_all_action.setEnabled(some or self._documents.can_save)
        for button, action, can in (
            (self.back_button, menus.back_action, self._documents.trail.can_go_back),
            (self.forward_button, menus.forward_action, self._documents.trail.can_go_forward),
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
            self.docks.show_all(False)

    def saved_layout(self) -> tuple[str, str]:
        geometry, layout = self.saveGeometry().toBase64().data(), self.saveState().toBase64().data()
        return bytes(geometry).decode(), bytes(layout).decode()


def _dropped_folder(event: QDropEvent) -> str:
    """The local path that is dragged, or nothing."""
    urls = event.mimeData().urls()
    return urls[0].toLocalFile() if len(urls) == 1 else ""
