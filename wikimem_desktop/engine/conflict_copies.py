"""Copies of category files that sync tools make when two machines wrote at once.

Hosts read such a file like any other category, so retrieval here does too: it is told, never hidden.
"""

from __future__ import annotations

import re
from collections.abc import Collection

_MARKS = [
    r"\.sync-conflict-[0-9A-Za-z-]+",  # Syncthing
    r" \([^()]*[Cc]onflict[^()]*\)",  # Dropbox, Nextcloud: (conflicted copy 2026-01-01)
    r"[ _-]conflict(?:ed)?[ _-][0-9][0-9A-Za-z_-]*",  # ownCloud: _conflict-20260101
    r" \([0-9]+\)",  # Google Drive, browsers
    r" - Copy(?: \([0-9]+\))?",  # Windows
    r"~.+",  # Synology: ~HOST
    # OneDrive: -HOST. In lower case it can't be told from a category that is meant.
    r"-(?=[^A-Z]*[A-Z])[0-9A-Za-z-]+",
]
_PLAIN = re.compile("[a-z0-9_-]+")
_COPY = re.compile(rf"(?P<original>.+?)(?:{'|'.join(_MARKS)})", re.DOTALL)


def original_of(category: str, categories: Collection[str]) -> str | None:
    """The category that this one looks like a copy of; None when there is none, or it looks like no copy."""
    if _PLAIN.fullmatch(category) and "conflict" not in category:
        return None
    match = _COPY.fullmatch(category)
    return match["original"] if match and match["original"] in categories else None
