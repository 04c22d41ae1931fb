"""The tree of the memory: right after every change, and calm: what stays in the store stays in the view."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QTreeView
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from wikimem_desktop.engine.checks import Findings
from wikimem_desktop.engine.problems import FileReport, Kind, Problem
from wikimem_desktop.presentation.branches import Branch
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.presentation.memory_model import MemoryModel, Rank, Role

DIARY = Branch("diary", "diary", ["2026-07-20", "2026-07-21"], 2)


def category(key: str, *names: str, shadowed: dict[str, list[int]] | None = None) -> Branch:
    return Branch(key, "category", list(names), len(names), shadowed or {})


def small_memory() -> list[Branch]:
    return [category("people", "mei", "小林", "妈妈"), category("work", "rota", shadowed={"rota": [0, 1]}), DIARY]


def findings(**subjects: str) -> Findings:
    """Unresolved links of items (category__name), foreign names of categories, unreadable days (day__2026_07_20)."""
    categories: dict[str, FileReport] = {}
    days: dict[str, FileReport] = {}
    for place, subject in subjects.items():
        category_name, _, item = place.partition("__")
        day = item.replace("_", "-") if category_name == "day" else ""
        kind = Kind.UNREADABLE if day else Kind.UNRESOLVED_LINK if item else Kind.FOREIGN_NAME
        problem = Problem(kind, Path("x.md"), 1, subject, day or category_name, None if day else item or None)
        (days if day else categories)[day or category_name] = FileReport((problem,), ())
    return Findings(categories, days)


def model_of(branches: list[Branch]) -> MemoryModel:
    model = MemoryModel()
    model.set_branches(branches)
    return model


def children(model: MemoryModel, parent: QModelIndex = QModelIndex()) -> list[QModelIndex]:
    return [model.index(row, 0, parent) for row in range(model.rowCount(parent))]


def walk(model: MemoryModel, parent: QModelIndex = QModelIndex()) -> Iterator[QModelIndex]:
    for index in children(model, parent):
        assert model.parent(index) == parent
        yield index
        yield from walk(model, index)


def shape(model: MemoryModel) -> list[object]:
    """Labels, counts and places of the whole tree, as a view asks for them."""
    return [
        (
            model.data(branch),
            model.data(branch, Role.COUNT),
            [leaf_shape(model, leaf) for leaf in children(model, branch)],
        )
        for branch in children(model)
    ]


def leaf_shape(model: MemoryModel, leaf: QModelIndex) -> tuple[object, object, list[object]]:
    shadows = [model.data(shadow, Role.PLACE) for shadow in children(model, leaf)]
    return model.data(leaf), model.data(leaf, Role.PLACE), shadows


def expected(branches: list[Branch], letters: str = "") -> list[object]:
    """What `shape` must give for branches under a filter."""
    rows: list[object] = []
    for branch in branches:
        leaves = [leaf for leaf in branch.leaves if has_in_order(f"{branch.key}:{leaf}", letters)]
        if leaves or has_in_order(branch.key, letters):
            rows.append((branch.key, branch.total, [expected_leaf(branch, leaf) for leaf in leaves]))
    return rows


def expected_leaf(branch: Branch, leaf: str) -> tuple[str, Place, list[Place]]:
    if branch.kind == "diary":
        return leaf, Place("day", leaf), []
    shadows = [Place("shadowed", branch.key, leaf, occurrence) for occurrence in branch.shadowed.get(leaf, ())]
    return leaf, Place("item", branch.key, leaf), shadows


def has_in_order(text: str, letters: str) -> bool:
    rest = iter(text.lower())
    return all(letter in rest for letter in letters.lower())


# ------------------------------------------------------------ any series of changes


def random_branches(dice: random.Random) -> list[Branch]:
    """Categories, unreadable files and a diary, in an order as stores have it."""
    branches = []
    for key in sorted(dice.sample(["a", "b", "ab", "My Notes", "diary", "工作"], dice.randint(0, 6))):
        names = dice.sample(["x", "y", "ax", "海边", "likes-the-sea", "a: b", "1"], dice.randint(0, 7))
        if dice.random() < 0.15:
            branches.append(Branch(key, "file"))
            continue
        shadowed = {name: list(range(dice.randint(1, 3))) for name in names if dice.random() < 0.3}
        branches.append(category(key, *names, shadowed=shadowed))
    if dice.random() < 0.7:
        days = sorted(dice.sample([f"2026-07-{day}" for day in range(10, 30)], dice.randint(1, 4)))
        branches.append(Branch("diary", "diary", days, len(days)))
    return branches


def unique_places(model: MemoryModel) -> dict[QPersistentModelIndex, object]:
    return {QPersistentModelIndex(index): identity(model, index) for index in walk(model)}


def identity(model: MemoryModel, index: QModelIndex | QPersistentModelIndex) -> object:
    """What a row is, whatever else may change in it."""
    return model.data(index, Role.PLACE) or (model.data(index), model.data(index, Role.COUNT) is not None)


@pytest.mark.parametrize("seed", range(6))
def test_any_series_of_stores_and_filters_is_shown_and_no_row_becomes_another(
    seed: int, qtmodeltester: ModelTester
) -> None:
    dice, model = random.Random(seed), MemoryModel()
    qtmodeltester.check(model)
    branches: list[Branch] = []
    letters = ""
    for _ in range(60):
        before = unique_places(model)
        if dice.random() < 0.6:
            branches = random_branches(dice)
            model.set_branches(branches)
        else:
            letters = dice.choice(["", "", "a", "ax", "海", "zz", "sea", "2026"])
            model.set_filter(letters)
        assert shape(model) == expected(branches, letters)
        for index, was in before.items():
            assert not index.isValid() or identity(model, index) == was


# ------------------------------------------------------------ a view over it


@pytest.fixture
def view(qtbot: QtBot) -> QTreeView:
    tree = QTreeView()
    qtbot.addWidget(tree)
    return tree


def names_of(view: QTreeView) -> list[str]:
    return [view.model().data(index) for index in view.selectionModel().selectedIndexes()]


def test_expansion_selection_and_persistent_indexes_survive_a_refresh(view: QTreeView) -> None:
    model = model_of(small_memory())
    view.setModel(model)
    chosen = model.find("people", "小林")
    for index in (model.find("people"), model.find("work"), model.find("work", "rota")):
        view.setExpanded(index, True)
    view.selectionModel().setCurrentIndex(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)
    kept = QPersistentModelIndex(chosen)
    fresh = [
        category("art", "prints"),
        category("people", "new", "小林", "mei", "妈妈", "newer"),
        category("work", "deploy", "rota", shadowed={"rota": [0, 1]}),
        DIARY,
    ]
    model.set_branches(fresh)
    assert shape(model) == expected(fresh)
    assert view.isExpanded(model.find("people"))
    assert view.isExpanded(model.find("work", "rota"))
    assert not view.isExpanded(model.find("art"))
    assert names_of(view) == ["小林"]
    assert kept.isValid()
    assert kept == QPersistentModelIndex(model.find("people", "小林"))


def test_a_filter_that_keeps_the_selected_item_keeps_its_selection(view: QTreeView) -> None:
    model = model_of(small_memory())
    view.setModel(model)
    view.setExpanded(model.find("people"), True)
    view.selectionModel().setCurrentIndex(model.find("people", "mei"), QItemSelectionModel.SelectionFlag.ClearAndSelect)
    model.set_filter("pmei")
    assert [model.data(index) for index in walk(model)] == ["people", "mei"]
    was_filtering = model.filtering
    model.set_filter("  ")
    assert (was_filtering, model.filtering) == (True, False)
    assert shape(model) == expected(small_memory())
    assert names_of(view) == ["mei"]
    assert view.isExpanded(model.find("people"))


def test_a_refresh_with_nothing_new_says_nothing(qtbot: QtBot) -> None:
    model = model_of(small_memory())
    signals = [model.rowsInserted, model.rowsRemoved, model.dataChanged, model.modelReset, model.layoutChanged]
    seen: list[object] = []
    for signal in signals:
        signal.connect(lambda *arguments: seen.append(arguments))
    model.set_branches(small_memory())
    assert seen == []


# ------------------------------------------------------------ marks


class Touched:
    """Labels of the rows whose data changed."""

    def __init__(self, model: MemoryModel) -> None:
        self._model = model
        self._labels: list[object] = []
        model.dataChanged.connect(self._on_data_changed)

    def _on_data_changed(self, first: QModelIndex, last: QModelIndex) -> None:
        assert first.parent() == last.parent()
        rows = range(first.row(), last.row() + 1)
        self._labels += [self._model.data(self._model.index(row, 0, first.parent())) for row in rows]

    def take(self) -> set[object]:
        labels, self._labels = set(self._labels), []
        return labels


def test_marks_touch_only_the_rows_they_change() -> None:
    model = model_of(small_memory())
    touched = Touched(model)
    mei = model.find("people", "mei")
    model.set_ranks(
        {"people:mei": Rank(1, False, False), "work:rota": Rank(2, True, True), "gone:x": Rank(3, False, False)}
    )
    assert touched.take() == {"mei", "rota"}
    model.set_ranks({"people:mei": Rank(1, False, False), "work:rota": Rank(3, True, True)})
    assert touched.take() == {"rota"}
    model.set_unsaved({"people:mei", "people:小林"})
    assert touched.take() == {"mei", "小林", "people"}
    model.set_unsaved({"people:小林"})
    assert touched.take() == {"mei"}
    found = findings(work="work", people__mei="[[a:b]]", day__2026_07_20="2026-07-20.md")
    model.set_findings(found)
    assert touched.take() == {"people", "work", "diary"}
    model.set_findings(Findings(dict(found.categories), dict(found.days)))
    assert touched.take() == set()
    assert model.data(mei, Role.RANK) == Rank(1, False, False)
    assert model.data(mei, Role.UNSAVED) is False
    assert model.data(mei, Role.PROBLEM) is True
    assert model.data(model.find("work"), Role.PROBLEM) is True
    assert model.data(model.find("people"), Role.PROBLEM) is False
    assert model.data(model.find("2026-07-20"), Role.PROBLEM) is True
    model.set_ranks({})
    assert touched.take() == {"mei", "rota"}
    model.set_findings(Findings())
    assert model.data(mei, Role.RANK) is None
    assert model.data(mei, Role.PROBLEM) is False


def test_names_with_colons_are_found_and_marked() -> None:
    model = model_of([category("a:b", "c: d"), category("a", "b", "b:c")])
    touched = Touched(model)
    assert model.data(model.find("a:b", "c: d")) == "c: d"
    model.set_unsaved({"a:b:c: d"})
    assert touched.take() == {"c: d", "a:b", "b"}
    model.set_unsaved({"a:b:c"})
    assert touched.take() == {"c: d", "b:c", "a:b", "a", "b"}
    assert model.data(model.find("a", "b:c"), Role.UNSAVED) is True


def test_a_count_that_changes_is_repainted() -> None:
    model = model_of([category("people", "mei")])
    touched = Touched(model)
    model.set_branches([category("people", "mei", "小林")])
    assert touched.take() == {"people"}
    assert model.data(model.find("people"), Role.COUNT) == 2


def test_accessible_texts_say_what_the_badges_show() -> None:
    model = model_of(small_memory())
    model.set_ranks({"people:mei": Rank(2, False, False), "work:rota": Rank(3, True, True)})
    model.set_unsaved({"people:mei"})
    model.set_findings(findings(people__mei="[[a:b]]", work="work"))

    def spoken(index: QModelIndex) -> object:
        return model.data(index, Qt.ItemDataRole.AccessibleTextRole)

    mei, rota = model.find("people", "mei"), model.find("work", "rota")
    assert spoken(mei) == "mei, rank 2 in this run, unsaved text, Unresolved link [[a:b]]"
    assert str(spoken(rota)).startswith("rota, rank 3, behind the budget cut, 2 section")
    assert str(spoken(rota)).endswith(" of this name that hosts ignore")
    assert str(spoken(model.find("people"))).endswith(", holds unsaved text")
    assert spoken(model.index(0, 0, rota)) == "rota (hosts ignore this one), A later item of this name in the file wins"
    assert str(spoken(model.find("work"))).startswith("work, 1 ")
    assert str(spoken(model.find("work"))).endswith(", work is no category name: hosts read it but can't write it")
    assert str(spoken(model.parent(model.find("2026-07-20")))).startswith("diary, 2 ")
    assert model.data(mei, Qt.ItemDataRole.ToolTipRole) == (
        "people:mei\nrank 2 in this run\nunsaved text\nUnresolved link [[a:b]]"
    )


def test_an_unreadable_file_has_a_place_to_open_and_a_mark() -> None:
    model = model_of([Branch("old-notes", "file"), category("people")])
    assert model.data(model.find("old-notes"), Role.PLACE) == Place("file", "old-notes")
    assert model.data(model.find("old-notes"), Role.PROBLEM) is True
    assert model.data(model.find("people"), Role.PLACE) == Place("category", "people")


def test_a_category_that_is_named_like_the_diary_is_a_category() -> None:
    model = model_of([category("diary", "mine"), DIARY])
    assert model.data(model.find("diary"), Role.COUNT) == 1
    assert model.data(model.find("diary", "mine"), Role.PLACE) == Place("item", "diary", "mine")
    assert model.data(model.find("2026-07-21"), Role.PLACE) == Place("day", "2026-07-21")
    assert [model.data(model.parent(index)) for index in (model.find("diary", "mine"), model.find("2026-07-21"))]
    assert model.parent(model.find("2026-07-21")).row() == 1


def test_a_file_name_with_a_line_break_is_a_category_like_others(qtmodeltester: ModelTester) -> None:
    branches = [category("a\nb", "x", shadowed={"x": [0]}), category("a", "b")]
    model = model_of(branches)
    qtmodeltester.check(model)
    assert shape(model) == expected(branches)


def test_a_filter_over_repeated_letters_does_not_try_every_way_to_match() -> None:
    """With backtracking this would take longer than the universe is old."""
    model = model_of([category("a" * 60, "a" * 100)])
    model.set_filter("a" * 40 + "b")
    assert model.rowCount() == 0
    model.set_filter("a" * 40)
    assert model.rowCount() == 1


@pytest.mark.parametrize("letters", ["^", "]", "\\", "-", "[x", ".*", "a-z"])
def test_a_filter_is_letters_and_no_pattern(letters: str) -> None:
    model = model_of([category("a", letters, "q")])
    model.set_filter(letters)
    assert [model.data(index) for index in walk(model)] == ["a", letters]


def test_a_category_tells_that_something_in_it_is_unsaved() -> None:
    model = MemoryModel()
    model.set_branches([Branch("notes", "category", ["a"], 1), Branch("note", "category", ["b"], 1)])
    heard: list[int] = []
    model.dataChanged.connect(lambda first, last: heard.append(first.row()) if not first.parent().isValid() else None)
    model.set_unsaved({"notes:a"})
    assert [model.data(model.index(row, 0), Role.UNSAVED) for row in range(2)] == [True, False]
    assert heard == [0]
    model.set_unsaved(set())
    assert not model.data(model.index(0, 0), Role.UNSAVED)
