"""A list whose rows lead somewhere: by a click, or by Enter."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QListView


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


def is_enter(event: QKeyEvent, modifiers: Qt.KeyboardModifier) -> bool:
    """Whether Enter was pressed, on either side of the keyboard, with exactly these modifiers."""
    pressed = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and pressed == modifiers
