"""The command as a shell sees it, without a window."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


def test_a_missing_folder_is_named_and_the_code_is_2(tmp_path: Path) -> None:
    missing = tmp_path / "nowhere"
    command = [sys.executable, "-m", "wikimem_desktop", str(missing)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert str(missing) in done.stderr


@pytest.mark.parametrize("arguments", [[""], ["explain", "sea", "--store", ""]])
def test_no_folder_is_not_the_current_one(arguments: list[str]) -> None:
    command = [sys.executable, "-m", "wikimem_desktop", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "name a folder" in done.stderr


def test_explain_runs_without_a_window(sample_store: Path) -> None:
    command = [sys.executable, "-m", "wikimem_desktop", "explain", "coffee", "--store", str(sample_store)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", timeout=60)
    assert done.returncode == 0, done.stderr
    assert "preferences:手冲咖啡" in done.stdout
