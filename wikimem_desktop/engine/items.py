"""What a memory is made of: items, the links between them, and the rules for their names."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

from .errors import InvalidCategory, InvalidItemName
from .links import WikiLink, parse_wiki_links

_CATEGORY = re.compile(r"[a-z0-9_][a-z0-9_-]*")
RESERVED_IN_NAMES = ("[[", "]]", ":", "|", "#")


@dataclass(frozen=True, slots=True)
class MemoryItem:
    """One `##` section of a category file, as hosts read it."""

    category: str
    name: str
    content: str
    owner: str | None = None
    source_conv: str | None = None
    ts: str | None = None

    @property
    def address(self) -> str:
        return f"{self.category}:{self.name}"

    @property
    def index_text(self) -> str:
        """The text that is ranked, embedded and charged to the budget."""
        return f"{self.name}\n{self.content}"

    @property
    def links(self) -> list[WikiLink]:
        """Wiki-links of the content in order of appearance, repeats kept."""
        return parse_wiki_links(self.content)


@dataclass(slots=True)
class RetrievedItem:
    """One entry of an injection sequence."""

    item: MemoryItem
    source: str
    """"hit" (found by the search) or "link" (pulled in by a hit)."""
    score: float | None = None
    bm25_score: float | None = None
    cos_score: float | None = None
    via: str | None = None
    """Name of the hit whose link pulled this entry in."""
    matched_terms: list[str] = field(default_factory=list)
    tokens_est: int = 0


@dataclass(slots=True)
class RetrievalResult:
    """What a host would inject for a query, in order, and what did not make it."""

    items: list[RetrievedItem]
    budget_tokens: int | None
    budget_used: int = 0
    embedding_used: bool = False
    dropped: list[RetrievedItem] = field(default_factory=list)
    """Entries behind the budget cut; filled when `explain`."""
    unresolved_links: list[str] = field(default_factory=list)
    time_range: tuple[str, str] | None = None
    time_range_source: str | None = None
    """"explicit", "parsed" or None."""
    time_range_widened: bool = False


def composed(text: str) -> str:
    """The form in which texts that look the same are the same (Unicode NFC)."""
    return unicodedata.normalize("NFC", text)


def validate_category(category: str) -> str:
    """Return the name if hosts can write a category of that name, else raise `InvalidCategory`."""
    if not _CATEGORY.fullmatch(category):
        raise InvalidCategory(category)
    return category


def sanitize_item_name(name: str) -> str:
    """Return the name with white-space runs collapsed, or raise `InvalidItemName`."""
    cleaned = " ".join(name.split())
    if not cleaned:
        raise InvalidItemName(name, None)
    surrogate = next((character for character in cleaned if "\ud800" <= character <= "\udfff"), None)
    if surrogate:
        raise InvalidItemName(cleaned, surrogate)
    for reserved in RESERVED_IN_NAMES:
        if reserved in cleaned:
            raise InvalidItemName(cleaned, reserved)
    return cleaned
