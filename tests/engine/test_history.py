"""Local history: every version can be read again, within its bounds, whatever happens to its files."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem_desktop.engine import errors
from wikimem_desktop.engine.folders import claim, folder_of, settle, store_id
from wikimem_desktop.engine.history import History

NOW = datetime(2026, 12, 3, 12, tzinfo=UTC)


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "history")


def texts(history: History, file: str) -> list[bytes | None]:
    """What the versions of a file say, the newest first."""
    return [v.digest and history.bytes_of(v.digest) for v in history.versions(file)]  # type: ignore[misc]


def test_versions_are_kept_in_order_and_the_same_again_is_none(history: History) -> None:
    for data in (b"one", b"two", b"two", None, None, b"one"):
        history.keep("notes", data, "app")
    history.keep("diary/2026-07-10", b"day", "outside")
    assert texts(history, "notes") == [b"one", None, b"two", b"one"]
    again = History(history.folder)
    assert texts(again, "notes") == [b"one", None, b"two", b"one"]
    assert again.files() == ["notes", "diary/2026-07-10"]
    assert [(v.author, v.file) for v in again.versions("diary/2026-07-10")] == [("outside", "diary/2026-07-10")]


def test_lines_that_others_broke_are_skipped_and_counted(history: History) -> None:
    history.keep("notes", b"one", "app", NOW)
    log = history.folder / "versions.jsonl"
    log.write_bytes(log.read_bytes() + b'\n[]\n{"ts": "x"}\n{"file": "notes", "dig')
    again = History(history.folder)
    again.keep("notes", b"two", "app", NOW)
    last = History(history.folder)
    assert texts(last, "notes") == [b"two", b"one"]
    assert last.broken == 3


def test_a_line_that_names_no_text_leads_to_no_other_file(history: History) -> None:
    history.keep("notes", b"one", "app", NOW)
    log = history.folder / "versions.jsonl"
    line = log.read_bytes()
    digest = hashlib.sha256(b"one").hexdigest().encode()
    log.write_bytes(line + line.replace(digest, b"../../versions.jsonl") + line.replace(b'"' + digest + b'"', b"7"))
    again = History(history.folder)
    assert (texts(again, "notes"), again.broken) == ([b"one"], 2)


def test_a_damaged_or_missing_text_is_an_error_and_no_wrong_text(history: History) -> None:
    version = history.keep("notes", b"one", "app")
    assert version.digest is not None
    path = history.folder / "texts" / version.digest[:2] / version.digest
    for damage in (b"", b"x", path.read_bytes()[:-1]):
        path.write_bytes(damage)
        with pytest.raises(KeyError):
            history.bytes_of(version.digest)
    path.unlink()
    with pytest.raises(KeyError):
        history.bytes_of(version.digest)


def test_what_is_too_old_goes_but_never_the_newest_of_a_file(history: History) -> None:
    for days, data in ((400, b"old"), (300, b"less old"), (10, b"new")):
        history.keep("notes", data, "app", NOW - timedelta(days=days))
    history.keep("other", b"only", "app", NOW - timedelta(days=500))
    history.trim(now=NOW)
    assert texts(history, "notes") == [b"new"]
    assert texts(history, "other") == [b"only"]
    assert sum(1 for path in (history.folder / "texts").glob("*/*")) == 2


def test_the_oldest_goes_first_when_it_is_too_much(tmp_path: Path) -> None:
    history = History(tmp_path, most_bytes=3500)
    for number in range(10):
        history.keep("notes", os.urandom(1000), "app", NOW + timedelta(minutes=number))
    needed = history.versions("notes")[-1].digest
    assert needed is not None
    history.trim([needed], now=NOW)
    assert 2 <= len(history.versions("notes")) <= 3
    assert history.bytes_of(needed)


def test_the_order_of_versions_is_that_of_the_log_whatever_the_clock_said(history: History) -> None:
    for hours, data in ((5, b"one"), (0, b"two"), (1, b"three")):
        history.keep("notes", data, "app", NOW - timedelta(days=200) * (data == b"two") + timedelta(hours=hours))
    history.trim(now=NOW)
    assert texts(History(history.folder), "notes") == [b"three", b"one"]


def test_a_text_that_was_kept_for_something_else_a_moment_ago_is_let_alone(history: History) -> None:
    """Another window notes right away what it keeps it for; one that no one needs goes later."""
    history.keep("notes", b"one", "app")
    stray = history.keep_text(b"stray")
    history.trim()
    assert history.bytes_of(stray) == b"stray"
    long_ago = NOW.timestamp() - 1e7
    os.utime(history.folder / "texts" / stray[:2] / stray, (long_ago, long_ago))
    history.trim()
    with pytest.raises(KeyError):
        history.bytes_of(stray)


def test_a_lost_or_damaged_text_is_kept_anew_when_it_is_seen_again(history: History) -> None:
    version = history.keep("notes", b"one", "app")
    assert version.digest is not None
    path = history.folder / "texts" / version.digest[:2] / version.digest
    path.write_bytes(b"nonsense")
    history.keep_text(b"one")
    assert history.bytes_of(version.digest) == b"one"
    path.unlink()
    assert history.keep("notes", b"one", "app") == version
    assert texts(History(history.folder), "notes") == [b"one"]


def test_two_windows_keep_and_trim_at_once_and_no_version_is_lost(tmp_path: Path) -> None:
    """Each as its own process would, with what it knows of the log."""

    def keep(window: int) -> None:
        mine = History(tmp_path, most_bytes=10**9)
        for number in range(60):
            mine.keep(f"file-{window}", f"{window} {number}".encode(), "app")
            if number % 7 == window:
                mine.trim()

    with ThreadPoolExecutor(3) as pool:
        for done in [pool.submit(keep, window) for window in range(3)]:
            done.result()
    last = History(tmp_path)
    for window in range(3):
        assert texts(last, f"file-{window}") == [f"{window} {number}".encode() for number in reversed(range(60))]


def test_purging_takes_every_text_and_version_that_holds_it(history: History) -> None:
    for data in (b"open", b"a secret", b"open again", b"my secret"):
        history.keep("notes", data, "app")
    history.keep("other", b"secret", "app")
    assert history.purge(lambda data: b"secret" in data) == 3
    assert texts(history, "notes") == [b"open again", b"open"]
    assert texts(History(history.folder), "other") == []


def test_a_full_disk_is_an_error_and_what_was_kept_stays(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    history.keep("notes", b"one", "app")

    def full(*args: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(errors.WriteFailed):
            history.keep("notes", b"two", "app")
    assert texts(History(history.folder), "notes") == [b"one"]
    history.keep("notes", b"two", "app")
    assert texts(History(history.folder), "notes") == [b"two", b"one"]


@given(st.lists(st.tuples(st.sampled_from(["a", "b", "海边"]), st.none() | st.binary(max_size=60)), max_size=30))
def test_every_text_that_was_kept_can_be_read_again(steps: list[tuple[str, bytes | None]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        told: dict[str, list[bytes | None]] = {}
        for number, (file, data) in enumerate(steps):
            if number % 3 == 0:
                kept = History(Path(folder))
            kept.keep(file, data, "app")
            if told.get(file, [b"none"])[-1] != data or file not in told:
                told.setdefault(file, []).append(data)
        last = History(Path(folder))
        last.trim()
        assert {file: texts(last, file)[::-1] for file in last.files()} == told


# ------------------------------------------------------------ which folder


def test_a_store_is_known_by_its_path_until_it_carries_an_id(tmp_path: Path) -> None:
    root, histories = tmp_path / "store", tmp_path / "histories"
    root.mkdir()
    first = folder_of(histories, root)
    History(first).keep("notes", b"one", "outside")
    claimed = claim(histories, root)
    assert store_id(root) is not None
    assert claimed == folder_of(histories, root) != first
    assert texts(History(claimed), "notes") == [b"one"]
    root.rename(tmp_path / "elsewhere")
    assert folder_of(histories, tmp_path / "elsewhere") == claimed == claim(histories, tmp_path / "elsewhere")


def test_a_copy_of_a_store_has_a_history_of_its_own(tmp_path: Path) -> None:
    root, copy, histories = tmp_path / "store", tmp_path / "copy", tmp_path / "histories"
    root.mkdir()
    History(claim(histories, root)).keep("notes", b"one", "app")
    shutil.copytree(root, copy)
    assert folder_of(histories, copy) != folder_of(histories, root)
    History(folder_of(histories, copy)).keep("notes", b"of the copy", "outside")
    claimed = claim(histories, copy)
    assert store_id(copy) != store_id(root)
    assert texts(History(claimed), "notes") == [b"of the copy"]
    assert texts(History(folder_of(histories, root)), "notes") == [b"one"]
    shutil.rmtree(root)
    copy.rename(root)
    assert settle(histories, root) == claimed


def test_what_two_windows_kept_before_and_after_the_id_came_is_one_history(tmp_path: Path) -> None:
    root, histories = tmp_path / "store", tmp_path / "histories"
    root.mkdir()
    other_window = History(folder_of(histories, root))
    other_window.keep("notes", b"one", "outside")
    claimed = History(claim(histories, root))
    claimed.keep("notes", b"two", "app")
    other_window.keep("notes", b"three", "outside")
    assert settle(histories, root) == claimed.folder
    assert texts(History(claimed.folder), "notes") == [b"three", b"two", b"one"]
    assert [path.name for path in histories.iterdir() if path.is_dir()] == [claimed.folder.name]


@pytest.mark.parametrize("content", [b"", b"../../etc", b"\xff", b"x" * 100])
def test_nonsense_is_no_id(content: bytes, tmp_path: Path) -> None:
    (tmp_path / ".wikimem-desktop").mkdir()
    (tmp_path / ".wikimem-desktop" / "id").write_bytes(content)
    assert store_id(tmp_path) is None
    assert folder_of(tmp_path, tmp_path).name.startswith("path-")


def test_texts_are_named_by_what_they_say(history: History) -> None:
    assert history.keep_text(b"x") == hashlib.sha256(b"x").hexdigest()
    assert history.bytes_of(history.keep_text(b"x")) == b"x"
