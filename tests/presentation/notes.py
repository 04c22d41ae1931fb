"""A small store with one file of two items, and short words for what tests do with it."""

from __future__ import annotations

from pathlib import Path

from tests.presentation.house import House
from wikimem_desktop.engine.items import MemoryItem
from wikimem_desktop.presentation.document import Buffer, Place

NOTES = (
    "# notes\r\n\r\nprose\r\n\r\n## a\r\n\r\none\r\n\r\n<!-- wikimem: owner=me | mood=ok -->\r\n\r\n## b\r\n\r\ntwo\r\n"
)
A, B = Place("item", "notes", "a"), Place("item", "notes", "b")


def current(house: House) -> Buffer:
    assert house.documents.current is not None
    return house.documents.current


def base(house: House) -> MemoryItem:
    item = current(house).base
    assert item is not None
    return item


def type_text(house: House, text: str, place: Place = A) -> None:
    assert house.documents.open(place)
    house.documents.set_text(text)


def on_disk(root: Path) -> str:
    return (root / "notes.md").read_bytes().decode()
