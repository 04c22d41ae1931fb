"""The house of each test: built before it, closed after it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.engine.folders import fill
from tests.presentation.house import House
from tests.presentation.notes import NOTES


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
