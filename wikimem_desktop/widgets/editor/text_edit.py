"""The Markdown text being edited, as it is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QMimeData, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent, QMouseEvent, QTextCursor, QTextOption
from PySide6.QtWidgets import QPlainTextEdit

from wikimem_desktop.engine.links import WikiLink, find_wiki_links
from wikimem_desktop.presentation.qt_text import for_document, from_document, from_raw, utf16_length
from wikimem_desktop.widgets.editor.highlighting import Highlighter
from wikimem_desktop.widgets.theme import Theme, reading_font

_MARGIN = 40
_OURS = "application/x-wikimem-text"
"""Marks what was copied here, for `release_clipboard`."""


def release_clipboard() -> None:
    """Leave copied text to Qt alone: the clipboard may outlive Python, whose objects would crash the process then."""
    clipboard = QGuiApplication.clipboard()
    data = clipboard.mimeData() or QMimeData()  # None when the clipboard is empty
    if data.hasFormat(_OURS):
        clipboard.setText(data.text())


class TextEdit(QPlainTextEdit):
    """Signals:
    edited: the person changed the text.
    link_followed: a WikiLink was followed (Ctrl+click or Ctrl+Enter).
    """

    edited = Signal()
    link_followed = Signal(object)

    def __init__(self, theme: Theme, resolves: Callable[[WikiLink], bool]) -> None:
        super().__init__()
        self._loading = False
        self.setAccessibleName(self.tr("Item text"))
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTabChangesFocus(False)
        self.setViewportMargins(_MARGIN, 24, 12, 12)
        self.document().setDocumentMargin(4)
        self.setFont(reading_font())
        self._highlighter = Highlighter(self.document(), theme, resolves)
        self.textChanged.connect(self._on_text_changed)

    @property
    def text(self) -> str:
        return from_document(self.document())

    def load(self, text: str) -> None:
        """Show another text; undo starts anew."""
        self._loading = True
        self.setPlainText(for_document(text))
        self._loading = False

    def replace(self, text: str) -> None:
        """Show what the text became on disk: one undo step over the part that differs; caret and scroll stay."""
        old, new = self.text, for_document(text)
        start = 0
        current = for_document(old)
        while start < min(len(current), len(new)) and current[start] == new[start]:
            start += 1
        tail = 0
        while tail < min(len(current), len(new)) - start and current[-1 - tail] == new[-1 - tail]:
            tail += 1
        self._loading = True
        cursor = QTextCursor(self.document())
        cursor.setPosition(utf16_length(current[:start]))
        cursor.setPosition(utf16_length(current[: len(current) - tail]), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(new[start : len(new) - tail])
        self._loading = False

    def mark_terms(self, terms: Iterable[str]) -> None:
        self._highlighter.set_terms(terms)

    def refresh_links(self) -> None:
        """Links may resolve now that did not, or the other way round."""
        self._highlighter.rehighlight()

    def createMimeDataFromSelection(self) -> QMimeData:
        data = QMimeData()
        data.setText(from_raw(self.textCursor().selectedText()))
        data.setData(_OURS, b"")
        return data

    def insertFromMimeData(self, source: QMimeData) -> None:
        if source.hasText():
            text = source.text().replace("\r\n", "\n").replace("\r", "\n")
            self.textCursor().insertText(for_document(text))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() == Qt.KeyboardModifier.ControlModifier and self._follow(self.textCursor()):
            return
        super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.modifiers() == Qt.KeyboardModifier.ControlModifier and self._follow(
            self.cursorForPosition(event.position().toPoint())
        ):
            return
        super().mouseReleaseEvent(event)

    def _follow(self, cursor: QTextCursor) -> bool:
        line = cursor.block().text()
        for span in find_wiki_links(line):
            if utf16_length(line[: span.start]) <= cursor.positionInBlock() <= utf16_length(line[: span.end]):
                self.link_followed.emit(span.link)
                return True
        return False

    @Slot()
    def _on_text_changed(self) -> None:
        if not self._loading:
            self.edited.emit()
