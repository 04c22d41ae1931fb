"""A program that does one write to a store and dies right after its k-th system call. Started by test_crash.py,
test_intents.py and test_history_crash.py.

Arguments: the store's folder, the name of the write, k. Exit code 9: it died; 0: the write needed fewer than k calls,
and their number is printed.
"""

from __future__ import annotations

import builtins
import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.engine.no_case import VARIABLE, take_case_away
from wikimem_desktop.engine import MemoryStore, atomic
from wikimem_desktop.engine.changes import Change, FileChange, Record
from wikimem_desktop.engine.intents import finish_intents
from wikimem_desktop.engine.recorder import Recorder
from wikimem_desktop.engine.refactoring import move_items, rename_category, rename_item

CALLS = (
    *("chmod", "close", "copy_file_range", "fchmod", "fdatasync", "fsync", "ftruncate", "link", "makedirs", "mkdir"),
    *("open", "posix_fallocate", "remove", "rename", "replace", "rmdir", "sendfile", "symlink", "sync", "truncate"),
    *("unlink", "utime", "write", "writev"),
)
"""Those that can change what is on disk; a crash behind a read is one behind the change before it."""

TS = "2026-07-10T03:00:00+00:00"
DAY = "diary/2026-07-10"
LATER = "2026-08-01T00:00:00+00:00"
WRITES: dict[str, Callable[[MemoryStore], object]] = {
    "add": lambda store: store.add("notes", "new", "新的 text\nof two lines", owner="me", ts=LATER),
    "add-to-a-new-file": lambda store: store.add("other", "new", "text", ts=LATER),
    "add-on-an-item": lambda store: store.add("notes", "a", "changed", ts=LATER),
    "update": lambda store: store.update("notes", "a", "changed\ntext"),
    "remove": lambda store: store.remove("notes", "a"),
    "remove-the-last": lambda store: store.remove("single", "a"),
    "diary": lambda store: store.diary.append("event", date="2026-07-10", time="09:30", ts=TS),
}


def four_files(store: MemoryStore) -> Change:
    """One file of each kind: changed, changed too, new, removed; and a day."""
    return Change(
        {
            "single": FileChange(store.path("single").read_bytes(), None),
            "notes": FileChange(notes := store.path("notes").read_bytes(), notes.replace(b"old", "新的".encode())),
            "fresh": FileChange(None, b"# fresh\n\n## a\n\nalone\n"),
            DAY: FileChange(day := store.path(DAY).read_bytes(), day.replace(b"single:", b"fresh:")),
            "more": FileChange(more := store.path("more").read_bytes(), more.replace(b"single:", b"fresh:")),
        },
        (
            Record("update", "notes", "a"),
            Record("remove", "single", "a", detail="fresh:a"),
            Record("add", "fresh", "a"),
        ),
    )


PLANS: dict[str, Callable[[MemoryStore], Change]] = {
    "four-files": four_files,
    "rename-category": lambda store: rename_category(store, "notes", "renamed"),
    "respell-category": lambda store: rename_category(store, "Notes", "notes"),
    "rename-item": lambda store: rename_item(store, "notes", "a", "renamed"),
    "move-item": lambda store: move_items(store, [("notes", "a")], "fresh"),
}


def plan_of(name: str, store: MemoryStore) -> Change:
    return PLANS[name](store)


def recorder_of(store: MemoryStore) -> Recorder:
    """Beside the store, with room for few texts."""
    return Recorder(store, store.root.parent / f"{store.root.name}-histories", most_bytes=1)


def update_witnessed(store: MemoryStore) -> None:
    store.witness = recorder_of(store)
    store.update("notes", "a", "changed\ntext")


def purge(store: MemoryStore) -> None:
    recorder_of(store).history.purge(lambda data: b"first" in data)


RECORDED: dict[str, Callable[[MemoryStore], object]] = {
    "update-witnessed": update_witnessed,
    "trim": lambda store: recorder_of(store).trim(),
    "purge": purge,
}


def carry_out(change: Change) -> Callable[[MemoryStore], object]:
    return lambda store: store.change(change.files, change.records)


class Fuse:
    """Counts calls once armed and ends the process behind the one that it was set to.

    A write counts twice: when half of its bytes are written, and when all are.
    """

    def __init__(self, calls: int) -> None:
        self.left = calls
        self.armed = False
        self.exit = os._exit

    def burn(self) -> None:
        self.left -= 1
        if self.left == 0:
            self.exit(9)

    def wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            if not self.armed:
                return function(*args, **kwargs)
            if name == "write" and self.left == 1:
                function(args[0], bytes(args[1])[: len(args[1]) // 2])
            if name == "write":
                self.burn()
            try:
                return function(*args, **kwargs)
            finally:
                self.burn()

        return call


def main() -> None:
    root, write, calls = sys.argv[1:]
    take_case_away(os.environ.get(VARIABLE, "minded"), setattr)
    store = MemoryStore(Path(root))
    store.items()
    if write == "finish":
        act: Callable[[MemoryStore], object] = finish_intents
    else:
        act = {**WRITES, **RECORDED}.get(write) or carry_out(plan_of(write, store))
    fuse = Fuse(int(calls))
    for name in CALLS:
        if hasattr(os, name):
            setattr(os, name, fuse.wrap(name, getattr(os, name)))
    atomic.exchange = fuse.wrap("exchange", atomic.exchange)
    opened = fuse.wrap("open", io.open)
    builtins.open = io.open = opened
    fuse.armed = True
    act(store)
    fuse.armed = False
    sys.stdout.write(str(int(calls) - fuse.left))


if __name__ == "__main__":
    main()
