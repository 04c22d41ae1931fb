"""A line edit for names, which an input method may compose."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit

_DECIDING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)


class NameField(QLineEdit):
    """Enter and Esc belong to the input method while it composes, which may not keep them all to itself."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.composing = False

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self.composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not (self.composing and event.key() in _DECIDING):
            super().keyPressEvent(event)
