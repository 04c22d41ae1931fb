"""A state in words behind a dot of colour."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent

from wikimem_desktop.widgets.elided_label import ElidedLabel

_DOT, _ROOM = 9.0, 17


class DotLabel(ElidedLabel):
    """Shows what fits of its words; the dot always."""

    def __init__(self) -> None:
        super().__init__(mode=Qt.TextElideMode.ElideRight)
        self.setContentsMargins(_ROOM, 0, 0, 0)
        self.color = QColor()

    def show_state(self, color: str, text: str, more: str = "") -> None:
        """`more` is said on hover, and to a screen reader."""
        self.color = QColor(color)
        self.setText(text)
        self.setToolTip(more or text)
        self.setAccessibleDescription(more)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.color)
        painter.drawEllipse(QRectF(2.0, (self.height() - _DOT) / 2, _DOT, _DOT))
