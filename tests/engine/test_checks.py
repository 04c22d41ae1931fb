"""Checks that follow a store say what checks from nothing say, and leave alone what did not change."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.engine.folders import fill
from wikimem_desktop.engine.checks import Checker, Findings
from wikimem_desktop.engine.index import Snapshot, build_steps, refresh_steps, run_to_end
from wikimem_desktop.engine.store import MemoryStore

CATEGORIES = ["a", "b", "caf\u00e9", "cafe\u0301", "工作"]
NAMES = ["x", "y", "e\u0301t\u00e9", "\u00e9t\u00e9", "海边"]
ALIKE = "这一段写得够长, so that items with it are nearly the same, whatever links stand behind it. " * 3


def check(checker: Checker, snapshot: Snapshot, store: MemoryStore) -> Findings:
    return run_to_end(checker.steps(snapshot, store, store.diary.dates()))


def random_text(dice: random.Random) -> str:
    sections = []
    for name in dice.choices(NAMES, k=dice.randint(0, 4)):
        links = " ".join(f"[[{dice.choice(CATEGORIES)}:{dice.choice(NAMES)}]]" for _ in range(dice.randint(0, 3)))
        sections.append(f"## {name}\n\n{dice.choice(['', ALIKE])}{links}\n")
    return "\n".join(sections)


def edit_at_random(root: Path, dice: random.Random) -> None:
    folder = dice.choice(["wiki", "wiki", "wiki", "diary"])
    name = dice.choice(CATEGORIES) if folder == "wiki" else f"2026-07-{dice.randint(10, 14)}"
    path = root / folder / f"{name}.md"
    if dice.random() < 0.2:
        path.unlink(missing_ok=True)
    elif dice.random() < 0.1:
        path.write_bytes(b"\xff")
    else:
        path.write_text(random_text(dice), encoding="utf-8")
    if dice.random() < 0.1:
        with (root / "journal.jsonl").open("a", encoding="utf-8") as journal:
            journal.write(dice.choice(["{}\n", "broken\n"]))


@pytest.mark.parametrize("seed", range(8))
def test_any_series_of_changes_is_judged_as_from_nothing(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)
    root = fill(tmp_path, {"wiki/": "", "diary/": ""})
    store, checker = MemoryStore(root), Checker()
    snapshot = run_to_end(build_steps(store, use_jieba=False))
    before, pairs = Findings(), 0
    for _ in range(40):
        for _ in range(dice.randint(0, 3)):
            edit_at_random(root, dice)
        snapshot = run_to_end(refresh_steps(snapshot, store))
        if dice.random() < 0.3:
            for stopped in (
                checker.judgement(snapshot, store, store.diary.dates()),
                checker.comparison(snapshot, before),
            ):
                for _ in range(dice.randint(0, 6)):
                    next(stopped, None)
        found, fresh = check(checker, snapshot, store), check(Checker(), snapshot, store)
        assert found.problems == fresh.problems
        assert found.categories == fresh.categories
        for category in CATEGORIES:
            assert found.links_into(category) == fresh.links_into(category)
            assert [found.links_to(category, name) for name in NAMES] == [fresh.links_to(category, n) for n in NAMES]
        assert found.same_as(before) == (
            (found.categories, found.days, found.journal, found.duplicates)
            == (before.categories, before.days, before.journal, before.duplicates)
        )
        before, pairs = found, pairs + len(found.duplicates)
    assert pairs


def test_a_change_leaves_the_reports_of_files_that_have_nothing_to_do_with_it(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"a.md": "## x\n\n[[b:x]]\n", "b.md": "## y\n", "c.md": "## x\n\n[[gone:x]]\n"}
    store, checker = MemoryStore(fill(tmp_path, files)), Checker()
    snapshot = run_to_end(build_steps(store, use_jieba=False))
    before = check(checker, snapshot, store)
    assert len(before.problems) == 2
    (tmp_path / "b.md").write_text("## x\n\n## more\n", encoding="utf-8")
    after = check(checker, run_to_end(refresh_steps(snapshot, store)), store)
    assert [problem.subject for problem in after.problems] == ["[[gone:x]]"]
    assert after.categories["c"] is before.categories["c"]
    assert after.categories["a"] is not before.categories["a"]
    assert not after.same_as(before)
