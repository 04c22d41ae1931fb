"""The worker that writes: one thread, one queue, so that the GUI thread never waits for a disk."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from wikimem_desktop.engine.atomic import replace_file
from wikimem_desktop.engine.changes import Change, rewritten_file
from wikimem_desktop.engine.document import Document
from wikimem_desktop.engine.errors import JournalFailed, WikimemError, WriteFailed
from wikimem_desktop.engine.store import MemoryStore
from wikimem_desktop.presentation.buffer import Place, Version


class Request(ABC):
    """Something to write. `perform` runs on the writer's thread."""

    @abstractmethod
    def perform(self) -> object:
        """Write; what comes of it. Raises `WikimemError`; `JournalFailed` after the memory itself was written."""

    @property
    @abstractmethod
    def path(self) -> Path:
        """What could not be written, for errors of the system that name nothing."""

    def written(self, error: JournalFailed) -> object:
        """What came of it although the journal failed."""
        raise error


@dataclass(frozen=True, slots=True, eq=False)
class TextRequest(Request):
    """Write `text` to a place that was read as `base`; gives the `Version` that is there then."""

    store: MemoryStore
    place: Place
    base: Version
    text: str

    @property
    def path(self) -> Path:
        return self.store.path(self.place.key)

    def base_after(self, written: Version) -> Version:
        """What the text in the editor is based on, now that this was written."""
        return written


@dataclass(frozen=True, slots=True, eq=False)
class SaveRequest(TextRequest):
    """Write the text of an item, and the `fields` that changed."""

    fields: Mapping[str, str | None] = field(default_factory=dict)

    def perform(self) -> Version:
        item = self.base.item
        document = self.store.update(
            item.category, item.name, self.text, base=item, own_text=self.base.text, fields=self.fields
        )
        return self._version(document)

    def written(self, error: JournalFailed) -> Version:
        assert error.document is not None
        return self._version(error.document)

    def _version(self, document: Document) -> Version:
        version = Version.of(document, self.base.item.category, self.base.item.name)
        assert version is not None  # what was just written is there
        return version


@dataclass(frozen=True, slots=True, eq=False)
class SaveFileRequest(TextRequest):
    """Write a whole file, merged section by section with what others wrote meanwhile."""

    def perform(self) -> Version:
        change = rewritten_file(self.place.key, self.base.text.encode(), self.text.encode())
        return self._version(self.store.change(change.files, change.records))

    def base_after(self, written: Version) -> Version:
        """What was sent: others' changes, which were merged, are not in the editor yet."""
        return Version.of_file(Document(self.text), self.place.category)

    def written(self, error: JournalFailed) -> Version:
        return self._version(error.change)

    def _version(self, done: Change | None) -> Version:
        file = done.files.get(self.place.key) if done else None
        if file is None:  # it stood there already, whatever others wrote beside it
            return Version.of_file(self.store.document(self.place.key), self.place.category)
        return Version.of_file(Document.from_bytes(file.new or b""), self.place.category)


@dataclass(frozen=True, slots=True, eq=False)
class CopyRequest(Request):
    """Write a text as a file of its own, outside of everything."""

    target: Path
    text: str

    @property
    def path(self) -> Path:
        return self.target

    def perform(self) -> None:
        replace_file(self.target, self.text.encode("utf-8", "surrogatepass"), lambda: True)


class Writer(QObject):
    """Signals:
    done: the Request, and what `perform` gave.
    failed: the Request, the WikimemError (a Conflict, a WriteFailed …). Nothing was written unless it is a
        JournalFailed, which comes behind `done`.
    """

    done = Signal(object, object)
    failed = Signal(object, object)
    _requested = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._requested.connect(self._on_requested)

    def submit(self, request: Request) -> None:
        """Called on the GUI thread."""
        self._requested.emit(request)

    @Slot(object)
    def _on_requested(self, request: Request) -> None:
        try:
            self.done.emit(request, request.perform())
        except JournalFailed as error:
            self.done.emit(request, request.written(error))
            self.failed.emit(request, error)
        except WikimemError as error:
            self.failed.emit(request, error)
        except (OSError, RuntimeError) as error:  # RuntimeError: Path.resolve in a loop of symlinks
            self.failed.emit(request, WriteFailed(request.path, str(error)))
        except Exception as error:  # a mistake of ours: whoever asked must not wait for ever
            self.failed.emit(request, WriteFailed(request.path, repr(error)))
            raise
