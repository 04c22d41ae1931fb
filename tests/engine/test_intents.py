"""A change of several files is done whole or not at all, whoever dies or writes in between."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.engine.crash_child import DAY, plan_of
from tests.engine.folders import fill, tree
from tests.engine.test_crash import NEVER, ROOT, memory_files, run_child
from wikimem_desktop.engine import MemoryStore, atomic, errors
from wikimem_desktop.engine.changes import Change, FileChange, Record
from wikimem_desktop.engine.intents import finish_intents
from wikimem_desktop.engine.refactoring import rename_category

FIRST_LINE = '{"ts": "x", "action": "add", "file": "notes", "item": "a"}\n'
FILES: dict[str, str | bytes] = {
    "wiki/notes.md": "# notes\r\n\r\n## a\r\n\r\nold\r\n\r\n## b\r\n\r\nkept\r\n",
    "wiki/single.md": "# single\n\n## a\n\nalone\n",
    "wiki/more.md": "# more\n\n## m\n\nsee [[single:a]]\n",
    "diary/2026-07-10.md": "# 2026-07-10\n\n## 09:00\n\nsaw [[single:a]]\n\n## 09:00\n\nand again\n",
    "journal.jsonl": FIRST_LINE,
}
CHANGES = ["four-files", "rename-category"]


@pytest.fixture
def store(tmp_path: Path) -> MemoryStore:
    return MemoryStore(fill(tmp_path / "store", FILES))


def do(store: MemoryStore, change: Change) -> Change:
    return store.change(change.files, change.records)


def intents(root: Path) -> list[str]:
    return [path.name for path in root.iterdir() if path.suffix == ".tmp" and "intent" in path.name]


def records(store: MemoryStore) -> list[tuple[str, str, str, str | None]]:
    keys = ("action", "file", "item")
    return [(*(entry[key] for key in keys), entry.get("detail")) for entry in store.journal.entries()[1:]]


def planned_records(plan: Change) -> list[tuple[str, str, str, str | None]]:
    return [(record.action, record.category, record.item, record.detail) for record in plan.records]


def old_and_new(name: str, folder: Path) -> tuple[dict[str, bytes | None], dict[str, bytes | None], Change]:
    """The memory's files before and after a change, and its plan."""
    store = MemoryStore(fill(folder / "old", FILES))
    old, plan = memory_files(store.root), plan_of(name, store)
    do(store, plan)
    return old, memory_files(store.root), plan


def all_crashes(start: Path, action: str, folder: Path) -> list[Path]:
    """The store in `start` after the action died behind its first call, its second … its last."""
    whole = run_child(Path(shutil.copytree(start, folder / "whole")), action, NEVER)
    assert whole.returncode == 0, whole.stderr

    def crash(calls: int) -> Path:
        root = Path(shutil.copytree(start, folder / str(calls)))
        died = run_child(root, action, calls)
        assert died.returncode == 9, died.stderr
        return root

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(crash, range(1, int(whole.stdout) + 1)))


# ------------------------------------------------------------ killed


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_killed_after_any_call_is_done_whole_or_not_at_all(name: str, tmp_path: Path) -> None:
    old, new, plan = old_and_new(name, tmp_path)
    roots = all_crashes(fill(tmp_path / "start", FILES), name, tmp_path)
    assert len(roots) > 30
    done = []
    for root in roots:
        for path, data in memory_files(root).items():
            assert data in (old.get(path), new.get(path)), "a host would see half a file"
        assert {"alone", "kept"} <= {item.content for item in MemoryStore(root).items()}, "a text was nowhere"
        finish_intents(MemoryStore(root))
        found = memory_files(root)
        assert found in (old, new)
        done.append(found == new)
        store = MemoryStore(root)
        assert records(store) == (planned_records(plan) if done[-1] else [])
        assert store.journal.broken <= 1
        assert intents(root) == []
        assert finish_intents(store) == []
        store.add("notes", "after", "the crash")
        assert store.get("notes", "after") is not None
    assert done == sorted(done), "it was done and went away"
    assert (done[0], done[-1]) == (False, True)


# ------------------------------------------------------------ left half done, and someone wrote since


class Killed(BaseException):
    """The program ends here."""


def cannot_exchange(one: Path, other: Path) -> bool:
    """A system that can only rename."""
    return False


def kill_behind(place: str, store: MemoryStore, plan: Change) -> None:
    """The change dies right when the file of that name is in its place."""
    swap = os.replace

    def replace(source: Path, target: Path) -> None:
        swap(source, target)
        if Path(target).name == place:
            raise Killed

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "replace", replace)
        patched.setattr(atomic, "exchange", cannot_exchange)
        with pytest.raises(Killed):
            do(store, plan)


@pytest.fixture
def half_done(store: MemoryStore) -> MemoryStore:
    """A change of four files of which one was written."""
    kill_behind("notes.md", store, plan_of("four-files", store))
    assert len(intents(store.root)) == 1
    return store


def texts(store: MemoryStore) -> dict[str, str]:
    return {item.address: item.content for item in store.items()}


OLD = {"notes:a": "old", "notes:b": "kept", "single:a": "alone", "more:m": "see [[single:a]]"}
NEW = {"notes:a": "新的", "notes:b": "kept", "fresh:a": "alone", "more:m": "see [[fresh:a]]"}


def test_what_others_added_since_is_kept_when_a_change_is_finished(half_done: MemoryStore) -> None:
    agent = MemoryStore(half_done.root)
    theirs = {}
    for category in ("notes", "single", "more"):
        agent.add(category, "agent", "theirs")
        theirs[f"{category}:agent"] = "theirs"
    (change,) = finish_intents(half_done)
    assert texts(half_done) == NEW | theirs
    assert set(change.files) == {"notes", "single", "fresh", "more", DAY}
    do(half_done, change.reversed())
    assert texts(half_done) == OLD | theirs


def test_finishing_may_be_killed_too(half_done: MemoryStore, tmp_path: Path) -> None:
    for root in all_crashes(half_done.root, "finish", fill(tmp_path / "crashes", {})):
        store = MemoryStore(root)
        finish_intents(store)
        assert texts(store) == NEW
        assert not store.path("single").exists()
        assert records(store) == planned_records(plan_of("four-files", MemoryStore(fill(tmp_path / "old", FILES))))
        assert intents(root) == []


@pytest.mark.parametrize(
    ("category", "name", "text"), [("more", "m", "edited"), ("single", "a", "edited"), ("fresh", "other", "theirs")]
)
def test_a_change_that_can_not_be_finished_is_undone_but_for_what_others_wrote(
    category: str, name: str, text: str, half_done: MemoryStore
) -> None:
    MemoryStore(half_done.root).add(category, name, text)
    count = len(half_done.journal.entries())
    assert finish_intents(half_done) == []
    assert texts(half_done) == OLD | {f"{category}:{name}": text}
    assert len(half_done.journal.entries()) == count
    assert intents(half_done.root) == []


def test_a_category_is_not_lost_when_its_new_name_was_taken_meanwhile(store: MemoryStore) -> None:
    kill_behind("renamed.md", store, rename_category(store, "notes", "renamed"))
    store.path("renamed").write_bytes(b"# renamed\n\n## x\n\ntheirs\n")
    finish_intents(store)
    assert texts(store) == OLD | {"renamed:x": "theirs"}


def test_a_file_that_became_unreadable_is_left_alone(half_done: MemoryStore) -> None:
    half_done.path("more").write_bytes(b"\xff")
    assert finish_intents(half_done) == []
    assert half_done.path("more").read_bytes() == b"\xff"
    assert texts(half_done) == {address: text for address, text in OLD.items() if address != "more:m"}


def test_a_torn_intent_means_that_nothing_was_changed(half_done: MemoryStore) -> None:
    (name,) = intents(half_done.root)
    whole = (half_done.root / name).read_bytes()
    fill(half_done.root, FILES)
    before = tree(half_done.root)
    for length in (0, 1, len(whole) // 2, len(whole) - 1):
        (half_done.root / name).write_bytes(whole[:length])
        assert finish_intents(half_done) == []
        assert tree(half_done.root) == {path: data for path, data in before.items() if path != name}


@pytest.mark.parametrize(
    "content", ["{}\n", "[1]\n", "text\n", '{"files": {"notes": 1}}\n', "\x00\n", '{"files": {"notes": [1, 2]}}\n']
)
def test_a_file_that_only_looks_like_an_intent_is_left_alone(content: str, store: MemoryStore) -> None:
    fill(store.root, {".wikimem.intent-0.tmp": content})
    before = tree(store.root)
    assert finish_intents(store) == []
    assert tree(store.root) == before


def test_an_intent_writes_nothing_outside_the_folder(store: MemoryStore) -> None:
    content = '{"files": {"../outside": [null, "text"], "notes": [null, "text"]}, "records": [], "ts": "x"}\n'
    fill(store.root, {".wikimem.intent-0.tmp": content})
    assert finish_intents(store) == []
    assert texts(store) == OLD
    assert not (store.root / "outside.md").exists()


def test_an_intent_outlives_the_sweep_and_a_read_only_visit(half_done: MemoryStore) -> None:
    (name,) = intents(half_done.root)
    os.utime(half_done.root / name, (1, 1))
    half_done.sweep_temporary_files()
    before = tree(half_done.root)
    assert finish_intents(MemoryStore(half_done.root, read_only=True)) == []
    assert tree(half_done.root) == before
    finish_intents(half_done)
    assert texts(half_done) == NEW


# ------------------------------------------------------------ someone writes meanwhile


@contextmanager
def at_each_sync(act: Callable[[], None]) -> Iterator[None]:
    """Something happens at every step of a write: what was written so far has reached the disk."""
    sync = os.fsync

    def fsync(descriptor: int) -> None:
        sync(descriptor)
        with pytest.MonkeyPatch.context() as unpatched:
            unpatched.setattr(os, "fsync", sync)
            act()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "fsync", fsync)
        yield


def test_a_change_whose_writer_lives_is_left_to_it(store: MemoryStore) -> None:
    seen: list[int] = []

    def visit() -> None:
        before = tree(store.root)
        assert finish_intents(MemoryStore(store.root)) == []
        if len(seen) in (2, 4):
            assert run_child(store.root, "finish", NEVER).returncode == 0
        assert tree(store.root) == before
        seen.append(len(intents(store.root)))

    with at_each_sync(visit):
        do(store, plan_of("four-files", store))
    assert len(seen) > 8
    assert all(seen)
    assert texts(store) == NEW
    assert intents(store.root) == []


@pytest.mark.parametrize("name", CHANGES)
def test_what_an_agent_adds_while_we_write_is_kept(name: str, store: MemoryStore) -> None:
    code = """if True:
        import sys
        from wikimem_desktop.engine import MemoryStore
        for number, category in enumerate(sys.stdin):
            MemoryStore(sys.argv[1]).add(category.strip(), f"agent {number}", "theirs")
            print(number, flush=True)
    """
    command = [sys.executable, "-c", code, str(store.root)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdin=-1, stdout=-1, text=True, env=environment) as agent:
        assert agent.stdin
        assert agent.stdout
        wishes = ["notes", "more", "single", "notes", "renamed", "more", "notes", "single", "notes", "fresh"]
        count = len(wishes)

        def ask() -> None:
            # A file that the change is about to make is the agent's only once it is there.
            if wishes and (wishes[0] not in ("renamed", "fresh") or store.path(wishes[0]).exists()):
                print(wishes.pop(0), file=agent.stdin, flush=True)
                assert agent.stdout
                agent.stdout.readline()

        plan = plan_of(name, store)
        with at_each_sync(ask):
            change = do(store, plan)
        done = {item.name for item in store.items() if item.name.startswith("agent")}
        do(store, change.reversed())
        agent.stdin.close()
    expected = {f"agent {number}" for number in range(count - len(wishes))}
    assert len(expected) > 3
    assert done == expected
    assert {item.name for item in store.items() if item.name.startswith("agent")} == expected
    assert {address: text for address, text in texts(store).items() if ":agent" not in address} == OLD


def test_a_conflict_that_arises_half_way_undoes_the_rest(store: MemoryStore) -> None:
    plan = plan_of("four-files", store)
    before = tree(store.root)

    def edit() -> None:
        if "新的" in texts(store)["notes:a"] and texts(store)["more:m"] != "theirs":
            store.path("more").write_bytes(b"# more\n\n## m\n\ntheirs\n")

    with at_each_sync(edit), pytest.raises(errors.Conflict) as caught:
        do(store, plan)
    assert (caught.value.category, caught.value.name) == ("more", "m")
    assert tree(store.root) == before | {"wiki/more.md": b"# more\n\n## m\n\ntheirs\n"}


# ------------------------------------------------------------ the system refuses


def refuse(patched: pytest.MonkeyPatch, *places: str) -> None:
    """Neither replace nor delete these files."""
    monkeypatched = {name: getattr(os, name) for name in ("replace", "unlink")}

    def refusing(name: str) -> Callable[..., None]:
        def call(*paths: Any, **options: Any) -> None:
            if Path(paths[-1]).name in places:
                raise PermissionError(errno.EACCES, "held for ever")
            monkeypatched[name](*paths, **options)

        return call

    for name in monkeypatched:
        patched.setattr(os, name, refusing(name))
    patched.setattr(atomic, "exchange", cannot_exchange)
    patched.setattr("time.sleep", lambda seconds: None)


@pytest.mark.parametrize("place", ["notes.md", "fresh.md", "more.md", "single.md"])
def test_a_file_that_can_not_be_written_leaves_all_others_as_they_were(
    place: str, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, before = plan_of("four-files", store), tree(store.root)
    refuse(monkeypatch, place)
    with pytest.raises(errors.WriteFailed) as caught:
        do(store, plan)
    assert caught.value.path.name == place
    assert tree(store.root) == before


def test_what_could_not_be_put_back_is_put_back_at_the_next_start(store: MemoryStore) -> None:
    plan, before = plan_of("four-files", store), tree(store.root)
    swap = os.replace

    def replace(source: Path, target: Path) -> None:
        if "新的" in texts(store)["notes:a"]:
            raise PermissionError(errno.EACCES, "held for ever")
        swap(source, target)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "replace", replace)
        patched.setattr(atomic, "exchange", cannot_exchange)
        patched.setattr("time.sleep", lambda seconds: None)
        with pytest.raises(errors.WriteFailed):
            do(store, plan)
        assert texts(store)["notes:a"] == "新的"
        assert len(intents(store.root)) == 1
        with pytest.raises(errors.WriteFailed):
            finish_intents(store)
    assert finish_intents(store) == []
    assert tree(store.root) == before


@pytest.mark.parametrize("name", ["write", "fsync", "open"])
def test_without_room_for_the_intent_nothing_is_changed(name: str, store: MemoryStore) -> None:
    def fail(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    plan, before = plan_of("four-files", store), tree(store.root)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, name, fail)
        with pytest.raises(errors.WriteFailed):
            do(store, plan)
    assert tree(store.root) == before


def test_a_journal_that_fails_half_way_leaves_no_intent(half_done: MemoryStore) -> None:
    finish_intents(half_done)
    (half_done.root / "journal.jsonl").unlink()
    (half_done.root / "journal.jsonl").mkdir()
    edits = {category: FileChange(half_done.path(category).read_bytes(), None) for category in ("notes", "more")}
    with pytest.raises(errors.JournalFailed) as caught:
        half_done.change(edits, [Record("remove", "notes", "a")])
    assert caught.value.change == Change(edits, (Record("remove", "notes", "a"),))
    assert intents(half_done.root) == []
    assert texts(half_done) == {"fresh:a": "alone"}


def test_a_journal_that_fails_while_finishing_is_written_at_the_next_start(half_done: MemoryStore) -> None:
    journal, aside = half_done.root / "journal.jsonl", half_done.root / "aside"
    journal.rename(aside)
    journal.mkdir()
    with pytest.raises(errors.JournalFailed):
        finish_intents(half_done)
    assert texts(half_done) == NEW
    journal.rmdir()
    aside.rename(journal)
    finish_intents(half_done)
    assert texts(half_done) == NEW
    assert [record[:3] for record in records(half_done)] == [
        ("update", "notes", "a"), ("remove", "single", "a"), ("add", "fresh", "a"),
    ]  # fmt: skip
    assert intents(half_done.root) == []
