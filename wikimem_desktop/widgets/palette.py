"""The palette: one field to go to any item, or to give any command."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QMenu, QMenuBar, QVBoxLayout, QWidget

from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.presentation.palette import Palette, best_matches
from wikimem_desktop.widgets.context_menu_key import add_context_menu_key
from wikimem_desktop.widgets.fields import LineField
from wikimem_desktop.widgets.menus import Menus
from wikimem_desktop.widgets.row_list import Row, RowList
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme

_WIDTH, _ROWS = 640, 11
_LIST_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
COMMANDS = ">"
"""What the text begins with when it is about commands."""


class PaletteDialog(QDialog):
    """A window of its own, no popup: input methods work in it.

    Signals:
        place_chosen: a Place to go to.
        create_wanted: category and name of an item to make.
    """

    place_chosen = Signal(object)
    create_wanted = Signal(str, str)

    def __init__(self, palette: Palette, menus: Menus, window: QWidget, theme: Theme) -> None:
        super().__init__(window, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle(self.tr("Go to"))
        self._items = palette
        self._menus = menus
        self._window = window
        self._focus: QWidget | None = None
        self._used: list[str] = []
        add_context_menu_key(self)
        self.field = _Field()
        self.field.setAccessibleName(self.tr("Letters of an address, or > and a command"))
        self.field.setPlaceholderText(self.tr("Go to item… (> for commands)"))
        self.list = RowList(theme, self.tr("Matches"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._hint = styled(QLabel(), "muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 10, 10, 8)
        column.setSpacing(6)
        for widget in (self.field, self.list, self._hint):
            column.addWidget(widget)
        self.field.textChanged.connect(self._show_matches)
        self.field.installEventFilter(self)
        self.list.chosen.connect(self._choose)
        self.list.clicked.connect(self._choose)

    def open_at(self, text: str) -> None:
        """Show it with a text to begin with."""
        self._focus = QApplication.focusWidget()
        height = self.list.sizeHintForRow(0)
        self.list.setFixedHeight(_ROWS * (height if height > 0 else self.fontMetrics().lineSpacing() + 8) + 4)
        window = self._window
        self.setFixedWidth(min(_WIDTH, window.width() - 40))
        self.move(window.mapToGlobal(QPoint((window.width() - self.width()) // 2, 46)))
        self.field.setText(text)
        self._show_matches()
        self.field.setFocus()
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is not self.field or not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return super().eventFilter(watched, event)
        if self.field.composing:
            return False
        if event.key() in _LIST_KEYS:
            QApplication.sendEvent(self.list, QKeyEvent(event))
            return True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self._create()
            else:
                self._choose()
            return True
        return False

    # ------------------------------------------------------------ what matches

    @Slot()
    def _show_matches(self) -> None:
        text = self.field.text()
        if text.startswith(COMMANDS):
            self._show_commands(text.removeprefix(COMMANDS))
            self._hint.setText(self.tr("Enter carries it out"))
            return
        matches = self._items.find(text)
        rows = [
            Row(match.text, self._about(match.value), match.value, marks=match.spans)
            for match in matches
            if isinstance(match.value, Place)
        ]
        self.list.show_rows(rows, keep=False)
        self._hint.setText(self.tr("Enter opens · Shift+Enter makes a new item · > lists commands"))

    def _show_commands(self, letters: str) -> None:
        entries = dict(commands(self._menus))
        rows = []
        for match in best_matches(letters, entries.items(), self._used):
            action = match.value
            assert isinstance(action, QAction)
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            if action.isEnabled():
                rows.append(Row(match.text, keys, action, marks=match.spans))
            else:
                why = self._why_not(action)
                rows.append(Row(match.text, f"{why} · {keys}" if keys else why, action, "faint", match.spans))
        self.list.show_rows(rows, keep=False)

    def _why_not(self, action: QAction) -> str:
        if self._menus.needs_store(action) and not self._menus.go_to_action.isEnabled():
            return self.tr("no memory is open")
        return self.tr("not possible here now")

    def _about(self, place: Place) -> str:
        """What stands beside an address."""
        if place.kind in ("text", "file"):
            return self.tr("category")
        return self.tr("day") if place.kind == "day" else self._items.text_of(place)

    # ------------------------------------------------------------ choosing

    @Slot()
    def _choose(self) -> None:
        value = self.list.value
        if isinstance(value, Place):
            self.accept()
            self.place_chosen.emit(value)
        elif isinstance(value, QAction) and value.isEnabled():
            path = self.list.row_model.rows[self.list.currentIndex().row()].text
            self._used = [path, *(other for other in self._used if other != path)]
            self.accept()
            value.trigger()

    def _create(self) -> None:
        text = self.field.text().strip()
        if text and not text.startswith(COMMANDS):
            category, colon, name = text.partition(":")
            self.accept()
            self.create_wanted.emit(category if colon else "", name if colon else text)

    def done(self, result: int) -> None:
        """The focus goes back to where it was: commands act there."""
        super().done(result)
        self.list.show_rows([])
        self._window.activateWindow()
        if self._focus is not None and self._focus.isVisible():
            self._focus.setFocus()
        self._focus = None


class _Field(LineField):
    """Takes the focus with the caret behind what the text begins with: selected, the first letter would replace it."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.end(False)


def commands(menus: QMenuBar) -> Iterator[tuple[str, QAction]]:
    """Every command of the menus with the way to it, as a person reads it."""
    for action in menus.actions():
        yield from _below(action, "")


def _below(action: QAction, path: str) -> Iterator[tuple[str, QAction]]:
    text = action.text().replace("&", "").removesuffix("…")
    menu = action.menu()
    if isinstance(menu, QMenu):
        for inner in menu.actions():
            yield from _below(inner, f"{path}{text} › ")
    elif not action.isSeparator() and text:
        yield f"{path}{text}", action
