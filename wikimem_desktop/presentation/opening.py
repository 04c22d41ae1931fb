"""Reading a place from the disk: for editing, or for reading only."""

from __future__ import annotations

from wikimem_desktop.engine.errors import UnreadableFile
from wikimem_desktop.engine.store import MemoryStore

from .buffer import Buffer, Place, Version


def open_place(store: MemoryStore, place: Place) -> Buffer | None:
    """A buffer of the place as it is now; None when there is nothing to open."""
    if place.kind == "item":
        version = read_version(store, place)
        return Buffer(place, version.text, version) if version else None
    text = read_only_text(store, place)
    return None if text is None else Buffer(place, text)


def read_version(store: MemoryStore, place: Place) -> Version | None:
    """The item as it is on disk, if it is there and its file can be read."""
    try:
        return Version.of(store.document(place.category), place.category, place.name)
    except UnreadableFile:
        return None


def read_only_text(store: MemoryStore, place: Place) -> str | None:
    """The text of a place that can't be edited, if it is there and can be read."""
    try:
        if place.kind == "shadowed":
            sections = [s for s in store.document(place.category).sections if s.name == place.name]
            there = place.occurrence < len(sections) and not sections[place.occurrence].effective
            return sections[place.occurrence].content if there else None
        if place.kind in ("day", "file"):
            path = store.diary.path(place.category) if place.kind == "day" else store.path(place.category)
            return path.read_bytes().decode("utf-8", "replace")
    except (OSError, UnreadableFile):
        pass
    return None
