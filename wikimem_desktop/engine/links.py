"""Wiki-links `[[category:name]]`: finding them in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

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
