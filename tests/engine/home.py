"""A store with everything that is kept beside it, to forget texts from."""

from __future__ import annotations

from pathlib import Path

from tests.engine.folders import fill
from tests.engine.test_versions import look
from wikimem_desktop.engine import MemoryStore
from wikimem_desktop.engine.forget import Found, Hideout, Sought, purge, search
from wikimem_desktop.engine.former_addresses import former_stays
from wikimem_desktop.engine.hideouts import (
    FileNames,
    JsonLines,
    LooseFiles,
    StoreFiles,
    Trash,
    VersionControl,
    is_memory,
)
from wikimem_desktop.engine.kept_texts import JsonFiles, KeptSteps, KeptVersions, OtherHistories, WordPacks
from wikimem_desktop.engine.recorder import Recorder
from wikimem_desktop.engine.review import Reviewer

SECRET = "Project Halcyon"
PEOPLE = "# people\n\n## ann\n\nleads project\nhalcyon now\n\n## bob\n\nsees [[people:ann]]\n"
FILES: dict[str, str | bytes] = {
    "wiki/people.md": PEOPLE,
    "wiki/work.md": "# work\r\n\r\n## copy\r\n\r\nProject Halcyon\r\n\r\n## other\r\n\r\nstays\r\n",
    "wiki/old.md": "# old\n\n## x\n\nProject Halcyon für Müller\n".encode("cp1252"),
    "diary/2026-07-10.md": "# d\n\n## 09:00\n\nabout Project Halcyon, again\n\n## 10:00\n\ny\n",
    "journal.jsonl": '{"file": "people", "item": "ann", "detail": "Project\\u0020Halcyon"}\nProject Halc',
    "notes.txt": "\ufeffPROJECT  HALCYON\n".encode("utf-16"),
}


class Home:
    """A store with everything that is kept beside it."""

    def __init__(self, folder: Path, files: dict[str, str | bytes] = FILES) -> None:
        self.folder = folder
        self.store = MemoryStore(fill(folder / "store", files))
        self.recorder = Recorder(self.store, folder / "histories")
        self.store.witness = self.recorder
        self.reviewer = Reviewer(self.recorder)
        look(self.recorder)
        self.reviewer.refresh()

    @property
    def hideouts(self) -> list[Hideout]:
        root = self.store.root
        return [
            StoreFiles(self.store),
            JsonLines(self.store.journal.path, "journal"),
            LooseFiles("files", root, skip=lambda path: is_memory(self.store, path)),
            FileNames(self.store),
            KeptVersions(self.recorder, self.reviewer),
            KeptSteps(self.recorder, "steps.jsonl"),
            OtherHistories(self.folder / "histories", self.recorder, "steps.jsonl"),
            JsonFiles("drafts", self.folder / "drafts", self.folder / "drafts" / "store"),
            WordPacks(self.folder / "tokens", self.store),
            Trash(root),
            VersionControl(root),
        ]

    def sought(self, text: str = "", item: tuple[str, str] | None = None) -> Sought:
        return Sought(text, item, former_stays(self.store, item) if item else ())

    def find(self, text: str = "", item: tuple[str, str] | None = None) -> dict[str, list[tuple[str, int]]]:
        found: dict[str, list[tuple[str, int]]] = {}
        for hideout, trace in search(self.hideouts, self.sought(text, item)):
            found.setdefault(hideout, []).append((trace.where, trace.times))
        return found

    def forget(self, text: str = "", item: tuple[str, str] | None = None) -> list[Found]:
        sought = self.sought(text, item)
        assert purge(self.hideouts, sought) == []
        return search(self.hideouts, sought)
