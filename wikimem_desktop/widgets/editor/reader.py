"""The item rendered: Qt's Markdown, no HTML, nothing loaded from anywhere, links only on a click."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from PySide6.QtCore import QPoint, Qt, QUrl, Signal, Slot
from PySide6.QtGui import (
    QDesktopServices,
    QImage,
    QShowEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFragment,
    QWheelEvent,
)
from PySide6.QtWidgets import QTextBrowser, QTextEdit

from wikimem_desktop.engine.document import metadata_fields
from wikimem_desktop.engine.links import WikiLink, find_wiki_links
from wikimem_desktop.engine.markdown import code_lines
from wikimem_desktop.presentation.link_reach import Reach
from wikimem_desktop.presentation.qt_text import utf16_length
from wikimem_desktop.presentation.words import reach_text
from wikimem_desktop.widgets.editor.wheel import WheelSteps
from wikimem_desktop.widgets.theme import Theme

_SCHEME = "wikimem"
_MARGIN = 40
_LINE_HEIGHT = 150.0
_FEATURES = QTextDocument.MarkdownFeature(
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub.value | QTextDocument.MarkdownFeature.MarkdownNoHTML.value
)


class Reader(QTextBrowser):
    """Signals:
    link_followed: a WikiLink was clicked.
    zoom_wanted: the wheel was turned for a text larger by so many steps; smaller if negative.
    """

    link_followed = Signal(object)
    zoom_wanted = Signal(int)

    def __init__(self, theme: Theme, reach: Callable[[WikiLink], Reach]) -> None:
        super().__init__()
        self._theme = theme
        self._reach = reach
        self._text = ""
        self._plain = False
        self._rendered: QTextDocument | None = None
        self._stale = False
        self._terms: set[str] = set()
        self._found: list[QTextEdit.ExtraSelection] = []
        self.setOpenLinks(False)
        self._wheel = WheelSteps()
        self.setFont(theme.text_font)
        self.document().setDefaultFont(theme.text_font)
        self.setAccessibleName(self.tr("Item, rendered"))
        self.setViewportMargins(_MARGIN, 24, 12, 12)
        self.anchorClicked.connect(self._on_anchor_clicked)
        theme.changed.connect(self._render)
        theme.text_font_changed.connect(self._on_text_font_changed)

    def load(self, text: str, *, plain: bool = False) -> None:
        """Show a Markdown text, or (`plain`) characters as they are."""
        self._text, self._plain = text, plain
        self._render()

    def mark_terms(self, terms: Iterable[str]) -> None:
        self._terms = set(terms)
        self._mark()

    def show_found(self, marks: list[QTextEdit.ExtraSelection]) -> None:
        """Mark what was searched for in the text that is on show."""
        self._found = marks
        self._mark()

    def refresh_links(self) -> None:
        self._render()

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Nothing is loaded: a picture's address may carry a secret, and `//host/share` would send credentials.

        Not None: Qt would then read the file by itself.
        """
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return ""
        blank = QImage(1, 1, QImage.Format.Format_ARGB32)
        blank.fill(0)
        return blank

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self._render()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.zoom_wanted.emit(self._wheel.turned(event))
        else:
            super().wheelEvent(event)

    def link_under(self, point: QPoint) -> WikiLink | None:
        """The wiki-link at a point of the viewport."""
        found = self.link_of(self.anchorAt(point))
        return found[0] if found is not None else None

    @staticmethod
    def link_of(anchor: str) -> tuple[WikiLink, int] | None:
        """The wiki-link that a rendered one stands for, and how many equal ones the text has before it."""
        url = QUrl(anchor)
        nth = url.fragment()
        return (_link_of(url), int(nth)) if url.scheme() == _SCHEME and nth.isdecimal() else None

    @Slot()
    def _on_text_font_changed(self) -> None:
        self.setFont(self._theme.text_font)
        self._render()

    @Slot()
    def _render(self) -> None:
        self._stale = not self.isVisible()
        if self._stale:
            return
        position = self.verticalScrollBar().value()
        before = self._rendered
        # A new one, finished before it is laid out: pictures are gone before anything could ask for them.
        document = QTextDocument(self)
        document.setUndoRedoEnabled(False)
        document.setDefaultFont(self.font())
        if self._plain:
            document.setPlainText(self._text)
        else:
            links = _Links(self._text)
            document.setMarkdown(links.text, _FEATURES)
            cursor = QTextCursor(document)
            cursor.beginEditBlock()
            _style_blocks(cursor)
            self._show_links(cursor, links)
            self._name_pictures(cursor)
            cursor.endEditBlock()
        self.setDocument(document)
        self._rendered = document
        if before is not None:
            before.deleteLater()
        self._mark()
        self.verticalScrollBar().setValue(position)

    def _show_links(self, cursor: QTextCursor, links: _Links) -> None:
        """Put the wiki-links where their marks stand; in code they stay text."""
        for start, end, format_, link, nth in links.places(cursor.document()):
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            if _is_code(format_):
                cursor.insertText(link.render(), format_)
            else:
                shown = QTextCharFormat(format_)
                shown.merge(self._link_format(link, nth))
                cursor.insertText(f"{link.category}:{link.name}", shown)

    def _name_pictures(self, cursor: QTextCursor) -> None:
        """Pictures become words: what they show, or where they lie."""
        pictures = [
            (fragment.position(), fragment.length(), QTextCharFormat(fragment.charFormat()))
            for fragment in _fragments(cursor.document())
            if fragment.charFormat().isImageFormat()
        ]
        for position, length, format_ in reversed(pictures):
            words = format_.stringProperty(QTextFormat.Property.ImageAltText) or format_.toImageFormat().name()
            plain = QTextCharFormat()
            plain.setForeground(self._theme.color("muted"))
            if format_.isAnchor():
                plain.setAnchor(True)
                plain.setAnchorHref(format_.anchorHref())
            cursor.setPosition(position)
            cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
            cursor.insertText(self.tr("[picture: {0}]").format(words), plain)

    def _link_format(self, link: WikiLink, nth: int) -> QTextCharFormat:
        result = QTextCharFormat()
        result.setAnchor(True)
        result.setAnchorHref(f"{_address(link)}#{nth}")
        color, fill, underline = {
            Reach.HOSTS: ("link", "linkFill", ""),
            Reach.PEOPLE: ("link", "warningFill", "warning"),
            Reach.NOBODY: ("cut", "", "cut"),
        }[self._reach(link)]
        result.setForeground(self._theme.color(color))
        result.setUnderlineStyle(QTextCharFormat.UnderlineStyle.NoUnderline)
        if fill:
            result.setBackground(self._theme.color(fill))
        if underline:
            result.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DashUnderline)
            result.setUnderlineColor(self._theme.color(underline))
        result.setToolTip(reach_text(self._reach(link)))
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
        self.setExtraSelections(marks + [mark for mark in self._found if mark.cursor.document() is self.document()])

    @Slot(QUrl)
    def _on_anchor_clicked(self, url: QUrl) -> None:
        if url.scheme() == _SCHEME:
            self.link_followed.emit(_link_of(url))
        elif url.scheme() in ("http", "https"):
            QDesktopServices.openUrl(url)


class _Links:
    """The text without metadata lines, and with a mark for each wiki-link that Markdown passes through untouched."""

    def __init__(self, text: str) -> None:
        self._mark = next(chr(code) for code in range(0xE000, 0xF8FF) if chr(code) not in text)
        self._links: list[WikiLink] = []
        self._before: list[int] = []
        self._seen = Counter[WikiLink]()
        lines = text.split("\n")
        kept = [
            line for line, code in zip(lines, code_lines(lines), strict=True) if code or metadata_fields(line) is None
        ]
        self.text = "\n".join(self._marked(line) if "[[" in line else line for line in kept)

    def _marked(self, line: str) -> str:
        out, at = [], 0
        for span in find_wiki_links(line):
            out += [line[at : span.start], f"{self._mark}{len(self._links)}{self._mark}"]
            self._before.append(self._seen[span.link])
            self._seen[span.link] += 1
            self._links.append(span.link)
            at = span.end
        return "".join(out) + line[at:]

    def places(self, document: QTextDocument) -> list[tuple[int, int, QTextCharFormat, WikiLink, int]]:
        """Start, end, format and link of every mark in the rendered text, last first; and how many equal ones stand
        before it."""
        mark = re.compile(f"{self._mark}(\\d+){self._mark}")
        found = []
        for fragment in _fragments(document):
            text = fragment.text()
            for match in mark.finditer(text):
                start = fragment.position() + utf16_length(text[: match.start()])
                number = int(match[1])
                link = self._links[number]
                format_ = QTextCharFormat(fragment.charFormat())
                found.append((start, start + len(match[0]), format_, link, self._before[number]))
        return found[::-1]


def _style_blocks(cursor: QTextCursor) -> None:
    cursor.select(QTextCursor.SelectionType.Document)
    spacing = QTextBlockFormat()
    spacing.setLineHeight(_LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    cursor.mergeBlockFormat(spacing)


def _is_code(format_: QTextCharFormat) -> bool:
    """Whether Qt's Markdown reader set the text as code: span, fence or indented block."""
    return format_.fontFixedPitch() or "monospace" in (format_.fontFamilies() or [])


def _positions(block: QTextBlock) -> list[QTextBlock.iterator]:
    return list(iter(block))  # type: ignore[call-overload, type-var]


def _fragments(document: QTextDocument) -> Iterator[QTextFragment]:
    block = document.begin()
    while block.isValid():
        for position in _positions(block):
            yield position.fragment()
        block = block.next()


def _address(link: WikiLink) -> str:
    target = bytes(QUrl.toPercentEncoding(f"{link.category}:{link.name}").data()).decode()
    return f"{_SCHEME}:{target}"


def _link_of(url: QUrl) -> WikiLink:
    category, _, name = QUrl.fromPercentEncoding(
        url.path(QUrl.ComponentFormattingOption.FullyEncoded).encode()
    ).partition(":")
    return WikiLink(category, name)
