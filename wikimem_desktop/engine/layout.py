"""Where the parts of a store lie on disk: hosts of three generations write three layouts."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

DIARY_FOLDER = "diary"
JOURNAL_FILE = "journal.jsonl"


@dataclass(frozen=True, slots=True)
class Layout:
    """One generation's folders and key names."""

    name: str
    """"flat", "category" or "wiki"."""
    folder: str
    """Folder of the category files below the root ("" = the root itself)."""
    category_key: str
    """What journal and vector key lines call the category."""
    has_diary: bool

    def category_folder(self, root: Path) -> Path:
        return root / self.folder

    def diary_folder(self, root: Path) -> Path:
        return root / DIARY_FOLDER


FLAT = Layout("flat", "", "category", has_diary=False)
CATEGORY = Layout("category", "category", "category", has_diary=True)
WIKI = Layout("wiki", "wiki", "file", has_diary=True)
LAYOUTS = {layout.name: layout for layout in (FLAT, CATEGORY, WIKI)}
SUBFOLDERS = (CATEGORY.folder, WIKI.folder, DIARY_FOLDER)
"""The folders below a root that hold what any layout reads; nothing lies deeper."""


def detect_layout(root: Path) -> Layout:
    """The layout that the folder's own contents show; flat when nothing speaks for another."""
    if (root / WIKI.folder).is_dir():
        return WIKI
    if (root / CATEGORY.folder).is_dir():
        return CATEGORY
    only_diary = (root / DIARY_FOLDER).is_dir() and not any(root.glob("*.md"))
    return WIKI if only_diary or _journal_names_files(root / JOURNAL_FILE) else FLAT


def _journal_names_files(path: Path) -> bool:
    try:
        with path.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                try:
                    entry = json.loads(line)
                except (ValueError, RecursionError):
                    continue
                if isinstance(entry, dict) and ("file" in entry or "category" in entry):
                    return "file" in entry
    except OSError:
        pass
    return False
