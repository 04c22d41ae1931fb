"""The row insertions and removals that lead from one list of keys to another."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

_MOST_CHANGES = 64
"""Beyond that many, replacing the part that differs is cheaper for a view."""


@dataclass(frozen=True, slots=True)
class RowChange:
    """Rows `first` to `last` go, or (in the new list's numbers) come."""

    remove: bool
    first: int
    last: int


def row_changes(old: Sequence[Hashable], new: Sequence[Hashable], *, watched: bool = True) -> list[RowChange]:
    """Changes to apply in order. Keys are unique in each list; as many rows as can keep their order are not touched.

    Where rows are not `watched`, no one loses anything when many are replaced that could stay: that is quicker.
    """
    start = 0
    shorter = min(len(old), len(new))
    while start < shorter and _alike(old[start], new[start]):
        start += 1
    tail = 0
    while tail < shorter - start and _alike(old[len(old) - 1 - tail], new[len(new) - 1 - tail]):
        tail += 1
    old_part, new_part = old[start : len(old) - tail], new[start : len(new) - tail]
    if watched or max(len(old_part), len(new_part)) <= _MOST_CHANGES:
        staying = _in_order(old_part, new_part)
        changes = [
            *(RowChange(True, start + a, start + b) for a, b in reversed(list(_runs(old_part, staying)))),
            *(RowChange(False, start + a, start + b) for a, b in _runs(new_part, staying)),
        ]
        if len(changes) <= _MOST_CHANGES:
            return changes
    whole = [RowChange(True, start, start + len(old_part) - 1)] if old_part else []
    return whole + ([RowChange(False, start, start + len(new_part) - 1)] if new_part else [])


def _alike(old: Hashable, new: Hashable) -> bool:
    """Most often it is the same object, and comparing its fields takes long."""
    return old is new or old == new


def _in_order(old: Sequence[Hashable], new: Sequence[Hashable]) -> set[Hashable]:
    """As many keys of both lists as have the same order in both: the longest ascending series of places."""
    places = {key: place for place, key in enumerate(new)}
    ends: list[int] = []
    """The smallest place that ends a series of each length."""
    before: dict[int, int] = {}
    for key in old:
        if key in places:
            length = bisect_left(ends, places[key])
            ends[length : length + 1] = [places[key]]
            before[places[key]] = ends[length - 1] if length else -1
    staying: set[Hashable] = set()
    place = ends[-1] if ends else -1
    while place >= 0:
        staying.add(new[place])
        place = before[place]
    return staying


def _runs(keys: Sequence[Hashable], known: set[Hashable]) -> Iterator[tuple[int, int]]:
    """First and last position of every run of keys that are not known."""
    first: int | None = None
    for position, key in enumerate(keys):
        if key in known and first is not None:
            yield first, position - 1
            first = None
        elif key not in known and first is None:
            first = position
    if first is not None:
        yield first, len(keys) - 1
