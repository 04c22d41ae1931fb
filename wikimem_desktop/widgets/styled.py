"""Widgets with the name under which the style sheet knows them."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtWidgets import QWidget

_W = TypeVar("_W", bound=QWidget)


def styled(widget: _W, name: str, **properties: object) -> _W:
    """The widget with its name of the style sheet, and other Qt properties (`text`, `checkable`, …), set."""
    widget.setObjectName(name)
    for key, value in properties.items():
        widget.setProperty(key, value)
    return widget
