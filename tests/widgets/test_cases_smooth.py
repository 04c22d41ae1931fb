"""Cases B13 and B61 to B63: what the window keeps while others write, and what typing leaves alone."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from tests.engine.folders import fill
from tests.presentation.house import write_outside
from tests.widgets.desk import Desk

_watched: list[list[str]] = []
"""Lists of what the GUI thread does with files, innermost last."""


def _on_audit(event: str, arguments: tuple[object, ...]) -> None:
    if _watched and event in ("open", "os.listdir", "os.scandir") and threading.current_thread() is _main:
        _watched[-1].append(f"{event} {arguments[0]}")


_main = threading.main_thread()
sys.addaudithook(_on_audit)


@contextmanager
def files_of_the_gui_thread(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What the GUI thread opens, lists or looks at."""
    used: list[str] = []
    stat = os.stat

    def watched_stat(path: int | str | os.PathLike[str], *arguments: object, **options: object) -> os.stat_result:
        if threading.current_thread() is _main:
            used.append(f"stat {path!r}")
        return stat(path, *arguments, **options)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(os, "stat", watched_stat)
        _watched.append(used)
        try:
            yield used
        finally:
            _watched.pop()


def test_b13_broken_lines_of_the_journal_are_counted_and_the_rest_goes_on(desk: Desk, tmp_path: Path) -> None:
    journal = b'{"ts": "2026-07-20T10:00:00+00:00", "action": "add"}\n\n[1]\nnull\n{"ts": "2026-07'
    desk.open(fill(tmp_path / "store", {"notes.md": "## a\n\ntext\n", "journal.jsonl": journal}))
    assert "3 problems" in desk.status()
    desk.open_item("notes:a")
    desk.type(desk.text, "more ")
    desk.save()
    assert (tmp_path / "store" / "journal.jsonl").read_bytes().startswith(journal)
    assert "3 problems" in desk.status()


def test_b61_the_tree_stays_as_it_is_while_items_come_go_and_change_names(desk: Desk, tmp_path: Path) -> None:
    text = "".join(f"## item {number}\n\ntext\n\n" for number in range(20))
    root = fill(tmp_path / "store", {f"c{number}.md": f"# c\n\n{text}" for number in range(10)})
    desk.open(root)
    tree, model = desk.app.tree, desk.app.memory_model
    tree.expand(["c2", "c5", "c7"])
    desk.open_item("c5:item 9")
    bar = tree.tree.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)

    def state() -> tuple[object, ...]:
        top = tree.tree.indexAt(tree.tree.viewport().rect().topLeft())
        return sorted(tree.expanded), tree.selected, model.data(top), model.data(top.parent())

    before = state()
    for category in ("c2", "c5", "c7"):
        path = root / f"{category}.md"
        changed = path.read_text(encoding="utf-8").replace("## item 19\n", "## renamed\n").replace("## item 18\n", "")
        write_outside(path, f"{changed}## new\n\ntext\n".encode())
        desk.follow_disk()
        assert model.find(category, "new").isValid()
        assert model.find(category, "renamed").isValid()
        assert not model.find(category, "item 18").isValid()
        assert state() == before
    (root / "c1.md").unlink()
    write_outside(root / "c15.md", b"## a\n\ntext\n")
    desk.follow_disk()
    assert model.find("c15", "a").isValid()
    assert (sorted(tree.expanded), tree.selected) == before[:2]


def test_b62_b63_typing_reads_no_file_and_builds_nothing(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "## large\n\n" + "a line of text with a [[notes:b]] link\n" * 3000 + "\n## b\n\ntext\n"
    desk.open(fill(tmp_path / "store", {"notes.md": text}))
    desk.open_item("notes:large")
    desk.type(desk.text, "x")
    desk.settle()
    snapshot = desk.app.library.snapshot
    with files_of_the_gui_thread(monkeypatch) as used:
        desk.path("notes").exists()
        desk.path("notes").read_bytes()
    assert len([file for file in used if str(tmp_path) in file]) >= 2  # they would be seen
    with files_of_the_gui_thread(monkeypatch) as used:
        for letter in "slow shares":
            desk.key(desk.text, Qt.Key.Key_Space) if letter == " " else desk.type(desk.text, letter)
            desk.settle()
    assert [file for file in used if str(tmp_path) in file] == []
    assert desk.app.library.snapshot is snapshot
    assert "slow shares" in desk.buffer.text
