"""Two texts beside each other: what is on disk now, and what the person wrote."""

from __future__ import annotations

import difflib

from PySide6.QtCore import Signal
from PySide6.QtGui import QColor, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QTextEdit, QVBoxLayout, QWidget

from wikimem_desktop.presentation.qt_text import for_document
from wikimem_desktop.widgets.theme import Theme


class ConflictView(QWidget):
    """Signals:
    mine_kept: the person's text is to replace the one on disk.
    theirs_taken: the text on disk is to replace the person's.
    """

    mine_kept = Signal()
    theirs_taken = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("page")
        self._theme = theme
        self.theirs = _side(self.tr("On disk now"))
        self.mine = _side(self.tr("Yours, not saved"))
        self._theirs_label, self._mine_label = QLabel(), QLabel(self.tr("Yours, not saved"))
        self.take_theirs = QPushButton(self.tr("Take theirs"))
        self.keep_mine = QPushButton(self.tr("Keep mine"))
        self.take_theirs.clicked.connect(self.theirs_taken)
        self.keep_mine.clicked.connect(self.mine_kept)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 12, 16, 12)
        layout.setSpacing(12)
        sides = (
            (self._theirs_label, self.theirs, self.take_theirs),
            (self._mine_label, self.mine, self.keep_mine),
        )
        for label, text, button in sides:
            label.setObjectName("title")
            label.setWordWrap(True)
            column = QVBoxLayout()
            column.addWidget(label)
            column.addWidget(text, 1)
            column.addWidget(button)
            layout.addLayout(column, 1)

    def show_texts(self, theirs: str | None, mine: str, seen_at: str) -> None:
        """`theirs` None: the item is gone from the disk."""
        gone = theirs is None
        self._theirs_label.setText(
            self.tr("Gone from the disk, seen at {0}").format(seen_at)
            if gone
            else self.tr("On disk now, seen at {0}").format(seen_at)
        )
        self.take_theirs.setText(self.tr("Discard mine") if gone else self.tr("Take theirs"))
        self.keep_mine.setVisible(not gone)
        self.theirs.setPlainText(for_document(theirs or ""))
        self.mine.setPlainText(for_document(mine))
        matcher = difflib.SequenceMatcher(None, (theirs or "").split("\n"), mine.split("\n"), autojunk=False)
        changes = [code for code in matcher.get_opcodes() if code[0] != "equal"]
        _mark(
            self.theirs, [line for _, i1, i2, _, _ in changes for line in range(i1, i2)], self._theme.color("errorFill")
        )
        _mark(
            self.mine, [line for _, _, _, j1, j2 in changes for line in range(j1, j2)], self._theme.color("selection")
        )


def _side(name: str) -> QPlainTextEdit:
    text = QPlainTextEdit(readOnly=True)
    text.setAccessibleName(name)
    return text


def _mark(edit: QPlainTextEdit, lines: list[int], color: QColor) -> None:
    marks = []
    for line in lines:
        mark = QTextEdit.ExtraSelection()
        mark.cursor = QTextCursor(edit.document().findBlockByNumber(line))
        mark.cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
        mark.format.setBackground(color)
        marks.append(mark)
    edit.setExtraSelections(marks)
