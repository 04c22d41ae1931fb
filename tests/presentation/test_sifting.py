"""Order and contents of the tree: right after any change, in slices when there is much to look at."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, QPersistentModelIndex
from PySide6.QtWidgets import QTreeView
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from wikimem_desktop.engine.items import MemoryItem
from wikimem_desktop.engine.store import CategoryFile
from wikimem_desktop.presentation.branches import Branch
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.presentation.memory_model import MemoryModel, Role
from wikimem_desktop.presentation.ordering import Order

DIARY = Branch("diary", "diary", ["2026-07-20", "2026-07-21"], 2)
MANY = 30_000


def branch(key: str, *items: MemoryItem, shadowed: dict[str, list[int]] | None = None) -> Branch:
    file = CategoryFile(key, Path(f"{key}.md"), b"", items)
    return Branch(key, "category", [item.name for item in items], len(items), shadowed or {}, file)


def item(name: str, content: str = "", ts: str | None = None, owner: str | None = None) -> MemoryItem:
    return MemoryItem("a", name, content, owner, None, ts)


def searching(model: MemoryModel) -> bool:
    return model.searching


def leaves(model: MemoryModel, key: str = "a") -> list[object]:
    parent = model.find(key)
    return [model.index(row, 0, parent).data() for row in range(model.rowCount(parent))]


SMALL = branch(
    "a",
    item("item 10", "xx", "2026-07-01T00:00:00+00:00"),
    item("item 9", "xxxx", "2026-07-01T01:00:00+02:00"),
    item("Apple", "x", None),
    item("ähre", "xxx", "no moment"),
    item("banana", "xx", "2026-07-02"),
)


@pytest.mark.parametrize(
    ("order", "names", "days"),
    [
        (Order.FILE, ["item 10", "item 9", "Apple", "ähre", "banana"], ["2026-07-20", "2026-07-21"]),
        (Order.NAME, ["Apple", "banana", "item 9", "item 10", "ähre"], ["2026-07-20", "2026-07-21"]),
        (Order.DATE, ["banana", "item 10", "item 9", "Apple", "ähre"], ["2026-07-21", "2026-07-20"]),
        (Order.SIZE, ["item 9", "ähre", "item 10", "banana", "Apple"], ["2026-07-20", "2026-07-21"]),
    ],
)
def test_items_stand_in_the_order_that_was_chosen(order: Order, names: list[str], days: list[str]) -> None:
    model = MemoryModel()
    model.set_branches([SMALL, DIARY])
    model.set_order(order)
    assert leaves(model) == names
    assert leaves(model, "2026-07-20") == []
    diary = model.index(1, 0)
    assert [model.index(row, 0, diary).data() for row in range(2)] == days
    model.set_order(Order.FILE)
    assert leaves(model) == list(SMALL.leaves)


def test_order_and_filter_work_together() -> None:
    model = MemoryModel()
    model.set_order(Order.NAME)
    model.set_branches([SMALL])
    model.set_filter("item")
    assert leaves(model) == ["item 9", "item 10"]
    model.set_filter("age:>1d")
    assert leaves(model) == ["banana", "item 9", "item 10"]
    assert not model.in_file_order
    model.set_order(Order.FILE)
    assert leaves(model) == ["item 10", "item 9", "banana"]
    assert not model.in_file_order
    model.set_filter("")
    assert model.in_file_order


def test_selection_open_rows_and_current_row_go_along_into_another_order(qtbot: QtBot) -> None:
    model, view = MemoryModel(), QTreeView()
    qtbot.addWidget(view)
    view.setModel(model)
    names = ["c", "a", "b", "d"]
    model.set_branches([branch("a", *map(item, names), shadowed={"b": [0]})])
    view.expand(model.find("a"))
    view.expand(model.find("a", "b"))
    selection = view.selectionModel()
    selection.setCurrentIndex(model.find("a", "c"), QItemSelectionModel.SelectionFlag.ClearAndSelect)
    selection.select(model.find("a", "d"), QItemSelectionModel.SelectionFlag.Select)
    hidden = QPersistentModelIndex(model.index(0, 0, model.find("a", "b")))
    model.set_order(Order.NAME)
    assert leaves(model) == ["a", "b", "c", "d"]
    assert sorted(index.data() for index in selection.selectedIndexes()) == ["c", "d"]
    assert view.currentIndex() == model.find("a", "c")
    assert view.isExpanded(model.find("a"))
    assert view.isExpanded(model.find("a", "b"))
    assert model.data(hidden, Role.PLACE) == Place("shadowed", "a", "b", 0)


@pytest.mark.parametrize("seed", range(4))
def test_any_series_of_orders_filters_and_stores_is_shown_right(seed: int, qtmodeltester: ModelTester) -> None:
    dice, model = random.Random(seed), MemoryModel()
    qtmodeltester.check(model)
    kept: dict[QPersistentModelIndex, object] = {}
    for _ in range(60):
        action = dice.randrange(3)
        if action == 0:
            names = dice.sample([f"n{number}" for number in range(12)], dice.randint(1, 12))
            model.set_branches([branch("a", *(item(n, "x" * dice.randint(0, 3), owner=n[-1]) for n in names)), DIARY])
        elif action == 1:
            model.set_order(dice.choice(list(Order)))
        else:
            model.set_filter(dice.choice(["", "", "n1", 'owner:"1"', "text:xx", "owner:3 owner:4 text:x"]))
        for held, place in kept.items():
            assert not held.isValid() or model.data(held, Role.PLACE) == place
        shown = [
            index for row in range(model.rowCount(model.find("a"))) if (index := model.index(row, 0, model.find("a")))
        ]
        kept = {QPersistentModelIndex(index): model.data(index, Role.PLACE) for index in shown}
        assert leaves(model) == expected(model)


def expected(model: MemoryModel) -> list[str]:
    """By the book."""
    items = [known for branch in model.branches if branch.file for known in branch.file.items]
    tests = {
        "": lambda i: True,
        "n1": lambda i: "1" in i.name,
        'owner:"1"': lambda i: i.owner == "1",
        "text:xx": lambda i: "xx" in i.content,
        "owner:3 owner:4 text:x": lambda i: i.owner in ("3", "4") and "x" in i.content,
    }
    passed = [known for known in items if tests[model.filter_text](known)]
    if model.order is Order.NAME:
        passed.sort(key=lambda i: int(i.name[1:]))
    elif model.order is Order.SIZE:
        passed.sort(key=lambda i: -len(i.content))
    return [known.name for known in passed]


# ------------------------------------------------------------ much to look at


@pytest.fixture
def large() -> MemoryModel:
    """A memory that is looked through in slices."""
    model = MemoryModel()
    model.set_branches([branch("a", *(item(f"n{n}", f"text {n} sea", owner=f"o{n % 7}") for n in range(MANY)))])
    return model


def test_a_search_in_many_texts_lets_the_window_live_and_comes_to_its_end(large: MemoryModel, qtbot: QtBot) -> None:
    with qtbot.waitSignal(large.sifted):
        large.set_filter("text:123")
        assert searching(large)
        assert large.rowCount(large.find("a")) == MANY, "the rows so far stay until the search is done"
    assert not searching(large)
    assert leaves(large) == [f"n{n}" for n in range(MANY) if "123" in str(n)]


def test_a_search_that_is_changed_or_given_up_under_way_gives_what_was_asked_for_last(
    large: MemoryModel, qtbot: QtBot
) -> None:
    large.set_filter("text:12")
    with qtbot.waitSignal(large.sifted):
        large.set_filter("text:1234")
    assert leaves(large) == [f"n{n}" for n in range(MANY) if "1234" in str(n)]
    large.set_filter("text:5")
    assert searching(large)
    large.set_filter("")
    assert not searching(large)
    assert large.rowCount(large.find("a")) == MANY


def test_a_store_that_changes_during_a_search_is_searched(large: MemoryModel, qtbot: QtBot) -> None:
    large.set_filter("text:sea")
    assert searching(large)
    large.set_branches([branch("b", item("one", "sea"), item("two", "tea"))])
    assert not searching(large)
    assert leaves(large, "b") == ["one"]


def test_many_items_are_put_in_order_in_slices(large: MemoryModel, qtbot: QtBot) -> None:
    with qtbot.waitSignal(large.sifted):
        large.set_order(Order.SIZE)
        assert searching(large)
    assert large.order is Order.SIZE
    sizes = [len(str(name)) for name in leaves(large)]
    assert sizes == sorted(sizes, reverse=True)


def test_only_what_changed_is_looked_at_again(large: MemoryModel, qtbot: QtBot) -> None:
    with qtbot.waitSignal(large.sifted):
        large.set_filter("text:sea")
    large.set_branches([*large.branches, branch("b", item("one", "sea"), item("two", "tea"))])
    assert not searching(large), "the large category is known"
    assert leaves(large, "b") == ["one"]
