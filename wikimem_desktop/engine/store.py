"""A memory store on disk: tolerant reading, strict and lossless writing.

Reading re-reads only files that changed. Writing reads the file anew, edits its bytes, compares once more right before
the atomic replace and starts over when another program was faster, so that no one's text is lost.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

from .atomic import read_or_none, remove_file, replace_file, respell
from .changes import Change, FileChange, Record
from .diary import Diary, day_of
from .document import KEEP, Document
from .errors import (
    Conflict,
    InvalidCategory,
    ItemNotFound,
    JournalFailed,
    OutsideStore,
    ReadOnlyStore,
    StoreNotFound,
    UnreadableFile,
    WriteFailed,
)
from .forms import Forms
from .intents import apply_change
from .items import MemoryItem, composed, sanitize_item_name, validate_category
from .journal import Journal, now_iso
from .layout import JOURNAL_FILE, LAYOUTS, Layout, detect_layout

_WRITE_ATTEMPTS = 50
_SETTLED_NS = 2_000_000_000
"""A file changed less than this before it was read may change again without a new time stamp (FAT counts in 2 s)."""
_STALE_TEMPORARY_S = 60.0

Stamp = tuple[int, int, int, int]
"""Times of modification and of status change in ns, size in bytes, inode."""


@dataclass(frozen=True, slots=True)
class Shadowed:
    """A section that hosts ignore because a later one has its name; `occurrence` counts from 0 in the file."""

    item: MemoryItem
    occurrence: int


@dataclass(frozen=True)
class CategoryFile:
    """One category file as last read. `error` is set (and `items` empty) when it can't be read."""

    category: str
    path: Path
    digest: bytes
    items: tuple[MemoryItem, ...] = ()
    shadowed: tuple[Shadowed, ...] = ()
    error: UnreadableFile | None = None

    @cached_property
    def shadowed_names(self) -> frozenset[str]:
        return frozenset(section.item.name for section in self.shadowed)

    @cached_property
    def decomposed(self) -> Mapping[str, MemoryItem]:
        """The items whose name is not in composed form, by what it is there."""
        names = ((composed(item.name), item) for item in self.items if not item.name.isascii())
        return {name: item for name, item in names if name != item.name}


@dataclass(frozen=True, slots=True)
class _Reading:
    file: CategoryFile
    stamp: Stamp
    settled: bool


class WriteWitness(Protocol):
    """Is told of every write of a category or day, by its key, on the thread that writes."""

    def before_write(self, key: str, old: bytes | None) -> None:
        """The file is about to be replaced."""

    def after_write(self, key: str, new: bytes | None) -> None:
        """The file was replaced; None: it is gone."""


class MemoryStore:
    """Read and write access to a folder of category files.

    `layout` is "flat", "category", "wiki" or None to see for itself. A missing folder is an empty store and is made by
    the first write. Raises `StoreNotFound` when the path is no folder or can't be read.
    """

    def __init__(self, root: Path | str, *, layout: str | None = None, read_only: bool = False) -> None:
        self.root = Path(root)
        self.read_only = read_only
        self._check_root()
        self.layout: Layout = LAYOUTS[layout] if layout else detect_layout(self.root)
        self._layout_given, self._layout_settled = layout is not None, False
        self._identity = _identity_of(self.root)
        self.journal = Journal(self.root / JOURNAL_FILE)
        self.diary = Diary(self.layout.diary_folder(self.root), self.journal, read_only=read_only)
        self._readings: dict[str, _Reading] = {}
        self._revision = 0
        self._written: dict[str, int] = {}
        self.forms = Forms()
        self._consented: set[Path] = set()
        self.witness: WriteWitness | None = None

    def _check_root(self) -> None:
        if self.root.exists() and not self.root.is_dir():
            raise StoreNotFound(self.root, "is not a folder")
        if self.root.exists() and not os.access(self.root, os.R_OK | os.X_OK):
            raise StoreNotFound(self.root, "can't be read")

    @property
    def revision(self) -> int:
        """Counts our own writes to categories (not to the diary)."""
        return self._revision

    def written_since(self, revision: int) -> set[str]:
        """The categories that we wrote after that revision."""
        return {category for category, written in list(self._written.items()) if written > revision}

    @property
    def folder(self) -> Path:
        """Where the category files are."""
        return self.layout.category_folder(self.root)

    def path(self, key: str) -> Path:
        """The file of a category, or of a day by its `day_key`."""
        day = day_of(key)
        return self.diary.path(day) if day else self.folder / f"{key}.md"

    # ------------------------------------------------------------ reading

    def categories(self) -> list[str]:
        """All categories, sorted, files that can't be read included."""
        self._see_layout()
        found = self._list_categories()
        self._layout_settled = self._layout_settled or bool(found)
        return found

    def _see_layout(self) -> None:
        """Until there is a category, a host may still lay the folder out; and another one may take its place."""
        folder = _identity_of(self.root) or self._identity
        if self._layout_given or (self._layout_settled and folder == self._identity):
            return
        before, self.layout = self.layout, detect_layout(self.root)
        self._layout_settled, self._identity = False, folder
        if self.layout is not before:
            self._readings.clear()

    def _list_categories(self) -> list[str]:
        try:
            return sorted(name[:-3] for name in os.listdir(self.folder) if name.endswith(".md") and name != ".md")
        except FileNotFoundError:
            return []
        except OSError as error:
            raise StoreNotFound(self.folder, error.strerror or str(error)) from error

    def items(self, category: str | None = None) -> list[MemoryItem]:
        """Items in store order: categories sorted, then file order; unreadable files have none."""
        files = self.files() if category is None else [self.read(category)]
        return [item for file in files for item in file.items]

    def get(self, category: str, name: str) -> MemoryItem | None:
        wanted = " ".join(name.split())
        return next((item for item in self.read(category).items if item.name == wanted), None)

    def files(self) -> list[CategoryFile]:
        """Every category file as it is on disk now, sorted by category."""
        return [self.read(category) for category in self.categories()]

    def unreadable(self) -> list[UnreadableFile]:
        """Why category files were set aside: not UTF-8, no permission, a folder or a dangling link named `x.md` …"""
        return [file.error for file in self.files() if file.error is not None]

    def read(self, category: str, *, trust_stamp: bool = True) -> CategoryFile:
        """The category's file, from memory when it has not changed. A missing file is an empty category.

        `trust_stamp` False compares the bytes even when time and size say that nothing happened.
        """
        path = self.path(category)
        if not _names_a_file(category):
            return CategoryFile(category, path, b"")
        stamp = stamp_of(path)
        known = self._readings.get(category)
        if trust_stamp and known and known.settled and known.stamp == stamp:
            return known.file
        now = time.time_ns()
        file = _read_category_file(category, path, known.file if known else None)
        self._readings[category] = _Reading(file, stamp, now - max(stamp[:2]) > _SETTLED_NS)
        return file

    def document(self, category: str) -> Document:
        """The text of a category, or of a day by its key, as it is on disk now; a missing file is empty.

        Raises `UnreadableFile`.
        """
        path, known = self.path(category), _names_a_file(category) or day_of(category)
        return Document.from_bytes(_readable_bytes(path) if known else b"", path)

    # ------------------------------------------------------------ writing

    def add(
        self,
        category: str,
        name: str,
        content: str,
        *,
        owner: str | None = None,
        source_conv: str | None = None,
        ts: str | None = None,
    ) -> MemoryItem:
        """Insert an item at the end of its category, or replace the text of the one with that name in place.

        `ts` defaults to now; a replaced item keeps its owner and source unless they are given. Raises
        `InvalidCategory`, `InvalidItemName`, `ContentNotStorable`, and what every write raises: `ReadOnlyStore`,
        `OutsideStore`, `NotUtf8`, `WriteFailed`.
        """
        validate_category(category)
        name = sanitize_item_name(name)
        ts = ts or now_iso()
        actions: list[str] = []

        def edit(document: Document) -> Document:
            exists = name in document.effective()
            actions.append("update" if exists else "add")
            if not exists:
                return document.with_new_item(name, content, owner=owner, source_conv=source_conv, ts=ts)
            return document.with_content(name, content).with_fields(
                name, owner=owner or KEEP, source_conv=source_conv or KEEP, ts=ts
            )

        document = self._write(category, edit)
        self._record(actions[-1], category, name, owner=owner, source_conv=source_conv)
        return document.effective()[name].item(category)

    def update(
        self,
        category: str,
        name: str,
        content: str,
        *,
        base: MemoryItem | None = None,
        own_text: str | None = None,
        fields: Mapping[str, str | None] | None = None,
    ) -> Document:
        """Replace the text of an item, and `fields` (owner, source_conv, ts; None removes); other metadata stays.

        Returns the file as written; nothing is written when nothing changes. `base` is the item as the caller read it.
        When another program changed that very item since, `Conflict` is raised; changes to other items of the file are
        kept. `own_text` is `Document.own_text` as the caller read it: `content` then replaces it byte for byte, unless
        others rewrote the item's line ends or white space meanwhile. Raises `ItemNotFound` without a base.
        """

        name = " ".join(name.split())

        def edit(document: Document) -> Document:
            section = document.effective().get(name)
            theirs = section.item(category) if section else None
            if base is not None and theirs != base:
                raise Conflict(base, theirs, content)
            if theirs is None:
                raise ItemNotFound(category, name)
            if own_text is not None and document.own_text(name) == own_text:
                document = document.with_own_text(name, content)
            else:
                document = document.with_content(name, content)
            return document.with_fields(name, **fields) if fields else document

        before = self._revision
        document = self._write(category, edit)
        item = document.effective()[name].item(category)
        if self._revision != before:
            try:
                self._record("update", category, name, owner=item.owner, source_conv=item.source_conv)
            except JournalFailed as error:
                error.document = document
                raise
        return document

    def remove(self, category: str, name: str, *, owner: str | None = None) -> bool:
        """Remove all sections of that name; False when there is none.

        The file goes with its last item when only a title is left; prose stays.
        """
        wanted = " ".join(name.split())
        found: list[bool] = []

        def edit(document: Document) -> Document:
            found.append(wanted in document.effective())
            return document.without_item(wanted)

        self._write(category, edit)
        if found[-1]:
            self._record("remove", category, wanted, owner=owner)
        return found[-1]

    def allow_outside(self, path: Path) -> None:
        """A person agreed that this symlinked file may be written though it lies outside the store."""
        self._consented.add(path)

    def sweep_temporary_files(self) -> None:
        """Delete temporary files that a crash of ours left behind."""
        for folder in {self.root, self.folder, self.diary.folder}:
            for path in folder.glob(".wikimem-*.tmp"):
                with contextlib.suppress(OSError):
                    if time.time() - path.stat().st_mtime > _STALE_TEMPORARY_S:
                        path.unlink()

    def change(
        self,
        edits: Mapping[str, FileChange],
        records: Sequence[Record] = (),
        *,
        discard: Callable[[Path], None] = remove_file,
    ) -> Change:
        """Change category files, all or none of them, also if the program is killed; then write the journal lines.

        A file that is no longer the `base` of its edit is merged. `discard` takes away the file that is the only one
        of a change and is to go (into a trash, say). Returns what was done; its `reversed()` undoes it. Raises
        `Conflict` (nothing was written then), `ReadOnlyStore`, `InvalidCategory`, `OutsideStore`, `NotUtf8`,
        `WriteFailed`, and `JournalFailed` with the `change` that was done.
        """
        return apply_change(self, edits, records, discard)

    def check_writable(self, category: str) -> None:
        """Of a category or a day. Raises `ReadOnlyStore`, `InvalidCategory` for what can't be a file in the folder, or
        `OutsideStore`."""
        if self.read_only:
            raise ReadOnlyStore(self.root)
        if not _names_a_file(category) and not day_of(category):
            raise InvalidCategory(category)
        self._see_layout()
        self._target(self.path(category))

    def replace(
        self,
        category: str,
        old: bytes | None,
        new: bytes | None,
        *,
        discard: Callable[[Path], None] = remove_file,
    ) -> bool:
        """Put `new` in the place of `old` (None: no file, `discard` takes it away), without a journal line.

        False, and nothing changed, when the file is not `old` any more. Raises `OutsideStore` and `WriteFailed`.
        """
        path = self.path(category)
        target = self._target(path)
        if self.witness is not None:
            self.witness.before_write(category, old)
        if new is None:
            if read_or_none(path) != old:
                return False
            self.forms.keep(path, category)
            self.forms.keep_link(path, category)
            discard(path)
        elif not (old is None and self.forms.link_back(path, category, new)):
            mode = self.forms.mode(category)
            if not replace_file(target, new, lambda: read_or_none(path) == old, old=old, mode=mode):
                return False
        if self.witness is not None:
            self.witness.after_write(category, new)
        if not day_of(category):
            self._note_written(category)
        return True

    def respell(self, old: str, new: str) -> None:
        """Give a category's file another name. Raises `WriteFailed`: it has its old name then."""
        data = read_or_none(self.path(old))
        if self.witness is not None:
            self.witness.before_write(old, data)
        respell(self.path(old), self.path(new))
        if self.witness is not None:
            self.witness.after_write(old, None)
            self.witness.before_write(new, None)
            self.witness.after_write(new, data)
        self._note_written(old, new)

    def _note_written(self, *categories: str) -> None:
        self._revision += 1
        self._written.update(dict.fromkeys(categories, self._revision))

    def _write(self, category: str, edit: Callable[[Document], Document]) -> Document:
        """Apply an edit to the category's file as it is now; again on the new bytes if it changes meanwhile."""
        self.check_writable(category)
        path = self.path(category)
        for _ in range(_WRITE_ATTEMPTS):
            old = read_or_none(path)
            before = Document.from_bytes(old, path) if old is not None else Document(f"# {category}\n")
            after = edit(before)
            # A symlink's target would keep the text if only the link went.
            gone = after.only_title_left() and not path.is_symlink()
            if after.text == before.text or self.replace(category, old, None if gone else after.to_bytes()):
                return after
        raise WriteFailed(path, "another program keeps changing it")

    def _target(self, path: Path) -> Path:
        """The real file behind the path. Raises `OutsideStore` until a person has agreed to write there."""
        target = path.resolve()
        if not target.is_relative_to(self.root.resolve()) and path not in self._consented:
            raise OutsideStore(path, target)
        return target

    def _record(self, action: str, category: str, name: str, **fields: str | None) -> None:
        try:
            self.journal.append(action, **{self.layout.category_key: category, "item": name}, **fields)
        except WriteFailed as error:
            raise JournalFailed(error.path, error.reason) from error


def _names_a_file(category: str) -> bool:
    """Whether the category can be a file directly in the folder, not a path to somewhere else."""
    return category not in ("", ".", "..") and not set(category) & {"/", "\\", "\0"}


def _identity_of(folder: Path) -> tuple[int, int] | None:
    """Which folder has the path now; None when there is nothing."""
    try:
        status = os.stat(folder)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def stamp_of(path: Path) -> Stamp:
    """What tells whether a file may have changed; the same for all that can't be looked at."""
    try:
        return status_stamp(os.stat(path))
    except OSError:
        return (0, 0, -1, 0)


def status_stamp(status: os.stat_result) -> Stamp:
    return (status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)


def _read_category_file(category: str, path: Path, known: CategoryFile | None) -> CategoryFile:
    """The file as it is now; `known` itself when its bytes are the same."""
    try:
        data = _readable_bytes(path)
        digest = hashlib.sha256(data).digest()
        if known is not None and known.digest == digest:
            return known
        document = Document.from_bytes(data, path)
    except UnreadableFile as error:
        return CategoryFile(category, path, b"", error=error)
    occurrences: dict[str, int] = {}
    shadowed = []
    for section in document.sections:
        occurrence = occurrences.setdefault(section.name, 0)
        occurrences[section.name] += 1
        if not section.effective:
            shadowed.append(Shadowed(section.item(category), occurrence))
    return CategoryFile(category, path, digest, tuple(document.items(category)), tuple(shadowed))


def _readable_bytes(path: Path) -> bytes:
    """Raises `UnreadableFile`; a missing file is empty."""
    if path.name.startswith("._"):
        raise UnreadableFile(path, "a macOS companion file, not a memory")
    return read_or_none(path) or b""
