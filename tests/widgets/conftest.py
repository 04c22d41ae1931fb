"""The desk of each test: the whole application, built before it and left properly after it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.engine.folders import fill
from tests.widgets.desk import Desk
from tests.widgets.small_memory import STORE
from wikimem_desktop.start import install_translations


@pytest.fixture(scope="session")
def application(qapp: QApplication) -> QApplication:
    """The QApplication as `run` makes it: plural forms are right, and the last window does not end it."""
    install_translations(qapp)
    qapp.setQuitOnLastWindowClosed(False)
    return qapp


@pytest.fixture
def desk(application: QApplication, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """The welcome page of the application."""

    def hard_exit(code: int) -> None:
        pytest.fail(f"os._exit({code}): a thread did not end in time")

    monkeypatch.setattr("os._exit", hard_exit)
    built = Desk(qtbot)
    yield built
    built.quit()


@pytest.fixture
def notes(desk: Desk, tmp_path: Path) -> Desk:
    """The application with a few short items open."""
    desk.open(fill(tmp_path / "store", STORE))
    return desk


@pytest.fixture
def sample(desk: Desk, sample_store: Path) -> Desk:
    """The application with a copy of the sample memory open, indexed and checked."""
    desk.open(sample_store)
    return desk
