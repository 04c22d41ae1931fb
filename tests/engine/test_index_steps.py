"""Building and refreshing in steps: progress, giving up half-way, and freshness after writes."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Generator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.engine.folders import fill
from wikimem_desktop.engine import MemoryIndex, MemoryStore


@pytest.fixture
def store(tmp_path: Path) -> MemoryStore:
    files: dict[str, str | bytes] = {f"wiki/c{number}.md": f"## sea\n\nsea {number}\n" for number in range(5)}
    return MemoryStore(fill(tmp_path, files))


@pytest.fixture
def index(store: MemoryStore) -> MemoryIndex:
    return MemoryIndex(store, use_jieba=False)


def found(index: MemoryIndex, query: str = "sea") -> list[str]:
    return [hit.item.category for hit in index.retrieve(query, limit=50).items]


def run(steps: Generator[Any, None, Any]) -> list[tuple[int, int]]:
    return [(progress.done, progress.total) for progress in steps]


def check_progress(progress: list[tuple[int, int]]) -> None:
    """It never goes back while its total stays, and never passes it."""
    assert progress
    for (before, old_total), (after, total) in pairwise(progress):
        assert after >= before or total != old_total
    assert all(0 <= done <= total for done, total in progress)


def test_a_build_reports_progress_to_its_end(index: MemoryIndex) -> None:
    progress = run(index.build_steps())
    check_progress(progress)
    assert len(progress) >= 5
    assert progress[-1][0] == progress[-1][1]
    assert len(found(index)) == 5


def test_a_build_of_a_large_file_can_be_left_in_its_middle(tmp_path: Path) -> None:
    text = "".join(f"## item {number}\n\nsea {number}\n\n" for number in range(5000))
    store = MemoryStore(fill(tmp_path, {"large.md": text}))
    assert len(run(MemoryIndex(store, use_jieba=False).build_steps())) > 5


def test_a_refresh_reports_progress_and_sees_outside_changes(store: MemoryStore, index: MemoryIndex) -> None:
    index.rebuild()
    store.path("c1").write_bytes(b"## new\n\nocean\n")
    check_progress(run(index.refresh_steps(["c1"])))
    assert found(index, "ocean") == ["c1"]
    assert "c1" not in found(index)


def test_steps_that_are_given_up_leave_the_index_as_it_was(store: MemoryStore, index: MemoryIndex) -> None:
    index.rebuild()
    before = found(index)
    store.path("c1").write_bytes(b"## new\n\nocean\n")
    for steps in (index.build_steps(), index.refresh_steps(["c1", "c2"])):
        next(steps)
        steps.close()
        assert found(index) == before
        assert found(index, "ocean") == []
    index.rebuild()
    assert found(index, "ocean") == ["c1"]


def test_own_writes_are_seen_by_the_next_query(store: MemoryStore, index: MemoryIndex) -> None:
    assert found(index, "ocean") == []
    store.add("c9", "new", "ocean")
    assert found(index, "ocean") == ["c9"]
    store.update("c9", "new", "lake")
    assert (found(index, "ocean"), found(index, "lake")) == ([], ["c9"])
    store.remove("c9", "new")
    assert found(index, "lake") == []


def test_a_refresh_of_one_category_does_not_hide_own_writes_to_others(store: MemoryStore, index: MemoryIndex) -> None:
    index.rebuild()
    store.add("c2", "new", "ocean")
    index.refresh(["c0"])
    assert found(index, "ocean") == ["c2"]


def test_items_of_equal_rank_come_in_the_order_of_the_store(store: MemoryStore, index: MemoryIndex) -> None:
    assert found(index) == [f"c{number}" for number in range(5)]
    store.add("c2", "sea", "sea 9")
    store.add("b0", "sea", "sea 8")
    assert found(index)[:2] == ["b0", "c0"]
    store.path("c0").write_bytes(b"## sea\n\nsea 7\n")
    index.refresh(["c0"])
    assert found(index) == ["b0", *(f"c{number}" for number in range(5))]
    store.remove("c3", "sea")
    assert found(index) == ["b0", "c0", "c1", "c2", "c4"]


@pytest.mark.parametrize(
    "look", [lambda index: index.refresh(["c1"]), lambda index: index.rebuild()], ids=["refresh", "rebuild"]
)
def test_a_file_rewritten_in_place_with_its_old_time_and_size_is_seen(
    look: Callable[[MemoryIndex], None], store: MemoryStore, index: MemoryIndex
) -> None:
    """Sync tools and backups put modification times back."""
    path = store.path("c1")
    os.utime(path, (1_000_000_000, 1_000_000_000))
    index.rebuild()
    index.rebuild()
    path.write_bytes(path.read_bytes().replace(b"sea 1", b"oce 1"))
    os.utime(path, (1_000_000_000, 1_000_000_000))
    look(index)
    assert found(index, "oce") == ["c1"]


def test_diary_entries_are_read_when_a_window_asks_for_them(store: MemoryStore, index: MemoryIndex) -> None:
    window = ("2026-07-10", "2026-07-10")
    assert [hit.item.category for hit in index.retrieve("ocean", time_range=window).items] == []
    revision = store.revision
    store.diary.append("ocean", date="2026-07-10", time="10:00")
    assert store.revision == revision
    assert [hit.item.category for hit in index.retrieve("ocean", time_range=window).items] == ["2026-07-10"]


@pytest.mark.skipif(sys.platform == "win32", reason="no colon in a file's name")
def test_an_address_means_the_item_that_exists_wherever_its_colons_stand(tmp_path: Path) -> None:
    store = MemoryStore(fill(tmp_path, {"a.md": "## b\n\n## b:c\n\n## x:y\n", "a:b.md": "## c\n\n## c:d\n"}))
    snapshot = MemoryIndex(store, use_jieba=False).snapshot
    means = {"a:b": ("a", "b"), "a:x:y": ("a", "x:y"), "a:b:c": ("a:b", "c"), "a:b:c:d": ("a:b", "c:d")}
    for address, (category, name) in means.items():
        item = snapshot.addressed(address)
        assert item is not None
        assert (item.category, item.name) == (category, name)
    for address in ("", ":", "a", "a:", ":b", "a:nothing", "a:b:"):
        assert snapshot.addressed(address) is None


def test_b08_names_that_only_look_the_same_are_known_but_not_the_same(tmp_path: Path) -> None:
    composed, decomposed, angstrom = "Caf\u00e9", "Cafe\u0301", "\u212b"
    files: dict[str, str | bytes] = {
        "a.md": f"## {decomposed}\n\n## both\u00e9\n\n## bothe\u0301\n\n## \u00c5\n",
        f"{decomposed}.md": "## x\n",
    }
    snapshot = MemoryIndex(MemoryStore(fill(tmp_path, files)), use_jieba=False).snapshot
    assert snapshot.item("a", composed) is None
    means = {
        ("a", composed): decomposed,
        ("a", angstrom): "\u00c5",
        ("a", "both\u00e9"): "both\u00e9",
        (composed, "x"): "x",
    }
    for (category, name), found in means.items():
        item = snapshot.lookalike(category, name)
        assert item is not None
        assert item.name == found
    assert [snapshot.lookalike("a", name) for name in ("Cafe", "both", "cafe\u0301")] == [None] * 3
    alike = snapshot.addressed(f"a:{composed}")
    assert alike is not None
    assert alike.name == decomposed
    exact = snapshot.addressed("a:bothe\u0301")
    assert exact is not None
    assert exact.name == "bothe\u0301"


def test_b08_looking_for_lookalikes_is_fast_in_a_large_memory(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        f"c{number}.md": "".join(f"## caf\u00e9 {item}\n\n" for item in range(500)) for number in range(20)
    }
    files["odd.md"] = "## cafe\u0301\n"
    snapshot = MemoryIndex(MemoryStore(fill(tmp_path, files)), use_jieba=False).snapshot
    start = time.perf_counter()
    for number in range(2000):
        assert snapshot.lookalike("c1", f"none {number}") is None
        assert snapshot.lookalike("odd", "caf\u00e9") is not None
    assert time.perf_counter() - start < 1
