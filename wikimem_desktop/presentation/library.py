"""The open store as the window knows it: the newest snapshot, the diary's days, the problems, and what is under way."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from wikimem_desktop.engine.checks import Findings
from wikimem_desktop.engine.errors import StoreError, StoreNotFound
from wikimem_desktop.engine.index import Snapshot
from wikimem_desktop.engine.items import MemoryItem
from wikimem_desktop.engine.links import WikiLink
from wikimem_desktop.engine.store import MemoryStore
from wikimem_desktop.engine.tokens import uses_jieba

from .indexer import Checked, Indexed, Indexer, IndexRequest
from .notices import Level, Notices
from .watcher import Watcher
from .words import error_text

_TOKENIZERS = {"auto": None, "jieba": True, "bigrams": False}
_SHORT_MS = 200
"""Work that is done sooner is not worth a word."""


class Library(QObject):
    """Opens stores and keeps the index at their heels. All reading happens on the indexer's thread.

    Signals:
        store_changed: another store, or none, is open.
        snapshot_changed: the index followed the disk.
        problems_changed: the checks ran on the new snapshot, and found other problems or links.
        progressed: done, total (files).
        activity_changed: `indexing`, `lengthy`, `behind` or `cancelled` changed.
    """

    store_changed = Signal()
    snapshot_changed = Signal()
    problems_changed = Signal()
    progressed = Signal(int, int)
    activity_changed = Signal()

    def __init__(self, indexer: Indexer, watcher: Watcher, notices: Notices) -> None:
        super().__init__()
        self.store: MemoryStore | None = None
        self.snapshot: Snapshot | None = None
        self.days: tuple[str, ...] = ()
        self.findings = Findings()
        self.tokenizer = "auto"
        self.indexing = False
        self.lengthy = False
        """Indexing takes so long that a person should see it."""
        self.behind = False
        """A build was cancelled, or failed: the snapshot is older than the disk."""
        self.cancelled = False
        """The person stopped a build, and nothing has been indexed since."""
        self._indexer = indexer
        self._watcher = watcher
        self._notices = notices
        self._number = 0
        self._answered = 0
        """The number of the newest request that was answered; jieba's words may come later."""
        self._stamps: tuple[object, ...] = ()
        self._rebuild_due = False
        """A build was asked for and is not finished."""
        self._refresh_due = False
        """The disk changed meanwhile; it is followed after the answer, or a restless store would never get one."""
        self._stopped = False
        self._patience = QTimer(self, singleShot=True, interval=_SHORT_MS)
        self._patience.timeout.connect(self._on_lengthy)
        indexer.indexed.connect(self._on_indexed)
        indexer.checked.connect(self._on_checked)
        indexer.failed.connect(self._on_failed)
        indexer.progressed.connect(self.progressed)
        watcher.changed.connect(self.refresh)
        watcher.look_due.connect(self.look)
        watcher.mode_changed.connect(self._on_watch_mode_changed)

    def open(self, root: Path, *, read_only: bool = False, tokenizer: str = "auto") -> None:
        """Open a folder instead of the current one. Raises `StoreNotFound`; the current store stays then."""
        root = root.resolve()
        if not root.exists():
            raise StoreNotFound(root, self.tr("there is no such folder"))
        store = MemoryStore(root, read_only=read_only or not os.access(root, os.W_OK))
        self.store, self.snapshot, self.days, self.findings = store, None, (), Findings()
        self.tokenizer = tokenizer
        self._notices.clear()
        self.store_changed.emit()
        self._watcher.watch(root)
        self._request(rebuild=True)

    def close(self) -> None:
        self._watcher.stop()
        self._indexer.forget()
        self.store, self.snapshot, self.days, self.findings = None, None, (), Findings()
        self._notices.clear("store")
        self.cancelled = False
        self._set_activity(indexing=False, behind=False)
        self.store_changed.emit()

    def stop(self) -> None:
        """Follow the disk no more: the application ends, and the indexer with it."""
        self._watcher.stop()
        self._indexer.cancel()
        self._patience.stop()
        self._stopped = True

    @property
    def awaits_jieba(self) -> bool:
        """Whether pairs of characters answer until jieba's words do."""
        wanted = uses_jieba(_TOKENIZERS[self.tokenizer])
        return self.indexing and wanted and self.snapshot is not None and not self.snapshot.postings.jieba

    @property
    def following(self) -> bool:
        """Whether it takes so long to follow the disk that a person should see it."""
        return self.lengthy and not self.awaits_jieba

    def target(self, link: WikiLink) -> MemoryItem | None:
        """The item that a person means by a link: also one that hosts miss since it only looks the same."""
        if self.snapshot is None:
            return None
        item = self.snapshot.item(link.category, link.name)
        return item or self.snapshot.lookalike(link.category, link.name)

    def can_be_read(self, category: str) -> bool:
        """Whether hosts read the category's file."""
        files = self.snapshot.files if self.snapshot else ()
        return any(file.category == category and file.error is None for file in files)

    @Slot()
    def refresh(self) -> None:
        """Follow the disk."""
        if self.indexing and self._answered < self._number:
            self._refresh_due = True
        else:
            self._request(rebuild=False)

    @Slot()
    def look(self) -> None:
        """Follow the disk without a sign that it changed; not when the person has just cancelled that."""
        if not self.cancelled:
            self.refresh()

    @Slot()
    def rebuild(self) -> None:
        """Read everything again."""
        self._request(rebuild=True)

    @Slot()
    def cancel(self) -> None:
        """Stop indexing; the snapshot in use stays."""
        if self.indexing:
            self._indexer.cancel()
            self.cancelled = True
            self._set_activity(indexing=False, behind=self.behind or not self.awaits_jieba)

    def set_tokenizer(self, tokenizer: str) -> None:
        """ "auto", "jieba" or "bigrams"."""
        if tokenizer != self.tokenizer:
            self.tokenizer = tokenizer
            self.rebuild()

    def _request(self, *, rebuild: bool) -> None:
        if self.store is None or self._stopped:
            return
        self._number += 1
        self._rebuild_due = rebuild or self._rebuild_due or self.snapshot is None
        self._refresh_due = self.cancelled = False
        self._set_activity(indexing=True, behind=self.behind)
        request = IndexRequest(self._number, self.store, _TOKENIZERS[self.tokenizer], self._rebuild_due)
        self._indexer.request(request)

    def _set_activity(self, *, indexing: bool, behind: bool) -> None:
        if (indexing, behind) == (self.indexing, self.behind):
            return
        if indexing and not self.indexing:
            self._patience.start()
        elif not indexing:
            self._patience.stop()
            self.lengthy = False
        self.indexing, self.behind = indexing, behind
        self.activity_changed.emit()

    @Slot()
    def _on_lengthy(self) -> None:
        self.lengthy = True
        self.activity_changed.emit()

    @Slot(object)
    def _on_indexed(self, indexed: Indexed) -> None:
        if indexed.store is not self.store:
            return
        if indexed.number == self._number:
            self._answered, self._rebuild_due = self._number, False
            self._set_activity(indexing=not indexed.complete, behind=False)
        if self._watcher.mode != "missing":
            self._notices.clear("store")
        if self._stamps != indexed.stamps or not _says_the_same(self.snapshot, indexed.snapshot):
            self.snapshot, self.days, self._stamps = indexed.snapshot, indexed.days, indexed.stamps
            self.snapshot_changed.emit()
        if indexed.number == self._number and not self._stopped:
            self._indexer.check(indexed)
            if not indexed.complete:
                self._indexer.find_words(indexed)
        self._catch_up()

    @Slot(object)
    def _on_checked(self, checked: Checked) -> None:
        if checked.store is self.store and not checked.findings.same_as(self.findings):
            self.findings = checked.findings
            self.problems_changed.emit()

    @Slot(int, object)
    def _on_failed(self, number: int, error: StoreError) -> None:
        if number == self._number:
            self._answered = number
            self._set_activity(indexing=False, behind=True)
            if self._watcher.mode != "missing":  # which was told
                self._notices.post(Level.ERROR, error_text(error), "store")
            self._catch_up()

    @Slot(str)
    def _on_watch_mode_changed(self, mode: str) -> None:
        if mode == "missing" and self.store is not None:
            text = self.tr("The folder {0} is not there any more").format(self.store.root)
            self._notices.post(Level.WARNING, text, "store")

    def _catch_up(self) -> None:
        if self._refresh_due and self._answered == self._number:
            self._request(rebuild=False)


def _says_the_same(old: Snapshot | None, new: Snapshot) -> bool:
    """Whether a refresh found nothing new in the files that can be read."""
    if old is None or new.revision != old.revision or new.postings is not old.postings:
        return False
    return [file for file in old.files if not file.error] == [file for file in new.files if not file.error]
