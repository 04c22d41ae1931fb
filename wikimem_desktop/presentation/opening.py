"""Reading a place from the disk: for editing, or for reading only."""

from __future__ import annotations

from typing import NamedTuple

from wikimem_desktop.engine.atomic import read_or_none
from wikimem_desktop.engine.diary import day_of
from wikimem_desktop.engine.document import Document
from wikimem_desktop.engine.errors import UnreadableFile
from wikimem_desktop.engine.store import MemoryStore

from .buffer import Buffer, Foreign, Place, Version
from .file_buffer import FileBuffer


class Shown(NamedTuple):
    """A text that can't be edited; `foreign` when its file is not UTF-8."""

    text: str
    foreign: Foreign | None = None


def open_place(store: MemoryStore, place: Place) -> Buffer | None:
    """A buffer of the place as it is now; None when there is nothing to open."""
    if can_be_edited(place):
        version = read_version(store, place)
        if version is not None:
            return FileBuffer(place, version) if place.whole else Buffer(place, version.text, version)
    shown = read_only(store, place)
    if shown is None:
        return None
    buffer = Buffer(place, shown.text)
    buffer.foreign = shown.foreign
    return buffer


def can_be_edited(place: Place) -> bool:
    """Whether texts of this kind can be written; a day that no calendar has can't."""
    return place.kind in ("item", "text") or (place.kind == "day" and day_of(place.key) is not None)


def read_document(store: MemoryStore, key: str) -> Document | None:
    """A category or day file as it is on disk; None when there is none. Raises `UnreadableFile`."""
    if day_of(key) is None:
        document = store.document(key)
        return document if document.text or store.path(key).exists() else None
    data = read_or_none(store.path(key))
    return None if data is None else Document.from_bytes(data, store.path(key))


def version_in(document: Document | None, place: Place) -> Version | None:
    """An item, or a whole file, as it is in the document."""
    if document is None:
        return None
    if place.whole:
        return Version.of_file(document, place.category)
    return Version.of(document, place.category, place.name)


def read_version(store: MemoryStore, place: Place) -> Version | None:
    """The item or file as it is on disk, if it is there and can be read."""
    try:
        return version_in(read_document(store, place.key), place)
    except UnreadableFile:
        return None


def read_only(store: MemoryStore, place: Place) -> Shown | None:
    """What a place that can't be edited shows, if it is there and can be read."""
    try:
        if place.kind == "shadowed":
            sections = [s for s in store.document(place.category).sections if s.name == place.name]
            there = place.occurrence < len(sections) and not sections[place.occurrence].effective
            return Shown(sections[place.occurrence].content) if there else None
        if place.kind in ("day", "file"):
            path = store.diary.path(place.category) if place.kind == "day" else store.path(place.category)
            return _shown(path.read_bytes())
    except (OSError, UnreadableFile):
        pass
    return None


def _shown(data: bytes) -> Shown:
    try:
        return Shown(data.decode("utf-8"))
    except UnicodeDecodeError:
        foreign = Foreign.of(data)
        return Shown(foreign.text, foreign)
