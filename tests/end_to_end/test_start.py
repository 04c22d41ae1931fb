"""The window is there before anything heavy is loaded."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent

# The program itself, but it tells what is loaded when its window has been painted and the store is about to be opened.
TELL_AT_FIRST_PAINT = """
import json, sys
from PySide6.QtCore import QEvent, QObject, QTimer
from wikimem_desktop import start
from wikimem_desktop.widgets.main_window import MainWindow

painted = []
paint_event = MainWindow.paintEvent
MainWindow.paintEvent = lambda window, event: (painted.append(True), paint_event(window, event))
open_first = start.open_first

def tell(app, options):
    print(json.dumps({"painted": bool(painted), "loaded": sorted({"numpy", "jieba", "httpx"} & sys.modules.keys())}))
    app.library.problems_changed.connect(lambda: QTimer.singleShot(0, app.window.close))
    open_first(app, options)

start.open_first = tell
sys.exit(start.run(sys.argv[1:]))
"""


def test_nothing_heavy_is_loaded_before_the_first_paint(sample_store: Path, profile: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", TELL_AT_FIRST_PAINT, str(sample_store)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {"painted": True, "loaded": []}
