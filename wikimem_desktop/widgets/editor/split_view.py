"""The text being written, and beside it what it looks like: rendered as the person types, scrolled together."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractSlider, QLabel, QScrollBar, QSplitter, QVBoxLayout, QWidget

from wikimem_desktop.widgets.editor.reader import Reader
from wikimem_desktop.widgets.editor.text_edit import TextEdit
from wikimem_desktop.widgets.styled import styled

_PAUSE_MS = 120
_PATIENCE = 4
"""Rendering takes at most one part in this many of the time."""
_MOST_LIVE = 100_000
"""Characters; a longer text would be felt at each pause."""
_NARROW = 480


class SplitView(QSplitter):
    """The editor, with or without the rendering beside it (below it where it is narrow).

    `source` gives the text to render.
    """

    def __init__(self, edit: TextEdit, preview: Reader, source: Callable[[], str]) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setChildrenCollapsible(False)
        self._edit = edit
        self._preview = preview
        self._source = source
        self._shown: str | None = None
        """What is rendered; None: nothing yet."""
        self._by_hand = False
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._on_pause)
        self.note = styled(QLabel(self.tr("A long text: rendered when it is opened and saved.")), "muted")
        self.note.setContentsMargins(16, 6, 16, 6)
        self.note.hide()
        self._beside = QWidget()
        self._beside.setObjectName("page")
        column = QVBoxLayout(self._beside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.note)
        column.addWidget(preview, 1)
        self.addWidget(edit)
        self.addWidget(self._beside)
        self._beside.hide()
        edit.textChanged.connect(self._on_edited)
        edit.verticalScrollBar().valueChanged.connect(self._follow_edit)
        bar = preview.verticalScrollBar()
        bar.actionTriggered.connect(self._on_preview_moved)
        bar.valueChanged.connect(self._follow_preview)

    @property
    def split(self) -> bool:
        return not self._beside.isHidden()

    def set_split(self, split: bool) -> None:
        if split != self.split:
            self._beside.setVisible(split)
            self.setSizes([1, 1])
        if split:
            self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Render the text as it is now."""
        if not self.split:
            return
        self._pause.stop()
        text = self._source()
        if text == self._shown:
            return
        self._shown = text
        self.note.setVisible(len(text) > _MOST_LIVE)
        begun = time.monotonic()
        self._preview.load(text)
        taken = round((time.monotonic() - begun) * 1000)
        self._pause.setInterval(max(_PAUSE_MS, _PATIENCE * taken))
        self._follow_edit()

    @Slot()
    def _on_edited(self) -> None:
        if self._beside.isVisible() and self._edit.document().characterCount() <= _MOST_LIVE:
            self._pause.start()

    @Slot()
    def _on_pause(self) -> None:
        if self._edit.composing:
            self._pause.start()
        else:
            self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        self._pause.stop()
        super().hideEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        narrow = event.size().width() < _NARROW
        self.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)
        super().resizeEvent(event)

    # ------------------------------------------------------------ scrolling together

    @Slot()
    def _follow_edit(self) -> None:
        if self.split and not self._by_hand:
            bar = self._preview.verticalScrollBar()
            bar.setValue(round(self._share_above() * bar.maximum()))

    def _share_above(self) -> float:
        """How much of the text is above what is on show; where all is, the caret tells."""
        bar = self._edit.verticalScrollBar()
        if bar.maximum():
            return bar.value() / bar.maximum()
        return self._edit.textCursor().blockNumber() / max(1, self._edit.blockCount() - 1)

    @Slot(int)
    def _on_preview_moved(self, action: int) -> None:
        """By wheel, key or hand; the value changes next."""
        self._by_hand = action != QAbstractSlider.SliderAction.SliderNoAction.value

    @Slot()
    def _follow_preview(self) -> None:
        if self._by_hand:
            mine, other = self._preview.verticalScrollBar(), self._edit.verticalScrollBar()
            _scroll(other, mine)
            self._by_hand = False


def _scroll(bar: QScrollBar, like: QScrollBar) -> None:
    if like.maximum():
        bar.setValue(round(like.value() / like.maximum() * bar.maximum()))
