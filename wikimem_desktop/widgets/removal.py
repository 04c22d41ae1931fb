"""What deleting would take along, shown before it is done."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from wikimem_desktop.engine.problems import PlacedLink
from wikimem_desktop.widgets.broken_links import BrokenLinks
from wikimem_desktop.widgets.dialog import Dialog
from wikimem_desktop.widgets.styled import styled

_WIDTH = 440


class RemovalDialog(Dialog):
    """`what` is deleted; `accepted`: the person wants it nevertheless."""

    def __init__(self, parent: QWidget, what: str, losses: Sequence[str], links: Sequence[PlacedLink]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle(self.tr("Delete"))
        self.setMinimumWidth(_WIDTH)
        self.question = styled(QLabel(self.tr("Delete {0}?").format(what), wordWrap=True), "title")
        self.question.setTextFormat(Qt.TextFormat.PlainText)
        self.losses = [QLabel(loss, wordWrap=True, textFormat=Qt.TextFormat.PlainText) for loss in losses]
        self.links = BrokenLinks(links)
        way_back = QLabel(self.tr("Ctrl+Z in the memory tree brings it back."), wordWrap=True)
        buttons = QDialogButtonBox()
        self.delete = buttons.addButton(self.tr("Delete"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.cancel = buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        self.delete.setDefault(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(10)
        for part in (self.question, *self.losses, self.links, styled(way_back, "muted")):
            column.addWidget(part)
        column.addSpacing(4)
        column.addWidget(buttons)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.delete.setFocus()
