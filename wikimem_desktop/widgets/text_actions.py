"""The part of the View menu that fits the text of items to a person's eyes: size, line breaks, font."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu


class TextActions(QObject):
    """Signals:
    zoom_wanted: make the text larger by so many steps; smaller if negative.
    zoom_reset, font_wanted, font_reset: wishes of the person.
    wrap_chosen: whether lines shall end at the window's edge.
    """

    zoom_wanted = Signal(int)
    zoom_reset = Signal()
    wrap_chosen = Signal(bool)
    font_wanted = Signal()
    font_reset = Signal()

    def __init__(self, menu: QMenu) -> None:
        super().__init__(menu)
        keys = QKeySequence.StandardKey
        self.zoom_in = menu.addAction(self.tr("Zoom &in"), self._on_zoom_in)
        # Ctrl+= is the same key without Shift.
        self.zoom_in.setShortcuts([*QKeySequence.keyBindings(keys.ZoomIn), QKeySequence("Ctrl+=")])
        self.zoom_out = menu.addAction(self.tr("Zoom &out"), self._on_zoom_out)
        self.zoom_out.setShortcuts(keys.ZoomOut)
        self.actual_size = menu.addAction(self.tr("&Actual size"), self.zoom_reset.emit)
        self.actual_size.setShortcut(QKeySequence("Ctrl+0"))
        menu.addSeparator()
        self.wrap = menu.addAction(self.tr("&Wrap lines"))
        self.wrap.setCheckable(True)
        self.wrap.triggered.connect(self.wrap_chosen)
        self.font = menu.addAction(self.tr("Text &font…"), self.font_wanted.emit)
        self.reset_font = menu.addAction(self.tr("&Reset font"), self.font_reset.emit)

    @property
    def all(self) -> list[QAction]:
        return [self.zoom_in, self.zoom_out, self.actual_size, self.wrap, self.font, self.reset_font]

    def show_choices(self, *, wrap: bool, own_font: bool) -> None:
        self.wrap.setChecked(wrap)
        self.reset_font.setEnabled(own_font)

    @Slot()
    def _on_zoom_in(self) -> None:
        self.zoom_wanted.emit(1)

    @Slot()
    def _on_zoom_out(self) -> None:
        self.zoom_wanted.emit(-1)
