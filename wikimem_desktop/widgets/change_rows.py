"""Lists of lines that are about to change: where each is, what goes and what comes, and a tick where it can stay."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme

_Index = QModelIndex | QPersistentModelIndex
Pieces = Sequence[tuple[str, str]]
"""Texts, each with the name of its colour."""
_MARGIN, _BOX = 8, 26
_CHANGE = 3
"""Pieces of a change: what goes, an arrow, what comes."""


class ChangeList(QListView):
    """`pieces_of` gives the two lines of a row: where it is, and the line itself, first its text before the change."""

    def __init__(
        self, theme: Theme, model: QAbstractItemModel, pieces_of: Callable[[int], tuple[Pieces, Pieces]]
    ) -> None:
        super().__init__()
        styled(self, "links")
        self.setModel(model)
        self.setItemDelegate(_Delegate(theme, self, pieces_of))
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)


class _Delegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, view: QListView, pieces_of: Callable[[int], tuple[Pieces, Pieces]]) -> None:
        super().__init__(view)
        self._theme = theme
        self._pieces_of = pieces_of

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        metrics: QFontMetrics = option.fontMetrics
        return QSize(200, 2 * metrics.lineSpacing() + 10)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        painter.save()
        rect: QRect = option.rect
        metrics: QFontMetrics = option.fontMetrics
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, self._theme.color("selection"))
        left = rect.left() + _MARGIN
        if index.data(Qt.ItemDataRole.CheckStateRole) is not None:
            self._paint_box(painter, QRect(left, rect.top() + 5, 16, 16), index)
            left += _BOX
        line = QRect(left, rect.top() + 4 + metrics.ascent(), rect.right() - left - _MARGIN, 0)
        where, (head, *others) = self._pieces_of(index.row())
        self._paint_pieces(painter, metrics, where, line)
        # The change must be seen, however long the line is in front of it.
        room = line.width() - sum(metrics.horizontalAdvance(text) for text, _ in others[:_CHANGE])
        head = metrics.elidedText(head[0], Qt.TextElideMode.ElideLeft, max(0, room)), head[1]
        self._paint_pieces(painter, metrics, [head, *others], line.translated(0, metrics.lineSpacing()))
        painter.restore()

    def _paint_pieces(self, painter: QPainter, metrics: QFontMetrics, pieces: Pieces, line: QRect) -> None:
        left, end = line.left(), line.left() + line.width()
        for text, color in pieces:
            painter.setPen(self._theme.color(color))
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(0, end - left))
            painter.drawText(left, line.top(), shown)
            left += metrics.horizontalAdvance(shown)

    def _paint_box(self, painter: QPainter, box: QRect, index: _Index) -> None:
        ticked = index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked
        icon = self._theme.icon("square-check", "accent") if ticked else self._theme.icon("square")
        icon.paint(painter, box)

    def editorEvent(self, event, model, option, index):  # type: ignore[no-untyped-def]
        """A click anywhere on a row ticks it, or takes the tick away; so does Space."""
        state = index.data(Qt.ItemDataRole.CheckStateRole)
        if state is not None and event.type() == QEvent.Type.MouseButtonRelease:
            other = Qt.CheckState.Unchecked if state == Qt.CheckState.Checked else Qt.CheckState.Checked
            return bool(model.setData(index, other, Qt.ItemDataRole.CheckStateRole))
        return super().editorEvent(event, model, option, index)
