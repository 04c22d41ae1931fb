"""The sequence as cards in injection order. Painted by a delegate: there is no widget per entry."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QContextMenuEvent, QFont, QFontMetrics, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from wikimem_desktop.engine.explain import Cut
from wikimem_desktop.presentation.memory_model import Rank
from wikimem_desktop.presentation.sequence_model import Entry, SequenceModel, SequenceRole
from wikimem_desktop.widgets.choice_list import FixList, Index
from wikimem_desktop.widgets.memory_rows import paint_rank
from wikimem_desktop.widgets.theme import Theme, monospace

_GAP = 8
_PADDING = 10
_LINK_INDENT = 28
_BAR_WIDTH = 92
_BAR_HEIGHT = 5


class SequenceView(FixList):
    """Signals:
    entry_chosen: an Entry to open.
    unresolved_chosen: the rendered link that leads nowhere.
    create_wanted: the rendered link that is to lead to a new item.
    choices_wanted: the rendered link of which the person wants to see what can be done.
    """

    entry_chosen = Signal(object)
    unresolved_chosen = Signal(str)
    create_wanted = Signal(str)
    choices_wanted = Signal(str)

    def __init__(self, model: SequenceModel, theme: Theme) -> None:
        super().__init__()
        self.setModel(model)
        self.setItemDelegate(_CardDelegate(model, theme, self))
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setAccessibleName(self.tr("Injection sequence"))
        self.chosen.connect(self._on_chosen)
        self.fix_wanted.connect(self._on_fix_wanted)
        self.others_wanted.connect(self._on_others_wanted)
        theme.changed.connect(self.viewport().update)

    def fix_rect(self, index: Index) -> QRect:
        """An unresolved link has its item created at the right end of the row."""
        text = index.data(SequenceRole.FIX_TEXT)
        if not text:
            return QRect()
        row, width = self.visualRect(index), self.fontMetrics().horizontalAdvance(text)
        return QRect(row.right() - _PADDING - width, row.top(), width, row.height() - 4)

    def others_rect(self, index: Index) -> QRect:
        fix = self.fix_rect(index)
        width = self.fontMetrics().horizontalAdvance(self.others_text)
        return fix if fix.isEmpty() else QRect(fix.left() - width - 14, fix.top(), width, fix.height())

    @property
    def others_text(self) -> str:
        return self.tr("Fix…")

    @property
    def unresolved(self) -> str:
        """The link of the row that has the focus; "" when it is none."""
        row = self.currentIndex().data(SequenceRole.ROW) if self.hasFocus() else None
        return row if isinstance(row, str) else ""

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if isinstance(index.data(SequenceRole.ROW), str):
            self.choices_wanted.emit(index.data(SequenceRole.ROW))

    @Slot(QModelIndex)
    def _on_others_wanted(self, index: QModelIndex) -> None:
        self.choices_wanted.emit(index.data(SequenceRole.ROW))

    @Slot(QModelIndex)
    def _on_fix_wanted(self, index: QModelIndex) -> None:
        self.create_wanted.emit(index.data(SequenceRole.ROW))

    @Slot(QModelIndex)
    def _on_chosen(self, index: QModelIndex) -> None:
        row = index.data(SequenceRole.ROW)
        if isinstance(row, Entry):
            self.entry_chosen.emit(row)
        elif isinstance(row, str):
            self.unresolved_chosen.emit(row)


class _CardDelegate(QStyledItemDelegate):
    def __init__(self, model: SequenceModel, theme: Theme, view: SequenceView) -> None:
        super().__init__(view)
        self._model = model
        self._theme = theme
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row = index.data(SequenceRole.ROW)
        line = option.fontMetrics.height()
        if not isinstance(row, Entry):
            return QSize(120, line + 18)
        return QSize(120, (line + 8) * (2 if self._has_second_line(row) else 1) + 2 * _PADDING - 4 + _GAP)

    @staticmethod
    def _has_second_line(entry: Entry) -> bool:
        return bool(entry.shares or entry.item.via) and not entry.dropped

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(option.font)
        row = index.data(SequenceRole.ROW)
        if isinstance(row, Entry):
            self._paint_card(painter, option, row)
        elif isinstance(row, Cut):
            self._paint_cut(painter, option.rect, row)
        else:
            self._paint_unresolved(painter, option, index)
        painter.restore()

    def _paint_card(self, painter: QPainter, option: QStyleOptionViewItem, entry: Entry) -> None:
        link = entry.item.source == "link"
        card = QRect(option.rect).adjusted(1 + (_LINK_INDENT if link else 0), 0, -1, -_GAP)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        hover = bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.setPen(self._theme.color("accent" if selected else "accentSoft" if hover else "border"))
        painter.setBrush(self._theme.color("selection" if selected else "surface"))
        painter.drawRoundedRect(QRectF(card).adjusted(0.5, 0.5, -0.5, -0.5), 7, 7)
        if link:
            self._paint_connector(painter, option.rect, card, dropped=entry.dropped)
        inner = card.adjusted(_PADDING, _PADDING - 2, -_PADDING, -_PADDING + 2)
        line = QRect(inner.left(), inner.top(), inner.width(), option.fontMetrics.height() + 8)
        paint_rank(
            painter, QPoint(line.left() + 10, line.center().y()), Rank(entry.number, link, entry.dropped), self._theme
        )
        painter.setFont(option.font)
        right = self._paint_numbers(painter, line, entry)
        self._paint_address(
            painter, QRect(line.left() + 32, line.top(), right - line.left() - 40, line.height()), entry
        )
        if self._has_second_line(entry):
            below = line.translated(0, line.height())
            if link:
                self._paint_via(painter, below.adjusted(32, 0, 0, 0), entry)
            else:
                self._paint_bar(painter, below, entry.share)
                self._paint_terms(painter, below.adjusted(0, 0, -_BAR_WIDTH - 14, 0), entry, selected=selected)

    def _paint_connector(self, painter: QPainter, row: QRect, card: QRect, *, dropped: bool) -> None:
        painter.setPen(QPen(self._theme.color("faint" if dropped else "link"), 1.2))
        x, y = row.left() + 14, card.center().y()
        path = QPainterPath(QPointF(x, row.top() - _GAP))
        path.lineTo(x, y - 6)
        path.quadTo(x, y, x + 6, y)
        path.lineTo(card.left(), y)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)

    def _paint_numbers(self, painter: QPainter, line: QRect, entry: Entry) -> int:
        """Cost and score from the right; returns where the address must end."""
        painter.setPen(self._theme.color("muted"))
        cost = self.tr("{0} tok").format(entry.item.tokens_est)
        cost_width = max(
            painter.fontMetrics().horizontalAdvance(cost), painter.fontMetrics().horizontalAdvance("000 tok")
        )
        painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, cost)
        if entry.item.score is None and entry.item.source != "link":
            return line.right() - cost_width
        text = self.tr("link") if entry.item.source == "link" else f"{entry.item.score:.3f}"
        font = monospace()
        width = QFontMetrics(font).horizontalAdvance(text)
        color = "muted" if entry.dropped else "link" if entry.item.source == "link" else "text"
        painter.save()
        painter.setFont(font)
        painter.setPen(self._theme.color(color))
        place = line.adjusted(0, 0, -cost_width - 12, 0)
        painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
        painter.restore()
        return line.right() - cost_width - width - 24

    def _paint_address(self, painter: QPainter, space: QRect, entry: Entry) -> None:
        """Category, name in bold, and the marks; the name gives way first, its whole stands in the tool tip."""
        item = entry.item.item
        mark = self._mark_words(entry)
        metrics = painter.fontMetrics()
        mark_width = metrics.horizontalAdvance(mark) + 10 if mark else 0
        room = max(space.width() - mark_width, 30)
        category = metrics.elidedText(f"{item.category}:", Qt.TextElideMode.ElideRight, max(room // 2, 20))
        painter.setPen(self._theme.color("muted"))
        vertical = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(space, vertical, category)
        left = space.left() + metrics.horizontalAdvance(category)
        bold = QFont(painter.font())
        bold.setWeight(QFont.Weight.DemiBold)
        painter.save()
        painter.setFont(bold)
        painter.setPen(self._theme.color("muted" if entry.dropped else "text"))
        bold_metrics = QFontMetrics(bold)
        name = bold_metrics.elidedText(item.name, Qt.TextElideMode.ElideRight, space.left() + room - left)
        painter.drawText(QRect(left, space.top(), room, space.height()), vertical, name)
        painter.restore()
        if mark:
            painter.setPen(self._theme.color("cut"))
            left += bold_metrics.horizontalAdvance(name) + 8
            painter.drawText(QRect(left, space.top(), mark_width, space.height()), vertical, mark)

    def _mark_words(self, entry: Entry) -> str:
        if entry.blocks:
            return self._model.blocker_words(entry.blocks)
        if entry.over_budget:
            return self.tr("over budget")
        return self.tr("counted as free") if entry.costs_nothing else ""

    def _paint_terms(self, painter: QPainter, space: QRect, entry: Entry, *, selected: bool) -> None:
        metrics = painter.fontMetrics()
        left = space.left() + 24
        shares = sorted(entry.shares, key=lambda share: -share.adds)
        for number, share in enumerate(shares):
            text = f"{share.term} {share.adds:.2f}"
            width = metrics.horizontalAdvance(text) + 14
            more = f"+{len(shares) - number}"
            reserve = 0 if number == len(shares) - 1 else metrics.horizontalAdvance(more) + 12
            if left + width + reserve > space.right() and number:
                painter.setPen(self._theme.color("muted"))
                painter.drawText(QRect(left, space.top(), 60, space.height()), Qt.AlignmentFlag.AlignVCenter, more)
                return
            chip = QRect(left, space.top() + 2, min(width, space.right() - left), space.height() - 4)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("surface" if selected else "selection"))
            painter.drawRoundedRect(chip, 5, 5)
            painter.setPen(self._theme.color("accent"))
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, chip.width() - 10)
            painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, text)
            left += width + 6

    def _paint_bar(self, painter: QPainter, space: QRect, share: float) -> None:
        track = QRectF(space.right() - _BAR_WIDTH, space.center().y() - _BAR_HEIGHT / 2 + 1, _BAR_WIDTH, _BAR_HEIGHT)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("border"))
        painter.drawRoundedRect(track, 2.5, 2.5)
        painter.setBrush(self._theme.color("accent"))
        painter.drawRoundedRect(
            QRectF(track.left(), track.top(), max(3.0, track.width() * share), track.height()), 2.5, 2.5
        )

    def _paint_via(self, painter: QPainter, space: QRect, entry: Entry) -> None:
        before, via, after = self._model.via_words(entry.item.via or "")
        metrics = painter.fontMetrics()
        room = space.width() - metrics.horizontalAdvance(before + after)
        via = metrics.elidedText(via, Qt.TextElideMode.ElideMiddle, max(room, 24))
        left = space.left()
        for text, color in ((before, "muted"), (via, "text"), (after, "muted")):
            painter.setPen(self._theme.color(color))
            width = metrics.horizontalAdvance(text)
            painter.drawText(QRect(left, space.top(), width + 2, space.height()), Qt.AlignmentFlag.AlignVCenter, text)
            left += width

    def _paint_cut(self, painter: QPainter, rect: QRect, cut: Cut) -> None:
        font = QFont(painter.font())
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        metrics = painter.fontMetrics()
        text = metrics.elidedText(self._model.cut_words(cut), Qt.TextElideMode.ElideRight, rect.width() - 24)
        width = metrics.horizontalAdvance(text)
        painter.setPen(QPen(self._theme.color("cut"), 2))
        middle = rect.center().y() - 3
        left = rect.left() + (rect.width() - width) // 2
        painter.drawLine(rect.left() + 1, middle, left - 10, middle)
        painter.drawLine(left + width + 10, middle, rect.right() - 1, middle)
        place = QRect(left, middle - metrics.height(), width + 2, 2 * metrics.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_unresolved(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect = option.rect.adjusted(2, 0, -2, -4)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("selection"))
            painter.drawRoundedRect(rect, 5, 5)
        metrics = painter.fontMetrics()
        label = self.tr("Not found") + "  "
        vertical = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(self._theme.color("muted"))
        painter.drawText(rect.adjusted(8, 0, 0, 0), vertical, label)
        left = rect.left() + 8 + metrics.horizontalAdvance(label)
        fix, others = self._view.fix_rect(index), self._view.others_rect(index)
        link = str(index.data(SequenceRole.ROW))
        text = metrics.elidedText(link, Qt.TextElideMode.ElideMiddle, others.left() - left - 14)
        place = QRect(left, rect.top(), metrics.horizontalAdvance(text) + 2, rect.height())
        painter.setPen(QColor(self._theme.color("cut")))
        painter.drawText(place, vertical, text)
        painter.setPen(QPen(self._theme.color("cut"), 1, Qt.PenStyle.DashLine))
        base = place.center().y() + metrics.height() // 2
        painter.drawLine(place.left(), base, place.right(), base)
        painter.setPen(self._theme.color("accent"))
        font = QFont(option.font)
        for choice, words, pointed in (
            (fix, str(index.data(SequenceRole.FIX_TEXT)), index == self._view.pointed_fix),
            (others, self._view.others_text, index == self._view.pointed_others),
        ):
            font.setUnderline(pointed)
            painter.setFont(font)
            painter.drawText(choice, vertical, words)
