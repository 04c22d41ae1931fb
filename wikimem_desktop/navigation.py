"""From every list to the text it is about, and from pane to pane by command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from wikimem_desktop.engine.diary import day_of
from wikimem_desktop.engine.document import Document
from wikimem_desktop.engine.links import WikiLink, parse_wiki_links
from wikimem_desktop.engine.problems import Kind, Problem, line_numbers
from wikimem_desktop.engine.search import Hit
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.presentation.notices import Action, Level
from wikimem_desktop.presentation.sequence_model import Entry
from wikimem_desktop.widgets.comparison import Comparisons
from wikimem_desktop.widgets.keys_dialog import KeysDialog
from wikimem_desktop.widgets.palette import COMMANDS

if TYPE_CHECKING:
    from wikimem_desktop.app import App


class Navigation(QObject):
    """Connects the lists of a window with its editor."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._window, self._theme = app.window, app.theme
        self._docks = app.window.docks
        self._documents = app.documents
        self._memory_actions = app.memory_actions
        self._playground = app.playground
        self._problems_model = app.problems_model
        self._tree, self._panel, self._item_view = app.tree, app.panel, app.item_view
        menus = app.window.menus
        self._palette = app.palette
        menus.go_to_action.triggered.connect(self._on_go_to_wanted)
        menus.commands_action.triggered.connect(self._on_commands_wanted)
        menus.keys_action.triggered.connect(self._on_keys_wanted)
        app.palette.place_chosen.connect(self._documents.open)
        app.palette.create_wanted.connect(self._memory_actions.ask_for_item)
        menus.filter_action.triggered.connect(self._on_filter_wanted)
        menus.query_action.triggered.connect(self._on_query_wanted)
        menus.text_action.triggered.connect(self._item_view.focus_text)
        menus.bar_action.triggered.connect(self._item_view.focus_bar)
        menus.problems_action.triggered.connect(self._on_problems_wanted)
        app.status_bar.problems_clicked.connect(self._on_problems_wanted)
        self._documents.current_changed.connect(self._on_current_changed)
        self._playground.run_changed.connect(self._mark_terms)
        self._tree.chosen.connect(self._documents.open)
        self._item_view.link_followed.connect(self._on_link_followed)
        self._panel.entry_chosen.connect(self._on_entry_chosen)
        self._panel.unresolved_chosen.connect(self._on_unresolved_chosen)
        self._panel.choices_wanted.connect(self._on_choices_wanted)
        self._link_fixes = app.link_fixes
        app.link_fixes.action.triggered.connect(self._on_fix_link_wanted)
        self._review, self._status_bar = app.review, app.status_bar
        app.status_bar.changes_clicked.connect(self._on_changes_wanted)
        app.review.changed.connect(self._show_change_count)
        app.changes_view.edit_wanted.connect(self._on_edit_wanted)
        app.links_view.link_chosen.connect(self._on_link_followed)
        app.links_view.source_chosen.connect(self._on_source_chosen)
        app.journal_view.place_chosen.connect(self._on_journal_place_chosen)
        self._notices = app.notices
        self._find_in_store = app.find_in_store
        menus.find_in_store_action.triggered.connect(self._on_find_in_store_wanted)
        menus.replace_in_store_action.triggered.connect(self._on_replace_in_store_wanted)
        app.find_in_store.hit_chosen.connect(self._on_hit_chosen)
        self._comparisons = Comparisons(
            app.library,
            app.structure,
            app.arrangement,
            app.notices,
            app.memory_actions.ask_to_merge,
            app.window,
            app.theme,
        )
        app.problems_pane.all_fixed.connect(app.structure.fix)
        app.problems_view.problem_chosen.connect(self._on_problem_chosen)
        app.problems_view.fix_chosen.connect(self._on_fix_chosen)

    # ------------------------------------------------------------ panes

    @Slot()
    def _on_go_to_wanted(self) -> None:
        self._palette.open_at("")

    @Slot()
    def _on_keys_wanted(self) -> None:
        KeysDialog(self._window.menus, self._window, self._theme).show()

    @Slot()
    def _on_commands_wanted(self) -> None:
        self._palette.open_at(COMMANDS)

    @Slot()
    def _on_filter_wanted(self) -> None:
        self._docks.all["memory"].show()
        self._tree.filter_box.setFocus()
        self._tree.filter_box.selectAll()

    @Slot()
    def _on_query_wanted(self) -> None:
        self._docks.all["playground"].show()
        self._panel.query_box.setFocus()
        self._panel.query_box.selectAll()

    @Slot()
    def _on_problems_wanted(self) -> None:
        self._docks.show_pane("problems")

    @Slot()
    def _on_changes_wanted(self) -> None:
        self._docks.show_pane("changes")

    @Slot()
    def _show_change_count(self) -> None:
        count = len(self._review.changes)
        self._docks.show_count("changes", count)
        self._status_bar.show_change_count(count)

    @Slot(object)
    def _on_edit_wanted(self, place: Place) -> None:
        if self._documents.open(place):
            self._item_view.start_writing()

    # ------------------------------------------------------------ the open item in the lists

    @Slot()
    def _on_current_changed(self) -> None:
        current = self._documents.current
        here, selected = current.place if current else None, self._tree.selected
        inside = here is not None and selected is not None and here.kind == "text" and selected.key == here.key
        if not inside:  # the row of an item stays selected while its whole file is open
            self._tree.show_place(here)
        if current is not None:
            self._panel.select(current.place.address)
        self._mark_terms()

    @Slot()
    def _mark_terms(self) -> None:
        """Highlight in the open item what the query matched there."""
        run, current = self._playground.run, self._documents.current
        entries = run.sequence if run else []
        place = current.place if current else None
        whole = place.category if place is not None and place.kind == "text" else None
        shown = (e for e in entries if place and (e.item.address == place.address or e.item.category == whole))
        self._item_view.mark_terms(list(dict.fromkeys(term for entry in shown for term in entry.matched_terms)))

    # ------------------------------------------------------------ from the lists to the text

    @Slot(object)
    def _on_entry_chosen(self, entry: Entry) -> None:
        item = entry.item.item
        if not self._documents.open_item(item.category, item.name):
            self._documents.open(Place("day", item.category))

    @Slot(object)
    def _on_link_followed(self, link: WikiLink) -> None:
        if not self._documents.open_link(link):
            self._memory_actions.offer(link)

    @Slot(object, str)
    def _on_source_chosen(self, place: Place, text: str) -> None:
        if self._documents.open(place) and text:
            self._item_view.go_to(text)

    @Slot(object)
    def _on_journal_place_chosen(self, place: Place) -> None:
        if not self._documents.open(place):
            text = self.tr("{0} is not there any more; History may know it.").format(place.address)
            history = Action(self.tr("Show History"), lambda: self._docks.show_pane("history"))
            self._notices.post(Level.INFO, text, "link", actions=(history,))

    @Slot()
    def _on_fix_link_wanted(self) -> None:
        """Of the playground's row when it has the focus, else at the caret."""
        rendered = self._panel.view.unresolved
        if rendered:
            self._on_choices_wanted(rendered)
        else:
            self._link_fixes.offer()

    @Slot(str)
    def _on_choices_wanted(self, rendered: str) -> None:
        """What can be done about a link that a run did not find, in the text that holds it."""
        self._on_unresolved_chosen(rendered)
        for link in parse_wiki_links(rendered):
            self._link_fixes.offer_for(link)

    @Slot(str)
    def _on_unresolved_chosen(self, rendered: str) -> None:
        """Show the item of the run whose text holds the link."""
        run = self._playground.run
        for entry in run.sequence if run else ():
            if any(link.render() == rendered for link in entry.item.links):
                self._documents.open_item(entry.item.category, entry.item.name)
                return

    @Slot()
    def _on_find_in_store_wanted(self) -> None:
        """Find in all files; who comes from the text gets suggested what is selected there."""
        focus = self._window.focusWidget()
        selected = self._item_view.selected_line() if focus and self._item_view.isAncestorOf(focus) else ""
        self._docks.show_pane("find")
        self._find_in_store.open_with(selected)

    @Slot()
    def _on_replace_in_store_wanted(self) -> None:
        self._on_find_in_store_wanted()
        if self._find_in_store.field.text():
            self._find_in_store.template.setFocus()

    @Slot(object)
    def _on_hit_chosen(self, hit: Hit) -> None:
        """Open what a line that was found belongs to, and select its first match."""
        current = self._documents.current
        if current is not None and current.place.whole and current.place.key == hit.key:
            place = current.place
        elif day := day_of(hit.key):
            place = Place("day", day)
        elif hit.occurrence is not None:
            place = Place("shadowed", hit.key, hit.section, hit.occurrence)
        elif hit.own:
            place = Place("item", hit.key, hit.section)
        else:
            place = Place("text", hit.key)
        if self._documents.open(place):
            self._item_view.go_to_line(hit.text, hit.line - 1 if place.whole else hit.below - 2, hit.spans[0])

    @Slot(object)
    def _on_problem_chosen(self, problem: Problem) -> None:
        """Open what it is about, at the line that it names."""
        if problem.category is None:  # of the journal: broken lines are counted there
            self._docks.show_pane("journal")
        elif problem.in_diary:
            self._open_at_line(Place("day", problem.category), problem)
        elif problem.kind is Kind.SHADOWED:
            self._open_shadowed(problem)
            self._item_view.focus_text()
        elif problem.kind in (Kind.NOT_UTF8, Kind.UNREADABLE):
            self._open_at_line(Place("file", problem.category), problem)
        elif problem.item and self._documents.open_item(problem.category, problem.item):
            self._item_view.go_to(problem.subject)
        else:
            self._open_at_line(Place("text", problem.category), problem)

    def _open_at_line(self, place: Place, problem: Problem) -> None:
        """Open a file where the problem is; one that can't be opened is shown among the others."""
        if not self._documents.open(place):
            self._tree.show_place(Place("item", place.category))
            self._tree.setFocus()
            return
        current = self._documents.current
        document = Document(current.text if current is not None and current.place == place else "")
        numbers = line_numbers(document)
        line = next(
            (line for line, number in zip(document.lines, numbers, strict=True) if number == problem.line), None
        )
        if line is None:
            self._item_view.focus_text()
            return
        line, subject = line.rstrip("\r\n"), problem.subject
        start = max(0, line.find(subject))
        span = start, start + len(subject) if subject in line else len(line)
        self._item_view.go_to_line(line, problem.line - 1, span)

    def _open_shadowed(self, problem: Problem) -> None:
        """The section itself, which hosts ignore."""
        occurrence = self._problems_model.occurrence(problem)
        self._documents.open(Place("shadowed", problem.category or "", problem.item or "", occurrence))

    @Slot(object)
    def _on_fix_chosen(self, problem: Problem) -> None:
        """Do what the problem's row offers."""
        if problem.kind is Kind.SHADOWED:
            self._open_shadowed(problem)
        elif problem.kind in (Kind.NEAR_DUPLICATE, Kind.CONFLICT_COPY):
            self._comparisons.compare(problem)
        else:
            self._memory_actions.fix(problem)
