"""A box to tick that can be seen in every theme: the style's own has no frame on a dark surface."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QCheckBox

from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme


class CheckBox(QCheckBox):
    def __init__(self, text: str, theme: Theme) -> None:
        super().__init__(text)
        styled(self, "checkBox")
        self._theme = theme
        self.toggled.connect(self._show_state)
        theme.changed.connect(self._show_state)
        self._show_state()

    @Slot()
    def _show_state(self) -> None:
        ticked = self.isChecked()
        self.setIcon(self._theme.icon("square-check", "accent") if ticked else self._theme.icon("square"))
