"""F1: every key there is, menu by menu, and those that only some places know."""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialogButtonBox, QMenuBar, QVBoxLayout, QWidget

from wikimem_desktop.widgets.dialog import Dialog
from wikimem_desktop.widgets.fields import LineField
from wikimem_desktop.widgets.palette import commands
from wikimem_desktop.widgets.row_list import Row, RowList
from wikimem_desktop.widgets.theme import Theme

_SIZE = QSize(560, 600)
_SHORT = 3
"""Longer names of keys without a Ctrl or Alt are of keys that no keyboard of today has (Undo, Zoom In)."""


class KeysDialog(Dialog):
    """A list to read and to search in."""

    def __init__(self, menus: QMenuBar, window: QWidget, theme: Theme) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle(self.tr("All keys"))
        self.resize(_SIZE.boundedTo(window.size() - QSize(40, 60)))
        self._menus = menus
        self.field = LineField(placeholder=self.tr("Filter"), clear_button=True)
        self.field.setAccessibleName(self.tr("Filter the keys"))
        self.list = RowList(theme, self.tr("Keys"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 12)
        for widget in (self.field, self.list, buttons):
            column.addWidget(widget)
        buttons.rejected.connect(self.reject)
        self.field.textChanged.connect(self._show)
        self._show()
        self.field.setFocus()

    @Slot()
    def _show(self) -> None:
        wanted = self.field.text().casefold()
        pairs = [pair for pair in self._pairs() if wanted in f"{pair[0]} {pair[1]}".casefold()]
        self.list.show_rows(list(_grouped(pairs)), keep=False)

    def _pairs(self) -> Iterator[tuple[str, str]]:
        """What is done, and by which keys."""
        for path, action in commands(self._menus):
            keys = [keys.toString(QKeySequence.SequenceFormat.NativeText) for keys in action.shortcuts()]
            keys = [text for text in keys if _is_on_keyboards(text)]
            if keys:
                yield path, ", ".join(keys)
        text, lists = self.tr("In a text"), self.tr("In a list")
        yield f"{text} › {self.tr('Follow the link at the caret')}", self._native("Ctrl+Enter")
        yield f"{text} › {self.tr('Complete a link')}", "[["
        yield f"{lists} › {self.tr('Go to what the row is about')}", self._native("Enter")
        yield f"{lists} › {self.tr('Open the menu of the row')}", self._native("Shift+F10")
        yield f"{lists} › {self.tr('Lines found: go to the match')}", self._native("F4")
        yield f"{lists} › {self.tr('Changes: keep, revert, edit')}", "K, R, E"
        yield f"{lists} › {self.tr('Problems: do what the row offers')}", self._native("Ctrl+Enter")
        yield f"{lists} › {self.tr('History: restore')}", self._native("Ctrl+Enter")
        yield f"{lists} › {self.tr('Go to item: make one of that name')}", self._native("Shift+Enter")
        merging = self.tr("While merging")
        yield f"{merging} › {self.tr('Theirs, mine, both')}", ", ".join(map(self._native, ("Alt+1", "Alt+2", "Alt+3")))
        yield f"{merging} › {self.tr('Next and previous conflict')}", ", ".join(map(self._native, ("F7", "Shift+F7")))
        yield f"{merging} › {self.tr('Apply')}", self._native("Ctrl+Enter")

    @staticmethod
    def _native(keys: str) -> str:
        return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


def _is_on_keyboards(keys: str) -> bool:
    """Qt knows F13 to F35, too."""
    last = keys.rpartition("+")[2]
    return ("+" in keys or len(keys) <= _SHORT) and not re.fullmatch(r"F(1[3-9]|[23]\d)", last)


def _grouped(pairs: list[tuple[str, str]]) -> Iterator[Row]:
    """The way to a command is its group; below it what it is called, and its keys."""
    group = ""
    for path, keys in pairs:
        way, _, name = path.rpartition(" › ")
        if way != group:
            group = way
            yield Row(way, color="muted")
        yield Row(f"    {name}", keys)
