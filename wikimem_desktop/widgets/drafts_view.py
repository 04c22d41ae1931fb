"""The texts that decisions gave up, or a window that died left: look at them, bring them back, copy or delete them."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from wikimem_desktop.presentation.drafts import Draft, Drafts
from wikimem_desktop.presentation.qt_text import for_document
from wikimem_desktop.presentation.words import local_time
from wikimem_desktop.widgets.dialog import Dialog


class DraftsView(Dialog):
    """Signals:
    wanted_back: a Draft whose text is to be in the editor again.
    """

    wanted_back = Signal(object)

    def __init__(self, drafts: Drafts, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Drafts"))
        self.resize(760, 440)
        self._drafts = drafts
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Texts that were given up"))
        self.text = QPlainTextEdit(readOnly=True)
        self.text.setAccessibleName(self.tr("The text"))
        self._empty = QLabel(self.tr("Nothing was given up so far."))
        self._empty.setObjectName("muted")
        self.bring_back = QPushButton(self.tr("Bring back into the editor"))
        self.bring_back.setDefault(True)
        self.copy = QPushButton(self.tr("Copy"))
        self.delete = QPushButton(self.tr("Delete"))
        close = QPushButton(self.tr("Close"))
        hint = QLabel(
            self.tr("Texts given up by “Keep mine”, “Take theirs”, “Discard” or deleting. They stay here for 90 days.")
        )
        hint.setObjectName("muted")
        hint.setWordWrap(True)
        columns = QHBoxLayout()
        columns.addWidget(self.list, 2)
        columns.addWidget(self.text, 3)
        buttons = QHBoxLayout()
        for button in (self.bring_back, self.copy, self.delete):
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.setSpacing(10)
        for part in (hint, self._empty):
            layout.addWidget(part)
        layout.addLayout(columns, 1)
        layout.addLayout(buttons)
        self.list.currentItemChanged.connect(self._on_chosen)
        self.bring_back.clicked.connect(self._on_bring_back)
        self.copy.clicked.connect(self._on_copy)
        self.delete.clicked.connect(self._on_delete)
        close.clicked.connect(self.reject)
        for changed in (drafts.kept_changed, drafts.found_changed):
            changed.connect(self._fill)
        self._fill()

    @property
    def chosen(self) -> Draft | None:
        item = self.list.currentItem()
        return item.data(Qt.ItemDataRole.UserRole) if item else None

    @Slot()
    def _fill(self) -> None:
        row = self.list.currentRow()
        self.list.clear()
        sides = {"mine": self.tr("yours"), "theirs": self.tr("theirs"), "unsaved": self.tr("not saved")}
        for draft in [*self._drafts.found, *self._drafts.kept()]:
            words = f"{draft.place.address}\n{local_time(draft.written_at)} · {sides[draft.side]}"
            item = QListWidgetItem(words)
            item.setData(Qt.ItemDataRole.UserRole, draft)
            self.list.addItem(item)
        self.list.setCurrentRow(min(max(row, 0), self.list.count() - 1))
        self._empty.setVisible(not self.list.count())
        self._on_chosen()

    @Slot()
    def _on_chosen(self) -> None:
        draft = self.chosen
        self.text.setPlainText(for_document(draft.text.replace("\r\n", "\n")) if draft else "")
        for button in (self.bring_back, self.copy, self.delete):
            button.setEnabled(draft is not None)

    @Slot()
    def _on_bring_back(self) -> None:
        if self.chosen is not None:
            self.wanted_back.emit(self.chosen)
            self.accept()

    @Slot()
    def _on_copy(self) -> None:
        if self.chosen is not None:
            QGuiApplication.clipboard().setText(self.chosen.text)

    @Slot()
    def _on_delete(self) -> None:
        if self.chosen is not None:
            self._drafts.delete(self.chosen)
