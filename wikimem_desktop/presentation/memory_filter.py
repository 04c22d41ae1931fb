"""The filter over the tree of the memory: letters that an address holds in order, and what items must be like."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Sequence
from dataclasses import replace

from .branches import Branch, Node
from .filter_terms import Sieve, letters_of, terms_of

_Passed = dict[Node, tuple[Branch, Branch | None]]
"""What of each branch passed; None: nothing."""
_COST_PER_STEP = 500


class MemoryFilter:
    """Looks only at what changed since the last time and, when letters were added, only at what passed before."""

    def __init__(self, text: str, before: MemoryFilter | None = None) -> None:
        self.text = text
        self.found: list[Branch] = []
        """What passed of the branches that were looked at last."""
        self._letters = letters_of(text).lower()
        self._sieve = Sieve(terms_of(text))
        self._patterns: dict[str, re.Pattern[str]] = {}
        self._before: _Passed = before._passed if before is not None and self._narrows(before) else {}
        self._passed: _Passed = {}

    def _narrows(self, before: MemoryFilter) -> bool:
        return self._letters.startswith(before._letters) and self._sieve.narrows(before._sieve)

    def steps(self, branches: Iterable[Branch]) -> Generator[int]:
        """Find the branches with those of their leaves that pass; one with none is there when its own name passes.

        Letters are looked at in one go. For each step of other work its cost is given, in about microseconds.
        """
        passed: _Passed = {}
        for branch in branches:
            known = self._passed.get(branch.node)
            if known is None or known[0] is not branch:
                known = branch, (yield from self._narrowed(branch))
                self._passed[branch.node] = known  # so that nothing is lost when someone breaks off
            passed[branch.node] = known
        self._passed, self._before = passed, {}
        self.found = [found for _, found in passed.values() if found is not None]

    def best_match(self, branches: Sequence[Branch]) -> tuple[int, int] | None:
        """Branch and leaf that are meant most likely: by name, then by how it begins, then by what it holds."""
        wanted = self._letters.casefold()
        places = [(row, at) for row, branch in enumerate(branches) for at in range(len(branch.leaves))]
        if not wanted:
            return places[0] if places else None
        return min(
            places, key=lambda place: _distance(wanted, branches[place[0]].key, branches[place[0]].leaves[place[1]]),
            default=None,
        )  # fmt: skip

    def _narrowed(self, branch: Branch) -> Generator[int, None, Branch | None]:
        known = self._before.get(branch.node)
        candidates: Branch | None = branch
        if known and known[0] is branch:
            candidates = known[1]
        if candidates is None:
            return None
        leaves = candidates.leaves
        rest = self._letters_left_by(branch.key.lower())
        if rest:
            match = self._pattern(rest.removeprefix(":")).match
            leaves = [leaf for leaf in leaves if match(leaf.lower())]
        if self._sieve:
            leaves = yield from self._sifted(branch, leaves)
        elif not rest:
            return candidates
        return replace(branch, leaves=leaves) if leaves else None

    def _sifted(self, branch: Branch, leaves: Sequence[str]) -> Generator[int, None, Sequence[str]]:
        """The leaves that the sieve lets through."""
        if branch.kind == "diary":
            return [day for day in leaves if self._sieve.lets_day(day)]
        items = branch.items
        passed, cost = [], 0
        for name in leaves:
            item = items.get(name)
            if item is None:
                continue
            if self._sieve.lets(item):
                passed.append(name)
            cost += self._sieve.cost(item)
            if cost >= _COST_PER_STEP:
                yield cost
                cost = 0
        yield cost
        return passed

    def _letters_left_by(self, name: str) -> str:
        """The letters that are not found in order in a name."""
        at = 0
        for number, letter in enumerate(self._letters):
            at = name.find(letter, at) + 1
            if not at:
                return self._letters[number:]
        return ""

    def _pattern(self, letters: str) -> re.Pattern[str]:
        """Each letter at its first place behind the one before: nothing to try again."""
        if letters not in self._patterns:
            fuzzy = "".join(f"[^{re.escape(c)}]*{re.escape(c)}" for c in letters)
            self._patterns[letters] = re.compile(fuzzy, re.DOTALL)
        return self._patterns[letters]


def _distance(wanted: str, category: str, leaf: str) -> tuple[int, int]:
    """How far a name is from what was typed; the smaller the nearer."""
    name = leaf.casefold()
    at = name.find(wanted)
    if at < 0:
        address = f"{category}:{leaf}".casefold()
        near = 0 if wanted == address else 4 if wanted in address else 5
    elif at == 0:
        near = 0 if wanted == name else 1
    else:
        near = 3 if name[at - 1].isalnum() else 2
    return near, len(name)
