"""Forgetting for good: looked for everywhere, shown, purged, and looked for again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot

from wikimem_desktop.engine.errors import WikimemError
from wikimem_desktop.engine.forget import Found, Hideout, Sought, Trace, purge, search
from wikimem_desktop.engine.former_addresses import Address, Stay, former_stays
from wikimem_desktop.engine.hideouts import (
    FileNames,
    JsonLines,
    LooseFiles,
    StoreFiles,
    Trash,
    VersionControl,
    is_memory,
)
from wikimem_desktop.engine.kept_texts import JsonFiles, KeptSteps, KeptVersions, OtherHistories, WordPacks
from wikimem_desktop.engine.store import MemoryStore

from .drafts import Drafts
from .history import STEPS_FILE, LocalHistory
from .library import Library
from .writer import Request, Writer

_ROUNDS = 3
"""What was on its way to the disk meanwhile is purged the next time."""


@dataclass(frozen=True, slots=True)
class Folders:
    """Where this program keeps what is not in a store."""

    histories: Path
    drafts: Path
    words: Path
    log: Path
    settings: Path


@dataclass(frozen=True, slots=True, eq=False)
class StaysRequest(Request):
    """Find out where an item was before; a journal can be long."""

    store: MemoryStore
    item: Address

    @property
    def path(self) -> Path:
        return self.store.journal.path

    def perform(self) -> list[Stay]:
        return former_stays(self.store, self.item)


@dataclass(frozen=True, slots=True, eq=False)
class SearchRequest(Request):
    """Look through one hideout, if that is still wanted."""

    hideout: Hideout
    sought: Sought
    is_wanted: Callable[[Request], bool]

    @property
    def path(self) -> Path:
        return Path(self.hideout.name)

    def perform(self) -> list[Found]:
        return search([self.hideout], self.sought) if self.is_wanted(self) else []


@dataclass(frozen=True, slots=True, eq=False)
class PurgeRequest(Request):
    """Purge all hideouts; gives what went wrong."""

    hideouts: Sequence[Hideout]
    sought: Sought

    @property
    def path(self) -> Path:
        return Path(self.hideouts[0].name)

    def perform(self) -> list[Exception]:
        return purge(self.hideouts, self.sought)


class Forgetting(QObject):
    """One search or purge at a time. `here` are the hideouts of the window.

    Signals:
        changed: `found` or `state` is another now.
    """

    changed = Signal()

    def __init__(
        self,
        folders: Folders,
        library: Library,
        drafts: Drafts,
        history: LocalHistory,
        here: Sequence[Hideout],
        writer: Writer,
    ) -> None:
        super().__init__()
        self.found: list[Found] = []
        self.state = ""
        """ "", "looking", then "purging", "settling", "checking" and "done"."""
        self._folders = folders
        self._library = library
        self._drafts = drafts
        self._history = history
        self._here = here
        self._writer = writer
        self._sought = Sought()
        self._stays: StaysRequest | None = None
        self._searches: list[SearchRequest] = []
        self._news: list[Found] = []
        self._purge: PurgeRequest | None = None
        self._rounds = 0
        library.activity_changed.connect(self._on_activity_changed)
        library.store_changed.connect(self.stop)
        writer.done.connect(self._on_written)
        writer.failed.connect(self._on_failed)

    @property
    def left(self) -> list[Found]:
        """What can be purged."""
        return [found for found in self.found if not found.trace.obstacle]

    @Slot()
    def stop(self) -> None:
        """Give up looking; what is being purged is purged nevertheless."""
        self._stays, self._searches, self._news, self._purge = None, [], [], None
        self.found = []
        self._set("")

    def look_for(self, text: str, item: tuple[str, str] | None) -> None:
        """Find where a text, and an item (category, name), lives."""
        store = self._library.store
        self._sought = Sought(text, item)
        if not self._sought.is_enough or store is None:
            self.stop()
        elif item is None:
            self._look("looking")
        else:
            self._searches, self._stays = [], StaysRequest(store, item)
            self._set("looking")
            self._writer.submit(self._stays)

    def forget(self) -> None:
        """Purge what was looked for; it can't be brought back."""
        if self.state == "" and self.left:
            self._rounds = _ROUNDS
            self._purge_all()

    # ------------------------------------------------------------ behind it

    def _set(self, state: str) -> None:
        self.state = state
        self.changed.emit()

    def _hideouts(self) -> list[Hideout]:
        """Those of the disk. The memory comes first: the histories note how it is without the text."""
        store, folders = self._library.store, self._folders
        recorder, reviewer = self._history.recorder, self._history.reviewer
        if store is None or recorder is None or reviewer is None:
            return []
        return [
            StoreFiles(store),
            JsonLines(store.journal.path, "journal"),
            LooseFiles("files", store.root, skip=lambda path: is_memory(store, path)),
            FileNames(store),
            KeptVersions(recorder, reviewer),
            KeptSteps(recorder, STEPS_FILE),
            OtherHistories(folders.histories, recorder, STEPS_FILE),
            JsonFiles("drafts", folders.drafts, self._drafts.folder or folders.drafts),
            WordPacks(folders.words, store),
            LooseFiles("log", folders.log),
            # On some systems what the program keeps is in folders of the same one.
            LooseFiles("settings", folders.settings, skip=lambda path: path.parent != folders.settings),
            Trash(store.root),
            VersionControl(store.root),
        ]

    def _look(self, state: str) -> None:
        self._stays = None
        self._news = search(self._here, self._sought)
        self._searches = [SearchRequest(hideout, self._sought, self._is_wanted) for hideout in self._hideouts()]
        self._set(state)
        for request in self._searches:
            self._writer.submit(request)

    def _is_wanted(self, request: Request) -> bool:
        return any(request is other for other in self._searches)

    def _purge_all(self) -> None:
        self._rounds -= 1
        purge(self._here, self._sought)  # first, or what is unsaved would be written again
        self._purge = PurgeRequest(self._hideouts(), self._sought)
        self._set("purging")
        self._writer.submit(self._purge)

    @Slot(object, object)
    def _on_written(self, request: Request, result: object) -> None:
        if request is self._purge:
            self._purge = None
            purge(self._here, self._sought)  # what was done meanwhile
            self._history.grown.emit()
            self._library.rebuild()  # words that are on their way to the disk are thrown away
            self._set("settling")
        elif request is self._stays:
            assert isinstance(result, list)
            self._sought = Sought(self._sought.text, self._sought.item, result)
            self._look("looking")
        elif isinstance(request, SearchRequest) and self._is_wanted(request):
            assert isinstance(result, list)
            self._news += result
            self._end_search(request)

    @Slot(object, object)
    def _on_failed(self, request: Request, error: WikimemError) -> None:
        """A place that can't be looked through is told, not thought to be clean."""
        if isinstance(request, SearchRequest) and self._is_wanted(request):
            self._news.append(Found(request.hideout.name, Trace(str(error), 0, obstacle="unreadable")))
            self._end_search(request)
        elif request is self._stays:
            self._look("looking")
        elif request is self._purge:
            self._purge = None
            self._look("checking")

    def _end_search(self, request: SearchRequest) -> None:
        self._searches = [other for other in self._searches if other is not request]
        if self._searches:
            return
        self.found = self._news
        if self.state == "checking" and self.left and self._rounds:
            self._purge_all()
        else:
            self._set("done" if self.state == "checking" else "")

    @Slot()
    def _on_activity_changed(self) -> None:
        if self.state == "settling" and not self._library.indexing:
            self._look("checking")


def hideout_text(name: str) -> str:
    """What a person calls a kind of places."""
    return {
        "editor": _tr("Unsaved text in the editor"),
        "undo": _tr("Steps that can be undone"),
        "window": _tr("What the window remembers"),
        "clipboard": _tr("The clipboard"),
        "memory": _tr("The memory"),
        "journal": _tr("The journal"),
        "files": _tr("Other files in the folder"),
        "history": _tr("Local history"),
        "steps": _tr("Steps kept for undo after a restart"),
        "other histories": _tr("Local history of other memories"),
        "drafts": _tr("Drafts"),
        "words": _tr("Words kept for the index"),
        "log": _tr("The log of this program"),
        "settings": _tr("The settings of this program"),
        "trash": _tr("The system's trash"),
        "git": _tr("A repository"),
    }.get(name, name)


def obstacle_text(obstacle: str) -> str:
    """Why something is named and not purged."""
    return {
        "name": _tr("a category is called so: rename it"),
        "file name": _tr("a file or folder is called so: rename it"),
        "git": _tr("its commits stay: rewrite them yourself"),
        "trash": _tr("can't be looked into: empty it yourself"),
        "unreadable": _tr("can't be looked through"),
    }.get(obstacle, obstacle)


def _tr(text: str) -> str:
    return QCoreApplication.translate("forgetting", text)
