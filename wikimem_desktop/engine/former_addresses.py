"""Where an item was before it was renamed or moved, as the journal tells, and which old versions show it there.

Programs may give a former address to another item. What is told from the journal is therefore told in stays: an item
was at an address until it moved on, and since something moved there or away from there (None: since ever). What stood
there before or behind that is not the item's.
"""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from .document import Document
from .errors import UnreadableFile

if TYPE_CHECKING:
    from .history import FileVersion, History
    from .store import MemoryStore

Address = tuple[str, str]
"""Category and name."""


class Move(NamedTuple):
    """A pair of lines of the journal, counted from 0: the one removes what the other adds elsewhere."""

    removal: int
    line: int
    moment: datetime
    """In whole seconds: it was not before that."""
    source: Address
    target: Address
    leaving: int = 1
    arriving: int = 1
    """Which one it is of the moves from its source, and of those to its target, that tell the same moment."""


class Stay(NamedTuple):
    """An item's time at a former address. `taken`: another one is there now, and links lead to that."""

    address: Address
    since: Move | None
    until: Move
    taken: bool = False

    def covers(self, line: int) -> bool:
        """Whether a line of the journal that names the address means the item."""
        if self.since is None:
            return line <= self.until.line
        first = self.since.removal if self.since.target == self.address else self.since.line + 1
        return first <= line <= self.until.line


# ------------------------------------------------------------ the journal


def former_stays(store: MemoryStore, item: Address) -> list[Stay]:
    """Back from where the item is now, until it was new.

    An item that others renamed without such lines was never elsewhere, as far as anyone can tell.
    """
    try:
        moves = list(_moves(store.journal.lines()))
    except UnreadableFile:
        return []
    found: list[Stay] = []
    address, arrival = item, _last_at(item, moves)
    while arrival is not None and arrival.target == address:
        moves = moves[: moves.index(arrival)]
        address, before = arrival.source, _last_at(arrival.source, moves)
        found.append(Stay(address, before, arrival, taken=store.get(*address) is not None))
        arrival = before
    return found


def _last_at(address: Address, moves: list[Move]) -> Move | None:
    return next((move for move in reversed(moves) if address in (move.source, move.target)), None)


def _moves(lines: Iterable[bytes]) -> Iterator[Move]:
    """In the order of the journal. Only the few lines with a `detail` are looked at."""
    removals: dict[tuple[Address, Address], int] = {}
    leaving, arriving = Counter[tuple[Address, datetime]](), Counter[tuple[Address, datetime]]()
    for at, line in enumerate(lines):
        entry = _entry(line) if b'"detail"' in line else {}
        address, moment, other = _address(entry), _moment(entry), _detail(entry)
        if address is None or other is None or moment is None:
            continue
        if entry.get("action") == "remove":
            removals[address, other] = at
        elif entry.get("action") == "add" and (other, address) in removals:
            leaving[other, moment] += 1
            arriving[address, moment] += 1
            counts = leaving[other, moment], arriving[address, moment]
            yield Move(removals.pop((other, address)), at, moment, other, address, *counts)


def _entry(line: bytes) -> dict[str, Any]:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return entry if isinstance(entry, dict) else {}


def _address(entry: dict[str, Any]) -> Address | None:
    category, name = entry.get("category", entry.get("file")), entry.get("item")
    return (category, name) if isinstance(category, str) and isinstance(name, str) else None


def _detail(entry: dict[str, Any]) -> Address | None:
    detail = entry.get("detail")
    category, colon, name = detail.partition(":") if isinstance(detail, str) else ("", "", "")
    return (category, name) if colon else None


def _moment(entry: dict[str, Any]) -> datetime | None:
    try:
        moment = datetime.fromisoformat(entry["ts"])
    except (LookupError, TypeError, ValueError):
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).replace(microsecond=0)


# ------------------------------------------------------------ the history


def says_one_of(data: bytes, names: Collection[str]) -> bool:
    """Whether the bytes of a file hold an item with one of the names."""
    if not any(name.split()[0].encode("utf-8", "surrogatepass") in data for name in names):
        return False
    return not Document(data.decode("utf-8", "replace")).effective().keys().isdisjoint(names)


def versions_of(history: History, stays: Sequence[Stay]) -> frozenset[FileVersion]:
    """A file's versions from the stays at an address; the others show something else there.

    A move is where the address was there and is not in the next version, or the other way round. The history may have
    missed that, when others wrote: then the moment decides, and what is noted since then is the item's only where
    nothing else is at the address.
    """
    category, name = stays[0].address
    versions = history.versions(category)[::-1]
    shown = [_shows(history, version, name) for version in versions]
    return frozenset(version for stay in stays for version in versions[slice(*_span(versions, shown, stay))])


def _span(versions: Sequence[FileVersion], shown: Sequence[bool], stay: Stay) -> tuple[int, int]:
    """The versions of a stay: the first, and the one behind the last."""
    start = 0 if stay.since is None else _turn(versions, shown, stay.since, stay.address)
    end = _turn(versions, shown, stay.until, stay.address)
    if start is None:
        start = _first_since(versions, stay.since)
    if end is None:
        end = _first_since(versions, stay.until) if stay.taken else len(versions)
    return start, end


def _shows(history: History, version: FileVersion, name: str) -> bool:
    with contextlib.suppress(KeyError):
        return version.digest is not None and says_one_of(history.bytes_of(version.digest), (name,))
    return False


def _turn(versions: Sequence[FileVersion], shown: Sequence[bool], move: Move, address: Address) -> int | None:
    """The first version behind a move: at its source the address is not shown any more, at its target it is now."""
    came = move.target == address
    number = move.arriving if came else move.leaving
    turns = [at for at, (old, new) in enumerate(pairwise([False, *shown])) if new != old and new == came]
    behind = [at for at in turns if versions[at].moment >= move.moment]
    return behind[min(number, len(behind)) - 1] if behind else None


def _first_since(versions: Sequence[FileVersion], move: Move | None) -> int:
    moments = (at for at, version in enumerate(versions) if move is not None and version.moment >= move.moment)
    return next(moments, len(versions))
