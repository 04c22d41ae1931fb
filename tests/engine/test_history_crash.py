"""A crash at any moment of keeping, trimming or purging leaves a history in which every version can be read."""

from __future__ import annotations

import errno
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.engine.crash_child import RECORDED, recorder_of
from tests.engine.folders import fill
from tests.engine.test_crash import NEVER, run_child
from wikimem_desktop.engine import MemoryStore
from wikimem_desktop.engine.history import History
from wikimem_desktop.engine.versions import file_versions

OLD = "# notes\n\n## a\n\nold\n"


def prepared(root: Path, *, seen: bool) -> Path:
    """A store; when `seen`, with two older versions in its history."""
    store = MemoryStore(fill(root, {"wiki/notes.md": OLD}))
    if seen:
        history = recorder_of(store).history
        for text in ("first", "second", OLD):
            history.keep("notes", text.encode(), "outside")
    return root


def check(root: Path) -> None:
    """Every version has its text; what was replaced is there; the next write is kept."""
    store = MemoryStore(root)
    store.witness = recorder = recorder_of(store)
    recorder.see([("notes", None)])
    history = recorder.history
    assert history.broken <= 1
    assert all(history.bytes_of(version.digest) for version in history.versions("notes") if version.digest)
    now = store.path("notes").read_bytes()
    assert now == OLD.encode() or OLD in [history.bytes_of(v.digest or "").decode() for v in history.versions("notes")]
    store.update("notes", "a", "after the crash")
    assert store.path("notes").read_bytes() == history_of(root).bytes_of(
        history_of(root).versions("notes")[0].digest or ""
    )


def history_of(root: Path) -> History:
    return recorder_of(MemoryStore(root)).history


@pytest.mark.parametrize(
    ("write", "seen"), [*((write, True) for write in sorted(RECORDED)), ("update-witnessed", False)]
)
def test_a_crash_after_any_call_leaves_every_version_readable(write: str, seen: bool, tmp_path: Path) -> None:
    whole = run_child(prepared(tmp_path / "whole", seen=seen), write, NEVER)
    assert whole.returncode == 0, whole.stderr
    count = int(whole.stdout)
    assert 5 < count < NEVER

    def crash(calls: int) -> Path:
        root = prepared(tmp_path / str(calls), seen=seen)
        died = run_child(root, write, calls)
        assert died.returncode == 9, died.stderr
        return root

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        roots = list(pool.map(crash, range(1, count + 1)))
    for root in roots:
        check(root)


@pytest.mark.parametrize("failing", ["write", "fsync", "replace", "open", "mkdir"])
def test_whatever_the_disk_refuses_the_store_is_written_and_the_history_goes_on(
    failing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what lies in the folder of histories is refused."""
    store = MemoryStore(prepared(tmp_path / "store", seen=False))
    store.witness = recorder = recorder_of(store)
    real = getattr(os, failing)
    opened: set[int] = set()
    real_open = os.open

    def remembering_open(path: Any, *args: Any, **kwargs: Any) -> int:
        descriptor = real_open(path, *args, **kwargs)
        (opened.add if "-histories" in os.fsdecode(path) else opened.discard)(descriptor)
        return descriptor

    def refuse(first: Any, *args: Any, **kwargs: Any) -> Any:
        ours = first in opened if isinstance(first, int) else "-histories" in os.fsdecode(first)
        if ours:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(first, *args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", remembering_open)
        patch.setattr(os, failing, refuse)
        store.update("notes", "a", "written all the same")
    item = store.get("notes", "a")
    assert item is not None
    assert item.content == "written all the same"
    store.update("notes", "a", "and kept")
    kept = [version.digest for version in recorder.history.versions("notes")]
    assert len(file_versions(history_of(tmp_path / "store"), "notes")) >= 2
    assert [v.digest for v in history_of(tmp_path / "store").versions("notes")] == kept
