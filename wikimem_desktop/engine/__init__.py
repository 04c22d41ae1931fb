"""The engine: a memory store, its index and retrieval, as a library. No Qt.

Importing it loads neither numpy nor jieba nor httpx; numpy comes with the first index.
"""

from .diary import Diary, DiaryEntry
from .index import MemoryIndex
from .items import (
    MemoryItem,
    RetrievalResult,
    RetrievedItem,
    sanitize_item_name,
    validate_category,
)
from .journal import Journal
from .links import WikiLink, parse_wiki_links
from .store import MemoryStore
from .time_range import parse_time_range
from .tokens import est_tokens, tokenize

__all__ = [
    "Diary",
    "DiaryEntry",
    "Journal",
    "MemoryIndex",
    "MemoryItem",
    "MemoryStore",
    "RetrievalResult",
    "RetrievedItem",
    "WikiLink",
    "est_tokens",
    "parse_time_range",
    "parse_wiki_links",
    "sanitize_item_name",
    "tokenize",
    "validate_category",
]
