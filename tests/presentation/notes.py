"""A small store with one file of two items, and short words for what tests do with it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QTextCursor

from tests.presentation.house import House
from wikimem_desktop.engine.items import MemoryItem
from wikimem_desktop.presentation.buffer import Buffer, Place
from wikimem_desktop.presentation.qt_text import for_document

NOTES = (
    "# notes\r\n\r\nprose\r\n\r\n## a\r\n\r\none\r\n\r\n<!-- wikimem: owner=me | mood=ok -->\r\n\r\n## b\r\n\r\ntwo\r\n"
)
A, B = Place("item", "notes", "a"), Place("item", "notes", "b")


def current(house: House) -> Buffer:
    assert house.documents.current is not None
    return house.documents.current


def base(house: House) -> MemoryItem:
    version = current(house).base
    assert version is not None
    return version.item


def type_text(house: House, text: str, place: Place = A) -> None:
    assert house.documents.open(place)
    write(current(house), text)


def write(buffer: Buffer, text: str) -> None:
    """Replace the whole text as a person does: line breaks become the file's."""
    cursor = QTextCursor(buffer.document)
    cursor.select(QTextCursor.SelectionType.Document)
    cursor.insertText(for_document(text))


def on_disk(root: Path) -> str:
    return (root / "notes.md").read_bytes().decode()
