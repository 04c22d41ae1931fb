"""An edited file as edits of its items' own texts, as far as it is no more than that, and where texts stand in both."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import NamedTuple

from .document import Document, metadata_fields, own_part
from .errors import ContentNotStorable
from .sections import Section

_MOST = 50
"""Beyond that, finding out would take too long."""


class ItemEdit(NamedTuple):
    """What an item is to say: its own text, and the metadata fields (owner, source_conv, ts) that change."""

    text: str
    fields: Mapping[str, str | None] = {}


class Spot(NamedTuple):
    """A place in an item's own text. `occurrence` counts the sections of that name in the file."""

    name: str
    offset: int
    occurrence: int = 0
    effective: bool = True


def with_item_edits(document: Document, edits: Mapping[str, ItemEdit]) -> Document:
    """The items' own texts and fields replaced, byte for byte. Raises `KeyError` and `ContentNotStorable`."""
    for name, edit in edits.items():
        if document.own_text(name) != own_part(edit.text):
            document = document.with_own_text(name, edit.text)
        if edit.fields:
            document = document.with_fields(name, **edit.fields)
    return document


def item_edits(before: Document, after: Document) -> dict[str, ItemEdit] | None:
    """The edits that lead from one text of a file to another; None when it changed in more than its items' own texts.

    `with_item_edits(before, …)` gives every byte of `after`.
    """
    old, new = before.sections, after.sections
    if [section.name for section in old] != [section.name for section in new]:
        return None
    changed = [was.name for was, now in zip(old, new, strict=True) if _raw(before, was) != _raw(after, now)]
    if len(changed) > _MOST:
        return None
    were, are = before.effective(), after.effective()
    edits = {name: ItemEdit(after.own_text(name), _other_fields(were[name], are[name])) for name in changed}
    try:
        same = with_item_edits(before, edits).text == after.text
    except ContentNotStorable:
        return None
    return edits if same else None


def _raw(document: Document, section: Section) -> list[str]:
    return document.lines[section.first_line : section.end_line]


def _other_fields(old: Section, new: Section) -> dict[str, str | None]:
    keys = ("owner", "source_conv", "ts")
    return {key: getattr(new, key) for key in keys if getattr(new, key) != getattr(old, key)}


# ------------------------------------------------------------ the same place in both


def offset_in_file(document: Document, spot: Spot) -> int:
    """Where a place of an item's own text is in the file; its end when the item is not there."""
    sections = [section for section in document.sections if section.name == spot.name]
    if not sections:
        return len(document.text)
    section = sections[-1] if spot.effective else sections[min(spot.occurrence, len(sections) - 1)]
    lines = _own_lines(document, section)
    at = max((line for line in lines if line.own <= spot.offset), default=None)
    if at is None:
        return _starts(document)[section.first_line] + len(document.lines[section.first_line].splitlines()[0])
    return at.file + min(spot.offset - at.own, at.length)


def spot_at(document: Document, offset: int) -> Spot | None:
    """The place of an item's own text that is nearest to one of the file; None in front of all items."""
    starts = _starts(document)
    number = next((n for n in range(len(starts) - 1, -1, -1) if starts[n] <= offset), 0)
    section = next((s for s in document.sections if s.first_line <= number < s.end_line), None)
    if section is None:
        return None
    lines = _own_lines(document, section)
    at = max((line for line in lines if line.file <= offset), default=None, key=lambda line: line.file)
    own = 0 if at is None else at.own + min(offset - at.file, at.length)
    occurrence = sum(s.name == section.name and s.first_line < section.first_line for s in document.sections)
    return Spot(section.name, own, occurrence, section.effective)


class _Line(NamedTuple):
    """A line of an item's own text: where it begins there and in the file, and its length without its end."""

    own: int
    file: int
    length: int


def _own_lines(document: Document, section: Section) -> list[_Line]:
    starts, body = _starts(document), range(section.first_line + 1, section.end_line)
    numbers = [number for number in body if metadata_fields(document.lines[number]) is None]
    text = "".join(document.lines[number] for number in numbers)
    own = own_part(text)
    start = text.index(own)
    lines, at = list[_Line](), -start
    for number in numbers:
        line = document.lines[number]
        if 0 <= at <= len(own) and own:
            lines.append(_Line(at, starts[number], min(len(line.splitlines()[0]), len(own) - at)))
        at += len(line)
    return lines


def _starts(document: Document) -> list[int]:
    """Where the lines of the file begin."""
    return [*accumulate((len(line) for line in document.lines), initial=0)][: len(document.lines)]
