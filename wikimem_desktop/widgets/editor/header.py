"""Above the text: where the item is, its name as a field, whether it is saved, and how it is shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QActionGroup, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from wikimem_desktop.presentation.buffer import Buffer
from wikimem_desktop.widgets.elided_label import ElidedLabel
from wikimem_desktop.widgets.fields import LineField
from wikimem_desktop.widgets.menus import Menus
from wikimem_desktop.widgets.styled import styled

_ROOM_FOR_CATEGORY = 620


class Header(QWidget):
    """`name_error` gives the words against a new name of the open item ("" when it can be used).

    Signals:
        rename_wanted: the person gave the open item this name.
        item_wanted, file_wanted: the item alone, or its whole file, is to be shown.
        way_changed: the text is to be shown in another way.
    """

    rename_wanted = Signal(str)
    item_wanted = Signal()
    file_wanted = Signal()
    way_changed = Signal()

    def __init__(self, name_error: Callable[[str], str]) -> None:
        super().__init__()
        styled(self, "header")
        self._name_error = name_error
        self._buffer: Buffer | None = None
        self._category = ElidedLabel()
        self._category.setObjectName("muted")
        self.name = _TitleField()
        self.name.setAccessibleName(self.tr("Item name"))
        self.error = QLabel(wordWrap=True)
        self.error.setObjectName("inlineError")
        self._unsaved = styled(QLabel("●"), "unsavedMark")
        self._unsaved.setToolTip(self.tr("Unsaved text"))
        self.save = QPushButton(self.tr("Save"))
        self.write = _segment(self.tr("Write"), "segmentLeft")
        self.read = _segment(self.tr("Read"), "segmentMiddle")
        self.split = _segment(self.tr("Split"), "segmentRight")
        self.split.setToolTip(self.tr("Write, and see beside it what it looks like"))
        self.item = _segment(self.tr("Item"), "segmentLeft")
        self.file = _segment(self.tr("File"), "segmentRight")
        self.ways = (self.write, self.read, self.split)
        for buttons in (self.ways, (self.item, self.file)):
            group = QButtonGroup(self)
            for button in buttons:
                group.addButton(button)
        self.write.setChecked(True)
        for button in self.ways:
            button.toggled.connect(self._on_way_toggled)
        self._lay_out()
        self.name.textEdited.connect(self._on_name_edited)
        self.name.given_up.connect(self._show_name)
        self.name.returnPressed.connect(self._on_name_given)
        self.item.clicked.connect(self.item_wanted)
        self.file.clicked.connect(self.file_wanted)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self._category)
        row.addWidget(self.name, 1)
        row.addWidget(self._unsaved)
        row.addWidget(self.save)
        for buttons in (self.ways, (self.item, self.file)):
            row.addSpacing(8)
            segments = QHBoxLayout()
            segments.setSpacing(0)
            for button in buttons:
                segments.addWidget(button)
            row.addLayout(segments)
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 8, 16, 8)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self.error)
        self.error.hide()

    def fill(self, menus: Menus) -> None:
        """The ways to show a text are in the View menu; the key of one leads back to writing too."""
        group = QActionGroup(self)
        keys = ("", "Ctrl+Shift+R", "Ctrl+T")
        texts = (self.tr("Wri&te"), self.tr("Rea&d"), self.tr("&Split"))
        for button, text, key in zip(self.ways, texts, keys, strict=True):
            action = menus.add(menus.view, text, key or None, partial(self._on_way_wanted, button), in_store=True)
            action.setCheckable(True)
            action.setChecked(button.isChecked())
            group.addAction(action)
            button.toggled.connect(action.setChecked)
            if key:
                native = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
                button.setToolTip(" ".join(filter(None, (button.toolTip(), f"({native})"))))

    def _on_way_wanted(self, button: QToolButton) -> None:
        (self.write if button.isChecked() else button).click()

    def show_buffer(self, buffer: Buffer | None, *, read_only: bool) -> None:
        self.setVisible(buffer is not None)
        self._buffer = buffer
        if buffer is None:
            return
        place = buffer.place
        self._category.setText(
            f"{self.tr('diary')} ›" if place.kind == "day" else f"{place.category} ›" if place.name else ""
        )
        self.name.setToolTip(place.address)
        self.name.setReadOnly(read_only or place.kind != "item")
        self._show_name()
        for button in (self.save, *self.ways):
            button.setVisible(buffer.editable)
        for button in (self.item, self.file):
            button.setVisible(place.kind in ("item", "shadowed", "text"))
        self.show_mode()

    @Slot()
    def show_mode(self) -> None:
        """Whether an item is open, or a whole file."""
        if self._buffer is not None:
            (self.file if self._buffer.place.kind == "text" else self.item).setChecked(True)

    def arrange(self, width: int) -> None:
        """In a narrow window the name needs the room."""
        self._category.setVisible(width >= _ROOM_FOR_CATEGORY)

    def show_state(self, *, dirty: bool, can_save: bool) -> None:
        self._unsaved.setVisible(dirty)
        self.save.setEnabled(can_save)

    @Slot(bool)
    def _on_way_toggled(self, checked: bool) -> None:
        if checked:
            self.way_changed.emit()

    @Slot()
    def _show_name(self) -> None:
        """The name as it is on disk."""
        self.error.hide()
        if self._buffer is not None:
            place = self._buffer.place
            self.name.setText(f"{place.category}.md" if place.kind == "text" else place.name or place.category)
            self.name.setCursorPosition(0)

    @Slot(str)
    def _on_name_edited(self, text: str) -> None:
        error = self._name_error(text)
        self.error.setText(error)
        self.error.setVisible(bool(error))

    @Slot()
    def _on_name_given(self) -> None:
        name = " ".join(self.name.text().split())
        if self._buffer is not None and name != self._buffer.place.name and not self._name_error(name):
            self.rename_wanted.emit(name)
            self._show_name()


class _TitleField(LineField):
    """The title; Esc, or leaving it without Enter, brings the old name back.

    Signals:
        given_up: the old name is wanted back.
    """

    given_up = Signal()

    def __init__(self) -> None:
        super().__init__()
        styled(self, "flatTitle")
        self.editingFinished.connect(self._on_finished)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not self.composing:
            self.given_up.emit()
            return
        super().keyPressEvent(event)

    @Slot()
    def _on_finished(self) -> None:
        if not self.hasFocus():
            self.given_up.emit()


def _segment(text: str, name: str) -> QToolButton:
    button = styled(QToolButton(), name, text=text, checkable=True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button
