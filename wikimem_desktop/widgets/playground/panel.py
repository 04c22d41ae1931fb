"""The playground: query, parameters, budget ruler, sequence."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from wikimem_desktop.presentation.library import Library
from wikimem_desktop.presentation.playground import Playground
from wikimem_desktop.presentation.searcher import Run
from wikimem_desktop.presentation.sequence_model import Entry, SequenceModel, SequenceRole
from wikimem_desktop.widgets.elided_label import ElidedLabel
from wikimem_desktop.widgets.fields import LineField
from wikimem_desktop.widgets.playground.budget_ruler import BudgetRuler
from wikimem_desktop.widgets.playground.parameters import ParameterRow
from wikimem_desktop.widgets.playground.sequence_view import SequenceView
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme

_MARGIN = 14


class PlaygroundPanel(QWidget):
    """Signals:
    entry_chosen: an Entry to open.
    unresolved_chosen: the rendered link that leads nowhere.
    create_wanted: the rendered link that is to lead to a new item.
    choices_wanted: the rendered link of which the person wants to see what can be done.
    """

    entry_chosen = Signal(object)
    unresolved_chosen = Signal(str)
    create_wanted = Signal(str)
    choices_wanted = Signal(str)

    def __init__(self, playground: Playground, library: Library, model: SequenceModel, theme: Theme) -> None:
        super().__init__()
        self._playground = playground
        self._library = library
        self._model = model
        self._theme = theme
        self._query = ""
        self.query_box = styled(LineField(clear_button=True), "query")
        self.query_box.setPlaceholderText(self.tr("What would the agent recall for…"))
        self.query_box.setAccessibleName(self.tr("Query"))
        self._enter = QAction(theme.icon("search"), "", self)
        self.query_box.addAction(self._enter, QLineEdit.ActionPosition.LeadingPosition)
        self.parameters = ParameterRow(playground, library, theme)
        self.ruler = BudgetRuler(theme)
        self.view = SequenceView(model, theme)
        self._banner = styled(QLabel(wordWrap=True), "banner")
        self._used, self._counts = QLabel(), styled(QLabel(), "muted")
        self._state = styled(ElidedLabel(mode=Qt.TextElideMode.ElideRight), "muted")
        numbers = QHBoxLayout()
        numbers.setSpacing(10)
        numbers.addWidget(self._used)
        numbers.addWidget(self._state, 1)
        numbers.addWidget(self._counts)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(_MARGIN, 8, _MARGIN, 0)
        layout.setSpacing(8)
        for widget in (self.query_box, self.parameters, self.ruler):
            layout.addWidget(widget)
        layout.addLayout(numbers)
        layout.addWidget(self._banner)
        layout.addWidget(self.view, 1)
        self.query_box.textChanged.connect(playground.set_query)
        self.query_box.returnPressed.connect(playground.run_now)
        self.ruler.budget_dragged.connect(self._on_budget_dragged)
        self.ruler.entry_clicked.connect(self._on_block_clicked)
        self.view.entry_chosen.connect(self.entry_chosen)
        self.view.unresolved_chosen.connect(self.unresolved_chosen)
        self.view.create_wanted.connect(self.create_wanted)
        self.view.choices_wanted.connect(self.choices_wanted)
        playground.query_changed.connect(self._on_query_changed)
        playground.run_changed.connect(self._on_run_changed)
        library.activity_changed.connect(self._show_state)
        theme.changed.connect(self._on_theme_changed)
        self._on_run_changed()

    def select(self, address: str) -> None:
        """Mark the card of an item, if it has one."""
        row = self._model.row_of(address)
        if row >= 0:
            self.view.setCurrentIndex(self._model.index(row))
        else:
            self.view.clearSelection()

    @Slot()
    def _on_query_changed(self) -> None:
        self.query_box.setText(self._playground.query)

    @Slot()
    def _on_run_changed(self) -> None:
        run = self._playground.run
        row = self.view.currentIndex().data(SequenceRole.ROW)
        chosen = row.item.item.address if isinstance(row, Entry) else ""
        scrolled = self.view.verticalScrollBar().value()
        self._model.set_run(run)
        self.ruler.setVisible(run is not None and bool(run.sequence))
        self.ruler.show_run(self._model.entries, run.result.budget_tokens if run else None)
        self._used.setVisible(self.ruler.isVisibleTo(self))
        self._counts.setVisible(self.ruler.isVisibleTo(self))
        if run is not None:
            self._used.setText(self._used_words(run))
            self._counts.setText(self._count_words(run))
        self._show_state()
        words = self._banner_words(run)
        self._banner.setText(words)
        warns = run is not None and not run.explained.terms
        self._banner.setProperty("level", "warning" if warns else "")
        self._banner.setContentsMargins(*(10, 8, 10, 8) if warns else (0, 0, 0, 0))
        self._banner.style().unpolish(self._banner)
        self._banner.style().polish(self._banner)
        self._banner.setVisible(bool(words))
        if chosen:
            self.select(chosen)
        query = run.request.query if run is not None else ""
        if query == self._query:  # who types in the editor may look at another part of the list
            self.view.doItemsLayout()
            self.view.verticalScrollBar().setValue(scrolled)
        self._query = query

    @Slot()
    def _show_state(self) -> None:
        """What the run is made of, if not of the disk as it is."""
        run, parts = self._playground.run, []
        if run is not None and run.unsaved_items:
            parts.append(self.tr("with %n unsaved text(s)", None, run.unsaved_items))
        if run is not None and (self._library.behind or self._library.following):
            parts.append(self.tr("older than the disk"))
        self._state.setText(" · ".join(parts))

    def _used_words(self, run: Run) -> str:
        used, budget = run.result.budget_used, run.result.budget_tokens
        if budget is None:
            return self.tr("{0} token(s)", None, used).format(f"<b>{used:,}</b>")
        return self.tr("{0} of {1} token(s)", None, budget).format(f"<b>{used:,}</b>", f"{budget:,}")

    def _count_words(self, run: Run) -> str:
        hits = sum(entry.source == "hit" for entry in run.sequence)
        links = len(run.sequence) - hits
        parts = [self.tr("%n hit(s)", None, hits), self.tr("%n link(s)", None, links)]
        if run.result.dropped:
            parts.append(self.tr("%n dropped", None, len(run.result.dropped)))
        return " · ".join(parts)

    def _banner_words(self, run: Run | None) -> str:
        """Why there is nothing to see, or what is odd about the query."""
        if run is None:
            return self.tr("Type what the agent is about to answer: here is what its memory would inject.")
        if not run.explained.terms and run.request.query.strip():
            return self.tr(
                "No tokens: hosts index the letters a–z, digits, Chinese characters and kana only. "
                "This query finds nothing by its words."
            )
        if not run.sequence:
            return self.tr("Nothing shares a word with this query.")
        return ""

    @Slot(int)
    def _on_budget_dragged(self, budget: int) -> None:
        self._playground.set_parameters(budget=budget)

    @Slot(int)
    def _on_block_clicked(self, number: int) -> None:
        entry: Entry = self._model.entries[number - 1]
        self.select(entry.item.item.address)
        self.entry_chosen.emit(entry)

    @Slot()
    def _on_theme_changed(self) -> None:
        self._enter.setIcon(self._theme.icon("search"))
