"""What can be done to items and categories: the Memory menu, the tree's context menu, and what they ask first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QAction, QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar, QToolButton, QWidget

from wikimem_desktop.engine.items import MemoryItem
from wikimem_desktop.engine.links import WikiLink, parse_wiki_links
from wikimem_desktop.engine.problems import Kind, Problem
from wikimem_desktop.presentation.arrangement import Arrangement
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.presentation.document import Documents
from wikimem_desktop.presentation.library import Library
from wikimem_desktop.presentation.notices import Action, Level, Notices
from wikimem_desktop.presentation.steps import Step, Steps
from wikimem_desktop.presentation.structure import Structure
from wikimem_desktop.widgets.memory_rows import Drop
from wikimem_desktop.widgets.memory_tree import MemoryTree
from wikimem_desktop.widgets.naming import (
    MergingDialog,
    MovingDialog,
    NamingDialog,
    NewItemDialog,
    RenamingDialog,
    shortened,
)
from wikimem_desktop.widgets.removal import RemovalDialog
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme

_CHANGEABLE = ("item", "category", "shadowed")


class MemoryActions(QObject):
    """Acts on the selected row of the tree when the tree has the focus, else on what is open.

    Signals:
        item_made: an item was made and is open now.
    """

    item_made = Signal()

    def __init__(
        self,
        structure: Structure,
        arrangement: Arrangement,
        steps: Steps,
        documents: Documents,
        library: Library,
        notices: Notices,
        tree: MemoryTree,
        window: QWidget,
        theme: Theme,
        cut_at_caret: Callable[[], tuple[str, str]],
    ) -> None:
        super().__init__(window)
        self._cut_at_caret = cut_at_caret
        self._structure = structure
        self._arrangement = arrangement
        self._steps = steps
        self._documents = documents
        self._library = library
        self._notices = notices
        self._tree = tree
        self._window = window
        self._theme = theme
        self._in_tree = False
        self._wanted: Place | None = None
        """What the person is making or deleting at the moment."""
        self._next: Place | None = None
        """What is shown instead of what is deleted."""
        self.new_item = self._action(self.tr("New &item…"), self._on_new_item, "Ctrl+N")
        self.new_category = self._action(self.tr("New &category…"), self._on_new_category, "Ctrl+Shift+N")
        self.rename = self._action(self.tr("&Rename…"), self._on_rename, "F2")
        self.move = self._action(self.tr("&Move to category…"), self._on_move, "Ctrl+M")
        self.duplicate = self._action(self.tr("D&uplicate"), self._on_duplicate, "Ctrl+D")
        self.merge = self._action(self.tr("M&erge into one…"), self._on_merge)
        self.split = self._action(self.tr("&Split at the caret…"), self._on_split, "Ctrl+Alt+Return")
        self.up = self._action(self.tr("Move u&p in its file"), partial(self._on_reorder, -1), "Alt+Up")
        self.down = self._action(self.tr("Move do&wn in its file"), partial(self._on_reorder, 1), "Alt+Down")
        self.delete = self._action(self.tr("&Delete"), self._on_delete, "Del")
        self.copy_link = self._action(self.tr("Copy &link"), self._on_copy_link)
        self.reveal = self._action(self.tr("Show in &file manager"), self._on_reveal)
        window.addActions([self.new_item, self.new_category, self.rename, self.move, self.duplicate, self.split])
        self.delete.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        for action in (self.up, self.down):
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        tree.tree.addActions([self.delete, self.up, self.down])  # elsewhere Del deletes a character
        self.context_menu = QMenu(tree)
        self.fill(self.context_menu)
        self.new_button = self._build_new_button()
        self._connect()

    def _action(self, text: str, slot: Callable[[], object], keys: str = "") -> QAction:
        action = QAction(text, self)
        action.setShortcut(keys)
        action.triggered.connect(slot)
        return action

    def fill(self, menu: QMenu) -> None:
        menu.addActions([self.new_item, self.new_category])
        menu.addSeparator()
        menu.addActions([self.rename, self.move, self.delete])
        menu.addSeparator()
        menu.addActions([self.duplicate, self.split, self.merge, self.up, self.down])
        menu.addSeparator()
        menu.addActions([self.copy_link, self.reveal])

    def _build_new_button(self) -> QToolButton:
        """Makes an item; held down it offers a category too."""
        button = styled(QToolButton(), "captionButton")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setToolTip(self.tr("New item (hold for more)"))
        button.setAccessibleName(self.tr("New item"))
        menu = QMenu(button)
        menu.addActions([self.new_item, self.new_category])
        button.setMenu(menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.DelayedPopup)
        button.clicked.connect(self.new_item.trigger)
        return button

    @Slot()
    def _set_icon(self) -> None:
        self.new_button.setIcon(self._theme.icon("plus"))

    def _connect(self) -> None:
        tree = self._tree.tree
        tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        tree.customContextMenuRequested.connect(self._on_context_menu)
        self._tree.selection_changed.connect(self._show_what_is_possible)
        self._tree.dropped.connect(self._on_dropped)
        self._documents.current_changed.connect(self._show_what_is_possible)
        self._library.store_changed.connect(self._show_what_is_possible)
        self._steps.done.connect(self._on_done)
        self._theme.changed.connect(self._set_icon)
        self._set_icon()
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus_changed)
        self._show_what_is_possible()

    # ------------------------------------------------------------ on what

    @property
    def target(self) -> Place | None:
        if self._in_tree:
            return self._tree.selected
        here = self._documents.current.place if self._documents.current else None
        return Place("category", here.category) if here is not None and here.kind == "text" else here

    @property
    def targets(self) -> list[Place]:
        """All selected items in the tree when it has the focus, else what is open; of one kind only."""
        target = self.target
        if not self._in_tree:
            return [target] if target is not None else []
        places = self._tree.selection
        return places if all(place.kind == "item" for place in places) else [target] if target is not None else []

    @property
    def _may_write(self) -> bool:
        return self._library.store is not None and not self._documents.read_only_store

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, old: QWidget | None, new: QWidget | None) -> None:
        """Menus take the focus only to give it back."""
        if new is not None and self._window.isAncestorOf(new) and not isinstance(new, QMenuBar):
            self._in_tree = new is self._tree.tree
            self._show_what_is_possible()

    @Slot()
    def _show_what_is_possible(self) -> None:
        target = self.target
        can_change = self._may_write and target is not None and target.kind in _CHANGEABLE
        items = [place for place in self.targets if place.kind == "item"]
        one = items[0] if len(items) == 1 else None
        for control, possible in (
            (self.new_item, self._may_write),
            (self.new_button, self._may_write),
            (self.new_category, self._may_write),
            (self.rename, can_change),
            (self.move, self._may_write and bool(items)),
            (self.duplicate, self._may_write and bool(items)),
            (self.merge, self._may_write and len(items) > 1),
            (self.split, self._may_write and self._open_item is not None),
            (self.up, one is not None and self._can_go(one, -1)),
            (self.down, one is not None and self._can_go(one, 1)),
            (self.delete, can_change or (self._may_write and target is not None and target.kind == "day")),
            (self.copy_link, bool(items)),
            (self.reveal, target is not None),
        ):
            control.setEnabled(possible)

    @Slot(QPoint)
    def _on_context_menu(self, point: QPoint) -> None:
        tree = self._tree.tree
        if not tree.indexAt(point).isValid():
            tree.clearSelection()
            self._show_what_is_possible()
        self.context_menu.popup(tree.viewport().mapToGlobal(point))

    # ------------------------------------------------------------ making

    @Slot()
    def _on_new_item(self) -> None:
        target = self.target
        self.ask_for_item(target.category if target is not None else "", "")

    @Slot()
    def _on_new_category(self) -> None:
        dialog = NamingDialog(
            self._window,
            self.tr("New category"),
            self.tr("Create"),
            self._category_rule,
            self._structure.category_error,
        )
        dialog.named.connect(self._structure.new_category)
        dialog.ask("")

    @Slot(str, str)
    def ask_for_item(self, category: str, name: str) -> None:
        """Make an item whose name the person agrees to; category and name to begin with."""
        categories = self._structure.writable_categories
        if not name and category not in categories:
            category = categories[0] if categories else ""
        dialog = NewItemDialog(self._window, self._structure, self._item_rule, self._theme)
        dialog.item_named.connect(self._make_item)
        dialog.ask_in(category, name)

    @Slot(str, str)
    def _make_item(self, category: str, name: str) -> None:
        self._wanted = Place("item", category, name)
        self._structure.new_item(category, name)

    def create(self, link: WikiLink) -> None:
        """Make the item that a link leads to. When it can't be called so, the person is asked what else to do."""
        known = link.category in self._structure.writable_categories
        error = "" if known else self._structure.category_error(link.category)
        if self._may_write and (error or self._structure.name_error(link.category, link.name)):
            self.ask_for_item(link.category, link.name)
        else:
            self._make_item(link.category, link.name)

    def offer(self, link: WikiLink) -> None:
        """Say that a link leads nowhere, and offer to make its item."""
        text = self.tr("There is no item {0}").format(f"{link.category}:{link.name}")
        create = Action(self.tr("Create item"), lambda: self.create(link))
        self._notices.post(Level.INFO, text, "link", actions=(create,) if self._may_write else ())

    @Slot(str)
    def create_rendered(self, link: str) -> None:
        for found in parse_wiki_links(link):
            self.create(found)

    @Slot(object)
    def fix(self, problem: Problem) -> None:
        """Carry out what a problem's row offers."""
        if problem.kind is Kind.UNRESOLVED_LINK:
            self.create_rendered(problem.subject)
        else:
            self._structure.fix([problem])

    # ------------------------------------------------------------ renaming

    @Slot()
    def _on_rename(self) -> None:
        self._ask_for_name(self.target)

    @Slot()
    def rename_open(self) -> None:
        if self._documents.current is not None:
            self._ask_for_name(self._documents.current.place)

    @Slot(str)
    def rename_open_to(self, name: str) -> None:
        """Rename the open item; links that follow are shown first."""
        if self._documents.current is None:
            return
        place = self._documents.current.place
        if self._structure.inbound(place, own=True):
            self._ask_for_name(place, name)
        else:
            self._structure.rename(place, name)

    def _ask_for_name(self, place: Place | None, name: str | None = None) -> None:
        if place is None:
            return
        structure, before = self._structure, place.name or place.category

        def error(new: str) -> str:
            if place.kind == "category":
                return structure.category_error(new, before)
            return structure.name_error(place.category, new, before if place.kind == "item" else None)

        rule = self._category_rule if place.kind == "category" else self._item_rule
        dialog = RenamingDialog(self._window, structure, place, rule, error, self._theme)
        dialog.decided.connect(partial(structure.rename, place))
        dialog.ask(before if name is None else name)

    @Slot()
    def _on_move(self) -> None:
        items = [place for place in self.targets if place.kind == "item"]
        if items:
            self.ask_where(items)

    def ask_where(self, places: Sequence[Place], category: str = "") -> None:
        """Move items to a category that the person names; the one given is suggested."""
        title = self.tr("Move {0}").format(shortened(places[0].name))
        if len(places) > 1:
            title = self.tr("Move %n item(s)", None, len(places))
        dialog = MovingDialog(self._window, self._structure, places, title, self._category_rule, self._theme)
        dialog.decided.connect(partial(self._structure.move, places))
        dialog.ask(category)

    @property
    def _item_rule(self) -> str:
        return self.tr("Any words will do, without : | # [ and ].")

    @property
    def _category_rule(self) -> str:
        return self.tr("Its file has this name: a–z, 0–9, _ and -.")

    # ------------------------------------------------------------ arranging

    @Slot()
    def _on_duplicate(self) -> None:
        self._arrangement.duplicate([place for place in self.targets if place.kind == "item"])

    def _can_go(self, item: Place, step: int) -> bool:
        """Where the tree shows another order, no one would see where it goes."""
        return self._may_write and self._tree.in_file_order and self._arrangement.can_go(item, step)

    def _on_reorder(self, step: int) -> None:
        if len(self.targets) == 1:
            self._arrangement.go(self.targets[0], step)

    @property
    def _open_item(self) -> Place | None:
        current = self._documents.current
        return current.place if current is not None and current.place.kind == "item" else None

    @Slot()
    def _on_split(self) -> None:
        """What stands below the caret becomes an item of its own."""
        place = self._open_item
        if place is None:
            return
        above, below = self._cut_at_caret()
        dialog = NamingDialog(
            self._window,
            self.tr("Split {0}").format(shortened(place.name)),
            self.tr("Split"),
            self.tr("The text below the caret gets this name."),
            lambda name: self._structure.name_error(place.category, name),
        )
        dialog.named.connect(lambda name: self._arrangement.split_at(above, below, name))
        dialog.ask("")

    @Slot()
    def _on_merge(self) -> None:
        """The current item takes the others in."""
        into = self.target
        others = [place for place in self.targets if place != into]
        if into is not None and others:
            self.ask_to_merge(into, others)

    def ask_to_merge(self, into: Place, others: Sequence[Place], seen: Sequence[MemoryItem] = ()) -> None:
        """Merge items when the person agrees; `seen`: they must say by then what these say."""
        losses = list(dict.fromkeys(loss for place in others for loss in self._goes_along(place)))
        dialog = MergingDialog(self._window, self._structure, into, others, losses, self._theme)
        dialog.decided.connect(lambda kept: self._arrangement.merge(into, others, kept, seen))
        dialog.show()

    @Slot(object)
    def _on_dropped(self, drop: Drop) -> None:
        """On a category, or an item of another one: there; between items of its own file: at that place."""
        items = [place for place in self._tree.selection if place.kind == "item"]
        if not items or not self._may_write or drop.on.kind not in ("category", "item"):
            return
        if all(place.category == drop.on.category for place in items):
            if drop.between and self._tree.in_file_order and len(items) == 1 and items[0] != drop.on:
                self._arrangement.place(items[0], drop.before.name if drop.before is not None else None)
            return
        self.ask_where([place for place in items if place.category != drop.on.category], drop.on.category)

    # ------------------------------------------------------------ deleting

    @Slot()
    def _on_delete(self) -> None:
        if len(self.targets) > 1:
            self._ask_before_removal_of_all(self.targets)
        else:
            self._ask_before_removal(self.target)

    def _ask_before_removal_of_all(self, places: Sequence[Place]) -> None:
        """Several items, with what else would be lost; links between them are no loss."""
        gone = {(place.category, place.name) for place in places}
        links = [link for place in places for link in self._structure.inbound(place)]
        links = [link for link in links if (link.path.stem, link.from_item) not in gone]
        losses = list(dict.fromkeys(loss for place in places for loss in self._losses(place)))
        title = self.tr("%n item(s)", None, len(places))
        dialog = RemovalDialog(self._window, title, losses, links)
        dialog.accepted.connect(partial(self._arrangement.remove, places))
        dialog.show()

    @Slot()
    def delete_open(self) -> None:
        if self._documents.current is not None:
            self._ask_before_removal(self._documents.current.place)

    def _ask_before_removal(self, place: Place | None) -> None:
        """Delete at once what can be brought back whole; show what else would be lost."""
        if place is None:
            return
        losses, links = self._losses(place), self._structure.inbound(place)
        if not losses and not links:
            self._remove(place)
            return
        dialog = RemovalDialog(self._window, f"“{place.name or place.category}”", losses, links)
        dialog.accepted.connect(lambda: self._remove(place))
        dialog.show()

    def _losses(self, place: Place) -> list[str]:
        """What goes along with it, in sentences."""
        inside = [buffer.place for buffer in self._documents.buffers if buffer.place.category == place.category]
        if place.kind == "category":
            snapshot = self._library.snapshot
            rows = snapshot.rows.get(place.category) if snapshot else None
            sentences = [self.tr("The file holds %n item(s).", None, len(rows.by_name) if rows else 0)]
            if inside:
                text = self.tr("%n of them hold(s) unsaved text, which is kept among the drafts.", None, len(inside))
                sentences.append(text)
            return sentences
        unsaved = [self.tr("Its unsaved text is kept among the drafts.")] if place in inside else []
        return unsaved + self._goes_along(place)

    def _goes_along(self, place: Place) -> list[str]:
        """What in its file goes with an item, in sentences."""
        sentences = []
        if place.kind == "item" and (hidden := self._structure.hidden(place)):
            sentences.append(self.tr("%n section(s) of that name that hosts ignore go(es) too.", None, hidden))
        if place.kind == "item" and self._structure.takes_file(place):
            sentences.append(self.tr("It is the last item: the file {0}.md goes too.").format(place.category))
        return sentences

    def _remove(self, place: Place) -> None:
        self._wanted = place
        self._next = self._tree.neighbour(place) if self._in_tree and place.kind == "item" else None
        self._structure.remove(place)

    # ------------------------------------------------------------ what came of it

    @Slot(object)
    def _on_done(self, step: Step) -> None:
        wanted, self._wanted = self._wanted, None
        for settled in ("deleted", "link"):
            self._notices.clear(settled)
        for move in step.moves:
            if move.before.kind == "category":
                self._tree.follow(move.before.category, move.after.category)
        if step.after is not None and step.after.kind == "category":
            self._tree.show_place(step.after)
        elif wanted is not None and step.after == wanted:
            self.item_made.emit()
        elif wanted is not None and step.before == wanted:
            text = self.tr("Deleted {0}").format(wanted.name or wanted.category)
            undo = Action(self.tr("Undo"), partial(self._steps.undo_step, step))
            self._notices.post(Level.INFO, text, "deleted", actions=(undo,))
            if self._next is not None:
                self._documents.open(self._next)

    # ------------------------------------------------------------ taking elsewhere

    @Slot()
    def _on_copy_link(self) -> None:
        links = [WikiLink(place.category, place.name).render() for place in self.targets if place.kind == "item"]
        if links:
            QGuiApplication.clipboard().setText("\n".join(links))

    @Slot()
    def _on_reveal(self) -> None:
        target, store = self.target, self._library.store
        if target is not None and store is not None:
            path = store.diary.path(target.category) if target.kind == "day" else store.path(target.category)
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent)))
