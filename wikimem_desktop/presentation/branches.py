"""What the tree of a memory holds: a branch for each category, and one for the diary."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from wikimem_desktop.engine.index import Snapshot
from wikimem_desktop.engine.items import MemoryItem
from wikimem_desktop.engine.store import CategoryFile

Node = tuple[str, ...]
"""Kind and key of a branch; with an item's name behind them, that item. (A category may be named like the diary.)"""


@dataclass(frozen=True)
class Branch:
    """A category (or the diary) with what it holds. One that is the same object as before holds the same as before."""

    key: str
    kind: str
    """"category", "file" (can't be read) or "diary"."""
    leaves: Sequence[str] = ()
    """Item names or days, in order, as far as a filter lets them through."""
    total: int = 0
    shadowed: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """Occurrences that hosts ignore, by item name."""
    file: CategoryFile | None = None
    """What a category was read from."""

    @property
    def node(self) -> Node:
        return self.kind, self.key

    @property
    def items(self) -> dict[str, MemoryItem]:
        """By name, listed anew each time; a filter does not matter."""
        return {item.name: item for item in self.file.items} if self.file is not None else {}


def moment_of(ts: str | None) -> float | None:
    """The seconds since 1970 of an ISO-8601 moment (no zone: UTC); None when it is missing or none."""
    try:
        moment = dt.datetime.fromisoformat(ts or "")
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)).timestamp()


def day_moment(day: str) -> float | None:
    """The seconds since 1970 at which a day began here; None when there is no such day."""
    try:
        return dt.datetime.fromisoformat(day).timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def branches_of(snapshot: Snapshot, days: Sequence[str], before: Sequence[Branch] = ()) -> list[Branch]:
    """The branches of a store; those of `before` whose file is the same are taken over."""
    known = {branch.key: branch for branch in before if branch.file is not None}
    branches = []
    for file in snapshot.files:
        branch = known.get(file.category)
        branches.append(branch if branch is not None and branch.file is file else _branch_of(file))
    if days:
        branches.append(Branch("diary", "diary", list(days), len(days)))
    return branches


def _branch_of(file: CategoryFile) -> Branch:
    shadowed: dict[str, list[int]] = {}
    for section in file.shadowed:
        shadowed.setdefault(section.item.name, []).append(section.occurrence)
    names = [item.name for item in file.items]
    return Branch(file.category, "file" if file.error else "category", names, len(names), shadowed, file)
