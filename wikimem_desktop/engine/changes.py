"""Structural changes of a store: what a new item, a rename, a split … comes to, before anything is written.

The functions read the store and return a `Change`; `MemoryStore.change` writes it, all or nothing, and returns what was
done. A change is undone by its `reversed()`, which merges with what others wrote since.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from .atomic import read_or_none
from .diary import DiaryEntry, day_key, day_of, with_entry
from .document import Document, render_metadata
from .errors import (
    CategoryNotFound,
    Conflict,
    InvalidCategory,
    InvalidItemName,
    ItemNotFound,
    NameTaken,
    NotUtf8,
    UnreadableFile,
)
from .items import MemoryItem, composed, sanitize_item_name, validate_category
from .journal import now_iso
from .merge import merge

if TYPE_CHECKING:
    from .store import MemoryStore

_FIRST_TITLE = re.compile(r"(\ufeff?#[ \t]+)(.*?)(\s*)")
_RESERVED_BY_WINDOWS = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))}


Mark = tuple[str, str, bool]
"""File key, text and whether it is code: names a line, also when the file has changed above it."""


class FileChange(NamedTuple):
    """The bytes of a category or day file before and after; None: there is no such file."""

    base: bytes | None
    new: bytes | None

    def reversed(self) -> FileChange:
        return FileChange(self.new, self.base)

    def onto(self, disk: bytes | None, category: str) -> FileChange:
        """What the change comes to for a file that holds `disk` now. Raises `Conflict` and `NotUtf8`."""
        if disk in (self.base, self.new):
            return FileChange(disk, self.new)
        if disk is None or self.base is None:
            raise Conflict(None, None, "", category=category)
        base, theirs = Document.from_bytes(self.base), Document.from_bytes(disk)
        if self.new is not None:
            mine = Document.from_bytes(self.new)
            return FileChange(disk, merge(base, theirs, mine, category=category).to_bytes())
        # The file was to go: what others put into it stays, below the title that was there.
        left = merge(base, theirs, Document("".join(base.preamble)), category=category)
        gone = not left.sections and (left.preamble == base.preamble or left.only_title_left())
        return FileChange(disk, None if gone else left.to_bytes())


class Record(NamedTuple):
    """What the journal says of one item; `action` is "add", "update" or "remove".

    Of an event of the diary, `action` is "diary", `category` its day and `item` its time. That one was taken back (the
    action is "" then) is in no journal.
    """

    action: str
    category: str
    item: str
    owner: str | None = None
    source_conv: str | None = None
    detail: str | None = None

    def reversed(self) -> Record:
        opposite = {"add": "remove", "remove": "add", "diary": "", "": "diary"}
        return self._replace(action=opposite.get(self.action, self.action))

    def entry(self, category_key: str, ts: str) -> dict[str, str]:
        """The journal line, in a layout that calls the category so."""
        told = {"owner": self.owner, "source_conv": self.source_conv, "detail": self.detail}
        keys = ("date", "time") if self.action == "diary" else (category_key, "item")
        entry = {"ts": ts, "action": self.action, keys[0]: self.category, keys[1]: self.item}
        return entry | {key: value for key, value in told.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Change:
    """Files before and after (by category, or by a day's `day_key`), and what the journal says about it."""

    files: Mapping[str, FileChange] = field(default_factory=dict)
    records: Sequence[Record] = ()
    strays: frozenset[Mark] = frozenset()
    """Lines whose links led to a new address before anything was there."""

    def reversed(self) -> Change:
        """The change that undoes this one."""
        files = {category: change.reversed() for category, change in self.files.items()}
        return Change(files, tuple(record.reversed() for record in reversed(self.records)), self.strays)


# ------------------------------------------------------------ names


def check_item_name(name: str, taken: Iterable[str], renaming: str | None = None, *, category: str = "") -> str:
    """The name as it is written, if an item can have it: stricter than hosts, since a link must be able to reach it.

    `renaming` is the item's own name so far. Raises `InvalidItemName`, and `NameTaken` also when another name differs
    in case or Unicode form only.
    """
    cleaned = sanitize_item_name(name)
    for bracket in "[]":
        if bracket in cleaned:
            raise InvalidItemName(cleaned, bracket)
    check_free(category, cleaned, taken, renaming)
    return cleaned


def check_category_name(name: str, taken: Iterable[str], renaming: str | None = None) -> str:
    """The name, if a category file can have it on every system. Raises `InvalidCategory` and `NameTaken`."""
    validate_category(name)
    if name in _RESERVED_BY_WINDOWS:
        raise InvalidCategory(name, reserved=True)
    check_free(name, None, taken, renaming)
    return name


def check_free(category: str, item: str | None, taken: Iterable[str], renaming: str | None = None) -> None:
    """Raises `NameTaken` when an item (None: a category) can't be called so beside the names that are taken."""
    name = category if item is None else item
    alike = [other for other in taken if other != renaming and folded(other) == folded(name)]
    if alike:
        raise NameTaken(category, item, name if name in alike else alike[0])


def folded(name: str) -> str:
    """The same for names that differ in case or Unicode form only."""
    return composed(composed(name).casefold())


# ------------------------------------------------------------ what a change comes to


def new_item(
    store: MemoryStore,
    category: str,
    name: str,
    content: str = "",
    *,
    owner: str | None = None,
    source_conv: str | None = None,
    ts: str | None = None,
) -> Change:
    """An item more at the end of its category, which is made if need be; `ts` defaults to now.

    Raises `InvalidCategory`, `InvalidItemName`, `NameTaken`, `ContentNotStorable`, `UnreadableFile`.
    """
    data, document = _read(store, category)
    if data is None:
        document = Document(f"# {check_category_name(category, store.categories())}\n")
    validate_category(category)
    name = check_item_name(name, document.effective(), category=category)
    new = document.with_new_item(name, content, owner=owner, source_conv=source_conv, ts=ts or now_iso())
    return _one_file(category, data, new, Record("add", category, name, owner, source_conv))


def new_category(store: MemoryStore, category: str) -> Change:
    """A file with a title and no item. Raises `InvalidCategory` and `NameTaken`."""
    check_category_name(category, store.categories())
    return _one_file(category, None, Document(f"# {category}\n"))


def rewritten_file(key: str, base: bytes | None, new: bytes) -> Change:
    """A category or day file that is to read otherwise (`base` None: that is to come); the journal tells of its items.

    Raises `NotUtf8`.
    """
    records: tuple[Record, ...] = ()
    if day_of(key) is None:
        before, after = Document.from_bytes(base or b""), Document.from_bytes(new)
        records = tuple(differences(before.items(key), after.items(key)))
    return Change({key: FileChange(base, new)}, records)


def recode_file(store: MemoryStore, category: str, data: bytes, text: str) -> Change:
    """A file that is not UTF-8 written as UTF-8: all its items are new to hosts.

    `data` is what the file holds, `text` what that means. Raises `Conflict` when it holds something else by now.
    """
    if read_or_none(store.path(category)) != data:
        raise Conflict(None, None, "", category=category)
    document = Document(text)
    return _one_file(category, data, document, *differences((), document.items(category)))


def remove_item(store: MemoryStore, category: str, name: str) -> Change:
    """All sections of that name gone, and the file with its last item when only a title is left.

    Raises `ItemNotFound` and `UnreadableFile`.
    """
    data, document = _read(store, category)
    item = _item(document, category, name)
    left = document.without_item(item.name)
    record = Record("remove", category, item.name)
    # A symlink's target would keep the text if only the link went.
    if left.only_title_left() and not store.path(category).is_symlink():
        return Change({category: FileChange(data, None)}, (record,))
    return _one_file(category, data, left, record)


def remove_category(store: MemoryStore, category: str) -> Change:
    """The file gone with all it holds. Raises `CategoryNotFound` and `UnreadableFile`."""
    data, document = _read_category(store, category)
    records = tuple(Record("remove", category, item.name) for item in document.items(category))
    return Change({category: FileChange(data, None)}, records)


def split_item(store: MemoryStore, category: str, name: str, text: str, following: Sequence[tuple[str, str]]) -> Change:
    """The item with `text` only, and right behind it new ones (name, text) of the same owner and source.

    Raises `ItemNotFound`, `InvalidItemName`, `NameTaken`, `ContentNotStorable`, `UnreadableFile`.
    """
    data, document = _read(store, category)
    item = _item(document, category, name)
    new = document.with_content(item.name, text)
    place = next(at for at, section in enumerate(new.sections) if section.effective and section.name == item.name)
    records = [Record("update", category, item.name, item.owner, item.source_conv)]
    for more, (new_name, content) in enumerate(following, place + 1):
        new_name = check_item_name(new_name, new.effective(), category=category)
        comment = render_metadata(item.owner, item.source_conv, now_iso())
        new = new.with_entry(new_name, content, comment, before=more if more < len(new.sections) else None)
        records.append(Record("add", category, new_name, item.owner, item.source_conv))
    return _one_file(category, data, new, *records)


def add_entry(store: MemoryStore, entry: DiaryEntry) -> Change:
    """An event more in its day of the diary. Raises `ContentNotStorable` and `UnreadableFile`."""
    path = store.diary.path(entry.date)
    data = read_or_none(path)
    record = Record("diary", entry.date, entry.time, entry.owner, entry.source_conv)
    return Change({day_key(entry.date): FileChange(data, with_entry(data, entry, path))}, (record,))


def remove_day(store: MemoryStore, day: str) -> Change:
    """A day's file gone with all its events. Raises `UnreadableFile` when there is none to read."""
    path = store.diary.path(day)
    data = read_or_none(path)
    if data is None:
        raise UnreadableFile(path, "it is gone")
    return Change({day_key(day): FileChange(data, None)})


def titled(category: str, document: Document | None = None, *, instead_of: str = "") -> Document:
    """A file with a category's name as its title; one that has the title `instead_of` gets the name, others stay."""
    if document is None:
        return Document(f"# {category}\n")
    title = _FIRST_TITLE.fullmatch(document.lines[0]) if document.lines else None
    if title is None or title[2] != instead_of:
        return document
    return Document("".join([f"{title[1]}{category}{title[3]}", *document.lines[1:]]))


def _read(store: MemoryStore, category: str) -> tuple[bytes | None, Document]:
    path = store.path(category)
    data = read_or_none(path)
    return data, Document.from_bytes(data or b"", path)


def _read_category(store: MemoryStore, category: str) -> tuple[bytes, Document]:
    data, document = _read(store, category)
    if data is None:
        raise CategoryNotFound(category)
    return data, document


def _item(document: Document, category: str, name: str) -> MemoryItem:
    section = document.effective().get(" ".join(name.split()))
    if section is None:
        raise ItemNotFound(category, name)
    return section.item(category)


def _one_file(category: str, data: bytes | None, document: Document, *records: Record) -> Change:
    return Change({category: FileChange(data, document.to_bytes())}, records)


def differences(before: Iterable[MemoryItem], after: Iterable[MemoryItem]) -> Iterator[Record]:
    """The journal lines of items that became others."""
    old = {item.name: item for item in before}
    for item in after:
        known = old.pop(item.name, None)
        if known != item:
            action = "update" if known else "add"
            yield Record(action, item.category, item.name, item.owner, item.source_conv)
    yield from (Record("remove", item.category, item.name) for item in old.values())


def items_of(category: str, data: bytes | None) -> list[MemoryItem]:
    """The items that hosts read in a file's bytes: none in what is not UTF-8."""
    try:
        return Document.from_bytes(data or b"").items(category)
    except NotUtf8:
        return []


def moved_records(item: MemoryItem, category: str, name: str) -> tuple[Record, Record]:
    """The journal lines of an item that has another address from now on."""
    gone = Record("remove", item.category, item.name, item.owner, item.source_conv, f"{category}:{name}")
    return gone, Record("add", category, name, item.owner, item.source_conv, item.address)
