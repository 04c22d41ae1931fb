"""The History pane: how the open item, or its file, was at every moment that was seen; and items that are gone."""

from __future__ import annotations

from PySide6.QtCore import QLocale, Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from wikimem_desktop.engine.versions import GoneItem, TextVersion
from wikimem_desktop.presentation.document import Documents
from wikimem_desktop.presentation.history import LocalHistory
from wikimem_desktop.presentation.history_reader import Comparison
from wikimem_desktop.presentation.words import moment_text
from wikimem_desktop.widgets.check_box import CheckBox
from wikimem_desktop.widgets.fields import LineField
from wikimem_desktop.widgets.row_list import Row, RowList
from wikimem_desktop.widgets.segments import Segments
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme
from wikimem_desktop.widgets.two_texts import TwoTexts

_PAUSE_MS = 150
_LIST_WIDTH = 220


class HistoryView(QWidget):
    """Versions left, what changed right."""

    def __init__(self, history: LocalHistory, documents: Documents, theme: Theme) -> None:
        super().__init__()
        self._history = history
        self._documents = documents
        self._question: object | None = None
        self._comparison: object | None = None
        self._said: str | None = None
        """The text of the version that is shown; None: it has none, or is not known yet."""
        self._shown: object = None
        self._gone: list[tuple[GoneItem, str]] = []
        """With what the filter looks at."""
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._ask)
        self.list = RowList(theme, self.tr("Versions"))
        self.texts = TwoTexts(theme, self.tr("Before"), self.tr("This version"))
        self.filter_box = LineField(placeholder=self.tr("Filter deleted items"), clear_button=True)
        self.filter_box.setAccessibleName(self.tr("Filter deleted items"))
        self.against_now = CheckBox(self.tr("Compare with now"), theme)
        self.restore = QPushButton(self.tr("Restore version"))
        self.copy = QPushButton(self.tr("Copy text"))
        self._empty = styled(QLabel(alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True), "muted")
        self._build()
        self.setFocusProxy(self.list)
        self.list.current_changed.connect(self._show_version)
        self.list.chosen.connect(self._go_to_text)
        self.restore.clicked.connect(self._on_restore)
        self._give_keys()
        self.copy.clicked.connect(self._on_copy)
        self.filter_box.textChanged.connect(self._show_gone)
        self.against_now.toggled.connect(self._compare)
        self.kinds.chosen.connect(self._on_kind_chosen)
        history.answered.connect(self._on_answered)
        for changed in (history.grown, documents.current_changed):
            changed.connect(self._pause.start)
        self._show_version(None)

    def _build(self) -> None:
        self.kinds = Segments((self.tr("Item"), self.tr("File"), self.tr("Deleted items")))
        self.item_button, self.file_button, self.gone_button = self.kinds.buttons
        top = QHBoxLayout()
        top.setContentsMargins(14, 6, 14, 4)
        top.setSpacing(8)
        top.addWidget(self.kinds)
        top.addStretch(1)
        top.addWidget(self.copy)
        top.addWidget(self.restore)
        self.filter_box.hide()
        split = QSplitter(Qt.Orientation.Horizontal)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 6)
        column.addWidget(self.list, 1)
        choices = QVBoxLayout()
        choices.setContentsMargins(14, 0, 0, 0)
        choices.addWidget(self.against_now)
        choices.addWidget(self.filter_box)
        column.addLayout(choices)
        split.addWidget(left)
        split.addWidget(self.texts)
        split.setStretchFactor(0, 4)
        split.setStretchFactor(1, 5)
        split.setChildrenCollapsible(False)
        left.setMinimumWidth(_LIST_WIDTH)
        self._split = split
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addWidget(self._empty, 1)
        column.addWidget(split, 1)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._pause.start()

    # ------------------------------------------------------------ asking

    @Slot(int)
    def _on_kind_chosen(self, kind: int) -> None:
        self.filter_box.setVisible(self.gone_button.isChecked())
        self.against_now.setVisible(not self.gone_button.isChecked())
        self.list.show_rows([])
        self._ask()

    @Slot()
    def _ask(self) -> None:
        """Look for the versions, if anyone sees them."""
        if not self.isVisible():
            return
        current = self._documents.current
        if self.gone_button.isChecked():
            self._question = self._history.ask_gone()
        elif current is not None:
            self._question = self._history.ask_versions(current.place, whole_file=self.file_button.isChecked())
        else:
            self._question = None
            self._show_rows([])

    @Slot(object, object)
    def _on_answered(self, question: object, found: list[TextVersion] | list[GoneItem] | Comparison) -> None:
        if isinstance(found, Comparison):
            if question is self._comparison:
                self._show_comparison(found)
        elif question is self._question and self.gone_button.isChecked():
            gone = [item for item in found if isinstance(item, GoneItem)]
            self._gone = [(item, f"{item.category}:{item.name}\n{item.text}".casefold()) for item in gone]
            self._show_gone()
        elif question is self._question:
            self._show_rows([self._version_row(version) for version in found if isinstance(version, TextVersion)])

    @Slot()
    def _show_gone(self) -> None:
        wanted = self.filter_box.text().casefold()
        shown = [item for item, text in self._gone if wanted in text]
        self._show_rows([Row(f"{g.category}:{g.name}", moment_text(g.moment), g) for g in shown])

    def _version_row(self, version: TextVersion) -> Row:
        who = self._who(version.author)
        if version.size is None:
            return Row(moment_text(version.moment), f"{self.tr('deleted')} · {who}", version, "cut")
        if version.size_before is None:
            change = self.tr("new")
        else:
            size = version.size - version.size_before
            change = f"{'+' if size > 0 else ''}{QLocale().toString(size)}"
        return Row(moment_text(version.moment), f"{change} · {who}", version)

    def _who(self, author: str) -> str:
        return self.tr("this app") if author == "app" else self.tr("outside")

    # ------------------------------------------------------------ showing

    def _show_rows(self, rows: list[Row]) -> None:
        self.list.show_rows(rows)
        some = bool(rows) or (self.gone_button.isChecked() and bool(self._gone))
        self._split.setVisible(some)
        self._empty.setVisible(not some)
        if self.gone_button.isChecked():
            self._empty.setText(self.tr("No item is gone, as far as was seen."))
        elif self._documents.current is None:
            self._empty.setText(self.tr("Choose an item in the memory."))
        else:
            self._empty.setText(self.tr("Nothing is known of earlier versions yet."))

    @Slot(object)
    def _show_version(self, version: object) -> None:
        self._said, self._comparison = None, None
        self.copy.setEnabled(False)
        self.restore.setEnabled(version is not None and not self._documents.read_only_store)
        if isinstance(version, TextVersion):
            first = self._newest() == version
            self.restore.setEnabled(self.restore.isEnabled() and not first and bool(version.size or not version.name))
            self._compare()
        elif isinstance(version, GoneItem):
            since = self.tr("{0}, {1}").format(moment_text(version.moment), self._who(version.author))
            gone = self.tr("Gone since {0}").format(since)
            self._said = version.text
            self.copy.setEnabled(True)
            self._shown = None
            self.texts.show_texts(self.tr("Its last text"), version.text, gone, "", ([], []))
        else:
            self._shown = None
            self.texts.show_texts("", "", "", "")

    def _newest(self) -> TextVersion | None:
        rows = self.list.row_model.rows
        value = rows[0].value if rows else None
        return value if isinstance(value, TextVersion) else None

    @Slot()
    def _compare(self) -> None:
        """The selected version with the one before it, or with the newest; what is found is shown when it is there."""
        version, newest = self.list.value, self._newest()
        if not isinstance(version, TextVersion) or newest is None:
            return
        pair = (version.digest, newest.digest) if self.against_now.isChecked() else (version.before, version.digest)
        self._comparison = self._history.ask_difference(version.name, *pair)

    def _show_comparison(self, found: Comparison) -> None:
        version = self.list.value
        assert isinstance(version, TextVersion)
        this = self.tr("{0}, {1}").format(moment_text(version.moment), self._who(version.author))
        against_now = self.against_now.isChecked()
        titles = (this, self.tr("Now")) if against_now else (self.tr("Before"), this)
        self._said = found.before if against_now else found.text
        self.copy.setEnabled(self._said is not None)
        if (shown := (version, titles, found)) != self._shown:  # who reads on keeps the place
            self._shown = shown
            self.texts.show_texts(titles[0], found.before or "", titles[1], found.text or "", found.spans)

    # ------------------------------------------------------------ doing

    def _give_keys(self) -> None:
        """Restoring writes: it has keys that no one presses to look at something."""
        enter, keypad = QKeySequence("Ctrl+Return"), QKeySequence("Ctrl+Enter")
        shortcut = QShortcut(enter, self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.setKeys([enter, keypad])
        shortcut.activated.connect(self.restore.click)
        self.restore.setToolTip(f"{self.restore.text()} ({keypad.toString(QKeySequence.SequenceFormat.NativeText)})")

    @Slot()
    def _go_to_text(self) -> None:
        """Read what the row is about: of what is gone the one text there is, else what became different."""
        side = self.texts.left if isinstance(self.list.value, GoneItem) else self.texts.right
        side.setFocus()

    @Slot()
    def _on_restore(self) -> None:
        version = self.list.value
        if not self.restore.isEnabled():
            return
        if isinstance(version, TextVersion):
            self._history.restore(version)
        elif isinstance(version, GoneItem):
            self._history.bring_back(version)

    @Slot()
    def _on_copy(self) -> None:
        if self._said is not None:
            QGuiApplication.clipboard().setText(self._said)
