"""Shows the current notice above the window's content, until it is settled or put away."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from wikimem_desktop.presentation.notices import Notice, Notices
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme


class NoticeBar(QWidget):
    def __init__(self, notices: Notices, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._notices = notices
        self._theme = theme
        self._text = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._copy = styled(QToolButton(), "link", text=self.tr("Copy details"))
        self._close = QToolButton()
        self._close.setToolTip(self.tr("Put away"))
        self._close.setAccessibleName(self.tr("Put away"))
        self._actions: list[QPushButton] = []
        row = QHBoxLayout(self)
        row.setContentsMargins(18, 6, 12, 6)
        row.setSpacing(8)
        row.addWidget(self._text, 1)
        self._buttons = QHBoxLayout()
        row.addLayout(self._buttons)
        row.addWidget(self._copy)
        row.addWidget(self._close)
        self._copy.clicked.connect(self._on_copy)
        self._close.clicked.connect(self._on_close)
        notices.shown.connect(self._on_shown)
        notices.cleared.connect(self.hide)
        theme.changed.connect(self._set_icon)
        self._set_icon()
        self.hide()

    @Slot(object)
    def _on_shown(self, notice: Notice) -> None:
        self._text.setText(notice.text)
        self._show_actions(notice)
        self._copy.setVisible(bool(notice.details))
        self.setProperty("level", notice.level.value)
        self.style().unpolish(self)
        self.style().polish(self)
        self.show()

    def _show_actions(self, notice: Notice) -> None:
        for button in self._actions:
            button.hide()
            button.deleteLater()
        self._actions = [QPushButton(action.text) for action in notice.actions]
        for button, action in zip(self._actions, notice.actions, strict=True):
            button.clicked.connect(action.act)
            self._buttons.addWidget(button)

    @Slot()
    def _on_copy(self) -> None:
        if self._notices.current is not None:
            QGuiApplication.clipboard().setText(self._notices.current.details)

    @Slot()
    def _on_close(self) -> None:
        self._notices.clear()

    @Slot()
    def _set_icon(self) -> None:
        self._close.setIcon(self._theme.icon("x"))
