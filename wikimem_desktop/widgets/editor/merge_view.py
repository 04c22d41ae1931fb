"""Merging two texts: what only one side changed is taken, what both did is decided one by one; all can be edited."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut, QTextCursor
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from wikimem_desktop.engine.hunks import Hunk, both, three_way
from wikimem_desktop.presentation.buffer import Buffer, Version
from wikimem_desktop.presentation.document import Merged
from wikimem_desktop.presentation.qt_text import for_document, from_document
from wikimem_desktop.widgets.fields import TextField
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme
from wikimem_desktop.widgets.two_texts import TwoTexts

_CHOICES = {"theirs": "1", "mine": "2", "both": "3"}


@dataclass
class _Conflict:
    """A hunk to decide; where its lines stand in the result."""

    hunk: Hunk
    start: QTextCursor
    end: QTextCursor
    choice: str = ""
    """"theirs", "mine", "both", "edited", or "" as long as nothing is decided."""


class MergeView(QWidget):
    """Signals:
    applied: a Merged.
    left: the person does not want to merge now.
    """

    applied = Signal(object)
    left = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("page")
        self._theme = theme
        self._conflicts: list[_Conflict] = []
        self._at = 0
        self._merged: tuple[Buffer, Version] | None = None
        """Whose text is merged, and with which other one."""
        self._writing = False
        self.sides = TwoTexts(theme, self.tr("Theirs"), self.tr("Mine"))
        self.result = TextField()
        self.result.setTabChangesFocus(True)
        self.result.setAccessibleName(self.tr("Merged text"))
        self.count = styled(QLabel(wordWrap=True), "title")
        self.previous, self.next = _step(self.tr("Previous conflict")), _step(self.tr("Next conflict"))
        self.choices = {
            "theirs": QPushButton(self.tr("Theirs")),
            "mine": QPushButton(self.tr("Mine")),
            "both": QPushButton(self.tr("Both")),
        }
        self.apply = styled(QPushButton(self.tr("Apply")), "primary")
        self.cancel = QPushButton(self.tr("Cancel"))
        self.fields: dict[str, QComboBox] = {}
        self._fields_row = QHBoxLayout()
        self._build()
        self.result.textChanged.connect(self._on_edited)
        theme.changed.connect(self._mark)
        theme.changed.connect(self._set_icons)
        self._set_icons()

    def _build(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        for widget in (self.previous, self.next, *self.choices.values()):
            row.addWidget(widget)
        row.addStretch(1)
        for widget in (self.cancel, self.apply):
            row.addWidget(widget)
        top = QWidget()
        column = QVBoxLayout(top)
        column.setContentsMargins(16, 4, 16, 0)
        column.setSpacing(6)
        column.addWidget(self.count)
        column.addLayout(row)
        column.addLayout(self._fields_row)
        column.addWidget(self.sides, 1)
        bottom = QWidget()
        below = QVBoxLayout(bottom)
        below.setContentsMargins(16, 4, 16, 10)
        below.addWidget(styled(QLabel(self.tr("Merged text, which can be edited")), "muted"))
        below.addWidget(self.result, 1)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(top)
        split.addWidget(bottom)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(split)
        self.previous.clicked.connect(lambda: self._go(-1))
        self.next.clicked.connect(lambda: self._go(1))
        self.cancel.clicked.connect(self.left)
        self.apply.clicked.connect(self._on_apply)
        for choice, button in self.choices.items():
            button.clicked.connect(lambda checked=False, choice=choice: self.choose(choice))
            button.setToolTip(f"{button.text()} (Alt+{_CHOICES[choice]})")
            QShortcut(QKeySequence(f"Alt+{_CHOICES[choice]}"), self, button.click)
        for keys, button in (("F7", self.next), ("Shift+F7", self.previous), ("Ctrl+Return", self.apply)):
            native = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
            button.setToolTip(f"{button.text() or button.accessibleName()} ({native})")
            QShortcut(QKeySequence(keys), self, button.click, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)

    @Slot()
    def _set_icons(self) -> None:
        self.previous.setIcon(self._theme.icon("chevron-up"))
        self.next.setIcon(self._theme.icon("chevron-down"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        super().keyPressEvent(event)

    # ------------------------------------------------------------ showing

    def show_merge(self, buffer: Buffer, theirs: Version) -> None:
        """Begin with the buffer's base and text, and with what is on disk."""
        assert buffer.base is not None
        self._merged = buffer, theirs
        base, other, mine = (
            for_document(text, newline)
            for text, newline in (
                (buffer.base.text, buffer.base.newline),
                (theirs.text, theirs.newline),
                (buffer.text, buffer.base.newline),
            )
        )
        self._write(three_way(_whole(base), _whole(other), _whole(mine)))
        self._show_fields(buffer, theirs)
        self._at = 0
        self._show_conflict()

    def _write(self, hunks: list[Hunk]) -> None:
        self._writing = True
        self.result.clear()
        self._conflicts = []
        writer = QTextCursor(self.result.document())
        for hunk in hunks:
            start = writer.position()
            writer.insertText(hunk.text)
            if hunk.kind == "conflict":
                first, last = (QTextCursor(self.result.document()) for _ in range(2))
                first.setPosition(start)
                last.setPosition(writer.position())
                first.setKeepPositionOnInsert(True)
                last.setKeepPositionOnInsert(True)
                self._conflicts.append(_Conflict(hunk, first, last))
        self.result.document().clearUndoRedoStacks()
        self._writing = False

    def _show_fields(self, buffer: Buffer, theirs: Version) -> None:
        """Metadata that both sides changed."""
        while self._fields_row.count():
            taken = self._fields_row.takeAt(0)
            widget = taken.widget() if taken is not None else None
            if widget is not None:
                widget.deleteLater()
        self.fields = {}
        assert buffer.base is not None
        for key, value in buffer.pending.items():
            other = getattr(theirs.item, key)
            if other in (getattr(buffer.base.item, key), value):
                continue
            box = QComboBox()
            box.addItem(self.tr("Mine: {0}").format(value or "–"), "mine")
            box.addItem(self.tr("Theirs: {0}").format(other or "–"), "theirs")
            box.setAccessibleName(key)
            self._fields_row.addWidget(styled(QLabel(key), "fieldName"))
            self._fields_row.addWidget(box, 1)
            self.fields[key] = box
        buttons = [self.previous, self.next, *self.choices.values(), self.cancel, self.apply]
        for before, after in pairwise(
            [*buttons, *self.fields.values(), self.sides.left, self.sides.right, self.result]
        ):
            self.setTabOrder(before, after)

    @property
    def undecided(self) -> int:
        return sum(not conflict.choice for conflict in self._conflicts)

    def _show_conflict(self) -> None:
        total = len(self._conflicts)
        for button in (self.previous, self.next, *self.choices.values()):
            button.setEnabled(total > 0)
        self._show_count()
        if not total:
            self.sides.hide()
            self._mark()
            return
        self.sides.show()
        conflict = self._conflicts[self._at]
        theirs, mine = "".join(conflict.hunk.theirs), "".join(conflict.hunk.mine)
        self.sides.show_texts(self.tr("Theirs"), theirs, self.tr("Mine"), mine)
        cursor = self.result.textCursor()  # not the conflict's own: that one does not move along
        cursor.setPosition(conflict.start.position())
        self.result.setTextCursor(cursor)
        self.result.ensureCursorVisible()
        self._mark()

    def _show_count(self) -> None:
        """What is left to decide, and whether it can be applied; the first of it takes the focus."""
        left, total = self.undecided, len(self._conflicts)
        words = self.tr("Nothing to decide: both sides changed other lines.")
        if total:
            words = self.tr("Conflict {0} of {1}").format(self._at + 1, total) + " · "
            words += self.tr("%n to decide", None, left) if left else self.tr("all decided")
        self.count.setText(words)
        self.apply.setEnabled(not left)
        self.setFocusProxy(self.choices["theirs"] if left else self.apply)

    @Slot()
    def _mark(self) -> None:
        marks = []
        for number, conflict in enumerate(self._conflicts):
            mark = QTextEdit.ExtraSelection()
            mark.cursor = self._range(conflict)
            color = "selection" if conflict.choice else "errorFill"
            mark.format.setBackground(
                self._theme.color("match" if number == self._at and not conflict.choice else color)
            )
            marks.append(mark)
        self.result.setExtraSelections(marks)

    def _range(self, conflict: _Conflict) -> QTextCursor:
        cursor = QTextCursor(self.result.document())
        cursor.setPosition(conflict.start.position())
        cursor.setPosition(max(conflict.start.position(), conflict.end.position()), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    # ------------------------------------------------------------ deciding

    def _go(self, step: int) -> None:
        if self._conflicts:
            self._at = (self._at + step) % len(self._conflicts)
            self._show_conflict()

    def choose(self, choice: str) -> None:
        """Decide the conflict on show, and go on to the next one that is not decided."""
        conflict = self._conflicts[self._at]
        texts = {
            "theirs": "".join(conflict.hunk.theirs),
            "mine": "".join(conflict.hunk.mine),
            "both": both(conflict.hunk),
        }
        self._writing = True
        cursor = self._range(conflict)
        start = cursor.selectionStart()
        cursor.insertText(texts[choice])
        conflict.start.setPosition(start)
        conflict.end.setPosition(cursor.position())
        conflict.choice = choice
        self._writing = False
        order = [*range(self._at, len(self._conflicts)), *range(self._at)]
        self._at = next((number for number in order if not self._conflicts[number].choice), self._at)
        self._show_conflict()
        if not self.undecided:
            self.apply.setFocus()

    @Slot()
    def _on_edited(self) -> None:
        """What is edited by hand is decided."""
        if self._writing or not self._conflicts:
            return
        at = self.result.textCursor().position()
        for conflict in self._conflicts:
            if conflict.start.position() <= at <= conflict.end.position() and not conflict.choice:
                conflict.choice = "edited"
        self._show_count()
        self._mark()

    @Slot()
    def _on_apply(self) -> None:
        self.result.commit_composition()
        if self.apply.isEnabled() and self._merged is not None:
            buffer, theirs = self._merged
            text = from_document(self.result.document(), theirs.newline)
            if not buffer.place.whole:  # the end of a file is the person's, that of an item is not
                text = text.rstrip("\r\n")
            fields = frozenset(key for key, box in self.fields.items() if box.currentData() == "theirs")
            self.applied.emit(Merged(buffer.place, theirs, text, fields))


def _step(words: str) -> QPushButton:
    button = QPushButton()
    button.setAccessibleName(words)
    return button


def _whole(text: str) -> str:
    """With an end at its last line, so that it is the same line in a longer text."""
    return text if not text or text.endswith("\n") else text + "\n"
