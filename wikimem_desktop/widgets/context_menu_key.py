"""Shift+F10 opens the menu of what has the focus, as the menu key does; not every keyboard has that."""

from __future__ import annotations

import sys

from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QWidget


def add_context_menu_key(window: QWidget) -> None:
    """In this window and the docks that float over it. On Windows the system does it."""
    if sys.platform != "win32":
        QShortcut(QKeySequence("Shift+F10"), window, _open_menu, autoRepeat=False)


def _open_menu() -> None:
    """What Qt sends for the menu key."""
    focused = QApplication.focusWidget()
    if focused is not None:
        caret = focused.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle)
        place = caret.toRect().center() if hasattr(caret, "toRect") else caret.center()
        reason = QContextMenuEvent.Reason.Keyboard
        QApplication.sendEvent(focused, QContextMenuEvent(reason, place, focused.mapToGlobal(place)))
