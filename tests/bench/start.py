"""From the start of a process to its first painted window: `python -m tests.bench.start NAME STORE SECONDS`.

SECONDS is the time when the process was started, since the epoch.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QMainWindow

from wikimem_desktop.places import PROFILE_VARIABLE


class Watch(QObject):
    """Prints when a window was painted first, and ends the process."""

    def __init__(self, started: float) -> None:
        super().__init__()
        self._started = started

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.UpdateRequest and isinstance(watched, QMainWindow):
            watched.event(event)  # paints
            seconds = time.time() - self._started
            heavy = sorted({"numpy", "jieba", "httpx"} & sys.modules.keys())
            print(json.dumps({"first_paint": seconds, "heavy": len(heavy)}), flush=True)
            os._exit(0)
        return False


def empty(watch: Watch, store: str) -> None:
    """A window with nothing in it."""
    application = QApplication([])
    application.installEventFilter(watch)
    window = QMainWindow()
    window.show()
    application.exec()


def program(watch: Watch, store: str) -> None:
    """The whole program, told to open a store."""
    from wikimem_desktop import start

    make = start.make_application

    def watched() -> QApplication:
        application = make()
        application.installEventFilter(watch)
        return application

    start.make_application = watched
    start.run([store])


def main() -> None:
    name, store, started = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        os.environ[PROFILE_VARIABLE] = folder
        {"empty": empty, "program": program}[name](Watch(float(started)), store)


if __name__ == "__main__":
    main()
