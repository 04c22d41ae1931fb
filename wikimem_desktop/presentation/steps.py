"""Carrying out structural changes: one step after the other, there and back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal, Slot

from wikimem_desktop.engine import refactoring
from wikimem_desktop.engine.atomic import read_or_none
from wikimem_desktop.engine.changes import Change, Mark
from wikimem_desktop.engine.document import Document
from wikimem_desktop.engine.edits import Edits
from wikimem_desktop.engine.errors import Conflict, JournalFailed, NotUtf8, OutsideStore, WikimemError
from wikimem_desktop.engine.intents import finish_intents
from wikimem_desktop.engine.refactoring import Redirection
from wikimem_desktop.engine.store import MemoryStore

from .buffer import Place
from .document import Documents
from .library import Library
from .losses import taken_away
from .notices import Level, Notices
from .trash import into_trash
from .words import error_text
from .writer import Request, Writer

_MOST_STEPS = 200
Plan = Callable[[MemoryStore], Change]


class Move(NamedTuple):
    """An item or a category that has another address from now on."""

    before: Place
    after: Place

    def reversed(self) -> Move:
        return Move(self.after, self.before)


@dataclass(frozen=True, slots=True)
class Step:
    """A change that a person made, in words, and what became of a place by it (None: it is not there)."""

    label: str
    before: Place | None = None
    after: Place | None = None
    change: Change = field(default_factory=Change)
    taken: str | None = None
    """The unsaved text that the change writes."""
    moves: tuple[Move, ...] = ()
    """What has another address by it."""
    kept: frozenset[Mark] = frozenset()
    """Lines whose links stay, although they led there."""
    gone: tuple[Place, ...] = ()
    """Items that are not there any more, where they are several."""
    came: tuple[Place, ...] = ()
    """The other way round."""
    origin: Place | None = None
    """What was open before it made something: the way back leads there (not after a restart)."""

    @property
    def places(self) -> list[Place]:
        moved = [place for move in self.moves for place in move]
        named = (self.before, self.after, *moved, *self.gone, *self.came)
        return list(dict.fromkeys(place for place in named if place is not None))

    @property
    def redirections(self) -> list[Redirection]:
        """Where links to what moved shall lead."""
        return [_redirection(move, self.change) for move in self.moves]

    def reversed(self) -> Step:
        moves = tuple(move.reversed() for move in self.moves)
        turned = replace(self, before=self.after, after=self.before, change=self.change.reversed(), taken=None)
        return replace(turned, moves=moves, gone=self.came, came=self.gone)


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
        done = self.store.change(change.files, change.records, discard=into_trash)
        return replace(done, strays=change.strays)

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


class Steps(QObject):
    """The steps that a person made, each of which can be undone.

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
        self.last: Step | None = None
        """What was carried out, undone or redone last."""
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

    @property
    def undo_label(self) -> str:
        """What would be undone; "" when nothing can be."""
        return self._done[-1].label if self._done else ""

    @property
    def redo_label(self) -> str:
        return self._undone[-1].label if self._undone else ""

    @property
    def all(self) -> list[Step]:
        """What can be undone, and what can be redone."""
        return [*self._done, *self._undone]

    def can_undo(self, step: Step) -> bool:
        """Whether undoing would undo this very step."""
        return not self._under_way and bool(self._done) and self._done[-1] is step

    def undo_step(self, step: Step) -> None:
        """Undo this step, and no other: nothing happens when one was done since."""
        if self.can_undo(step):
            self.undo()

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
            self.submit(step, _plan_of_reversed(step), way, steps[-1])

    def adopt(self, done: list[Step], undone: list[Step]) -> None:
        """Steps of earlier sessions: they come before what was done in this one."""
        self._undone = self._undone if self._done or self._under_way else [*undone, *self._undone]
        self._done = [*done, *self._done]
        self.steps_changed.emit()

    def forget(self, is_forgotten: Callable[[Step], bool]) -> None:
        """Some steps shall not be undone or redone any more; neither can what needs them to be turned round before."""
        for steps in (self._done, self._undone):
            steps[:] = [replace(step, origin=None) for step in _behind_the_last(steps, is_forgotten)]
        self.last = None
        self.steps_changed.emit()

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

    def submit(self, step: Step, plan: Plan, way: str = "do", source: Step | None = None) -> None:
        """Carry out a plan, on the writer's thread."""
        store = self._library.store
        if store is None:
            return
        makes = way == "do" and step.before is None and step.after is not None
        if makes and self._documents.current is not None:
            step = replace(step, origin=self._documents.current.place)
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
        step = self.last = replace(request.step, change=result)
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
        if step.moves:
            self._documents.redirect(step.redirections, step.kept)
            for move in step.moves:
                self._documents.move(*move)
            return
        for place in step.gone:
            self._documents.close(place)
        if before is not None and before != after:
            self._documents.close(before)
        in_trash = before is not None and before.kind in ("category", "text", "day")
        if after is None and (before is not None or step.gone) and not in_trash:
            for place, text in taken_away(step.change):
                self._documents.lost.emit(place, "mine", text)
        if after is not None and after.kind != "category":
            self._documents.take_disk(after, step.taken)
        if after is None and step.origin is not None and self._documents.current is None:
            self._documents.open(step.origin)

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
        self._under_way, self.last = [], None
        store = self._library.store
        if store is not None and not store.read_only:
            self._writer.submit(TidyRequest(store))
        self.steps_changed.emit()


def _behind_the_last(steps: list[Step], is_forgotten: Callable[[Step], bool]) -> list[Step]:
    return steps[max((at for at, step in enumerate(steps) if is_forgotten(step)), default=-1) + 1 :]


def plan_of(moves: Sequence[Move], kept: Collection[Mark] = ()) -> Plan:
    """What gives places their new addresses: a category or an item renamed, or items moved into one category."""
    first = moves[0]
    if first.before.kind == "category":
        return lambda store: refactoring.rename_category(store, first.before.category, first.after.category, kept)
    if first.before.category == first.after.category:
        return lambda store: refactoring.rename_item(store, first.before.category, *_names(first), kept)
    items = [(move.before.category, move.before.name) for move in moves]
    return lambda store: refactoring.move_items(store, items, first.after.category, kept)


def _redirection(move: Move, done: Change) -> Redirection:
    """All names that stood in a category before it was renamed count, also those that links alone had."""
    before, after = move
    file = done.files.get(before.category)
    try:
        names = list(Document.from_bytes((file.base if file else None) or b"").effective())
    except NotUtf8:
        names = []
    if before.kind == "category":
        return Redirection(before.category, after.category, {name: name for name in names})
    others = frozenset(names) - {before.name}
    return Redirection(before.category, after.category, {before.name: after.name}, others)


def _names(move: Move) -> tuple[str, str]:
    return move.before.name, move.after.name


def _plan_of_reversed(step: Step) -> Plan:
    """Bytes as they were; moves, when others wrote to what moved, by moving back: what they wrote stays."""

    def plan(store: MemoryStore) -> Change:
        try:
            for key, change in step.change.files.items():
                change.onto(read_or_none(store.path(key)), key)
        except Conflict:
            if len({move.after.category for move in step.moves}) == 1:
                return plan_of(step.moves, step.kept | step.change.strays)(store)
            raise
        return _with_new_links(store, step)

    return plan


def _with_new_links(store: MemoryStore, step: Step) -> Change:
    """The step's change, and links that others made to the address that goes follow too."""
    edits = Edits(store)
    for key, change in step.change.files.items() if step.moves else ():
        new = change.onto(read_or_none(store.path(key)), key).new
        edits.put(key, None if new is None else Document.from_bytes(new))
    before = edits.change()
    for move, redirection in zip(step.moves, step.redirections, strict=True):
        kept = step.kept | step.change.strays
        refactoring.redirect(edits, redirection, refactoring.also_at(move.before.category, move.after.category, kept))
    if edits.change().files == before.files:
        return step.change
    edits.records[:0] = step.change.records
    return replace(edits.change(), strays=step.change.strays)
