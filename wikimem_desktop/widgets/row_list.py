"""A list of one-line rows: what it is about at the left, more of it at the right; any number of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar, overload

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from wikimem_desktop.widgets.theme import Theme

_Index = QModelIndex | QPersistentModelIndex
_ROW = Qt.ItemDataRole.UserRole
_MARGIN = 14
_T = TypeVar("_T")


class Row(NamedTuple):
    """`value` is what the row stands for, `marks` are stretches of `text` (start, end) that are highlighted."""

    text: str
    detail: str = ""
    value: object = None
    color: str = "text"
    marks: tuple[tuple[int, int], ...] = ()
    tip: str = ""


class LazyRows(Sequence[Row]):
    """Rows of many values, each made when it is asked for."""

    def __init__(self, values: Sequence[_T], row_of: Callable[[_T], Row]) -> None:
        self._values = values
        self._row_of = row_of

    def __len__(self) -> int:
        return len(self._values)

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Row]: ...
    def __getitem__(self, at: int | slice) -> Row | Sequence[Row]:
        if isinstance(at, slice):
            return LazyRows(self._values[at], self._row_of)
        return self._row_of(self._values[at])


class RowModel(QAbstractListModel):
    """Rows of any sequence; one that makes its rows when they are asked for is welcome."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: Sequence[Row] = ()

    def show(self, rows: Sequence[Row]) -> None:
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.rows[index.row()]
        if role == _ROW:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.text}  {row.detail}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return row.tip or f"{row.text}\n{row.detail}"
        return None


class _RowDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        metrics: QFontMetrics = option.fontMetrics
        return QSize(100, metrics.lineSpacing() + 8)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        row: Row = index.data(_ROW)
        rect: QRect = option.rect
        metrics: QFontMetrics = option.fontMetrics
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, self._theme.color("selection"))
        inside = rect.adjusted(_MARGIN, 0, -_MARGIN, 0)
        left_over = inside.width() - metrics.horizontalAdvance(row.text) - 20
        most = max(left_over, inside.width() // 2)
        detail = metrics.elidedText(row.detail, Qt.TextElideMode.ElideMiddle, most)
        width = metrics.horizontalAdvance(detail)
        room = inside.width() - width - (20 if detail else 0)
        text = metrics.elidedText(row.text, Qt.TextElideMode.ElideRight, room)
        for start, end in row.marks:
            if start < len(text):
                left = inside.left() + metrics.horizontalAdvance(text[:start])
                right = inside.left() + metrics.horizontalAdvance(text[:end])
                painter.fillRect(
                    QRect(left, rect.top() + 2, right - left, rect.height() - 4), self._theme.color("match")
                )
        painter.setPen(self._theme.color(row.color))
        painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, text)
        painter.setPen(self._theme.color("muted"))
        right_aligned = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight | Qt.TextFlag.TextSingleLine
        painter.drawText(inside, right_aligned, detail)
        painter.restore()


class RowList(QListView):
    """Signals:
    chosen: the value of a row, by Enter or a double click.
    current_changed: the value of the row that is selected now, or None.
    """

    chosen = Signal(object)
    current_changed = Signal(object)

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.row_model = RowModel()
        self.setModel(self.row_model)
        self.setItemDelegate(_RowDelegate(theme, self))
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.selectionModel().currentChanged.connect(self._on_current_changed)
        self.doubleClicked.connect(self._choose)

    def show_rows(self, rows: Sequence[Row], *, keep: bool = True) -> None:
        """Show other rows; the selected value stays selected, or the row at its place (`keep` False: the first)."""
        before, at = self.value, self.currentIndex().row()
        scroll = self.verticalScrollBar().value()
        self.row_model.show(rows)
        if not rows:
            self.current_changed.emit(None)
            return
        row = max(0, min(at, len(rows) - 1)) if keep else 0
        if keep and before is not None and not (row < len(rows) and rows[row].value == before):
            row = next((number for number, other in enumerate(rows) if other.value == before), row)
        self.setCurrentIndex(self.row_model.index(row))
        self.verticalScrollBar().setValue(scroll if keep else 0)

    @property
    def value(self) -> object:
        """What the selected row stands for."""
        index = self.currentIndex()
        return self.row_model.rows[index.row()].value if index.isValid() else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose()
            return
        super().keyPressEvent(event)

    @Slot()
    def _choose(self) -> None:
        if self.value is not None:
            self.chosen.emit(self.value)

    @Slot()
    def _on_current_changed(self) -> None:
        self.current_changed.emit(self.value)
