"""The person's settings: each change is kept at once and told."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from wikimem_desktop.settings import load_settings, save


class Choices(QObject):
    """Signals:
    changed: one of the settings is another.
    """

    changed = Signal()

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self.settings = load_settings(path)

    @Slot(str)
    def choose_theme(self, theme: str) -> None:
        self._change(theme=theme)

    @Slot(bool)
    def choose_autosave(self, autosave: bool) -> None:
        self._change(autosave=autosave)

    @Slot(int)
    def zoom(self, steps: int) -> None:
        """Make the texts larger or smaller, as far as that goes."""
        self._change(text_zoom=self.settings.zoomed(steps))

    @Slot()
    def reset_zoom(self) -> None:
        self._change(text_zoom=100)

    @Slot(bool)
    def choose_wrap(self, wrap: bool) -> None:
        self._change(wrap=wrap)

    @Slot(str)
    def choose_font(self, description: str) -> None:
        self._change(text_font=description)

    @Slot()
    def reset_font(self) -> None:
        self._change(text_font="")

    def history_bounds(self) -> dict[str, int]:
        """How much of the local history is kept: bytes of a store, and days."""
        settings = self.settings
        return {
            "most_bytes": max(1, settings.history_megabytes) * 1_000_000,
            "most_days": max(1, settings.history_days),
        }

    def _change(self, **values: Any) -> None:
        settings = dataclasses.replace(self.settings, **values)
        if settings != self.settings:
            self.settings = settings
            save(self._path, settings)
            self.changed.emit()
