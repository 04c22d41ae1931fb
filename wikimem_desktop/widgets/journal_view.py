"""The Journal pane: what was written to the memory, by whom and when, the newest first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QLabel, QWidget

from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.presentation.journal_reader import JournalLine, JournalReader
from wikimem_desktop.presentation.words import local_time
from wikimem_desktop.widgets.fields import LineField
from wikimem_desktop.widgets.panes import fill_pane
from wikimem_desktop.widgets.row_list import LazyRows, Row, RowList
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme

_PAUSE_MS = 120
_SIGNS = {"add": "+", "update": "±", "remove": "−", "diary": "·"}


def _row(line: JournalLine) -> Row:
    address = ":".join(filter(None, (line.category, line.item)))
    text = f"{_SIGNS.get(line.action, '?')}  {address}"
    if line.detail:
        text += f"  ({line.detail})"
    who = " · ".join(filter(None, (line.owner, line.source)))
    return Row(text, " · ".join(filter(None, (who, local_time(line.ts) or ""))), line)


class JournalView(QWidget):
    """Signals:
    place_chosen: a Place that a line is about.
    """

    place_chosen = Signal(object)

    def __init__(self, journal: JournalReader, theme: Theme) -> None:
        super().__init__()
        self._journal = journal
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._show)
        self.list = RowList(theme, self.tr("Journal"))
        self.filter_box = LineField(placeholder=self.tr("Filter"), clear_button=True)
        self.filter_box.setAccessibleName(self.tr("Filter the journal"))
        self.action = QComboBox()
        self.action.setAccessibleName(self.tr("Kind of change"))
        self.action.view().setAccessibleName(self.tr("Kinds of changes"))
        for text, data in (
            (self.tr("All changes"), ""),
            (self.tr("Added"), "add"),
            (self.tr("Changed"), "update"),
            (self.tr("Removed"), "remove"),
            (self.tr("Diary"), "diary"),
        ):
            self.action.addItem(text, data)
        self.broken = styled(QLabel(), "inlineError")
        self._empty = styled(QLabel(self.tr("Nothing was written yet.")), "muted")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        controls = [self.action, self.filter_box, self.broken]
        fill_pane(self, controls, self.filter_box, self._empty, self.list)
        self.setFocusProxy(self.list)
        self.list.chosen.connect(self._on_chosen)
        self.filter_box.textChanged.connect(self._on_filter_changed)
        self.action.currentIndexChanged.connect(self._show)
        journal.changed.connect(self._pause.start)
        self._show()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._journal.want(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._journal.want(False)

    @Slot()
    def _on_filter_changed(self) -> None:
        self._pause.start()

    @Slot()
    def _show(self) -> None:
        wanted, action = self.filter_box.text().casefold(), self.action.currentData()
        lines: Sequence[JournalLine] = self._journal.lines[::-1]
        if wanted or action:
            lines = [line for line in lines if (not action or line.action == action) and _holds(line, wanted)]
        self.list.show_rows(LazyRows(lines, _row))
        self.list.setVisible(bool(lines))
        self._empty.setVisible(not lines)
        self.broken.setText(self.tr("%n broken line(s)", None, self._journal.broken) if self._journal.broken else "")

    @Slot(object)
    def _on_chosen(self, line: JournalLine) -> None:
        day = line.action == "diary"
        self.place_chosen.emit(Place("day", line.category) if day else Place("item", line.category, line.item))


def _holds(line: JournalLine, wanted: str) -> bool:
    if not wanted:
        return True
    texts = (f"{line.category}:{line.item}", line.owner, line.source, line.detail, line.ts)
    return any(wanted in text.casefold() for text in texts)
