"""The page before any memory is open."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from wikimem_desktop.places import icon
from wikimem_desktop.widgets.check_box import CheckBox
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme

_WIDTH = 560
_LOGO = 56


class WelcomePage(QWidget):
    """Signals:
    folder_wanted: the person wants to choose a folder.
    sample_wanted: the person wants the sample memory.
    store_chosen: path of a recent folder, as text.
    """

    folder_wanted = Signal()
    sample_wanted = Signal()
    store_chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self.open_button = styled(QPushButton("  " + self.tr("Open a memory folder…")), "primary")
        self.sample_button = QPushButton("  " + self.tr("Open the sample memory"))
        self.read_only = CheckBox(self.tr("Open read-only: nothing in the folder is written"), theme)
        self._recent_label = styled(QLabel(self.tr("RECENT")), "caption")
        self.recent = QListWidget()
        self.recent.setAccessibleName(self.tr("Recent memories"))
        body = QWidget()
        body.setMaximumWidth(_WIDTH)
        self._fill(QVBoxLayout(body))
        layout = QHBoxLayout(self)
        layout.addStretch(1)
        layout.addWidget(body, 10)
        layout.addStretch(1)
        self.open_button.clicked.connect(self.folder_wanted)
        self.sample_button.clicked.connect(self.sample_wanted)
        self.recent.itemActivated.connect(self._on_recent)
        self.recent.itemClicked.connect(self._on_recent)
        theme.changed.connect(self._set_icons)
        self._set_icons()
        self.show_recent([])

    def _fill(self, column: QVBoxLayout) -> None:
        logo = QLabel()
        logo.setPixmap(QIcon(str(icon("app.svg"))).pixmap(QSize(_LOGO, _LOGO), self.devicePixelRatio()))
        logo.setAccessibleName(self.tr("WikiMem Desktop"))
        title = QLabel(self.tr("WikiMem Desktop"))
        font = title.font()
        font.setPointSizeF(font.pointSizeF() * 1.9)
        font.setBold(True)
        title.setFont(font)
        text = self.tr("Edit what your agent remembers, and see what it would recall – and why.")
        hint = self.tr("Or drop a folder here. Your files stay where they are; nothing leaves this machine.")
        buttons = QHBoxLayout()
        buttons.addWidget(self.open_button)
        buttons.addWidget(self.sample_button)
        buttons.addStretch(1)
        column.setSpacing(12)
        column.addStretch(2)
        for widget in (logo, title, styled(QLabel(text, wordWrap=True), "muted")):
            column.addWidget(widget)
        column.addSpacing(10)
        column.addLayout(buttons)
        column.addWidget(self.read_only)
        column.addSpacing(14)
        column.addWidget(self._recent_label)
        column.addWidget(self.recent)
        column.addWidget(styled(QLabel(hint, wordWrap=True), "muted"))
        column.addStretch(3)

    def show_recent(self, paths: list[str]) -> None:
        self.recent.clear()
        for path in paths:
            row = QListWidgetItem(f"{Path(path).name}   {path}")
            row.setData(Qt.ItemDataRole.UserRole, path)
            row.setToolTip(path)
            self.recent.addItem(row)
        height = (self.recent.sizeHintForRow(0) + 2) * min(len(paths), 6) + 6 if paths else 0
        self.recent.setFixedHeight(height)
        self.recent.setVisible(bool(paths))
        self._recent_label.setVisible(bool(paths))

    @Slot(QListWidgetItem)
    def _on_recent(self, item: QListWidgetItem) -> None:
        self.store_chosen.emit(item.data(Qt.ItemDataRole.UserRole))

    @Slot()
    def _set_icons(self) -> None:
        self.open_button.setIcon(self._theme.icon("folder-open", "onAccent"))
        self.sample_button.setIcon(self._theme.icon("book-open"))
