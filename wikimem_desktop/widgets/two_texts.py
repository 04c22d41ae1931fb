"""Two texts beside each other with what differs marked, down to words and characters."""

from __future__ import annotations

from PySide6.QtGui import QColor, QShowEvent, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QTextEdit, QVBoxLayout, QWidget

from wikimem_desktop.presentation.differences import Span, differences
from wikimem_desktop.presentation.qt_text import ShownText, for_document
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme

Spans = tuple[list[Span], list[Span]]


class TwoTexts(QWidget):
    """Read-only. What only the left text has is marked red, what only the right one has in the accent's colour."""

    def __init__(self, theme: Theme, left_name: str, right_name: str) -> None:
        super().__init__()
        self.setObjectName("page")
        self._theme = theme
        self._spans: Spans = ([], [])
        self.left, self.right = _side(left_name), _side(right_name)
        self.left_title, self.right_title = (styled(QLabel(wordWrap=True), "title") for _ in range(2))
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(16, 12, 16, 12)
        self._row.setSpacing(12)
        for label, text in ((self.left_title, self.left), (self.right_title, self.right)):
            column = QVBoxLayout()
            column.addWidget(label)
            column.addWidget(text, 1)
            self._row.addLayout(column, 1)
        theme.changed.connect(self._mark)

    def show_texts(self, left_title: str, left: str, right_title: str, right: str, spans: Spans | None = None) -> None:
        """`spans` say where they differ, if that is known already."""
        self.left_title.setText(left_title)
        self.right_title.setText(right_title)
        self.left.setPlainText(for_document(left))
        self.right.setPlainText(for_document(right))
        self._spans = differences(left, right) if spans is None else spans
        self._mark()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_first_difference()  # only now it is known how much fits in

    def _mark(self) -> None:
        for edit, spans, color in (
            (self.left, self._spans[0], self._theme.color("errorFill")),
            (self.right, self._spans[1], self._theme.color("selection")),
        ):
            _mark(edit, spans, color)
        self._show_first_difference()

    def _show_first_difference(self) -> None:
        """On both sides: up to there the texts are the same."""
        starts = [spans[0][0] for spans in self._spans if spans]
        for edit in (self.left, self.right) if starts else ():
            cursor = QTextCursor(edit.document())
            place = ShownText(edit.document()).position(min(starts))
            cursor.setPosition(min(place, edit.document().characterCount() - 1))
            edit.setTextCursor(cursor)
            edit.centerCursor()


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
