"""What all our dialogs have in common: where they stand, which way Tab goes in them, and what Enter presses."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLayout, QPushButton, QScrollArea, QWidget

from wikimem_desktop.widgets.context_menu_key import add_context_menu_key


class Dialog(QDialog):
    """Enter presses the button that has the focus; everywhere else the default one, whatever had the focus before.

    (An `autoDefault` button, as all are that Qt makes in a dialog, takes the default over with the focus.)
    Tab goes as the layout does, and the dialog stands over the middle of its window.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        add_context_menu_key(self)

    def setVisible(self, visible: bool) -> None:
        if visible and not self.isVisible():
            self._prepare()
        super().setVisible(visible)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        button = self.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(button, QPushButton):
            button.click()
        else:
            super().keyPressEvent(event)

    def _prepare(self) -> None:
        """All that must be right before it is seen: what is done afterwards, X11 does too late or not at all."""
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)
        for box in self.findChildren(QDialogButtonBox):
            box.setFocusProxy(None)  # type: ignore[arg-type]  # the default button; Tab would go there past the others
        layout = self.layout()
        if layout is not None:
            for before, after in pairwise(_stops(layout)):
                QWidget.setTabOrder(before, after)
        self.ensurePolished()
        if not self.testAttribute(Qt.WidgetAttribute.WA_Resized):
            self.adjustSize()
        self._stand_over_window()

    def _stand_over_window(self) -> None:
        parent = self.parentWidget()
        window = parent.window() if parent is not None else None
        if window is None or not window.isVisible():
            return
        frame, inside = window.frameGeometry(), window.geometry()
        place = QRect(inside.topLeft(), self.size())
        place.moveCenter(inside.center())
        screen = window.screen().availableGeometry()
        # `move` places the frame, which is as wide as that of the window.
        left, top = place.left() - (inside.left() - frame.left()), place.top() - (inside.top() - frame.top())
        self.move(max(screen.left(), left), max(screen.top(), top))


def _stops(layout: QLayout) -> Iterator[QWidget]:
    """Where Tab stops, in the order of a layout: what is made later may stand above what was there before."""
    for at in range(layout.count()):
        item = layout.itemAt(at)
        assert item is not None
        inner, widget = item.layout(), item.widget()
        if inner is not None:
            yield from _stops(inner)
        if widget is None:
            continue
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None:
            yield widget
        held = widget.widget() if isinstance(widget, QScrollArea) else widget
        held_layout = held.layout() if held is not None else None
        if held_layout is not None:
            yield from _stops(held_layout)
