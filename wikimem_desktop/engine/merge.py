"""Three-way merge of a category file, section by section: what only one side changed is taken from that side."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import pairwise
from typing import Literal, NamedTuple

from .document import Document
from .errors import Conflict
from .sections import Section, gap_behind, line_end

PartKey = tuple[str, int] | None
"""A section's name and its number among those of that name in the base, new ones counting on; None: the preamble."""


class Part(NamedTuple):
    """A section or (without one) the preamble, with its bytes as text."""

    text: str
    section: Section | None


def merge(
    base: Document, theirs: Document, mine: Document, *, category: str = "", winner: Literal["mine", "theirs", ""] = ""
) -> Document:
    """`theirs` with the changes that lead from `base` to `mine`.

    Sections that `mine` left alone keep their bytes. What `mine` put behind the last section of `base` goes last, other
    new sections go behind the one they follow in `mine`. A side that changed nothing but how a section is written (line
    ends, white space) gives way to one that changed what it says. When both changed the same section, or one changed
    what the other removed, the `winner` decides; without one `Conflict` is raised, which names the item in `category`.
    """
    if theirs.text == base.text or mine.text == theirs.text:
        return mine
    if mine.text == base.text:
        return theirs
    old, other, own = parts_of(base, base), parts_of(theirs, base), parts_of(mine, base)
    chosen = {key: _choose(old.get(key), other.get(key), own.get(key), category, winner) for key in old | other | own}
    kept = [(key, part.text) for key in _order(list(old), list(other), list(own)) if (part := chosen[key])]
    known = {*pairwise(other), *pairwise(own)}
    added = own.keys() - other.keys()
    pieces: list[str] = []
    for (before, text), (key, _) in pairwise(kept):
        comes_together = (before, key) not in known and bool({before, key} & added)
        ends = not text or line_end(text.splitlines(keepends=True)[-1])
        pieces += [text, gap_behind(text, theirs.newline) if comes_together or not ends else ""]
    return Document("".join([*pieces, kept[-1][1]]))


def parts_of(document: Document, base: Document) -> dict[PartKey, Part]:
    """The parts of a file in order, with the keys that the same parts have in `base`."""
    old, new = _by_name(base), _by_name(document)
    numbers = {name: iter(_numbers(old.get(name, []), sections)) for name, sections in new.items()}
    parts: dict[PartKey, Part] = {None: Part("".join(document.preamble), None)}
    for section in document.sections:
        text = "".join(document.lines[section.first_line : section.end_line])
        parts[section.name, next(numbers[section.name])] = Part(text, section)
    return parts


def _by_name(document: Document) -> dict[str, list[Section]]:
    found: dict[str, list[Section]] = {}
    for section in document.sections:
        found.setdefault(section.name, []).append(section)
    return found


def _numbers(old: list[Section], new: list[Section]) -> list[int]:
    """Which of the old sections each new one is, all of one name; those that are none of them count on."""
    if len(new) == 1 and len(old) < 2:
        return [0]
    matcher = SequenceMatcher(None, [_said(section) for section in old], [_said(section) for section in new], False)
    numbers = {b + k: a + k for a, b, size in matcher.get_matching_blocks() for k in range(size)}
    left = [number for number in range(len(old)) if number not in numbers.values()]
    unknown = [at for at in range(len(new)) if at not in numbers]
    while left and unknown:  # from the end: the last one is what hosts see
        numbers[unknown.pop()] = left.pop()
    numbers |= {at: len(old) + more for more, at in enumerate(unknown)}
    return [numbers[at] for at in range(len(new))]


def _said(section: Section) -> tuple[str | None, ...]:
    """What hosts read of a section."""
    return section.content, section.owner, section.source_conv, section.ts


def _choose(base: Part | None, theirs: Part | None, mine: Part | None, category: str, winner: str) -> Part | None:
    if _same(theirs, base) or _same(theirs, mine):
        return mine
    if _same(mine, base) or (_says_the_same(mine, base) and _same_but_for_space(mine, base)):
        return theirs
    if _says_the_same(theirs, base):
        return mine
    if _says_the_same(theirs, mine):
        return theirs
    if winner:
        return mine if winner == "mine" else theirs
    base_item, their_item, my_item = (
        part.section.item(category) if part and part.section else None for part in (base, theirs, mine)
    )
    text = my_item.content if my_item else mine.text if mine and not mine.section else ""
    raise Conflict(base_item, their_item, text, category=category)


def _same(one: Part | None, other: Part | None) -> bool:
    return one == other or (one is not None and other is not None and one.text == other.text)


def _same_but_for_space(one: Part | None, other: Part | None) -> bool:
    return one is not None and other is not None and one.text.split() == other.text.split()


def _says_the_same(one: Part | None, other: Part | None) -> bool:
    if one is not None and other is not None and one.section and other.section:
        return _said(one.section) == _said(other.section)
    return _same_but_for_space(one, other)


def _order(old: list[PartKey], theirs: list[PartKey], mine: list[PartKey]) -> list[PartKey]:
    """All parts in the order of `theirs`, what only `mine` has behind the part it follows there."""
    order = list(theirs)
    placed = set(order)
    anchor: PartKey = None
    for before, key in pairwise(mine):
        anchor = before if before in placed else anchor
        if key not in placed:  # new, or removed by them; who wins was decided before
            order.insert(len(order) if before == old[-1] else order.index(anchor) + 1, key)
            placed.add(key)
    return order
