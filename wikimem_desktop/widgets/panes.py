"""Going from pane to pane with the keys: Tab in the order the eye takes, F6 in large steps."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMenu, QVBoxLayout, QWidget


def order_by_tab(parts: Sequence[QWidget]) -> None:
    """Let Tab go through the parts one after the other; inside a part in the order in which it was made."""
    ordered = [
        widget
        for part in parts
        for widget in [part, *part.findChildren(QWidget)]
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and widget.focusProxy() is None  # Qt orders no others
        and widget.window() is part.window()  # nor the list of a combo box
    ]
    for before, after in pairwise(ordered):
        QWidget.setTabOrder(before, after)


def fill_pane(pane: QWidget, controls: Sequence[QWidget], wide: QWidget, *below: QWidget) -> None:
    """A row of controls, of which one is `wide`, and below it what takes all the room."""
    row = QHBoxLayout()
    row.setContentsMargins(14, 6, 14, 4)
    row.setSpacing(8)
    for control in controls:
        row.addWidget(control, int(control is wide))
    column = QVBoxLayout(pane)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addLayout(row)
    for widget in below:
        column.addWidget(widget, 1)


class PaneActions(QObject):
    """F6 and Shift+F6: each pane knows (by its focus proxy) what in it takes the focus."""

    def __init__(self, menu: QMenu, panes: Sequence[QWidget]) -> None:
        super().__init__(menu)
        self._panes = panes
        menu.addSeparator()
        self.next = menu.addAction(self.tr("Ne&xt pane"), "F6", self._on_next)
        self.previous = menu.addAction(self.tr("Pre&vious pane"), "Shift+F6", self._on_previous)

    @Slot()
    def _on_next(self) -> None:
        self._go(1)

    @Slot()
    def _on_previous(self) -> None:
        self._go(-1)

    def _go(self, step: int) -> None:
        focused = QApplication.focusWidget()
        shown = [pane for pane in self._panes if pane.isVisible()]
        here = [n for n, pane in enumerate(shown) if focused is pane or pane.isAncestorOf(focused or pane)]
        if shown:
            shown[((here[0] if here else -step) + step) % len(shown)].setFocus()
