"""The program is killed while text is unsaved; the next start finds it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.engine.folders import categories_of, fill, tree

ROOT = Path(__file__).parent.parent.parent
NOTES = "# notes\r\n\r\n## a\r\n\r\none\u2028line\r\n\r\n## b\r\n\r\ntwo\r\n"

# The program itself, with hands that act once the item is open.
PROGRAM = """
import sys
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from wikimem_desktop import app, start

class Watched(app.App):
    def __init__(self, places):
        super().__init__(places)
        self.text = self.item_view.text_edit
        self.documents.current_changed.connect(self.act_soon)
        self.drafts.found_changed.connect(self.act_soon)
        self.writer.done.connect(self.tell)
        self.saver.saved.connect(self.quit)

    def act_soon(self):
        QTimer.singleShot(0, self.act)

    def act(self):
        if self.documents.current is None or self.documents.unsaved:
            return
        if "type" in sys.argv:
            QTest.keyClick(self.text, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
            QTest.keyClicks(self.text, " and what")
            QTest.keyClick(self.text, Qt.Key.Key_Return)
            QTest.keyClicks(self.text, "was typed")
        elif self.drafts.found:
            buttons = self.window.findChildren(QPushButton)
            QTest.mouseClick(next(b for b in buttons if b.text() == "Restore"), Qt.MouseButton.LeftButton)
            print(self.documents.unsaved, flush=True)
            QTest.keySequence(self.text, "Ctrl+S")

    def tell(self, request, result):
        print(type(request).__name__, flush=True)

start.App = Watched
sys.exit(start.run([argument for argument in sys.argv[1:] if argument != "type"]))
"""


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-c", PROGRAM, *arguments]


def test_what_was_typed_before_a_kill_is_found_restored_and_saved(tmp_path: Path) -> None:
    root = fill(tmp_path / "store", {"notes.md": NOTES})
    before = categories_of(tree(root))
    options = [str(root), "--item", "notes:a"]
    with subprocess.Popen(command(*options, "type"), cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert any(line == "DraftRequest\n" for line in process.stdout)
        process.kill()
    assert process.returncode != 0
    assert categories_of(tree(root)) == before
    done = subprocess.run(command(*options), cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert "['notes:a']" in done.stdout
    expected = NOTES.replace("line", "line and what\r\nwas typed")
    assert categories_of(tree(root)) == {"notes.md": expected.encode()}
