"""What can be done to the diary beyond writing in its days: an event is added."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from wikimem_desktop.engine.diary import DiaryEntry
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.presentation.diary_entries import DiaryEntries
from wikimem_desktop.presentation.library import Library
from wikimem_desktop.presentation.steps import Step, Steps
from wikimem_desktop.widgets.diary_dialog import DiaryDialog


class DiaryActions(QObject):
    """`target` tells what commands are about, `show` shows the place of a text in what is open."""

    def __init__(
        self,
        library: Library,
        steps: Steps,
        target: Callable[[], Place | None],
        show: Callable[[str], object],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._entries = DiaryEntries(library, steps)
        self._target = target
        self._show = show
        self._window = window
        self._added: DiaryEntry | None = None
        self.add = QAction(self.tr("Add a &diary entry…"), self)
        self.add.setShortcut("Ctrl+Shift+A")
        self.add.triggered.connect(self._on_add_wanted)
        window.addAction(self.add)
        library.store_changed.connect(self._show_what_is_possible)
        library.snapshot_changed.connect(self._show_what_is_possible)  # a host may have laid the folder out
        steps.done.connect(self._on_done)
        self._show_what_is_possible()

    def fill(self, menu: QMenu, behind: QAction) -> None:
        """Put the command into a menu, behind another one."""
        actions = menu.actions()
        menu.insertAction(actions[actions.index(behind) + 1], self.add)

    @Slot()
    def _show_what_is_possible(self) -> None:
        self.add.setEnabled(self._entries.possible)

    @Slot()
    def _on_add_wanted(self) -> None:
        target = self._target()
        dialog = DiaryDialog(self._window, self._entries)
        dialog.entered.connect(self._add)
        dialog.ask(target.category if target is not None and target.kind == "day" else "")

    @Slot(object)
    def _add(self, entry: DiaryEntry) -> None:
        self._added = entry
        self._entries.add(entry)

    @Slot(object)
    def _on_done(self, step: Step) -> None:
        added, self._added = self._added, None
        if added is not None and step.after == Place("day", added.date):
            self._show(added.content.splitlines()[0])
