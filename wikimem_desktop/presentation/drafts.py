"""Texts that are on no disk otherwise: unsaved ones, should the program die, and those that a decision gave up.

They live outside the store, in the person's data folder: one folder for each store, in it one for each running window
(locked while that lives) with its unsaved texts, and one with what was given up, bounded in number and age.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal, Slot

from wikimem_desktop.engine.atomic import remove_file, replace_file
from wikimem_desktop.engine.document import own_part
from wikimem_desktop.engine.errors import WikimemError
from wikimem_desktop.engine.items import MemoryItem
from wikimem_desktop.engine.store import MemoryStore

from .buffer import Buffer, Place, Version
from .document import Documents
from .library import Library
from .notices import Action, Level, Notices
from .opening import read_version
from .writer import Request, Writer

_EVERY_MS = 2000
_MOST_KEPT = 200
_LONGEST_KEPT_S = 90 * 24 * 3600
_KEPT = "kept"


@dataclass(frozen=True, slots=True)
class Draft:
    """A text of an item or file. `side` is "unsaved", or whose text a decision gave up: "mine" or "theirs"."""

    category: str
    name: str
    text: str
    side: str
    written_at: str
    """ISO-8601, UTC."""
    base: Version | None = None
    """The item or file that an unsaved text was based on."""
    pending: dict[str, str | None] = field(default_factory=dict)
    path: Path = Path()
    kind: str = "item"
    """Of its place."""

    @property
    def place(self) -> Place:
        return Place(self.kind, self.category, self.name)

    def to_bytes(self) -> bytes:
        values = asdict(self) | {"path": None}
        return json.dumps(values, ensure_ascii=False).encode("utf-8", "surrogatepass")

    @classmethod
    def read(cls, path: Path) -> Draft | None:
        """None for a file that is none of ours, or torn."""
        try:
            values = json.loads(path.read_bytes().decode("utf-8", "surrogatepass"))
            base = values["base"]
            values["base"] = base and Version(MemoryItem(**base["item"]), base["text"], base["newline"])
            return cls(**values | {"path": path})
        except (OSError, ValueError, TypeError, KeyError):
            return None


@dataclass(frozen=True, slots=True, eq=False)
class DraftRequest(Request):
    """Write a draft to its path, or (None) remove what is there."""

    path_: Path
    draft: Draft | None

    @property
    def path(self) -> Path:
        return self.path_

    def perform(self) -> None:
        if self.draft is None:
            remove_file(self.path_)
        else:
            replace_file(self.path_, self.draft.to_bytes(), lambda: True)
        if self.path_.parent.name == _KEPT:
            _prune(self.path_.parent)


@dataclass(frozen=True, slots=True, eq=False)
class FindRequest(Request):
    """Take over what windows that died left behind: gives the drafts, which are in `session` now."""

    store: MemoryStore
    folder: Path
    session: Path

    @property
    def path(self) -> Path:
        return self.folder

    def perform(self) -> list[Draft]:
        for other in sorted(self.folder.iterdir()) if self.folder.is_dir() else ():
            if other.is_dir() and other.name != _KEPT and other != self.session:
                lock = _lock_of(other)
                if lock.tryLock(0):
                    _adopt(other, self.session)
                    LeaveRequest(other, lock).perform()
        found = [Draft.read(path) for path in sorted(self.session.glob("*.json"))]
        drafts = [draft for draft in found if draft is not None]
        for draft in drafts:
            if self._is_saved(draft):
                remove_file(draft.path)
        return [draft for draft in drafts if not self._is_saved(draft)]

    def _is_saved(self, draft: Draft) -> bool:
        """Whether its window died between saving the text and removing the draft."""
        version = read_version(self.store, draft.place)
        if version is None:
            return False
        fields = all(getattr(version.item, key) == value for key, value in draft.pending.items())
        return fields and version.text == (draft.text if draft.place.whole else own_part(draft.text))


@dataclass(frozen=True, slots=True, eq=False)
class LeaveRequest(Request):
    """The window is done with its session: what is left there belongs to the next one that looks."""

    session: Path
    lock: QLockFile

    @property
    def path(self) -> Path:
        return self.session

    def perform(self) -> None:
        self.lock.unlock()
        with contextlib.suppress(OSError):
            self.session.rmdir()


class Drafts(QObject):
    """Writes every unsaved text a moment after it was typed, and finds those of a window that died.

    Signals:
        found_changed: `found` is another now.
        kept_changed: a given-up text was kept, or one was deleted.
    """

    found_changed = Signal()
    kept_changed = Signal()

    def __init__(self, folder: Path, library: Library, documents: Documents, writer: Writer, notices: Notices) -> None:
        super().__init__()
        self.found: list[Draft] = []
        """Unsaved texts of a window that died, not restored yet."""
        self._root = folder
        self._library = library
        self._documents = documents
        self._writer = writer
        self._notices = notices
        self._folder: Path | None = None
        """Of the open store."""
        self._session = Path()
        self._lock: QLockFile | None = None
        self._written: dict[Place, tuple[str, dict[str, str | None]]] = {}
        """What the draft of a place holds."""
        self._unkept: list[DraftRequest] = []
        """Given-up texts that could not be written yet."""
        self._stopped = False
        self._timer = QTimer(self, singleShot=True, interval=_EVERY_MS)
        self._timer.timeout.connect(self.write)
        documents.unsaved_changed.connect(self._on_unsaved_changed)
        documents.lost.connect(self.keep)
        library.store_changed.connect(self._on_store_changed)
        writer.failed.connect(self._on_failed)
        writer.done.connect(self._on_done)

    # ------------------------------------------------------------ unsaved texts

    @Slot()
    def write(self) -> None:
        """Write what was typed since, and drop the drafts of what is saved."""
        self._timer.stop()
        unkept, self._unkept = self._unkept, []
        for request in unkept:
            self._writer.submit(request)
        if self._folder is None:
            return
        dirty = {buffer.place: buffer for buffer in self._documents.buffers}
        self._keep_found(dirty)
        for place, buffer in dirty.items():
            state = (buffer.text, dict(buffer.pending))
            if self._written.get(place) != state and self._make_session():
                self._written[place] = state
                self._writer.submit(DraftRequest(self._path(place), _draft_of(buffer)))
        for place in self._written.keys() - dirty.keys():  # last: a text may have another address now
            del self._written[place]
            self._writer.submit(DraftRequest(self._path(place), None))

    def stop(self) -> None:
        """The window ends: what is not restored stays for the next one."""
        self._stopped = True
        self.write()
        self._leave()

    def rescue(self) -> None:
        """Write the unsaved texts here and now: the window ends, and the writer does not get to it."""
        for buffer in self._documents.buffers:
            if buffer.place in self._written:
                with contextlib.suppress(OSError):
                    DraftRequest(self._path(buffer.place), _draft_of(buffer)).perform()

    def _leave(self) -> None:
        self._timer.stop()
        if self._lock is not None:
            self._writer.submit(LeaveRequest(self._session, self._lock))
            self._lock = None

    def _keep_found(self, dirty: Collection[Place]) -> None:
        """A found text whose item is typed into anew must not be overwritten by the new draft."""
        for draft in self.found:
            if draft.place in dirty:
                self.keep(draft.place, "mine", draft.text)
        self._set_found([draft for draft in self.found if draft.place not in dirty])

    def restore_all(self) -> None:
        """Bring every found text back into the editor, unsaved."""
        self._restore(self.found)

    def bring_back(self, draft: Draft) -> None:
        """Put a found or a given-up text into the editor again, unsaved."""
        if draft in self.found:
            self._restore([draft])
        else:
            self._documents.bring_back(draft.place, draft.text)

    def _restore(self, found: list[Draft]) -> None:
        self._set_found([draft for draft in self.found if draft not in found])
        found = sorted(found, key=lambda draft: not draft.place.whole)  # a file holds what its items did before
        for draft in found:
            if draft.base is not None:
                self._written[draft.place] = (draft.text, draft.pending)
                self._documents.restore(draft.place, draft.base, draft.text, draft.pending)
        if found:
            self._documents.open(found[0].place)

    def forget_found(self) -> None:
        """Give up the found texts; they are kept as others that were given up."""
        for draft in self.found:
            self.keep(draft.place, "mine", draft.text)
            self._writer.submit(DraftRequest(draft.path, None))
        self._set_found([])

    def _offer(self) -> None:
        names = ", ".join(draft.place.address for draft in self.found[:3]) + (", …" if len(self.found) > 3 else "")
        text = self.tr("%n unsaved text(s) of a window that did not end well: {0}", None, len(self.found))
        actions = (
            Action(self.tr("Restore"), self.restore_all),
            Action(self.tr("Move to Drafts"), self.forget_found),
        )
        text = text.format(names)
        self._notices.post(Level.WARNING, text, "drafts", actions=actions)

    # ------------------------------------------------------------ texts that were given up

    @Slot(object, str, str)
    def keep(self, place: Place, side: str, text: str) -> None:
        """Keep a text that a decision gave up."""
        if self._folder is not None:
            draft = Draft(place.category, place.name, text, side, _now(), kind=place.kind)
            self._writer.submit(DraftRequest(_new_kept_path(self._folder), draft))

    def kept(self) -> list[Draft]:
        """What was given up, the newest first."""
        if self._folder is None:
            return []
        paths = sorted((self._folder / _KEPT).glob("*.json"), reverse=True)
        unkept = [request.draft for request in reversed(self._unkept) if request.path.parent.parent == self._folder]
        return [draft for draft in [*unkept, *map(Draft.read, paths)] if draft is not None]

    def delete(self, draft: Draft) -> None:
        self._set_found([other for other in self.found if other != draft])
        self._unkept = [request for request in self._unkept if request.draft is not draft]
        self._writer.submit(DraftRequest(draft.path, None))

    @property
    def folder(self) -> Path | None:
        """Where the texts of the open store are."""
        return self._folder

    def forget(self, is_forgotten: Callable[[Draft], bool]) -> None:
        """Files of drafts were purged, or will be: these are not offered or written again."""
        self._set_found([draft for draft in self.found if not is_forgotten(draft)])
        self._unkept = [request for request in self._unkept if request.draft and not is_forgotten(request.draft)]
        self._written = {place: ("", {}) for place in self._written}
        self.kept_changed.emit()
        self.write()

    # ------------------------------------------------------------ behind it

    def _path(self, place: Place) -> Path:
        name = f"{place.kind} {place.address}" if place.whole else place.address
        return self._session / f"{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}.json"

    def _make_session(self) -> bool:
        """The window's own folder, locked; False when it can't be made (the text is in the editor still)."""
        if self._lock is None:
            try:
                self._session.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                self._say(error)
                if not self._stopped:
                    self._timer.start()  # the next time it may be possible
                return False
            lock = _lock_of(self._session)
            if not lock.tryLock(0):
                return False
            self._lock = lock
        return True

    def _set_found(self, found: list[Draft]) -> None:
        if found != self.found:
            self.found = found
            self.found_changed.emit()
        if not found:
            self._notices.clear("drafts")

    @Slot()
    def _on_unsaved_changed(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    @Slot()
    def _on_store_changed(self) -> None:
        store = self._library.store
        if self._folder is not None:
            self._leave_store()
        if store is not None:
            name = "".join(c if c.isalnum() else "-" for c in store.root.name)[:40]
            key = hashlib.sha256(os.fsencode(store.root)).hexdigest()[:12]
            self._folder = self._root / f"{name}-{key}"
            self._session = self._folder / f"{os.getpid()}-{token_hex(4)}"
            self._writer.submit(FindRequest(store, self._folder, self._session))

    def _leave_store(self) -> None:
        for place in self._written:
            self._writer.submit(DraftRequest(self._path(place), None))
        self._written = {}
        self._leave()
        self._folder = None
        self._set_found([])

    @Slot(object, object)
    def _on_done(self, request: Request, result: object) -> None:
        if isinstance(request, FindRequest) and request.session == self._session:
            assert isinstance(result, list)
            if result and self._make_session():
                self._set_found(result)
                self._offer()
        elif isinstance(request, DraftRequest):
            self._notices.clear("no draft")
            if request.path.parent.name == _KEPT:
                self.kept_changed.emit()

    @Slot(object, object)
    def _on_failed(self, request: Request, error: WikimemError) -> None:
        if isinstance(request, DraftRequest | FindRequest):
            self._say(error)
        if isinstance(request, DraftRequest) and request.draft is not None:
            if request.draft.side == "unsaved":
                self._written.pop(request.draft.place, None)
            else:
                self._unkept.append(request)
                self.kept_changed.emit()
            if not self._stopped:
                self._timer.start()  # the next time it may be possible

    def _say(self, error: Exception) -> None:
        text = self.tr("Unsaved text can't be kept outside the memory: {0}").format(error)
        self._notices.post(Level.WARNING, text, "no draft", str(error))


def _draft_of(buffer: Buffer) -> Draft:
    place = buffer.place
    fields = dict(buffer.pending)
    return Draft(place.category, place.name, buffer.text, "unsaved", _now(), buffer.base, fields, kind=place.kind)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _lock_of(folder: Path) -> QLockFile:
    lock = QLockFile(str(folder / "lock"))
    lock.setStaleLockTime(0)  # only a dead process makes it stale
    return lock


def _adopt(source: Path, target: Path) -> None:
    for path in sorted(source.glob("*.json")):
        target.mkdir(parents=True, exist_ok=True)
        if (target / path.name).exists():  # two windows died over the same item
            (target.parent / _KEPT).mkdir(exist_ok=True)
            os.replace(path, _new_kept_path(target.parent))
        else:
            os.replace(path, target / path.name)


def _new_kept_path(folder: Path) -> Path:
    return folder / _KEPT / f"{time.time_ns()}-{token_hex(3)}.json"


def _prune(folder: Path) -> None:
    """Let go of the oldest."""
    paths = sorted(folder.glob("*.json"), reverse=True)
    oldest = time.time_ns() - _LONGEST_KEPT_S * 10**9
    for number, path in enumerate(paths):
        stamp = path.name.partition("-")[0]
        if number >= _MOST_KEPT or (stamp.isdigit() and int(stamp) < oldest):
            remove_file(path)
