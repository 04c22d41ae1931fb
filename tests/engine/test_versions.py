"""Items in the history: their versions, those that are gone, and bringing them back."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.engine.folders import fill
from wikimem_desktop.engine import MemoryStore, errors
from wikimem_desktop.engine.changes import Change
from wikimem_desktop.engine.recorder import Recorder
from wikimem_desktop.engine.refactoring import rename_item
from wikimem_desktop.engine.versions import (
    Facts,
    file_versions,
    gone_items,
    item_versions,
    restore_file,
    restore_item,
    text_of,
)

NOTES = "# notes\n\n## a\n\none\n\n<!-- wikimem: owner=me -->\n\n## b\n\ntwo\n\n## c\n\nthree\n"
FILES: dict[str, str | bytes] = {"wiki/notes.md": NOTES, "diary/2026-07-10.md": "# d\n\n## 09:00\n\nx\n"}


@pytest.fixture
def recorder(tmp_path: Path) -> Recorder:
    store = MemoryStore(fill(tmp_path / "store", FILES))
    recorder = Recorder(store, tmp_path / "histories")
    store.witness = recorder
    return recorder


def look(recorder: Recorder) -> None:
    store = recorder.store
    seen = [(file.category, file.digest.hex()) for file in store.files()]
    recorder.see([*seen, *((f, None) for f in recorder.history.files() if not store.path(f).exists())])
    recorder.see_days()


def texts_of(recorder: Recorder, file: str, name: str = "") -> list[str | None]:
    history = recorder.history
    found = item_versions(history, file, name) if name else file_versions(history, file)
    return [text_of(history, version.digest, name) for version in found]


def write_outside(recorder: Recorder, text: str) -> None:
    path = recorder.store.path("notes")
    path.write_text(text, encoding="utf-8")
    os.utime(path)
    look(recorder)


def test_an_item_has_a_version_for_each_time_it_changed_and_says_who_did(recorder: Recorder) -> None:
    look(recorder)
    recorder.store.update("notes", "a", "mine")
    write_outside(recorder, NOTES.replace("one", "theirs"))
    recorder.store.update("notes", "b", "other")
    found = item_versions(recorder.history, "notes", "a")
    texts = [(text_of(recorder.history, v.digest, "a"), text_of(recorder.history, v.before, "a")) for v in found]
    assert [(*pair, v.author) for pair, v in zip(texts, found, strict=True)] == [
        ("theirs", "mine", "outside"),
        ("mine", "one", "app"),
        ("one", None, "outside"),
    ]
    assert [(v.size, v.size_before) for v in found] == [(6, 4), (4, 3), (3, None)]
    assert len(file_versions(recorder.history, "notes")) == 4


def test_what_is_known_of_a_text_is_not_read_again(recorder: Recorder) -> None:
    look(recorder)
    recorder.store.update("notes", "a", "mine")
    facts: Facts = {}
    found = item_versions(recorder.history, "notes", "a", facts)
    for path in recorder.history.folder.glob("texts/*/*"):
        path.unlink()
    assert item_versions(recorder.history, "notes", "a", facts) == found
    assert len(found) == 2


def test_an_answer_that_no_one_waits_for_is_not_looked_for(recorder: Recorder) -> None:
    look(recorder)
    recorder.store.remove("notes", "a")
    assert item_versions(recorder.history, "notes", "a", wanted=lambda: False) == []
    assert gone_items(recorder.history, (), lambda: False) == []


def test_what_others_wrote_unseen_is_kept_before_a_write_of_ours(recorder: Recorder) -> None:
    recorder.store.path("notes").write_text(NOTES.replace("one", "unseen"), encoding="utf-8")
    recorder.store.update("notes", "b", "mine")
    assert texts_of(recorder, "notes", "a") == ["unseen"]


def test_the_days_and_files_that_come_and_go_are_noted(recorder: Recorder) -> None:
    look(recorder)
    recorder.store.path("diary/2026-07-10").write_text("# d\n", encoding="utf-8")
    recorder.store.path("notes").unlink()
    look(recorder)
    assert texts_of(recorder, "diary/2026-07-10") == ["# d\n", "# d\n\n## 09:00\n\nx\n"]
    assert texts_of(recorder, "notes") == [None, NOTES]


def test_what_went_while_no_one_looked_is_noted_as_gone(recorder: Recorder, tmp_path: Path) -> None:
    look(recorder)
    store = MemoryStore(recorder.store.root)
    for key in ("notes", "diary/2026-07-10"):
        store.path(key).unlink()
    later = Recorder(store, tmp_path / "histories")
    later.see_days()
    for key in ("notes", "diary/2026-07-10"):
        assert [v.digest is None for v in later.history.versions(key)] == [True, False]


def test_a_store_that_is_away_is_no_store_whose_files_went(recorder: Recorder, tmp_path: Path) -> None:
    look(recorder)
    later = Recorder(MemoryStore(recorder.store.root), tmp_path / "histories")
    recorder.store.root.rename(tmp_path / "away")
    later.see_days()
    assert len(later.history.versions("notes")) == 1


def test_gone_items_are_found_with_their_last_text_and_brought_back_at_their_place(recorder: Recorder) -> None:
    look(recorder)
    recorder.store.update("notes", "b", "last words")
    store = recorder.store
    write_outside(recorder, NOTES.replace("## b\n\ntwo\n\n", "").replace("one", "one more"))
    write_outside(recorder, NOTES.replace("## b\n\ntwo\n\n", ""))
    (gone,) = gone_items(recorder.history, {(item.category, item.name) for item in store.items()})
    assert (gone.name, gone.text, gone.author) == ("b", "last words", "outside")
    change = restore_item(store, "notes", "b", recorder.history.bytes_of(gone.digest))
    store.change(change.files, change.records)
    assert store.path("notes").read_text(encoding="utf-8") == NOTES.replace("two", "last words")
    assert gone_items(recorder.history, {(item.category, item.name) for item in store.items()}) == []


@pytest.mark.parametrize("name", ["a", "b", "c"])
def test_restoring_an_item_takes_its_metadata_along_and_touches_nothing_else(name: str, recorder: Recorder) -> None:
    look(recorder)
    store = recorder.store
    text = {"a": "one", "b": "two", "c": "three"}[name]
    write_outside(recorder, NOTES.replace(text, "spoilt").replace("owner=me", "owner=other"))
    old = item_versions(recorder.history, "notes", name)[-1]
    assert old.digest is not None
    before = store.path("notes").read_bytes()
    change = restore_item(store, "notes", name, recorder.history.bytes_of(old.digest))
    done = store.change(change.files, change.records)
    wanted = NOTES if name == "a" else NOTES.replace("owner=me", "owner=other")
    assert store.path("notes").read_text(encoding="utf-8") == wanted
    undo = done.reversed()
    store.change(undo.files, undo.records)
    assert store.path("notes").read_bytes() == before


@pytest.mark.parametrize(("gone", "since"), [("tea", "Tea"), ("\u00e9", "e\u0301")])
def test_nothing_comes_back_beside_what_looks_alike(gone: str, since: str, recorder: Recorder) -> None:
    store = recorder.store
    store.path("notes").write_bytes(f"## {since}\n\ngreen\n".encode())
    old = f"## {gone}\n\nblack\n".encode()
    with pytest.raises(errors.NameTaken) as caught:
        restore_item(store, "notes", gone, old)
    assert (caught.value.name, caught.value.taken_by) == (gone, since)
    store.path("Notes").write_bytes(b"# other\n")
    store.path("notes").unlink(missing_ok=True)
    for restore in (lambda: restore_item(store, "notes", gone, old), lambda: restore_file(store, "notes", old)):
        with pytest.raises(errors.NameTaken):
            restore()


def test_a_file_is_restored_as_a_whole_and_so_is_a_day(recorder: Recorder) -> None:
    look(recorder)
    store = recorder.store
    store.path("notes").unlink()
    store.path("diary/2026-07-10").write_text("gone", encoding="utf-8")
    look(recorder)
    for key in ("notes", "diary/2026-07-10"):
        old = file_versions(recorder.history, key)[-1]
        assert old.digest is not None
        change = restore_file(store, key, recorder.history.bytes_of(old.digest))
        store.change(change.files, change.records)
    assert store.path("notes").read_text(encoding="utf-8") == NOTES
    assert store.path("diary/2026-07-10").read_text(encoding="utf-8") == FILES["diary/2026-07-10.md"]


def test_a_text_without_the_item_is_refused(recorder: Recorder) -> None:
    with pytest.raises(errors.ItemNotFound):
        restore_item(recorder.store, "notes", "none", NOTES.encode())


def test_a_history_that_cannot_be_kept_stops_no_write(tmp_path: Path) -> None:
    store = MemoryStore(fill(tmp_path / "store", FILES))
    (tmp_path / "histories").write_text("a file where the folder should be")
    told: list[errors.WriteFailed] = []
    store.witness = Recorder(store, tmp_path / "histories", told.append)
    store.update("notes", "a", "mine")
    item = store.get("notes", "a")
    assert item is not None
    assert item.content == "mine"
    assert told


def test_a_file_that_was_overwritten_with_no_text_is_restored_and_the_bytes_can_be_had_again(
    recorder: Recorder,
) -> None:
    look(recorder)
    store, damaged = recorder.store, b"# notes\n\n## a\n\n\xff\xfe\n"
    store.path("notes").write_bytes(damaged)
    look(recorder)
    good = file_versions(recorder.history, "notes")[-1]
    assert good.digest is not None
    change = restore_file(store, "notes", recorder.history.bytes_of(good.digest))
    done = store.change(change.files, change.records)
    assert store.path("notes").read_text(encoding="utf-8") == NOTES
    assert [(e["action"], e["item"]) for e in store.journal.entries()] == [("add", "a"), ("add", "b"), ("add", "c")]
    undo = done.reversed()
    store.change(undo.files, undo.records)
    assert store.path("notes").read_bytes() == damaged


def gone(recorder: Recorder) -> list[str]:
    present = {(item.category, item.name) for item in recorder.store.items()}
    return sorted(item.name for item in gone_items(recorder.history, present))


def rename(recorder: Recorder, before: str, after: str) -> Change:
    change = rename_item(recorder.store, "notes", before, after)
    return recorder.store.change(change.files, change.records)


def undo(recorder: Recorder, done: Change) -> None:
    back = done.reversed()
    recorder.store.change(back.files, back.records)


def test_a_name_between_a_rename_of_ours_and_its_undo_is_none_that_is_gone(recorder: Recorder) -> None:
    look(recorder)
    done = rename(recorder, "b", "mistyped")
    again = rename(recorder, "mistyped", "mistyped too")
    recorder.store.update("notes", "mistyped too", "written meanwhile")
    recorder.store.update("notes", "mistyped too", "two")
    undo(recorder, again)
    undo(recorder, done)
    assert gone(recorder) == []
    recorder.store.remove("notes", "a")
    assert gone(recorder) == ["a"]


def test_what_others_called_so_or_what_was_there_before_is_gone_all_the_same(recorder: Recorder) -> None:
    look(recorder)
    recorder.store.add("notes", "late", "once")
    recorder.store.remove("notes", "late")
    undo(recorder, rename(recorder, "b", "late"))
    assert gone(recorder) == ["late"]
    write_outside(recorder, NOTES.replace("## b", "## theirs"))
    write_outside(recorder, NOTES)
    assert gone(recorder) == ["late", "theirs"]
