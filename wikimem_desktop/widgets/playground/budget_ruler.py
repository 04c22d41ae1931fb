"""The sequence as a ruler: every entry a block as wide as its tokens, and the budget as a line that can be dragged."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from wikimem_desktop.presentation.sequence_model import Entry
from wikimem_desktop.widgets.theme import Theme

_HEIGHT = 28
_RADIUS = 5
_STRIPE = 9
_GRIP = 7
_SMALL_STEP, _LARGE_STEP = 1, 20


class BudgetRuler(QWidget):
    """Signals:
    budget_dragged: the new budget in tokens.
    entry_clicked: the number of an Entry.
    """

    budget_dragged = Signal(int)
    entry_clicked = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._entries: Sequence[Entry] = ()
        self._budget: int | None = None
        self._total = 0
        self._dragging = False
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Budget ruler"))
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(200, _HEIGHT)

    def show_run(self, entries: Sequence[Entry], budget: int | None) -> None:
        self._entries, self._budget = entries, budget
        self._total = sum(entry.item.tokens_est for entry in entries)
        cap = self.tr("no budget") if budget is None else self.tr("budget %n token(s)", None, budget)
        self.setAccessibleDescription(self.tr("%n token(s) in the whole sequence", None, self._total) + ", " + cap)
        self.update()

    @property
    def _scale(self) -> int:
        """Tokens that the whole width stands for."""
        return max(self._total, self._budget or 0, 1)

    def _x(self, tokens: float) -> float:
        return 1 + (self.width() - 2) * tokens / self._scale

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        body = QRectF(1, 3, self.width() - 2, self.height() - 6)
        clip = QPainterPath()
        clip.addRoundedRect(body, _RADIUS, _RADIUS)
        painter.setClipPath(clip)
        painter.fillRect(body, self._theme.color("code"))
        at = 0
        for entry in self._entries:
            left, at = self._x(at), at + entry.item.tokens_est
            self._paint_block(painter, QRectF(left, body.top(), self._x(at) - left, body.height()), entry)
        painter.setClipping(False)
        if self._budget is not None:
            self._paint_cut(painter, self._x(self._budget))
        if self.hasFocus():
            painter.setPen(self._theme.color("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(0.5, 0.5, self.width() - 1, self.height() - 1), _RADIUS, _RADIUS)

    def _paint_block(self, painter: QPainter, block: QRectF, entry: Entry) -> None:
        link = entry.item.source == "link"
        painter.fillRect(block, self._theme.color("dropped" if entry.dropped else "link" if link else "accent"))
        if link:
            painter.save()
            painter.setClipRect(block, Qt.ClipOperation.IntersectClip)
            painter.setPen(QPen(self._theme.color("surface" if entry.dropped else "linkStripe"), 3))
            x = block.left() - block.height()
            while x < block.right():
                painter.drawLine(QPointF(x, block.bottom()), QPointF(x + block.height(), block.top()))
                x += _STRIPE
            painter.restore()
        painter.setPen(QPen(self._theme.color("surface"), 1))
        painter.drawLine(block.topRight(), block.bottomRight())

    def _paint_cut(self, painter: QPainter, x: float) -> None:
        x = min(max(x, 1.5), self.width() - 1.5)
        painter.setPen(QPen(self._theme.color("surface"), 5))
        painter.drawLine(QPointF(x, 2), QPointF(x, self.height() - 2))
        painter.setPen(QPen(self._theme.color("cut"), 2))
        painter.drawLine(QPointF(x, 0), QPointF(x, self.height()))

    # ------------------------------------------------------------ dragging the cut

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        x = event.position().x()
        # Without a budget the line waits at the right end.
        line = self._x(self._budget) if self._budget is not None else self.width()
        if abs(x - line) <= _GRIP:
            self._dragging = True
            return
        entry = self._entry_at(x)
        if entry is not None:
            self.entry_clicked.emit(entry.number)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        if self._dragging:
            self._set_budget(round((x - 1) / max(self.width() - 2, 1) * self._scale))
        line = self._x(self._budget) if self._budget is not None else self.width()
        near = self._dragging or abs(x - line) <= _GRIP
        self.setCursor(Qt.CursorShape.SplitHCursor if near else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._dragging = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Left: -_SMALL_STEP,
            Qt.Key.Key_Right: _SMALL_STEP,
            Qt.Key.Key_PageDown: -_LARGE_STEP,
            Qt.Key.Key_PageUp: _LARGE_STEP,
        }
        step = steps.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        self._set_budget((self._budget if self._budget is not None else self._scale) + step)

    def _set_budget(self, tokens: int) -> None:
        tokens = max(1, tokens)
        if tokens != self._budget:
            self.budget_dragged.emit(tokens)

    def _entry_at(self, x: float) -> Entry | None:
        at = 0
        for entry in self._entries:
            at += entry.item.tokens_est
            if x <= self._x(at):
                return entry
        return None

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            entry = self._entry_at(event.pos().x())
            if entry is not None:
                state = self.tr("dropped") if entry.dropped else self.tr("kept")
                tokens = self.tr("%n token(s)", None, entry.item.tokens_est)
                text = f"{entry.number} · {entry.item.item.address} · {tokens} · {state}"
                QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)
