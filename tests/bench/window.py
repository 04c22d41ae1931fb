"""What the benchmark measures in a real window: `python -m tests.bench.window NAME STORE [COUNT]`.

The whole application is open on a copy of the store that has one file more. Keys come as a fast typist's: with small
pauses, and now and then one in which all that waits for a pause begins. A key's time runs from the moment it is due,
so that a window that is busy then does not hide it, until the editor has been painted.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtGui import QPaintEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from wikimem_desktop import start as program
from wikimem_desktop.app import App
from wikimem_desktop.places import PROFILE_VARIABLE, find_places
from wikimem_desktop.settings import StoreState
from wikimem_desktop.widgets.editor.text_edit import TextEdit

Numbers = dict[str, float | list[float]]

CATEGORY, LARGE, LONG = "bench_large", "large", "long line"
_LARGE_BYTES, _LONG_CHARACTERS = 1_000_000, 200_000
_LONGEST_LINE = 500
_PATIENCE = 60.0
"""Seconds after which something is broken."""
_paintings = 0


class Heart:
    """A timer that beats each millisecond, and the milliseconds between its beats."""

    def __init__(self) -> None:
        self.gaps: list[float] = []
        self._last = time.perf_counter()
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start(1)

    def _beat(self) -> None:
        now = time.perf_counter()
        self.gaps.append((now - self._last) * 1000)
        self._last = now

    def taken(self) -> list[float]:
        """The gaps since the last call."""
        taken, self.gaps = self.gaps, []
        return taken


class Window:
    """The application, told to open a store."""

    def __init__(self, root: Path, tokenizer: str = "bigrams") -> None:
        _count_paintings()
        sys.setswitchinterval(program._SWITCH_INTERVAL)
        self._application = program.make_application()
        self._application.setQuitOnLastWindowClosed(False)
        self.app = App(find_places())
        self.app.window.resize(1440, 900)
        self.heart = Heart()
        self.app.window.show()
        self.until(self.app.window.isActiveWindow)
        self.checked: list[object] = []
        self.app.indexer.checked.connect(self.checked.append)
        self.rest(0.3)
        self.heart.taken()
        self.app.open_store(root, first=StoreState(tokenizer=tokenizer))

    @property
    def text(self) -> TextEdit:
        return self.app.item_view.text_edit

    def until(self, condition: Callable[[], object]) -> None:
        end = time.perf_counter() + _PATIENCE
        while not condition():
            assert time.perf_counter() < end, "the window does not get there"
            # The heart beats all the time; not to wait for it would take the interpreter from the workers.
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)

    def until_checked(self, times: int) -> None:
        """Until the store has been indexed and checked that often."""
        self.until(lambda: len(self.checked) >= times and not self.app.library.indexing)

    def until_painted(self, widget: QWidget) -> None:
        """Until what changed on a widget by now has been painted."""
        QApplication.sendPostedEvents()
        widget.repaint()

    def open(self, name: str) -> float:
        """Milliseconds until the item is painted."""
        before, started = _paintings, time.perf_counter()
        assert self.app.documents.open_item(CATEGORY, name)
        self.until(lambda: _paintings > before)
        return (time.perf_counter() - started) * 1000

    def type(self, place: int, count: int, rng: random.Random) -> list[float]:
        """Milliseconds of each key, typed from a position of the text on."""
        cursor = self.text.textCursor()
        cursor.setPosition(place)
        self.text.setTextCursor(cursor)
        self.text.setFocus()
        times = []
        due = time.perf_counter() + 0.5
        for _ in range(count):
            self.until(lambda due=due: time.perf_counter() >= due)  # type: ignore[misc]
            before = _paintings
            QTest.keyClicks(self.text, rng.choice("etaoin shrdlu"))
            self.until(lambda before=before: _paintings > before)  # type: ignore[misc]
            done = time.perf_counter()
            times.append((done - due) * 1000)
            due = max(due, done) + (rng.uniform(0.15, 0.3) if rng.random() < 0.1 else rng.uniform(0.025, 0.06))
        return times

    def rest(self, seconds: float) -> None:
        end = time.perf_counter() + seconds
        self.until(lambda: time.perf_counter() >= end)

    def quit(self) -> None:
        self.app.documents.discard_all()
        self.app.quit()


def typing(root: Path, count: int) -> Numbers:
    """Milliseconds of keys at the start, in the middle and at the end of a large item."""
    window, rng = Window(root), random.Random(1)
    window.until_checked(1)
    opened = window.open(LARGE)
    end = window.text.document().characterCount() - 1
    places = {"start": 0, "middle": end // 2, "end": end}
    numbers: Numbers = {name: window.type(place, count, rng) for name, place in places.items()}
    window.quit()
    return {"opened": opened, **numbers}


def long_line(root: Path, count: int) -> Numbers:
    """Milliseconds of opening an item that is one very long line, and of keys at its start and end."""
    window, rng = Window(root), random.Random(1)
    window.until_checked(1)
    opened = window.open(LONG)
    times = window.type(0, count, rng)
    window.text.moveCursor(QTextCursor.MoveOperation.End)
    times += window.type(window.text.textCursor().position(), count, rng)
    window.quit()
    return {"opened": opened, "keys": times}


def opening(root: Path, count: int) -> Numbers:
    """Milliseconds from the wish to open a store until its tree is painted, and until bigrams and jieba answer."""
    window = Window(root, "jieba")
    started, app = time.perf_counter(), window.app
    app.playground.set_query("海边")
    window.until(lambda: app.memory_model.rowCount() > 0)
    window.until_painted(app.tree.tree.viewport())
    tree = time.perf_counter()
    window.until(lambda: app.playground.run)
    bigrams = time.perf_counter()
    window.until(lambda: app.playground.run and app.playground.run.snapshot.postings.jieba)
    times = [(moment - started) * 1000 for moment in (tree, bigrams, time.perf_counter())]
    window.quit()
    return {"tree": times[0], "bigrams": times[1], "jieba": times[2]}


def querying(root: Path, count: int) -> Numbers:
    """Milliseconds from each character typed into the query box until its sequence is painted."""
    window = Window(root)
    window.until_checked(1)
    box, playground = window.app.panel.query_box, window.app.playground
    times: list[float] = []
    for query in _queries(root, count):
        box.clear()
        for length in range(1, len(query) + 1):
            window.rest(0.05)
            started = time.perf_counter()
            box.insert(query[length - 1])  # QTest knows no Chinese keys
            window.until(lambda: playground.run and playground.run.request.query == box.text())
            window.until_painted(window.app.panel.view.viewport())
            times.append((time.perf_counter() - started) * 1000)
    window.quit()
    return {"keys": times}


def stalls(root: Path, count: int) -> Numbers:
    """Gaps of the event loop: a store opens, queries and a filter are typed, a file is followed, all is built anew."""
    window = Window(root)
    window.until_checked(1)
    window.rest(0.3)
    numbers: Numbers = {"open": window.heart.taken()}
    field = window.app.panel.query_box
    for query in _queries(root, count):
        field.clear()
        for character in query:
            field.insert(character)
            window.rest(0.03)
        window.rest(0.1)
    numbers["queries"] = window.heart.taken()
    for character in "cat12ka":
        QTest.keyClicks(window.app.tree.filter_box, character)
        window.rest(0.2)
    window.app.tree.filter_box.clear()
    window.rest(0.3)
    numbers["filter"] = window.heart.taken()
    path = next(root.glob("cat_*.md"))
    path.write_text(path.read_text(encoding="utf-8") + "\n## beside\n\nAn item from outside.\n", encoding="utf-8")
    window.until_checked(len(window.checked) + 1)
    window.rest(0.3)
    numbers["refresh"] = window.heart.taken()
    window.app.library.rebuild()
    window.until_checked(len(window.checked) + 1)
    window.rest(0.3)
    numbers["rebuild"] = window.heart.taken()
    window.quit()
    return numbers


def chinese(root: Path, count: int) -> Numbers:
    """Gaps of the event loop while jieba loads and then finds the words of the store."""
    window = Window(root, "jieba")
    window.until(lambda: window.app.library.snapshot)
    window.heart.taken()
    window.until(lambda: window.app.library.snapshot and window.app.library.snapshot.postings.jieba)
    window.rest(0.3)
    gaps = window.heart.taken()
    window.quit()
    return {"gaps": gaps}


def ten_stores(root: Path, count: int) -> Numbers:
    """Resident memory in MB with each of ten stores open, one after the other."""
    window = Window(root)
    resident: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(10):
            if number:
                window.app.library.close()
                window.checked.clear()
                window.app.open_store(
                    shutil.copytree(root, Path(folder) / str(number)), first=StoreState(tokenizer="bigrams")
                )
            window.until_checked(1)
            window.rest(0.3)
            resident.append(_resident_memory())
        window.quit()
    return {"megabytes": resident}


def _resident_memory() -> float:
    """In MB; 0 where the system does not tell."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    except OSError:
        return 0.0
    return int(pages) * os.sysconf("SC_PAGE_SIZE") / 2**20


def _queries(root: Path, count: int) -> list[str]:
    queries: list[str] = json.loads((root / "queries.json").read_text(encoding="utf-8"))
    return queries[:count]


def _count_paintings() -> None:
    original = TextEdit.paintEvent

    def paint_event(edit: TextEdit, event: QPaintEvent) -> None:
        global _paintings
        original(edit, event)
        _paintings += 1

    TextEdit.paintEvent = paint_event  # type: ignore[method-assign, assignment]


def large_text(root: Path) -> str:
    """The store's own texts as one, with lists, emphasis and code between them."""
    lines: list[str] = []
    size, rng = 0, random.Random(2)
    for path in sorted(root.glob("*.md")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith(("#", "<!--")) or not line:
                continue
            lines += [_decorated(piece, rng) for piece in re.findall(f".{{1,{_LONGEST_LINE - 20}}}", line)]
            if rng.random() < 0.02:
                lines += ["```python", "def remembered(text: str) -> bool:", "    return `text` in memory", "```"]
            size += len(line.encode()) + 1
            if size > _LARGE_BYTES:
                return "\n".join(lines)
    raise AssertionError("the store is too small")


def _decorated(line: str, rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.2:
        return f"- **{line[:10].strip() or 'x'}** {line[10:]}"
    return f"{line[:20]} *emphasis* `code` {line[20:]}" if kind < 0.4 else line


def copy_with_large_items(root: Path, folder: Path) -> Path:
    store = shutil.copytree(root, folder / "store")
    items = {LARGE: large_text(root), LONG: ("eyJhbGciOi" * (_LONG_CHARACTERS // 10))[:_LONG_CHARACTERS]}
    text = "".join(f"## {name}\n\n{content}\n\n" for name, content in items.items())
    (store / f"{CATEGORY}.md").write_text(f"# {CATEGORY}\n\n{text}", encoding="utf-8")
    return store


MEASUREMENTS: dict[str, Callable[[Path, int], Numbers]] = {
    measurement.__name__: measurement
    for measurement in (typing, long_line, opening, querying, stalls, chinese, ten_stores)
}


def main() -> None:
    name, root, count = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        os.environ[PROFILE_VARIABLE] = str(Path(folder) / "profile")
        store = copy_with_large_items(Path(root), Path(folder))
        print(json.dumps(MEASUREMENTS[name](store, int(count))))


if __name__ == "__main__":
    main()
