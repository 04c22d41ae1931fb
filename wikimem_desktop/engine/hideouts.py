"""Where a text of a store may live that others see too: its files, its journal, the trash, repositories."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import unquote

from .atomic import read_or_none, remove_file, replace_file
from .byte_texts import rewritten
from .changes import Change, FileChange, Record, differences
from .diary import day_key, day_of
from .document import Document
from .edits import Edits
from .errors import NotUtf8, StoreError, UnreadableFile
from .forget import MARK, Sought, Trace
from .store import MemoryStore

_ATTEMPTS = 20
_MOST_BYTES = 200_000_000
"""Of a file that is no memory: what is larger is no text of a person."""
_VERSION_CONTROL = (".git", ".hg", ".svn", ".jj", ".bzr")


class StoreFiles:
    """The items and days of a store."""

    name = "memory"

    def __init__(self, store: MemoryStore) -> None:
        self._store = store

    def find(self, sought: Sought) -> list[Trace]:
        traces: list[Trace] = []
        for key, data in self._files():
            if sought.in_text(key):
                traces.append(Trace(f"{key}.md", obstacle="name"))
            if not sought.in_file(key, data):
                continue
            document = Document(data.decode("utf-8", "replace"))
            names = Counter(section.name for section in sought.sections(key, document))
            shown = day_of(key) or key
            traces += [Trace(f"{shown}:{name}", count) for name, count in names.items()] or [Trace(f"{key}.md")]
        return traces

    def _files(self) -> Iterator[tuple[str, bytes]]:
        keys = Edits(self._store).keys()
        for key in keys:
            with contextlib.suppress(UnreadableFile):
                data = read_or_none(self._store.path(key))
                if data is not None:
                    yield key, data

    def purge(self, sought: Sought) -> None:
        """File by file: what was begun is whole, and no intent file holds the texts of all."""
        refused: StoreError | None = None
        for key, data in self._files():
            if sought.in_file(key, data):
                try:
                    self._clean(key, sought)
                except StoreError as error:
                    refused = error
        if refused is not None:
            raise refused

    def _clean(self, key: str, sought: Sought) -> None:
        for _ in range(_ATTEMPTS):
            change = self._change(key, sought)
            if change is None:
                return
            self._store.change(change.files, change.records)

    def _change(self, key: str, sought: Sought) -> Change | None:
        path = self._store.path(key)
        data = read_or_none(path)
        if data is None or not sought.in_file(key, data):
            return None
        try:
            old = Document.from_bytes(data)
            cleaned = sought.cleaned(key, old)
        except NotUtf8:
            old = cleaned = Document("")
        if cleaned.text == old.text:
            new = rewritten(data, sought.redacted)
            return None if new is None else Change({key: FileChange(data, new)})
        gone = cleaned.only_title_left() and not path.is_symlink()
        records: list[Record] = []
        if day_of(key) is None:
            found = differences(old.items(key), cleaned.items(key))
            records = [_redacted_record(record, sought) for record in found]
        return Change({key: FileChange(data, None if gone else cleaned.to_bytes())}, records)


def _redacted_record(record: Record, sought: Sought) -> Record:
    named = (record.category, record.item) == sought.item
    owner, source = (value and sought.redacted(value) for value in (record.owner, record.source_conv))
    return Record(record.action, record.category, MARK if named else sought.redacted(record.item), owner, source)


class JsonLines:
    """A log of one JSON value a line that hosts or we append to: the journal."""

    def __init__(self, path: Path, name: str) -> None:
        self.name = name
        self._path = path

    def find(self, sought: Sought) -> list[Trace]:
        old = self._read() or b""
        count = sum(new != line for new, line in zip(_redacted_lines(old, sought), old.split(b"\n"), strict=True))
        return [Trace(self._path.name, count)] if count else []

    def purge(self, sought: Sought) -> None:
        for _ in range(_ATTEMPTS):
            old = self._read()
            new = b"\n".join(_redacted_lines(old or b"", sought))
            if old is None or new == old:
                return
            if replace_file(self._path, new, lambda old=old: self._read() == old, old=old):  # type: ignore[misc]
                return

    def _read(self) -> bytes | None:
        with contextlib.suppress(UnreadableFile):
            return read_or_none(self._path)
        return None


def _redacted_lines(data: bytes, sought: Sought) -> Iterator[bytes]:
    return (sought.of_line(number).redacted_line(line) for number, line in enumerate(data.split(b"\n")))


class LooseFiles:
    """Other files of a folder: text is taken out of them, and temporary ones of ours go."""

    def __init__(self, name: str, folder: Path, *, skip: Callable[[Path], bool] = lambda path: False) -> None:
        self.name = name
        self._folder = folder
        self._skip = skip

    def find(self, sought: Sought) -> list[Trace]:
        return [Trace(str(path.relative_to(self._folder))) for path, _ in self._files(sought)]

    def purge(self, sought: Sought) -> None:
        for path, data in self._files(sought):
            new = None if _is_temporary(path) else rewritten(data, sought.redacted)
            if new is not None:
                _overwrite(path, new)
            elif _is_temporary(path):
                remove_file(path)

    def _files(self, sought: Sought) -> Iterator[tuple[Path, bytes]]:
        for folder, folders, names in os.walk(self._folder):
            folders[:] = sorted(set(folders) - set(_VERSION_CONTROL))
            for path in (Path(folder, name) for name in sorted(names)):
                with contextlib.suppress(OSError, UnreadableFile):
                    if path.is_symlink() or self._skip(path) or path.stat().st_size > _MOST_BYTES:
                        continue
                    data = read_or_none(path) or b""
                    if sought.in_bytes(data):
                        yield path, data


class FileNames:
    """What files and folders of a store, and its own, are called: other programs know them by that."""

    name = "files"

    def __init__(self, store: MemoryStore) -> None:
        self._store = store

    def find(self, sought: Sought) -> list[Trace]:
        root = self._store.root
        found = [Trace(name, obstacle="file name") for name in self._names() if sought.in_text(Path(name).name)]
        return [*([Trace(root.name, obstacle="file name")] if sought.in_text(root.name) else []), *found]

    def _names(self) -> Iterator[str]:
        """But those that the layout gives, and of files that `StoreFiles` names."""
        given = {self._store.folder, self._store.diary.folder, self._store.journal.path}
        for folder, folders, names in os.walk(self._store.root):
            folders[:] = sorted(set(folders) - set(_VERSION_CONTROL))
            for path in (Path(folder, name) for name in sorted([*folders, *names])):
                if path not in given and not is_memory(self._store, path):
                    yield str(path.relative_to(self._store.root))

    def purge(self, sought: Sought) -> None:
        """Nothing: something else may lead there."""


def _is_temporary(path: Path) -> bool:
    return path.name.startswith(".wikimem") and path.name.endswith(".tmp")


def _overwrite(path: Path, data: bytes) -> None:
    """In place: a program may hold the file open to write on at its end."""
    with path.open("r+b") as file:
        file.write(data)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())


class Trash:
    """What was thrown away of a store, where the system's trash is folders that any program can read."""

    name = "trash"

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()

    def find(self, sought: Sought) -> list[Trace]:
        if sys.platform in ("win32", "darwin"):
            return [Trace("", 0, obstacle="trash")]
        return [Trace(entry.name) for entry, _ in self._entries(sought)]

    def purge(self, sought: Sought) -> None:
        for entry, info in self._entries(sought):
            shutil.rmtree(entry) if entry.is_dir() else remove_file(entry)
            remove_file(info)

    def _entries(self, sought: Sought) -> Iterator[tuple[Path, Path]]:
        """What came from the store, and its note of where from."""
        for trash in _trashes(self._root):
            for info in sorted((trash / "info").glob("*.trashinfo")):
                entry = trash / "files" / info.name.removesuffix(".trashinfo")
                origin = _origin(info, trash)
                if origin is None or not (origin.is_relative_to(self._root) or self._root.is_relative_to(origin)):
                    continue
                if sought.in_text(origin.name) or _is_in_tree(entry, origin, sought):
                    yield entry, info


def _trashes(root: Path) -> list[Path]:
    """The home's, and those of the disk that the store is on."""
    home = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "Trash"
    if not hasattr(os, "getuid"):
        return []
    top = next(folder for folder in (root, *root.parents) if folder == folder.parent or folder.is_mount())
    return [home, top / ".Trash" / str(os.getuid()), top / f".Trash-{os.getuid()}"]


def _origin(info: Path, trash: Path) -> Path | None:
    """Relative paths count from the top of the disk, for some programs from the folder that has the home's trash."""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        for line in info.read_text(encoding="utf-8").splitlines():
            if line.startswith("Path="):
                top = trash.parent.parent if trash.parent.name == ".Trash" else trash.parent
                return (top / unquote(line.removeprefix("Path="))).resolve()
    return None


def _is_in_tree(entry: Path, origin: Path, sought: Sought) -> bool:
    """Whether a file or folder that was thrown away holds it, or something in it is called so."""
    for path in [entry, *sorted(entry.rglob("*"))]:
        with contextlib.suppress(OSError, UnreadableFile):
            if path != entry and sought.in_text(path.name):
                return True
            key = origin.stem if path == entry else path.stem
            small = path.is_file() and path.stat().st_size <= _MOST_BYTES
            if small and sought.in_file(key, read_or_none(path) or b""):
                return True
    return False


class VersionControl:
    """Repositories that the store lies in: what was committed stays there."""

    name = "git"

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()

    def find(self, sought: Sought) -> list[Trace]:
        found = [folder / name for folder in (self._root, *self._root.parents) for name in _VERSION_CONTROL]
        return [Trace(str(path), 0, obstacle="git") for path in found if path.exists()]

    def purge(self, sought: Sought) -> None:
        """Nothing: other copies of the repository would bring it back, and its commits are not ours."""


def is_memory(store: MemoryStore, path: Path) -> bool:
    """Whether a file of a store's folder is one that `StoreFiles` and the journal answer for.

    In the diary's folder that is a day, and nothing in a layout that has none.
    """
    if path == store.journal.path:
        return True
    if path.suffix != ".md":
        return False
    day = store.layout.has_diary and day_of(day_key(path.stem)) is not None
    return path.parent == store.folder or (path.parent == store.diary.folder and day)
