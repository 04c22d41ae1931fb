"""Bringing texts to the disk: on a wish or by itself, and what stands in the way."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from wikimem_desktop.engine.errors import Conflict, OutsideStore, WikimemError
from wikimem_desktop.engine.store import MemoryStore

from .buffer import Buffer, Version
from .document import Documents
from .library import Library
from .notices import Action, Level, Notices
from .words import error_text
from .writer import CopyRequest, Request, SaveFileRequest, SaveRequest, TextRequest, Writer

_AUTOSAVE_MS = 1500


class Saver(QObject):
    """Saves what is open. A text that can't be saved stays in its buffer.

    Signals:
        saved: the address of an item that is now on disk as written.
        failed: the address of an item that could not be written.
        refused: the current text can't be saved before the person decides something about it.
        copy_wanted: the person wants the text of a Buffer as a file of its own; `save_copy` writes it.
        outside_wanted: a save would write to this path outside the store; `answer_outside` tells.
    """

    saved = Signal(str)
    failed = Signal(str)
    refused = Signal()
    copy_wanted = Signal(object)
    outside_wanted = Signal(str)

    def __init__(self, documents: Documents, library: Library, writer: Writer, notices: Notices) -> None:
        super().__init__()
        self._documents = documents
        self._library = library
        self._writer = writer
        self._notices = notices
        self._outside: list[Buffer] = []
        self._autosaves = False
        self._pause = QTimer(self, singleShot=True, interval=_AUTOSAVE_MS)
        self._pause.timeout.connect(self._on_pause)
        documents.unsaved_changed.connect(self._on_unsaved_changed)
        library.store_changed.connect(self.stop)
        writer.done.connect(self._on_done)
        writer.failed.connect(self._on_failed)

    @Slot()
    def stop(self) -> None:
        """Forget what was about to be saved: another store, or the end."""
        self._pause.stop()
        self._outside = []

    @Slot()
    def save(self) -> None:
        """Write the current text."""
        self._documents.leaving.emit()
        if self._documents.current is not None and self._documents.current.dirty:
            self._save(self._documents.current)

    @Slot()
    def save_all(self) -> None:
        self._documents.leaving.emit()
        for buffer in self._documents.buffers:
            self._save(buffer)

    @property
    def busy(self) -> bool:
        """Whether a text is on its way to the disk, or waits for an answer."""
        return bool(self._outside) or any(buffer.saving for buffer in self._documents.buffers)

    def _save(self, buffer: Buffer) -> None:
        store = self._library.store
        if store is None or buffer.base is None:
            return
        if buffer.conflict is not None or buffer.unstorable() is not None:
            self._documents.open(buffer.place)
            self.refused.emit()
            self.failed.emit(buffer.place.address)
        elif buffer.saving is not None:
            buffer.save_again = True
        else:
            request = _request(store, buffer, buffer.base)
            buffer.saving = request
            self._writer.submit(request)

    @Slot()
    def _on_pause(self) -> None:
        for buffer in self._documents.buffers:
            if buffer.conflict is None and buffer.unstorable() is None and not self._documents.read_only_store:
                self._save(buffer)

    def set_autosave(self, on: bool) -> None:
        """Whether every text is saved a moment after the last key, as far as it can be without asking."""
        self._autosaves = on
        if on:
            self._pause.start()
        else:
            self._pause.stop()

    def keep_mine(self) -> None:
        """Resolve the conflict: my text is to replace theirs, which I have seen."""
        if self._documents.keep_mine() and self._documents.current is not None:
            self._save(self._documents.current)

    @Slot(object, object)
    def _on_done(self, request: Request, version: object) -> None:
        if not isinstance(request, TextRequest) or request.store is not self._library.store:
            return
        assert isinstance(version, Version)
        buffer = self._documents.waiting_for(request)
        if buffer is not None:
            again, buffer.saving, buffer.save_again = buffer.save_again, None, False
            buffer.rebase(request.base_after(version))
            self._documents.note(buffer)
            self._documents.follow([buffer])
            if again and buffer.dirty:
                self._save(buffer)
        self._notices.clear("save")
        self.saved.emit(request.place.address)
        self._documents.unsaved_changed.emit()
        self._library.refresh()

    @Slot(object, object)
    def _on_failed(self, request: Request, error: WikimemError) -> None:
        if isinstance(request, CopyRequest):
            self._notices.post(Level.ERROR, error_text(error), "copy", str(error))
        if not isinstance(request, TextRequest) or request.store is not self._library.store:
            return
        address = request.place.address
        buffer = self._documents.waiting_for(request)
        if buffer is not None:
            buffer.saving, buffer.save_again = None, False
            if isinstance(error, OutsideStore):
                self._outside.append(buffer)
                if len(self._outside) == 1:
                    self.outside_wanted.emit(str(error.target))
                return
            self._documents.follow([buffer])
            self._documents.note(buffer)
            if isinstance(error, Conflict) and buffer.conflict is None and buffer.base != request.base:
                # Others wrote the same text, or changed only what is not part of it.
                if buffer.dirty:
                    self._save(buffer)
                else:
                    self.saved.emit(address)
                return
            if buffer.conflict is not None and buffer is self._documents.current:
                self.refused.emit()
        if buffer is None or buffer.conflict is None:
            self._notices.post(Level.ERROR, error_text(error), "save", str(error), self._ways_out(buffer))
        self.failed.emit(address)
        self._library.refresh()

    def _ways_out(self, buffer: Buffer | None) -> tuple[Action, ...]:
        """What can be done with a text that could not be written."""
        if buffer is None:
            return ()
        return (
            Action(self.tr("Retry"), partial(self._save, buffer)),
            Action(self.tr("Save a copy…"), partial(self.copy_wanted.emit, buffer)),
        )

    def save_copy(self, buffer: Buffer, path: Path) -> None:
        """Write the text as a file of its own, wherever the person wants it."""
        self._writer.submit(CopyRequest(path, buffer.text))

    def answer_outside(self, *, agreed: bool) -> None:
        """Whether the person lets the symlinked file that `outside_wanted` named be written."""
        store, buffer = self._library.store, self._outside.pop(0)
        if store is None:
            return
        if agreed:
            store.allow_outside(store.path(buffer.place.key))
            self._save(buffer)
        else:
            self._documents.note(buffer)
            self.failed.emit(buffer.place.address)
        if self._outside:
            self.outside_wanted.emit(str(store.path(self._outside[0].place.key).resolve()))

    @Slot()
    def _on_unsaved_changed(self) -> None:
        if self._autosaves:
            self._pause.start()


def _request(store: MemoryStore, buffer: Buffer, base: Version) -> TextRequest:
    if buffer.place.whole:
        return SaveFileRequest(store, buffer.place, base, buffer.text)
    return SaveRequest(store, buffer.place, base, buffer.text, dict(buffer.pending))
