"""The owners and sources that a memory has, so that a person can choose among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from .branches import Branch


@dataclass(frozen=True, slots=True)
class Value:
    """An owner or a source ("": none), and how many items have it."""

    text: str
    count: int


def values_of(branches: Sequence[Branch], most: int) -> dict[str, list[Value]]:
    """By "owner" and "source": the values that most items have, the most frequent first."""
    items = [item for branch in branches if branch.file is not None for item in branch.file.items]
    found = {"owner": Counter(item.owner for item in items), "source": Counter(item.source_conv for item in items)}
    return {
        field: [Value(value or "", count) for value, count in counts.most_common(most)]
        for field, counts in found.items()
    }
