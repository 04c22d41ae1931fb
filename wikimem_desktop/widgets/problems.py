"""The problems pane: each finding with its place and, where one is safe, a fix at the right end of its row."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QContextMenuEvent, QFont, QPainter, QPolygon
from PySide6.QtWidgets import QComboBox, QMenu, QPushButton, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from wikimem_desktop.engine.problems import Problem
from wikimem_desktop.presentation.problems_model import ProblemRole, ProblemsModel
from wikimem_desktop.presentation.words import kind_text, repaired_at_once
from wikimem_desktop.widgets.choice_list import FixList, Index
from wikimem_desktop.widgets.panes import fill_pane
from wikimem_desktop.widgets.theme import Theme

_GAP = 14


class ProblemsView(FixList):
    """Signals:
    problem_chosen: a Problem to jump to.
    fix_chosen: a Problem whose fix the person wants.
    """

    problem_chosen = Signal(object)
    fix_chosen = Signal(object)

    def __init__(self, model: ProblemsModel, theme: Theme) -> None:
        super().__init__()
        self.setModel(model)
        self.setItemDelegate(_Delegate(theme, self))
        self.setUniformItemSizes(True)
        self.setAccessibleName(self.tr("Problems"))
        self.chosen.connect(self._on_chosen)
        self.fix_wanted.connect(self._on_fix_wanted)
        theme.changed.connect(self.viewport().update)

    def fix_rect(self, index: Index) -> QRect:
        text = index.data(ProblemRole.FIX_TEXT)
        if not text:
            return QRect()
        row, width = self.visualRect(index), self.fontMetrics().horizontalAdvance(text)
        return QRect(row.right() - _GAP - width, row.top(), width, row.height())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if not index.isValid():
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        row = QPersistentModelIndex(index)
        menu.addAction(self.tr("Go there")).triggered.connect(lambda: self._on_chosen(row))
        fix = index.data(ProblemRole.FIX_TEXT)
        if fix:
            menu.addAction(fix).triggered.connect(lambda: self.fix(row))
        place = self.visualRect(index).center() if by_key else event.pos()
        menu.popup(self.viewport().mapToGlobal(place))

    @Slot(QModelIndex)
    def _on_fix_wanted(self, index: QModelIndex) -> None:
        self.fix_chosen.emit(index.data(ProblemRole.PROBLEM))

    @Slot(QModelIndex)
    def _on_chosen(self, index: Index) -> None:
        if index.isValid():
            self.problem_chosen.emit(index.data(ProblemRole.PROBLEM))


class ProblemsPane(QWidget):
    """The list, and above it what kinds there are; what of it needs no question can be repaired at once.

    Signals:
        all_fixed: the problems that the person wants repaired.
    """

    all_fixed = Signal(object)

    def __init__(self, model: ProblemsModel, view: ProblemsView) -> None:
        super().__init__()
        self._model = model
        self.kinds = QComboBox(sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.kinds.setAccessibleName(self.tr("Kind of problem"))
        self.kinds.view().setAccessibleName(self.tr("Kinds of problems"))
        self.fix_all = QPushButton()
        room = QWidget()
        fill_pane(self, [self.kinds, room, self.fix_all], room, view)
        self.setFocusProxy(view)
        self.kinds.activated.connect(self._on_kind_chosen)
        self.fix_all.clicked.connect(self._on_fix_all)
        model.counted.connect(self._show_kinds)
        self._show_kinds()

    @Slot()
    def _show_kinds(self) -> None:
        counts = Counter(problem.kind for problem in self._model.problems)
        if self._model.kind is not None and not counts[self._model.kind]:
            self._model.show_kind(None)
        self.kinds.clear()
        self.kinds.addItem(self.tr("All kinds"), None)
        for kind, count in sorted(counts.items(), key=lambda entry: kind_text(entry[0])):
            self.kinds.addItem(f"{kind_text(kind)}  {count}", kind)
        self.kinds.setCurrentIndex(max(0, self.kinds.findData(self._model.kind)))
        self._show_fix()

    def _show_fix(self) -> None:
        count = len(self._repairable)
        self.fix_all.setText(self.tr("Repair %n problem(s)", None, count))
        self.fix_all.setVisible(count > 1)

    @property
    def _repairable(self) -> list[Problem]:
        return [problem for problem in self._model.shown if repaired_at_once(problem)]

    @Slot(int)
    def _on_kind_chosen(self, row: int) -> None:
        self._model.show_kind(self.kinds.itemData(row))
        self._show_fix()

    @Slot()
    def _on_fix_all(self) -> None:
        self.all_fixed.emit(self._repairable)


class _Delegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, view: ProblemsView) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view

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
        left, right = row.left() + 30, self._paint_fix(painter, row.right() - 8, index)
        place_width = min(metrics.horizontalAdvance(place), (right - left) // 3)
        text = metrics.elidedText(str(index.data()), Qt.TextElideMode.ElideRight, right - left - place_width - 14)
        painter.setPen(self._theme.color("text"))
        painter.drawText(QRect(left, row.top(), right - left, row.height()), Qt.AlignmentFlag.AlignVCenter, text)
        left += metrics.horizontalAdvance(text) + 14
        painter.setPen(self._theme.color("muted"))
        place = metrics.elidedText(place, Qt.TextElideMode.ElideMiddle, right - left)
        painter.drawText(QRect(left, row.top(), right - left, row.height()), Qt.AlignmentFlag.AlignVCenter, place)
        painter.restore()

    def _paint_fix(self, painter: QPainter, right: int, index: Index) -> int:
        """What can be done about it; returns where the words before it must end."""
        place = self._view.fix_rect(index)
        if place.isEmpty():
            return right
        painter.save()
        font = QFont(painter.font())
        font.setUnderline(index == self._view.pointed_fix)
        painter.setFont(font)
        painter.setPen(self._theme.color("accent"))
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, str(index.data(ProblemRole.FIX_TEXT)))
        painter.restore()
        return place.left() - _GAP

    def _paint_sign(self, painter: QPainter, center: QPoint, *, severe: bool) -> None:
        """A red disc for what is lost to the agent, an amber triangle for what surprises."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("cut" if severe else "sign"))
        if severe:
            painter.drawEllipse(center, 5, 5)
        else:
            painter.drawPolygon(QPolygon([center + QPoint(-6, 5), center + QPoint(6, 5), center + QPoint(0, -6)]))
