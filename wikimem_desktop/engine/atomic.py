"""Replacing a file so that a crash at any moment leaves the old one or the new one, whole."""

from __future__ import annotations

import contextlib
import ctypes
import os
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path
from secrets import token_hex

from .errors import UnreadableFile, WriteFailed

_TEMPORARY = ".wikimem-{}.tmp"
_RETRIES = 8
_SWAP = 2
"""RENAME_EXCHANGE of Linux, RENAME_SWAP of macOS."""
_FIRST_PAUSE = 0.02
"""Seconds; doubled each time: a virus scanner or sync client rarely holds a file longer than five seconds."""


def read_or_none(path: Path) -> bytes | None:
    """The file's bytes, or None when there is nothing. Raises `UnreadableFile` in words a person understands."""
    try:
        mode = os.stat(path).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise UnreadableFile(path, "a pipe, socket or device, not a file")  # reading it might never end
        return path.read_bytes()
    except FileNotFoundError as error:
        if path.is_symlink():
            raise UnreadableFile(path, "a link to a file that is not there") from error
        return None
    except OSError as error:
        reason = "a folder, not a file" if path.is_dir() else error.strerror or str(error)
        raise UnreadableFile(path, reason) from error


def replace_file(
    path: Path,
    data: bytes,
    still_current: Callable[[], bool] = lambda: True,
    *,
    old: bytes | None = None,
    mode: int | None = None,
) -> bool:
    """Write `data` to `path` durably and atomically, keeping its permission bits (`mode` are those of a new file).

    `still_current` is asked right before the replace; when it says no, nothing changes and False is returned. So it is
    when `old` is what is to be replaced, and something else was: the system may be able to tell in the same instant.
    Raises `WriteFailed`; whatever goes wrong, no temporary file stays and the old file is untouched.
    """
    temporary = path.with_name(_TEMPORARY.format(token_hex(6)))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        known = mode_of(path)
        _write_synced(temporary, data, mode if known is None else known)
        if not still_current():
            return False
        if old is not None and exchange(temporary, path):
            if _is_another(temporary, old):
                _give_back(temporary, path, data)
                return False
        else:
            _patiently(lambda: os.replace(temporary, path))
        sync_folder(path.parent)
    except OSError as error:
        raise WriteFailed(path, error.strerror or str(error)) from error
    finally:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
    return True


def remove_file(path: Path) -> None:
    """Delete the file durably. Raises `WriteFailed`."""
    try:
        _patiently(lambda: os.unlink(path))
        sync_folder(path.parent)
    except FileNotFoundError:
        return
    except OSError as error:
        raise WriteFailed(path, error.strerror or str(error)) from error


def is_read_only(path: Path) -> bool:
    """Whether a person keeps the file, or its folder, from being written, although a replace may be possible."""
    try:
        return not os.stat(path).st_mode & 0o222 or not os.access(path.parent, os.W_OK)
    except OSError:
        return False


def is_spelled(path: Path) -> bool:
    """Whether there is a file of exactly that name: some systems find it by a name in other case, too."""
    try:
        return path.name in os.listdir(path.parent)
    except OSError:
        return False


def respell(old: Path, new: Path) -> None:
    """Give a file another name, durably, also in case only. Raises `WriteFailed`: it has its old name then."""
    aside = _aside(new)
    try:
        _patiently(lambda: os.replace(old, new))
        if not is_spelled(new):  # the system takes both names for one, and a rename to itself for nothing to do
            os.replace(old, aside)
            try:
                os.replace(aside, new)
            except OSError:
                os.replace(aside, old)
                raise
        sync_folder(new.parent)
    except OSError as error:
        raise WriteFailed(old, error.strerror or str(error)) from error


def link_to(path: Path, target: str) -> None:
    """A symlink where nothing is. Raises `WriteFailed`."""
    try:
        os.symlink(target, path)
        sync_folder(path.parent)
    except OSError as error:
        raise WriteFailed(path, error.strerror or str(error)) from error


def finish_respelling(new: Path) -> bool:
    """Bring a file to its place that a crash left between its two names. False: there is none. Raises `WriteFailed`."""
    if not _aside(new).exists():
        return False
    try:
        os.replace(_aside(new), new)
        sync_folder(new.parent)
    except OSError as error:
        raise WriteFailed(new, error.strerror or str(error)) from error
    return True


def _aside(path: Path) -> Path:
    """No temporary file like others: those are swept."""
    return path.with_name(f".wikimem.{path.name}.tmp")


def append_line(path: Path, line: bytes) -> None:
    """Add one line to a log, giving its last line an end first if that was torn off. Raises `WriteFailed`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666)
        try:
            size = os.fstat(descriptor).st_size
            torn = size > 0 and os.lseek(descriptor, -1, os.SEEK_END) >= 0 and os.read(descriptor, 1) != b"\n"
            write_all(descriptor, (b"\n" if torn else b"") + line + b"\n")
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise WriteFailed(path, error.strerror or str(error)) from error


def sync_folder(folder: Path) -> None:
    """Make a rename in the folder durable where the system can (Windows can't open folders)."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def exchange(one: Path, other: Path) -> bool:
    """Let two files change places in one instant; False, and nothing changed, where the system can't."""
    try:
        libc = ctypes.CDLL(None)
        if sys.platform == "darwin":
            return bool(libc.renamex_np(os.fsencode(one), os.fsencode(other), _SWAP) == 0)
        here = -100  # AT_FDCWD
        return bool(libc.renameat2(here, os.fsencode(one), here, os.fsencode(other), _SWAP) == 0)
    except (AttributeError, OSError, TypeError):  # Windows, musl, an old system
        return False


def _is_another(replaced: Path, old: bytes) -> bool:
    """Whether something else was replaced than was to be; nothing: a file system that knows only plain renames."""
    try:
        return read_or_none(replaced) not in (old, None)
    except UnreadableFile:  # a folder, say
        return True


def _give_back(temporary: Path, path: Path, ours: bytes) -> None:
    """Another program was faster by a hair: its file goes back, unless a still newer one is there."""
    if exchange(temporary, path) and temporary.read_bytes() != ours:
        exchange(temporary, path)


def mode_of(path: Path) -> int | None:
    """The permission bits of a file, or None when there is none."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except FileNotFoundError:
        return None


def _write_synced(path: Path, data: bytes, mode: int | None) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags, 0o666 if mode is None else 0o600)
    try:
        write_all(descriptor, data)
        if mode is not None and hasattr(os, "fchmod"):
            os.fchmod(descriptor, mode)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_all(descriptor: int, data: bytes) -> None:
    """A disk that is nearly full takes a part and says so in the number only."""
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def _patiently(act: Callable[[], None]) -> None:
    """Retry while another program holds the file (Windows: access denied, sharing violation, lock violation)."""
    pause = _FIRST_PAUSE
    for attempt in range(_RETRIES):
        try:
            return act()
        except PermissionError:
            if attempt == _RETRIES - 1:
                raise
            time.sleep(pause)  # noqa: TID251 - nothing signals when the other program lets go
            pause *= 2
