"""The problems pane: each finding with its place; choosing one jumps there."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QPainter, QPolygon
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from wikimem_desktop.presentation.problems_model import ProblemRole, ProblemsModel
from wikimem_desktop.widgets.theme import Theme

Index = QModelIndex | QPersistentModelIndex


class ProblemsView(QListView):
    """Signals:
    problem_chosen: a Problem to jump to.
    """

    problem_chosen = Signal(object)

    def __init__(self, model: ProblemsModel, theme: Theme) -> None:
        super().__init__()
        self.setModel(model)
        self.setItemDelegate(_Delegate(theme, self))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Problems"))
        self.clicked.connect(self._on_chosen)
        theme.changed.connect(self.viewport().update)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_chosen(self.currentIndex())
            return
        super().keyPressEvent(event)

    @Slot(QModelIndex)
    def _on_chosen(self, index: QModelIndex) -> None:
        problem = index.data(ProblemRole.PROBLEM)
        if problem is not None:
            self.problem_chosen.emit(problem)


class _Delegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, option.fontMetrics.height() + 9)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(option.font)
        row = option.rect.adjusted(6, 1, -6, -1)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("selection" if selected else "bar"))
            painter.drawRoundedRect(row, 5, 5)
        self._paint_sign(
            painter, QPoint(row.left() + 14, row.center().y() + 1), severe=bool(index.data(ProblemRole.SEVERE))
        )
        metrics = painter.fontMetrics()
        place = str(index.data(ProblemRole.PLACE_TEXT))
        left, right = row.left() + 30, row.right() - 8
        place_width = min(metrics.horizontalAdvance(place), (right - left) // 3)
        text = metrics.elidedText(str(index.data()), Qt.TextElideMode.ElideRight, right - left - place_width - 14)
        painter.setPen(self._theme.color("text"))
        painter.drawText(QRect(left, row.top(), right - left, row.height()), Qt.AlignmentFlag.AlignVCenter, text)
        left += metrics.horizontalAdvance(text) + 14
        painter.setPen(self._theme.color("muted"))
        place = metrics.elidedText(place, Qt.TextElideMode.ElideMiddle, right - left)
        painter.drawText(QRect(left, row.top(), right - left, row.height()), Qt.AlignmentFlag.AlignVCenter, place)
        painter.restore()

    def _paint_sign(self, painter: QPainter, center: QPoint, *, severe: bool) -> None:
        """A red disc for what is lost to the agent, an amber triangle for what surprises."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("cut" if severe else "sign"))
        if severe:
            painter.drawEllipse(center, 5, 5)
        else:
            painter.drawPolygon(QPolygon([center + QPoint(-6, 5), center + QPoint(6, 5), center + QPoint(0, -6)]))
