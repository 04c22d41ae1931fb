"""Other programs change a store in every way, in bursts and alone, while queries run: the window shows what is there.

`WIKIMEM_SOAK` sets the number of changes (by hand, an hour takes some 60,000).
"""

from __future__ import annotations

import os
import random
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex

from tests.engine.folders import fill
from tests.presentation.house import House
from wikimem_desktop.engine.index import Snapshot
from wikimem_desktop.engine.store import MemoryStore
from wikimem_desktop.presentation.branches import branches_of
from wikimem_desktop.presentation.memory_model import MemoryModel

CHANGES = int(os.environ.get("WIKIMEM_SOAK", "1000"))
FILES, ITEMS = 40, 50
WORDS = ["sea", "coffee", "deploy", "海边", "手冲咖啡", "会议", "music", "train", "[[c1:item 2]]"]


def a_file(dice: random.Random, number: int, items: int = ITEMS) -> str:
    texts = [f"## item {i}\n\n{' '.join(dice.choices(WORDS, k=8))}\n" for i in range(items)]
    return f"# c{number}\n\n" + "\n".join(texts)


class Others:
    """Agents, editors, version control and sync tools at work in a wiki store."""

    def __init__(self, root: Path, dice: random.Random) -> None:
        self.root = root
        self.dice = dice
        self.aside = root.parent / "elsewhere"
        self.aside.mkdir()
        self.done: Counter[str] = Counter()
        self.kinds: list[Callable[[], int]] = [
            self.append, self.write_in_place, self.replace, self.replace_from_elsewhere, self.touch, self.delete,
            self.create, self.rename, self.spoil, self.folder_of_that_name, self.write_a_day, self.burst,
            self.check_out, self.wiki_folder_away_and_back,
        ]  # fmt: skip

    @property
    def wiki(self) -> Path:
        return self.root / "wiki"

    def change(self) -> int:
        """One thing at random; returns how many changes it was."""
        weights = [8, 6, 8, 4, 2, 3, 4, 3, 1, 1, 3, 2, 1, 1]
        kind = self.dice.choices(self.kinds, weights)[0]
        count = kind()
        self.done[kind.__name__] += count
        return count

    def one(self) -> Path:
        paths = sorted(path for path in self.wiki.glob("*.md") if path.is_file())
        return self.dice.choice(paths) if paths else self.wiki / "c0.md"

    def text(self) -> bytes:
        return a_file(self.dice, self.dice.randrange(FILES), self.dice.randint(0, ITEMS)).encode()

    def append(self) -> int:
        with self.one().open("ab") as file:
            file.write(f"\n## new {self.dice.random()}\n\n{self.dice.choice(WORDS)}\n".encode())
        return 1

    def write_in_place(self) -> int:
        self.one().write_bytes(self.text())
        return 1

    def replace(self) -> int:
        path = self.one()
        temporary = path.with_suffix(".tmp")
        temporary.write_bytes(self.text())
        os.replace(temporary, path)
        return 1

    def replace_from_elsewhere(self) -> int:
        (self.aside / "file").write_bytes(self.text())
        os.replace(self.aside / "file", self.one())
        return 1

    def touch(self) -> int:
        self.one().touch()
        return 1

    def delete(self) -> int:
        path = self.one()
        if path.exists() and len(list(self.wiki.glob("*.md"))) > FILES // 2:
            path.unlink()
            return 1
        return 0

    def create(self) -> int:
        (self.wiki / f"c{self.dice.randrange(2 * FILES)}x.md").write_bytes(self.text())
        return 1

    def rename(self) -> int:
        target = self.wiki / f"c{self.dice.randrange(2 * FILES)}y.md"
        if target.is_dir():
            return 0
        os.replace(self.one(), target)
        return 1

    def spoil(self) -> int:
        self.one().write_bytes(b"## a\n\n\xff\xfe not UTF-8\n")
        return 1

    def folder_of_that_name(self) -> int:
        path = self.wiki / "folder.md"
        path.rmdir() if path.is_dir() else path.mkdir()
        return 1

    def write_a_day(self) -> int:
        day = self.root / "diary" / f"2026-07-{self.dice.randint(1, 28):02}.md"
        day.write_bytes(f"## 10:{self.dice.randint(0, 59):02}\n\n{self.dice.choice(WORDS)}\n".encode())
        return 1

    def burst(self) -> int:
        """A sync tool: one file again and again."""
        path = self.one()
        for _ in range(10):
            path.write_bytes(self.text())
        return 10

    def check_out(self) -> int:
        """Version control: many files at once."""
        for number in range(FILES):
            path = self.wiki / f"c{number}.md"
            path.unlink(missing_ok=True)
            path.write_bytes(a_file(self.dice, number).encode())
        return FILES

    def wiki_folder_away_and_back(self) -> int:
        os.replace(self.wiki, self.aside / "wiki")
        shutil.copytree(self.aside / "wiki", self.wiki)
        shutil.rmtree(self.aside / "wiki")
        return 1


def what_is_there(root: Path) -> tuple[list[object], list[str]]:
    """A fresh look at the disk: the items in store order, and the tree's rows."""
    store = MemoryStore(root)
    files = store.files()
    rows = [f"{file.category}:{item.name}" for file in files for item in file.items]
    days = store.diary.dates()
    return [item for file in files for item in file.items], [*(f.category for f in files), *rows, *days]


def what_is_shown(snapshot: Snapshot, model: MemoryModel) -> tuple[list[object], list[str]]:
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
    by_place = sorted((place, row) for row, place in enumerate(snapshot.order.tolist()) if snapshot.postings.live[row])
    return [snapshot.item_at(row) for _, row in by_place], [*names, *leaves, *days]


@pytest.mark.parametrize("seed", [1])
def test_nothing_is_missed_and_nothing_goes_round(seed: int, house: House, tmp_path: Path) -> None:
    dice = random.Random(seed)
    root = fill(tmp_path / "store", {f"wiki/c{number}.md": a_file(dice, number) for number in range(FILES)})
    (root / "diary").mkdir()
    model = MemoryModel()
    house.open(root)
    house.library.snapshot_changed.connect(lambda: model.set_branches(branches_of(house.snapshot, house.library.days)))
    model.set_branches(branches_of(house.snapshot, house.library.days))
    others = Others(root, dice)
    swaps: list[int] = []
    house.library.snapshot_changed.connect(lambda: swaps.append(1))
    changes = rounds = 0
    while changes < CHANGES:
        rounds += 1
        for _ in range(dice.choice([1, 1, 2, 5, 20])):
            changes += others.change()
            house.playground.set_query(" ".join(dice.choices(WORDS, k=2)))
        there = what_is_there(root)
        house.until(lambda there=there: what_is_shown(house.snapshot, model) == there)  # type: ignore[misc]
    house.settle()
    assert all(others.done[kind.__name__] for kind in others.kinds), others.done
    before = len(swaps)
    assert before <= changes + rounds, "each change makes one new state at the most"
    with house.quiet_for(700):
        pass
    assert len(swaps) == before, "reading does not wake us again"
    assert model.index(0, 0) != QModelIndex()


def test_an_idle_store_is_left_alone(house: House, root: Path) -> None:
    """Case B55: what our own reading and rebuilding does wakes nobody."""
    swaps: list[int] = []
    house.library.rebuild()
    house.settle()
    house.library.snapshot_changed.connect(lambda: swaps.append(1))
    with house.quiet_for(700):
        house.store.files()
        house.store.diary.dates()
    assert swaps == []
