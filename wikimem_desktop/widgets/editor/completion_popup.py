"""What `[[` can lead to, listed below the caret while a link is typed.

A child of the window that never takes the focus: keys and input methods stay with the editor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
    Slot,
)
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QFont, QKeyEvent, QPainter, QTextCursor
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from wikimem_desktop.presentation.completion import Candidate, Completion, insertion, typed_link
from wikimem_desktop.presentation.qt_text import for_document, from_raw, utf16_length
from wikimem_desktop.widgets.editor.marked_text import paint_marked
from wikimem_desktop.widgets.editor.text_edit import TextEdit
from wikimem_desktop.widgets.theme import Theme

if TYPE_CHECKING:
    from wikimem_desktop.engine.index import Snapshot

Index = QModelIndex | QPersistentModelIndex
_WIDTH = 380
_MOST_ROWS = 9
_GAP = 4
_MOVES = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: 1 - _MOST_ROWS, Qt.Key.Key_PageDown: _MOST_ROWS - 1}
_CHOOSING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab)


class CompletionPopup(QFrame):
    """Belongs to one editor. `snapshot` gives what can be linked to."""

    def __init__(self, edit: TextEdit, theme: Theme, snapshot: Callable[[], Snapshot | None]) -> None:
        super().__init__(edit)
        self.setObjectName("completion")
        self.hide()
        self._edit = edit
        self._snapshot = snapshot
        self._completion = Completion()
        self._typed: str | None = None
        """What was typed when candidates were last looked for; None: no link is being typed."""
        self._left = ""
        self._model = _Candidates()
        self.view = _View(self._model, theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(5, 5, 5, 5)
        column.addWidget(self.view)
        self.view.clicked.connect(self._on_clicked)
        edit.installEventFilter(self)
        edit.textChanged.connect(self._on_text_changed)
        edit.cursorPositionChanged.connect(self._follow)
        edit.verticalScrollBar().valueChanged.connect(self._place)

    # ------------------------------------------------------------ opening and closing

    def offer(self) -> None:
        """List what the link around the caret can become, if there is one."""
        self._typed = None
        self._look(self._typed_link())

    def close_list(self) -> None:
        self._typed = None
        self.hide()

    def _typed_link(self) -> str | None:
        return typed_link(self._left_of_caret())

    def _left_of_caret(self) -> str:
        cursor = QTextCursor(self._edit.textCursor())
        cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock, QTextCursor.MoveMode.KeepAnchor)
        return from_raw(cursor.selectedText())

    @Slot()
    def _on_text_changed(self) -> None:
        left, before = self._left_of_caret(), self._left
        self._left = left
        # Colours that change tell the same: only what was typed opens the list.
        if self._typed is None and left != before and left.endswith("[[") and self._edit.hasFocus():
            self.offer()
        else:
            self._follow()

    @Slot()
    def _follow(self) -> None:
        """The caret or the text moved on."""
        if self._typed is not None:
            typed = None if self._edit.textCursor().hasSelection() else self._typed_link()
            if typed is None:
                self.close_list()
            elif typed != self._typed:
                self._look(typed)

    def _look(self, typed: str | None) -> None:
        snapshot = self._snapshot()
        if typed is None or snapshot is None:
            self.close_list()
            return
        self._typed = typed
        self._model.show(self._completion.candidates(snapshot, typed))
        if self._model.rowCount():
            self._choose(0)
            self._place()
            self.show()
            self.raise_()
        else:
            self.hide()

    @Slot()
    def _place(self) -> None:
        """Below the link's start, above where there is no room; inside the window."""
        if self._typed is None:
            return
        window = self._edit.window()
        if self.parentWidget() is not window:
            self.setParent(window)
        start = QTextCursor(self._edit.textCursor())
        start.setPosition(start.position() - utf16_length(for_document(self._typed)) - len("[["))
        line = self._edit.cursorRect(start)
        viewport = self._edit.viewport()
        top, bottom = (viewport.mapTo(window, point) for point in (line.topLeft(), line.bottomLeft()))
        above, below = top.y() - 2 * _GAP, window.height() - bottom.y() - 2 * _GAP
        width, height = min(_WIDTH, window.width() - 2 * _GAP), self.view.height_of_rows() + 12
        at_bottom = height <= below or below >= above
        height = min(height, below if at_bottom else above)
        left = max(_GAP, min(bottom.x() - 6, window.width() - width - _GAP))
        self.setGeometry(left, bottom.y() + _GAP if at_bottom else top.y() - _GAP - height, width, height)

    # ------------------------------------------------------------ choosing

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return not self._edit.composing and self._takes(event)
        if event.type() in (QEvent.Type.FocusOut, QEvent.Type.Hide):
            self.close_list()
        return False

    def _takes(self, event: QKeyEvent) -> bool:
        """Whether the key is for the list."""
        key, modifiers = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key == Qt.Key.Key_Space and modifiers == Qt.KeyboardModifier.ControlModifier:
            self.offer()
            return True
        if not self.isVisible() or modifiers != Qt.KeyboardModifier.NoModifier:
            return False
        if key in _CHOOSING:
            self._insert(self.view.currentIndex())
        elif key == Qt.Key.Key_Escape:
            self.close_list()
        elif key in _MOVES:
            row = self.view.currentIndex().row() + _MOVES[Qt.Key(key)]
            self._choose(max(0, min(row, self._model.rowCount() - 1)))
        else:
            return False
        return True

    def _choose(self, row: int) -> None:
        index = self._model.index(row)
        self.view.setCurrentIndex(index)
        words = str(index.data(Qt.ItemDataRole.AccessibleTextRole))
        # The focus stays in the editor, so a screen reader must be told.
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._edit, words))

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self._insert(index)

    def _insert(self, index: QModelIndex) -> None:
        candidate = index.data(Qt.ItemDataRole.UserRole)
        if not isinstance(candidate, Candidate):
            return
        cursor = self._edit.textCursor()
        line, block = cursor.block().text(), cursor.block().position()
        caret = len(
            line.encode("utf-16-le", "surrogatepass")[: 2 * cursor.positionInBlock()].decode(
                "utf-16-le", "surrogatepass"
            )
        )
        made = insertion(line, caret, candidate)
        start, end, text = utf16_length(line[: made.start]), utf16_length(line[: made.end]), for_document(made.text)
        self._typed = None
        cursor.beginEditBlock()
        cursor.setPosition(block + end)
        cursor.insertText(text)
        # Last, so that what is typed next is a step of its own to undo: Qt joins insertions that touch.
        cursor.setPosition(block + start)
        cursor.setPosition(block + end, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        cursor.endEditBlock()
        cursor.setPosition(block + start + utf16_length(text))
        self._edit.setTextCursor(cursor)
        if candidate.name:
            self.close_list()
        else:
            self.offer()


class _Candidates(QAbstractListModel):
    def __init__(self) -> None:
        super().__init__()
        self._shown: Sequence[Candidate] = ()

    def show(self, candidates: Sequence[Candidate]) -> None:
        self.beginResetModel()
        self._shown = candidates
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        candidate = self._shown[index.row()]
        address = f"{candidate.category}:{candidate.name}" if candidate.name else candidate.category
        if role == Qt.ItemDataRole.DisplayRole:
            return candidate.label
        if role == Qt.ItemDataRole.ToolTipRole:
            return address
        if role == Qt.ItemDataRole.AccessibleTextRole:
            count = self.tr("%n item(s)", None, candidate.count)
            return address if candidate.name else f"{address}, {count}"
        return candidate if role == Qt.ItemDataRole.UserRole else None


class _View(QListView):
    def __init__(self, model: _Candidates, theme: Theme) -> None:
        super().__init__()
        self.setModel(model)
        self.setItemDelegate(_Delegate(theme, self))
        self.setAccessibleName(self.tr("Where the link can lead"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        theme.changed.connect(self.viewport().update)

    def height_of_rows(self) -> int:
        return self.sizeHintForRow(0) * min(self.model().rowCount(), _MOST_ROWS)


class _Delegate(QStyledItemDelegate):
    """The name with its matched letters, and at the right its category, or how much a category holds."""

    def __init__(self, theme: Theme, view: QWidget) -> None:
        super().__init__(view)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(80, option.fontMetrics.height() + 11)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        candidate = index.data(Qt.ItemDataRole.UserRole)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("selection" if selected else "bar"))
            painter.drawRoundedRect(option.rect, 5, 5)
        row = option.rect.adjusted(9, 0, -10, 0)
        painter.setFont(option.font)
        painter.setPen(self._theme.color("muted"))
        aside = candidate.category if candidate.name else str(candidate.count)
        aside = painter.fontMetrics().elidedText(aside, Qt.TextElideMode.ElideRight, row.width() * 2 // 5)
        painter.drawText(row, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, aside)
        font = QFont(option.font)
        font.setWeight(QFont.Weight.Normal if candidate.name else QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(self._theme.color("text"))
        label = candidate.label if candidate.name else f"{candidate.label}:"
        place = row.adjusted(0, 0, -painter.fontMetrics().horizontalAdvance(aside) - 14, 0)
        paint_marked(painter, place, label, candidate.marks, self._theme.color("accent"))
        painter.restore()
