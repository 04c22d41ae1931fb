"""What a file is besides its text: its permission bits, and whether it is a link. Both come back with it."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from .atomic import link_to, mode_of, read_or_none


class Forms:
    """Remembers, by category, what files were that went, or what others are like that are to come."""

    def __init__(self) -> None:
        self._modes: dict[str, int] = {}
        self._links: dict[str, str] = {}

    def keep(self, path: Path, category: str) -> None:
        """The file of the category, if one comes, has the permission bits that this file has now."""
        with contextlib.suppress(OSError):
            mode = mode_of(path)
            if mode is not None:
                self._modes[category] = mode

    def keep_link(self, path: Path, category: str) -> None:
        """It is the link that this file is now, if it is one."""
        if path.is_symlink():
            self._links[category] = os.readlink(path)

    def mode(self, category: str) -> int | None:
        return self._modes.get(category)

    def link_back(self, path: Path, category: str, data: bytes) -> bool:
        """Make the link anew that was there, if what it led to still says this. Raises `WriteFailed`."""
        link = self._links.get(category)
        if link is None or os.path.lexists(path) or read_or_none(path.parent / link) != data:
            return False
        link_to(path, link)
        return True
