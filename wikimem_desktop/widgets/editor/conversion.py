"""Asks which encoding a file is in, showing what it would say in each, before it is written as UTF-8."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from wikimem_desktop.engine.charsets import choices
from wikimem_desktop.presentation.buffer import Foreign
from wikimem_desktop.presentation.qt_text import for_document
from wikimem_desktop.widgets.dialog import Dialog
from wikimem_desktop.widgets.styled import styled

_MOST_SHOWN = 20_000
"""Characters of the preview."""


class ConversionDialog(Dialog):
    """Signals:
    agreed: the text that the file is to hold.
    """

    agreed = Signal(str)

    def __init__(self, foreign: Foreign, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle(self.tr("Convert to UTF-8"))
        self.resize(680, 420)
        self._data = foreign.data
        self._charsets = choices(foreign.data)
        self._text: str | None = None
        hint = QLabel(self.tr("Choose the encoding in which the text reads right. Undo brings the bytes back."))
        hint.setWordWrap(True)
        self.list = QListWidget()
        self.list.addItems([charset.label for charset in self._charsets])
        self.list.setAccessibleName(self.tr("Encoding"))
        self.preview = QPlainTextEdit(readOnly=True)
        self.preview.setAccessibleName(self.tr("Preview"))
        self.error = styled(QLabel(wordWrap=True), "inlineError")
        buttons = QDialogButtonBox()
        self.convert = buttons.addButton(self.tr("Convert"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.cancel = buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        self.convert.setDefault(True)
        columns = QHBoxLayout()
        columns.addWidget(self.list, 1)
        columns.addWidget(self.preview, 3)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(10)
        column.addWidget(styled(hint, "muted"))
        column.addLayout(columns, 1)
        column.addWidget(self.error)
        column.addWidget(buttons)
        buttons.accepted.connect(self._on_accepted)
        buttons.rejected.connect(self.reject)
        self.list.currentRowChanged.connect(self._on_chosen)
        self.list.setCurrentRow(self._charsets.index(foreign.charset) if foreign.charset else 0)
        self.list.setFocus()

    @Slot(int)
    def _on_chosen(self, row: int) -> None:
        charset = self._charsets[row]
        try:
            self._text = charset.decode(self._data)
            error = ""
        except UnicodeDecodeError as bad:
            self._text = None
            error = self.tr("This is not {0}: the byte at {1} means nothing there.").format(charset.label, bad.start)
        self.preview.setPlainText(for_document((self._text or "")[:_MOST_SHOWN]))
        self.error.setText(error)
        self.convert.setEnabled(self._text is not None)

    @Slot()
    def _on_accepted(self) -> None:
        if self._text is not None:
            self.agreed.emit(self._text)
            self.accept()
