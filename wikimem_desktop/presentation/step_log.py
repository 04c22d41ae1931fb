"""The steps of a store, kept beside its history: what was done yesterday can be undone today."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Slot

from wikimem_desktop.engine.atomic import append_line, read_or_none, replace_file
from wikimem_desktop.engine.changes import Change, FileChange, Record
from wikimem_desktop.engine.errors import UnreadableFile
from wikimem_desktop.engine.history import History
from wikimem_desktop.engine.recorder import Recorder

from .buffer import Place
from .history import STEPS_FILE, LocalHistory
from .library import Library
from .steps import ChangeRequest, Move, Step, Steps
from .writer import Request, Writer

_MOST = 100
_MOST_BYTES = 50_000_000
"""Of all texts that the steps of a store bring into memory at its opening."""


def steps_file(history: History) -> Path:
    return history.folder / STEPS_FILE


@dataclass(frozen=True, slots=True, eq=False)
class LogRequest(Request):
    """Note that a step was done, undone or redone."""

    recorder: Recorder
    step: Step
    way: str

    @property
    def path(self) -> Path:
        return steps_file(self.recorder.history)

    def perform(self) -> None:
        history = self.recorder.history
        files = {
            key: [None if data is None else history.keep_text(data) for data in change]
            for key, change in self.step.change.files.items()
        }
        line = {"way": self.way, "files": files, **_written(self.step)}
        append_line(self.path, json.dumps(line).encode())


@dataclass(frozen=True, slots=True, eq=False)
class LoadRequest(Request):
    """Read the steps of earlier sessions; gives those that can be undone, and those that can be redone."""

    recorder: Recorder

    @property
    def path(self) -> Path:
        return steps_file(self.recorder.history)

    def perform(self) -> tuple[list[Step], list[Step]]:
        try:
            lines = (read_or_none(self.path) or b"").split(b"\n")
        except UnreadableFile:
            lines = []
        if len(lines) > 2 * _MOST:
            lines = lines[-_MOST:]
            replace_file(self.path, b"\n".join(lines))
        return _replayed(lines, self.recorder.history)


def _replayed(lines: list[bytes], history: History) -> tuple[list[Step], list[Step]]:
    """What a torn line or a text that is not kept any more would undo can't be undone, nor what came before it."""
    done: list[tuple[dict[str, Any], Step]] = []
    undone: list[tuple[dict[str, Any], Step]] = []
    for line in lines:
        if not line.strip():
            continue
        try:
            fields = json.loads(line)
            entry = fields, _read(fields)
            way = fields["way"]
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
            done, undone = [], []
            continue
        if way == "undo":
            done, undone = done[:-1], [*undone, entry]
        else:
            done, undone = [*done, entry], undone[:-1] if way == "redo" else []
    room = _MOST_BYTES
    sides = []
    for side in (done, undone):
        loaded: list[Step] = []
        for fields, step in reversed(side[-_MOST:]):
            try:
                files = {key: FileChange(*(_text(history, d) for d in pair)) for key, pair in fields["files"].items()}
            except (KeyError, TypeError, AttributeError):
                break
            room -= sum(len(data or b"") for change in files.values() for data in change)
            if room < 0:
                break
            loaded.append(replace(step, change=replace(step.change, files=files)))
        sides.append(loaded[::-1])
    return sides[0], sides[1]


def _text(history: History, digest: str | None) -> bytes | None:
    return None if digest is None else history.bytes_of(digest)


def _written(step: Step) -> dict[str, Any]:
    return {
        "label": step.label,
        "before": _place(step.before),
        "after": _place(step.after),
        "moves": [[_place(move.before), _place(move.after)] for move in step.moves],
        "gone": [_place(place) for place in step.gone],
        "came": [_place(place) for place in step.came],
        "kept": sorted(step.kept),
        "strays": sorted(step.change.strays),
        "records": step.change.records,
    }


def _read(fields: Mapping[str, Any]) -> Step:
    records = tuple(Record(*record) for record in fields["records"])
    moves = tuple(Move(*(Place(*place) for place in pair)) for pair in fields["moves"])
    before, after = (None if place is None else Place(*place) for place in (fields["before"], fields["after"]))
    kept, strays = (frozenset((key, text, code) for key, text, code in fields[side]) for side in ("kept", "strays"))
    gone, came = (tuple(Place(*place) for place in fields[key]) for key in ("gone", "came"))
    change = Change({}, records, strays)
    return Step(str(fields["label"]), before, after, change, moves=moves, kept=kept, gone=gone, came=came)


def _place(place: Place | None) -> list[Any] | None:
    return None if place is None else [place.kind, place.category, place.name, place.occurrence]


class StepLog(QObject):
    """Writes each step down, and gives them back when the store is opened again."""

    def __init__(self, library: Library, steps: Steps, history: LocalHistory, writer: Writer) -> None:
        super().__init__()
        self._steps = steps
        self._history = history
        self._library = library
        self._writer = writer
        library.store_changed.connect(self._on_store_changed)
        writer.done.connect(self._on_written)

    @Slot()
    def _on_store_changed(self) -> None:
        recorder = self._history.recorder
        if recorder is not None:
            self._writer.submit(LoadRequest(recorder))

    @Slot(object, object)
    def _on_written(self, request: Request, result: object) -> None:
        recorder = self._history.recorder
        if isinstance(request, LoadRequest) and request.recorder is recorder:
            assert isinstance(result, tuple)
            self._steps.adopt(*result)
        elif isinstance(request, ChangeRequest) and recorder is not None and request.store is recorder.store:
            assert isinstance(result, Change)
            self._writer.submit(LogRequest(recorder, replace(request.step, change=result), request.way))
