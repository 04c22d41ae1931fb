"""Two texts beside each other: what is on disk now, and what the person wrote."""

from __future__ import annotations

from PySide6.QtGui import QColor, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QTextEdit, QVBoxLayout, QWidget

from wikimem_desktop.presentation.buffer import Buffer, Disagreement
from wikimem_desktop.presentation.differences import Span, differences
from wikimem_desktop.presentation.qt_text import ShownText, for_document
from wikimem_desktop.presentation.words import clock_time
from wikimem_desktop.widgets.theme import Theme


class ConflictView(QWidget):
    """Read-only; deciding is done in the bar above."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("page")
        self._theme = theme
        self.theirs = _side(self.tr("On disk now"))
        self.mine = _side(self.tr("Yours, not saved"))
        self._theirs_label, self._mine_label = QLabel(), QLabel()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 12, 16, 12)
        layout.setSpacing(12)
        for label, text in ((self._theirs_label, self.theirs), (self._mine_label, self.mine)):
            label.setObjectName("title")
            label.setWordWrap(True)
            column = QVBoxLayout()
            column.addWidget(label)
            column.addWidget(text, 1)
            layout.addLayout(column, 1)

    def show_conflict(self, buffer: Buffer, conflict: Disagreement) -> None:
        """Both texts, and when each was written."""
        theirs, mine = conflict.theirs.item.content if conflict.theirs else "", buffer.content
        if conflict.theirs is None:
            words = self.tr("Gone from the disk, seen at {0}").format(clock_time(conflict.seen_at))
        else:
            when = clock_time(conflict.changed_at or conflict.seen_at)
            words = self.tr("Theirs, on disk since {0}").format(when)
        self._theirs_label.setText(words)
        typed = (
            self.tr("Yours, not saved, last typed at {0}").format(clock_time(buffer.typed_at))
            if (buffer.typed_at)
            else self.tr("Yours, not saved")
        )
        self._mine_label.setText(typed)
        self.theirs.setPlainText(for_document(theirs))
        self.mine.setPlainText(for_document(mine))
        theirs_only, mine_only = differences(theirs, mine)
        _mark(self.theirs, theirs_only, self._theme.color("errorFill"))
        _mark(self.mine, mine_only, self._theme.color("selection"))


def _side(name: str) -> QPlainTextEdit:
    text = QPlainTextEdit(readOnly=True)
    text.setAccessibleName(name)
    return text


def _mark(edit: QPlainTextEdit, spans: list[Span], color: QColor) -> None:
    shown = ShownText(edit.document())
    marks = []
    for start, end in spans:
        mark = QTextEdit.ExtraSelection()
        mark.cursor = QTextCursor(edit.document())
        mark.cursor.setPosition(shown.position(start))
        mark.cursor.setPosition(shown.position(end), QTextCursor.MoveMode.KeepAnchor)
        mark.format.setBackground(color)
        marks.append(mark)
    edit.setExtraSelections(marks)
