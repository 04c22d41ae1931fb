"""In which order the tree shows the items of a category: a menu in its caption and in the View menu."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton

from wikimem_desktop.presentation.ordering import Order
from wikimem_desktop.widgets.memory_tree import MemoryTree
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme


class SortMenu(QObject):
    """`button` belongs into the caption of the pane."""

    def __init__(self, tree: MemoryTree, view_menu: QMenu, theme: Theme) -> None:
        super().__init__(tree)
        self._tree = tree
        self._theme = theme
        self.menu = QMenu(self.tr("So&rt items by"), tree)
        self._actions = QActionGroup(self)
        for order, text in (
            (Order.FILE, self.tr("&File order")),
            (Order.NAME, self.tr("&Name")),
            (Order.DATE, self.tr("&Date, newest first")),
            (Order.SIZE, self.tr("&Size, longest first")),
        ):
            action = self.menu.addAction(text)
            action.setCheckable(True)
            action.setData(order)
            self._actions.addAction(action)
        self._actions.triggered.connect(self._on_chosen)
        view_menu.addMenu(self.menu)
        self.button = styled(QToolButton(), "captionButton")
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.button.setMenu(self.menu)
        tree.order_changed.connect(self._show_order)
        theme.changed.connect(self._show_order)
        self._show_order()

    @Slot(QAction)
    def _on_chosen(self, action: QAction) -> None:
        self._tree.set_order(Order(action.data()))

    @Slot()
    def _show_order(self) -> None:
        order = self._tree.order
        for action in self._actions.actions():
            action.setChecked(action.data() == order)
            if action.data() == order:
                words = self.tr("Sorted by: {0}").format(action.text().replace("&", ""))
                self.button.setToolTip(words)
                self.button.setAccessibleName(words)
        self.button.setIcon(self._theme.icon("arrow-down-up", "muted" if order is Order.FILE else "accent"))
