"""Other programs change a store in every way, in bursts and alone, while queries run: the window shows what is there.

`WIKIMEM_SOAK` sets the number of changes (1,000 take a minute, an hour some 100,000), `WIKIMEM_SOAK_SEED` the dice.
"""

from __future__ import annotations

import faulthandler
import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from tests.engine.folders import fill
from tests.presentation.house import House
from tests.presentation.others import WORDS, Others, a_store
from tests.presentation.watching import until_quiet
from wikimem_desktop.engine.index import Snapshot, build_steps, run_to_end
from wikimem_desktop.engine.retrieval import retrieve
from wikimem_desktop.engine.store import MemoryStore
from wikimem_desktop.presentation.branches import branches_of
from wikimem_desktop.presentation.indexer import IndexRequest
from wikimem_desktop.presentation.memory_model import MemoryModel

CHANGES = int(os.environ.get("WIKIMEM_SOAK", "1000"))
SEED = int(os.environ.get("WIKIMEM_SOAK_SEED", "1"))
BURSTS = [1, 1, 1, 2, 5, 20]
ROUNDS_PER_SEARCH = 10
HANGS_AFTER_S = 120
LATEST_MS = 700
"""watchdog tells of a file that was moved away half a second later."""

Rows = list[object]


class Window:
    """What a window shows of a house, and how often it was told."""

    def __init__(self, house: House) -> None:
        self._house = house
        self.model = MemoryModel()
        self.requests: list[IndexRequest] = []
        self.told = self.swaps = self.runs = 0
        self._rows: Rows = []
        self._rows_of = 0
        house.indexer._requested.connect(self.requests.append)
        house.watcher.changed.connect(self._on_told)
        house.watcher.look_due.connect(self._on_told)
        house.library.snapshot_changed.connect(self._on_snapshot_changed)
        house.playground.run_changed.connect(self._on_run_changed)
        self._on_snapshot_changed()

    def _on_told(self) -> None:
        self.told += 1

    def _on_run_changed(self) -> None:
        self.runs += 1

    def _on_snapshot_changed(self) -> None:
        self.swaps += 1
        self.model.set_branches(branches_of(self._house.snapshot, self._house.library.days, self.model.branches))

    def rows(self) -> Rows:
        """The items as they are indexed, and the tree's rows."""
        if self._rows_of != self.swaps:
            self._rows, self._rows_of = self._read_rows(), self.swaps
        return self._rows

    def _read_rows(self) -> Rows:
        snapshot, model = self._house.snapshot, self.model
        live = snapshot.postings.live
        by_place = sorted((place, row) for row, place in enumerate(snapshot.order.tolist()) if live[row])
        names: list[str] = []
        leaves: list[str] = []
        days: list[str] = []
        for row in range(model.rowCount()):
            branch = model.index(row, 0)
            children = [str(model.index(i, 0, branch).data()) for i in range(model.rowCount(branch))]
            if branch.data() == "diary":
                days = children
            else:
                names.append(str(branch.data()))
                leaves += [f"{branch.data()}:{child}" for child in children]
        return [[snapshot.item_at(row) for _, row in by_place], names, leaves, days]


def rows_on_disk(root: Path) -> Rows:
    """A fresh look: the items in store order, and what rows a tree of them has."""
    store = MemoryStore(root)
    files = store.files()
    items = [item for file in files for item in file.items]
    leaves = [f"{file.category}:{item.name}" for file in files for item in file.items]
    return [items, [file.category for file in files], leaves, store.diary.dates()]


def answers(snapshot: Snapshot, store: MemoryStore) -> Iterator[object]:
    for query in ("sea coffee", "海边 会议", "train music deploy", "手冲咖啡"):
        result = retrieve(snapshot, store.diary, query, budget_tokens=200)
        yield [(entry.item.address, pytest.approx(entry.score, abs=1e-9)) for entry in result.items]


@pytest.mark.skipif(sys.platform == "win32", reason="folders that are in use are taken away, and there are links")
def test_nothing_is_missed_and_nothing_goes_round(house: House, tmp_path: Path, qtbot: QtBot) -> None:
    dice = random.Random(SEED)
    root = fill(tmp_path / "store", a_store(dice))
    house.open(root)
    window, others = Window(house), Others(root, dice)
    rounds = 0
    while sum(others.done.values()) < CHANGES:
        rounds += 1
        faulthandler.dump_traceback_later(HANGS_AFTER_S, exit=True, file=2)  # of a round, not of the test
        for _ in range(dice.choice(BURSTS)):
            others.change()
            house.playground.set_query(" ".join(dice.choices(WORDS, k=2)))
            if dice.random() < 0.3:  # or all of a burst would be over before anybody looks
                QCoreApplication.processEvents()
        there = rows_on_disk(root)
        house.until(lambda there=there: window.rows() == there)  # type: ignore[misc]
        if rounds % ROUNDS_PER_SEARCH == 0:
            fresh = run_to_end(build_steps(house.store, use_jieba=False))
            assert list(answers(house.snapshot, house.store)) == list(answers(fresh, house.store))
    until_quiet(house.watcher, qtbot, LATEST_MS)
    house.settle()
    swaps = window.swaps
    with house.quiet_for(LATEST_MS):
        pass
    assert window.swaps == swaps, "reading does not wake us again"
    assert others.done.keys() == others.kinds
    assert window.runs > rounds
    assert not [request for request in window.requests if request.rebuild], "each change costs what changed"
    assert len(window.requests) <= window.told, "nothing is looked at untold"
    assert swaps <= sum(others.done.values()) + rounds, "each change makes one new state at the most"


def test_an_idle_store_is_left_alone(house: House, tmp_path: Path) -> None:
    """Case B55: what our own reading and rebuilding does wakes nobody."""
    house.open(fill(tmp_path / "store", {"wiki/a.md": "## a\n", "diary/2026-07-01.md": "## 10:00\n\nx\n"}))
    house.library.rebuild()
    house.settle()
    window = Window(house)
    with house.quiet_for(LATEST_MS):
        house.store.files()
        house.store.diary.dates()
        house.documents.open_item("a", "a")
    assert (len(window.requests), window.swaps) == (0, 1)
