"""Which history belongs to a store: known by the id that the store carries, by its path until it has one."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from pathlib import Path
from uuid import UUID, uuid4

from .atomic import read_or_none, replace_file
from .errors import UnreadableFile, WriteFailed
from .locks import alone

ID_FILE = ".wikimem-desktop/id"
"""Below a store's root: names the store wherever it is moved to."""
_HOME = "store"
"""In a history: the path of the store that it belongs to, by which a copy of the store is told from it."""
_LOCK = "lock"


def store_id(root: Path) -> str | None:
    """The id that a store carries, if it does."""
    try:
        return str(UUID((root / ID_FILE).read_text(encoding="ascii").strip()))
    except (OSError, ValueError):
        return None


def folder_of(histories: Path, root: Path) -> Path:
    """Where a store's history is. A copy carries the id of another store: it is known by its path."""
    known = store_id(root)
    if known is None or _is_copy(histories / known, root, known):
        return _by_path(histories, root)
    return histories / known


def has_own_id(histories: Path, root: Path) -> bool:
    """Whether the store carries an id, and no other store the same."""
    return folder_of(histories, root) != _by_path(histories, root)


def claim(histories: Path, root: Path) -> Path:
    """Give the store an id if it has none of its own; what was kept by its path goes along. Raises `WriteFailed`."""
    with alone(histories / _LOCK):
        if not has_own_id(histories, root):
            replace_file(root / ID_FILE, f"{uuid4()}\n".encode("ascii"))
    return settle(histories, root)


def settle(histories: Path, root: Path) -> Path:
    """Where a store's history is, with what was kept by its path before it had an id. Raises `WriteFailed`."""
    folder, before = folder_of(histories, root), _by_path(histories, root)
    if folder == before:
        return folder
    home = os.fsencode(root.resolve())
    try:
        if before.exists():
            with alone(histories / _LOCK):
                _take_over(before, folder)
        with contextlib.suppress(UnreadableFile):
            if read_or_none(folder / _HOME) != home:
                replace_file(folder / _HOME, home)
    except OSError as error:
        raise WriteFailed(folder, error.strerror or str(error)) from error
    return folder


def _by_path(histories: Path, root: Path) -> Path:
    return histories / f"path-{hashlib.sha256(os.fsencode(root.resolve())).hexdigest()[:32]}"


def _is_copy(folder: Path, root: Path, known: str) -> bool:
    """Whether the history belongs to a store that is elsewhere, and still there."""
    try:
        home = Path(os.fsdecode((folder / _HOME).read_bytes()))
        return store_id(home) == known and not home.samefile(root)
    except (OSError, ValueError):
        return False


def _take_over(before: Path, folder: Path) -> None:
    """Two windows may have kept what they saw in both."""
    if not folder.exists():
        before.rename(folder)
        return
    for path in list(before.rglob("*")):
        target = folder / path.relative_to(before)
        if path.is_dir():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".jsonl" and target.exists():
            with target.open("ab") as log:
                log.write(b"\n" + path.read_bytes())
        elif not target.exists():
            os.replace(path, target)
    shutil.rmtree(before)
