"""What can go wrong with a memory store, as exceptions that carry what a person needs to know.

WikimemError
├── InvalidCategory, InvalidItemName, InvalidTimeRange, InvalidDiaryEntry   (ValueError too)
├── ContentNotStorable                                       (ValueError too)
├── NameTaken                another has the name, or one that differs in case or Unicode form only   (ValueError too)
└── StoreError
    ├── StoreNotFound        the folder is missing, no folder, or not readable
    ├── UnreadableFile       one file can't be read
    │   └── NotUtf8          … because its bytes are no UTF-8
    ├── ItemNotFound         the item to edit is not (or no longer) there
    ├── CategoryNotFound     the category to edit is not (or no longer) there
    ├── Conflict             the item (or file) changed on disk meanwhile; carries all three texts
    ├── ReadOnlyStore        the store was opened for reading
    ├── ReadOnlyFiles        files that a change would write are read-only
    ├── OutsideStore         a symlink would make us write outside the store
    └── WriteFailed          the system refused; the old file is untouched
        └── JournalFailed    … the journal line only: the memory itself was written
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .changes import Change
    from .document import Document
    from .items import MemoryItem


class WikimemError(Exception):
    """Base of everything the engine raises on purpose."""


class InvalidCategory(WikimemError, ValueError):
    """The name can't be a category: hosts accept `[a-z0-9_][a-z0-9_-]*` only, Windows keeps some for itself."""

    def __init__(self, category: str, *, reserved: bool = False) -> None:
        rule = "use lower-case letters, digits, '_' and '-', and start with a letter, digit or '_'"
        super().__init__(f"{category!r} is no category name: {'Windows reserves it' if reserved else rule}")
        self.category = category
        self.reserved = reserved


class InvalidItemName(WikimemError, ValueError):
    """The name can't be an item: it is empty or holds a character that links and headings reserve."""

    def __init__(self, name: str, reserved: str | None) -> None:
        reason = "it is empty" if reserved is None else f"it contains {reserved!r}"
        super().__init__(f"{name!r} is no item name: {reason}")
        self.name = name
        self.reserved = reserved


class InvalidTimeRange(WikimemError, ValueError):
    """The window is not a pair of `YYYY-MM-DD` days."""

    def __init__(self, value: object) -> None:
        super().__init__(f"{value!r} is no time range: give two days, YYYY-MM-DD")
        self.value = value


class InvalidDiaryEntry(WikimemError, ValueError):
    """A diary entry needs text, a day `YYYY-MM-DD` and a time `HH:MM`."""


class ContentNotStorable(WikimemError, ValueError):
    """A line of the text would be read back as something else than text.

    `line` counts from 1 in the given text; `kind` is "heading", "metadata" or "surrogate" (half a character, which
    UTF-8 can't hold).
    """

    def __init__(self, line: int, text: str, kind: str) -> None:
        meanings = {
            "heading": "would be read as the start of another item",
            "metadata": "would be read as metadata",
            "surrogate": "holds half a character",
        }
        super().__init__(f"line {line} ({text.strip()!r}) {meanings[kind]}")
        self.line = line
        self.text = text
        self.kind = kind


class NameTaken(WikimemError, ValueError):
    """Another item of the category has the name `name`, or (None) another category has the name `category`.

    `taken_by` is the other's name. `how` is "same", or what alone tells the two apart: "form" (composed or decomposed
    characters) or "case"; some systems take such names for one.
    """

    def __init__(self, category: str, name: str | None, taken_by: str) -> None:
        wanted = category if name is None else name
        super().__init__(f"{wanted!r} is taken by {taken_by!r}")
        self.category = category
        self.name = name
        self.taken_by = taken_by
        same_form = unicodedata.normalize("NFC", wanted) == unicodedata.normalize("NFC", taken_by)
        self.how = "same" if wanted == taken_by else "form" if same_form else "case"


class StoreError(WikimemError):
    """Reading or writing the folder failed."""


class StoreNotFound(StoreError):
    """There is no readable folder at the path."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class UnreadableFile(StoreError):
    """One file of the store can't be read; the others can."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path.name}: {reason}")
        self.path = path
        self.reason = reason


class NotUtf8(UnreadableFile):
    """The bytes are no UTF-8; `offset` is where the first bad byte stands."""

    def __init__(self, path: Path, offset: int) -> None:
        super().__init__(path, f"not UTF-8 (byte {offset})")
        self.offset = offset


class ItemNotFound(StoreError):
    """The item to edit is not in the store."""

    def __init__(self, category: str, name: str) -> None:
        super().__init__(f"there is no item {category}:{name}")
        self.category = category
        self.name = name


class CategoryNotFound(StoreError):
    """The category to edit has no file in the store."""

    def __init__(self, category: str) -> None:
        super().__init__(f"there is no category {category}")
        self.category = category


class Conflict(StoreError):
    """The item on disk is no longer the one the edit was based on. Nothing was written.

    `base` is what the edit started from, `theirs` what is on disk now (None: the item is gone), `mine` the text that
    was to be written (empty: it was to go). `category` and `name` say which item it is; a `name` of None stands for
    the file as a whole or what is above its first item.
    """

    def __init__(
        self, base: MemoryItem | None, theirs: MemoryItem | None, mine: str, *, category: str | None = None
    ) -> None:
        item = base or theirs
        super().__init__(f"{item.address if item else category or 'the item'} changed on disk meanwhile")
        self.base = base
        self.theirs = theirs
        self.mine = mine
        self.category = item.category if item else category
        self.name = item.name if item else None


class ReadOnlyStore(StoreError):
    """The store is open for reading only."""

    def __init__(self, root: Path) -> None:
        super().__init__(f"{root} is open read-only")
        self.root = root


class ReadOnlyFiles(StoreError):
    """Files that a change of several would have to write are read-only. Nothing was written."""

    def __init__(self, paths: Sequence[Path]) -> None:
        super().__init__(f"read-only: {', '.join(path.name for path in paths)}")
        self.paths = paths


class OutsideStore(StoreError):
    """The file is a symlink to a place outside the store; writing there needs a person's consent."""

    def __init__(self, path: Path, target: Path) -> None:
        super().__init__(f"{path.name} leads to {target}, outside the store")
        self.path = path
        self.target = target


class WriteFailed(StoreError):
    """The system refused a write; what was on disk before is still there, whole."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path.name} could not be written: {reason}")
        self.path = path
        self.reason = reason


class JournalFailed(WriteFailed):
    """The memory was written, but the line about it in the journal was not. `document` is the file as written.

    `change` is what was done, where it was a `Change`.
    """

    document: Document | None = None
    change: Change | None = None
