"""Items put together otherwise: duplicated, put elsewhere in their file, split at the caret, merged, several removed.

The functions read the store and return a `Change`, like those of `changes`.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Sequence
from typing import TYPE_CHECKING

from .changes import Change, Mark, Record, check_item_name, differences, folded
from .document import Document, render_metadata, with_ends
from .edits import Edits
from .errors import ItemNotFound
from .journal import now_iso
from .refactoring import Redirection, redirect
from .sections import gap_behind

if TYPE_CHECKING:
    from .store import MemoryStore


def free_name(name: str, taken: Iterable[str]) -> str:
    """The name with the lowest number behind it that no other name is like."""
    return numbered(name, {folded(other) for other in taken})


def numbered(name: str, taken: Container[str]) -> str:
    """The name with the lowest number behind it that is not taken; names that are, are `folded`."""
    head, _, tail = name.rpartition(" ")
    stem = head if head and tail.isdigit() else name
    number = 2
    while folded(f"{stem} {number}") in taken:
        number += 1
    return f"{stem} {number}"


def duplicate_items(store: MemoryStore, items: Sequence[tuple[str, str]]) -> tuple[Change, list[tuple[str, str]]]:
    """A copy of each item right behind it, with the metadata it has; and the addresses of the copies.

    Raises `ItemNotFound` and `UnreadableFile`.
    """
    edits = Edits(store)
    copies = []
    for category, name in items:
        item, document = edits.item(category, name), edits.document(category)
        copy = free_name(item.name, document.effective())
        section = document.effective()[item.name]
        body = "".join(document.lines[section.first_line : section.end_line])
        copied = Document(body).with_name(item.name, copy).text
        edits.put(category, document.with_sections(copied, section.end_line))
        edits.record([Record("add", category, copy, item.owner, item.source_conv)])
        copies.append((category, copy))
    return edits.change(), copies


def place_item(store: MemoryStore, category: str, name: str, before: str | None) -> Change:
    """The item put in front of another one of its file (None: at the end), with sections of its name that hosts ignore.

    Raises `ItemNotFound` and `UnreadableFile`.
    """
    edits = Edits(store)
    item, document = edits.item(category, name), edits.document(category)
    if before is not None and before not in document.effective():
        raise ItemNotFound(category, before)
    if before == item.name:
        return Change()
    # All sections of the name: which one hosts see depends on their order.
    moved = ""
    for section in document.sections:
        if section.name == item.name:
            lines = "".join(document.lines[section.first_line : section.end_line])
            moved += gap_behind(moved, document.newline) + lines
    rest = document.without_item(item.name)
    # The place of an item is that of its first section; hosts list it there.
    edits.put(
        category, rest.with_sections(moved, next((s.first_line for s in rest.sections if s.name == before), None))
    )
    return edits.change()


def neighbour(document: Document, name: str, step: int) -> tuple[bool, str | None]:
    """Whether an item can go up (-1) or down (1) in its file, and the one that it would stand in front of then."""
    names = list(document.effective())
    if name not in names:
        return False, None
    at = names.index(name) + step
    if not 0 <= at < len(names):
        return False, None
    if step < 0:
        return True, names[at]
    return True, names[at + 1] if at + 1 < len(names) else None


def split_at(store: MemoryStore, category: str, name: str, above: str, new_name: str, below: str) -> Change:
    """The item with the text `above` only, and right behind it a new one with the text `below`, of the same owner.

    Raises `ItemNotFound`, `InvalidItemName`, `NameTaken`, `ContentNotStorable`, `UnreadableFile`.
    """
    edits = Edits(store)
    item, document = edits.item(category, name), edits.document(category)
    new_name = check_item_name(new_name, document.effective(), category=category)
    new = document.with_content(item.name, above)
    place = next(at for at, section in enumerate(new.sections) if section.effective and section.name == item.name) + 1
    comment = render_metadata(item.owner, item.source_conv, now_iso())
    edits.put(category, new.with_entry(new_name, below, comment, before=place if place < len(new.sections) else None))
    edits.record(
        [
            Record("update", category, item.name, item.owner, item.source_conv),
            Record("add", category, new_name, item.owner, item.source_conv),
        ]
    )
    return edits.change()


def merge_items(
    store: MemoryStore, into: tuple[str, str], others: Sequence[tuple[str, str]], kept: Collection[Mark] = ()
) -> Change:
    """The texts of other items put behind that of one, and every link to them redirected there; they are gone then.

    The texts are joined as they stand in the files, with indents and separators of lines that hosts don't see.
    Raises `ItemNotFound`, `ContentNotStorable` and `UnreadableFile`.
    """
    edits = Edits(store)
    target = edits.item(*into)
    for category, name in others:
        item = edits.item(category, name)
        document, source = edits.document(target.category), edits.document(category)
        both = document.own_text(target.name), "".join(with_ends(source.own_text(item.name), document.newline))
        text = (2 * document.newline).join(part for part in both if part)
        edits.put(target.category, document.with_own_text(target.name, text))
        source = edits.document(category)
        others_there = frozenset(source.effective()) - {item.name}
        edits.put_rest(category, source.without_item(item.name))
        address = f"{target.category}:{target.name}"
        edits.record([Record("remove", category, item.name, item.owner, item.source_conv, address)])
        redirect(edits, Redirection(category, target.category, {item.name: target.name}, others_there), kept)
    edits.record([Record("update", target.category, target.name, target.owner, target.source_conv)])
    return edits.change()


def remove_items(store: MemoryStore, items: Sequence[tuple[str, str]]) -> Change:
    """All sections of these names gone, and files of which only a title is left.

    Raises `ItemNotFound` and `UnreadableFile`.
    """
    edits = Edits(store)
    for category, name in items:
        item, document = edits.item(category, name), edits.document(category)
        left = document.without_item(item.name)
        edits.put_rest(category, left)
        edits.record(record for record in differences(document.items(category), left.items(category)))
    return edits.change()
