"""A crash at any moment of a write leaves the old or the new file, whole, and a store that works."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.engine.crash_child import TS, WRITES
from tests.engine.folders import fill, tree
from wikimem_desktop.engine import MemoryStore

ROOT = Path(__file__).parents[2]
FILES: dict[str, str | bytes] = {
    "wiki/notes.md": f"# notes\r\n\r\n## a\r\n\r\nold\r\n\r\n<!-- wikimem: ts={TS} -->\r\n\r\n## b\r\n\r\nkept\r\n",
    "wiki/single.md": "# single\n\n## a\n\nalone\n",
    "diary/2026-07-10.md": "# 2026-07-10\n\n## 08:00\n\nearly\n\n## 21:00\n\nlate\n",
    "journal.jsonl": '{"ts": "x", "action": "add", "file": "notes", "item": "a"}\n',
}
NEVER = 10_000


def run_child(root: Path, write: str, calls: int) -> subprocess.CompletedProcess[str]:
    """One writing program, run to its end or its crash."""
    command = [sys.executable, "-m", "tests.engine.crash_child", str(root), write, str(calls)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=environment, check=False)


def memory_files(root: Path) -> dict[str, bytes | None]:
    return {name: data for name, data in tree(root).items() if name.endswith(".md")}


def check_store(root: Path, old: dict[str, bytes | None], new: dict[str, bytes | None]) -> None:
    """Old or new files; all items there; a journal that lost its last line at most; and the next write succeeds."""
    found = memory_files(root)
    assert found in (old, new)
    store = MemoryStore(root)
    assert store.unreadable() == []
    assert ("notes", "b") in [(item.category, item.name) for item in store.items()]
    entries = store.journal.entries()
    assert len(entries) in (1, 2)
    assert store.journal.broken <= 1
    assert found == new or len(entries) == 1
    store.add("notes", "after", "the crash")
    assert store.get("notes", "after") is not None
    assert [entry["item"] for entry in store.journal.entries() if entry["action"] != "diary"][-1] == "after"
    assert store.journal.broken <= 1


@pytest.mark.parametrize("write", sorted(WRITES))
def test_a_crash_after_any_call_leaves_old_or_new(write: str, tmp_path: Path) -> None:
    old = memory_files(fill(tmp_path / "old", FILES))
    finished = fill(tmp_path / "new", FILES)
    whole = run_child(finished, write, NEVER)
    assert whole.returncode == 0, whole.stderr
    new = memory_files(finished)
    assert old != new
    count = int(whole.stdout)
    assert 5 < count < NEVER

    def crash(calls: int) -> Path:
        root = fill(tmp_path / str(calls), FILES)
        died = run_child(root, write, calls)
        assert died.returncode == 9, died.stderr
        return root

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        roots = list(pool.map(crash, range(1, count + 1)))
    written = [memory_files(root) == new for root in roots]
    assert written == sorted(written), "the new file was there and went away"
    assert (written[0], written[-1]) == (False, True)
    for root in roots:
        check_store(root, old, new)
