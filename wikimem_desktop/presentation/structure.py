"""Changes of what there is: new, renamed, split and removed items and categories, repairs, and the way back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal, Slot

from wikimem_desktop.engine import changes, fixes
from wikimem_desktop.engine.changes import Change, Mark, check_category_name, check_free, check_item_name
from wikimem_desktop.engine.document import Document, own_part
from wikimem_desktop.engine.edits import Edits
from wikimem_desktop.engine.errors import Conflict, WikimemError
from wikimem_desktop.engine.items import MemoryItem, validate_category
from wikimem_desktop.engine.links import WikiLink, parse_wiki_links
from wikimem_desktop.engine.problems import Kind, PlacedLink, Problem
from wikimem_desktop.engine.refactoring import (
    LinkLine,
    Redirection,
    count_redirected,
    links_to,
    read_only_among,
    redirection_of_category,
    redirection_of_item,
)
from wikimem_desktop.engine.store import MemoryStore

from .buffer import Place, Version
from .document import Documents
from .library import Library
from .notices import Action, Level, Notices
from .repairs import Edit, escaped, repaired_places, respelled, while_hidden
from .steps import Move, Step, Steps, plan_of
from .words import error_text, repaired_at_once
from .writer import Request, Writer

_Address = tuple[str, str]
"""Category and name."""


class FoundLinks(NamedTuple):
    """The lines with links to items or a category, what redirects them to where they are, and files among theirs and
    those of the items that are read-only."""

    lines: list[LinkLine]
    redirections: list[Redirection]
    read_only: list[str]


@dataclass(frozen=True, slots=True, eq=False)
class LinksRequest(Request):
    """Find the links to items or a category; gives `FoundLinks`."""

    store: MemoryStore
    places: tuple[Place, ...]

    @property
    def path(self) -> Path:
        return self.store.root

    def perform(self) -> FoundLinks:
        redirections = []
        for place in self.places:
            if place.kind == "category":
                redirections.append(redirection_of_category(self.store, place.category, place.category))
            else:
                address = place.category, place.name
                redirections.append(redirection_of_item(self.store, *address, *address))
        lines = links_to(self.store, *redirections)
        keys = [*(place.category for place in self.places), *(line.key for line in lines)]
        return FoundLinks(lines, redirections, read_only_among(self.store, keys))


@dataclass(frozen=True, slots=True, eq=False)
class CountRequest(Request):
    """Look on disk how many links were redirected by a step; gives them and the number of their files."""

    store: MemoryStore
    step: Step

    @property
    def path(self) -> Path:
        return self.store.root

    def perform(self) -> tuple[int, int]:
        return count_redirected(self.store, self.step.change, *self.step.redirections)


class Structure(QObject):
    """Makes structural changes, each one step that can be undone.

    Signals:
        links_found: a LinksRequest, and what it gave.
    """

    links_found = Signal(object, object)

    def __init__(self, library: Library, documents: Documents, steps: Steps, writer: Writer, notices: Notices) -> None:
        super().__init__()
        self._writer = writer
        writer.done.connect(self._on_written)
        steps.done.connect(self._on_done)
        self._library = library
        self._documents = documents
        self._steps = steps
        self._notices = notices

    # ------------------------------------------------------------ names and links

    def name_error(self, category: str, name: str, renaming: str | None = None) -> str:
        """What a person must know about a name for an item; "" when it can be used."""
        snapshot = self._library.snapshot
        rows = snapshot.rows.get(category) if snapshot else None
        return _words(lambda: check_item_name(name, rows.by_name if rows else (), renaming, category=category))

    def taken_error(self, category: str, name: str) -> str:
        """What a person must know about an item that is to come into a category under its name; "" when it can."""
        snapshot = self._library.snapshot
        rows = snapshot.rows.get(category) if snapshot else None
        return _words(check_free, category, name, rows.by_name if rows else ())

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
        if place.kind in ("shadowed", "day"):
            return []
        if place.kind == "item":
            links = self._library.findings.links_to(place.category, place.name)
            return [k for k in links if own or (k.path.stem, k.from_item) != (place.category, place.name)]
        snapshot = self._library.snapshot
        rows = snapshot.rows.get(place.category) if snapshot else None
        links = self._library.findings.links_into(place.category)
        leading = [link for link in links if rows is not None and link.name in rows.by_name]
        return [link for link in leading if own or link.path.stem != place.category]

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
        self._steps.submit(step, lambda store: changes.new_item(store, category, name))

    def new_category(self, name: str) -> None:
        step = Step(self.tr("New category {0}").format(name), None, Place("category", name))
        self._steps.submit(step, lambda store: changes.new_category(store, name))

    def rename(self, place: Place, name: str, kept: Collection[Mark] = ()) -> None:
        """Call an item, a category or a shadowed section otherwise; links follow, but in lines that are `kept`."""
        label = self.tr("Rename {0}").format(place.name or place.category)
        after = Place("category", name) if place.kind == "category" else Place("item", place.category, name)
        if place.kind == "shadowed":
            step = Step(label, place, after)
            self._edit_hidden(step, lambda d: d.with_section_name(place.name, place.occurrence, name))
        elif after != place:
            moves = (Move(place, after),)
            self._steps.submit(Step(label, place, after, moves=moves, kept=frozenset(kept)), plan_of(moves, kept))

    def move(self, places: Sequence[Place], category: str, kept: Collection[Mark] = ()) -> None:
        """Put items into another category; links to them follow, but in lines that are `kept`."""
        moves = tuple(Move(p, replace(p, category=category)) for p in places if p.category != category)
        if not moves:
            return
        label = self.tr("Move {0}").format(moves[0].before.name)
        if len(moves) > 1:
            label = self.tr("Move %n item(s)", None, len(moves))
        step = Step(label, *moves[0], moves=moves, kept=frozenset(kept))
        self._steps.submit(step, plan_of(moves, kept))

    def find_links(self, places: Sequence[Place]) -> LinksRequest | None:
        """Look for the links to items or a category, as they are on disk; `links_found` answers."""
        if self._library.store is None:
            return None
        request = LinksRequest(self._library.store, tuple(places))
        self._writer.submit(request)
        return request

    @Slot(object, object)
    def _on_written(self, request: Request, result: object) -> None:
        if isinstance(request, LinksRequest) and request.store is self._library.store:
            self.links_found.emit(request, result)
        elif isinstance(request, CountRequest) and request.store is self._library.store:
            assert isinstance(result, tuple)
            self._tell_moved(request.step, *result)

    @Slot(object)
    def _on_done(self, step: Step) -> None:
        self._notices.clear("moved")  # it tells of another step, which can't be undone by itself any more
        if step.moves and self._library.store is not None:
            self._writer.submit(CountRequest(self._library.store, step))

    def _tell_moved(self, step: Step, links: int, files: int) -> None:
        """Say what came of a change of addresses, if that is still the last thing that was done."""
        if self._steps.last is not step:
            return
        (before, after), count = step.moves[0], len(step.moves)
        text = self.tr("{0} is {1} now.").format(before.address, after.address)
        if count > 1:
            text = self.tr("%n item(s) is/are in {0} now.", None, count).format(after.category)
        if links:
            text += " " + self.tr("%n link(s) follow(s)", None, links) + self.tr(" in %n file(s).", None, files)
        undo = Action(self.tr("Undo"), partial(self._steps.undo_step, step))
        self._notices.post(Level.INFO, text, "moved", actions=(undo,) if self._steps.can_undo(step) else ())

    def remove(self, place: Place) -> None:
        """Delete an item, a category, a day of the diary or a shadowed section."""
        step = Step(self.tr("Delete {0}").format(place.name or place.category), place)
        if place.kind == "category":
            self._steps.submit(step, lambda store: changes.remove_category(store, place.category))
        elif place.kind == "day":
            self._steps.submit(step, lambda store: changes.remove_day(store, place.category))
        elif place.kind == "shadowed":
            self._edit_hidden(step, lambda document: document.without_section(place.name, place.occurrence))
        else:
            self._steps.submit(step, lambda store: changes.remove_item(store, place.category, place.name))

    @Slot()
    def recreate(self) -> None:
        """Write the open text, whose item or file is gone from the disk, as a new one."""
        buffer = self._documents.current
        if buffer is None or buffer.base is None:
            return
        place, text = buffer.place, buffer.text
        owner, source, ts = (buffer.field(key) for key in ("owner", "source_conv", "ts"))

        def plan(store: MemoryStore) -> Change:
            if place.whole:
                return changes.rewritten_file(place.key, None, text.encode())
            return changes.new_item(store, place.category, place.name, text, owner=owner, source_conv=source, ts=ts)

        label = self.tr("Re-create {0}").format(place.name or place.category)
        self._steps.submit(Step(label, None, place, taken=text), plan)

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
        self._steps.submit(Step(label, buffer.place, buffer.place, taken=taken), plan)

    def fix(self, problems: Sequence[Problem]) -> None:
        """Carry out the safe repairs of problems that have one, as one step.

        What hosts take for an item stays one as long as links lead there.
        """
        store = self._library.store
        if store is None:
            return
        in_code = {(p.category or "", p.item or "") for p in problems if p.kind is Kind.HEADING_IN_FENCE}
        linked = self._library.findings.linked(in_code)
        # From below, so that no repair moves a line or changes an item that another one was found at.
        upwards = sorted(dict.fromkeys(problems), key=lambda problem: problem.line, reverse=True)
        repairs = [(p, edit) for p in upwards if (edit := self._repair(p, linked, in_code - linked)) is not None]
        if linked:
            names = ", ".join(sorted(f"{category}:{name}" for category, name in linked))
            text = self.tr("Links lead there, so these stay items: {0}").format(names)
            self._notices.post(Level.WARNING, text, "linked")
        if not repairs or self._holds_unsaved([problem for problem, _ in repairs], store):
            return

        first = repaired_places(repairs[0][0], Edits(store))[0]
        label = self._repair_label(repairs[0][0])
        if len(repairs) > 1:
            label = self.tr("Repair %n problem(s)", None, len(repairs))
        self._edit(Step(label, first, first), *((problem.category or "", edit) for problem, edit in repairs))

    def _repair(self, problem: Problem, linked: Collection[_Address], gone: Collection[_Address]) -> Edit | None:
        """What a problem's repair does to its file.

        None: it has none that is safe, would take an item from links (`linked`), or leads to one that is `gone` then.
        """
        if not repaired_at_once(problem):
            return None
        match problem.kind:
            case Kind.BOM_BEFORE_HEADING:
                return fixes.blank_line_behind_bom
            case Kind.HEADING_IN_FENCE if (problem.category, problem.item) in linked:
                return None
            case Kind.HEADING_IN_FENCE | Kind.METADATA_IN_FENCE:
                return partial(escaped, problem=problem)
            case Kind.FORM_MISMATCH:
                (link,) = parse_wiki_links(problem.subject)
                item = self._library.target(link)
                if item is not None and (item.category, item.name) not in gone:
                    spelling = WikiLink(item.category, item.name)
                    place = problem.line, problem.category or ""
                    return lambda document: respelled(document, *place, link, spelling)
        return None

    def _repair_label(self, problem: Problem) -> str:
        match problem.kind:
            case Kind.BOM_BEFORE_HEADING:
                return self.tr("Insert a blank line")
            case Kind.FORM_MISMATCH:
                return self.tr("Respell {0}").format(problem.subject)
        return self.tr("Escape a line")

    def _holds_unsaved(self, problems: Sequence[Problem], store: MemoryStore) -> bool:
        """Whether an item does that a repair would change; the person is told. Only files with such text are read."""
        files, categories = Edits(store), {buffer.place.category for buffer in self._documents.buffers}
        places = [p for problem in problems if problem.category in categories for p in repaired_places(problem, files)]
        unsaved = next((place for place in places if self._documents.is_dirty(place.category, place.name)), None)
        if unsaved is not None:
            text = self.tr("{0} holds unsaved text: save it before it is repaired.").format(unsaved.address)
            self._notices.post(Level.WARNING, text, "structure")
        return unsaved is not None

    def convert(self, category: str, data: bytes, text: str) -> None:
        """Write a file that is not UTF-8 as UTF-8: it holds `data`, which means `text`."""
        sections = Document(text).sections
        first = Place("item", category, sections[0].name) if sections else None
        step = Step(self.tr("Convert {0} to UTF-8").format(category), Place("file", category), first)
        self._steps.submit(step, lambda store: changes.recode_file(store, category, data, text))

    def _edit(self, step: Step, *planned: tuple[str, Edit]) -> None:
        """A step that edits files, by category."""

        def plan(store: MemoryStore) -> Change:
            edits = Edits(store)
            for category, edit in planned:
                edits.edit(category, edit)
            return edits.change()

        self._steps.submit(step, plan)

    def _edit_hidden(self, step: Step, edit: Edit) -> None:
        """A step that edits a section that hosts ignore, if that is still what the index knows of it."""
        place = step.before
        assert place is not None
        known = [item for item, occurrence in self._shadowed() if occurrence == place.occurrence]
        seen = next((i for i in known if (i.category, i.name) == (place.category, place.name)), None)
        self._edit(step, (place.category, while_hidden(place, seen, edit)))


def _words(check: Callable[..., object], *names: object) -> str:
    """What the check of a name says against it."""
    try:
        check(*names)
    except WikimemError as error:
        return error_text(error)
    return ""


def _parts(text: str) -> tuple[str, Sequence[tuple[str, str]]]:
    """A text cut at its item headings: what stands before the first one, and name and text of each."""
    document = Document("## x\n\n" + own_part(text).lstrip())
    sections = document.sections[1:]
    end = sections[0].first_line if sections else None
    return "".join(document.lines[2:end]), [(section.name, section.content) for section in sections]
