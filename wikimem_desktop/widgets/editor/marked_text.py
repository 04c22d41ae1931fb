"""A line of text with some of its letters set off: stronger, and in another colour."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QTextCharFormat, QTextLayout

from wikimem_desktop.presentation.qt_text import utf16_length


def paint_marked(painter: QPainter, place: QRect, text: str, marks: Sequence[tuple[int, int]], color: QColor) -> None:
    """Draw the text in the painter's font and colour, elided to the place; `marks` are ranges of code points."""
    shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, place.width())
    layout = QTextLayout(shown, painter.font())
    ranges = []
    for start, end in marks:
        mark = QTextLayout.FormatRange()
        mark.start = utf16_length(text[:start])
        mark.length = min(utf16_length(text[:end]), utf16_length(shown)) - mark.start
        mark.format = QTextCharFormat()
        mark.format.setForeground(color)
        mark.format.setFontWeight(QFont.Weight.DemiBold)
        if mark.length > 0:
            ranges.append(mark)
    layout.setFormats(ranges)
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    layout.draw(painter, QPointF(place.left(), place.top() + (place.height() - line.height()) / 2))
