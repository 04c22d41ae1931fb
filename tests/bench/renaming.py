"""What renaming a category costs that 1,000 links in 50 files lead to: `python -m tests.bench.renaming NAME STORE 1`.

The whole application is open on a copy of the store; the name is typed and agreed to in its dialog.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.bench.window import Numbers, Window
from wikimem_desktop.places import PROFILE_VARIABLE
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.widgets.naming import RenamingDialog

_CATEGORY, _ITEMS, _FILES, _LINKS = "bench_linked", 20, 50, 1_000


def renaming(root: Path) -> Numbers:
    """Milliseconds from F2 until the lines are painted, from Return until all is written, and the gaps between."""
    window = Window(root)
    window.until_checked(1)
    window.rest(0.5)
    app, done = window.app, list[object]()
    app.steps.done.connect(done.append)
    app.tree.show_place(Place("category", _CATEGORY))
    app.tree.tree.setFocus()
    window.heart.taken()
    started = time.perf_counter()
    app.memory_actions.rename.trigger()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, RenamingDialog)
    window.until(dialog.links.isVisible)
    window.until_painted(dialog.links.list.viewport())
    preview = (time.perf_counter() - started) * 1000
    assert sum(len(line.spans) for line in dialog.links.model.lines) == _LINKS
    dialog.name.clear()
    QTest.keyClicks(dialog.name, f"{_CATEGORY}_too")
    window.rest(0.3)
    gaps = window.heart.taken()
    started = time.perf_counter()
    dialog.agree.click()
    window.until(lambda: done)
    applied = (time.perf_counter() - started) * 1000
    window.until_checked(len(window.checked) + 1)
    window.rest(0.3)
    numbers: Numbers = {"preview": preview, "apply": applied, "gaps": gaps + window.heart.taken()}
    window.quit()
    return numbers


def copy_with_links(root: Path, folder: Path) -> Path:
    store = shutil.copytree(root, folder / "store")
    files = sorted(store.glob("cat_*.md"))[:_FILES]
    for file in files:
        links = "".join(f"See [[{_CATEGORY}:item {number % _ITEMS}]].\n\n" for number in range(_LINKS // _FILES))
        with file.open("a", encoding="utf-8") as end:
            end.write(f"\n## links\n\n{links}")
    items = "".join(f"\n## item {number}\n\nWhat is linked.\n" for number in range(_ITEMS))
    (store / f"{_CATEGORY}.md").write_text(f"# {_CATEGORY}\n{items}", encoding="utf-8")
    return store


def main() -> None:
    _, root, _ = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        os.environ[PROFILE_VARIABLE] = str(Path(folder) / "profile")
        print(json.dumps(renaming(copy_with_links(Path(root), Path(folder)))))


if __name__ == "__main__":
    main()
