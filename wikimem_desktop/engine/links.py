"""Wiki-links `[[category:name]]`: finding them in a text, and who links to an item."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .index import Snapshot
    from .items import MemoryItem

_LINK = re.compile(r"\[\[([^\[\]:\n]+):([^\[\]:\n]+)\]\]")


@dataclass(frozen=True, slots=True)
class WikiLink:
    """The address a link names; whether anything is there is the store's business."""

    category: str
    name: str

    def render(self) -> str:
        return f"[[{self.category}:{self.name}]]"


@dataclass(frozen=True, slots=True)
class LinkSpan:
    """A link and where it stands: code point offsets of its first bracket and behind its last."""

    link: WikiLink
    start: int
    end: int


def find_wiki_links(text: str) -> Iterator[LinkSpan]:
    """Every well-formed link of the text in order, those in code included: hosts resolve them too."""
    for match in _LINK.finditer(text):
        category, name = match[1].strip(), match[2].strip()
        if category and name:
            yield LinkSpan(WikiLink(category, name), match.start(), match.end())


def parse_wiki_links(text: str) -> list[WikiLink]:
    """The links of the text in order of appearance, repeats kept."""
    return [span.link for span in find_wiki_links(text)] if "[[" in text else []


class InboundLink(NamedTuple):
    """An item whose text links to another one, and how often."""

    category: str
    name: str
    times: int


def inbound_links(snapshot: Snapshot, category: str, name: str, more: Iterable[MemoryItem] = ()) -> list[InboundLink]:
    """The items whose texts link to that address, itself included, in store order; then those of `more` (the diary)."""
    linking = [(row, item) for row, item in enumerate(snapshot.items) if item and name in item.content]
    linking.sort(key=lambda place: snapshot.order[place[0]])
    wanted = WikiLink(category, name)
    counted = ((item, item.links.count(wanted)) for item in (*(item for _, item in linking), *more))
    return [InboundLink(item.category, item.name, times) for item, times in counted if times]
