"""What every test gets: a screen that is not there, a profile of its own, a fresh copy of the sample memory."""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # before Qt is imported; dev.py sets another for real windows

import atexit
import itertools
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from wikimem_desktop.places import PROFILE_VARIABLE, resource

# The trash of the tests; Send2Trash looks for it when it is imported.
os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp(prefix="wikimem-tests-")
atexit.register(shutil.rmtree, os.environ["XDG_DATA_HOME"], ignore_errors=True)

pytest_plugins = ["tests.guards"]
_numbers = itertools.count()


@pytest.fixture(autouse=True)
def profile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Settings, state, log and the sample's copy go to a folder that no other test sees."""
    folder = tmp_path_factory.getbasetemp() / f"profile-{next(_numbers)}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(PROFILE_VARIABLE, str(folder))
        yield folder


@pytest.fixture
def sample_store(tmp_path: Path) -> Path:
    """The folder of a copy of the sample memory."""
    return shutil.copytree(resource("sample"), tmp_path / "sample")
