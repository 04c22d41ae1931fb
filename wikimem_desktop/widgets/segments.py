"""A switch with a button for each choice, of which one is down."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QToolButton, QWidget

from wikimem_desktop.widgets.styled import styled


class Segments(QWidget):
    """Signals:
    chosen: the number of the button that the person pressed.
    """

    chosen = Signal(int)

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self._group = QButtonGroup(self)
        self.buttons = [QToolButton() for _ in names]
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for number, (name, button) in enumerate(zip(names, self.buttons, strict=True)):
            button.setText(name)
            button.setCheckable(True)
            self._group.addButton(button, number)
            row.addWidget(styled(button, "segmentRight" if button is self.buttons[-1] else "segmentLeft"))
        self.buttons[0].setChecked(True)
        self._group.idClicked.connect(self.chosen)

    @property
    def current(self) -> int:
        return self._group.checkedId()
