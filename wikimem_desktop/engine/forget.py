"""Forgetting for good: what is sought, where it may still be, and how a text is without it.

A place where texts live is a `Hideout`; `hideouts.py` and `kept_texts.py` have those that need no window. What can't be
purged there is named with its obstacle. Deleted files are unlinked, not overwritten: what a disk still holds of them is
beyond us.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from .any_case import pattern_of
from .byte_texts import readings
from .document import Document
from .errors import WikimemError
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


@dataclass(frozen=True, slots=True)
class _Item:
    category: str
    name: str


class Sought:
    """A text wherever it stands, and an item (category, name) with all it ever said and every link to it.

    The text is found in any case, in composed and decomposed form, and whatever white space is between its words.
    """

    def __init__(self, text: str = "", item: tuple[str, str] | None = None) -> None:
        self.text = text
        self.item = _Item(*item) if item else None
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
        return f"{self.item.category}:{self.item.name}" if self.item else None

    # ------------------------------------------------------------ finding

    def in_text(self, text: str) -> bool:
        if self._pattern is not None and self._pattern.search(text):
            return True
        return self.item is not None and "[[" in text and any(self._links(text))

    def in_bytes(self, data: bytes) -> bool:
        """Whether bytes hold it in any encoding that a text may have, or escaped as JSON does."""
        return any(self.in_text(text) for text in readings(data))

    def in_file(self, key: str, data: bytes) -> bool:
        """The same of a category or day file, where the item is found by its name."""
        return self.in_bytes(data) or (self._is_of(key) and self.in_sections(data))

    def in_sections(self, data: bytes) -> bool:
        """Whether bytes hold an item of that name."""
        if self.item is None or self.item.name.split()[0].encode("utf-8", "surrogatepass") not in data:
            return False
        return self.item.name in Document(data.decode("utf-8", "replace")).effective()

    def in_json(self, value: Any) -> bool:
        """Whether a text of a JSON value holds it, or the value tells of the item."""
        if isinstance(value, str):
            return value == self.address or self.in_text(value)
        if isinstance(value, dict):
            return (
                self._is_named_in(value) or self._is_file_in(value) or any(map(self.in_json, [*value, *value.values()]))
            )
        if isinstance(value, list):
            address = [self.item.category, self.item.name] if self.item else []
            named = bool(address) and any(value[at : at + 2] == address for at in range(len(value)))
            return named or any(map(self.in_json, value))
        return False

    def sections(self, key: str, document: Document) -> Iterator[Section]:
        """The sections of a file that hold it."""
        for section in document.sections:
            text = "".join(document.lines[section.first_line : section.end_line])
            if self.in_text(text) or (self._is_of(key) and self.item and section.name == self.item.name):
                yield section

    def _is_of(self, key: str) -> bool:
        return self.item is not None and self.item.category == key

    def _is_in_category(self, entry: dict[str, Any]) -> bool:
        return self.item is not None and any(entry.get(key) == self.item.category for key in _CATEGORY_KEYS)

    def _is_named_in(self, entry: dict[str, Any]) -> bool:
        return self._is_in_category(entry) and any(entry.get(key) == self.item.name for key in _ITEM_KEYS if self.item)

    def _is_file_in(self, entry: dict[str, Any]) -> bool:
        """Whether it holds the text of the item's file."""
        texts = [text for text in entry.values() if isinstance(text, str) and "##" in text]
        return self._is_in_category(entry) and any(self.in_sections(t.encode("utf-8", "surrogatepass")) for t in texts)

    def _links(self, text: str) -> Iterator[tuple[int, int]]:
        assert self.item is not None
        for span in find_wiki_links(text):
            name = span.link.name.partition("|")[0].strip()
            if (span.link.category, name) == (self.item.category, self.item.name):
                yield span.start, span.end

    # ------------------------------------------------------------ taking it out

    def redacted(self, text: str) -> str:
        """The text with `MARK` wherever it stood."""
        if self._pattern is not None:
            text = self._pattern.sub(MARK, text)
        if self.item is not None and "[[" in text:
            for start, end in reversed(list(self._links(text))):
                text = text[:start] + MARK + text[end:]
        return text

    def redacted_json(self, value: Any) -> Any:
        """A JSON value with `MARK` in its texts, and for the item's name."""
        if isinstance(value, str):
            return MARK if value == self.address else self.redacted(value)
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
        if self._is_of(key) and self.item:
            document = document.without_item(self.item.name)
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
