"""The playground shows what a host would inject, to the last digit, while the person types."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from tests.engine.folders import fill
from tests.widgets.desk import Desk
from wikimem_desktop.engine.explain import Cut
from wikimem_desktop.engine.index import MemoryIndex
from wikimem_desktop.engine.items import RetrievalResult
from wikimem_desktop.engine.store import MemoryStore
from wikimem_desktop.presentation.memory_model import Role
from wikimem_desktop.presentation.sequence_model import Entry

RUNS: list[tuple[str, dict[str, Any]]] = [
    ("想去海边玩", {}),
    ("想去海边玩", {"limit": 3, "budget": 140}),
    ("想去海边玩", {"limit": 1, "links": False}),
    ("deploy checklist", {"budget": 60}),
    ("deploy checklist", {"budget": 1}),
    ("咖啡 coffee", {"limit": 2, "budget": 100, "links": False}),
    ("what did mei want on 2026-07-20", {}),
    ("2026-07-20 咖啡", {"budget": 90}),
    ("birthday gift for 小林", {"limit": 5, "budget": 200}),
    ("Привет", {}),
    ("zzz unknown", {}),
    ("on-call rota", {"limit": 0}),
    ("睡眠 sleep 颈椎", {"limit": 10_000}),
    ("妈妈", {"budget": 75}),
]


def host_result(root: Path, query: str, parameters: dict[str, Any], *, use_jieba: bool | None) -> RetrievalResult:
    return MemoryIndex(MemoryStore(root), use_jieba=use_jieba).retrieve(
        query,
        limit=parameters.get("limit", 10),
        budget_tokens=parameters.get("budget"),
        expand_links=parameters.get("links", True),
        explain=True,
    )


def banner(desk: Desk) -> str:
    """Everything the panel says in sentences."""
    return "\n".join(label.text() for label in desk.app.panel.findChildren(QLabel) if label.isVisible())


@pytest.mark.parametrize("tokenizer", ["auto", "jieba", "bigrams"])
def test_a_run_equals_what_the_host_retrieves(sample: Desk, sample_store: Path, tokenizer: str) -> None:
    use_jieba = {"auto": None, "jieba": True, "bigrams": False}[tokenizer]
    for query, parameters in RUNS:
        defaults: dict[str, Any] = {"limit": 10, "budget": None, "links": True, "tokenizer": tokenizer}
        run = sample.run(query, **(defaults | parameters))
        expected = host_result(sample_store, query, parameters, use_jieba=use_jieba)
        assert dataclasses.asdict(run.result) == dataclasses.asdict(expected), (query, parameters)
        shown = [entry.item for entry in sample.app.sequence_model.entries]
        assert shown == expected.items + expected.dropped


def test_the_run_follows_the_typing_without_enter(sample: Desk) -> None:
    sample.type(sample.app.panel.query_box, "deploy")
    first = sample.newest_run()
    assert first.request.query == "deploy"
    assert first.sequence[0].item.address == "work:deploy-checklist"
    sample.type(sample.app.panel.query_box, " 海边")
    assert sample.newest_run().request.query == "deploy 海边"


def test_enter_runs_again_without_waiting(sample: Desk) -> None:
    first = sample.run("deploy")
    sample.key(sample.app.panel.query_box, Qt.Key.Key_Return)
    sample.until(lambda: sample.app.playground.run is not first)
    assert sample.newest_run().result == first.result


def test_ctrl_l_goes_to_the_query_box_with_the_query_selected(sample: Desk) -> None:
    sample.run("deploy")
    sample.open_item("people:mei")
    sample.text.setFocus()
    sample.keys("Ctrl+L")
    assert sample.app.panel.query_box.hasFocus()
    assert sample.app.panel.query_box.selectedText() == "deploy"


def test_an_empty_query_shows_no_run(sample: Desk) -> None:
    sample.run("deploy")
    sample.app.panel.query_box.clear()
    sample.until(lambda: sample.app.playground.run is None)
    assert sample.cards() == []
    assert not sample.app.panel.ruler.isVisible()


def test_the_limit_box_changes_the_run(sample: Desk) -> None:
    sample.run("海边", links=False)
    box = sample.app.panel.parameters.limit
    box.selectAll()
    sample.type(box, "2")
    assert len(sample.newest_run().sequence) == 2
    sample.key(box, Qt.Key.Key_Up)
    assert len(sample.newest_run().sequence) == 3


def test_budget_box_slider_and_run_agree(sample: Desk) -> None:
    sample.run("想去海边玩")
    controls = sample.app.panel.parameters
    controls.budget.selectAll()
    sample.type(controls.budget, "100\n")
    run = sample.newest_run()
    assert run.result.budget_tokens == 100
    assert controls.slider.value() == 100
    sample.key(controls.slider, Qt.Key.Key_Right)
    assert sample.newest_run().result.budget_tokens == controls.budget.value() == controls.slider.value() > 100
    controls.budget.selectAll()
    sample.type(controls.budget, "0\n")
    assert sample.newest_run().result.budget_tokens is None


def test_the_links_switch_takes_the_links_out_and_back_in(sample: Desk) -> None:
    links = [entry for entry in sample.run("想去海边玩").sequence if entry.source == "link"]
    assert links
    QTest.mouseClick(sample.app.panel.parameters.links, Qt.MouseButton.LeftButton)
    assert not any(entry.source == "link" for entry in sample.newest_run().sequence)
    sample.key(sample.app.panel.parameters.links, Qt.Key.Key_Space)
    assert [entry for entry in sample.newest_run().sequence if entry.source == "link"] == links


def test_the_tokenizer_menu_changes_how_the_query_is_cut(sample: Desk) -> None:
    sample.run("去海边玩")
    menu = sample.app.panel.parameters.tokenizer.menu()
    terms = {}
    for action in menu.actions():
        action.trigger()
        terms[action.data()] = sample.newest_run().explained.terms
        assert action.isChecked()
    assert terms["bigrams"] == ("去海", "海边", "边玩")
    assert terms["jieba"] == terms["auto"] != terms["bigrams"]


def test_a_card_says_rank_address_how_it_came_cost_and_fate(sample: Desk) -> None:
    sample.run("想去海边玩", budget=140)
    link = next(entry for entry in sample.app.sequence_model.entries if entry.item.source == "link")
    words = sample.app.sequence_model.data(sample.card(link.item.item.address), Qt.ItemDataRole.AccessibleTextRole)
    assert words == (
        f"rank {link.number}, {link.item.item.address}, link via {link.item.via}, {link.item.tokens_est} tokens, "
        f"{'dropped' if link.dropped else 'kept'}"
    )
    first = sample.app.sequence_model.entries[0]
    assert sample.cards()[0].startswith(f"rank 1, {first.item.item.address}, hit, score {first.item.score:.3f}, ")


def test_the_cut_says_what_is_left_and_what_the_next_needs(sample: Desk) -> None:
    result = sample.run("想去海边玩", budget=140).result
    words = next(card for card in sample.cards() if "cut" in card)
    assert f"{140 - result.budget_used} token" in words
    assert f"needs {result.dropped[0].tokens_est}" in words
    assert sample.cards().index(words) == len(result.items)
    assert sample.cards()[-1].endswith("[[travel:海边民宿]]"), "unresolved links come last"


BIG = "sea " * 40


def test_the_entry_that_keeps_smaller_ones_out_is_marked(desk: Desk, tmp_path: Path) -> None:
    text = f"## a\n\nrare sea\n\n## big\n\nrare {BIG}\n\n## c\n\nsea one two\n\n## d\n\nsea one two three\n"
    desk.open(fill(tmp_path / "store", {"x.md": text}))
    result = desk.run("rare sea").result
    order = [entry.item.name for entry in result.items]
    position = order.index("big")
    kept = sum(entry.tokens_est for entry in result.items[:position])
    behind = [entry.tokens_est for entry in result.items[position + 1 :]]
    assert (position, len(behind)) == (1, 2), order
    desk.run("rare sea", budget=kept + sum(behind))
    assert desk.entry("x:big").blocks == len(behind)
    assert all(desk.entry(f"x:{name}").dropped for name in order[position:])
    tip = str(desk.card("x:big").data(Qt.ItemDataRole.ToolTipRole))
    assert str(len(behind)) in tip


def test_a_first_entry_larger_than_the_budget_stays_and_is_marked(desk: Desk, tmp_path: Path) -> None:
    desk.open(fill(tmp_path / "store", {"x.md": f"## big\n\n{BIG}\n\n## b\n\nnothing sea\n"}))
    desk.run("sea", budget=5)
    first = desk.app.sequence_model.entries[0]
    assert (first.over_budget, first.dropped) == (True, False)
    assert desk.app.sequence_model.entries[1].dropped
    assert isinstance(desk.row(Cut).data(Qt.ItemDataRole.UserRole), Cut)


@pytest.mark.parametrize("query", ["Привет", "한국어", "é à ü", "🌊!", "¿…?"])
def test_a_query_without_tokens_says_so(sample: Desk, query: str) -> None:
    run = sample.run(query)
    assert run.explained.terms == ()
    assert sample.cards() == []
    assert "No tokens" in banner(sample)


def test_a_query_whose_words_are_partly_indexed_is_cut_as_hosts_do(sample: Desk) -> None:
    assert sample.run("café").explained.terms == ("caf",)
    assert "No tokens" not in banner(sample)


def test_an_item_that_costs_nothing_is_marked_as_counted_as_free(desk: Desk, tmp_path: Path) -> None:
    text = "## Привет\n\nмного русских слов\n\n## other\n\nsee [[x:Привет]]\n"
    desk.open(fill(tmp_path / "store", {"x.md": text}))
    desk.run("other")
    assert desk.entry("x:Привет").costs_nothing
    assert "0 tokens" in str(desk.card("x:Привет").data(Qt.ItemDataRole.ToolTipRole))
    desk.open_item("x:Привет")
    words = "\n".join(label.text() for label in desk.app.item_view.findChildren(QLabel))
    assert "free" in words


IDIOMS = (
    "## game\n\n我们玩成语接龙游戏\n\n## paper\n\n每天看早报\n\n## disk\n\nC盘满了\n\n"
    "## good\n\n好\n\n## other\n\nnothing\n"
)


@pytest.mark.parametrize("tokenizer", ["jieba", "bigrams"])
@pytest.mark.parametrize(
    ("query", "item"),
    [("成语接龙", "game"), ("接龙", "game"), ("早报", "paper"), ("C盘", "disk"), ("c盘", "disk"), ("好", "good")],
)
def test_short_and_mixed_chinese_words_are_found(
    desk: Desk, tmp_path: Path, tokenizer: str, query: str, item: str
) -> None:
    root = fill(tmp_path / "store", {"x.md": IDIOMS})
    desk.open(root)
    run = desk.run(query, tokenizer=tokenizer)
    expected = host_result(root, query, {}, use_jieba=tokenizer == "jieba")
    assert run.result == expected
    assert desk.app.sequence_model.entries[0].item.item.name == item


def test_the_run_follows_the_disk(sample: Desk) -> None:
    before = len(sample.run("海边", links=False).sequence)
    path = sample.path("people")
    path.write_bytes(path.read_bytes() + "\n## 新人\n\n也喜欢海边\n".encode())
    sample.until(lambda: len(sample.newest_run().sequence) == before + 1)


def test_the_tree_shows_the_ranks_of_the_run(sample: Desk) -> None:
    sample.run("想去海边玩", budget=140)
    model = sample.app.memory_model
    ranks = {}
    for item in sample.items():
        rank: Any = model.find(item.category, item.name).data(Role.RANK)
        if rank is not None:
            ranks[item.address] = (rank.number, rank.link, rank.dropped)
    entries: list[Entry] = sample.app.sequence_model.entries
    assert ranks == {e.item.item.address: (e.number, e.item.source == "link", e.dropped) for e in entries}
    assert any(dropped for _, _, dropped in ranks.values())


def test_one_token_is_counted_as_one(desk: Desk, tmp_path: Path) -> None:
    desk.open(fill(tmp_path / "store", {"x.md": "## sea\n"}))
    used: dict[int | None, list[str]] = {budget: [] for budget in (None, 1, 2000)}
    for budget, words in used.items():
        desk.run("sea", budget=budget)
        words += [label.text() for label in desk.app.panel.findChildren(QLabel) if "token" in label.text()]
    assert used == {None: ["<b>1</b> token"], 1: ["<b>1</b> of 1 token"], 2000: ["<b>1</b> of 2,000 tokens"]}
