"""The journal of the open store as a list that follows the file: what was appended is read, nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, Signal, Slot

from .library import Library
from .writer import Request, Writer

_AT_ONCE = 1_000_000
"""Bytes that are read in one go: a save does not wait for a whole journal."""


@dataclass(frozen=True, slots=True)
class JournalLine:
    """One readable line. For a diary entry `category` is the day and `item` the time."""

    ts: str
    action: str
    category: str
    item: str
    owner: str
    source: str
    detail: str

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> JournalLine:
        def text(*keys: str) -> str:
            return next((str(entry[key]) for key in keys if entry.get(key) is not None), "")

        category, item = text("category", "file", "date"), text("item", "time")
        return cls(text("ts"), text("action"), category, item, text("owner"), text("source_conv"), text("detail"))


class Piece(NamedTuple):
    """Whole lines from a place of the file on; `start` 0 begins anew."""

    start: int
    end: int
    lines: list[JournalLine]
    broken: int
    more: bool


@dataclass(frozen=True, slots=True, eq=False)
class ReadRequest(Request):
    """Read the journal from a place on; gives a `Piece`. A journal that became shorter is read anew."""

    journal: Path
    start: int

    @property
    def path(self) -> Path:
        return self.journal

    def perform(self) -> Piece:
        try:
            size = self.journal.stat().st_size
            start = self.start if size >= self.start else 0
            with self.journal.open("rb") as file:
                file.seek(start)
                data = file.read(_AT_ONCE)
                while data and not data.endswith(b"\n") and start + len(data) < size:
                    data += file.read(_AT_ONCE)
        except OSError:
            return Piece(0, 0, [], 0, more=False)
        end = start + len(data)
        if end < size:
            data = data[: data.rfind(b"\n") + 1] or data
            end = start + len(data)
        lines, broken = [], 0
        for line in data.split(b"\n"):
            if not line.strip():
                continue
            try:
                entry = json.loads(line)
            except (ValueError, RecursionError):
                entry = None
            if isinstance(entry, dict):
                lines.append(JournalLine.of(entry))
            else:
                broken += 1
        return Piece(start, end, lines, broken, end < size)


class JournalReader(QObject):
    """Signals:
    changed: `lines` or `broken` are others.
    """

    changed = Signal()

    def __init__(self, library: Library, writer: Writer) -> None:
        super().__init__()
        self.lines: list[JournalLine] = []
        """The oldest first."""
        self.broken = 0
        self._library = library
        self._writer = writer
        self._end = 0
        self._wanted = False
        self._request: ReadRequest | None = None
        library.store_changed.connect(self._on_store_changed)
        library.snapshot_changed.connect(self.read)
        writer.done.connect(self._on_written)

    def want(self, wanted: bool, /) -> None:
        """Read along only as long as someone looks."""
        self._wanted = wanted
        self.read()

    @Slot()
    def _on_store_changed(self) -> None:
        self.lines, self.broken, self._end, self._request = [], 0, 0, None
        self.changed.emit()
        self.read()

    @Slot()
    def read(self) -> None:
        """Read what was appended."""
        store = self._library.store
        if self._wanted and store is not None and self._request is None:
            self._request = ReadRequest(store.journal.path, self._end)
            self._writer.submit(self._request)

    @Slot(object, object)
    def _on_written(self, request: Request, piece: object) -> None:
        if request is not self._request:
            return
        assert isinstance(piece, Piece)
        self._request = None
        if piece.start == 0:
            self.lines, self.broken = [], 0
        grown = bool(piece.lines or piece.broken or piece.start == 0)
        self.lines = [*self.lines, *piece.lines] if piece.lines else self.lines
        self.broken += piece.broken
        self._end = piece.end
        if piece.more:
            self.read()
        if grown:
            self.changed.emit()
