"""The composition root: builds every object, hands them to each other, connects signals, and ends in stages.

Start: log, settings and state, theme, threads (indexer, searcher, writer), library, documents, playground, models,
widgets, window; then the store is opened and the index is built behind the painted window.
End: unsaved text is asked about, the window hides, the watcher stops, workers are told to stop and waited for, state
is saved, and the process ends with code 0.
"""

from __future__ import annotations

import logging
import os
import shutil
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QDeadlineTimer, QObject, Slot
from PySide6.QtGui import QFont, QIcon
from PySide6.QtWidgets import QFileDialog, QFontDialog, QWidget

from wikimem_desktop.engine.errors import StoreNotFound
from wikimem_desktop.engine.problems import check_budget
from wikimem_desktop.forgetting import forget_action
from wikimem_desktop.navigation import Navigation
from wikimem_desktop.places import Places, icon, resource
from wikimem_desktop.presentation.arrangement import Arrangement
from wikimem_desktop.presentation.branches import branches_of
from wikimem_desktop.presentation.choices import Choices
from wikimem_desktop.presentation.document import Documents
from wikimem_desktop.presentation.drafts import Drafts
from wikimem_desktop.presentation.history import LocalHistory
from wikimem_desktop.presentation.indexer import Indexer
from wikimem_desktop.presentation.journal_reader import JournalReader
from wikimem_desktop.presentation.library import Library
from wikimem_desktop.presentation.memory_model import MemoryModel
from wikimem_desktop.presentation.notices import Level, Notices
from wikimem_desktop.presentation.ordering import Order
from wikimem_desktop.presentation.overwritten import Overwritten
from wikimem_desktop.presentation.palette import Palette
from wikimem_desktop.presentation.playground import Playground
from wikimem_desktop.presentation.problems_model import ProblemsModel
from wikimem_desktop.presentation.review import Review
from wikimem_desktop.presentation.saver import Saver
from wikimem_desktop.presentation.searcher import Parameters, Searcher
from wikimem_desktop.presentation.sequence_model import SequenceModel
from wikimem_desktop.presentation.step_log import StepLog
from wikimem_desktop.presentation.steps import Steps
from wikimem_desktop.presentation.store_replace import StoreReplace
from wikimem_desktop.presentation.store_search import StoreSearch, StoreSearcher
from wikimem_desktop.presentation.structure import Structure
from wikimem_desktop.presentation.watcher import Watcher
from wikimem_desktop.presentation.words import error_text
from wikimem_desktop.presentation.worker_thread import WorkerThread
from wikimem_desktop.presentation.writer import Writer
from wikimem_desktop.settings import StoreState, load_state, save
from wikimem_desktop.widgets.changes_view import ChangesView
from wikimem_desktop.widgets.diary_actions import DiaryActions
from wikimem_desktop.widgets.editor.file_mode import FileMode
from wikimem_desktop.widgets.editor.item_view import ItemView
from wikimem_desktop.widgets.editor.link_fixes import LinkFixes
from wikimem_desktop.widgets.editor.text_edit import release_clipboard
from wikimem_desktop.widgets.filter_menu import FilterMenu
from wikimem_desktop.widgets.find_in_store import FindInStore
from wikimem_desktop.widgets.history_view import HistoryView
from wikimem_desktop.widgets.journal_view import JournalView
from wikimem_desktop.widgets.links_view import LinksView
from wikimem_desktop.widgets.main_window import MainWindow
from wikimem_desktop.widgets.memory_actions import MemoryActions
from wikimem_desktop.widgets.memory_tree import MemoryTree
from wikimem_desktop.widgets.notice_bar import NoticeBar
from wikimem_desktop.widgets.palette import PaletteDialog
from wikimem_desktop.widgets.panes import PaneActions, order_by_tab
from wikimem_desktop.widgets.playground.panel import PlaygroundPanel
from wikimem_desktop.widgets.problems import ProblemsPane, ProblemsView
from wikimem_desktop.widgets.questions import Questions
from wikimem_desktop.widgets.sort_menu import SortMenu
from wikimem_desktop.widgets.status_bar import StatusBar
from wikimem_desktop.widgets.theme import Theme
from wikimem_desktop.widgets.undo_actions import UndoActions

_log = logging.getLogger(__name__)
_WAIT_MS = 1500


class App(QObject):
    """All objects of one running window."""

    def __init__(self, places: Places) -> None:
        super().__init__()
        self.places = places
        places.make_private()
        self.choices = Choices(places.settings_file)
        self.state = load_state(places.state_file)
        self.theme = Theme(self.choices.settings.theme)
        self.notices = Notices()
        self._start_threads()
        self.watcher = Watcher()
        self.library = Library(self.indexer, self.watcher, self.notices)
        self.documents = Documents(self.library)
        self.saver = Saver(self.documents, self.library, self.writer, self.notices)
        self.steps = Steps(self.library, self.documents, self.writer, self.notices)
        self.structure = Structure(self.library, self.documents, self.steps, self.writer, self.notices)
        self.arrangement = Arrangement(self.library, self.documents, self.steps, self.notices)
        self.drafts = Drafts(self.places.drafts, self.library, self.documents, self.writer, self.notices)
        self.history = LocalHistory(
            self.places.history, self.library, self.steps, self.writer, self.notices, self.choices.history_bounds
        )
        self.review = Review(self.history, self.library, self.steps, self.writer)
        self.journal = JournalReader(self.library, self.writer)
        self.step_log = StepLog(self.library, self.steps, self.history, self.writer)
        self.overwritten = Overwritten(self.library, self.documents, self.saver, self.writer, self.notices)
        self.places_by_letters = Palette(self.library, self.documents)
        self.store_search = StoreSearch(self.library, self.store_searcher)
        self.store_replace = StoreReplace(self.library, self.documents, self.steps, self.store_searcher, self.notices)
        self.playground = Playground(self.library, self.documents, self.searcher)
        self.memory_model = MemoryModel()
        self.sequence_model = SequenceModel()
        self.problems_model = ProblemsModel()
        self._build_window()
        self.forget_action = forget_action(self)
        self._wanted_item = ""
        self._to_expand: list[str] | None = None
        self._connect()

    def _start_threads(self) -> None:
        self.indexer, self.searcher, self.writer = Indexer(self.places.tokens), Searcher(), Writer()
        self.store_searcher = StoreSearcher()
        self._writer_thread = WorkerThread(self.writer, "writer", finishes=True)
        readers = (WorkerThread(self.indexer, "indexer"), WorkerThread(self.searcher, "searcher"))
        self._threads = [*readers, WorkerThread(self.store_searcher, "store searcher"), self._writer_thread]

    def _build_panes(self) -> dict[str, QWidget]:
        """The panes below the editor."""
        self.problems_view = ProblemsView(self.problems_model, self.theme)
        self.problems_pane = ProblemsPane(self.problems_model, self.problems_view)
        self.links_view = LinksView(self.library, self.documents, self.theme)
        self.history_view = HistoryView(self.history, self.documents, self.theme)
        self.changes_view = ChangesView(self.review, self.documents, self.theme)
        self.journal_view = JournalView(self.journal, self.theme)
        self.find_in_store = FindInStore(self.store_search, self.store_replace, self.documents, self.theme)
        return {
            "problems": self.problems_pane,
            "links": self.links_view,
            "history": self.history_view,
            "changes": self.changes_view,
            "journal": self.journal_view,
            "find": self.find_in_store,
        }

    def _build_window(self) -> None:
        self.item_view = ItemView(
            self.documents, self.saver, self.library, self.structure, self.overwritten, self.theme
        )
        self.tree = MemoryTree(self.memory_model, self.theme)
        self.panel = PlaygroundPanel(self.playground, self.library, self.sequence_model, self.theme)
        self.status_bar = StatusBar(self.library, self.watcher, self.theme)
        below = self._build_panes()
        parts = {
            "item": self.item_view,
            "memory": self.tree,
            "playground": self.panel,
            **below,
            "status": self.status_bar,
            "notices": NoticeBar(self.notices, self.theme),
        }
        self.window = MainWindow(self.library, self.documents, self.saver, self.theme, parts)
        self.window.setWindowIcon(QIcon(str(icon("app.svg"))))
        self.window.restore_layout(self.state.geometry, self.state.layout)
        self.window.menus.show_theme(self.choices.settings.theme)
        self._show_choices()
        self.window.show_recent(self.state.recent)
        self._build_actions(below)

    def _build_actions(self, below: dict[str, QWidget]) -> None:
        """What carries out commands and connects the panes, those `below` the text among them."""
        self.memory_actions = MemoryActions(
            self.structure,
            self.arrangement,
            self.steps,
            self.documents,
            self.library,
            self.notices,
            self.tree,
            self.window,
            self.theme,
            self.item_view.text_edit.cut_at_caret,
        )
        self.memory_actions.fill(self.window.menus.memory)
        self.sort_menu = SortMenu(self.tree, self.window.menus.view, self.theme)
        self.filter_menu = FilterMenu(self.tree, self.memory_model, self.window.menus.view, self.theme)
        for button in (self.sort_menu.button, self.memory_actions.new_button):
            self.window.docks.add_to_caption("memory", button)
        self._build_text_actions()
        view, memory = self.item_view, self.memory_actions
        self.diary_actions = DiaryActions(self.library, self.steps, lambda: memory.target, view.go_to, self.window)
        for menu in (self.window.menus.memory, memory.context_menu):
            self.diary_actions.fill(menu, memory.new_category)
        order_by_tab([self.tree, *view.parts, self.panel, *below.values(), self.status_bar])
        self.tree.setFocusProxy(self.tree.tree)
        self.panel.setFocusProxy(self.panel.query_box)
        self.pane_actions = PaneActions(self.window.menus.go, [self.tree, view, self.panel, *below.values()])
        self.window.addActions([self.pane_actions.next, self.pane_actions.previous])
        self.undo_actions = UndoActions(self.window.menus.edit, self.steps, self.window)
        self.questions = Questions(self.saver, self.steps, self.documents, self.drafts, self.window.menus, self.window)
        self.palette = PaletteDialog(self.places_by_letters, self.window.menus, self.window, self.theme)
        self.navigation = Navigation(self)

    def _build_text_actions(self) -> None:
        """What can be done to the open text and its links."""
        view, menus, create = self.item_view, self.window.menus, self.memory_actions.create
        self.file_mode = FileMode(view, self.documents, self.saver, menus)
        self.link_fixes = LinkFixes(view, self.documents, self.library, self.notices, create, menus)
        view.header.fill(menus)

    def _connect(self) -> None:
        window, library, documents = self.window, self.library, self.documents
        window.folder_wanted.connect(self._on_folder_wanted)
        window.sample_wanted.connect(self._on_sample_wanted)
        window.store_chosen.connect(self._on_store_chosen)
        window.menus.theme_chosen.connect(self.choices.choose_theme)
        window.menus.theme_chosen.connect(self.theme.choose)
        window.store_close_requested.connect(self._on_store_close_requested)
        window.close_requested.connect(self.quit)
        find_bar = self.item_view.find_bar
        window.menus.find_action.triggered.connect(find_bar.open_find)
        window.menus.find_next_action.triggered.connect(find_bar.find_next)
        window.menus.find_previous_action.triggered.connect(find_bar.find_previous)
        window.menus.replace_action.triggered.connect(find_bar.open_replace)
        window.menus.run_action.triggered.connect(self.playground.run_now)
        self._connect_text_choices()
        library.store_changed.connect(self._on_store_changed)
        library.snapshot_changed.connect(self._on_snapshot_changed)
        library.problems_changed.connect(self._on_problems_changed)
        self.playground.parameters_changed.connect(self._show_problems)
        documents.dirty_changed.connect(self._on_dirty_changed)
        self.saver.saved.connect(self.status_bar.tell_saved)
        documents.followed.connect(self.status_bar.tell_followed)
        documents.current_changed.connect(self.status_bar.forget_text)
        window.menus.autosave_action.triggered.connect(self.choices.choose_autosave)
        self.playground.run_changed.connect(self._on_run_changed)
        self.item_view.rename_wanted.connect(self.memory_actions.rename_open_to)
        self.item_view.note_bar.rename.clicked.connect(self.memory_actions.rename_open)
        self.item_view.note_bar.delete.clicked.connect(self.memory_actions.delete_open)
        self.memory_actions.item_made.connect(self.item_view.start_writing)
        self.panel.create_wanted.connect(self.memory_actions.create_rendered)

    def _connect_text_choices(self) -> None:
        actions, choices = self.window.menus.text_actions, self.choices
        view = self.item_view
        for zooming in (actions, view.text_edit, view.reader, view.preview):
            zooming.zoom_wanted.connect(choices.zoom)
        actions.zoom_reset.connect(choices.reset_zoom)
        actions.wrap_chosen.connect(choices.choose_wrap)
        actions.font_wanted.connect(self._on_font_wanted)
        actions.font_reset.connect(choices.reset_font)
        choices.changed.connect(self._show_choices)

    # ------------------------------------------------------------ opening

    def open_store(
        self,
        root: Path,
        *,
        read_only: bool = False,
        item: str = "",
        query: str | None = None,
        first: StoreState | None = None,
    ) -> None:
        """Open a folder as the person left it (at the first time as in `first`), or at the given item and query."""
        self.window.when_nothing_is_lost(lambda: self._open(root, read_only, item, query, first))

    def _open(self, root: Path, read_only: bool, item: str, query: str | None, first: StoreState | None) -> None:
        self._remember_store()
        known = self.state.store(root.resolve(), first)
        try:
            self.library.open(root, read_only=read_only, tokenizer=known.tokenizer)
        except StoreNotFound as error:
            self.notices.post(Level.ERROR, error_text(error), "open")
            return
        self._wanted_item = item or known.item
        self._to_expand = known.expanded
        self.tree.set_order(Order(known.order))
        self.places_by_letters.recent = known.recent
        self.playground.restore(
            known.query if query is None else query,
            Parameters(known.limit, known.budget or None, known.links, known.unsaved, known.tokenizer),
        )
        self.state.remember(root.resolve(), known)
        self.window.show_recent(self.state.recent)

    def open_sample(self, *, read_only: bool = False, item: str = "", query: str | None = None) -> None:
        """Open a copy of the sample memory; one that a person already worked in is kept."""
        copy = self.places.sample_copy
        if not copy.exists():
            try:
                shutil.copytree(resource("sample"), copy)
            except OSError as error:
                self.notices.post(Level.ERROR, self.tr("The sample can't be copied: {0}").format(error), "open")
                return
        first = StoreState("preferences:likes-the-sea", "想去海边玩", budget=140)
        self.open_store(copy, read_only=read_only, item=item, query=query, first=first)

    @Slot()
    def _on_sample_wanted(self) -> None:
        self.open_sample(read_only=self.window.read_only_wanted)

    @Slot()
    def _on_folder_wanted(self) -> None:
        folder = QFileDialog.getExistingDirectory(self.window, self.tr("Open a memory folder"))
        if folder:
            self._on_store_chosen(folder)

    @Slot(str)
    def _on_store_chosen(self, folder: str) -> None:
        self.open_store(Path(folder), read_only=self.window.read_only_wanted)

    @Slot()
    def _on_store_close_requested(self) -> None:
        self._remember_store()
        self.library.close()

    @Slot()
    def _on_store_changed(self) -> None:
        self.memory_model.set_branches([])
        self.tree.show_everything()
        self._on_problems_changed()

    @Slot()
    def _on_snapshot_changed(self) -> None:
        snapshot = self.library.snapshot
        assert snapshot is not None
        branches = branches_of(snapshot, self.library.days, self.memory_model.branches)
        self.memory_model.set_branches(branches)
        if self._to_expand is not None:
            self.tree.expand(self._to_expand or [branch.key for branch in branches[:3]])
            self._to_expand = None
        if self._wanted_item:
            wanted, self._wanted_item = self._wanted_item, ""
            item = snapshot.addressed(wanted)
            if item is None or not self.documents.open_item(item.category, item.name):
                self.notices.post(Level.INFO, self.tr("There is no item {0}").format(wanted), "open")
        self.tree.select_again()
        self.tree.lay_out()

    # ------------------------------------------------------------ the parts tell each other

    @Slot(str)
    def _on_dirty_changed(self, address: str) -> None:
        self.memory_model.set_unsaved(set(self.documents.unsaved))
        if self.documents.unsaved:
            self.status_bar.forget_news()

    @Slot()
    def _on_run_changed(self) -> None:
        self.memory_model.set_ranks(self.sequence_model.ranks())

    @Slot()
    def _on_problems_changed(self) -> None:
        self._show_problems()
        self.memory_model.set_findings(self.library.findings)

    @Slot()
    def _show_problems(self) -> None:
        """Those of the store, and items that the budget of the runs can't hold."""
        snapshot, budget = self.library.snapshot, self.playground.parameters.budget
        over = check_budget(snapshot, budget) if snapshot is not None else []
        self.problems_model.set_problems([*self.library.findings.problems, *over])
        count = len(self.problems_model.problems)
        self.window.docks.show_count("problems", count)
        self.status_bar.show_problem_count(count)

    @Slot()
    def _on_font_wanted(self) -> None:
        unzoomed = QFont(self.theme.text_font)
        unzoomed.setPointSizeF(unzoomed.pointSizeF() * 100 / self.choices.settings.text_zoom)
        agreed, font = QFontDialog.getFont(unzoomed, self.window, self.tr("Text font"))
        if agreed:
            self.choices.choose_font(font.toString())

    @Slot()
    def _show_choices(self) -> None:
        settings = self.choices.settings
        self.saver.set_autosave(settings.autosave)
        self.window.menus.autosave_action.setChecked(settings.autosave)
        self.theme.choose_text_font(settings.text_font, settings.text_zoom)
        self.item_view.text_edit.set_wrap(settings.wrap)
        self.window.menus.text_actions.show_choices(wrap=settings.wrap, own_font=bool(settings.text_font))

    @Slot(str)
    def on_uncaught(self, details: str) -> None:
        self.drafts.write()
        text = self.tr("Something went wrong. Your text is still here; the details are in the log.")
        self.notices.post(Level.ERROR, text, "crash", details)

    # ------------------------------------------------------------ leaving

    def _remember_store(self) -> None:
        store = self.library.store
        if store is None:
            return
        current, parameters = self.documents.current, self.playground.parameters
        item = current.place.address if current is not None and current.place.kind == "item" else ""
        kept = StoreState(
            item,
            self.playground.query,
            parameters.limit,
            parameters.budget or 0,
            parameters.links,
            parameters.unsaved,
            parameters.tokenizer,
            self.tree.expanded,
            self.places_by_letters.recent,
            self.tree.order.value,
        )
        self.state.remember(store.root, kept)

    @Slot()
    def quit(self) -> None:
        """End in stages; unsaved text was asked about before."""
        self._remember_store()
        self.state.geometry, self.state.layout = self.window.saved_layout()
        self.window.hide()
        self.playground.stop()
        self.documents.stop()
        self.saver.stop()
        self.drafts.stop()
        self.history.stop()
        self.journal.want(False)
        self.store_search.stop()
        self.store_replace.cancel()
        self.library.stop()
        self.theme.stop()
        for thread in self._threads:
            thread.request_stop()
        deadline = QDeadlineTimer(_WAIT_MS)
        unfinished = [thread for thread in self._threads if not thread.wait(deadline.remainingTime())]
        self.watcher.wait(deadline.remainingTime() / 1000)
        if self._writer_thread in unfinished:
            self.drafts.rescue()
        save(self.places.state_file, self.state)
        self.window.leave()
        self.item_view.text_edit.show_buffer(None)  # Qt must not be left with a document that Python deletes
        release_clipboard()
        if unfinished:
            os._exit(0)
        QCoreApplication.exit(0)
