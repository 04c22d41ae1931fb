"""Where a text may live in the running window: open texts, steps that can be undone, what is remembered of stores.

Hideouts (`engine/forget.py`) of the GUI thread.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PySide6.QtGui import QGuiApplication

from wikimem_desktop.engine.document import Document
from wikimem_desktop.engine.forget import Sought, Trace
from wikimem_desktop.settings import State, save

from .buffer import Buffer, Place
from .document import Documents
from .drafts import Draft, Drafts
from .overwritten import Overwritten
from .palette import Palette
from .playground import Playground
from .steps import Step, Steps


class OpenTexts:
    """What is in the editor, and what its undo could bring back."""

    name = "editor"

    def __init__(self, documents: Documents, drafts: Drafts, overwritten: Overwritten) -> None:
        self._documents = documents
        self._drafts = drafts
        self._overwritten = overwritten

    def find(self, sought: Sought) -> list[Trace]:
        return [Trace(buffer.place.address) for buffer in self._documents.buffers if _is_in(buffer, sought)]

    def purge(self, sought: Sought) -> None:
        def redacted(place: Place, text: str) -> str:
            if place.whole:
                return sought.cleaned(place.key, Document(text)).text
            return sought.redacted(text)

        self._documents.forget(lambda place: _is_item(place, sought), redacted)
        self._overwritten.forget()
        self._drafts.forget(lambda draft: _is_draft_of(draft, sought))


def _is_in(buffer: Buffer, sought: Sought) -> bool:
    if buffer.place.whole:
        return sought.in_file(buffer.place.key, buffer.text.encode("utf-8", "surrogatepass"))
    return _is_item(buffer.place, sought) or sought.in_text(buffer.text)


def _is_item(place: Place, sought: Sought) -> bool:
    return place.kind in ("item", "shadowed") and place.address == sought.address


def _is_draft_of(draft: Draft, sought: Sought) -> bool:
    return _is_item(draft.place, sought) or sought.in_json(json.loads(draft.to_bytes()))


class StepsDone:
    """The steps of this session and of those before, as far as they can be undone or redone."""

    name = "undo"

    def __init__(self, steps: Steps) -> None:
        self._steps = steps

    def find(self, sought: Sought) -> list[Trace]:
        return [Trace(step.label) for step in self._steps.all if _tells_of(step, sought)]

    def purge(self, sought: Sought) -> None:
        self._steps.forget(lambda step: _tells_of(step, sought))


def _tells_of(step: Step, sought: Sought) -> bool:
    if any(_is_item(place, sought) for place in step.places) or sought.in_text(f"{step.label}\n{step.taken or ''}"):
        return True
    if any(sought.in_json(list(record)) for record in step.change.records):
        return True
    texts = [(key, data) for key, change in step.change.files.items() for data in change if data is not None]
    return any(sought.in_file(key, data) for key, data in texts)


class Remembered:
    """The query, where the person was, and what the window remembers of each store."""

    name = "window"

    def __init__(self, state: State, file: Path, playground: Playground, palette: Palette) -> None:
        self._state = state
        self._file = file
        self._playground = playground
        self._palette = palette

    def find(self, sought: Sought) -> list[Trace]:
        now = {"query": self._playground.query, "recent": self._palette.recent}
        values = [*self._state.stores.values(), now]
        words = {key for store in values for key, value in store.items() if sought.in_json(value)}
        return [Trace(word) for word in sorted(words)]

    def purge(self, sought: Sought) -> None:
        if sought.in_text(self._playground.query):
            self._playground.restore("", self._playground.parameters)
        self._palette.recent = _without(self._palette.recent, sought)
        for store in self._state.stores.values():
            store.update({key: _without(value, sought) for key, value in store.items()})
        save(self._file, self._state)


def _without(value: Any, sought: Sought) -> Any:
    if isinstance(value, list):
        return [part for part in value if not sought.in_json(part)]
    return type(value)() if sought.in_json(value) else value


class Clipboard:
    """What was copied last."""

    name = "clipboard"

    def find(self, sought: Sought) -> list[Trace]:
        return [Trace("")] if sought.in_text(QGuiApplication.clipboard().text()) else []

    def purge(self, sought: Sought) -> None:
        if self.find(sought):
            QGuiApplication.clipboard().clear()
