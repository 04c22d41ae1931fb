"""Files of a store as a change will leave them: several edits come to one `Change`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from .atomic import is_read_only, read_or_none
from .changes import Change, FileChange, Mark, Record, differences, items_of
from .diary import day_key, day_of
from .document import Document
from .errors import CategoryNotFound, ItemNotFound, ReadOnlyFiles, UnreadableFile
from .items import MemoryItem

if TYPE_CHECKING:
    from .store import MemoryStore


class Edits:
    """Reads files when they are asked for, and holds what is to become of them."""

    def __init__(self, store: MemoryStore) -> None:
        self.store = store
        self.records: list[Record] = []
        self.strays: set[Mark] = set()
        """As in `Change`."""
        self._disk: dict[str, bytes | None] = {}
        self._planned: dict[str, Document | None] = {}
        self._bytes: dict[str, bytes | None] = {}
        self._names: dict[Path, frozenset[str]] = {}

    def keys(self) -> list[str]:
        """Every file there is or will be: categories, then days."""
        days = self.store.diary.dates() if self.store.layout.has_diary else []
        keys = dict.fromkeys([*self.store.categories(), *map(day_key, days), *self._planned])
        return [key for key in keys if self._planned.get(key, ...) is not None]

    def readable(self) -> Iterator[tuple[str, Document]]:
        """All files that hosts can read."""
        for key in self.keys():
            try:
                yield key, self.document(key)
            except UnreadableFile:
                continue

    def _names_in(self, folder: Path) -> frozenset[str]:
        """A name in other case is not there, although some systems find the file by it."""
        if folder not in self._names:
            try:
                self._names[folder] = frozenset(os.listdir(folder))
            except OSError:
                self._names[folder] = frozenset()
        return self._names[folder]

    def document(self, key: str) -> Document:
        """The file as planned so far; a missing one is empty. Raises `UnreadableFile`."""
        if key not in self._planned:
            data = self.bytes_of(key)
            self._planned[key] = None if data is None else Document.from_bytes(data, self.store.path(key))
        return self._planned[key] or Document("")

    def bytes_of(self, key: str) -> bytes | None:
        """The file as it is on disk, text or not; None: there is none. Raises `UnreadableFile`."""
        if key not in self._disk:
            path = self.store.path(key)
            self._disk[key] = read_or_none(path) if path.name in self._names_in(path.parent) else None
        return self._disk[key]

    def exists(self, key: str) -> bool:
        self.document(key)
        return self._planned[key] is not None

    def category(self, category: str) -> Document:
        """Raises `CategoryNotFound` and `UnreadableFile`."""
        if not self.exists(category):
            raise CategoryNotFound(category)
        return self.document(category)

    def item(self, category: str, name: str) -> MemoryItem:
        """Raises `ItemNotFound` and `UnreadableFile`."""
        section = self.document(category).effective().get(" ".join(name.split()))
        if section is None:
            raise ItemNotFound(category, name)
        return section.item(category)

    def put(self, key: str, document: Document | None) -> None:
        """Plan a file; None: it goes."""
        self.document(key)
        self._planned[key] = document

    def put_bytes(self, key: str, data: bytes | None) -> None:
        """Plan a whole file, whatever stands there now, with the journal lines of its items; None: it goes."""
        if day_of(key) is None:
            self.record(differences(items_of(key, self.bytes_of(key)), items_of(key, data)))
        self._bytes[key] = data

    def edit(self, category: str, edit: Callable[[Document], Document]) -> None:
        """Plan a category file's text changed, with the journal lines of its items that do.

        Raises `CategoryNotFound` and `UnreadableFile`.
        """
        if not self.exists(category):
            raise CategoryNotFound(category)
        before = self.document(category)
        after = edit(before)
        self.put(category, after)
        self.record(differences(before.items(category), after.items(category)))

    def put_rest(self, category: str, rest: Document) -> None:
        """Plan what is left of a file; an empty one goes (not a link, whose target would keep the text)."""
        gone = rest.only_title_left() and not self.store.path(category).is_symlink()
        self.put(category, None if gone else rest)

    def record(self, records: Iterable[Record]) -> None:
        self.records += records

    def change(self) -> Change:
        """What all edits come to. Raises `ReadOnlyFiles`."""
        texts = {key: None if text is None else text.to_bytes() for key, text in self._planned.items()}
        planned = {**texts, **self._bytes}
        files = {key: FileChange(self.bytes_of(key), new) for key, new in planned.items() if new != self.bytes_of(key)}
        locked = [path for path in map(self.store.path, files) if is_read_only(path)]
        if locked:
            raise ReadOnlyFiles(locked)
        return Change(files, tuple(self.records), frozenset(self.strays))
