"""The program as a person starts it: a process, a window on a screen with a window manager, keys."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.widgets.conftest import application, desk, sample  # noqa: F401 - fixtures
from tests.widgets.desk import Desk

pytestmark = pytest.mark.xvfb
ROOT = Path(__file__).parent.parent.parent


# The program itself, but a hand that closes the window as soon as the store has been indexed and checked.
CLOSE_WHEN_CHECKED = """
import sys
from PySide6.QtCore import QTimer
from wikimem_desktop import app, start

class Watched(app.App):
    def __init__(self, places):
        super().__init__(places)
        self.library.problems_changed.connect(self.leave_soon)

    def leave_soon(self):
        assert self.window.isVisible() and "sample" in self.window.windowTitle()
        QTimer.singleShot(0, self.window.close)

start.App = Watched
sys.exit(start.run(sys.argv[1:]))
"""


def test_the_process_opens_a_store_at_a_query_and_leaves_with_code_0(sample_store: Path, profile: Path) -> None:
    options = [str(sample_store), "--item", "people:小林", "--query", "birthday gift"]
    done = subprocess.run(
        [sys.executable, "-c", CLOSE_WHEN_CHECKED, *options], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    state = json.loads((profile / "config" / "state.json").read_text(encoding="utf-8"))
    kept = state["stores"][str(sample_store.resolve())]
    assert (kept["item"], kept["query"]) == ("people:小林", "birthday gift")
    assert "Traceback" not in (profile / "log" / "wikimem-desktop.log").read_text(encoding="utf-8")


@pytest.mark.usefixtures("application")
def test_keys_on_a_real_screen_edit_one_line_of_the_file(sample: Desk) -> None:  # noqa: F811
    assert QGuiApplication.platformName() == "xcb"
    path = sample.path("preferences")
    before = path.read_bytes()
    sample.app.documents.open_item("preferences", "likes-the-sea")
    sample.text.setFocus()
    QTest.keyClick(sample.text, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(sample.text, " at dawn")
    QTest.keyClick(sample.text, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    sample.until(lambda: not sample.app.documents.unsaved)
    old, new = before.split(b"\n"), path.read_bytes().split(b"\n")
    assert len(old) == len(new)
    changed = [(a, b) for a, b in zip(old, new, strict=True) if a != b]
    assert len(changed) == 1
    assert changed[0][1] == changed[0][0] + b" at dawn"
