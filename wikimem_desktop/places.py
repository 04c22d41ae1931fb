"""Where things live: resources in a checkout, a wheel or a frozen build, and the person's own files. No Qt."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import platformdirs

PROFILE_VARIABLE = "WIKIMEM_DESKTOP_PROFILE"
"""Environment variable: a folder that holds all of the person's files instead (tests, a portable copy)."""


@dataclass(frozen=True, slots=True)
class Places:
    """Folders of the person's own files; made when first written to."""

    config: Path
    data: Path
    log: Path
    cache: Path

    def make_private(self) -> None:
        """Drafts and history hold what memories say: nobody else on the machine reads them."""
        with contextlib.suppress(OSError):  # whoever writes there will say so
            self.data.mkdir(parents=True, exist_ok=True, mode=0o700)

    @property
    def settings_file(self) -> Path:
        return self.config / "settings.json"

    @property
    def state_file(self) -> Path:
        return self.config / "state.json"

    @property
    def sample_copy(self) -> Path:
        return self.data / "sample memory"

    @property
    def tokens(self) -> Path:
        return self.cache / "tokens"

    @property
    def history(self) -> Path:
        return self.data / "history"

    @property
    def drafts(self) -> Path:
        return self.data / "drafts"


def find_places() -> Places:
    profile = os.environ.get(PROFILE_VARIABLE)
    if profile:
        base = Path(profile)
        return Places(base / "config", base / "data", base / "log", base / "cache")
    name = "wikimem-desktop"
    return Places(
        platformdirs.user_config_path(name, appauthor=False),
        platformdirs.user_data_path(name, appauthor=False),
        platformdirs.user_log_path(name, appauthor=False),
        platformdirs.user_cache_path(name, appauthor=False),
    )


def resource(name: str) -> Path:
    """A file or folder of `resources/`."""
    return _shipped("resources") / name


def icon(name: str) -> Path:
    """A file of `icons/`."""
    return _shipped("icons") / name


def _shipped(folder: str) -> Path:
    package = Path(__file__).parent
    frozen = getattr(sys, "_MEIPASS", None)
    candidates = [Path(frozen) / folder] if frozen else [package.parent / folder, package / folder]
    return next((path for path in candidates if path.is_dir()), candidates[-1])


def folder_argument(text: str) -> Path:
    """An argument that names a folder; no name is refused, which `Path` would take for the current folder."""
    if not text:
        raise argparse.ArgumentTypeError("name a folder")
    return Path(text)
