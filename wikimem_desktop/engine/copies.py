"""Bringing a sync tool's copy of a category file home: item by item into the original, then the copy goes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .arranging import numbered
from .changes import Change, Mark, Record, differences, folded
from .document import Document, metadata_fields, own_part, with_ends
from .edits import Edits
from .errors import CategoryNotFound
from .refactoring import Redirection, also_at, redirect
from .sections import Section, gap_behind, with_heading_name

if TYPE_CHECKING:
    from .store import MemoryStore


class Difference(NamedTuple):
    """An item that a copy has otherwise, with the bytes of its sections there and in the original.

    `known` is what the original calls it (it may differ in case or Unicode form); None: only the copy has it, and
    `original` is None too. `comes_as` is its name when it comes along as an item of its own.
    """

    name: str
    copied: str
    original: str | None
    known: str | None
    comes_as: str
    same_text: bool
    """Hosts read the same text; what differs is metadata, the spelling of the name, white space, or separators."""

    def home(self, choice: str) -> str:
        """The name of the item that it is once it was brought home."""
        return self.comes_as if self.known is None or choice == "both" else self.known


def differences_of(store: MemoryStore, copy: str, original: str) -> list[Difference]:
    """What the copy says that the original does not, in the copy's order. Raises `UnreadableFile`."""
    return list(_compared(store.document(copy), store.document(original)).values())


def bring_home(
    store: MemoryStore, copy: str, original: str, choices: Mapping[str, str], kept: Collection[Mark] = ()
) -> Change:
    """The copy's items put into the original, and the copy gone; links to its items lead to where they are then.

    `choices` says for an item that both have otherwise what stays: "original", "copy", or "both" (the default: the
    copy's gets a number). Items that only the copy has come last, its prose goes below the original's. Sections are
    taken over as they stand, also those that hosts ignore. Raises `CategoryNotFound` and `UnreadableFile`.
    """
    edits = Edits(store)
    theirs = edits.category(copy)
    if not edits.exists(original):
        raise CategoryNotFound(original)
    before = edits.document(original)
    found = _compared(theirs, before)
    homes = {name: name for name in theirs.effective()}
    homes |= {name: difference.home(choices.get(name, "both")) for name, difference in found.items()}
    document = _with_prose(_with_items(before, theirs, found, homes, choices), theirs)
    edits.put(original, document)
    edits.record(differences(before.items(original), document.items(original)))
    edits.put(copy, None)
    edits.record(Record("remove", copy, name, detail=f"{original}:{home}") for name, home in homes.items())
    redirect(edits, Redirection(copy, original, homes), also_at(copy, original, kept))
    return edits.change()


# ------------------------------------------------------------ what differs


def _compared(theirs: Document, mine: Document) -> dict[str, Difference]:
    """The items that the copy has otherwise, by their name there.

    An item whose name only looks like that of one that the copy lacks is that one. No name that comes along is like
    another: not like one of the original's, nor, but for items that are in both files, one of the copy's.
    """
    copied, own = theirs.effective(), mine.effective()
    lookalikes = {folded(name): name for name in own if name not in copied}
    here = {folded(name) for name in own}
    taken = here | {folded(name) for name in copied}
    found = {}
    for name, section in copied.items():
        known = name if name in own else lookalikes.pop(folded(name), None)
        if known == name and _said(theirs, section) == _said(mine, own[name]):
            continue
        comes_as = name if known is None and folded(name) not in here else numbered(name, taken)
        here.add(folded(comes_as))
        taken.add(folded(comes_as))
        text = _text(mine, own[known]) if known is not None else None
        same = known is not None and own[known].content == section.content
        found[name] = Difference(name, _text(theirs, section), text, known, comes_as, same)
    return found


def _text(document: Document, section: Section) -> str:
    return "".join(document.lines[section.first_line : section.end_line])


def _said(document: Document, section: Section) -> tuple[str, list[str]]:
    """What a section says to people and hosts: its text but for plain line ends, and its metadata."""
    body = document.lines[section.first_line + 1 : section.end_line]
    text = own_part("".join(line for line in body if metadata_fields(line) is None))
    metadata = [" ".join(line.split()) for line in body if metadata_fields(line) is not None]
    return "".join(with_ends(text.rstrip(), "\n")), metadata


# ------------------------------------------------------------ what comes of it


def _with_items(
    document: Document,
    copy: Document,
    found: Mapping[str, Difference],
    homes: Mapping[str, str],
    choices: Mapping[str, str],
) -> Document:
    """The document with the copy's items in it, each in its home.

    Sections of the copy that hosts ignore come too, in front of the one that counts, unless the document says the same.
    """
    mine, lines, added = _by_name(document), list(document.lines), list[str]()
    for name, sections in _by_name(copy).items():
        there = mine.get(homes[name], [])
        instead = bool(there) and name in found and choices.get(name) == "copy"
        known = mine.get((found[name].known or "") if name in found else name, [])
        new = _unsaid(copy, sections[:-1], document, known[:-1] if instead else known)
        new += [sections[-1]] if instead or not there else []
        texts = [_moved(copy, section, homes[name], document.newline) for section in new]
        if not there:
            added += texts
        elif texts:
            first, end = there[-1].first_line, there[-1].end_line
            behind = _blank_behind(document, there[-1]) if instead else document.newline + lines[first]
            lines[first] = document.newline.join(texts) + behind
            lines[first + 1 : end] = [""] * (end - first - 1) if instead else lines[first + 1 : end]
    changed = Document("".join(lines))
    return changed.with_sections(document.newline.join(added)) if added else changed


def _by_name(document: Document) -> dict[str, list[Section]]:
    """All sections of each name; the last one is what hosts read."""
    found: dict[str, list[Section]] = {}
    for section in document.sections:
        found.setdefault(section.name, []).append(section)
    return found


def _unsaid(copy: Document, sections: Sequence[Section], document: Document, known: Sequence[Section]) -> list[Section]:
    """The sections that say what none of those known says."""
    said = [_said(document, section) for section in known] if sections else []
    return [section for section in sections if _said(copy, section) not in said]


def _moved(copy: Document, section: Section, name: str, newline: str) -> str:
    """A section as it stands in another file: without blank lines behind it, plain line ends those of that file."""
    lines = copy.lines[section.first_line : _solid_end(copy, section)]
    if name != section.name:
        lines[0] = with_heading_name(lines[0], name)
    return "".join(with_ends("".join(lines), newline))


def _blank_behind(document: Document, section: Section) -> str:
    """As many blank lines as end a section."""
    return document.newline * (section.end_line - _solid_end(document, section))


def _solid_end(document: Document, section: Section) -> int:
    """The line behind the last one of a section that is not blank: its heading never is."""
    return next(at for at in range(section.end_line, section.first_line, -1) if document.lines[at - 1].strip())


def _with_prose(document: Document, copy: Document) -> Document:
    """What the copy says above its first item put below what the document says there, unless that says it too."""
    head, prose = "".join(document.preamble), copy.prose
    said, saying = ([line.rstrip() for line in text.splitlines()] for text in (document.prose, prose))
    if any(said[at : at + len(saying)] == saying for at in range(len(said) + 1)):
        return document
    lines = "".join(with_ends(prose, document.newline))
    tail = document.text[len(head) :]
    return Document(head + gap_behind(head, document.newline) + lines + (document.newline if tail else "") + tail)
