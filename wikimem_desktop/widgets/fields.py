"""Fields to type into, which an input method may compose in.

While it composes, the keys that decide or choose belong to it; it may not keep them all to itself.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QPlainTextEdit, QWidget

COMPOSING_KEYS = frozenset(
    {
        Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Backtab,
        Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown,
    }
)  # fmt: skip


class LineField(QLineEdit):
    """Signals:
    composing_changed: an input method holds text now that is not decided yet, or none any more.
    """

    composing_changed = Signal(bool)

    def __init__(self, text: str = "", placeholder: str = "", *, clear_button: bool = False) -> None:
        super().__init__(text, placeholderText=placeholder, clearButtonEnabled=clear_button)
        self._composed = ""

    @property
    def composing(self) -> bool:
        return bool(self._composed)

    @Slot()
    def commit_composition(self) -> None:
        """What an input method still holds becomes text."""
        commit(self, lambda: self._composed)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        before, self._composed = self.composing, event.preeditString()
        super().inputMethodEvent(event)
        if self.composing != before:
            self.composing_changed.emit(self.composing)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not (self.composing and event.key() in COMPOSING_KEYS):
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes this way, not by `keyPressEvent`."""
        return self.composing or super().focusNextPrevChild(forward)


class TextField(QPlainTextEdit):
    """Several lines."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self._composed = ""

    @property
    def composing(self) -> bool:
        return bool(self._composed)

    @Slot()
    def commit_composition(self) -> None:
        """What an input method still holds becomes text."""
        commit(self, lambda: self._composed)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._composed = event.preeditString()
        super().inputMethodEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not (self.composing and event.key() in COMPOSING_KEYS):
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        return self.composing or super().focusNextPrevChild(forward)


class ChoiceField(QComboBox):
    """A line with choices. The keys go to the box, which hands them on."""

    def __init__(self) -> None:
        super().__init__(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert)
        self.line = LineField()
        self.setLineEdit(self.line)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not (self.line.composing and event.key() in COMPOSING_KEYS):
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        return self.line.composing or super().focusNextPrevChild(forward)


def commit(widget: QWidget, composed: Callable[[], str]) -> None:
    """Have the input method decide for what it holds; `composed` tells what that is, "" once it did."""
    if composed():
        QGuiApplication.inputMethod().commit()
    if composed():  # the platform's input method did not answer at once
        event = QInputMethodEvent()
        event.setCommitString(composed())
        QApplication.sendEvent(widget, event)
        QGuiApplication.inputMethod().reset()
