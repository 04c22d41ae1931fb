"""The playground: what a host would inject, while the person types, and again whenever the memory changed."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from tests.engine.folders import fill
from tests.presentation.house import House, edit_outside
from wikimem_desktop.engine import MemoryIndex, MemoryStore
from wikimem_desktop.presentation.searcher import Parameters, Run

WAIT_MS = 10_000
DAYS = ("2026-07-20", "2026-07-21")
QUERIES = [
    "想去海边玩",
    "coffee",
    "deploy checklist rollback",
    "海边 sea 海边",
    "2026-07-21",
    "coffee on 2026-07-21",
    "Привет",
]


@pytest.fixture
def sample(house: House, sample_store: Path) -> House:
    house.open(sample_store)
    return house


def run_of(house: House) -> Run:
    house.settle()
    assert house.playground.run is not None
    return house.playground.run


def addresses(run: Run) -> list[str]:
    return [entry.item.address for entry in run.result.items]


def test_it_runs_while_the_person_types_and_the_newest_words_win(sample: House) -> None:
    shown: list[str] = []
    playground = sample.playground
    playground.run_changed.connect(lambda: shown.append(playground.run.request.query if playground.run else ""))
    words = "想去海边玩 coffee deploy"
    for end in range(1, len(words) + 1):
        playground.set_query(words[:end])
        assert playground.stale
    sample.until(lambda: not playground.stale)
    sample.settle()
    assert shown[-1] == words
    assert shown == sorted(shown, key=len)
    assert not playground.stale


def test_words_that_come_at_once_run_once(house: House, sample_store: Path) -> None:
    house.open(sample_store)
    shown: list[str] = []
    playground = house.playground
    playground.run_changed.connect(lambda: shown.append(playground.run.request.query if playground.run else ""))
    for words in ("c", "co", "coffee"):
        playground.set_query(words)
    house.settle()
    assert shown == ["coffee"]
    playground.set_query("tea")
    playground.run_now()
    house.settle()
    assert shown == ["coffee", "tea"]


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize(
    "parameters",
    [
        Parameters(),
        Parameters(limit=3, budget=120, links=False),
        Parameters(limit=5, budget=1),
        Parameters(days=DAYS),
        Parameters(limit=40, days=("2026-01-01", "2026-01-02")),
        Parameters(tokenizer="jieba", budget=140),
    ],
    ids=str,
)
def test_a_run_is_what_a_host_retrieves(query: str, parameters: Parameters, house: House, sample_store: Path) -> None:
    house.open(sample_store, tokenizer="jieba" if parameters.tokenizer == "jieba" else "bigrams")
    host = MemoryIndex(MemoryStore(sample_store), use_jieba=parameters.tokenizer == "jieba")
    house.playground.restore(query, parameters)
    expected = host.retrieve(
        query,
        limit=parameters.limit,
        budget_tokens=parameters.budget,
        expand_links=parameters.links,
        explain=True,
        time_range=parameters.days,
    )
    assert run_of(house).result == expected


def test_with_the_gate_off_the_diary_stays_out_whatever_the_words_say(sample: House, sample_store: Path) -> None:
    sample.playground.restore("手冲 2026-07-21", Parameters(tokenizer="bigrams"))
    gated = run_of(sample)
    assert gated.result.time_range == ("2026-07-21", "2026-07-21")
    assert any(address.startswith("2026-07-21:") for address in addresses(gated))
    sample.playground.set_parameters(gate_off=True)
    open_run = run_of(sample)
    assert open_run.result.time_range is None
    assert not any(address.startswith("2026-") for address in addresses(open_run))
    store = MemoryStore(sample_store)
    (sample_store / "diary").rename(sample_store / "no diary")
    without_diary = MemoryIndex(store, use_jieba=False).retrieve("手冲 2026-07-21", explain=True)
    assert open_run.result.items == without_diary.items


def test_the_shares_of_a_run_add_up_to_its_scores_and_the_cut_is_explained(sample: House) -> None:
    sample.playground.restore("海边 coffee 海边", Parameters(budget=140, tokenizer="bigrams"))
    run = run_of(sample)
    hits = [entry for entry in run.sequence if entry.source == "hit"]
    assert hits
    for entry in hits:
        total = sum(share.adds for share in run.explained.shares[entry.item.address])
        assert total == pytest.approx(entry.score, abs=1e-9)
    assert run.explained.terms == ("coffee", "海边", "海边")
    assert run.explained.cut is not None
    assert run.explained.cut.left == 140 - run.result.budget_used
    assert run.explained.cut.needs == run.result.dropped[0].tokens_est > run.explained.cut.left
    assert run.sequence == run.result.items + run.result.dropped


CHANGES: list[dict[str, Any]] = [
    {"limit": 2},
    {"budget": 50},
    {"links": False},
    {"days": DAYS},
    {"gate_off": True},
    {"limit": 1, "links": False},
]


@pytest.mark.parametrize("changes", CHANGES, ids=str)
def test_a_changed_parameter_runs_at_once(changes: dict[str, Any], sample: House, qtbot: QtBot) -> None:
    playground = sample.playground
    playground.restore("海边 coffee", Parameters(tokenizer="bigrams"))
    run_of(sample)
    with qtbot.waitSignals([playground.parameters_changed, playground.run_changed], timeout=WAIT_MS):
        playground.set_parameters(**changes)
        was_stale = playground.stale
    assert (was_stale, playground.stale) == (True, False)
    assert run_of(sample).request.parameters == dataclasses.replace(Parameters(tokenizer="bigrams"), **changes)
    with qtbot.assertNotEmitted(playground.parameters_changed):
        playground.set_parameters(**changes)


def test_a_changed_memory_runs_again(sample: House, sample_store: Path) -> None:
    playground = sample.playground
    playground.restore("gouache", Parameters(tokenizer="bigrams"))
    assert addresses(run_of(sample))[0] == "people:xiaolin-birthday-gift"
    edit_outside(sample_store / "wiki" / "travel.md", "Window seat", "Gouache, window seat")
    sample.until(lambda: playground.run and "travel:train-and-hotel" in addresses(playground.run))
    assert not playground.stale


def test_a_run_of_an_older_state_says_that_it_is_stale(sample: House, sample_store: Path) -> None:
    playground = sample.playground
    playground.restore("coffee", Parameters(tokenizer="bigrams"))
    run_of(sample)
    stale: list[bool] = []
    sample.library.snapshot_changed.connect(lambda: stale.append(playground.stale))
    edit_outside(sample_store / "wiki" / "travel.md", "Window seat", "Coffee, window seat")
    sample.follow_disk()
    assert stale[0] is True
    assert not playground.stale


def test_a_rebuild_of_the_same_memory_makes_a_run_stale_and_runs_again(house: House, tmp_path: Path) -> None:
    house.open(fill(tmp_path / "store", {"notes.md": "## a\n\ncoffee\n"}))
    playground = house.playground
    playground.restore("coffee", Parameters(tokenizer="bigrams"))
    before = run_of(house)
    stale: list[bool] = []
    house.library.activity_changed.connect(lambda: stale.append(playground.stale))
    house.library.snapshot_changed.connect(lambda: stale.append(playground.stale))
    house.library.rebuild()
    house.settle()
    assert stale == [False, False, True]
    assert not playground.stale
    after = run_of(house)
    assert after is not before
    assert after.result == before.result


def test_another_tokenizer_reaches_the_index_and_then_the_run(sample: House, sample_store: Path) -> None:
    playground = sample.playground
    playground.restore("想去海边玩", Parameters(tokenizer="bigrams"))
    assert run_of(sample).explained.terms == ("想去", "去海", "海边", "边玩")
    playground.set_parameters(tokenizer="jieba")
    assert playground.stale
    sample.until(lambda: not playground.stale)
    assert sample.library.tokenizer == "jieba"
    expected = MemoryIndex(MemoryStore(sample_store), use_jieba=True).retrieve("想去海边玩", explain=True)
    assert run_of(sample).result == expected


def test_a_tokenizer_that_the_library_has_already_runs_at_once(sample: House) -> None:
    playground = sample.playground
    playground.set_query("想去海边玩")
    run_of(sample)
    playground.set_parameters(tokenizer="bigrams")
    assert not sample.library.indexing
    sample.until(lambda: not playground.stale)


def test_no_words_are_no_run_but_a_window_of_days_is(sample: House) -> None:
    playground = sample.playground
    playground.restore("coffee", Parameters(tokenizer="bigrams"))
    run_of(sample)
    playground.set_query("  ")
    sample.until(lambda: playground.run is None)
    assert not playground.stale
    playground.set_parameters(days=DAYS)
    assert [entry.item.category for entry in run_of(sample).result.items] == ["2026-07-21"] * 4 + ["2026-07-20"] * 3
    assert not playground.stale


def test_another_memory_drops_the_run_and_answers_anew(sample: House, tmp_path: Path) -> None:
    playground = sample.playground
    playground.restore("coffee", Parameters(tokenizer="bigrams"))
    run_of(sample)
    runs: list[Run | None] = []
    playground.run_changed.connect(lambda: runs.append(playground.run))
    sample.open(fill(tmp_path / "other", {"notes.md": "## a\n\ncoffee\n"}))
    assert addresses(run_of(sample)) == ["notes:a"]
    assert runs[0] is None
    assert all(addresses(run) == ["notes:a"] for run in runs if run is not None)
    sample.library.close()
    assert playground.run is None
    playground.run_now()
    playground.set_query("tea")
    sample.settle()
    assert playground.run is None


def test_words_that_are_set_before_the_memory_is_indexed_run_when_it_is(house: House, sample_store: Path) -> None:
    house.library.open(sample_store, tokenizer="bigrams")
    house.playground.restore("coffee", Parameters(tokenizer="bigrams"))
    assert house.playground.run is None
    assert run_of(house).request.query == "coffee"
    assert not house.playground.stale
