"""What a window leaves behind that dies over unsaved text."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.presentation.house import House
from wikimem_desktop.places import find_places


def leave_drafts(qtbot: QtBot, root: Path, use: Callable[[House], None]) -> None:
    """Have a window type unsaved text, and keep its drafts as they are at the moment of its death."""
    house = House(qtbot)
    house.open(root)
    use(house)
    house.drafts.write()
    house.settle()
    drafts = find_places().drafts
    rescued = drafts.with_name("rescued")
    shutil.copytree(drafts, rescued)
    house.documents.discard_all()
    house.close()
    shutil.rmtree(drafts)
    for lock in rescued.rglob("lock"):
        lock.unlink()
    rescued.rename(drafts)
