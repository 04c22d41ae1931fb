"""The program itself, left while it is at work: `python -m tests.end_to_end.leaving_child LOAD STORE [options]`.

Prints LEAVE and the time of a monotonic clock when it was asked to leave.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from wikimem_desktop import app, start
from wikimem_desktop.places import Places
from wikimem_desktop.presentation import poller, watcher
from wikimem_desktop.presentation.writer import Request

LOAD = sys.argv[1]


class Stuck(Request):
    """A disk that does not answer any more."""

    began = Event()

    @property
    def path(self) -> Path:
        return Path()

    def perform(self) -> None:
        self.began.set()
        Event().wait()


class Busy(app.App):
    """Leaves once the load is on."""

    def __init__(self, places: Places) -> None:
        super().__init__(places)
        self._begun = self._left = False
        self._loads: dict[str, Callable[[], None]] = {
            "rebuild": self.rebuild,
            "search": self.search,
            "burst": self.burst,
            "dead share": self.look_without_end,
            "slow writer": self.write_without_end,
            "question": self.ask,
            "file dialog": self.window.menus.open_action.trigger,
            "new item": self.memory_actions.new_item.trigger,
            "drafts": self.window.menus.drafts_action.trigger,
            "nothing": self.leave,
        }
        if LOAD == "first build":
            self.library.activity_changed.connect(self.leave_when_lengthy)
        elif LOAD == "first look":
            self.library.snapshot_changed.connect(self.leave)
        else:
            self.documents.current_changed.connect(self.begin)

    def begin(self) -> None:
        if not self._begun and self.documents.current is not None:
            self._begun = True
            QTimer.singleShot(0, self._loads[LOAD])
            if "dialog" in LOAD or LOAD in ("question", "new item", "drafts"):
                QTimer.singleShot(0, self.leave_dialog)

    def leave(self) -> None:
        self.tell()
        self.window.close()

    def leave_when_lengthy(self) -> None:
        if self.library.lengthy and not self._left:
            self._left = True
            QTimer.singleShot(0, self.leave)

    def leave_dialog(self) -> None:
        """As the session's end or the menu of macOS does it; the window itself takes no clicks."""
        if QApplication.activeModalWidget() is None:
            QTimer.singleShot(5, self.leave_dialog)
        else:
            self.tell()
            self.quit()

    def tell(self) -> None:
        print("LEAVE", time.monotonic(), flush=True)  # noqa: T201

    # ------------------------------------------------------------ loads

    def rebuild(self) -> None:
        self.library.activity_changed.connect(self.leave_when_lengthy)
        self.library.rebuild()
        self.leave_when_lengthy()

    def search(self) -> None:
        self.playground.set_query("sea coffee 海边")
        self.playground.run_now()
        self.leave()

    def burst(self) -> None:
        store = self.library.store
        assert store is not None
        self.watcher.changed.connect(self.leave)
        Thread(target=write_for_ever, args=(store.folder,), daemon=True).start()

    def look_without_end(self) -> None:
        began = Event()

        def scan(folder: Path) -> None:
            began.set()
            Event().wait()

        vars(watcher)["is_remote"] = lambda folder: True
        vars(poller)["scandir"] = scan
        self.watcher.retry()
        began.wait()
        self.leave()

    def write_without_end(self) -> None:
        self.writer.submit(Stuck())
        Stuck.began.wait()
        self.type()
        self.tell()
        self.quit()

    def ask(self) -> None:
        """Whether the unsaved text may be lost."""
        self.type()
        self.window.close()

    def type(self) -> None:
        text = self.item_view.text_edit
        QTest.keyClick(text, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(text, " and more")


def write_for_ever(folder: Path) -> None:
    number = 0
    while True:
        number += 1
        (folder / f"new{number % 300}.md").write_bytes(b"## a\n\n%d\n" % number)


def main() -> int:
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
    vars(start)["App"] = Busy
    return start.run(sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
