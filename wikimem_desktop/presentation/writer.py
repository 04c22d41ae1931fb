"""The worker that writes to the store: one thread, one queue, so that the GUI thread never waits for a disk."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from wikimem_desktop.engine.errors import JournalFailed, WikimemError, WriteFailed
from wikimem_desktop.engine.items import MemoryItem
from wikimem_desktop.engine.store import MemoryStore


@dataclass(frozen=True, slots=True)
class SaveRequest:
    """Write `text` as the content of an item that was read as `base`."""

    store: MemoryStore
    base: MemoryItem
    text: str


class Writer(QObject):
    """Signals:
    saved: the SaveRequest, the MemoryItem as it is on disk now.
    failed: the SaveRequest, the WikimemError (a Conflict, a WriteFailed …); nothing was written.
    """

    saved = Signal(object, object)
    failed = Signal(object, object)
    _requested = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._requested.connect(self._on_requested)

    def save(self, request: SaveRequest) -> None:
        """Called on the GUI thread."""
        self._requested.emit(request)

    @Slot(object)
    def _on_requested(self, request: SaveRequest) -> None:
        base = request.base
        try:
            item = request.store.update(base.category, base.name, request.text, base=base)
        except JournalFailed as error:
            item_on_disk = request.store.get(base.category, base.name)
            self.saved.emit(request, item_on_disk or base)
            self.failed.emit(request, error)
        except WikimemError as error:
            self.failed.emit(request, error)
        except (OSError, RuntimeError) as error:  # RuntimeError: Path.resolve in a loop of symlinks
            self.failed.emit(request, WriteFailed(request.store.path(base.category), str(error)))
        else:
            self.saved.emit(request, item)
