"""Files that one program holds at a time; the system lets go of them when the program dies."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

_LOCKED_BYTE = 1 << 40
"""Behind any content: Windows keeps others from reading what is locked."""
_PATIENCE_S = 2.0
_PAUSE_S = 0.01


def lock(descriptor: int) -> bool:
    """Whether no living program holds the file; it is locked now until it is closed."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            os.lseek(descriptor, 0, os.SEEK_SET)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (errno.EACCES, errno.EAGAIN, errno.EDEADLK)  # no locks on this file system: no one's
    return True


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold a file that stands for what programs do one after the other.

    Whoever waits goes on after two seconds: a program that hangs keeps no other from its work. So does one that can't
    make the file; its own writes will say why.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        yield
        return
    try:
        end = time.monotonic() + _PATIENCE_S
        while not lock(descriptor) and time.monotonic() < end:
            time.sleep(_PAUSE_S)  # noqa: TID251 - nothing signals when the other program lets go
        yield
    finally:
        os.close(descriptor)
