"""The one channel of messages to the person: quiet, never modal, the same one only once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal


class Level(Enum):
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Action(NamedTuple):
    """Something that can be done about a message."""

    text: str
    act: Callable[[], object]


@dataclass(frozen=True, slots=True)
class Notice:
    """A message. One with the same `key` replaces it; `details` is what a person can copy."""

    level: Level
    text: str
    key: str
    details: str = ""
    actions: tuple[Action, ...] = ()


class Notices(QObject):
    """The message that stands in the window now.

    Signals:
        shown: a Notice took the place of the one before.
        cleared: there is nothing to say any more.
    """

    shown = Signal(object)
    cleared = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.current: Notice | None = None

    def post(self, level: Level, text: str, key: str, details: str = "", actions: tuple[Action, ...] = ()) -> None:
        notice = Notice(level, text, key, details, actions)
        if notice != self.current:
            self.current = notice
            self.shown.emit(notice)

    def clear(self, key: str | None = None) -> None:
        """Take the message away (only if it has that key)."""
        if self.current is not None and key in (None, self.current.key):
            self.current = None
            self.cleared.emit()
