"""What the saver and the steps ask a person: where a copy goes, whether to write outside; and the kept drafts."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from wikimem_desktop.presentation.buffer import Buffer
from wikimem_desktop.presentation.document import Documents
from wikimem_desktop.presentation.drafts import Draft, Drafts
from wikimem_desktop.presentation.saver import Saver
from wikimem_desktop.presentation.steps import Steps
from wikimem_desktop.widgets.drafts_view import DraftsView
from wikimem_desktop.widgets.menus import Menus


class Questions(QObject):
    """Asks, and hands the answers on."""

    def __init__(
        self, saver: Saver, steps: Steps, documents: Documents, drafts: Drafts, menus: Menus, window: QWidget
    ) -> None:
        super().__init__(window)
        self._saver = saver
        self._steps = steps
        self._documents = documents
        self._drafts = drafts
        self._window = window
        saver.copy_wanted.connect(self._on_copy_wanted)
        saver.outside_wanted.connect(self._on_outside_wanted)
        steps.outside_wanted.connect(self._on_change_outside_wanted)
        menus.copy_action.triggered.connect(self._on_copy_of_this_wanted)
        menus.drafts_action.triggered.connect(self._on_drafts_wanted)

    @Slot(object)
    def _on_copy_wanted(self, buffer: Buffer) -> None:
        name, _ = QFileDialog.getSaveFileName(self._window, self.tr("Save a copy"), f"{buffer.place.name}.md")
        if name:
            self._saver.save_copy(buffer, Path(name))

    @Slot()
    def _on_copy_of_this_wanted(self) -> None:
        if self._documents.current is not None:
            self._on_copy_wanted(self._documents.current)

    @Slot()
    def _on_drafts_wanted(self) -> None:
        view = DraftsView(self._drafts, self._window)
        view.wanted_back.connect(self.bring_back)
        view.exec()
        view.deleteLater()

    @Slot(object)
    def bring_back(self, draft: Draft) -> None:
        self._drafts.bring_back(draft)

    @Slot(str)
    def _on_outside_wanted(self, target: str) -> None:
        self._saver.answer_outside(agreed=self._may_write_outside(target))

    @Slot(str)
    def _on_change_outside_wanted(self, target: str) -> None:
        self._steps.answer_outside(agreed=self._may_write_outside(target))

    def _may_write_outside(self, target: str) -> bool:
        """A symlink leads outside the store: writing there is asked about once per file."""
        question = self.tr("This file is a link to {0}, outside the memory. Write there?").format(target)
        answer = QMessageBox.question(self._window, self.tr("Outside the memory"), question)
        return answer == QMessageBox.StandardButton.Yes
