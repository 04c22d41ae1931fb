"""The moment when a window is there to be seen."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget


class FirstPaint(QObject):
    """Tells once that a window has been painted, or that it was not within a second: it may start out of sight.

    What only a store needs is loaded behind that.
    """

    happened = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._waiting = QTimer(self, singleShot=True, interval=1000)
        self._waiting.timeout.connect(self._on_happened)
        self._waiting.start()
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self._window.removeEventFilter(self)
            self._waiting.start(0)
        return False

    @Slot()
    def _on_happened(self) -> None:
        self._window.removeEventFilter(self)
        self.happened.emit()
