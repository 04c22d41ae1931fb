"""Who finds an item by a wiki-link."""

from __future__ import annotations

from enum import Enum, auto

from wikimem_desktop.engine.items import MemoryItem
from wikimem_desktop.engine.links import WikiLink


class Reach(Enum):
    """Hosts compare the characters of a link, people what it looks like."""

    HOSTS = auto()
    """Everyone finds the item."""
    PEOPLE = auto()
    """It is found here, and hosts miss it."""
    NOBODY = auto()


def reach(link: WikiLink, target: MemoryItem | None) -> Reach:
    """Who finds the item that `Library.target` gave for a link."""
    if target is None:
        return Reach.NOBODY
    return Reach.HOSTS if (target.category, target.name) == (link.category, link.name) else Reach.PEOPLE
