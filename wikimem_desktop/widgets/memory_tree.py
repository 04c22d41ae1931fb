"""The memory pane: filter box and tree."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.presentation.filter_terms import Term
from wikimem_desktop.presentation.memory_model import MemoryModel, Role
from wikimem_desktop.presentation.ordering import Order
from wikimem_desktop.widgets.fields import LineField
from wikimem_desktop.widgets.memory_rows import RowDelegate, RowView
from wikimem_desktop.widgets.theme import Theme

_MARGIN = 12

_MOST_OPENED = 1_000
"""Rows; beyond that, opening everything stalls the window."""


class MemoryTree(QWidget):
    """Signals:
    chosen: the Place the person selected, to be opened.
    selection_changed: another row, or none, is selected.
    dropped: a Drop: the selected rows were let go somewhere.
    filter_changed, order_changed: items are to be left out, or to be in another order.
    """

    chosen = Signal(object)
    selection_changed = Signal()
    dropped = Signal(object)
    filter_changed = Signal()
    order_changed = Signal()

    def __init__(self, model: MemoryModel, theme: Theme) -> None:
        super().__init__()
        self._model = model
        self._opened: set[str] = set()
        """Keys of the branches that the person has open; a filter opens others meanwhile."""
        self._seen = ("", model.order)
        """Filter and order of the rows on show."""
        self.terms: list[Term] = []
        """What is asked for besides what stands in the filter box."""
        self._matches_due = False
        self._first_due = False
        """The person went on to the tree before the filter was done."""
        self._place: Place | None = None
        self._rows_going = False
        self.filter_box = LineField(placeholder=self.tr("Filter"), clear_button=True)
        self.filter_box.setAccessibleName(self.tr("Filter the memory"))
        words = self.tr("Letters of an address in order; Down goes to the tree")
        more = self.tr("Also: text:word, owner:name, source:name, age:today, age:<7d, age:>3m")
        self.filter_box.setToolTip(f"{words}\n{more}")
        self.tree = RowView()
        # Before the selection model connects: it makes a neighbour of a removed row the current one.
        model.rowsAboutToBeRemoved.connect(self._on_rows_going)
        model.rowsRemoved.connect(self._on_rows_gone)
        self.tree.setModel(model)
        self.tree.setItemDelegate(RowDelegate(theme, self.tree))
        self.tree.setAccessibleName(self.tr("Memory"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 8, 0, 0)
        layout.setSpacing(6)
        self._box = QHBoxLayout()
        self._box.setContentsMargins(_MARGIN, 0, _MARGIN, 0)
        self._box.setSpacing(2)
        self._box.addWidget(self.filter_box)
        layout.addLayout(self._box)
        self.chips = QVBoxLayout()
        self.chips.setContentsMargins(_MARGIN, 0, _MARGIN, 0)
        self.chips.setSpacing(4)
        layout.addLayout(self.chips)
        layout.addWidget(self.tree)
        self.filter_box.textChanged.connect(self._on_filter_changed)
        self.filter_box.installEventFilter(self)
        model.sifted.connect(self._on_sifted)
        self.tree.expanded.connect(self._on_expanded)
        self.tree.collapsed.connect(self._on_collapsed)
        self.tree.selectionModel().currentChanged.connect(self._on_current_changed)
        self.tree.selectionModel().selectionChanged.connect(self.selection_changed)
        self.tree.dropped.connect(self.dropped)
        for opened in (self.tree.doubleClicked, self.tree.return_pressed):
            opened.connect(self._on_opened)
        theme.changed.connect(self.tree.viewport().update)

    def eventFilter(self, watched: object, event: object) -> bool:
        if watched is self.filter_box and isinstance(event, QKeyEvent) and event.type() == QKeyEvent.Type.KeyPress:
            if self.filter_box.composing:
                return False
            if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._first_due = self._model.searching
                if not self._first_due:
                    self._select_first_leaf()  # first: a tree that gets the focus makes its first row the current one
                self.tree.setFocus()
                return True
            if event.key() == Qt.Key.Key_Escape and self.filter_text:
                self.show_everything()
                return True
        return False

    @property
    def filter_text(self) -> str:
        """All that is asked for, as it could be typed."""
        return " ".join([self.filter_box.text().strip(), *map(str, self.terms)]).strip()

    def ask_for(self, terms: Sequence[Term]) -> None:
        """Filter by these terms, and by what stands in the box."""
        self.terms = list(terms)
        self._on_filter_changed()

    @Slot()
    def show_everything(self) -> None:
        """Take the filter away."""
        self.terms.clear()
        self.filter_box.clear()
        self._on_filter_changed()

    def add_beside_filter(self, button: QWidget) -> None:
        """Put a button behind the filter box."""
        self._box.addWidget(button)

    @property
    def expanded(self) -> list[str]:
        """Keys of the branches that the person has open."""
        return [key for key in self._model.keys if key in self._opened]

    def expand(self, keys: list[str]) -> None:
        """Open these branches and no others; what a filter lets through stays open until it is cleared."""
        self._opened = set(keys)
        self._matches_due = self._model.filtering
        self._open_branches()

    def follow(self, before: str, after: str) -> None:
        """A category has another name: it stays open."""
        if before in self._opened:
            self._opened = self._opened - {before} | {after}
            self._open_branches()

    @property
    def order(self) -> Order:
        return self._model.order

    def set_order(self, order: Order) -> None:
        """Put the items of each category in another order."""
        self._model.set_order(order)
        self.order_changed.emit()

    @property
    def in_file_order(self) -> bool:
        """Whether neighbours in the tree are neighbours in their file."""
        return self._model.in_file_order

    def _open_branches(self) -> None:
        """Open what is to be open, as far as it is there."""
        if self._model.filtering:
            if self._matches_due and self._model.rowCount():
                self._matches_due = False
                self._open_matches()
            return
        for key, row in self._model.branch_rows().items():
            index = self._model.index(row, 0)
            if self.tree.isExpanded(index) != (key in self._opened):
                self.tree.setExpanded(index, key in self._opened)

    @Slot(QModelIndex)
    def _on_expanded(self, index: QModelIndex) -> None:
        if not self._model.filtering and not index.parent().isValid():
            self._opened.add(self._model.key_of(index))

    @Slot(QModelIndex)
    def _on_collapsed(self, index: QModelIndex) -> None:
        if not self._model.filtering and not index.parent().isValid():
            self._opened.discard(self._model.key_of(index))

    def _open_matches(self) -> None:
        """Open the branches that the filter left, from the top, as far as a view lays out at once."""
        rows = 0
        for row in range(self._model.rowCount()):
            index = self._model.index(row, 0)
            rows += self._model.rowCount(index)
            if rows > _MOST_OPENED:
                break
            self.tree.expand(index)

    @property
    def selected(self) -> Place | None:
        """What the selected row stands for (of several the current one); the diary as a whole stands for nothing."""
        selection = self.tree.selectionModel()
        rows, current = selection.selectedIndexes(), self.tree.currentIndex()
        row = current if selection.isSelected(current) else rows[0] if rows else QModelIndex()
        place = self._model.data(row, Role.PLACE) if row.isValid() else None
        return place if isinstance(place, Place) else None

    @property
    def selection(self) -> list[Place]:
        """What all selected rows stand for, from top to bottom."""
        rows = sorted(self.tree.selectionModel().selectedIndexes(), key=lambda row: (row.parent().row(), row.row()))
        places = (self._model.data(row, Role.PLACE) for row in rows)
        return [place for place in places if isinstance(place, Place)]

    def neighbour(self, place: Place) -> Place | None:
        """The item below another of its category, or else above."""
        index = self._model.find(place.category, place.name)
        beside = (self._model.data(index.siblingAtRow(index.row() + step), Role.PLACE) for step in (1, -1))
        return next((found for found in beside if isinstance(found, Place)), None)

    @Slot()
    def select_again(self) -> None:
        """Rows came or moved: the one that was selected last may be there now."""
        if self._place is not None and self.selected == self._place:
            self.selection_changed.emit()  # others that are selected too stay so
        else:
            self.show_place(self._place)

    def lay_out(self) -> None:
        """Have the view ask its thousand questions now: once the indexer goes on, each would wait for its turn."""
        self.tree.executeDelayedItemsLayout()

    def show_place(self, place: Place | None) -> None:
        """Select a place without choosing it."""
        self._place = place
        index = QModelIndex()
        if place is not None:
            index = self._model.find(place.category, place.name)
            if place.kind == "shadowed":
                index = next(
                    (child for row in range(self._model.rowCount(index))
                     if self._model.data(child := self._model.index(row, 0, index), Role.PLACE) == place),
                    index,
                )  # fmt: skip
        selection = self.tree.selectionModel()
        selection.blockSignals(True)
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Current
        selection.setCurrentIndex(index, flags)
        selection.blockSignals(False)
        if index.isValid():
            self.tree.scrollTo(index)
        self.tree.viewport().update()
        self.selection_changed.emit()

    def _select_first_leaf(self) -> None:
        if self._model.filtering:
            self.tree.setCurrentIndex(self._model.best_match())
            return
        if self.tree.currentIndex().isValid():
            return
        index = self.tree.indexBelow(self._model.index(0, 0))
        self.tree.setCurrentIndex(index if index.isValid() else self._model.index(0, 0))

    @Slot()
    def _on_filter_changed(self) -> None:
        self._first_due = False
        self._matches_due = bool(self.filter_text)
        self._model.set_filter(self.filter_text)
        self.tree.viewport().update()
        self.filter_changed.emit()

    @Slot()
    def _on_sifted(self) -> None:
        """The rows follow the store, the filter and the order."""
        before, self._seen = self._seen, (self._model.filter_text, self._model.order)
        self.select_again()
        self._open_branches()
        if self._seen != before and self.tree.currentIndex().isValid():
            self.tree.scrollTo(self.tree.currentIndex())
        if self._first_due:
            self._first_due = False
            self._select_first_leaf()

    @Slot(QModelIndex, QModelIndex)
    def _on_current_changed(self, current: QModelIndex, previous: QModelIndex) -> None:
        place = self._model.data(current, Role.PLACE)
        if isinstance(place, Place) and not self._rows_going:
            self._place = place
            if place.kind != "category":
                self.chosen.emit(place)

    @Slot(QModelIndex)
    def _on_opened(self, index: QModelIndex) -> None:
        """A category is opened as the file that it is."""
        place = index.data(Role.PLACE)
        if isinstance(place, Place) and place.kind == "category":
            self.chosen.emit(Place("text", place.category))

    @Slot()
    def _on_rows_going(self) -> None:
        self._rows_going = True

    @Slot()
    def _on_rows_gone(self) -> None:
        self._rows_going = False
