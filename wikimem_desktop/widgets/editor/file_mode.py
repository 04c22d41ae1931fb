"""Item or whole file: the switch between the two, the caret's place in both, and what keeps a person in the file."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Slot

from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.presentation.document import Documents
from wikimem_desktop.presentation.saver import Saver
from wikimem_desktop.widgets.editor.item_view import ItemView
from wikimem_desktop.widgets.menus import Menus

_KEYS = "Ctrl+Shift+I"  # Ctrl+Shift+U belongs to the input methods of many Linux desktops


class FileMode(QObject):
    """Connects the header's switch, the View menu and the bar with the documents."""

    def __init__(self, view: ItemView, documents: Documents, saver: Saver, menus: Menus) -> None:
        super().__init__(view)
        self._view = view
        self._documents = documents
        self._saver = saver
        self._wanted: Place | None = None
        """What is to be opened once the file is saved or given up."""
        self._decided = False
        self.action = menus.add(menus.view, self.tr("&Whole file"), _KEYS, self._on_triggered)
        self.action.setCheckable(True)
        keys = self.action.shortcut().toString(self.action.shortcut().SequenceFormat.NativeText)
        for button in (view.header.item, view.header.file):
            button.setToolTip(f"{button.text()} ({keys})")
        view.header.item_wanted.connect(self._show_item)
        view.header.file_wanted.connect(self._show_file)
        view.file_bar.save_wanted.connect(self._on_save_wanted)
        view.file_bar.discard_wanted.connect(self._on_discard_wanted)
        documents.spot_wanted.connect(self._go_to)
        documents.kept_in_file.connect(self._on_kept_in_file)
        documents.state_changed.connect(self._on_state_changed)
        documents.current_changed.connect(self._show_mode)
        self._show_mode()

    @Slot()
    def _show_mode(self) -> None:
        here = self._documents.current.place if self._documents.current is not None else None
        self.action.setEnabled(here is not None and here.kind in ("item", "shadowed", "text"))
        self.action.setChecked(here is not None and here.kind == "text")
        self._view.header.show_mode()

    @Slot()
    def _on_triggered(self) -> None:
        current = self._documents.current
        if current is not None and current.place.kind == "text":
            self._show_item()
        else:
            self._show_file()

    @property
    def _offset(self) -> int:
        """Where the caret is in the current text."""
        current, edit = self._documents.current, self._view.text_edit
        if current is None or edit.document() is not current.document:
            return 0
        return current.offset_of(edit.textCursor().position())

    @Slot()
    def _show_file(self) -> None:
        self._documents.leaving.emit()  # what is being composed belongs to the text in front of the caret
        self._documents.open_file(self._offset)
        self._show_mode()

    @Slot()
    def _show_item(self) -> None:
        self._documents.leaving.emit()
        self._documents.open_item_at(self._offset)
        self._show_mode()

    @Slot(int)
    def _go_to(self, offset: int) -> None:
        """Put the caret there."""
        current, edit = self._documents.current, self._view.text_edit
        if current is not None and edit.document() is current.document:
            cursor = edit.textCursor()
            cursor.setPosition(current.position_of(offset))
            edit.setTextCursor(cursor)
            edit.centerCursor()

    # ------------------------------------------------------------ a file that must be decided about

    @Slot(object)
    def _on_kept_in_file(self, place: Place) -> None:
        self._wanted, self._decided = place, False
        current = self._documents.current
        if current is not None and current.conflict is None:  # else the conflict's own bar tells
            self._view.file_bar.show_kept(place, read_only=self._documents.read_only_store)

    @Slot()
    def _on_save_wanted(self) -> None:
        self._decided = True
        self._saver.save()

    @Slot()
    def _on_discard_wanted(self) -> None:
        self._decided = True
        self._documents.discard()

    @Slot()
    def _on_state_changed(self) -> None:
        wanted, current = self._wanted, self._documents.current
        if wanted is None:
            return
        stays = current is not None and current.place == Place("text", wanted.category)
        if stays and current is not None and current.dirty:
            return
        self._wanted = None
        self._view.file_bar.say("")
        if stays and self._decided:
            # When everyone has heard of the saved text.
            QTimer.singleShot(0, self, lambda: self._documents.open(wanted))
