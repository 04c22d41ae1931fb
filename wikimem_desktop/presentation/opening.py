"""Reading a place from the disk: for editing, or for reading only."""

from __future__ import annotations

from typing import NamedTuple

from wikimem_desktop.engine.errors import UnreadableFile
from wikimem_desktop.engine.store import MemoryStore

from .buffer import Buffer, Foreign, Place, Version


class Shown(NamedTuple):
    """A text that can't be edited; `foreign` when its file is not UTF-8."""

    text: str
    foreign: Foreign | None = None


def open_place(store: MemoryStore, place: Place) -> Buffer | None:
    """A buffer of the place as it is now; None when there is nothing to open."""
    if place.kind == "item":
        version = read_version(store, place)
        return Buffer(place, version.text, version) if version else None
    shown = read_only(store, place)
    if shown is None:
        return None
    buffer = Buffer(place, shown.text)
    buffer.foreign = shown.foreign
    return buffer


def read_version(store: MemoryStore, place: Place) -> Version | None:
    """The item as it is on disk, if it is there and its file can be read."""
    try:
        return Version.of(store.document(place.category), place.category, place.name)
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
