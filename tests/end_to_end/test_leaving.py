"""Case B73: the program is left while it is at work; it ends by itself, with code 0, and nothing is lost or left."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.folders import fill, tree

ROOT = Path(__file__).parent.parent.parent
LARGE: dict[str, str | bytes] = {
    f"wiki/c{file}.md": "".join(f"## item {item}\n\n海边 sea {file} coffee\n\n" for item in range(200))
    for file in range(500)
}
"""100,000 items."""
SMALL: dict[str, str | bytes] = {"wiki/c0.md": "## item 0\n\nsea\n", "diary/2026-07-01.md": "## 10:00\n\nx\n"}
ENORMOUS: dict[str, str | bytes] = {"wiki/c0.md": "## item 0\n\n" + "海边 sea coffee " * 3_000_000}
"""One text of 50 MB, read in one piece."""


def leave(load: str, root: Path, *options: str) -> None:
    """Start the program on the store and leave it under that load."""
    command = [sys.executable, "-m", "tests.end_to_end.leaving_child", load, str(root), *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100)
    errors = [line for line in done.stderr.splitlines() if not line.startswith("This plugin does not support")]
    assert (done.returncode, errors) == (0, [])
    assert done.stdout.startswith("LEAVE"), "it was at work"


def log_of(profile: Path) -> str:
    return (profile / "log" / "wikimem-desktop.log").read_text(encoding="utf-8")


def assert_that_all_is_kept(root: Path, profile: Path) -> None:
    assert "Traceback" not in log_of(profile)
    state = json.loads((profile / "config" / "state.json").read_text(encoding="utf-8"))
    assert str(root.resolve()) in state["stores"]
    assert [path for path in root.rglob("*") if path.name.endswith(".tmp")] == []


@pytest.mark.parametrize("load", ["first build", "first look", "rebuild", "search"])
def test_it_is_left_in_the_middle_of_100_000_items(load: str, tmp_path: Path, profile: Path) -> None:
    root = fill(tmp_path / "store", LARGE)
    before = tree(root)
    leave(load, root, "--item", "c0:item 0")
    assert tree(root) == before
    assert_that_all_is_kept(root, profile)
    assert "did not end in time" not in log_of(profile)


def test_it_is_left_while_one_text_takes_longer_than_one_should_wait(tmp_path: Path, profile: Path) -> None:
    root = fill(tmp_path / "store", ENORMOUS)
    leave("first build", root)
    assert_that_all_is_kept(root, profile)


@pytest.mark.parametrize("load", ["burst", "dead share", "question", "file dialog", "new item", "drafts", "nothing"])
def test_it_is_left_while_others_write_or_something_is_asked(load: str, tmp_path: Path, profile: Path) -> None:
    root = fill(tmp_path / "store", SMALL)
    leave(load, root, "--item", "c0:item 0")
    assert_that_all_is_kept(root, profile)
    assert "did not end in time" not in log_of(profile)
    assert [path for path in profile.rglob("lock") if "history" not in path.parts] == []
    assert (root / "wiki" / "c0.md").read_bytes() == b"## item 0\n\nsea\n"


@pytest.mark.parametrize("load", ["question", "slow writer"])
def test_what_is_unsaved_when_it_is_left_is_found_by_the_next_start(load: str, tmp_path: Path, profile: Path) -> None:
    root = fill(tmp_path / "store", SMALL)
    leave(load, root, "--item", "c0:item 0")
    assert_that_all_is_kept(root, profile)
    drafts = [path.read_text(encoding="utf-8") for path in profile.rglob("*.json") if "drafts" in path.parts]
    assert ["sea and more" in draft for draft in drafts] == [True]
