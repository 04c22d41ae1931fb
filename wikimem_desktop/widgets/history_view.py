"""The History pane: how the open item, or its file, was at every moment that was seen; and items that are gone."""

from __future__ import annotations

from PySide6.QtCore import QLocale, Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from wikimem_desktop.engine.versions import GoneItem, TextVersion
from wikimem_desktop.presentation.document import Documents
from wikimem_desktop.presentation.history import LocalHistory
from wikimem_desktop.presentation.words import moment_text
from wikimem_desktop.widgets.panes import in_sight
from wikimem_desktop.widgets.row_list import Row, RowList
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme
from wikimem_desktop.widgets.two_texts import TwoTexts

_PAUSE_MS = 150


class HistoryView(QWidget):
    """Versions left, what changed right."""

    def __init__(self, history: LocalHistory, documents: Documents, theme: Theme) -> None:
        super().__init__()
        self._history = history
        self._documents = documents
        self._request: object | None = None
        self._gone: list[GoneItem] = []
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._ask)
        self.list = RowList(theme, self.tr("Versions"))
        self.texts = TwoTexts(theme, self.tr("Before"), self.tr("This version"))
        self.filter_box = QLineEdit(placeholderText=self.tr("Filter deleted items"), clearButtonEnabled=True)
        self.filter_box.setAccessibleName(self.tr("Filter deleted items"))
        self.restore = QPushButton(self.tr("Restore version"))
        self.copy = QPushButton(self.tr("Copy text"))
        self._empty = styled(QLabel(alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True), "muted")
        self._build()
        self.setFocusProxy(self.list)
        self.list.current_changed.connect(self._show_version)
        self.list.chosen.connect(self._on_restore)
        self.restore.clicked.connect(self._on_restore)
        self.copy.clicked.connect(self._on_copy)
        self.filter_box.textChanged.connect(self._show_gone)
        self._kinds.idClicked.connect(self._on_kind_chosen)
        history.answered.connect(self._on_answered)
        for changed in (history.grown, documents.current_changed):
            changed.connect(self._pause.start)
        self._show_version(None)

    def _build(self) -> None:
        self._kinds = QButtonGroup(self)
        kinds = QHBoxLayout()
        kinds.setSpacing(0)
        names = (self.tr("Item"), self.tr("File"), self.tr("Deleted items"))
        self.item_button, self.file_button, self.gone_button = self.kinds = [QToolButton() for _ in names]
        for number, button in enumerate(self.kinds):
            button.setText(names[number])
            styled(button, ("segmentLeft", "segmentLeft", "segmentRight")[number])
            button.setCheckable(True)
            self._kinds.addButton(button, number)
            kinds.addWidget(button)
        self.item_button.setChecked(True)
        top = QHBoxLayout()
        top.setContentsMargins(14, 6, 14, 4)
        top.setSpacing(8)
        top.addLayout(kinds)
        top.addWidget(self.filter_box, 1)
        top.addStretch(0)
        top.addWidget(self.copy)
        top.addWidget(self.restore)
        self.filter_box.hide()
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(self.list)
        split.addWidget(self.texts)
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 3)
        split.setChildrenCollapsible(False)
        self._split = split
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addWidget(self._empty, 1)
        column.addWidget(split, 1)

    @Slot(bool)
    def refresh(self, shown: bool) -> None:
        """The pane came to the front, or went behind others."""
        if shown:
            self._pause.start()

    # ------------------------------------------------------------ asking

    @Slot(int)
    def _on_kind_chosen(self, kind: int) -> None:
        self.filter_box.setVisible(self.gone_button.isChecked())
        self.list.show_rows([])
        self._ask()

    @Slot()
    def _ask(self) -> None:
        """Look for the versions, if anyone sees them."""
        if not in_sight(self):
            return
        current = self._documents.current
        if self.gone_button.isChecked():
            self._request = self._history.ask_gone()
        elif current is not None:
            self._request = self._history.ask_versions(current.place, whole_file=self.file_button.isChecked())
        else:
            self._request = None
            self._show_rows([])

    @Slot(object, object)
    def _on_answered(self, request: object, found: list[TextVersion] | list[GoneItem]) -> None:
        if request is not self._request:
            return
        if self.gone_button.isChecked():
            self._gone = [item for item in found if isinstance(item, GoneItem)]
            self._show_gone()
        else:
            self._show_rows([self._version_row(version) for version in found if isinstance(version, TextVersion)])

    @Slot()
    def _show_gone(self) -> None:
        wanted = self.filter_box.text().casefold()
        shown = [g for g in self._gone if wanted in f"{g.category}:{g.name}\n{g.text}".casefold()]
        who = self._who
        rows = [Row(f"{g.category}:{g.name}", f"{who(g.author)} · {moment_text(g.moment)}", g) for g in shown]
        self._show_rows(rows)

    def _version_row(self, version: TextVersion) -> Row:
        who = self._who(version.author)
        if version.text is None:
            return Row(moment_text(version.moment), f"{self.tr('deleted')} · {who}", version, "cut")
        size = len(version.text) - len(version.before or "")
        change = self.tr("new") if version.before is None else QLocale().toString(size)
        change = f"+{change}" if size > 0 and version.before is not None else change
        return Row(moment_text(version.moment), f"{change} · {who}", version)

    def _who(self, author: str) -> str:
        return self.tr("this app") if author == "app" else self.tr("outside")

    # ------------------------------------------------------------ showing

    def _show_rows(self, rows: list[Row]) -> None:
        self.list.show_rows(rows)
        self._split.setVisible(bool(rows))
        self._empty.setVisible(not rows)
        if self.gone_button.isChecked():
            self._empty.setText(self.tr("No item is gone, as far as was seen."))
        elif self._documents.current is None:
            self._empty.setText(self.tr("Choose an item in the memory."))
        else:
            self._empty.setText(self.tr("Nothing is known of earlier versions yet."))

    @Slot(object)
    def _show_version(self, version: object) -> None:
        self.restore.setEnabled(version is not None and not self._documents.read_only_store)
        self.copy.setEnabled(version is not None)
        if isinstance(version, TextVersion):
            after = self.tr("{0}, {1}").format(moment_text(version.moment), self._who(version.author))
            self.texts.show_texts(self.tr("Before"), version.before or "", after, version.text or "")
            first = self.list.row_model.rows[0].value == version
            self.restore.setEnabled(self.restore.isEnabled() and not first and bool(version.text or not version.name))
        elif isinstance(version, GoneItem):
            gone = self.tr("Gone since {0}").format(moment_text(version.moment))
            self.texts.show_texts(self.tr("Its last text"), version.text, gone, "")
        else:
            self.texts.show_texts("", "", "", "")

    # ------------------------------------------------------------ doing

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
        version = self.list.value
        if isinstance(version, TextVersion | GoneItem):
            QGuiApplication.clipboard().setText(version.text or "")
