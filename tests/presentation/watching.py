"""What happens in a watched folder."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.engine.folders import fill
from tests.presentation.house import write_outside
from wikimem_desktop.presentation.watcher import Watcher

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="only there folders are watched by inotify")
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="links")
QUIET_MS = 60
WAIT_MS = 10_000


def end(watcher: Watcher) -> None:
    """Stop it, and wait until its threads are gone."""
    watcher.stop()
    assert watcher.wait(WAIT_MS / 1000)


def append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"more\n")


def many_writes(folder: Path) -> None:
    for number in range(40):
        write_outside(folder / "wiki" / f"{number % 5}.md", b"x" * number)


def until_quiet(watcher: Watcher, qtbot: QtBot, quiet_ms: int = 3 * QUIET_MS) -> None:
    """Until nothing more is told of what happened."""
    told = True
    while told:
        with qtbot.waitSignal(watcher.changed, timeout=quiet_ms, raising=False) as waiting:
            pass
        told = waiting.signal_triggered


CHANGES: dict[str, Callable[[Path], object]] = {
    "create": lambda folder: (folder / "new.md").write_bytes(b"## n\n"),
    "create below": lambda folder: (folder / "wiki" / "new.md").write_bytes(b"## n\n"),
    "modify": lambda folder: (folder / "a.md").write_bytes(b"## a\n\ntext\n"),
    "append": lambda folder: append(folder / "a.md"),
    "truncate": lambda folder: os.truncate(folder / "a.md", 0),
    "delete": lambda folder: (folder / "a.md").unlink(),
    "rename": lambda folder: (folder / "a.md").rename(folder / "z.md"),
    "rename away": lambda folder: (folder / "a.md").rename(folder.parent / "gone.md"),
    "replace": lambda folder: write_outside(folder / "wiki" / "c.md", b"## other\n"),
    "new folder": lambda folder: (folder / "more" / "deep").mkdir(parents=True),
    "folder with files": lambda folder: fill(folder, {"more/deep/x.md": "## x\n"}),
    "folder gone": lambda folder: shutil.rmtree(folder / "full"),
    "folder renamed": lambda folder: (folder / "full").rename(folder / "fuller"),
    "many": many_writes,
}
