"""The Find in store pane: what to find in all files, and the lines that hold it, file by file."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from wikimem_desktop.engine.replacing import Replacement
from wikimem_desktop.engine.search import Hit
from wikimem_desktop.presentation.document import Documents
from wikimem_desktop.presentation.finding import Search
from wikimem_desktop.presentation.store_replace import StoreReplace
from wikimem_desktop.presentation.store_search import MOST_SHOWN, StoreSearch
from wikimem_desktop.widgets.fields import LineField
from wikimem_desktop.widgets.replace_preview import ReplacePreview
from wikimem_desktop.widgets.row_list import LazyRows, Row, RowList
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme

_PAUSE_MS = 200
_LEAD = 40
"""Characters in front of a match that are shown at most."""
_LONG = 400
"""Characters of a line that are shown at most."""


class FindInStore(QWidget):
    """Signals:
    hit_chosen: a Hit to go to.
    """

    hit_chosen = Signal(object)

    def __init__(self, search: StoreSearch, replacing: StoreReplace, documents: Documents, theme: Theme) -> None:
        super().__init__()
        self._search = search
        self._replacing = replacing
        self._documents = documents
        self._theme = theme
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self.field = _Field()
        self.match_case = self._toggle(self.tr("Match case"))
        self.whole_words = self._toggle(self.tr("Whole words"))
        self.regex = self._toggle(self.tr("Regular expression"))
        self.stop_button = QPushButton(self.tr("Stop"))
        self.template = _Field()
        self.replace_button = QPushButton(self.tr("Replace…"))
        self.count = styled(QLabel(), "muted")
        self.message = styled(QLabel(wordWrap=True), "inlineError")
        self.list = RowList(theme, self.tr("Lines found"))
        self._build()
        self.setFocusProxy(self.field)
        self._connect()
        self._set_icons()
        self._show()

    @staticmethod
    def _toggle(words: str) -> QToolButton:
        button = styled(QToolButton(), "toggle", checkable=True, toolTip=words)
        button.setAccessibleName(words)
        return button

    def _build(self) -> None:
        for field, words in ((self.field, self.tr("Find in all files")), (self.template, self.tr("Replace with"))):
            field.setPlaceholderText(words)
            field.setAccessibleName(words)
            field.setClearButtonEnabled(True)
            field.setMinimumWidth(self.fontMetrics().horizontalAdvance(words) + 60)
        row = QHBoxLayout()
        row.setContentsMargins(14, 6, 14, 4)
        row.setSpacing(6)
        row.addWidget(self.field, 3)
        for widget in (self.match_case, self.whole_words, self.regex):
            row.addWidget(widget)
        row.addSpacing(8)
        row.addWidget(self.template, 2)
        row.addWidget(self.replace_button)
        told = QHBoxLayout()
        told.setContentsMargins(14, 0, 14, 4)
        told.setSpacing(10)
        told.addWidget(self.count)
        told.addWidget(self.message, 1)
        told.addWidget(self.stop_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addLayout(told)
        column.addWidget(self.list, 1)

    def _connect(self) -> None:
        self.field.textChanged.connect(self._on_text_changed)
        self.field.down.connect(self._go_to_list)
        self.field.entered.connect(self._on_entered)
        for switch in (self.match_case, self.whole_words, self.regex):
            switch.toggled.connect(self._find)
        self._pause.timeout.connect(self._find)
        self.template.entered.connect(self._on_replace)
        self.template.down.connect(self._go_to_list)
        self.replace_button.clicked.connect(self._on_replace)
        self._replacing.changed.connect(self._show_state)
        self._replacing.previewed.connect(self._on_previewed)
        self.stop_button.clicked.connect(self._search.cancel)
        self.stop_button.clicked.connect(self._replacing.cancel)
        self.list.chosen.connect(self.hit_chosen)
        jump = QShortcut(QKeySequence("F4"), self.list, context=Qt.ShortcutContext.WidgetShortcut)
        jump.activated.connect(self._choose)
        self._search.changed.connect(self._show)
        self._documents.dirty_changed.connect(self._show_state)
        self._theme.changed.connect(self._set_icons)

    @Slot()
    def _set_icons(self) -> None:
        for button, name in (
            (self.match_case, "case-sensitive"),
            (self.whole_words, "whole-word"),
            (self.regex, "regex"),
        ):
            button.setIcon(self._theme.icon(name))

    # ------------------------------------------------------------ asking

    def open_with(self, text: str) -> None:
        """Ask what to find; `text` is suggested."""
        if text:
            self.field.setText(text)
        self.field.setFocus()
        self.field.selectAll()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._search.want(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._search.want(False)

    @Slot()
    def _on_text_changed(self) -> None:
        self._pause.start()

    @Slot()
    def _find(self) -> None:
        self._pause.stop()
        self._search.find(
            Search(self.field.text(), self.match_case.isChecked(), self.whole_words.isChecked(), self.regex.isChecked())
        )

    @Slot()
    def _on_entered(self) -> None:
        if self._pause.isActive():
            self._find()
        self._go_to_list()

    @Slot()
    def _on_replace(self) -> None:
        """Show what replacing would come to."""
        if self._pause.isActive():
            self._find()
        if self.replace_button.isEnabled() or self._search.searching:
            self._replacing.prepare(self._search.search, self.template.text())

    @Slot(object)
    def _on_previewed(self, replacements: list[Replacement]) -> None:
        if not replacements:
            return
        preview = ReplacePreview(self, replacements, self._theme)
        preview.accepted.connect(self._on_agreed)
        preview.show()

    @Slot()
    def _on_agreed(self) -> None:
        preview = self.sender()
        assert isinstance(preview, ReplacePreview)
        self._replacing.apply(preview.model.chosen)

    @Slot()
    def _go_to_list(self) -> None:
        self.list.setFocus()

    @Slot()
    def _choose(self) -> None:
        if self.list.value is not None:
            self.hit_chosen.emit(self.list.value)

    # ------------------------------------------------------------ what was found

    @Slot()
    def _show(self) -> None:
        self.list.show_rows(LazyRows(tuple(self._search.results.shown), _row))
        self._select_first_hit()
        self._show_state()

    @Slot()
    def _show_state(self) -> None:
        search, results = self._search, self._search.results
        words = ""
        if search.search.text and not search.error:
            words = self.tr("%n match(es)", None, results.matches) + self.tr(" in %n file(s)", None, results.files)
            if not results.matches:
                words = self.tr("Searching…") if search.searching else self.tr("No match")
            if results.lines > MOST_SHOWN:
                words += self.tr("; the first %n line(s)", None, MOST_SHOWN)
        self.count.setText(" · ".join(filter(None, (words, self._about_unsaved()))))
        self.count.setVisible(bool(self.count.text()))
        busy = search.searching or self._replacing.preparing
        self.stop_button.setVisible(busy)
        possible = bool(results.shown) and not busy and not search.error and not self._documents.read_only_store
        self.replace_button.setEnabled(possible)
        self.message.setText(self._complaint())

    def _about_unsaved(self) -> str:
        unsaved = sum(buffer.dirty for buffer in self._documents.buffers)
        if not unsaved or not self._search.search.text:
            return ""
        return self.tr("%n item(s) hold(s) unsaved text; what is on disk is searched", None, unsaved)

    def _complaint(self) -> str:
        if self._replacing.error:
            return self._replacing.error
        if self._search.error:
            if self._search.search.regex:
                return self.tr("Not a regular expression: {0}").format(self._search.error)
            return self._search.error
        left_out = self._search.results.left_out
        told = []
        for reason, words in (
            ("unreadable", self.tr("Can't be read: {0}")),
            ("slow", self.tr("The expression takes too long in: {0}")),
        ):
            files = [key for key, why in left_out.items() if why == reason]
            if files:
                told.append(words.format(", ".join(f"{key}.md" for key in files[:5]) + (" …" if files[5:] else "")))
        return " · ".join(told)

    def _select_first_hit(self) -> None:
        if self.list.value is None and len(self.list.row_model.rows) > 1:
            self.list.setCurrentIndex(self.list.row_model.index(1))


def _row(hit: Hit | str) -> Row:
    """A file, or a line of it from shortly before its first match on."""
    if isinstance(hit, str):
        return Row(f"{hit}.md", color="muted")
    start = max(0, hit.spans[0][0] - _LEAD)
    if start == 0:
        start = len(hit.text) - len(hit.text.lstrip())
        start = min(start, hit.spans[0][0])
    text = hit.text[start : start + _LONG]
    head = f"   {hit.line}   " + ("…" if start and hit.text[:start].strip() else "")
    shift = len(head) - start
    marks = tuple((a + shift, min(b - start, _LONG) + len(head)) for a, b in hit.spans if a - start < _LONG)
    return Row(head + text.replace("\t", " "), hit.section, hit, marks=marks)


class _Field(LineField):
    """Signals:
    entered: Enter.
    down: the way into the list.
    """

    entered = Signal()
    down = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.composing and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        elif not self.composing and event.key() == Qt.Key.Key_Down:
            self.down.emit()
        else:
            super().keyPressEvent(event)
