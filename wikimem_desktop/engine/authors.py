"""Who wrote an item last, as far as the journal tells."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

_MOST_BYTES = 2_000_000
"""Of a journal's end: what was changed lately was written down lately."""
_WITHIN_ONE_WRITE = timedelta(seconds=2)

Address = tuple[str, str]


class Author(NamedTuple):
    """`source` is the conversation; "" for what the line does not tell."""

    owner: str
    source: str
    moment: datetime


def authors_of(
    journal: Path, wanted: Collection[Address], ours: Mapping[str, datetime] | None = None
) -> dict[Address, Author]:
    """By category and item the last line of each wanted item, if others wrote it.

    `ours` says when this program wrote a category last: lines up to then may be its own. A journal that can't be read
    tells nothing.
    """
    found: dict[Address, Author] = {}
    for line in _last_lines(journal):
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict):
            address = _text(entry, "category", "file"), _text(entry, "item")
            moment = _moment(entry.get("ts"))
            if address in wanted and moment is not None:
                found[address] = Author(_text(entry, "owner"), _text(entry, "source_conv"), moment)
    since = ours or {}
    return {a: author for a, author in found.items() if a[0] not in since or _is_later(author.moment, since[a[0]])}


def _is_later(moment: datetime, ours: datetime) -> bool:
    return moment > ours + _WITHIN_ONE_WRITE


def _last_lines(journal: Path) -> list[bytes]:
    try:
        with journal.open("rb") as file:
            start = max(0, file.seek(0, 2) - _MOST_BYTES)
            file.seek(start)
            lines = file.read().split(b"\n")
    except OSError:
        return []
    return lines[1:] if start else lines


def _text(entry: Mapping[str, Any], *keys: str) -> str:
    return next((value for key in keys if isinstance(value := entry.get(key), str)), "")


def _moment(ts: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(str(ts))
    except ValueError:
        return None
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
