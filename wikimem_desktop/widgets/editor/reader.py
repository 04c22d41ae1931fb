"""The item rendered: Qt's Markdown, no HTML, nothing loaded from anywhere, links only on a click."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from PySide6.QtCore import QUrl, Signal, Slot
from PySide6.QtGui import (
    QDesktopServices,
    QShowEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QTextBrowser, QTextEdit

from wikimem_desktop.engine.document import metadata_fields
from wikimem_desktop.engine.links import WikiLink, find_wiki_links
from wikimem_desktop.engine.markdown import code_lines
from wikimem_desktop.widgets.theme import Theme, reading_font

_SCHEME = "wikimem"
_CODE_SPAN = re.compile(r"(`+)(.+?)(?<!`)\1(?!`)")
_MARGIN = 40
_LINE_HEIGHT = 150.0
_FEATURES = QTextDocument.MarkdownFeature(
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub.value | QTextDocument.MarkdownFeature.MarkdownNoHTML.value
)


class Reader(QTextBrowser):
    """Signals:
    link_followed: a WikiLink was clicked.
    """

    link_followed = Signal(object)

    def __init__(self, theme: Theme, resolves: Callable[[WikiLink], bool]) -> None:
        super().__init__()
        self._theme = theme
        self._resolves = resolves
        self._text = ""
        self._plain = False
        self._stale = False
        self._terms: set[str] = set()
        self.setOpenLinks(False)
        self.setFont(reading_font())
        self.document().setDefaultFont(reading_font())
        self.setAccessibleName(self.tr("Item, rendered"))
        self.setViewportMargins(_MARGIN, 24, 12, 12)
        self.anchorClicked.connect(self._on_anchor_clicked)
        theme.changed.connect(self._render)

    def load(self, text: str, *, plain: bool = False) -> None:
        """Show a Markdown text, or (`plain`) characters as they are."""
        self._text, self._plain = text, plain
        self._render()

    def mark_terms(self, terms: Iterable[str]) -> None:
        self._terms = set(terms)
        self._mark()

    def refresh_links(self) -> None:
        self._render()

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Nothing is loaded: a picture's address may carry a secret, and `//host/share` would send credentials."""
        return None

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self._render()

    @Slot()
    def _render(self) -> None:
        self._stale = not self.isVisible()
        if self._stale:
            return
        position = self.verticalScrollBar().value()
        if self._plain:
            self.setPlainText(self._text)
        else:
            self.document().setMarkdown(_with_links(self._text), _FEATURES)
            cursor = QTextCursor(self.document())
            cursor.beginEditBlock()  # one layout for all, not one for each link
            self._style_blocks(cursor)
            self._style_links(cursor)
            cursor.endEditBlock()
        self._mark()
        self.verticalScrollBar().setValue(position)

    @staticmethod
    def _style_blocks(cursor: QTextCursor) -> None:
        cursor.select(QTextCursor.SelectionType.Document)
        spacing = QTextBlockFormat()
        spacing.setLineHeight(_LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.mergeBlockFormat(spacing)

    def _style_links(self, cursor: QTextCursor) -> None:
        block = self.document().begin()
        while block.isValid():
            fragments = [position.fragment() for position in _positions(block)]
            for fragment in fragments:
                url = QUrl(fragment.charFormat().anchorHref())
                if url.scheme() == _SCHEME:
                    cursor.setPosition(fragment.position())
                    cursor.setPosition(fragment.position() + fragment.length(), QTextCursor.MoveMode.KeepAnchor)
                    cursor.mergeCharFormat(self._link_format(_link_of(url)))
            block = block.next()

    def _link_format(self, link: WikiLink) -> QTextCharFormat:
        resolved = self._resolves(link)
        result = QTextCharFormat()
        result.setForeground(self._theme.color("link" if resolved else "cut"))
        result.setUnderlineStyle(
            QTextCharFormat.UnderlineStyle.NoUnderline if resolved else QTextCharFormat.UnderlineStyle.DashUnderline
        )
        result.setUnderlineColor(self._theme.color("cut"))
        if resolved:
            result.setBackground(self._theme.color("linkFill"))
        else:
            result.setToolTip(self.tr("There is no such item"))
        return result

    def _mark(self) -> None:
        marks = []
        for term in self._terms:
            flag = QTextDocument.FindFlag.FindWholeWords if term.isascii() else QTextDocument.FindFlag(0)
            cursor = self.document().find(term, 0, flag)
            while not cursor.isNull():
                mark = QTextEdit.ExtraSelection()
                mark.cursor = cursor
                mark.format.setBackground(self._theme.color("match"))
                marks.append(mark)
                cursor = self.document().find(term, cursor, flag)
        self.setExtraSelections(marks)

    @Slot(QUrl)
    def _on_anchor_clicked(self, url: QUrl) -> None:
        if url.scheme() == _SCHEME:
            self.link_followed.emit(_link_of(url))
        elif url.scheme() in ("http", "https"):
            QDesktopServices.openUrl(url)


def _positions(block: QTextBlock) -> list[QTextBlock.iterator]:
    return list(iter(block))  # type: ignore[call-overload, type-var]


def _link_of(url: QUrl) -> WikiLink:
    category, _, name = QUrl.fromPercentEncoding(
        url.path(QUrl.ComponentFormattingOption.FullyEncoded).encode()
    ).partition(":")
    return WikiLink(category, name)


def _with_links(text: str) -> str:
    """The text with wiki-links outside code as Markdown links of our own scheme, and without metadata lines."""
    lines = text.split("\n")
    shown = []
    for line, code in zip(lines, code_lines(lines), strict=True):
        if code:
            shown.append(line)
        elif metadata_fields(line) is None:
            shown.append(_line_with_links(line) if "[[" in line else line)
    return "\n".join(shown)


def _line_with_links(line: str) -> str:
    code = [(match.start(), match.end()) for match in _CODE_SPAN.finditer(line)]
    out, at = [], 0
    for span in find_wiki_links(line):
        if any(start <= span.start < end for start, end in code):
            continue
        address = f"{span.link.category}:{span.link.name}"
        target = bytes(QUrl.toPercentEncoding(address).data()).decode()
        label = re.sub(r"([\\`*_{}<>|~\[\]])", r"\\\1", address)
        out += [line[at : span.start], f"[{label}]({_SCHEME}:{target})"]
        at = span.end
    return "".join(out) + line[at:]
