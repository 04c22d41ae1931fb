"""Renaming and moving items and categories together with every link that leads to them.

The functions read the store and return a `Change`, like those of `changes`. Links are rewritten in what hosts read and
in what only people do (sections that hosts ignore, prose above the first item); in code too, since hosts resolve them
there, unless they are `kept`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .atomic import is_read_only, read_or_none
from .changes import (
    Change,
    FileChange,
    Mark,
    check_category_name,
    check_free,
    check_item_name,
    differences,
    moved_records,
    titled,
)
from .diary import day_of
from .document import Document
from .edits import Edits
from .errors import NotUtf8
from .items import composed
from .links import LinkSpan, WikiLink, find_wiki_links
from .markdown import code_lines
from .problems import line_numbers
from .sections import heading_name, line_end, metadata_fields, without_end

if TYPE_CHECKING:
    from .store import MemoryStore

_OLD = FileChange(b"", b"")
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")


@dataclass(frozen=True, slots=True)
class Redirection:
    """Where links to some items of a category shall lead.

    `names` tells the new name of each item by its old one, `others` the names that links may mean and that stay. A link
    that looks like an address in another Unicode form means it when no name is exactly so: people read it like this.
    """

    category: str
    new_category: str
    names: Mapping[str, str]
    others: frozenset[str] = field(default=frozenset())

    def target(self, link: WikiLink) -> WikiLink | None:
        """Where the link shall lead; None: it stays."""
        if composed(link.category) != composed(self.category):
            return None
        name = self.names.get(link.name) if link.category == self.category else None
        if name is None and link.name not in self.others:
            alike = composed(link.name)
            name = next((new for old, new in self.names.items() if composed(old) == alike), None)
        return None if name is None else WikiLink(self.new_category, name)

    def reversed(self) -> Redirection:
        return Redirection(self.new_category, self.category, {new: old for old, new in self.names.items()}, self.others)


@dataclass(frozen=True, slots=True)
class LinkLine:
    """A line with links that are to lead elsewhere.

    `key` is its file (a category or a `day_key`), `at` its index in `Document.lines`, `line` its number from 1 as an
    editor of texts shows it.
    """

    key: str
    at: int
    line: int
    text: str
    spans: tuple[LinkSpan, ...]
    section: str
    """The item or time it belongs to; "" above the first one."""
    in_code: bool

    @property
    def mark(self) -> Mark:
        """What tells the line from others, also when the file has changed above it."""
        return self.key, self.text, self.in_code


# ------------------------------------------------------------ links


def rewrite_line(line: str, *redirections: Redirection) -> str:
    """The line with its links redirected; white space inside their brackets stays."""
    for redirection in redirections:
        line = _redirected(line, redirection)
    return line


def _redirected(line: str, redirection: Redirection) -> str:
    for span in reversed(list(find_wiki_links(line))):
        target = redirection.target(span.link)
        if target is not None and target != span.link:
            category, _, name = line[span.start : span.end].partition(":")
            category = category.replace(span.link.category, target.category)
            line = f"{line[: span.start]}{category}:{name.replace(span.link.name, target.name)}{line[span.end :]}"
    return line


def rewrite_text(text: str, *redirections: Redirection, kept: Collection[Mark] = ()) -> str:
    """An item's text with its links redirected, but in lines that say the same as one that is `kept`."""
    if "[[" not in text:
        return text
    stay = {line for _, line, _ in kept}
    pairs = ((without_end(line), line_end(line)) for line in text.splitlines(keepends=True))
    return "".join((line if line in stay else rewrite_line(line, *redirections)) + end for line, end in pairs)


def links_to(store: MemoryStore, *redirections: Redirection) -> list[LinkLine]:
    """Every line of the store whose links the redirections would change, files in the order of `Edits.keys`."""
    return [line for key, document in Edits(store).readable() for line in _link_lines(key, document, *redirections)]


def read_only_among(store: MemoryStore, keys: Iterable[str]) -> list[str]:
    """The files that a change of several would not write."""
    return [key for key in dict.fromkeys(keys) if is_read_only(store.path(key))]


def count_redirected(store: MemoryStore, change: Change, *redirections: Redirection) -> tuple[int, int]:
    """How many links led there before a change and do not any more, as the disk says, and in how many files."""
    gone = Counter[str]()
    renamed = {r.new_category: r.category for r in redirections if change.files.get(r.new_category, _OLD).base is None}
    for key, file in change.files.items():
        disk = read_or_none(store.path(key)) if file.new is not None else None
        led, lead = (_count_links(key, data, redirections) for data in (file.base, disk))
        gone[renamed.get(key, key)] += led - lead
    return gone.total(), sum(count > 0 for count in gone.values())


def _count_links(key: str, data: bytes | None, redirections: Sequence[Redirection]) -> int:
    try:
        document = Document.from_bytes(data or b"")
    except NotUtf8:
        return 0
    return sum(len(line.spans) for line in _link_lines(key, document, *redirections))


def _link_lines(key: str, document: Document, *redirections: Redirection) -> Iterator[LinkLine]:
    if "[[" not in document.text or not any(mark in document.text for r in redirections for mark in _marks(r)):
        return
    bare, code, numbers = [without_end(line) for line in document.lines], list[bool](), line_numbers(document)
    for at, line in enumerate(bare):
        if "[[" not in line or heading_name(line) is not None or metadata_fields(line) is not None:
            continue
        spans = tuple(s for s in find_wiki_links(line) if any(r.target(s.link) is not None for r in redirections))
        if spans:
            code = code or list(code_lines(bare))
            in_code = code[at] or all(_is_code(line, span) for span in spans)
            yield LinkLine(key, at, numbers[at], line, spans, _section_name(document, at), in_code)


def _marks(redirection: Redirection) -> set[str]:
    """One of these stands in every text with a link that counts; a name of many forms is not looked for."""
    return {redirection.category if redirection.category.isascii() else ""}


def _is_code(line: str, span: LinkSpan) -> bool:
    return any(match.start() < span.start and span.end < match.end() for match in _CODE_SPAN.finditer(line))


def _section_name(document: Document, line: int) -> str:
    return next((s.name for s in document.sections if s.first_line <= line < s.end_line), "")


def redirect(edits: Edits, redirection: Redirection, kept: Collection[Mark]) -> None:
    """Rewrite every link in the planned files but those of the lines that are `kept`."""
    back = redirection.reversed()
    for key, document in list(edits.readable()):
        edits.strays.update(line.mark for line in _link_lines(key, document, back))
        found = [line for line in _link_lines(key, document, redirection) if line.mark not in kept]
        if not found:
            continue
        lines = list(document.lines)
        for line in found:
            lines[line.at] = rewrite_line(line.text, redirection) + line_end(lines[line.at])
        changed = Document("".join(lines))
        edits.put(key, changed)
        if day_of(key) is None:
            edits.record(differences(document.items(key), changed.items(key)))


def also_at(category: str, new_category: str, kept: Collection[Mark]) -> set[Mark]:
    """The kept lines, those of a category also where they will stand."""
    return {*kept, *((new_category, text, code) for key, text, code in kept if key == category)}


# ------------------------------------------------------------ renaming and moving


def redirection_of_item(store: MemoryStore, category: str, name: str, new_category: str, new_name: str) -> Redirection:
    """Raises `ItemNotFound` and `UnreadableFile`."""
    edits = Edits(store)
    item = edits.item(category, name)
    others = frozenset(edits.document(category).effective()) - {item.name}
    return Redirection(category, new_category, {item.name: " ".join(new_name.split())}, others)


def redirection_of_category(store: MemoryStore, category: str, new_category: str) -> Redirection:
    """Raises `CategoryNotFound` and `UnreadableFile`."""
    names = Edits(store).category(category).effective()
    return Redirection(category, new_category, {name: name for name in names})


def rename_item(store: MemoryStore, category: str, name: str, new_name: str, kept: Collection[Mark] = ()) -> Change:
    """All sections of that name called otherwise, and every link to it.

    Raises `ItemNotFound`, `InvalidItemName`, `NameTaken`, `UnreadableFile`.
    """
    edits = Edits(store)
    item, document = edits.item(category, name), edits.document(category)
    new_name = check_item_name(new_name, document.effective(), item.name, category=category)
    if new_name == item.name:
        return Change()
    edits.put(category, document.with_name(item.name, new_name))
    edits.record(moved_records(item, category, new_name))
    redirect(edits, redirection_of_item(store, category, item.name, category, new_name), kept)
    return edits.change()


def move_items(
    store: MemoryStore,
    items: Sequence[tuple[str, str]],
    new_category: str,
    kept: Collection[Mark] = (),
) -> Change:
    """Items (category, name) put behind the last one of another category, which is made if need be, with their links.

    All sections of a name go together; a file whose last item went goes too when only a title is left. Raises
    `ItemNotFound`, `InvalidCategory`, `NameTaken`, `UnreadableFile`.
    """
    edits = Edits(store)
    for category, name in items:
        if category == new_category:
            continue
        item, document = edits.item(category, name), edits.document(category)
        target = edits.document(new_category)
        if not edits.exists(new_category):
            target = titled(check_category_name(new_category, store.categories()))
        check_free(new_category, item.name, target.effective())  # it is called so already, allowed or not
        sections = [s for s in document.sections if s.name == item.name]
        for section in sections:
            target = target.with_sections("".join(document.lines[section.first_line : section.end_line]))
        edits.put(new_category, target)
        edits.put_rest(category, document.without_item(item.name))
        edits.record(moved_records(item, new_category, item.name))
        others = frozenset(document.effective()) - {item.name}
        moved = Redirection(category, new_category, {item.name: item.name}, others)
        redirect(edits, moved, also_at(category, new_category, kept))
    return edits.change()


def rename_category(store: MemoryStore, category: str, new_category: str, kept: Collection[Mark] = ()) -> Change:
    """The file called otherwise, its title too if that was the old name, and every link to its items.

    Raises `CategoryNotFound`, `InvalidCategory`, `NameTaken`, `UnreadableFile`.
    """
    edits = Edits(store)
    document = edits.category(category)
    check_category_name(new_category, store.categories(), category)
    if new_category == category:
        return Change()
    edits.put(new_category, titled(new_category, document, instead_of=category))
    edits.put(category, None)
    for item in document.items(category):
        edits.record(moved_records(item, new_category, item.name))
    names = document.effective()
    moved = Redirection(category, new_category, {name: name for name in names})
    redirect(edits, moved, also_at(category, new_category, kept))
    return edits.change()
