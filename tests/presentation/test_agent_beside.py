"""An agent adds items to a file, in a process of its own, while the window saves others of the same file."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.engine import naive_host
from tests.engine.folders import fill
from tests.presentation.house import House
from tests.presentation.notes import current, type_text
from wikimem_desktop.presentation.buffer import Place

ROOT = Path(__file__).parents[2]
LOOPS = 100


@contextmanager
def agent(path: Path, way: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "tests.presentation.agent_child", str(path), way, str(LOOPS)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        yield process


@pytest.mark.parametrize("way", ["rewrite", "append"])
def test_no_item_of_an_agent_is_destroyed_by_our_saves(way: str, house: House, tmp_path: Path) -> None:
    root = fill(tmp_path / "store", {"notes.md": "# notes\n\n## a\n\none\n\n## b\n\ntwo\n"})
    path = root / "notes.md"
    house.open(root)
    with agent(path, way) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(LOOPS):
            type_text(house, f"mine {number}", Place("item", "notes", "ab"[number % 2]))
            process.stdin.write("go on\n")
            process.stdin.flush()
            house.save()
            if current(house).conflict is not None:
                house.saver.keep_mine()
                house.settle()
        written = process.communicate()[0].split("\n")[:-1]
    assert process.returncode == 0
    assert len(written) >= LOOPS - 5
    there = {item.name: item.content for item in naive_host.read_items(path.read_bytes())}
    missing = [name for name in written if there.get(name) != name.replace("agent", "theirs")]
    assert missing == []
