"""The order of items in their category: as in the file, by name, the newest first, or the longest first."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from enum import StrEnum

from .branches import Branch, Node, moment_of

_DIGITS = re.compile(r"[0-9]+")
_NAMES_PER_STEP = 500


class Order(StrEnum):
    """What the rows of the tree are put in order by."""

    FILE = "file"
    NAME = "name"
    DATE = "date"
    SIZE = "size"


class Ordering:
    """Puts in order only what changed since the last time."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.found: Sequence[Branch] = ()
        """The branches that were put in order last."""
        self._known: dict[Node, tuple[Branch, Branch]] = {}

    def steps(self, branches: Sequence[Branch]) -> Generator[int]:
        """Put the leaves of each branch in order; gives the cost of each step, in about microseconds."""
        if self.order is Order.FILE:
            self.found = branches
            return
        ordered: dict[Node, tuple[Branch, Branch]] = {}
        for branch in branches:
            known = self._known.get(branch.node)
            if known is None or known[0] is not branch:
                known = branch, replace(branch, leaves=(yield from self._in_order(branch)))
                self._known[branch.node] = known
            ordered[branch.node] = known
        self._known = ordered
        self.found = [found for _, found in ordered.values()]

    def _in_order(self, branch: Branch) -> Generator[int, None, Sequence[str]]:
        if branch.kind == "diary":
            return sorted(branch.leaves, reverse=self.order is Order.DATE)
        key = self._key(branch)
        keys: list[str | float] = []
        for start in range(0, len(branch.leaves), _NAMES_PER_STEP):
            keys += map(key, branch.leaves[start : start + _NAMES_PER_STEP])
            yield _NAMES_PER_STEP
        places = sorted(range(len(keys)), key=keys.__getitem__)  # of equal ones the first in the file stays first
        return [branch.leaves[place] for place in places]

    def _key(self, branch: Branch) -> Callable[[str], str | float]:
        items = branch.items

        def age(name: str) -> float:
            moment = moment_of(items[name].ts) if name in items else None
            return math.inf if moment is None else -moment

        def size(name: str) -> float:
            return -len(items[name].content) if name in items else 0

        return {Order.DATE: age, Order.SIZE: size}.get(self.order, _name_key)


def _name_key(name: str) -> str:
    """Letters without regard to case; numbers by their value."""
    folded = name.casefold()
    return _DIGITS.sub(lambda match: match[0].lstrip("0").zfill(20), folded) if _DIGITS.search(folded) else folded
