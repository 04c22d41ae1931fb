"""Forgetting for good: what is sought, where it may still be, and how a text is without it.

A place where texts live is a `Hideout`; `hideouts.py` and `kept_texts.py` have those that need no window. What can't be
purged there is named with its obstacle. Deleted files are unlinked, not overwritten: what a disk still holds of them is
beyond us.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from typing import Any, NamedTuple, Protocol

from .any_case import pattern_of
from .byte_texts import readings
from .document import Document
from .errors import WikimemError
from .former_addresses import Address, Stay, says_one_of
from .history import FileVersion
from .links import find_wiki_links
from .sections import Section

MARK = "…"
"""Stands where something was forgotten. Hosts take it as text, as an item's name and in a link."""
_CATEGORY_KEYS, _ITEM_KEYS = ("category", "file"), ("item", "name")
_FEWEST = 2


class Trace(NamedTuple):
    """Somewhere that it lives.

    `obstacle` says why it can't be purged: "name" (of a category), "file name", "git", "trash".
    """

    where: str
    times: int = 1
    obstacle: str = ""


class Hideout(Protocol):
    """A kind of places where a text may live."""

    @property
    def name(self) -> str:
        """Of the kind, for whoever tells a person about it."""

    def find(self, sought: Sought) -> list[Trace]:
        """Where it lives here."""

    def purge(self, sought: Sought) -> None:
        """Make that nowhere. Raises `WikimemError` and `OSError`; the rest is purged the next time."""


class Found(NamedTuple):
    """A trace and the hideout (by name) that it was found in."""

    hideout: str
    trace: Trace


def search(hideouts: Iterable[Hideout], sought: Sought) -> list[Found]:
    """Where it lives, hideout by hideout."""
    return [Found(hideout.name, trace) for hideout in hideouts for trace in hideout.find(sought)]


def purge(hideouts: Iterable[Hideout], sought: Sought) -> list[Exception]:
    """Purge every hideout, and say what went wrong; `search` tells what is left."""
    errors: list[Exception] = []
    for hideout in hideouts:
        try:
            hideout.purge(sought)
        except (WikimemError, OSError) as error:
            errors.append(error)
    return errors


class Sought:
    """A text wherever it stands, and an item (category, name) with all it ever said and every link to it.

    The text is found in any case, in composed and decomposed form, and whatever white space is between its words. The
    item is found at its former addresses too (`stays`) where these mean nothing else now; where another item took one
    over, only what is older than that is the item's: `KeptVersions` and, by `of_line`, the journal know how old a text
    is. Links to such an address are taken to mean the other item.
    """

    def __init__(self, text: str = "", item: Address | None = None, stays: Sequence[Stay] = ()) -> None:
        self.text = text
        self.item = item
        self.stays = tuple(stay for stay in stays if stay.address != item)
        self.versions: dict[Address, frozenset[FileVersion]] = {}
        """Of the stays, as they were found before anything was purged: what is left then tells less of moves."""
        self._addresses = frozenset([*([item] if item else []), *(s.address for s in self.stays if not s.taken)])
        self._pattern = pattern_of(text)

    @property
    def is_enough(self) -> bool:
        """Whether it is so much that not every text has it."""
        enough = len("".join(self.text.split())) >= _FEWEST
        return enough if self.text.strip() else self.item is not None

    @property
    def text_only(self) -> Sought:
        """The same outside of the store that has the item."""
        return Sought(self.text)

    @property
    def address(self) -> str | None:
        return ":".join(self.item) if self.item else None

    @property
    def all_addresses(self) -> list[Address]:
        """Where the item is or was, also where another one is now."""
        return list(dict.fromkeys([*([self.item] if self.item else []), *(stay.address for stay in self.stays)]))

    def of_line(self, number: int) -> Sought:
        """What is sought in a line of the journal (counted from 0): it tells of a time when the item was elsewhere."""
        if not self.stays:
            return self
        then = copy(self)
        former = [stay.address for stay in self.stays if stay.covers(number)]
        then._addresses = frozenset([*([self.item] if self.item else []), *former])
        return then

    # ------------------------------------------------------------ finding

    def in_text(self, text: str) -> bool:
        if self._pattern is not None and self._pattern.search(text):
            return True
        return any(self._links(text))

    def in_bytes(self, data: bytes) -> bool:
        """Whether bytes hold it in any encoding that a text may have, or escaped as JSON does."""
        return any(self.in_text(text) for text in readings(data))

    def in_file(self, key: str, data: bytes) -> bool:
        """The same of a category or day file, where the item is found by its name."""
        return self.in_bytes(data) or says_one_of(data, self._names_in(key))

    def in_json(self, value: Any) -> bool:
        """Whether a text of a JSON value holds it, or the value tells of the item."""
        if isinstance(value, str):
            return self._is_address(value) or self.in_text(value)
        if isinstance(value, dict):
            return (
                self._is_named_in(value) or self._is_file_in(value) or any(map(self.in_json, [*value, *value.values()]))
            )
        if isinstance(value, list):
            named = any([*address] == value[at : at + 2] for address in self._addresses for at in range(len(value)))
            return named or any(map(self.in_json, value))
        return False

    def sections(self, key: str, document: Document) -> Iterator[Section]:
        """The sections of a file that hold it."""
        for section in document.sections:
            text = "".join(document.lines[section.first_line : section.end_line])
            if section.name in self._names_in(key) or self.in_text(text):
                yield section

    def _names_in(self, key: str | None) -> set[str]:
        """What the item is called in a category."""
        return {name for category, name in self._addresses if category == key}

    def _is_address(self, text: str) -> bool:
        return any(text == f"{category}:{name}" for category, name in self._addresses)

    def _names_for(self, entry: dict[str, Any]) -> set[str]:
        return {name for key in _CATEGORY_KEYS for name in self._names_in(entry.get(key))}

    def _is_named_in(self, entry: dict[str, Any]) -> bool:
        names = self._names_for(entry)
        return any(entry.get(key) == name for key in _ITEM_KEYS for name in names)

    def _is_file_in(self, entry: dict[str, Any]) -> bool:
        """Whether it holds the text of the item's file."""
        names = self._names_for(entry)
        texts = [text for text in entry.values() if names and isinstance(text, str) and "##" in text]
        return any(says_one_of(text.encode("utf-8", "surrogatepass"), names) for text in texts)

    def _links(self, text: str) -> Iterator[tuple[int, int]]:
        for span in find_wiki_links(text) if self._addresses and "[[" in text else ():
            name = span.link.name.partition("|")[0].strip()
            if (span.link.category, name) in self._addresses:
                yield span.start, span.end

    # ------------------------------------------------------------ taking it out

    def redacted(self, text: str) -> str:
        """The text with `MARK` wherever it stood."""
        if self._pattern is not None:
            text = self._pattern.sub(MARK, text)
        for start, end in reversed(list(self._links(text))):
            text = text[:start] + MARK + text[end:]
        return text

    def redacted_json(self, value: Any) -> Any:
        """A JSON value with `MARK` in its texts, and for the item's name."""
        if isinstance(value, str):
            return MARK if self._is_address(value) else self.redacted(value)
        if isinstance(value, list):
            return [self.redacted_json(part) for part in value]
        if not isinstance(value, dict):
            return value
        gone = _ITEM_KEYS if self._is_named_in(value) else ()
        return {
            self.redacted(key): MARK if key in gone and isinstance(part, str) else self.redacted_json(part)
            for key, part in value.items()
        }

    def redacted_line(self, line: bytes) -> bytes:
        """A line of JSON without it; the same bytes when it was not there."""
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            text = line.decode("utf-8", "surrogateescape")
            return self.redacted(text).encode("utf-8", "surrogateescape")
        if not self.in_json(value):
            return line
        return json.dumps(self.redacted_json(value), ensure_ascii=False).encode("utf-8", "surrogatepass")

    def cleaned(self, key: str, document: Document) -> Document:
        """A category or day file without it: the item gone, and so the sections that said nothing else."""
        for name in self._names_in(key):
            document = document.without_item(name)
        if not self.in_text(document.text):
            return document
        new = Document(self.redacted(document.text))
        if len(new.sections) != len(document.sections):  # it reached over headings
            return new
        empty = [s.content == MARK != old.content for s, old in zip(new.sections, document.sections, strict=True)]
        new = _with_distinct_names(new, document)
        lines = list(new.lines)
        for section, gone in reversed(list(zip(new.sections, empty, strict=True))):
            if gone:
                del lines[section.first_line : section.end_line]
        return Document("".join(lines))


def _with_distinct_names(new: Document, old: Document) -> Document:
    """Items whose names became the same would shadow each other: the later ones get numbers."""
    owners: dict[str, str] = {}
    for at, before in enumerate([section.name for section in old.sections]):
        name = new.sections[at].name
        if owners.setdefault(name, before) == before:
            continue
        number = next(n for n in range(2, len(new.sections) + 2) if f"{name} {n}" not in _names(new.sections))
        same = [other for other, section in enumerate(new.sections) if section.name == name]
        new = new.with_section_name(name, same.index(at), f"{name} {number}")
        owners[f"{name} {number}"] = before
    return new


def _names(sections: Sequence[Section]) -> set[str]:
    return {section.name for section in sections}
