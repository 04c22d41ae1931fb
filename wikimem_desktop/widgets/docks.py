"""The panes around the editor: docks that can be moved, closed and stacked as tabs, each with its name and count."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QMargins, QObject, Qt, Slot
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QLabel, QMainWindow, QMenu, QTabBar, QTabWidget, QWidget

from wikimem_desktop.widgets.styled import styled

_TREE_WIDTH, _PLAYGROUND_WIDTH, _BOTTOM_HEIGHT = 250, 480, 190
_BOTTOM = ("problems", "links", "history", "changes", "journal", "find")
_CAPTION_MARGINS = QMargins(14, 7, 10, 1)
_Area = Qt.DockWidgetArea


class Docks(QObject):
    """One dock for each part: the memory left, the playground right, all others as tabs below."""

    def __init__(self, window: QMainWindow, parts: Mapping[str, QWidget]) -> None:
        super().__init__(window)
        self._window = window
        self._titles = {
            "memory": self.tr("Memory"),
            "playground": self.tr("Playground"),
            "problems": self.tr("Problems"),
            "links": self.tr("Links"),
            "history": self.tr("History"),
            "changes": self.tr("Changes"),
            "journal": self.tr("Journal"),
            "find": self.tr("Find in store"),
        }
        self._captions: dict[str, QLabel] = {}
        window.setTabPosition(_Area.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        window.setCorner(Qt.Corner.BottomRightCorner, _Area.RightDockWidgetArea)
        window.setCorner(Qt.Corner.BottomLeftCorner, _Area.LeftDockWidgetArea)
        areas = {"memory": _Area.LeftDockWidgetArea, "playground": _Area.RightDockWidgetArea}
        names = [name for name in ("memory", "playground", *_BOTTOM) if name in parts]
        self.all = {name: self._dock(name, parts[name], areas.get(name, _Area.BottomDockWidgetArea)) for name in names}
        bottom = [self.all[name] for name in names if name in _BOTTOM]
        for dock in bottom[1:]:
            window.tabifyDockWidget(bottom[0], dock)
        bottom[0].raise_()
        sides = [self.all["memory"], self.all["playground"]]
        window.resizeDocks(sides, [_TREE_WIDTH, _PLAYGROUND_WIDTH], Qt.Orientation.Horizontal)
        window.resizeDocks(bottom[:1], [_BOTTOM_HEIGHT], Qt.Orientation.Vertical)

    def _dock(self, name: str, widget: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(self._titles[name], self._window)
        dock.setObjectName(name)
        dock.setWidget(widget)
        caption = styled(QLabel(self._titles[name].upper()), "caption", minimumHeight=22)
        bar = QWidget()
        row = QHBoxLayout(bar)
        row.setContentsMargins(_CAPTION_MARGINS)
        row.addWidget(caption, 1)
        dock.setTitleBarWidget(bar)
        self._captions[name] = caption
        self._window.addDockWidget(area, dock)
        # Qt counts what is behind another tab as visible. A hidden widget would get no room from its dock.
        policy = widget.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        widget.setSizePolicy(policy)
        dock.visibilityChanged.connect(widget.setVisible)
        for moved in (dock.visibilityChanged, dock.topLevelChanged, dock.dockLocationChanged):
            moved.connect(self._show_captions, Qt.ConnectionType.QueuedConnection)
        return dock

    @Slot()
    def _show_captions(self) -> None:
        """A pane whose name stands on a tab needs no caption."""
        for name, dock in self.all.items():
            stacked = [d for d in self._window.tabifiedDockWidgets(dock) if not d.isHidden() and not d.isFloating()]
            named = not stacked or dock.isFloating()
            layout = dock.titleBarWidget().layout()
            assert layout is not None
            layout.setContentsMargins(_CAPTION_MARGINS if named else QMargins())
            self._captions[name].setVisible(named)
        for tabs in self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            tabs.setAccessibleName(self.tr("Panes"))
            tabs.setDrawBase(False)
            tabs.setExpanding(False)

    def add_to_caption(self, name: str, button: QWidget) -> None:
        """Put a button at the right end of a pane's caption."""
        layout = self.all[name].titleBarWidget().layout()
        assert layout is not None
        layout.addWidget(button)

    def fill(self, menu: QMenu) -> None:
        """A switch for each pane."""
        for dock in self.all.values():
            menu.addAction(dock.toggleViewAction())

    def show_count(self, name: str, count: int) -> None:
        """Put a number behind the name of a pane; 0 takes it away."""
        title, dock = self._titles[name], self.all[name]
        dock.setWindowTitle(f"{title} {count:n}" if count else title)
        dock.toggleViewAction().setText(title)
        self._captions[name].setText(f"{title.upper()}  {count:n}" if count else title.upper())

    def show_pane(self, name: str) -> None:
        """Bring a pane to the front and put the focus into it."""
        dock = self.all[name]
        dock.show()
        dock.raise_()
        dock.widget().show()
        dock.widget().setFocus()

    def show_all(self, shown: bool) -> None:
        for dock in self.all.values():
            dock.setVisible(shown)
