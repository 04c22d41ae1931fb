"""Changes of what there is: new, renamed, split and removed items and categories, repairs, and the way back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from wikimem_desktop.engine import changes, fixes
from wikimem_desktop.engine.changes import Change, check_category_name, check_item_name
from wikimem_desktop.engine.document import Document, own_part
from wikimem_desktop.engine.errors import Conflict, JournalFailed, OutsideStore, WikimemError
from wikimem_desktop.engine.intents import finish_intents
from wikimem_desktop.engine.items import MemoryItem, validate_category
from wikimem_desktop.engine.links import WikiLink, parse_wiki_links
from wikimem_desktop.engine.problems import Kind, PlacedLink, Problem
from wikimem_desktop.engine.store import MemoryStore

from .buffer import Place, Version
from .document import Documents
from .library import Library
from .losses import taken_away
from .notices import Level, Notices
from .repairs import Edit, escaped, repaired_place, respelled, while_hidden
from .trash import into_trash
from .words import error_text
from .writer import Request, Writer

_MOST_STEPS = 200
Plan = Callable[[MemoryStore], Change]


@dataclass(frozen=True, slots=True)
class Step:
    """A change that a person made, in words, and what became of a place by it (None: it is not there)."""

    label: str
    before: Place | None = None
    after: Place | None = None
    change: Change = field(default_factory=Change)
    taken: str | None = None
    """The unsaved text that the change writes."""

    @property
    def places(self) -> list[Place]:
        return [place for place in (self.before, self.after) if place is not None]

    def reversed(self) -> Step:
        return Step(self.label, self.after, self.before, self.change.reversed())


@dataclass(frozen=True, slots=True, eq=False)
class ChangeRequest(Request):
    """Carry out a plan; gives the `Change` that was done."""

    store: MemoryStore
    step: Step
    plan: Plan
    way: str = "do"
    """"do", "undo" or "redo"."""
    source: Step | None = None
    """The step that is turned round."""

    @property
    def path(self) -> Path:
        return self.store.root

    def perform(self) -> Change:
        change = self.plan(self.store)
        return self.store.change(change.files, change.records, discard=into_trash)

    def written(self, error: JournalFailed) -> Change:
        return error.change or Change()


@dataclass(frozen=True, slots=True, eq=False)
class TidyRequest(Request):
    """Finish or clear away what a program that died left in a store; gives the changes that were finished."""

    store: MemoryStore

    @property
    def path(self) -> Path:
        return self.store.root

    def perform(self) -> list[Change]:
        self.store.sweep_temporary_files()
        return finish_intents(self.store)


class Structure(QObject):
    """Makes structural changes, each one step that can be undone.

    Signals:
        steps_changed: what can be undone or redone is another now.
        done: a Step was carried out, undone (then turned round) or redone.
        outside_wanted: a change would write to this path outside the store; `answer_outside` tells.
    """

    steps_changed = Signal()
    done = Signal(object)
    outside_wanted = Signal(str)

    def __init__(self, library: Library, documents: Documents, writer: Writer, notices: Notices) -> None:
        super().__init__()
        self._library = library
        self._documents = documents
        self._writer = writer
        self._notices = notices
        self._done: list[Step] = []
        self._undone: list[Step] = []
        self._asking: list[tuple[ChangeRequest, Path]] = []
        """Requests that would write through a symlink, the latest last, and that."""
        self._under_way: list[ChangeRequest] = []
        self._waiting: list[str] = []
        """Ways back that were wanted while a change was under way."""
        library.store_changed.connect(self._on_store_changed)
        writer.done.connect(self._on_done)
        writer.failed.connect(self._on_failed)

    # ------------------------------------------------------------ names and links

    def name_error(self, category: str, name: str, renaming: str | None = None) -> str:
        """What a person must know about a name for an item; "" when it can be used."""
        snapshot = self._library.snapshot
        rows = snapshot.rows.get(category) if snapshot else None
        return _words(lambda: check_item_name(name, rows.by_name if rows else (), renaming, category=category))

    def category_error(self, name: str, renaming: str | None = None) -> str:
        """What a person must know about a name for a category; "" when it can be used."""
        return _words(check_category_name, name, self.categories, renaming)

    @property
    def categories(self) -> list[str]:
        """The categories there are, files that can't be read included."""
        snapshot = self._library.snapshot
        return [file.category for file in snapshot.files] if snapshot else []

    @property
    def writable_categories(self) -> list[str]:
        """The categories that items can be added to."""
        snapshot = self._library.snapshot
        files = snapshot.files if snapshot else ()
        return [f.category for f in files if not f.error and not _words(validate_category, f.category)]

    def split_error(self) -> str:
        """Why the headings of the open text can't all become items; "" when they can."""
        buffer, seen = self._documents.current, list[str]()
        for name in self.split_names():
            assert buffer is not None
            error = self.name_error(buffer.place.category, name) or _words(check_item_name, name, seen)
            if error:
                return error if name in error else f"“{name}”: {error}"
            seen.append(name)
        return ""

    def inbound(self, place: Place, *, own: bool = False) -> list[PlacedLink]:
        """The links that lead to an item, or to any item of a category, from outside of it; `own`: from inside too."""
        if place.kind == "shadowed":
            return []
        if place.kind == "item":
            links = self._library.findings.links_to(place.category, place.name)
            return [k for k in links if own or (k.path.stem, k.from_item) != (place.category, place.name)]
        links = self._library.findings.links_into(place.category)
        return [link for link in links if own or link.path.stem != place.category]

    def hidden(self, place: Place) -> int:
        """How many sections that hosts ignore have the name of an item, and share its fate."""
        return sum((item.category, item.name) == (place.category, place.name) for item, _ in self._shadowed())

    def _shadowed(self) -> list[tuple[MemoryItem, int]]:
        """All sections that hosts ignore, as indexed, and which of their name they are in their file."""
        snapshot = self._library.snapshot
        return [(s.item, s.occurrence) for file in (snapshot.files if snapshot else ()) for s in file.shadowed]

    def takes_file(self, place: Place) -> bool:
        """Whether the file goes with an item: it is the last one, and only a title stands above it."""
        store = self._library.store
        try:
            change = changes.remove_item(store, place.category, place.name) if store else Change()
        except WikimemError:
            return False
        return any(file.new is None for file in change.files.values())

    # ------------------------------------------------------------ changes

    def new_item(self, category: str, name: str) -> None:
        step = Step(self.tr("New item {0}").format(name), None, Place("item", category, name))
        self._submit(step, lambda store: changes.new_item(store, category, name))

    def new_category(self, name: str) -> None:
        step = Step(self.tr("New category {0}").format(name), None, Place("category", name))
        self._submit(step, lambda store: changes.new_category(store, name))

    def rename(self, place: Place, name: str) -> None:
        """Call an item, a category or a shadowed section otherwise; links to it stay as they are."""
        label = self.tr("Rename {0}").format(place.name or place.category)
        after = Place("category", name) if place.kind == "category" else Place("item", place.category, name)
        if place.kind == "shadowed":
            step = Step(label, place, after)
            self._edit_hidden(step, lambda d: d.with_section_name(place.name, place.occurrence, name))
        else:
            self._submit(Step(label, place, after), _renaming(place, after))

    def remove(self, place: Place) -> None:
        """Delete an item, a category or a shadowed section."""
        step = Step(self.tr("Delete {0}").format(place.name or place.category), place)
        if place.kind == "category":
            self._submit(step, lambda store: changes.remove_category(store, place.category))
        elif place.kind == "shadowed":
            self._edit_hidden(step, lambda document: document.without_section(place.name, place.occurrence))
        else:
            self._submit(step, lambda store: changes.remove_item(store, place.category, place.name))

    @Slot()
    def recreate(self) -> None:
        """Write the open text, whose item is gone from the disk, as a new item."""
        buffer = self._documents.current
        if buffer is None or buffer.base is None:
            return
        place, text = buffer.place, buffer.text
        owner, source, ts = (buffer.field(key) for key in ("owner", "source_conv", "ts"))

        def plan(store: MemoryStore) -> Change:
            return changes.new_item(store, place.category, place.name, text, owner=owner, source_conv=source, ts=ts)

        self._submit(Step(self.tr("Re-create {0}").format(place.name), None, place, taken=text), plan)

    def split_names(self) -> list[str]:
        """The names that the open text would give to new items."""
        buffer = self._documents.current
        return [name for name, _ in _parts(buffer.text)[1]] if buffer is not None else []

    @Slot()
    def split(self) -> None:
        """Make items of the open text: it ends at its first heading, each heading starts a new item behind it."""
        buffer = self._documents.current
        if buffer is None or buffer.base is None:
            return
        base, taken, (text, following) = buffer.base, buffer.text, _parts(buffer.text)

        def plan(store: MemoryStore) -> Change:
            item = base.item
            disk = Version.of(store.document(item.category), item.category, item.name)
            if disk is None or disk.item != item:
                raise Conflict(item, disk.item if disk else None, text)
            return changes.split_item(store, item.category, item.name, text, following)

        label = self.tr("Split {0}").format(base.item.name)
        self._submit(Step(label, buffer.place, buffer.place, taken=taken), plan)

    def fix(self, problem: Problem) -> None:
        """Carry out the safe repair of a problem that has one."""
        store = self._library.store
        if problem.category is None or store is None:
            return
        place = repaired_place(problem, store)
        for other in (Place("item", problem.category, problem.item or ""), place):
            if self._documents.is_dirty(other.category, other.name):
                text = self.tr("{0} holds unsaved text: save it before it is repaired.").format(other.address)
                self._notices.post(Level.WARNING, text, "structure")
                return
        if problem.kind is Kind.BOM_BEFORE_HEADING:
            self._edit(Step(self.tr("Insert a blank line"), place, place), fixes.blank_line_behind_bom)
        elif problem.kind in (Kind.HEADING_IN_FENCE, Kind.METADATA_IN_FENCE):
            self._edit(Step(self.tr("Escape a line"), place, place), lambda document: escaped(document, problem))
        elif problem.kind is Kind.FORM_MISMATCH:
            (link,) = parse_wiki_links(problem.subject)
            item = self._library.target(link)
            if item is not None:
                spelling = WikiLink(item.category, item.name)
                step = Step(self.tr("Respell {0}").format(problem.subject), place, place)
                self._edit(step, lambda document: respelled(document, problem.line, link, spelling))

    def convert(self, category: str, data: bytes, text: str) -> None:
        """Write a file that is not UTF-8 as UTF-8: it holds `data`, which means `text`."""
        sections = Document(text).sections
        first = Place("item", category, sections[0].name) if sections else None
        step = Step(self.tr("Convert {0} to UTF-8").format(category), Place("file", category), first)
        self._submit(step, lambda store: changes.recode_file(store, category, data, text))

    def _edit(self, step: Step, edit: Edit) -> None:
        """A step that edits one file."""
        place = step.before or step.after
        assert place is not None
        category = place.category

        def plan(store: MemoryStore) -> Change:
            return changes.edit_file(store, category, edit)

        self._submit(step, plan)

    def _edit_hidden(self, step: Step, edit: Edit) -> None:
        """A step that edits a section that hosts ignore, if that is still what the index knows of it."""
        place = step.before
        assert place is not None
        known = [item for item, occurrence in self._shadowed() if occurrence == place.occurrence]
        seen = next((i for i in known if (i.category, i.name) == (place.category, place.name)), None)
        self._edit(step, while_hidden(place, seen, edit))

    # ------------------------------------------------------------ there and back

    @property
    def undo_label(self) -> str:
        """What would be undone; "" when nothing can be."""
        return self._done[-1].label if self._done else ""

    @property
    def redo_label(self) -> str:
        return self._undone[-1].label if self._undone else ""

    @Slot()
    def undo(self) -> None:
        self._go_back("undo")

    @Slot()
    def redo(self) -> None:
        self._go_back("redo")

    def _go_back(self, way: str) -> None:
        """Turn the last step of that way round, behind those that are under way."""
        if self._under_way:
            self._waiting.append(way)
            return
        steps = self._done if way == "undo" else self._undone
        if steps:
            step = steps[-1].reversed()
            self._submit(step, _plan_of_reversed(step), way, steps[-1])

    def answer_outside(self, *, agreed: bool) -> None:
        """Whether the person lets the symlinked file that `outside_wanted` named be written."""
        if not self._asking:
            return
        request, link = self._asking.pop()
        if agreed:
            request.store.allow_outside(link)
            self._writer.submit(request)
        else:
            self._give_up(request)

    def _submit(self, step: Step, plan: Plan, way: str = "do", source: Step | None = None) -> None:
        store = self._library.store
        if store is None:
            return
        request = ChangeRequest(store, step, plan, way, source)
        for place in step.places:
            self._documents.hold(place)
        self._under_way.append(request)
        self._writer.submit(request)

    def _go_on(self, request: ChangeRequest) -> None:
        """The request has come to an end."""
        self._under_way = [other for other in self._under_way if other is not request]
        if self._waiting and not self._under_way:
            self._go_back(self._waiting.pop(0))
            if not self._under_way:
                self._waiting.clear()  # there was nothing to turn round

    @Slot(object, object)
    def _on_done(self, request: Request, result: object) -> None:
        if isinstance(request, TidyRequest):
            if result and request.store is self._library.store:
                text = self.tr("A change that was interrupted the last time has been finished.")
                self._notices.post(Level.INFO, text, "structure")
            return
        if not isinstance(request, ChangeRequest) or request.store is not self._library.store:
            return
        assert isinstance(result, Change)
        step = replace(request.step, change=result)
        if request.way == "undo":
            self._done = [other for other in self._done if other is not request.source]
            self._undone.append(step)
        else:
            self._done = [*self._done[-_MOST_STEPS:], step]
            self._undone = [s for s in self._undone if s is not request.source] if request.way == "redo" else []
        self._notices.clear("structure")
        self._release(request)
        self._follow(step)
        self.done.emit(step)
        self.steps_changed.emit()
        self._library.refresh()
        self._go_on(request)

    def _release(self, request: ChangeRequest) -> None:
        """What the disk says about the places of the request counts again."""
        for place in request.step.places:
            self._documents.release(place)

    def _follow(self, step: Step) -> None:
        """Take the open texts along."""
        before, after = step.before, step.after
        if before is not None and after is not None and _renamed(before, after):
            self._documents.move(before, after)
            return
        if before is not None and before != after:
            self._documents.close(before)
        if after is None and before is not None and before.kind != "category":  # whose file is in the trash
            for place, text in taken_away(step.change):
                self._documents.lost.emit(place, "mine", text)
        if after is not None and after.kind != "category":
            self._documents.take_disk(after, step.taken)

    @Slot(object, object)
    def _on_failed(self, request: Request, error: WikimemError) -> None:
        if not isinstance(request, ChangeRequest) or request.store is not self._library.store:
            return
        if isinstance(error, OutsideStore):
            self._asking.append((request, error.path))
            self.outside_wanted.emit(str(error.target))
            return
        text = error_text(error)
        if isinstance(error, Conflict):
            text = self.tr("{0}: not possible, what it is about was changed meanwhile.").format(request.step.label)
        self._notices.post(Level.ERROR, text, "structure", str(error))
        self._give_up(request)

    def _give_up(self, request: ChangeRequest) -> None:
        """The request can't be carried out."""
        self._release(request)
        self._documents.follow(self._documents.of(request.step.places))
        self._library.refresh()
        self._go_on(request)

    @Slot()
    def _on_store_changed(self) -> None:
        self._done, self._undone, self._waiting, self._asking = [], [], [], []
        self._under_way = []
        store = self._library.store
        if store is not None and not store.read_only:
            self._writer.submit(TidyRequest(store))
        self.steps_changed.emit()


def _words(check: Callable[..., object], *names: object) -> str:
    """What the check of a name says against it."""
    try:
        check(*names)
    except WikimemError as error:
        return error_text(error)
    return ""


def _renaming(before: Place, after: Place) -> Plan:
    if before.kind == "category":
        return lambda store: changes.rename_category(store, before.category, after.category)
    return lambda store: changes.rename_item(store, before.category, before.name, after.name)


def _plan_of_reversed(step: Step) -> Plan:
    """A rename is undone by renaming, so that what was written under the new name since stays."""
    if step.before is not None and step.after is not None and _renamed(step.before, step.after):
        return _renaming(step.before, step.after)
    return lambda store: step.change


def _renamed(before: Place, after: Place) -> bool:
    """Whether it is the same with another address. (A shadowed section that gets a name of its own is a new item.)"""
    return before != after and before.kind == after.kind


def _parts(text: str) -> tuple[str, Sequence[tuple[str, str]]]:
    """A text cut at its item headings: what stands before the first one, and name and text of each."""
    document = Document("## x\n\n" + own_part(text).lstrip())
    sections = document.sections[1:]
    end = sections[0].first_line if sections else None
    return "".join(document.lines[2:end]), [(section.name, section.content) for section in sections]
