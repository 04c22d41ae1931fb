"""No text is cut off in any state, on a small screen and on a dense one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.widgets import clipping

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("size", "scale"), [("1280x720", "1"), ("2560x1440@2", "2")])
def test_no_state_cuts_a_text_off(size: str, scale: str, theme: str, tmp_path: Path) -> None:
    environment = os.environ | {"QT_SCALE_FACTOR": scale, "WIKIMEM_DESKTOP_PROFILE": str(tmp_path)}
    command = [sys.executable, "-m", "tests.widgets.clipping", size, theme]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, encoding="utf-8")
    assert done.stdout.strip() == ""
    assert done.returncode == 0, done.stderr


def test_the_walk_finds_what_is_cut_off(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    label, button = QLabel("a label that is much too long", window), QPushButton("a button too", window)
    label.setGeometry(0, 0, 40, 20)
    button.setGeometry(0, 30, 20, 12)
    with qtbot.waitExposed(window):
        window.show()
    assert clipping.clipped_texts(window) == ["QLabel 'a label that is much too long'", "QPushButton 'a button too'"]
