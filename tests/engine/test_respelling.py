"""B06, W10: a category whose name differs from the new one in case only, on systems that mind case and that do not."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from tests.engine.folders import fill, tree
from tests.engine.no_case import VARIABLE, WAYS, take_case_away
from tests.engine.test_crash import memory_files
from tests.engine.test_intents import all_crashes, intents
from wikimem_desktop.engine import MemoryStore, errors
from wikimem_desktop.engine.intents import finish_intents
from wikimem_desktop.engine.refactoring import rename_category

FILES: dict[str, str | bytes] = {
    "wiki/Notes.md": "# Notes\n\n## a\n\nself [[Notes:a]]\n",
    "wiki/more.md": "# more\n\n## m\n\n[[Notes:a]] and [[notes:a]]\n",
    "diary/2026-07-10.md": "# d\n\n## 09:00\n\n[[Notes:a]]\n",
    "journal.jsonl": '{"ts": "x", "action": "add", "file": "Notes", "item": "a"}\n',
}
OLD = {name: str(text).encode() for name, text in FILES.items() if name.endswith(".md")}
NEW = {name.replace("N", "n"): data.replace(b"Notes", b"notes") for name, data in OLD.items()}


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv(VARIABLE, request.param)
    take_case_away(request.param, monkeypatch.setattr)
    return str(request.param)


@pytest.fixture
def store(way: str, tmp_path: Path) -> MemoryStore:
    return MemoryStore(fill(tmp_path / "store", FILES))


def test_the_file_is_respelled_with_its_title_and_links_and_undo_brings_it_back(store: MemoryStore) -> None:
    plan = rename_category(store, "Notes", "notes")
    done = store.change(plan.files, plan.records)
    assert memory_files(store.root) == NEW
    assert store.categories() == ["more", "notes"]
    assert [entry["file"] for entry in store.journal.entries()] == ["Notes", "Notes", "notes", "more", "notes"]
    undone = store.change(done.reversed().files)
    assert memory_files(store.root) == OLD
    store.change(undone.reversed().files)
    assert memory_files(store.root) == NEW
    assert store.change(done.files).files == {}, "it is done already"
    assert sorted(path.name for path in store.root.iterdir()) == ["diary", "journal.jsonl", "wiki"]


def test_killed_after_any_call_it_is_done_whole_or_not_at_all(way: str, tmp_path: Path) -> None:
    done = []
    for root in all_crashes(fill(tmp_path / "start", FILES), "respell-category", tmp_path):
        finish_intents(MemoryStore(root))
        found = memory_files(root)
        assert found in (OLD, NEW)
        done.append(found == NEW)
        assert intents(root) == []
        assert [path.name for path in (root / "wiki").iterdir() if path.name.startswith(".wikimem.")] == []
    assert done == sorted(done)
    assert (done[0], done[-1]) == (False, True)


@pytest.mark.parametrize("way", ["kept"], indirect=True)
def test_finishing_may_be_killed_too(way: str, tmp_path: Path) -> None:
    roots = all_crashes(fill(tmp_path / "start", FILES), "respell-category", fill(tmp_path / "first", {}))
    half = next(root for root in roots if memory_files(root) not in (OLD, NEW))
    for root in all_crashes(half, "finish", fill(tmp_path / "second", {})):
        finish_intents(MemoryStore(root))
        assert memory_files(root) == NEW
        assert intents(root) == []


def test_what_others_wrote_since_goes_along(store: MemoryStore) -> None:
    plan = rename_category(store, "Notes", "notes")
    with store.path("Notes").open("a", encoding="utf-8") as file:
        file.write("\n## theirs\n\ntext\n")
    done = store.change(plan.files)
    assert [item.address for item in store.items("notes")] == ["notes:a", "notes:theirs"]
    store.change(done.reversed().files)
    assert [item.address for item in store.items("Notes")] == ["Notes:a", "Notes:theirs"]
    assert store.categories() == ["Notes", "more"]


def test_when_it_can_not_be_respelled_nothing_is_changed(store: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    before, replace = tree(store.root), os.replace

    def refusing(source: Any, target: Any) -> None:
        if Path(target).name == "notes.md":
            raise PermissionError(errno.EACCES, "held for ever")
        replace(source, target)

    monkeypatch.setattr(os, "replace", refusing)
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    plan = rename_category(store, "Notes", "notes")
    with pytest.raises(errors.WriteFailed):
        store.change(plan.files)
    assert tree(store.root) == before


def test_a_file_that_came_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    store = MemoryStore(fill(tmp_path / "store", FILES))
    if store.path("notes").exists():
        pytest.skip("there is one name only")
    plan = rename_category(store, "Notes", "notes")
    fill(store.root, {"wiki/notes.md": "# notes\n\n## theirs\n"})
    before = tree(store.root)
    with pytest.raises(errors.Conflict):
        store.change(plan.files)
    assert tree(store.root) == before
    with pytest.raises(errors.NameTaken):
        rename_category(store, "Notes", "notes")
