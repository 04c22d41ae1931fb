"""Writing a change of several files all or nothing, even if the program dies between any two file operations.

An intent file in the store's root says beforehand what is to be done; it is locked while its writer lives and goes when
all is written. One that is left over is carried out when the store is opened for writing the next time.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, NamedTuple

from .atomic import finish_respelling, is_spelled, read_or_none, remove_file, sync_folder, write_all
from .changes import Change, FileChange, Record, folded
from .errors import Conflict, InvalidCategory, JournalFailed, OutsideStore, StoreError, UnreadableFile, WriteFailed
from .journal import now_iso
from .locks import lock

if TYPE_CHECKING:
    from .store import MemoryStore

_NAME = ".wikimem.intent-{}.tmp"
"""No temporary file like others: those are swept."""
_UNDO = b"undo\n"
_WRITE_ATTEMPTS = 50
_OBSTACLES = (Conflict, UnreadableFile, OutsideStore, InvalidCategory)
"""What keeps a single file from being written, now and at any later start."""


class _Act(NamedTuple):
    """What becomes of one file: two names tell that it stays itself and is called otherwise.

    That is the removal of one file and the birth of another in a `Change`; but many systems take names that differ in
    case only for the same, and a link leads where it led.
    """

    old: str
    new: str
    change: FileChange

    @property
    def files(self) -> dict[str, FileChange]:
        if self.old == self.new:
            return {self.new: self.change}
        return {self.old: FileChange(self.change.base, None), self.new: FileChange(None, self.change.new)}

    def reversed(self) -> _Act:
        return _Act(self.new, self.old, self.change.reversed())

    def onto(self, store: MemoryStore) -> tuple[str, _Act]:
        """The name that the file has now, and what the act comes to for what it holds. Raises `Conflict`."""
        here = self.old
        if self.old != self.new:
            is_old, is_new = (is_spelled(store.path(name)) for name in (self.old, self.new))
            if is_old and is_new:
                raise Conflict(None, None, "", category=self.new)
            if is_new or (not is_old and finish_respelling(store.path(self.new))):
                here = self.new
        change = self.change.onto(read_or_none(store.path(here)), here)
        return here, self._replace(change=change)


class _Intent(NamedTuple):
    """What an intent file says. `undo`: its writer met an obstacle and was about to put back what was written."""

    files: dict[str, FileChange]
    records: tuple[Record, ...]
    ts: str
    undo: bool = False

    def to_bytes(self) -> bytes:
        files = {category: [_text(change.base), _text(change.new)] for category, change in self.files.items()}
        content = {"files": files, "records": self.records, "ts": self.ts}
        return json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogateescape") + b"\n"

    @classmethod
    def from_bytes(cls, data: bytes) -> _Intent | None:
        """None for a torn one. Raises `ValueError` and the like for what none of ours has written."""
        content, end, more = data.partition(b"\n")
        if not end:
            return None
        fields = json.loads(content.decode("utf-8", "surrogateescape"))
        files = {category: FileChange(*map(_bytes, texts)) for category, texts in fields["files"].items()}
        return cls(files, tuple(Record(*record) for record in fields["records"]), fields["ts"], bool(more))


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode("utf-8", "surrogateescape")


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode("utf-8", "surrogateescape")


class _IntentFile:
    """The file on disk while a change is under way. One that is closed unsettled stays for the next start."""

    def __init__(self, root: Path, intent: _Intent) -> None:
        self.settled = True
        try:
            root.mkdir(parents=True, exist_ok=True)
            self._path, self._descriptor = _create_locked(root)
        except OSError as error:
            raise WriteFailed(root / _NAME.format("new"), error.strerror or str(error)) from error
        try:
            self._append(intent.to_bytes())
            sync_folder(root)
        except OSError as error:
            self.close()
            raise WriteFailed(self._path, error.strerror or str(error)) from error

    def turn_back(self) -> None:
        with contextlib.suppress(OSError):  # what caused the retreat, a full disk say, may prevent this too
            self._append(_UNDO)

    def close(self) -> None:
        if self.settled:
            with contextlib.suppress(OSError):
                os.ftruncate(self._descriptor, 0)  # an empty one means nothing, should it not go
        os.close(self._descriptor)
        if self.settled:
            with contextlib.suppress(OSError):
                self._path.unlink()

    def _append(self, data: bytes) -> None:
        write_all(self._descriptor, data)
        os.fsync(self._descriptor)


def apply_change(
    store: MemoryStore, edits: Mapping[str, FileChange], records: Sequence[Record], discard: Callable[[Path], None]
) -> Change:
    """What `MemoryStore.change` does."""
    planned: list[_Act] = []
    _keep_modes(store, edits)
    for act in _acts(store, edits):
        _check_writable(store, act)
        here, act = act.onto(store)
        if act.change.base != act.change.new or here != act.new:
            planned.append(act)
    if not planned:
        return Change()
    intent = _Intent(_files(planned), tuple(records), now_iso())
    file = _IntentFile(store.root, intent) if len(intent.files) > 1 else None
    with contextlib.closing(file) if file else contextlib.nullcontext():
        put = [_put(store, planned[0], discard)] if file is None else _put_all(store, planned, file)
        done = Change(_files(put), intent.records)
        _write_records(store, done, _entries(store, done.records, intent.ts))
    return done


def finish_intents(store: MemoryStore) -> list[Change]:
    """Carry out what a program that died has left half done, and return the changes that are whole now.

    Files that someone wrote to since are merged; where one can't be, it is left alone and the change undone in the
    others. Changes whose writer still lives are left to it. Raises `WriteFailed`; the next call tries again then.
    """
    if store.read_only:
        return []
    finished = (_finish(store, path) for path in sorted(store.root.glob(_NAME.format("*"))))
    return [change for change in finished if change is not None]


def _finish(store: MemoryStore, path: Path) -> Change | None:
    try:
        with path.open("r+b") as file:
            if not lock(file.fileno()):
                return None
            try:
                intent = _Intent.from_bytes(file.read())
            except (AttributeError, LookupError, TypeError, ValueError):  # none of ours
                return None
            change = _carry_out(store, intent) if intent else None
            file.truncate(0)
        path.unlink(missing_ok=True)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise WriteFailed(path, error.strerror or str(error)) from error
    return change


def _carry_out(store: MemoryStore, intent: _Intent) -> Change | None:
    """Write what is missing; or, where someone wrote to a file since so that both can't stand, put back all others."""
    _keep_modes(store, intent.files)
    files = None if intent.undo else _write_missing(store, intent)
    if files is not None:
        change = Change(files, intent.records)
        _write_records(store, change, _missing_entries(store, intent))
        return change
    for act in reversed(_acts(store, intent.files)):
        with contextlib.suppress(*_OBSTACLES):
            _check_writable(store, act)
            _put(store, act.reversed())
    return None


def _write_missing(store: MemoryStore, intent: _Intent) -> dict[str, FileChange] | None:
    """All files brought to their new state, or None when one can't be."""
    files = dict(intent.files)
    try:
        for act in _acts(store, files):
            _check_writable(store, act)
            written = _put(store, act)
            if written.change.base != written.change.new:
                files |= written.files
    except _OBSTACLES:
        return None
    return files


def _missing_entries(store: MemoryStore, intent: _Intent) -> list[dict[str, str]]:
    missing = _entries(store, intent.records, intent.ts)
    try:
        written = store.journal.entries()
    except UnreadableFile as error:
        raise JournalFailed(error.path, error.reason) from error
    for entry in written:
        if entry.get("ts") == intent.ts and entry in missing:
            missing.remove(entry)
    return missing


def _put_all(store: MemoryStore, planned: Sequence[_Act], file: _IntentFile) -> list[_Act]:
    """Write all files or, when one can't be written, none."""
    done: list[_Act] = []
    try:
        for act in planned:
            file.settled = False
            done.append(_put(store, act))
    except (StoreError, OSError):
        if done:
            file.turn_back()
        for act in reversed(done):
            with contextlib.suppress(Conflict, UnreadableFile):
                _put(store, act.reversed())
        file.settled = True
        raise
    file.settled = True
    return done


def _put(store: MemoryStore, act: _Act, discard: Callable[[Path], None] = remove_file) -> _Act:
    """Write one file, on top of what others wrote meanwhile. Returns what that came to."""
    for _ in range(_WRITE_ATTEMPTS):
        here, act = act.onto(store)
        base, new = act.change
        if base != new and not store.replace(here, base, new, discard=discard):
            continue
        if here != act.new:
            try:
                store.respell(here, act.new)
            except WriteFailed:
                store.replace(here, new, base)
                raise
        return act
    raise WriteFailed(store.path(act.old), "another program keeps changing it")


def _acts(store: MemoryStore, files: Mapping[str, FileChange]) -> list[_Act]:
    """In their order, removals last: a text is at its new place before it leaves the old one."""
    went = {folded(key): key for key, change in files.items() if change.new is None}
    old_names = {key: went.get(folded(key), key) for key, change in files.items() if change.base is None}
    moved = _moved(files)
    if moved is not None and any(store.path(key).is_symlink() for key in moved):
        old_names[moved[1]] = moved[0]
    respelled = {old for new, old in old_names.items() if old != new}
    acts = []
    for key, change in files.items():
        old = old_names.get(key, key)
        if old != key:
            acts.append(_Act(old, key, FileChange(files[old].base, change.new)))
        elif key not in respelled:
            acts.append(_Act(key, key, change))
    return sorted(acts, key=lambda act: act.change.new is None)


def _moved(files: Mapping[str, FileChange]) -> tuple[str, str] | None:
    """The names of the only file that goes and of the only one that comes."""
    went = [key for key, change in files.items() if change.new is None]
    came = [key for key, change in files.items() if change.base is None]
    return (went[0], came[0]) if len(went) == len(came) == 1 else None


def _keep_modes(store: MemoryStore, files: Mapping[str, FileChange]) -> None:
    """Who may read a file may read what becomes of it, and nobody else."""
    moved = _moved(files)
    if moved is not None:
        store.forms.keep(store.path(moved[0]), moved[1])


def _files(acts: Iterable[_Act]) -> dict[str, FileChange]:
    return {key: change for act in acts for key, change in act.files.items()}


def _check_writable(store: MemoryStore, act: _Act) -> None:
    for key in {act.old, act.new}:
        store.check_writable(key)


def _entries(store: MemoryStore, records: Sequence[Record], ts: str) -> list[dict[str, str]]:
    return [record.entry(store.layout.category_key, ts) for record in records if record.action]


def _write_records(store: MemoryStore, done: Change, entries: Sequence[Mapping[str, str]]) -> None:
    try:
        store.journal.append_all(entries)
    except WriteFailed as error:
        failed = JournalFailed(error.path, error.reason)
        failed.change = done
        raise failed from error


def _create_locked(root: Path) -> tuple[Path, int]:
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    while True:
        path = root / _NAME.format(token_hex(6))
        descriptor = os.open(path, flags, 0o600)
        if lock(descriptor) and path.exists():
            return path, descriptor
        os.close(descriptor)  # another program took the empty file for a torn one
