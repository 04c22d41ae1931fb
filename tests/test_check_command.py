"""`wikimem-desktop check`: the problems of the window, in their order, as text and JSON, and the exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.folders import fill, tree
from wikimem_desktop.check_command import main

FILES: dict[str, str | bytes] = {
    "wiki/t.md": "## a\n\n[[t:gone]]\n\n## a\n\nx\n",
    "wiki/bad.md": b"\xff",
    "diary/2026-07-20.md": "## 08:00\n\n[[t:away]]\n",
    "journal.jsonl": "{}\nbroken\n",
}


def test_problems_stand_a_line_each_in_the_order_of_the_window(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    before = tree(fill(tmp_path, FILES))
    assert main([str(tmp_path)]) == 1
    lines = capfd.readouterr().out.splitlines()
    assert [line.split(": ")[:2] for line in lines] == [
        ["diary/2026-07-20.md:3", "unresolved-link"],
        ["wiki/bad.md", "not-utf8"],
        ["journal.jsonl:2", "broken-journal-line"],
        ["wiki/t.md:1", "shadowed"],
    ]
    assert tree(tmp_path) == before


def test_json_holds_the_same(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main([str(fill(tmp_path, FILES)), "--json"]) == 1
    entries = json.loads(capfd.readouterr().out)
    assert [entry["kind"] for entry in entries] == ["unresolved-link", "not-utf8", "broken-journal-line", "shadowed"]
    assert entries[0] == {
        "kind": "unresolved-link",
        "file": "diary/2026-07-20.md",
        "line": 3,
        "subject": "[[t:away]]",
        "detail": None,
        "category": "2026-07-20",
        "item": "08:00",
        "in_diary": True,
    }


def test_a_store_in_order_says_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    root = str(fill(tmp_path, {"t.md": "## a\n\nx\n"}))
    assert (main([root]), capfd.readouterr().out) == (0, "")
    assert (main([root, "--json"]), json.loads(capfd.readouterr().out)) == (0, [])


def test_usage_and_a_missing_folder_are_2(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert main([str(tmp_path / "none")]) == 2
    assert "none" in capfd.readouterr().err


def test_the_program_has_the_command(tmp_path: Path) -> None:
    root = fill(tmp_path, {"t.md": "## a\n\n[[t:gone]]\n"})
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    command = [sys.executable, "-m", "wikimem_desktop", "check", str(root)]
    result = subprocess.run(command, capture_output=True, env=environment, check=False)
    assert (result.returncode, result.stdout.decode().splitlines()) == (1, ["t.md:3: unresolved-link: [[t:gone]]"])
