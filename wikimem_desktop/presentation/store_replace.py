"""Replace in store: what it would come to, and carrying out what a person ticked, as one step."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from wikimem_desktop.engine.links import WikiLink
from wikimem_desktop.engine.replacing import Replacement, replace_lines
from wikimem_desktop.engine.search import Finder

from .document import Documents
from .finding import BadPattern, Search
from .library import Library
from .notices import Action, Level, Notices
from .steps import Step, Steps
from .store_search import MOST_REPLACED, PreviewRequest, StoreSearcher


class StoreReplace(QObject):
    """Signals:
    changed: `preparing` or `error` is another.
    previewed: a list of Replacement to choose from.
    """

    changed = Signal()
    previewed = Signal(object)

    def __init__(
        self, library: Library, documents: Documents, steps: Steps, searcher: StoreSearcher, notices: Notices
    ) -> None:
        super().__init__()
        self.preparing = False
        self.error = ""
        """Why nothing can be replaced so, in words."""
        self._library = library
        self._documents = documents
        self._steps = steps
        self._searcher = searcher
        self._notices = notices
        self._number = 0
        self._label: str | None = None
        """That of the step that is under way."""
        library.store_changed.connect(self.cancel)
        searcher.previewed.connect(self._on_previewed)
        steps.done.connect(self._on_done)

    def prepare(self, search: Search, template: str) -> None:
        """Find out what replacing would come to; `previewed` answers."""
        self.cancel()
        store, snapshot = self._library.store, self._library.snapshot
        try:
            pattern = search.pattern()
            finder = Finder(pattern, plain=not search.regex) if pattern is not None else None
        except (BadPattern, re.error):
            return  # the search says why
        if store is None or snapshot is None or finder is None:
            return

        def resolves(link: WikiLink) -> bool:
            return snapshot.item(link.category, link.name) is not None

        self.preparing = True
        self._searcher.preview(PreviewRequest(self._number, store, finder, template, resolves))
        self.changed.emit()

    @Slot()
    def cancel(self) -> None:
        self._number += 1
        self._searcher.cancel_preview()
        self.preparing, self.error = False, ""
        self.changed.emit()

    @Slot(int, object, str)
    def _on_previewed(self, number: int, replacements: list[Replacement], error: str) -> None:
        if number != self._number:
            return
        self.preparing, self.error = False, error and self.tr("Can't replace with that: {0}").format(error)
        if len(replacements) > MOST_REPLACED:
            self.error = self.tr("More than %n line(s) would change: look for less.", None, MOST_REPLACED)
        self.changed.emit()
        if not self.error:
            self.previewed.emit([self._with_unsaved(replacement) for replacement in replacements])

    def _with_unsaved(self, replacement: Replacement) -> Replacement:
        hit = replacement.hit
        places = [buffer.place for buffer in self._documents.buffers]
        dirty = any(place.key == hit.key and (place.whole or place.name == hit.section) for place in places)
        return replace(replacement, against="unsaved") if dirty else replacement

    def apply(self, chosen: Sequence[Replacement]) -> None:
        """Put the lines into the files: all or none, one step. What is unsaved by now is refused."""
        unsaved = next((r for r in map(self._with_unsaved, chosen) if not r.possible), None)
        if unsaved is not None:
            text = self.tr("{0} holds unsaved text: save it first.").format(f"{unsaved.hit.key}:{unsaved.hit.section}")
            self._notices.post(Level.WARNING, text, "structure")
        elif chosen:
            matches = sum(len(replacement.hit.spans) for replacement in chosen)
            step = Step(self.tr("Replace %n match(es)", None, matches))
            self._label = step.label
            self._steps.submit(step, lambda store: replace_lines(store, chosen))

    @Slot(object)
    def _on_done(self, step: Step) -> None:
        self._notices.clear("replaced")  # it tells of another step
        if step.label is self._label:
            self._label = None
            text = self.tr("{0}: done").format(step.label) + self.tr(" in %n file(s).", None, len(step.change.files))
            undo = Action(self.tr("Undo"), partial(self._steps.undo_step, step))
            self._notices.post(Level.INFO, text, "replaced", actions=(undo,))
