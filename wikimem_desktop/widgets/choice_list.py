"""A list whose rows lead somewhere: by a click, or by Enter. Some rows offer a fix too."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QListView

Index = QModelIndex | QPersistentModelIndex


class ChoiceList(QListView):
    """Signals:
    chosen: the index of the row that was clicked, or that had the focus when Enter was pressed.
    """

    chosen = Signal(QModelIndex)

    def __init__(self) -> None:
        super().__init__()
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(self._on_clicked)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if is_enter(event, Qt.KeyboardModifier.NoModifier) and self.currentIndex().isValid():
            self.chosen.emit(self.currentIndex())
            return
        super().keyPressEvent(event)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self.chosen.emit(index)


class FixList(ChoiceList):
    """A row may offer a fix: by a click where `fix_rect` is, or by Ctrl+Enter. It may offer others at `others_rect`.

    Signals:
        fix_wanted, others_wanted: the index of the row.
    """

    fix_wanted = Signal(QModelIndex)
    others_wanted = Signal(QModelIndex)

    def __init__(self) -> None:
        super().__init__()
        self.pointed_fix = QPersistentModelIndex()
        """The row whose fix is under the mouse."""
        self.pointed_others = QPersistentModelIndex()
        """The row whose other fixes are."""

    def fix_rect(self, index: Index) -> QRect:
        """Where the row's fix stands, below the viewport's corner; nowhere when it has none."""
        raise NotImplementedError

    def others_rect(self, index: Index) -> QRect:
        """Where the row offers other fixes, if it does."""
        return QRect()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if is_enter(event, Qt.KeyboardModifier.ControlModifier):
            self.fix(self.currentIndex())
            return
        super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._point_at(event.position().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._point_at(event.position().toPoint())
        super().mouseReleaseEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._point_at(QPoint(-1, -1))

    def _point_at(self, place: QPoint) -> None:
        index = self.indexAt(place)
        fix = QPersistentModelIndex(index if self.fix_rect(index).contains(place) else QModelIndex())
        others = QPersistentModelIndex(index if self.others_rect(index).contains(place) else QModelIndex())
        if (fix, others) != (self.pointed_fix, self.pointed_others):
            self.pointed_fix, self.pointed_others = fix, others
            if fix.isValid() or others.isValid():
                self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
            else:
                self.viewport().unsetCursor()
            self.viewport().update()

    def fix(self, index: Index) -> None:
        """Want the row's fix, if it has one."""
        if not self.fix_rect(index).isEmpty():
            self.fix_wanted.emit(self.model().index(index.row(), 0))

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        if index == self.pointed_fix:
            self.fix(index)
        elif index == self.pointed_others:
            self.others_wanted.emit(index)
        else:
            super()._on_clicked(index)


def is_enter(event: QKeyEvent, modifiers: Qt.KeyboardModifier) -> bool:
    """Whether Enter was pressed, on either side of the keyboard, with exactly these modifiers."""
    pressed = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and pressed == modifiers
