"""Shows where a wiki-link leads while the mouse rests on it."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QToolTip

from wikimem_desktop.engine.items import MemoryItem
from wikimem_desktop.engine.links import WikiLink
from wikimem_desktop.presentation.link_reach import reach
from wikimem_desktop.presentation.qt_text import for_document
from wikimem_desktop.presentation.words import reach_text
from wikimem_desktop.widgets.editor.reader import Reader
from wikimem_desktop.widgets.editor.text_edit import TextEdit

_MOST_CHARACTERS = 300


class LinkHover(QObject):
    """Belongs to one text, written or rendered. `target` finds the item that a link leads to."""

    def __init__(self, text: TextEdit | Reader, target: Callable[[WikiLink], MemoryItem | None]) -> None:
        super().__init__(text)
        self._text = text
        self._target = target
        text.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ToolTip or not isinstance(event, QHelpEvent):
            return False
        link = self._text.link_under(event.pos())
        if link is None:
            QToolTip.hideText()
        else:
            QToolTip.showText(event.globalPos(), self._words(link), self._text.viewport())
        return True

    def _words(self, link: WikiLink) -> str:
        address = f"<b>{_plain(f'{link.category}:{link.name}')}</b>"
        item = self._target(link)
        note = reach_text(reach(link, item))
        if note:
            address += f"<br>{_plain(note)}"
        if item is None:
            return address
        text = item.content.strip()
        if len(text) > _MOST_CHARACTERS:
            text = text[:_MOST_CHARACTERS].rstrip() + "…"
        return f"{address}<div style='white-space: pre-wrap'>{_plain(text)}</div>"


def _plain(text: str) -> str:
    return escape(for_document(text))
