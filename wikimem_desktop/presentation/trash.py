"""Deleting a file as a person expects it: into the system's trash."""

from __future__ import annotations

import logging
from pathlib import Path

from send2trash import send2trash

from wikimem_desktop.engine.atomic import remove_file, sync_folder

_log = logging.getLogger(__name__)


def into_trash(path: Path) -> None:
    """Move the file into the trash; where there is none (some network folders), it is removed. Raises `WriteFailed`."""
    try:
        send2trash(path)
        sync_folder(path.parent)
    except OSError as error:  # TrashPermissionError is one
        _log.info("%s can't go into the trash: %s", path, error)
        remove_file(path)
