"""Replacing what was found in all files of a store: each line before and after, what speaks against it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .changes import Change, differences
from .diary import day_of
from .document import Document
from .edits import Edits
from .errors import Conflict, UnreadableFile
from .links import WikiLink, parse_wiki_links
from .search import Finder, FindInLine, Hit, TooSlow, file_keys, search_document
from .sections import heading_name, line_end, metadata_fields, without_end

if TYPE_CHECKING:
    from .store import MemoryStore

Resolves = Callable[[WikiLink], bool]


@dataclass(frozen=True, slots=True)
class Replacement:
    """A line as it is (`hit.text`), and what takes the place of each match in it."""

    hit: Hit
    news: tuple[str, ...]
    against: str = ""
    """What speaks against it: "heading", "item", "metadata"; "surrogate" and "unsaved" can't be done; "": nothing."""
    broken: tuple[WikiLink, ...] = ()
    """Links that lead nowhere in it and did not stand there before."""

    @property
    def after(self) -> str:
        """The line as it would be: it may be several, ended by `\\n`."""
        pieces, at = list[str](), 0
        for (start, end), new in zip(self.hit.spans, self.news, strict=True):
            pieces += [self.hit.text[at:start], new]
            at = end
        return "".join([*pieces, self.hit.text[at:]])

    @property
    def possible(self) -> bool:
        return self.against not in ("surrogate", "unsaved")


def replacement_steps(
    store: MemoryStore, finder: Finder, template: str, resolves: Resolves
) -> Iterator[list[Replacement]]:
    """What replacing every match comes to, a short piece of work a step. Raises `re.error` for a bad template.

    Files that can't be read, or take the pattern too long, are left out, as they are by the search.
    """
    edits = Edits(store)
    for key in file_keys(store):
        try:
            document = edits.document(key)
        except UnreadableFile:
            continue
        if finder.is_nowhere_in(document.text):
            yield []
            continue
        expanding = finder.in_file()
        for found in search_document(key, document, finder.in_file()):
            try:
                yield [_replacement(hit, expanding, finder, template, resolves) for hit in found.hits]
            except TooSlow:
                break


def _replacement(hit: Hit, find: FindInLine, finder: Finder, template: str, resolves: Resolves) -> Replacement:
    replacement = Replacement(hit, tuple(finder.expand(match, template) for match in find(hit.text)))
    after, known = replacement.after, set(parse_wiki_links(hit.text))
    new = dict.fromkeys(link for link in parse_wiki_links(after) if link not in known)
    broken = tuple(link for link in new if not resolves(link))
    return replace(replacement, against=_against(hit.text, after), broken=broken)


def _against(before: str, after: str) -> str:
    """What a line would do that replacing text should not."""
    lines = after.splitlines() or [""]
    if heading_name(before) is not None:
        return "" if [heading_name(line) for line in lines] == [heading_name(before)] else "heading"
    if any(heading_name(line) is not None for line in lines):
        return "item"
    fields, new = metadata_fields(before), [metadata_fields(line) for line in lines]
    if fields is None and any(line is not None for line in new):
        return "metadata"
    if fields is not None:
        same = len(new) == 1 and new[0] is not None and new[0].keys() == fields.keys()
        if not same or before.count("|") != after.count("|"):
            return "metadata"
    return "surrogate" if re.search("[\ud800-\udfff]", after) else ""


def replace_lines(store: MemoryStore, chosen: Iterable[Replacement]) -> Change:
    """The change that puts these lines in the place of those that were found.

    Raises `Conflict` when a file does not hold one of them any more, and `UnreadableFile`.
    """
    edits = Edits(store)
    by_file: dict[str, list[Replacement]] = defaultdict(list)
    for replacement in chosen:
        by_file[replacement.hit.key].append(replacement)
    for key, replacements in by_file.items():
        document = edits.document(key)
        lines = list(document.lines)
        for replacement in replacements:
            hit = replacement.hit
            if hit.at >= len(lines) or without_end(lines[hit.at]) != hit.text:
                raise Conflict(None, None, "", category=key)
        for replacement in replacements:
            at = replacement.hit.at
            lines[at] = replacement.after.replace("\n", document.newline) + line_end(lines[at])
        changed = Document("".join(lines))
        edits.put(key, changed)
        if day_of(key) is None:
            edits.record(differences(document.items(key), changed.items(key)))
    return edits.change()
