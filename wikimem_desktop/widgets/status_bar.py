"""The bar that always tells the truth: index, watcher, what a save means for a running agent, tokenizer, layout."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTime, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QSizePolicy, QToolButton, QWidget

from wikimem_desktop.presentation.library import Library
from wikimem_desktop.presentation.watcher import Watcher
from wikimem_desktop.widgets.dot_label import DotLabel
from wikimem_desktop.widgets.elided_label import ElidedLabel
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme

_PROGRESS_WIDTH = 110


class StatusBar(QWidget):
    """Signals:
    problems_clicked: the person wants to see the problems.
    changes_clicked: the person wants to see what others changed.
    """

    problems_clicked = Signal()
    changes_clicked = Signal()

    def __init__(self, library: Library, watcher: Watcher, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("statusBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._library = library
        self._watcher = watcher
        self._theme = theme
        self._index, self._watching = DotLabel(), DotLabel()
        self._progress = QProgressBar(textVisible=False)
        self._progress.setFixedWidth(_PROGRESS_WIDTH)
        self._progress.setAccessibleName(self.tr("Indexing progress"))
        self._cancel = styled(QToolButton(), "link", text=self.tr("Cancel"))
        self._cancel.setAccessibleName(self.tr("Cancel indexing"))
        self._update = styled(QToolButton(), "link", text=self.tr("Update"))
        self._update.setAccessibleName(self.tr("Update the index"))
        self._retry = styled(QToolButton(), "link", text=self.tr("Retry"))
        self._retry.setAccessibleName(self.tr("Retry watching the folder"))
        self._problems = styled(QToolButton(), "link")
        self._changes = styled(QToolButton(), "link")
        self._news = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self._news.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)  # the states come first
        self._news_of_text = False
        self._access, self._tokenizer, self._layout = QLabel(), QLabel(), QLabel()
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 4, 14, 4)
        row.setSpacing(16)
        row.addStrut(self._problems.sizeHint().height())  # as high without a button
        for widget in (self._index, self._progress, self._cancel, self._update, self._watching, self._retry):
            row.addWidget(widget)
        row.addWidget(self._problems)
        row.addWidget(self._changes)
        row.addWidget(self._news, 1)
        for label in (self._access, self._tokenizer, self._layout):
            row.addWidget(label)
        self._cancel.clicked.connect(library.cancel)
        self._update.clicked.connect(library.refresh)
        self._retry.clicked.connect(watcher.retry)
        self._problems.clicked.connect(self.problems_clicked)
        self._changes.clicked.connect(self.changes_clicked)
        library.progressed.connect(self._on_progressed)
        for signal in (library.store_changed, library.snapshot_changed, library.activity_changed):
            signal.connect(self.show_state)
        library.store_changed.connect(self.forget_news)
        watcher.mode_changed.connect(self.show_state)
        watcher.healed.connect(self.tell_healed)
        theme.changed.connect(self.show_state)
        self.show_problem_count(0)
        self.show_change_count(0)
        self.show_state()

    def show_problem_count(self, count: int) -> None:
        """How many problems the memory has."""
        self._problems.setVisible(count > 0)
        self._problems.setText(self.tr("%n problem(s)", None, count))

    def show_change_count(self, count: int) -> None:
        """How many changes by others the person has not looked at."""
        self._changes.setVisible(count > 0)
        self._changes.setText(self.tr("%n change(s) by others", None, count))

    @Slot()
    def show_state(self) -> None:
        store, snapshot = self._library.store, self._library.snapshot
        self.setVisible(store is not None)
        if store is None:
            return
        self._show_index()
        self._show_watcher()
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
        self._tell(self.tr("Saved · a running agent sees it at its next write or restart"))

    @Slot()
    def tell_followed(self) -> None:
        """Stands until the person edits on, or another text is open."""
        self._tell(self.tr("This text was changed on disk at {0} and is shown as it is there"), of_text=True)

    @Slot()
    def tell_healed(self) -> None:
        self._tell(self.tr("Watching had stopped; it was started again at {0}"))

    @Slot()
    def forget_news(self) -> None:
        self._tell("")

    @Slot()
    def forget_text(self) -> None:
        """Another text is open than the one that was told of."""
        if self._news_of_text:
            self.forget_news()

    def _tell(self, text: str, *, of_text: bool = False) -> None:
        self._news.setText(text.format(QTime.currentTime().toString("HH:mm")))
        self._news_of_text = of_text

    def _show_index(self) -> None:
        library, had_focus = self._library, self._cancel.hasFocus()
        count = library.snapshot.item_count if library.snapshot else 0
        if library.following or (library.indexing and library.snapshot is None):
            text, good = self._indexing_words(), False
        elif library.cancelled and not library.behind:
            text, good = self.tr("Indexing was cancelled · Chinese is searched by pairs of characters"), False
        elif library.cancelled:
            text, good = self.tr("Indexing was cancelled · the index may be behind the disk"), False
        elif library.behind:
            text, good = self.tr("Index behind the disk · {0} item(s)", None, count), False
        else:
            text, good = self.tr("Index up to date · {0} item(s)", None, count), True
        colors = self._theme.colors
        self._index.show_state(colors.good if good else colors.warning, text.format(f"{count:,}"))
        if not library.indexing:
            self._progress.reset()
        self._progress.setVisible(library.lengthy)
        self._cancel.setVisible(library.lengthy)
        there = self._watcher.mode != "missing"
        self._update.setVisible((library.behind or library.cancelled) and not library.indexing and there)
        if had_focus and self._update.isVisible():
            self._update.setFocus()

    def _indexing_words(self) -> str:
        done, total = self._progress.value(), self._progress.maximum()
        return (
            self.tr("Indexing · {0} %").replace("{0}", str(100 * done // total)) if done > 0 else self.tr("Indexing…")
        )

    def _show_watcher(self) -> None:
        mode, reason = self._watcher.mode, self._watcher.reason
        words, more = self._watcher_words(mode, reason)
        colors = self._theme.colors
        self._watching.show_state({"watching": colors.good, "off": colors.cut}.get(mode, colors.warning), words, more)
        self._retry.setVisible(mode == "off" or (mode == "polling" and reason != "remote"))

    def _watcher_words(self, mode: str, reason: str) -> tuple[str, str]:
        """What the watcher does, and more about it."""
        match mode, reason:
            case "watching", _:
                return self.tr("Watching"), ""
            case "missing", _:
                return self.tr("Waiting for the folder"), ""
            case "off", _:
                return self.tr("Not watching"), self.tr("The disk is still looked at every 30 seconds.")
            case _, "remote":
                words = self.tr("Polling a network folder")
                why = self.tr("The system does not tell what others change there.")
            case _, "watches":
                words = self.tr("Polling: no watches left")
                why = self.tr("The system has no more watches for folders (on Linux: fs.inotify.max_user_watches).")
            case _, "instances":
                words = self.tr("Polling: too many programs watch")
                why = self.tr("The system lets no more programs watch (on Linux: fs.inotify.max_user_instances).")
            case _, "died":
                words = self.tr("Polling: watching kept failing")
                why = self.tr("The system's word of changes stopped again and again.")
            case _:
                words = self.tr("Polling")
                why = self.tr("The system does not tell of changes in this folder.")
        return words, why + " " + self.tr("The folder is looked through every few seconds instead.")

    @Slot(int, int)
    def _on_progressed(self, done: int, total: int) -> None:
        self._progress.setMaximum(max(total, 1))
        self._progress.setValue(done)
        if self._library.lengthy:
            self._show_index()
