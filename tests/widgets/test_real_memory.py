"""A memory made from a real conversation (when the shared folder is there; it may not be copied)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.widgets.desk import Desk

ROOT = Path(__file__).parent.parent.parent
REAL = Path(os.environ.get("WIKIMEM_SHARED", ROOT.parent / "shared")) / "real" / "conv-26"


@pytest.mark.skipif(not REAL.is_dir(), reason="the shared folder is not here")
def test_an_edit_in_the_window_is_one_hunk(desk: Desk, tmp_path: Path) -> None:
    store = shutil.copytree(REAL, tmp_path / "conv-26", copy_function=shutil.copyfile)
    before = {path.name: path.read_bytes() for path in store.glob("*.md")}
    desk.open(store)
    assert len(desk.items()) > 150
    desk.app.documents.open_item("caroline_01", "fact 2 D1-7")
    QTest.keyClick(desk.text, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(desk.text, " Every week.")
    QTest.keyClick(desk.text, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    desk.until(lambda: not desk.app.documents.unsaved)
    after = {path.name: path.read_bytes() for path in store.glob("*.md")}
    old = before.pop("caroline_01.md")
    assert {name: after[name] for name in before} == before
    assert after["caroline_01.md"] == old.replace(b"embrace herself.", b"embrace herself. Every week.")
