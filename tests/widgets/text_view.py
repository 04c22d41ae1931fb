"""A write view by itself, and what it shows."""

from __future__ import annotations

from PySide6.QtGui import QTextCharFormat, QTextCursor, QTextDocument
from pytestqt.qtbot import QtBot

from wikimem_desktop.engine.links import WikiLink
from wikimem_desktop.presentation.link_reach import Reach
from wikimem_desktop.widgets.editor.text_edit import TextEdit
from wikimem_desktop.widgets.theme import Theme


class View:
    """A `TextEdit` in a window of its own; of the links, those in `there` resolve."""

    def __init__(self, qtbot: QtBot) -> None:
        self.theme = Theme("light")
        self.there = {"a:b"}
        self.edit = TextEdit(self.theme, lambda link: self.reach(link))
        self._documents: list[QTextDocument] = []
        qtbot.addWidget(self.edit)
        self.edit.resize(500, 400)
        with qtbot.waitExposed(self.edit):
            self.edit.show()

    def reach(self, link: WikiLink) -> Reach:
        return Reach.HOSTS if f"{link.category}:{link.name}" in self.there else Reach.NOBODY

    def show(self, text: str) -> QTextDocument:
        document = QTextDocument()
        document.setPlainText(text)
        self._documents.append(document)
        self.edit.setDocument(document)
        self.paint()
        return document

    def paint(self) -> None:
        self.edit.grab()

    def caret(self, text: str) -> QTextCursor:
        """Put the caret behind a text."""
        cursor = self.edit.document().find(text)
        assert not cursor.isNull(), text
        cursor.setPosition(cursor.selectionEnd())
        self.edit.setTextCursor(cursor)
        return cursor

    def look(self, text: str) -> QTextCharFormat:
        """How the first character of a text is shown."""
        cursor = self.edit.document().find(text)
        assert not cursor.isNull(), text
        block, at = cursor.block(), cursor.selectionStart() - cursor.block().position()
        result = QTextCharFormat()
        for span in block.layout().formats():
            if span.start <= at < span.start + span.length:
                result.merge(QTextCharFormat(span.format))
        return result

    def color(self, text: str) -> str:
        """The theme's name for the colour a text is written in."""
        name = self.look(text).foreground().color().name()
        colors = ("text", "muted", "accent", "link", "cut")
        return next((color for color in colors if self.theme.color(color).name() == name), name)

    def is_code(self, text: str) -> bool:
        self.paint()
        return self.look(text).background().color() == self.theme.color("code")

    @property
    def wraps(self) -> bool:
        """Whether lines end at the window's edge, by what can be scrolled."""
        self.paint()
        return self.edit.horizontalScrollBar().maximum() == 0
