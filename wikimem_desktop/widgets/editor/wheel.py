"""A mouse wheel that is turned with Ctrl held."""

from __future__ import annotations

from PySide6.QtGui import QWheelEvent

_NOTCH = 120
"""How far a wheel turns from one notch to the next, in Qt's measure."""


class WheelSteps:
    """Whole notches; the smaller turns of a touchpad add up to them."""

    def __init__(self) -> None:
        self._turned = 0

    def turned(self, event: QWheelEvent) -> int:
        """How many steps this event completes: positive away from the person, negative towards them."""
        self._turned += event.angleDelta().y()
        steps = int(self._turned / _NOTCH)
        self._turned -= steps * _NOTCH
        return steps
