"""The Links pane: where the open item's links lead, who links to it, what is missing, and what nobody links to."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QWidget

from wikimem_desktop.engine.links import WikiLink
from wikimem_desktop.engine.problems import PlacedLink
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.presentation.document import Documents
from wikimem_desktop.presentation.library import Library
from wikimem_desktop.presentation.link_lists import Missing, links_out, missing, orphans, source_of
from wikimem_desktop.widgets.fields import LineField
from wikimem_desktop.widgets.panes import fill_pane
from wikimem_desktop.widgets.row_list import Row, RowList
from wikimem_desktop.widgets.segments import Segments
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme

_PAUSE_MS = 100


class LinksView(QWidget):
    """Signals:
    link_chosen: a WikiLink to follow.
    source_chosen: a Place to open, and the text to select there.
    """

    link_chosen = Signal(object)
    source_chosen = Signal(object, str)

    def __init__(self, library: Library, documents: Documents, theme: Theme) -> None:
        super().__init__()
        self._library = library
        self._documents = documents
        self._rows: list[Row] = []
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._show)
        self.list = RowList(theme, self.tr("Links"))
        self.filter_box = LineField(placeholder=self.tr("Filter"), clear_button=True)
        self.filter_box.setAccessibleName(self.tr("Filter the links"))
        self._empty = styled(QLabel(alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True), "muted")
        self.kinds = Segments((self.tr("This item"), self.tr("Missing"), self.tr("Nobody links to")))
        fill_pane(self, [self.kinds, self.filter_box], self.filter_box, self._empty, self.list)
        self.setFocusProxy(self.list)
        self.list.chosen.connect(self._on_chosen)
        self.filter_box.textChanged.connect(self._show_filtered)
        self.kinds.chosen.connect(self._show)
        for changed in (library.problems_changed, library.store_changed, documents.current_changed):
            changed.connect(self._pause.start)
        self._show_filtered()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._pause.start()

    @Slot()
    def _show(self) -> None:
        """Count anew, if anyone sees it."""
        if not self.isVisible():
            return
        snapshot, findings = self._library.snapshot, self._library.findings
        kind = self.kinds.current
        if snapshot is None:
            self._rows = []
        elif kind == 0:
            self._rows = self._rows_of_item()
        elif kind == 1:
            self._rows = [self._missing_row(found) for found in missing(findings, snapshot)]
        else:
            self._rows = [Row(place.address, "", place) for place in orphans(findings, snapshot)]
        self._show_filtered()

    def _rows_of_item(self) -> list[Row]:
        current, findings = self._documents.current, self._library.findings
        if current is None:
            return []
        place = current.place
        rows = []
        for link in links_out(findings, place):
            target = self._library.target(WikiLink(link.category, link.name))
            detail = f"{self.tr('out')} · {link.path.name}:{link.line}"
            detail = detail if target is not None else f"{self.tr('not found')} · {detail}"
            text = f"→  {link.category}:{link.name}"
            rows.append(Row(text, detail, WikiLink(link.category, link.name), "text" if target else "cut"))
        if place.kind == "item":
            for link in findings.links_to(place.category, place.name):
                source = source_of(link)
                text = f"←  {source.address}" + (f"  {link.from_item}" if link.in_diary else "")
                rows.append(Row(text, f"{self.tr('in')} · {link.path.name}:{link.line}", link))
        return rows

    def _missing_row(self, found: Missing) -> Row:
        count = self.tr("%n link(s)", None, found.count)
        where = f"{found.first.path.name}:{found.first.line}"
        return Row(f"{found.category}:{found.name}", f"{count} · {where}", found, "cut")

    @Slot()
    def _show_filtered(self) -> None:
        wanted = self.filter_box.text().casefold()
        rows = [row for row in self._rows if wanted in f"{row.text} {row.detail}".casefold()] if wanted else self._rows
        self.list.show_rows(rows)
        self.list.setVisible(bool(rows))
        self._empty.setVisible(not rows)
        words = (
            self.tr("No link leads from or to what is open."),
            self.tr("Every link leads to an item."),
            self.tr("Every item has a link to it."),
        )
        self._empty.setText(words[self.kinds.current])

    @Slot(object)
    def _on_chosen(self, value: object) -> None:
        if isinstance(value, WikiLink):
            self.link_chosen.emit(value)
        elif isinstance(value, Place):
            self.source_chosen.emit(value, "")
        else:
            link = value.first if isinstance(value, Missing) else value
            if isinstance(link, PlacedLink):
                self.source_chosen.emit(source_of(link), WikiLink(link.category, link.name).render())
