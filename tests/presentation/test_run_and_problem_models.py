"""The lists of the window: a run with its cut and its unresolved links, and the problems of the store."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from PySide6.QtCore import QPersistentModelIndex, Qt
from pytestqt.modeltest import ModelTester

from tests.engine.folders import fill
from wikimem_desktop.engine.explain import Cut
from wikimem_desktop.engine.index import build_steps, run_to_end
from wikimem_desktop.engine.problems import Kind, Problem
from wikimem_desktop.engine.store import MemoryStore
from wikimem_desktop.presentation.memory_model import Rank
from wikimem_desktop.presentation.problems_model import ProblemRole, ProblemsModel
from wikimem_desktop.presentation.searcher import Parameters, Run, SearchRequest, run_query
from wikimem_desktop.presentation.sequence_model import Entry, SequenceModel, SequenceRole

STORE: dict[str, str | bytes] = {
    "wiki/notes.md": "## first\n\nalpha sea [[notes:linked]] [[gone:x]]\n\n## linked\n\n"
    + "water " * 30
    + "\n\n## last\n\nsea\n\n## немой\n\nПривет\n\n## other\n\nlake [[notes:немой]]\n",
    "diary/2026-07-20.md": "## 08:00\n\nsea\n\n## 09:00\n\nsea\n",
}


def run(root: Path, query: str, parameters: Parameters = Parameters()) -> Run:  # noqa: B008 - frozen
    store = MemoryStore(fill(root, STORE), read_only=True)
    snapshot = run_to_end(build_steps(store, use_jieba=False))
    return run_query(SearchRequest(1, snapshot, store.diary, query, parameters))


def rows(model: SequenceModel) -> list[object]:
    return [model.data(model.index(row), SequenceRole.ROW) for row in range(model.rowCount())]


def shown(model: SequenceModel) -> list[object]:
    """Names of entries, "cut", and unresolved links."""
    return [
        row.item.item.name if isinstance(row, Entry) else "cut" if isinstance(row, Cut) else row for row in rows(model)
    ]


def test_a_run_is_listed_with_its_cut_and_its_unresolved_links(tmp_path: Path, qtmodeltester: ModelTester) -> None:
    model = SequenceModel()
    qtmodeltester.check(model)
    model.set_run(run(tmp_path, "alpha sea", Parameters(budget=10)))
    assert shown(model) == ["first", "cut", "linked", "last", "[[gone:x]]"]
    assert [(entry.number, entry.dropped, entry.blocks) for entry in model.entries] == [
        (1, False, 0),
        (2, True, 1),
        (3, True, 0),
    ]
    assert model.ranks() == {
        "notes:first": Rank(1, False, False),
        "notes:linked": Rank(2, True, True),
        "notes:last": Rank(3, False, True),
    }
    assert (model.row_of("notes:last"), model.row_of("notes:none")) == (3, -1)
    assert model.entries[0].share == 1.0
    assert not model.flags(model.index(1)) & Qt.ItemFlag.ItemIsSelectable
    model.set_run(None)
    assert (rows(model), model.ranks()) == ([], {})


def test_what_is_over_the_budget_or_costs_nothing_is_marked(tmp_path: Path) -> None:
    model = SequenceModel()
    model.set_run(run(tmp_path, "lake", Parameters(budget=1)))
    other, mute = model.entries
    assert (other.over_budget, other.costs_nothing) == (True, False)
    assert (mute.item.item.name, mute.costs_nothing, mute.item.tokens_est) == ("немой", True, 0)


def test_a_day_has_the_rank_of_its_first_entry(tmp_path: Path) -> None:
    model = SequenceModel()
    model.set_run(run(tmp_path, "sea", Parameters(days=("2026-07-20", "2026-07-20"), links=False)))
    places = [entry.item.item.address for entry in model.entries]
    first = next(number for number, address in enumerate(places, 1) if address.startswith("2026-07-20:"))
    assert model.ranks()["2026-07-20"] == Rank(first, False, False)


def test_every_row_has_words_and_details(tmp_path: Path) -> None:
    model = SequenceModel()
    model.set_run(run(tmp_path, "alpha sea", Parameters(budget=10)))
    for row in range(model.rowCount()):
        index = model.index(row)
        assert model.data(index)
        assert model.data(index, Qt.ItemDataRole.AccessibleTextRole) == model.data(index)
        assert model.data(index, Qt.ItemDataRole.ToolTipRole)
    assert "notes:first" in str(model.data(model.index(0)))
    assert "alpha: " in str(model.data(model.index(0), Qt.ItemDataRole.ToolTipRole))


# ------------------------------------------------------------ problems


def problem(number: int, kind: Kind = Kind.SHADOWED) -> Problem:
    return Problem(kind, Path("/memory/notes.md"), number, f"item {number}", "notes", f"item {number}", "9")


@pytest.mark.parametrize("seed", range(3))
def test_problems_follow_and_those_that_stay_keep_their_rows(seed: int, qtmodeltester: ModelTester) -> None:
    dice, model = random.Random(seed), ProblemsModel()
    qtmodeltester.check(model)
    for _ in range(40):
        before = {
            QPersistentModelIndex(model.index(row)): model.data(model.index(row), ProblemRole.PROBLEM)
            for row in range(model.rowCount())
        }
        new = [problem(number) for number in sorted(dice.sample(range(12), dice.randint(0, 12)))]
        model.set_problems(new)
        assert list(model.problems) == new
        for index, was in before.items():
            assert index.isValid() == (was in new)
            assert not index.isValid() or index.data(ProblemRole.PROBLEM) == was


def test_a_problem_says_what_and_where_and_marks_its_item(tmp_path: Path) -> None:
    model = ProblemsModel()
    whole_file = Problem(Kind.NOT_UTF8, Path("/memory/old.md"), 0, "old.md", "old", detail="not UTF-8 (byte 3)")
    model.set_problems([whole_file, problem(7), problem(8, Kind.SAME_MINUTE)])
    first, second = model.index(0), model.index(1)
    assert (model.data(first, ProblemRole.PLACE_TEXT), model.data(second, ProblemRole.PLACE_TEXT)) == (
        "old.md",
        "notes.md:7",
    )
    assert (model.data(first, ProblemRole.SEVERE), model.data(second, ProblemRole.SEVERE)) == (True, False)
    assert "item 7" in str(model.data(second))
    assert "notes.md:7" in str(model.data(second, Qt.ItemDataRole.AccessibleTextRole))


def test_shadowed_sections_of_a_name_are_counted_in_their_file() -> None:
    alike = [Problem(Kind.SHADOWED, Path("/memory/notes.md"), line, "a", "notes", "a", "30") for line in (10, 20)]
    others = [Problem(Kind.SHADOWED, Path(f"/memory/{name}.md"), 5, "a", name, "a", "30") for name in ("x", "y")]
    model = ProblemsModel()
    model.set_problems([alike[1], *others, problem(3), alike[0]])
    assert [model.occurrence(found) for found in (*alike, *others)] == [0, 1, 0, 0]
