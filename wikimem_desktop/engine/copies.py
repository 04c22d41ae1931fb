"""Bringing a sync tool's copy of a category file home: item by item into the original, then the copy goes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from .arranging import free_name
from .changes import Change, Record, differences
from .document import Document
from .edits import Edits
from .errors import CategoryNotFound
from .sections import gap_behind

if TYPE_CHECKING:
    from .store import MemoryStore


class Difference(NamedTuple):
    """An item that a copy has otherwise: its texts there and in the original (None: only the copy has it)."""

    name: str
    copied: str
    original: str | None


def differences_of(store: MemoryStore, copy: str, original: str) -> list[Difference]:
    """What the copy says that the original does not, in the copy's order. Raises `UnreadableFile`."""
    theirs, mine = store.document(copy).effective(), store.document(original).effective()
    found = []
    for name, section in theirs.items():
        known = mine.get(name)
        if known is None or known.content != section.content:
            found.append(Difference(name, section.content, known.content if known else None))
    return found


def bring_home(store: MemoryStore, copy: str, original: str, choices: Mapping[str, str]) -> Change:
    """The copy's items put into the original, and the copy gone.

    `choices` says for an item that both have otherwise what stays: "original", "copy", or "both" (the default: the
    copy's gets a number). Items that only the copy has come last, its prose goes below the original's. Sections that
    hosts ignore are not taken over. Raises `CategoryNotFound` and `UnreadableFile`.
    """
    edits = Edits(store)
    theirs = edits.category(copy)
    if not edits.exists(original):
        raise CategoryNotFound(original)
    before = edits.document(original)
    document = _with_prose(before, theirs)
    for name, section in theirs.effective().items():
        known = document.effective().get(name)
        choice = choices.get(name, "both")
        if known is not None and (known.content == section.content or choice == "original"):
            continue
        if known is not None and choice == "copy":
            document = document.with_content(name, section.content)
            fields = {"owner": section.owner, "source_conv": section.source_conv, "ts": section.ts}
            document = document.with_fields(name, **fields)
            continue
        lines = "".join(theirs.lines[section.first_line : section.end_line])
        if known is not None:
            lines = Document(lines).with_name(name, free_name(name, document.effective())).text
        document = document.with_sections(lines)
    edits.put(original, document)
    edits.record(differences(before.items(original), document.items(original)))
    edits.put(copy, None)
    edits.record(Record("remove", copy, item.name, detail=original) for item in theirs.items(copy))
    return edits.change()


def _with_prose(document: Document, copy: Document) -> Document:
    """What the copy says above its first item put below what the document says there, unless that says it too."""
    head, said = "".join(document.preamble), document.prose.splitlines()
    prose = copy.prose.splitlines()
    if any(said[at : at + len(prose)] == prose for at in range(len(said) + 1)):
        return document
    lines = "".join(line + document.newline for line in prose)
    tail = document.text[len(head) :]
    return Document(head + gap_behind(head, document.newline) + lines + (document.newline if tail else "") + tail)
