"""How open texts meet the disk: what others wrote is taken in, or is a disagreement that the person settles."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from PySide6.QtCore import Signal, Slot

from wikimem_desktop.engine.document import Document
from wikimem_desktop.engine.errors import UnreadableFile
from wikimem_desktop.engine.store import CategoryFile, MemoryStore

from .buffer import Buffer, Disagreement, Version
from .library import Library
from .opening import can_be_edited, read_document, read_only, read_version, version_in
from .shelf import Shelf


class FollowingTexts(Shelf):
    """Signals:
    leaving: the current text is about to be left or saved; what is being composed must be committed now.
    text_replaced: the current text was replaced from outside the editor (by the disk, or by a decision).
    followed: the current text, which was clean, was replaced because the disk changed.
    """

    leaving = Signal()
    text_replaced = Signal()
    followed = Signal()

    def __init__(self, library: Library) -> None:
        super().__init__(library)
        self._seen: dict[str, CategoryFile | None] = {}
        """The indexed files that the buffers were last compared with."""
        library.snapshot_changed.connect(self._on_snapshot_changed)

    @Slot()
    def _on_snapshot_changed(self) -> None:
        snapshot = self._library.snapshot
        assert snapshot is not None
        files = {file.category: file for file in snapshot.files}
        categories = {place.category for place in self._kept}
        changed = {c for c in categories if c not in self._seen or self._seen[c] is not files.get(c)}
        self._seen = {category: files.get(category) for category in categories}
        kept = list(self._kept.values())
        self.follow(b for b in kept if b.place.category in changed or b.place.kind not in ("item", "text"))

    def follow(self, buffers: Iterable[Buffer]) -> None:
        """Compare the buffers with the disk as it is now."""
        store = self._library.store
        assert store is not None
        documents: dict[str, Document | None] = {}
        unreadable: set[str] = set()
        for buffer in buffers:
            key = buffer.place.key
            if self._is_held(buffer.place):
                continue
            if not buffer.editable:
                self._follow_read_only(store, buffer)
                continue
            if key not in documents:
                try:
                    documents[key] = read_document(store, key)
                except UnreadableFile:
                    documents[key] = None
                    unreadable.add(key)
            if key not in unreadable and buffer.saving is None:
                self._meet(buffer, version_in(documents[key], buffer.place))

    def _follow_read_only(self, store: MemoryStore, buffer: Buffer) -> None:
        place, shown = buffer.place, read_only(store, buffer.place)
        by_hand = can_be_edited(place) and read_version(store, place) is not None
        if by_hand or (place.kind == "file" and self._library.can_be_read(place.category)):
            self._forget(buffer)
        elif shown is not None and (shown.text, shown.foreign) != (buffer.text, buffer.foreign):
            buffer.show(*shown)
            if buffer is self.current:
                self.text_replaced.emit()

    def _meet(self, buffer: Buffer, theirs: Version | None) -> None:
        """What becomes of the buffer now that the item, or file, is so on disk."""
        base = buffer.base
        assert base is not None
        if theirs == base:
            if buffer.conflict is not None:  # they took their change back
                buffer.rebase(base)
                self.note(buffer)
        elif theirs is None:
            if buffer is self.current:
                self.leaving.emit()
            if buffer.dirty:
                self._disagree(buffer, None)
            else:
                self._forget(buffer)
        elif buffer.clashes_with(theirs):
            self._disagree(buffer, theirs)
        elif not buffer.typed or buffer.content == theirs.item.content:
            text = buffer.text
            self._settle(buffer, theirs)
            if buffer is self.current and buffer.text != text:
                self.followed.emit()
        else:
            text = buffer.text
            buffer.take_in(theirs)
            self.note(buffer)
            if buffer is self.current and buffer.text != text:
                self.text_replaced.emit()

    def _settle(self, buffer: Buffer, version: Version) -> None:
        """The item is so on disk, and so shall the text be."""
        text = buffer.text
        buffer.follow(version)
        self.note(buffer)
        if buffer is self.current and (buffer.text != text or not buffer.editable):
            self.text_replaced.emit()

    def _disagree(self, buffer: Buffer, theirs: Version | None) -> None:
        if buffer.conflict is not None and buffer.conflict.theirs == theirs:
            return
        store = self._library.store
        assert store is not None
        try:
            changed_at = datetime.fromtimestamp(store.path(buffer.place.key).stat().st_mtime)
        except OSError:
            changed_at = None
        buffer.conflict = Disagreement(theirs, datetime.now(), changed_at)
        self.note(buffer)
