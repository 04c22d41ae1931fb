"""Putting items together otherwise: duplicated, reordered, split at the caret, merged, several removed at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from PySide6.QtCore import QObject

from wikimem_desktop.engine import arranging, copies
from wikimem_desktop.engine.changes import Change, Mark
from wikimem_desktop.engine.errors import Conflict
from wikimem_desktop.engine.items import MemoryItem
from wikimem_desktop.engine.store import MemoryStore

from .buffer import Place, Version
from .document import Documents
from .library import Library
from .notices import Level, Notices
from .steps import Step, Steps


class Arrangement(QObject):
    """Each change is one step that can be undone."""

    def __init__(self, library: Library, documents: Documents, steps: Steps, notices: Notices) -> None:
        super().__init__()
        self._library = library
        self._documents = documents
        self._steps = steps
        self._notices = notices

    def duplicate(self, places: Sequence[Place]) -> None:
        """A copy of each item, right behind it."""
        snapshot = self._library.snapshot
        if snapshot is None or not places:
            return
        first = places[0]
        taken = snapshot.rows[first.category].by_name if first.category in snapshot.rows else ()
        copy = Place("item", first.category, arranging.free_name(first.name, taken))
        label = self.tr("Duplicate {0}").format(first.name)
        if len(places) > 1:
            label = self.tr("Duplicate %n item(s)", None, len(places))
        addresses = _addresses(places)
        self._steps.submit(Step(label, None, copy), lambda store: arranging.duplicate_items(store, addresses)[0])

    def can_go(self, place: Place, step: int) -> bool:
        """Whether an item can go up (-1) or down (1) in its file."""
        snapshot = self._library.snapshot
        rows = snapshot.rows.get(place.category) if snapshot else None
        names = list(rows.by_name) if rows else []
        return place.name in names and 0 <= names.index(place.name) + step < len(names)

    def go(self, place: Place, step: int) -> None:
        """Put an item one place up or down in its file."""

        def plan(store: MemoryStore) -> Change:
            possible, before = arranging.neighbour(store.document(place.category), place.name, step)
            return arranging.place_item(store, place.category, place.name, before) if possible else Change()

        self._steps.submit(Step(self.tr("Reorder {0}").format(place.name), place, place), plan)

    def place(self, place: Place, before: str | None) -> None:
        """Put an item in front of another one of its file; None: at the end."""
        step = Step(self.tr("Reorder {0}").format(place.name), place, place)
        self._steps.submit(step, lambda store: arranging.place_item(store, place.category, place.name, before))

    def split_at(self, above: str, below: str, name: str) -> None:
        """Cut the open text in two; what stands below is a new item of that name."""
        buffer = self._documents.current
        if buffer is None or buffer.base is None:
            return
        base, text = buffer.base, buffer.text

        def plan(store: MemoryStore) -> Change:
            disk = Version.of(store.document(base.item.category), base.item.category, base.item.name)
            if disk is None or disk.item != base.item:
                raise Conflict(base.item, disk.item if disk else None, text)
            return arranging.split_at(store, base.item.category, base.item.name, above, name, below)

        label = self.tr("Split {0}").format(base.item.name)
        self._steps.submit(Step(label, buffer.place, buffer.place, taken=text), plan)

    def merge(
        self, into: Place, others: Sequence[Place], kept: Collection[Mark] = (), seen: Sequence[MemoryItem] = ()
    ) -> None:
        """Put the texts of other items behind that of one; links to them lead to it then.

        `seen` are items as the person saw them: nothing is done when one says something else by now.
        """
        if self._refuses([into, *others]):
            return
        addresses, target = _addresses(others), (into.category, into.name)
        step = Step(self.tr("Merge into {0}").format(into.name), into, into, gone=tuple(others))

        def plan(store: MemoryStore) -> Change:
            for item in seen:
                now = store.document(item.category).effective().get(item.name)
                if now is None or now.content != item.content:
                    raise Conflict(item, now.item(item.category) if now else None, "")
            return arranging.merge_items(store, target, addresses, kept)

        self._steps.submit(step, plan)

    def bring_home(
        self,
        copy: str,
        original: str,
        seen: Sequence[copies.Difference],
        choices: Mapping[str, str],
        kept: Collection[Mark] = (),
    ) -> None:
        """Put what a sync tool's copy says into the original, as it was chosen; the copy goes and links follow.

        `seen` is what the choices were made of: nothing is done when it is not so any more.
        """
        files = [Place("category", category) for category in (original, copy)]
        if self._refuses([buffer.place for buffer in self._documents.of(files)]):
            return

        def plan(store: MemoryStore) -> Change:
            if copies.differences_of(store, copy, original) != list(seen):
                raise Conflict(None, None, "", category=copy)
            return copies.bring_home(store, copy, original, choices, kept)

        self._steps.submit(Step(self.tr("Bring {0} home").format(copy), Place("category", copy)), plan)

    def remove(self, places: Sequence[Place]) -> None:
        """Delete several items."""
        addresses = _addresses(places)
        step = Step(self.tr("Delete %n item(s)", None, len(places)), gone=tuple(places))
        self._steps.submit(step, lambda store: arranging.remove_items(store, addresses))

    def _refuses(self, places: Sequence[Place]) -> bool:
        """Unsaved text would be on both sides of the change."""
        unsaved = next((place for place in places if self._documents.is_dirty(place.category, place.name)), None)
        if unsaved is not None:
            text = self.tr("{0} holds unsaved text: save it first.").format(unsaved.address)
            self._notices.post(Level.WARNING, text, "structure")
        return unsaved is not None


def _addresses(places: Sequence[Place]) -> list[tuple[str, str]]:
    return [(place.category, place.name) for place in places]
