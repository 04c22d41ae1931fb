"""Writing down events in the diary."""

from __future__ import annotations

from PySide6.QtCore import QObject

from wikimem_desktop.engine import changes
from wikimem_desktop.engine.diary import DiaryEntry, new_entry
from wikimem_desktop.engine.document import check_content
from wikimem_desktop.engine.errors import ContentNotStorable, InvalidDiaryEntry

from .buffer import Place
from .library import Library
from .steps import Step, Steps
from .words import error_text


class DiaryEntries(QObject):
    """Of the open store, if its layout has a diary."""

    def __init__(self, library: Library, steps: Steps) -> None:
        super().__init__()
        self._library = library
        self._steps = steps

    @property
    def possible(self) -> bool:
        """Whether there is a diary that can be written."""
        store = self._library.store
        return store is not None and store.layout.has_diary and not store.read_only

    def error(self, text: str) -> str:
        """What a person must know about a text for an event; "" when it can be written down."""
        try:
            check_content(text)
            new_entry(text)
        except InvalidDiaryEntry:
            return self.tr("An entry needs text.")
        except ContentNotStorable as error:
            return error_text(error)
        return ""

    def add(self, entry: DiaryEntry) -> None:
        """Write an event down at its place by time, a step that can be undone; its day is shown then."""
        day = Place("day", entry.date)
        before = day if entry.date in self._library.days else None
        label = self.tr("New diary entry {0} {1}").format(entry.date, entry.time)
        self._steps.submit(Step(label, before, day), lambda store: changes.add_entry(store, entry))
