"""Going from pane to pane with the keys: Tab in the order the eye takes, F6 in large steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QApplication, QMenu, QWidget


def order_by_tab(window: QWidget, parts: Sequence[QWidget]) -> None:
    """Let Tab go through the parts one after the other; inside a part the order stays."""
    chain: list[QWidget] = []
    widget = window.nextInFocusChain()
    while widget is not None and widget is not window:
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus:  # Qt orders no others
            chain.append(widget)
        widget = widget.nextInFocusChain()
    ordered = [widget for part in parts for widget in chain if widget is part or part.isAncestorOf(widget)]
    for before, after in pairwise(ordered):
        QWidget.setTabOrder(before, after)


class PaneActions(QObject):
    """F6 and Shift+F6: `panes` are widgets, each with what gives it the focus."""

    def __init__(self, menu: QMenu, panes: Sequence[tuple[QWidget, Callable[[], object]]]) -> None:
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
        shown = [(pane, focus) for pane, focus in self._panes if pane.isVisible()]
        here = [n for n, (pane, _) in enumerate(shown) if focused is not None and pane.isAncestorOf(focused)]
        if shown:
            shown[((here[0] if here else -step) + step) % len(shown)][1]()
