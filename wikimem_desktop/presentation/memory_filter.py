"""The fuzzy filter over the tree of the memory: letters that an address holds in order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from .branches import Branch, Node

_Passed = dict[Node, tuple[Branch, Branch | None]]
"""What of each branch passed; None: nothing."""


class MemoryFilter:
    """Looks only at what changed since the last time and, when letters were added, only at what passed before."""

    def __init__(self, text: str, before: MemoryFilter | None = None) -> None:
        self.text = text
        self._letters = text.lower()
        self._patterns: dict[str, re.Pattern[str]] = {}
        narrower = before is not None and self._letters.startswith(before._letters)
        self._before: _Passed = before._passed if before is not None and narrower else {}
        self._passed: _Passed = {}

    def passing(self, branches: Iterable[Branch]) -> list[Branch]:
        """The branches with those of their leaves that pass; a branch with none is there when its own name passes."""
        passed: _Passed = {}
        for branch in branches:
            known = self._passed.get(branch.node)
            passed[branch.node] = known if known and known[0] is branch else (branch, self._narrowed(branch))
        self._passed, self._before = passed, {}
        return [found for _, found in passed.values() if found is not None]

    def best_match(self, branches: Sequence[Branch]) -> tuple[int, int] | None:
        """Branch and leaf that are meant most likely: by name, then by how it begins, then by what it holds."""
        wanted = self.text.casefold()
        places = [(row, at) for row, branch in enumerate(branches) for at in range(len(branch.leaves))]
        return min(
            places, key=lambda place: _distance(wanted, branches[place[0]].key, branches[place[0]].leaves[place[1]]),
            default=None,
        )  # fmt: skip

    def _narrowed(self, branch: Branch) -> Branch | None:
        known = self._before.get(branch.node)
        candidates: Branch | None = branch
        if known and known[0] is branch:
            candidates = known[1]
        if candidates is None:
            return None
        rest = self._letters_left_by(branch.key.lower())
        if not rest:
            return candidates
        match = self._pattern(rest.removeprefix(":")).match
        leaves = [leaf for leaf in candidates.leaves if match(leaf.lower())]
        return replace(branch, leaves=leaves) if leaves else None

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
