"""The links that a change breaks, listed before it is made."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QLabel, QListWidget, QVBoxLayout, QWidget

from wikimem_desktop.engine.problems import PlacedLink
from wikimem_desktop.widgets.styled import styled

_MOST_ROWS = 6


class BrokenLinks(QWidget):
    """A sentence and the places where the links stand; hidden when there are none."""

    def __init__(self, links: Sequence[PlacedLink]) -> None:
        super().__init__()
        words = self.tr("%n link(s) lead here and will not be found any more:", None, len(links))
        self.list = styled(QListWidget(), "links")
        self.list.setAccessibleName(words)
        self.list.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        for link in links:
            row = f"{link.path.stem}:{link.from_item}  ·  {link.path.name}:{link.line}"
            self.list.addItem(row)
            self.list.item(self.list.count() - 1).setToolTip(row)
        self.list.ensurePolished()  # the style sheet makes rows higher
        height = sum(self.list.sizeHintForRow(row) for row in range(min(len(links), _MOST_ROWS)))
        self.list.setFixedHeight(height + 12)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(QLabel(words, wordWrap=True))
        layout.addWidget(self.list)
        self.setVisible(bool(links))
