"""The rows of the memory tree: how they look, and where they can be dropped."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QDropEvent, QFont, QKeyEvent, QPainter, QPaintEvent, QPalette, QPolygon
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView

from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.presentation.memory_model import MemoryModel, Rank, Role
from wikimem_desktop.widgets.theme import Theme

_INDENT = 20
_BADGE = 20
_MARGIN = 12


class Drop(NamedTuple):
    """Where rows were let go: on a row, or `between` two of an item's category, then in front of `before`."""

    on: Place
    between: bool
    before: Place | None


class RowView(QTreeView):
    """Signals:
    dropped: a Drop: selected rows were let go over a row.
    return_pressed: the current row is to be opened.
    """

    dropped = Signal(object)
    return_pressed = Signal(QModelIndex)

    def __init__(self) -> None:
        super().__init__()
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDropIndicatorShown(True)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setIndentation(0)
        self.setRootIsDecorated(False)
        self.setExpandsOnDoubleClick(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.clicked.connect(self._on_clicked)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        if self.model().hasChildren(index) and not index.parent().isValid():
            self.setExpanded(index, not self.isExpanded(index))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Alt and an arrow put rows elsewhere: where that can't be, it must not select another row to be put there."""
        arrows = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right)
        if event.key() in arrows and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            return
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.return_pressed.emit(self.currentIndex())

    def dropEvent(self, event: QDropEvent) -> None:
        """Rows move when the disk says so, not here."""
        index = self.indexAt(event.position().toPoint())
        place = index.data(Role.PLACE) if index.isValid() else None
        position = self.dropIndicatorPosition()
        event.setDropAction(Qt.DropAction.IgnoreAction)
        event.accept()
        self.setState(QAbstractItemView.State.NoState)
        if isinstance(place, Place):
            below = position == QAbstractItemView.DropIndicatorPosition.BelowItem
            beside = below or position == QAbstractItemView.DropIndicatorPosition.AboveItem
            after = index.siblingAtRow(index.row() + 1).data(Role.PLACE) if below and place.kind == "item" else None
            self.dropped.emit(Drop(place, between=beside and place.kind == "item", before=after if below else place))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        model = self.model()
        if isinstance(model, MemoryModel) and model.filtering and not model.rowCount():
            painter = QPainter(self.viewport())
            painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
            rect = self.viewport().rect().adjusted(_MARGIN, _MARGIN, -_MARGIN, 0)
            flags = Qt.AlignmentFlag.AlignTop.value | Qt.TextFlag.TextWordWrap.value
            words = self.tr("Searching…") if model.searching else self.tr("Nothing is like that.")
            painter.drawText(rect, flags, words)

    def drawBranches(self, painter: QPainter, rect: QRect, index: QModelIndex | QPersistentModelIndex) -> None:
        """The delegate draws the arrows."""


class RowDelegate(QStyledItemDelegate):
    """Paints a row: arrow, name, and the badges at its end."""

    def __init__(self, theme: Theme, tree: QTreeView) -> None:
        super().__init__(tree)
        self._theme = theme
        self._tree = tree

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(80, option.fontMetrics.height() + 9)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        row = option.rect.adjusted(6, 1, -6, -1)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("selection" if selected else "bar"))
            painter.drawRoundedRect(row, 5, 5)
        if selected and option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(self._theme.color("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(row, 5, 5)
        depth = 0
        parent = index.parent()
        while parent.isValid():
            depth, parent = depth + 1, parent.parent()
        right = self._paint_marks(painter, option, index, row.right() - 6)
        font = QFont(option.font)
        font.setWeight(QFont.Weight.DemiBold if depth == 0 else QFont.Weight.Normal)
        painter.setFont(font)
        left = row.left() + 8 + (14 if depth == 0 else _INDENT + (depth - 1) * 16)
        if depth == 0 and index.model().hasChildren(index):
            self._paint_arrow(painter, row, opened=self._tree.isExpanded(index))
        painter.setPen(self._theme.color("text" if depth < 2 else "muted"))
        space = QRect(left, row.top(), right - left - 6, row.height())
        text = painter.fontMetrics().elidedText(str(index.data()), Qt.TextElideMode.ElideRight, space.width())
        painter.drawText(space, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        painter.restore()

    def _paint_arrow(self, painter: QPainter, row: QRect, *, opened: bool) -> None:
        middle = QPoint(row.left() + 9, row.center().y() + 1)
        down = [QPoint(-4, -2), QPoint(4, -2), QPoint(0, 3)]
        right = [QPoint(-2, -4), QPoint(-2, 4), QPoint(3, 0)]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("muted"))
        painter.drawPolygon(QPolygon([middle + point for point in (down if opened else right)]))

    def _paint_marks(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex, right: int
    ) -> int:
        """Count, rank, dot and triangle from the right; returns where the text must end."""
        center = option.rect.center().y() + 1
        count = index.data(Role.COUNT)
        if count is not None:
            painter.setPen(self._theme.color("muted"))
            text = str(count)
            width = option.fontMetrics.horizontalAdvance(text)
            place = QRect(right - width, option.rect.top(), width, option.rect.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, text)
            right -= width + 6
        rank = index.data(Role.RANK)
        if isinstance(rank, Rank):
            paint_rank(painter, QPoint(right - _BADGE // 2, center), rank, self._theme)
            right -= _BADGE + 4
        painter.setPen(Qt.PenStyle.NoPen)
        if index.data(Role.UNSAVED):
            painter.setBrush(self._theme.color("sign"))
            painter.drawEllipse(QPoint(right - 6, center), 4, 4)
            right -= 16
        if index.data(Role.PROBLEM):
            painter.setBrush(self._theme.color("sign"))
            points = [QPoint(right - 12, center + 4), QPoint(right, center + 4), QPoint(right - 6, center - 6)]
            painter.drawPolygon(QPolygon(points))
            right -= 16
        return right


def paint_rank(painter: QPainter, center: QPoint, rank: Rank, theme: Theme) -> None:
    """The round badge with an entry's place in the sequence: hits blue, links violet with a ring, dropped grey."""
    name = "link" if rank.link else "accent"
    fill = QColor(theme.color("border" if rank.dropped else "linkFill" if rank.link else "selection"))
    painter.setPen(theme.color(name) if rank.link and not rank.dropped else Qt.PenStyle.NoPen)
    painter.setBrush(fill)
    font = QFont(painter.font())
    font.setPointSizeF(font.pointSizeF() * 0.82)
    font.setWeight(QFont.Weight.DemiBold)
    painter.setFont(font)
    text = str(rank.number)
    width = max(_BADGE, painter.fontMetrics().horizontalAdvance(text) + 10)
    badge = QRectF(center.x() - width / 2, center.y() - _BADGE / 2, width, _BADGE)
    painter.drawRoundedRect(badge, _BADGE / 2, _BADGE / 2)
    painter.setPen(theme.color("muted" if rank.dropped else name))
    painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, text)
