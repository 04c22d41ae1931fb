"""From hits to what is injected: links, the budget's cut, and what is left of it (W14)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.folders import fill
from wikimem_desktop.engine import MemoryIndex, MemoryStore, RetrievalResult, est_tokens

LINKED = """## one

sea sea sea sea sea [[notes:two]] [[gone:x]] [[notes:three]] [[gone:x]]

## two

water [[notes:four]]

## three

sea, and no more than one [[notes:one]]

## four

deep
"""


def index_of(folder: Path, text: str) -> MemoryIndex:
    return MemoryIndex(MemoryStore(fill(folder, {"notes.md": text})), use_jieba=False)


def names(entries: list[Any]) -> list[str]:
    return [entry.item.name for entry in entries]


def test_links_follow_their_hit_one_hop_and_each_item_comes_once(tmp_path: Path) -> None:
    result = index_of(tmp_path, LINKED).retrieve("sea")
    assert [(entry.item.name, entry.source, entry.via) for entry in result.items] == [
        ("one", "hit", None),
        ("two", "link", "one"),
        ("three", "link", "one"),
    ]
    assert result.unresolved_links == ["[[gone:x]]", "[[gone:x]]"]
    linked = result.items[1]
    assert (linked.score, linked.bm25_score, linked.matched_terms) == (None, None, [])


def test_without_links_only_hits_come(tmp_path: Path) -> None:
    result = index_of(tmp_path, LINKED).retrieve("sea", expand_links=False)
    assert [(entry.item.name, entry.source) for entry in result.items] == [("one", "hit"), ("three", "hit")]
    assert result.unresolved_links == []


def test_limit_counts_hits_and_not_their_links(tmp_path: Path) -> None:
    assert names(index_of(tmp_path, LINKED).retrieve("sea", limit=1).items) == ["one", "two", "three"]


RANKED = {"first": 3, "large": 31, "last": 3}
"""Three hits in the order of their rank, with their estimated tokens."""


def budgeted(folder: Path, budget: int | None) -> RetrievalResult:
    text = f"## last\n\nsea y\n\n## large\n\n{'sea ' * 30}\n\n## first\n\nalpha sea\n\n## other\n\nlake\n"
    return index_of(folder, text).retrieve("alpha sea", budget_tokens=budget, explain=True)


@pytest.mark.parametrize(
    ("budget", "kept"), [(None, 3), (37, 3), (36, 2), (34, 2), (33, 1), (6, 1), (3, 1)], ids=lambda value: str(value)
)
def test_w14_the_first_entry_that_is_too_large_drops_all_behind_it(
    budget: int | None, kept: int, tmp_path: Path
) -> None:
    """At a budget of 6 the last entry would fit, but the large one in front of it does not."""
    result = budgeted(tmp_path, budget)
    assert names(result.items) == list(RANKED)[:kept]
    assert names(result.dropped) == list(RANKED)[kept:]
    assert [entry.tokens_est for entry in result.items] == list(RANKED.values())[:kept]
    assert (result.budget_used, result.budget_tokens) == (sum(list(RANKED.values())[:kept]), budget)


@pytest.mark.parametrize("budget", [0, 1, 2])
def test_w14_the_first_entry_stays_even_over_the_budget(budget: int, tmp_path: Path) -> None:
    result = budgeted(tmp_path, budget)
    assert len(result.items) == 1
    assert result.budget_used == result.items[0].tokens_est > budget
    assert len(result.dropped) == 2


def test_what_is_dropped_is_kept_for_explanations_only(tmp_path: Path) -> None:
    index = index_of(tmp_path, LINKED)
    assert index.retrieve("sea", budget_tokens=1).dropped == []
    assert names(index.retrieve("sea", budget_tokens=1, explain=True).dropped) == ["two", "three"]


@given(st.lists(st.integers(0, 12), min_size=1, max_size=8), st.integers(0, 60))
@settings(max_examples=60, deadline=None)
def test_any_budget_cuts_the_whole_sequence_in_two(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int], budget: int
) -> None:
    text = "".join(f"## n{at}\n\nsea {'x ' * size}[[notes:n{at // 2}]]\n\n" for at, size in enumerate(sizes))
    index = index_of(tmp_path_factory.mktemp("budget"), text)
    whole, cut = index.retrieve("sea"), index.retrieve("sea", budget_tokens=budget, explain=True)
    assert names(cut.items) + names(cut.dropped) == names(whole.items)
    costs = [est_tokens(f"{entry.item.name}\n{entry.item.content}") for entry in whole.items]
    assert [entry.tokens_est for entry in whole.items] == costs
    kept = len(cut.items)
    assert cut.budget_used == sum(costs[:kept])
    assert kept == 1 or cut.budget_used <= budget
    assert kept == len(costs) or sum(costs[: kept + 1]) > budget
