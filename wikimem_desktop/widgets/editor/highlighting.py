"""Colours of Markdown, wiki-links and the words a query matched, in the text being edited."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from PySide6.QtGui import QFont, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from wikimem_desktop.engine.links import WikiLink, find_wiki_links
from wikimem_desktop.engine.markdown import Fence, after_line
from wikimem_desktop.presentation.qt_text import utf16_length
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
_NO_FENCE = -1


class Highlighter(QSyntaxHighlighter):
    """`resolves` tells whether a link leads anywhere."""

    def __init__(self, document: QTextDocument, theme: Theme, resolves: Callable[[WikiLink], bool]) -> None:
        super().__init__(document)
        self._theme = theme
        self._resolves = resolves
        self._terms: re.Pattern[str] | None = None
        self._formats: dict[str, QTextCharFormat] = {}
        self._make_formats()
        theme.changed.connect(self._on_theme_changed)

    def set_terms(self, terms: Iterable[str]) -> None:
        """Mark these words of a query (latin ones as whole words)."""
        words = sorted(set(terms), key=len, reverse=True)
        parts = [rf"(?<![a-z0-9]){re.escape(w)}(?![a-z0-9])" if w.isascii() else re.escape(w) for w in words]
        # A lookahead, so that overlapping bigrams are found too.
        pattern = re.compile(f"(?=({'|'.join(parts)}))", re.IGNORECASE) if parts else None
        if (pattern and pattern.pattern) != (self._terms and self._terms.pattern):
            self._terms = pattern
            self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        fence, code = after_line(self._fence(self.previousBlockState()), text)
        self.setCurrentBlockState(_NO_FENCE if fence is None else fence.length * 2 + (fence.character == "~"))
        astral = utf16_length(text) != len(text)

        def paint(start: int, end: int, name: str) -> None:
            if astral:
                start, end = utf16_length(text[:start]), utf16_length(text[:end])
            self.setFormat(start, end - start, self._formats[name])

        if code:
            paint(0, len(text), "code")
        else:
            self._paint_markdown(text, paint)
        for span in find_wiki_links(text):
            paint(span.start, span.end, "link" if self._resolves(span.link) else "missing")
        self._paint_terms(text, paint)

    @staticmethod
    def _fence(state: int) -> Fence | None:
        return None if state <= 0 else Fence("~" if state % 2 else "`", state // 2)

    def _paint_markdown(self, text: str, paint: Callable[[int, int, str], None]) -> None:
        if _HEADING.match(text):
            paint(0, len(text), "heading")
        elif _QUOTE.match(text):
            paint(0, len(text), "comment")
        marker = _LIST.match(text)
        if marker:
            paint(marker.start(1), marker.end(1), "marker")
        for name, pattern in _SPANS:
            for match in pattern.finditer(text):
                paint(match.start(), match.end(), name)

    def _paint_terms(self, text: str, paint: Callable[[int, int, str], None]) -> None:
        if self._terms is None:
            return
        start = end = -1
        for match in self._terms.finditer(text):
            if match.start() > end:
                if end > start:
                    self._mark(text, start, end)
                start = match.start()
            end = max(end, match.end(1))
        if end > start:
            self._mark(text, start, end)

    def _mark(self, text: str, start: int, end: int) -> None:
        """Give a match its background, keeping what is painted there."""
        for position in range(utf16_length(text[:start]), utf16_length(text[:end])):
            format_ = QTextCharFormat(self.format(position))
            format_.setBackground(self._theme.color("match"))
            self.setFormat(position, 1, format_)

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

        missing = made("cut")
        missing.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DashUnderline)
        missing.setUnderlineColor(self._theme.color("cut"))
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
            "missing": missing,
        }

    def _on_theme_changed(self) -> None:
        self._make_formats()
        self.rehighlight()
