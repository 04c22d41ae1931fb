"""Colours of Markdown, wiki-links and the words a query matched, in the text being edited."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QFont, QTextBlock, QTextCharFormat, QTextCursor, QTextDocument, QTextLayout
from shiboken6 import isValid

from wikimem_desktop.engine.links import WikiLink, find_wiki_links
from wikimem_desktop.engine.markdown import Fence, after_line
from wikimem_desktop.presentation.link_reach import Reach
from wikimem_desktop.presentation.qt_text import utf16_length
from wikimem_desktop.widgets.editor.special_lines import SpecialLines, is_long
from wikimem_desktop.widgets.theme import Theme, monospace

_HEADING = re.compile(r" {0,3}#{1,6}(\s|$).*")
_LIST = re.compile(r"\s*([-*+]|\d{1,9}[.)])\s")
_QUOTE = re.compile(r" {0,3}>")
_SPANS = (
    ("strong", re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")),
    ("emphasis", re.compile(r"(?<![*\w])[*](?=[^\s*])([^*]+?)(?<=[^\s*])[*](?![*\w])")),
    ("code", re.compile(r"(`+)(.+?)(?<!`)\1(?!`)")),
    ("comment", re.compile(r"<!--.*?-->")),
)
_LINKS = {Reach.HOSTS: "link", Reach.PEOPLE: "lookalike", Reach.NOBODY: "missing"}
_MANY = 200
"""Changed lines that are not coloured before they come into view."""
_generations = itertools.count()


class Highlighter(QObject):
    """Colours the lines on show, in a text of any length. `reach` tells who finds the item by a link.

    Colours are formats of a line's layout, no part of the document: undo and "modified" know nothing of them. Each line
    keeps as its `userState` the generation its colours belong to; whatever may change other lines begins a new one.

    Signals:
        outdated: what is on show is to be coloured and painted anew.
        long_lines_changed: the text holds very long lines now, or none any more.
    """

    outdated = Signal()
    long_lines_changed = Signal()

    def __init__(self, theme: Theme, reach: Callable[[WikiLink], Reach], parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._reach = reach
        self._document: QTextDocument | None = None
        self._lines = SpecialLines()
        self._line_count = 0
        self._terms: re.Pattern[str] | None = None
        self._answers: dict[WikiLink, Reach] = {}
        self._formats: dict[str, QTextCharFormat] = {}
        self._make_formats()
        self._generation = next(_generations)
        theme.changed.connect(self._on_theme_changed)

    @property
    def any_long_line(self) -> bool:
        return self._lines.any_long

    def set_document(self, document: QTextDocument) -> None:
        """Colour this document from now on; the one before may be gone already."""
        if self._document is not None and isValid(self._document):
            self._document.contentsChange.disconnect(self._on_contents_change)
        self._document = document
        self._lines = SpecialLines()
        self._line_count = document.blockCount()
        texts = _texts(document.firstBlock(), document.lastBlock())
        self._lines.replace(0, 0, texts)
        self._keep_shapes(0, texts)
        document.contentsChange.connect(self._on_contents_change)
        self._start_anew()

    def set_terms(self, terms: Iterable[str]) -> None:
        """Mark these words of a query (latin ones as whole words)."""
        words = sorted(set(terms), key=len, reverse=True)
        parts = [rf"(?<![a-z0-9]){re.escape(w)}(?![a-z0-9])" if w.isascii() else re.escape(w) for w in words]
        # A lookahead, so that overlapping bigrams are found too.
        pattern = re.compile(f"(?=({'|'.join(parts)}))", re.IGNORECASE) if parts else None
        if (pattern and pattern.pattern) != (self._terms and self._terms.pattern):
            self._terms = pattern
            self._start_anew()

    def refresh_links(self) -> None:
        """Links may resolve now that did not, or the other way round."""
        if any(self._reach(link) != answer for link, answer in self._answers.items()):
            self._start_anew()

    def in_code(self, block: QTextBlock) -> bool:
        """Whether the line belongs to a fenced code block."""
        return after_line(self._lines.fence_before(block.blockNumber()), block.text())[1]

    def color(self, block: QTextBlock, count: int) -> bool:
        """See that this line and those behind it have their colours; whether any had others."""
        outdated = []
        for _ in range(count):
            if not block.isValid():
                break
            if block.userState() != self._generation:
                outdated.append(block)
            block = block.next()
        changed = [block for block in outdated if self._color_line(block, block.text())]
        if changed and self._document is not None:
            # The change of formats is told now, or it would come as part of the next change of the text.
            self._document.markContentsDirty(changed[0].position(), 0)
        return bool(changed)

    @Slot(int, int, int)
    def _on_contents_change(self, position: int, removed: int, added: int) -> None:
        document = self._document
        assert document is not None
        first, last = document.findBlock(position), document.findBlock(position + added)
        if not last.isValid():
            last = document.lastBlock()
        texts = _texts(first, last)
        count = len(texts) - document.blockCount() + self._line_count
        self._line_count = document.blockCount()
        long_before = self.any_long_line
        if self._lines.replace(first.blockNumber(), count, texts) or len(texts) > _MANY:
            self._start_anew()
        # What comes now Qt has not laid out yet.
        self._keep_shapes(first.blockNumber(), texts)
        if len(texts) <= _MANY:
            for text in texts:
                self._color_line(first, text)
                first = first.next()
        if self.any_long_line != long_before:
            self.long_lines_changed.emit()

    def _start_anew(self) -> None:
        self._generation = next(_generations)
        self._answers.clear()
        self.outdated.emit()

    def _keep_shapes(self, first: int, texts: list[str]) -> None:
        """Have Qt keep its shaping of very long lines: else it begins anew for each painting and caret movement."""
        for number, text in enumerate(texts, first):
            if is_long(text) and self._document is not None:
                self._document.findBlockByNumber(number).layout().setCacheEnabled(True)

    def _color_line(self, block: QTextBlock, text: str) -> bool:
        """Give a line its colours; whether it has or had any."""
        block.setUserState(self._generation)
        layout = block.layout()
        ranges = [] if is_long(text) else self._ranges(text, self._lines.fence_before(block.blockNumber()))
        if layout.preeditAreaText():
            ranges = _around_composition(ranges, layout)
        if not ranges and not layout.formats():
            return False
        layout.setFormats(ranges)
        return True

    def _ranges(self, text: str, fence: Fence | None) -> list[QTextLayout.FormatRange]:
        """The formats of a line, the stronger ones last."""
        offsets: Sequence[int] = range(len(text) + 1)
        if not text.isascii() and max(text) > "\uffff":
            offsets = list(itertools.accumulate((1 + (c > "\uffff") for c in text), initial=0))
        ranges = []
        for start, end, name in self._spans(text, fence):
            span = QTextLayout.FormatRange()
            span.start, span.length = offsets[start], offsets[end] - offsets[start]
            span.format = self._formats[name]
            ranges.append(span)
        return ranges

    def _spans(self, text: str, fence: Fence | None) -> Iterator[tuple[int, int, str]]:
        _, code = after_line(fence, text)
        if code:
            yield 0, len(text), "code"
        else:
            yield from _markdown_spans(text)
        for span in find_wiki_links(text):
            reach = self._answers[span.link] = self._reach(span.link)
            yield span.start, span.end, _LINKS[reach]
        if self._terms is not None:
            for match in self._terms.finditer(text):
                yield match.start(), match.end(1), "match"

    def _make_formats(self) -> None:
        def made(color: str, **settings: object) -> QTextCharFormat:
            result = QTextCharFormat()
            result.setForeground(self._theme.color(color))
            if settings.get("bold"):
                result.setFontWeight(QFont.Weight.DemiBold)
            if settings.get("italic"):
                result.setFontItalic(True)
            if settings.get("fill"):
                result.setBackground(self._theme.color(str(settings["fill"])))
            return result

        lookalike = made("link", fill="warningFill")
        lookalike.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DashUnderline)
        lookalike.setUnderlineColor(self._theme.color("warning"))
        missing = made("cut")
        missing.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DashUnderline)
        missing.setUnderlineColor(self._theme.color("cut"))
        match = QTextCharFormat()
        match.setBackground(self._theme.color("match"))
        code = made("text", fill="code")
        code.setFontFamilies([monospace().family()])
        self._formats = {
            "heading": made("text", bold=True),
            "strong": made("text", bold=True),
            "emphasis": made("text", italic=True),
            "code": code,
            "comment": made("muted"),
            "marker": made("accent", bold=True),
            "link": made("link", fill="linkFill"),
            "lookalike": lookalike,
            "missing": missing,
            "match": match,
        }

    def _on_theme_changed(self) -> None:
        self._make_formats()
        self._start_anew()


def _markdown_spans(text: str) -> Iterator[tuple[int, int, str]]:
    if _HEADING.match(text):
        yield 0, len(text), "heading"
    elif _QUOTE.match(text):
        yield 0, len(text), "comment"
    marker = _LIST.match(text)
    if marker:
        yield marker.start(1), marker.end(1), "marker"
    for name, pattern in _SPANS:
        for match in pattern.finditer(text):
            yield match.start(), match.end(), name


def _texts(first: QTextBlock, last: QTextBlock) -> list[str]:
    """The lines from one to another."""
    cursor = QTextCursor(first)
    cursor.setPosition(last.position() + last.length() - 1, QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectedText().split("\u2029")


def _around_composition(ranges: list[QTextLayout.FormatRange], layout: QTextLayout) -> list[QTextLayout.FormatRange]:
    """Make room for what an input method shows inside the line, and keep the formats it gave to that."""
    at, length = layout.preeditAreaPosition(), utf16_length(layout.preeditAreaText())
    for span in ranges:
        if span.start >= at:
            span.start += length
        elif span.start + span.length > at:
            span.length += length
    return ranges + [span for span in layout.formats() if at <= span.start and span.start + span.length <= at + length]
