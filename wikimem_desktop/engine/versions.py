"""What the history of files says about items: their versions, those that are gone, and how to bring them back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from .changes import Change, Record, check_free
from .diary import day_of
from .document import Document
from .edits import Edits
from .errors import ItemNotFound, NotUtf8
from .history import FileVersion, History
from .sections import gap_behind

if TYPE_CHECKING:
    from .store import MemoryStore

Facts = dict[tuple[str, str], "tuple[bytes, int] | None"]
"""What texts, by digest, say of an item: a digest of its own text and its characters; None: it is not in it."""
Patience = Callable[[], bool]
"""Whether an answer is still wanted; else the rest is not looked at."""


@dataclass(frozen=True, slots=True)
class TextVersion:
    """An item, or (without a name) a whole file, as it was from a moment on.

    `digest` names the text of the file then, `size` its characters (of a file: bytes; None: it was not there);
    `before` and `size_before` say the same of what it replaced.
    """

    file: str
    name: str
    digest: str | None
    size: int | None
    before: str | None
    size_before: int | None
    moment: datetime
    author: str


@dataclass(frozen=True, slots=True)
class GoneItem:
    """An item that is in no file any more: what it said last, in which text of its file, and since when it is gone."""

    category: str
    name: str
    text: str
    digest: str
    moment: datetime
    author: str


def item_versions(
    history: History, category: str, name: str, facts: Facts | None = None, wanted: Patience = lambda: True
) -> list[TextVersion]:
    """The newest first; versions of the file in which the item stayed the same count once.

    `facts` are filled, and spare the next call what is known.
    """
    known: Facts = {} if facts is None else facts

    def fact(version: FileVersion) -> tuple[object, int] | None:
        if version.digest is None:
            return None
        key = version.digest, name
        if key not in known:
            text = text_of(history, version.digest, name)
            if text is None and not history.holds(version):
                return None
            known[key] = None if text is None else (sha256(text.encode("utf-8", "surrogatepass")).digest(), len(text))
        return known[key]

    return _versions(history, category, name, fact, wanted)


def file_versions(history: History, file: str) -> list[TextVersion]:
    """The newest first."""

    def fact(version: FileVersion) -> tuple[object, int] | None:
        if version.digest is None:
            return None
        return version.digest, version.size if version.size is not None else 0

    return _versions(history, file, "", fact, lambda: True)


def _versions(
    history: History, file: str, name: str, fact: Callable[[FileVersion], tuple[object, int] | None], wanted: Patience
) -> list[TextVersion]:
    found: list[TextVersion] = []
    before: tuple[object, int] | None = None
    digest: str | None = None
    for version in reversed(history.versions(file)):
        if not wanted():
            return []
        now = fact(version)
        if now != before:
            sizes = now[1] if now else None, before[1] if before else None
            found.append(
                TextVersion(file, name, version.digest, sizes[0], digest, sizes[1], version.moment, version.author)
            )
        before, digest = now, version.digest
    return found[::-1]


def text_of(history: History, digest: str | None, name: str = "") -> str | None:
    """What a text of the history says of an item, or all that it says; None: the item, or the text, is not there."""
    if digest is None:
        return None
    try:
        data = history.bytes_of(digest)
        if not name:
            return data.decode("utf-8", "replace")
        document = Document.from_bytes(data)
    except (KeyError, NotUtf8):
        return None
    return document.own_text(name) if name in document.effective() else None


def gone_items(
    history: History, present: Collection[tuple[str, str]], wanted: Patience = lambda: True
) -> list[GoneItem]:
    """The items of the history that are not `present` (category, name), the latest gone first.

    A name that an item had only between two renames of ours, one and its undo say, is none that is gone.
    """
    found: dict[tuple[str, str], GoneItem] = {}
    for file in history.files():
        newer: FileVersion | None = None
        after: Document | None = None
        passed: set[str] = set()
        versions = history.versions(file) if day_of(file) is None else []
        for number, version in enumerate(versions):
            if not wanted():
                return []
            document = _document(history, version)
            names = document.effective() if document else {}
            passed &= names.keys()
            for name in names:
                address = file, name
                if address in present or address in found or name in passed or not (version.digest and document):
                    continue
                if _takes_over(document, name, after, newer) and _took_over(history, name, versions[number:]):
                    passed.add(name)
                    continue
                since = newer or version
                text = document.own_text(name)
                found[address] = GoneItem(file, name, text, version.digest, since.moment, since.author)
            newer, after = version, document
    return sorted(found.values(), key=lambda item: item.moment, reverse=True)


def _takes_over(document: Document | None, name: str, other: Document | None, version: FileVersion | None) -> bool:
    """Whether a write of ours gave the item of a document another name that it has in the `other` one."""
    if document is None or other is None or version is None or version.author != "app":
        return False
    text, names = document.own_text(name), document.effective()
    return any(other.own_text(found) == text for found in other.effective() if found not in names)


def _took_over(history: History, name: str, versions: Sequence[FileVersion]) -> bool:
    """Whether an item had its name by a write of ours, of another one that it had before."""
    newer, document = versions[0], _document(history, versions[0])
    for version in versions[1:]:
        older = _document(history, version)
        if older is None or name not in older.effective():
            return _takes_over(document, name, older, newer)
        newer, document = version, older
    return False


def _document(history: History, version: FileVersion) -> Document | None:
    if version.digest is None:
        return None
    try:
        return Document.from_bytes(history.bytes_of(version.digest))
    except (KeyError, NotUtf8):
        return None


def restore_item(store: MemoryStore, category: str, name: str, data: bytes) -> Change:
    """The item as it was in a text of its file, with its metadata; it takes the place of what it says now.

    Raises `ItemNotFound` when the text has no such item, `NameTaken` when another one that looks alike has come since,
    `UnreadableFile`.
    """
    old = Document.from_bytes(data)
    section = old.effective().get(name)
    if section is None:
        raise ItemNotFound(category, name)
    edits = Edits(store)
    document = edits.document(category)
    lines = old.lines[section.first_line : section.end_line]
    present = document.effective().get(name)
    if present is not None:
        now = document.lines
        lines = _ended(lines, document, last=present.end_line == len(now))
        new = Document("".join([*now[: present.first_line], *lines, *now[present.end_line :]]))
    else:
        _check_file(edits, category)
        check_free(category, name, document.effective())
        title = document if edits.exists(category) else Document("".join(old.preamble))
        new = _inserted(title, old, name, "".join(lines))
    edits.put(category, new)
    edits.record(
        [Record("update" if present else "add", category, name, section.owner, section.source_conv, "restored")]
    )
    return edits.change()


def restore_file(store: MemoryStore, file: str, data: bytes | None) -> Change:
    """A whole category or day as it was; None: it was not there. What stands there now may be no text at all.

    Raises `NameTaken`.
    """
    edits = Edits(store)
    if data is not None and day_of(file) is None:
        _check_file(edits, file)
    edits.put_bytes(file, data)
    return edits.change()


def _check_file(edits: Edits, category: str) -> None:
    """Raises `NameTaken` when a file that is to come back would stand beside one that looks alike."""
    there = edits.store.categories()
    if category not in there:
        check_free(category, None, there)


def _inserted(document: Document, old: Document, name: str, text: str) -> Document:
    """A section put back behind the one that it followed, or at the end."""
    names = [section.name for section in old.sections if section.effective]
    above = set(names[: names.index(name)])
    followed = [section for section in document.sections if section.name in above]
    sections = document.sections
    at = followed[-1].end_line if followed else sections[0].first_line if sections and not above else None
    return document.with_sections(text, at)


def _ended(lines: list[str], document: Document, *, last: bool) -> list[str]:
    """The lines of a section that will not be the last one of its file: a blank line ends it."""
    if last or not lines:
        return lines
    text = "".join(lines)
    return [text, gap_behind(text, document.newline)]
