"""Writes replace files whole, keep what the system knows of them, and never lose what others wrote meanwhile."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.engine.folders import TS, fill, tree
from wikimem_desktop.engine import MemoryStore, atomic, errors

TEXT = f"# notes\n\n## a\n\nold\n\n<!-- wikimem: ts={TS} -->\n\n## b\n\nkept\n"
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="permission bits and symlinks are POSIX")
Write = Callable[[MemoryStore], object]

WRITES: list[Any] = [
    pytest.param(lambda store: store.add("notes", "new", "text"), id="add"),
    pytest.param(lambda store: store.add("other", "new", "text"), id="add-to-a-new-file"),
    pytest.param(lambda store: store.add("notes", "a", "text"), id="add-on-an-item"),
    pytest.param(lambda store: store.update("notes", "a", "text"), id="update"),
    pytest.param(lambda store: store.remove("notes", "a"), id="remove"),
]


@pytest.fixture
def store(tmp_path: Path) -> MemoryStore:
    return MemoryStore(fill(tmp_path / "store", {"wiki/notes.md": TEXT}))


def notes(store: MemoryStore) -> str:
    return store.path("notes").read_bytes().decode()


def outsider(store: MemoryStore, old: str, new: str) -> None:
    """Another program rewrites the file."""
    text = notes(store)
    assert old in text
    store.path("notes").write_bytes(text.replace(old, new).encode())


def texts_after(write: Write, store: MemoryStore) -> set[tuple[str, str, str]]:
    """What a store of the same files holds after an undisturbed write."""
    other = MemoryStore(shutil.copytree(store.root, store.root.with_name("undisturbed")))
    write(other)
    return {(item.category, item.name, item.content) for item in other.items()}


@pytest.mark.parametrize("write", [*WRITES, pytest.param(lambda store: store.diary.append("event"), id="diary")])
def test_a_read_only_store_refuses_every_write_and_leaves_no_file(write: Write, store: MemoryStore) -> None:
    before = tree(store.root)
    locked = MemoryStore(store.root, read_only=True)
    with pytest.raises(errors.ReadOnlyStore):
        write(locked)
    assert tree(store.root) == before
    assert [item.name for item in locked.items()] == ["a", "b"]


def test_a_read_only_store_that_is_missing_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(errors.ReadOnlyStore):
        MemoryStore(tmp_path / "none", read_only=True).add("notes", "a", "text")
    assert list(tmp_path.iterdir()) == []


@posix_only
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o444])
def test_permission_bits_stay(mode: int, store: MemoryStore) -> None:
    store.path("notes").chmod(mode)
    store.update("notes", "a", "new")
    assert stat.S_IMODE(store.path("notes").stat().st_mode) == mode
    assert "new" in notes(store)


@posix_only
def test_a_symlinked_category_stays_a_symlink(tmp_path: Path) -> None:
    fill(tmp_path, {"shelf/real.md": TEXT})
    link = tmp_path / "notes.md"
    link.symlink_to(Path("shelf") / "real.md")
    store = MemoryStore(tmp_path)
    store.update("notes", "a", "new")
    assert link.readlink() == Path("shelf") / "real.md"
    assert (tmp_path / "shelf" / "real.md").read_bytes().decode() == TEXT.replace("old", "new")
    assert [item.content for item in store.items()] == ["new", "kept"]
    assert sorted(tree(tmp_path)) == ["journal.jsonl", "notes.md", "shelf", "shelf/real.md"]


@posix_only
def test_a_symlink_out_of_the_store_is_read_but_not_written(tmp_path: Path) -> None:
    outside = fill(tmp_path / "outside", {"real.md": TEXT}) / "real.md"
    root = fill(tmp_path / "store", {"more.md": "## c\n"})
    (root / "notes.md").symlink_to(outside)
    store = MemoryStore(root)
    assert [item.name for item in store.items("notes")] == ["a", "b"]
    before = tree(tmp_path)
    for write in (
        lambda: store.add("notes", "a", "x"),
        lambda: store.update("notes", "a", "x"),
        lambda: store.remove("notes", "a"),
    ):
        with pytest.raises(errors.OutsideStore):
            write()
    assert tree(tmp_path) == before


def cannot_exchange(one: Path, other: Path) -> bool:
    """A system that can only rename."""
    return False


def test_a_text_of_others_that_comes_in_the_last_instant_is_put_back(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, exchange = store.path("notes"), atomic.exchange
    theirs = [b"\n## theirs\n\nlate\n"]

    def late(one: Path, other: Path) -> bool:
        if theirs:
            path.write_bytes(path.read_bytes() + theirs.pop(0))
        return exchange(one, other)

    if not exchange(path, path):  # nothing changes
        pytest.skip("this system can only rename")
    monkeypatch.setattr(atomic, "exchange", late)
    name = store.items("notes")[0].name
    store.update("notes", name, "mine")
    item = store.get("notes", name)
    assert item is not None
    assert item.content == "mine"
    assert [i.name for i in store.items("notes")][-1] == "theirs"
    assert {entry.suffix for entry in path.parent.iterdir()} == {".md"}


def test_a_folder_that_comes_in_the_last_instant_is_put_back(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, exchange = store.path("notes"), atomic.exchange
    aside = path.with_name("aside")

    def late(one: Path, other: Path) -> bool:
        if not aside.exists():
            path.rename(aside)
            fill(path, {"inside.txt": "theirs"})
        return exchange(one, other)

    if not exchange(path, path):
        pytest.skip("this system can only rename")
    monkeypatch.setattr(atomic, "exchange", late)
    with pytest.raises(errors.UnreadableFile):
        store.update("notes", store.items("notes")[0].name, "mine")
    assert (path / "inside.txt").read_text() == "theirs"
    assert sorted(entry.name for entry in path.parent.iterdir()) == ["aside", "notes.md"]


@pytest.mark.parametrize("write", WRITES)
def test_files_are_replaced_by_a_synced_temporary_file_beside_them(
    write: Write, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Written beside the target under a name that no host reads, synced, put in place, and the folder synced."""
    steps: list[tuple[str, int | str]] = []
    sync, swap = os.fsync, os.replace

    def fsync(descriptor: int) -> None:
        steps.append(("sync", os.fstat(descriptor).st_ino))
        sync(descriptor)

    def replace(source: Path, target: Path) -> None:
        steps.append(("replace", os.stat(source).st_ino))
        assert Path(source).parent == Path(target).parent
        assert Path(source).suffix == ".tmp"
        swap(source, target)
        steps.append(("replaced", Path(target).name))

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", replace)
    monkeypatch.setattr(atomic, "exchange", cannot_exchange)
    write(store)
    at = next(number for number, (step, _) in enumerate(steps) if step == "replace")
    assert ("sync", steps[at][1]) in steps[:at]
    assert str(steps[at + 1][1]).endswith(".md")
    if sys.platform != "win32":
        assert ("sync", os.stat(store.path("notes").parent).st_ino) in steps[at + 2 :]
    assert all(name.endswith((".md", ".jsonl", "wiki")) for name in tree(store.root))


@pytest.mark.parametrize("write", WRITES)
def test_b14_a_replace_that_fails_twice_is_tried_again(
    write: Write, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, failures = os.replace, [PermissionError(errno.EACCES, "held by a scanner")] * 2

    def replace(source: Path, target: Path) -> None:
        if failures:
            raise failures.pop()
        real(source, target)

    expected = texts_after(write, store)
    monkeypatch.setattr(os, "replace", replace)
    monkeypatch.setattr(atomic, "exchange", cannot_exchange)
    write(store)
    assert not failures
    assert {(item.category, item.name, item.content) for item in store.items()} == expected
    assert {path.suffix for path in store.path("notes").parent.iterdir()} == {".md"}
    assert len(store.journal.entries()) == 1


def test_b14_a_removal_of_the_file_that_fails_twice_is_tried_again(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, failures = os.unlink, [PermissionError(errno.EACCES, "held by a scanner")] * 2

    def unlink(path: Path, **options: Any) -> None:
        if failures and str(path).endswith(".md"):
            raise failures.pop()
        real(path, **options)

    store.add("single", "a", "text")
    monkeypatch.setattr(os, "unlink", unlink)
    assert store.remove("single", "a")
    assert not failures
    assert store.categories() == ["notes"]


@pytest.mark.parametrize("write", WRITES)
def test_b14_a_replace_that_always_fails_is_reported_and_leaves_all_as_it_was(
    write: Write, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []

    def replace(source: Path, target: Path) -> None:
        raise PermissionError(errno.EACCES, "held for ever")

    before, revision = tree(store.root), store.revision
    monkeypatch.setattr(os, "replace", replace)
    monkeypatch.setattr(atomic, "exchange", cannot_exchange)
    monkeypatch.setattr("time.sleep", pauses.append)
    with pytest.raises(errors.WriteFailed) as caught:
        write(store)
    assert Path(caught.value.path).suffix == ".md"
    assert caught.value.reason
    assert 0 < len(pauses) < 100
    assert sum(pauses) < 30
    assert tree(store.root) == before
    assert store.revision == revision


@pytest.mark.parametrize("name", ["write", "fsync"])
def test_a_full_disk_is_reported_and_leaves_all_as_it_was(
    name: str, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    before = tree(store.root)
    with monkeypatch.context() as patched:
        patched.setattr(os, name, fail)
        with pytest.raises(errors.WriteFailed):
            store.update("notes", "a", "new")
    assert tree(store.root) == before
    assert store.update("notes", "a", "new").effective()["a"].content == "new"


def test_an_update_merges_with_changes_to_other_items(store: MemoryStore) -> None:
    base = store.get("notes", "a")
    outsider(store, "kept\n", "kept by them\n\n## c\n\ntheirs\n")
    outsider(store, "# notes", "# Notes, by them")
    assert store.update("notes", "a", "mine", base=base).effective()["a"].content == "mine"
    expected = TEXT.replace("kept\n", "kept by them\n\n## c\n\ntheirs\n").replace("# notes", "# Notes, by them")
    assert notes(store) == expected.replace("old", "mine")


@pytest.mark.parametrize("theirs", ["changed text", None])
def test_an_update_of_a_changed_item_is_a_conflict_with_all_texts(theirs: str | None, store: MemoryStore) -> None:
    base = store.get("notes", "a")
    if theirs is None:
        outsider(store, TEXT[: TEXT.index("## b")], "# notes\n\n")
    else:
        outsider(store, "old", theirs)
    before = tree(store.root)
    with pytest.raises(errors.Conflict) as caught:
        store.update("notes", "a", "mine", base=base)
    assert (caught.value.mine, caught.value.base) == ("mine", base)
    assert (caught.value.theirs.content if caught.value.theirs else None) == theirs
    assert tree(store.root) == before


def test_changed_metadata_is_a_conflict_too(store: MemoryStore) -> None:
    base = store.get("notes", "a")
    outsider(store, f"ts={TS}", f"owner=them | ts={TS}")
    with pytest.raises(errors.Conflict):
        store.update("notes", "a", "mine", base=base)


@pytest.mark.parametrize("write", WRITES)
def test_b15_what_another_program_adds_while_we_write_is_kept(
    write: Write, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other program's write lands when ours is on disk but not yet in place."""
    real, targets = os.fsync, [store.path("notes"), store.path("other")]
    added = b"\n## theirs\n\nsaved by another program\n"

    def fsync(descriptor: int) -> None:
        while targets:
            with targets.pop().open("ab") as file:
                file.write(added)
        real(descriptor)

    expected = texts_after(write, store)
    monkeypatch.setattr(os, "fsync", fsync)
    write(store)
    theirs = {(category, "theirs", "saved by another program") for category in ("notes", "other")}
    assert {(item.category, item.name, item.content) for item in store.items()} == expected | theirs


def test_b15_a_conflict_that_arises_while_we_write_is_found(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, rewrites = os.fsync, [("old", "theirs")]

    def fsync(descriptor: int) -> None:
        while rewrites:
            outsider(store, *rewrites.pop())
        real(descriptor)

    base = store.get("notes", "a")
    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(errors.Conflict) as caught:
        store.update("notes", "a", "mine", base=base)
    assert caught.value.theirs is not None
    assert caught.value.theirs.content == "theirs"
    assert tree(store.root) == {"wiki": None, "wiki/notes.md": TEXT.replace("old", "theirs").encode()}


def test_saving_the_same_text_writes_nothing(store: MemoryStore) -> None:
    before, base = tree(store.root), store.get("notes", "a")
    stamp = store.path("notes").stat()
    assert store.update("notes", "a", "\nold\n", base=base).effective()["a"].item("notes") == base
    assert tree(store.root) == before
    assert store.path("notes").stat().st_ino == stamp.st_ino
