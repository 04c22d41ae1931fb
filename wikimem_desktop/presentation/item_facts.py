"""What an item costs and where its links lead."""

from __future__ import annotations

from dataclasses import dataclass

from wikimem_desktop.engine.index import Snapshot
from wikimem_desktop.engine.links import parse_wiki_links
from wikimem_desktop.engine.tokens import est_tokens
from wikimem_desktop.presentation.buffer import Buffer


@dataclass(frozen=True, slots=True)
class ItemFacts:
    """Of the text as it stands in the editor. `tokens` is what it takes from a budget."""

    tokens: int
    characters: int
    links_out: int
    unresolved: int
    links_in: int


def item_facts(buffer: Buffer, snapshot: Snapshot, links_in: int) -> ItemFacts:
    links = parse_wiki_links(buffer.text)
    unresolved = sum(snapshot.row(link.category, link.name) is None for link in links)
    cost = est_tokens(f"{buffer.place.name}\n{buffer.text}")
    return ItemFacts(cost, len(buffer.text), len(links), unresolved, links_in)
