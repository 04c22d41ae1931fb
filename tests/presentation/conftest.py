"""The house of each test, or its watcher alone: built before it, closed after it."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.engine.folders import fill
from tests.presentation.house import House
from tests.presentation.notes import NOTES
from tests.presentation.watching import QUIET_MS, end
from wikimem_desktop.presentation import watcher as watcher_module
from wikimem_desktop.presentation.watcher import Watcher


@pytest.fixture
def house(qtbot: QtBot) -> Iterator[House]:
    built = House(qtbot)
    yield built
    built.close()


@pytest.fixture
def root(house: House, tmp_path: Path) -> Path:
    """An open store with one file."""
    folder = fill(tmp_path / "store", {"notes.md": NOTES})
    house.open(folder)
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return fill(tmp_path / "store", {"a.md": "## a\n", "b.md": "## b\n", "wiki/c.md": "## c\n", "full/d.md": ""})


@pytest.fixture
def watcher() -> Iterator[Watcher]:
    watching = Watcher(QUIET_MS, ceiling_ms=2000, poll_seconds=0.05, heartbeat_ms=20)
    yield watching
    end(watching)


@pytest.fixture
def no_native_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system without any."""

    def refuse(*_: object) -> object:
        raise OSError(errno.ENOTSUP, "there is none")

    monkeypatch.setattr(watcher_module, "NativeWatch", refuse)


@pytest.fixture(params=["native", "polling"])
def either_watch(request: pytest.FixtureRequest) -> None:
    """A system with a native watch, and one without."""
    if request.param == "polling":
        request.getfixturevalue("no_native_watch")
