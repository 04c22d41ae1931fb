"""Asks for an event of the diary: when it was, what it was, and whose it is."""

from __future__ import annotations

from PySide6.QtCore import QDate, QEvent, QObject, Qt, QTime, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDateEdit,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QTimeEdit,
    QVBoxLayout,
    QWidget,
)

from wikimem_desktop.engine.diary import new_entry
from wikimem_desktop.presentation.diary_entries import DiaryEntries
from wikimem_desktop.presentation.qt_text import from_document
from wikimem_desktop.widgets.dialog import Dialog
from wikimem_desktop.widgets.fields import LineField, TextField
from wikimem_desktop.widgets.styled import styled

_WIDTH, _LINES = 520, 7


class DiaryDialog(Dialog):
    """Signals:
    entered: the DiaryEntry that the person agreed to.
    """

    entered = Signal(object)

    def __init__(self, parent: QWidget, entries: DiaryEntries) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle(self.tr("Add a diary entry"))
        self.setMinimumWidth(_WIDTH)
        self._entries = entries
        self._tried = False
        self.date, self.time = QDateEdit(), QTimeEdit()
        self.date.setCalendarPopup(True)
        self.date.setDisplayFormat("yyyy-MM-dd")
        self.time.setDisplayFormat("HH:mm")
        self.text = styled(TextField(), "field", tabChangesFocus=True)
        self.text.setMinimumHeight(_LINES * self.fontMetrics().lineSpacing())
        self.owner, self.source = LineField(), LineField()
        self.note = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.note.setObjectName("inlineError")
        buttons = QDialogButtonBox()
        self.agree = buttons.addButton(self.tr("Add"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.cancel = buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        self.agree.setDefault(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(10)
        column.addLayout(_row((self.tr("&Date"), self.date), (self.tr("&Time"), self.time)))
        column.addLayout(_row((self.tr("Te&xt"), self.text)), 1)
        column.addWidget(self.note)
        column.addLayout(_row((self.tr("&Owner"), self.owner), (self.tr("&Source"), self.source)))
        column.addSpacing(4)
        column.addWidget(buttons)
        self.text.textChanged.connect(self._judge)
        self.text.installEventFilter(self)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)

    def ask(self, day: str) -> None:
        """Show the dialog, with a day to begin with ("": today)."""
        date = QDate.fromString(day, Qt.DateFormat.ISODate)
        self.date.setDate(date if date.isValid() else QDate.currentDate())
        now = QTime.currentTime()
        self.time.setTime(QTime(now.hour(), now.minute()))
        self._judge()
        self.text.setFocus()
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ctrl+Enter agrees from within the text."""
        if watched is self.text and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if enter and not self.text.composing and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
                self.accept()
                return True
        return False

    @property
    def _typed(self) -> str:
        return from_document(self.text.document())

    @Slot()
    def _judge(self) -> None:
        """Say what is wrong with a text, and let the person agree only when nothing is."""
        text = self._typed
        error = self._entries.error(text)
        self.note.setText(error if text.strip() else "")
        self.note.setVisible(bool(self.note.text()))
        self.text.setAccessibleDescription(error)
        self.agree.setEnabled(not error)

    def accept(self) -> None:
        for field in (self.text, self.owner, self.source):
            field.commit_composition()
        self._judge()
        if not self.agree.isEnabled():
            return
        date, time = self.date.date().toString("yyyy-MM-dd"), self.time.time().toString("HH:mm")
        owner, source = (field.text().strip() or None for field in (self.owner, self.source))
        self.entered.emit(new_entry(self._typed, date=date, time=time, owner=owner, source_conv=source))
        super().accept()


def _row(*fields: tuple[str, QWidget]) -> QHBoxLayout:
    """Captioned fields beside each other."""
    row = QHBoxLayout()
    row.setSpacing(14)
    for caption, field in fields:
        label = styled(QLabel(caption), "fieldName")
        label.setBuddy(field)
        field.setAccessibleName(caption.replace("&", ""))
        block = QVBoxLayout()
        block.setSpacing(5)
        block.addWidget(label)
        block.addWidget(field)
        row.addLayout(block, 1)
    return row
