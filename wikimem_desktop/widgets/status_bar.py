"""The bar that always tells the truth: index, watcher, what a save means for a running agent, tokenizer, layout."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTime, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QToolButton, QWidget

from wikimem_desktop.presentation.library import Library
from wikimem_desktop.presentation.watcher import Watcher
from wikimem_desktop.widgets.elided_label import ElidedLabel
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme

_PROGRESS_WIDTH = 110


class StatusBar(QWidget):
    """Signals:
    problems_clicked: the person wants to see the problems.
    """

    problems_clicked = Signal()

    def __init__(self, library: Library, watcher: Watcher, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("statusBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._library = library
        self._watcher = watcher
        self._theme = theme
        self._index = QLabel(textFormat=Qt.TextFormat.RichText)
        self._progress = QProgressBar(textVisible=False)
        self._progress.setFixedWidth(_PROGRESS_WIDTH)
        self._progress.setAccessibleName(self.tr("Indexing progress"))
        self._cancel = styled(QToolButton(), "link", text=self.tr("Cancel"))
        self._watching = QLabel(textFormat=Qt.TextFormat.RichText)
        self._problems = styled(QToolButton(), "link")
        self._news = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self._access, self._tokenizer, self._layout = QLabel(), QLabel(), QLabel()
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 4, 14, 4)
        row.setSpacing(16)
        for widget in (self._index, self._progress, self._cancel, self._watching, self._problems):
            row.addWidget(widget)
        row.addWidget(self._news, 1)
        for widget in (self._access, self._tokenizer, self._layout):
            row.addWidget(widget)
        self._cancel.clicked.connect(library.cancel)
        self._problems.clicked.connect(self.problems_clicked)
        library.progressed.connect(self._on_progressed)
        for signal in (library.store_changed, library.snapshot_changed, library.activity_changed):
            signal.connect(self.show_state)
        library.problems_changed.connect(self.show_state)
        library.store_changed.connect(self.forget_news)
        watcher.mode_changed.connect(self.show_state)
        theme.changed.connect(self.show_state)
        self.show_state()

    @Slot()
    def show_state(self) -> None:
        store, snapshot = self._library.store, self._library.snapshot
        self.setVisible(store is not None)
        if store is None:
            return
        self._show_index()
        modes = {
            "watching": self.tr("Watching"),
            "polling": self.tr("Polling"),
            "missing": self.tr("Waiting for the folder"),
            "off": self.tr("Not watching"),
        }
        color = "good" if self._watcher.mode == "watching" else "warning"
        self._watching.setText(self._dot(color) + modes[self._watcher.mode])
        count = len(self._library.findings.problems)
        self._problems.setVisible(count > 0)
        self._problems.setText(self.tr("%n problem(s)", None, count))
        self._access.setText(self.tr("read-only") if store.read_only else "")
        self._access.setVisible(store.read_only)
        self._tokenizer.setVisible(snapshot is not None)
        if snapshot is not None:
            bigrams = self.tr("bigrams · jieba is loading") if self._library.awaits_jieba else self.tr("bigrams")
            self._tokenizer.setText("jieba" if snapshot.postings.jieba else bigrams)
        layouts = {
            "flat": self.tr("flat store"),
            "category": self.tr("category store"),
            "wiki": self.tr("wiki store"),
        }
        self._layout.setText(layouts[store.layout.name])

    @Slot()
    def tell_saved(self) -> None:
        """Stands until the person edits on."""
        self._news.setText(self.tr("Saved · a running agent sees it at its next write or restart"))

    @Slot()
    def tell_followed(self) -> None:
        time = QTime.currentTime().toString("HH:mm")
        self._news.setText(self.tr("This text was changed on disk at {0} and is shown as it is there").format(time))

    @Slot()
    def forget_news(self) -> None:
        self._news.setText("")

    def _show_index(self) -> None:
        snapshot, indexing = self._library.snapshot, self._library.indexing
        count = snapshot.item_count if snapshot else 0
        first = indexing and snapshot is None
        if first:
            text = self._dot("warning") + self.tr("Indexing…")
        elif self._library.behind and not indexing:
            text = self._dot("warning") + self.tr("Index behind the disk · {0} item(s)", None, count)
        else:
            text = self._dot("good") + self.tr("Index up to date · {0} item(s)", None, count)
        self._index.setText(text.format(f"{count:,}"))
        if not indexing:
            self._progress.hide()
            self._cancel.hide()
        elif first:
            self._cancel.show()

    @Slot(int, int)
    def _on_progressed(self, done: int, total: int) -> None:
        if self._library.indexing:
            self._progress.setMaximum(max(total, 1))
            self._progress.setValue(done)
            self._progress.show()
            self._cancel.show()

    def _dot(self, color: str) -> str:
        return f'<span style="color:{getattr(self._theme.colors, color)}">●</span>&nbsp; '
