"""What an item and its whole file hand each other, so that no text is unsaved in both."""

from __future__ import annotations

from collections.abc import Mapping

from wikimem_desktop.engine.document import Document
from wikimem_desktop.engine.errors import UnreadableFile
from wikimem_desktop.engine.item_edits import ItemEdit, item_edits, with_item_edits

from .buffer import Buffer, Place, Version
from .file_buffer import FileBuffer
from .following import FollowingTexts
from .opening import read_document, version_in


class ExchangedTexts(FollowingTexts):
    """Whoever opens a file takes over what its items hold unsaved; whoever opens an item gets it back from the file."""

    def _file_buffer(self, category: str) -> FileBuffer | None:
        """The text of a category's file, if it was opened as a whole."""
        buffer = self._kept.get(Place("text", category))
        return buffer if isinstance(buffer, FileBuffer) else None

    def _take_over(self, category: str) -> Buffer | None:
        """The file's text gets what its items hold unsaved.

        Returns the item that something must be decided about first, if there is one.
        """
        items = [b for b in self.buffers if b.place.kind == "item" and b.place.category == category]
        store = self._library.store
        if not items or store is None:
            return None
        try:
            document = read_document(store, category)
        except UnreadableFile:
            return None
        for buffer in items:
            self._meet(buffer, version_in(document, buffer.place))
        items = [buffer for buffer in items if buffer.dirty]
        waiting = next((b for b in items if b.conflict is not None or b.unstorable() is not None), None)
        if waiting is None and document is not None:
            self._give_to_file(category, Version.of_file(document, category), items)
        return waiting

    def _give_to_file(self, category: str, version: Version, items: list[Buffer]) -> None:
        place = Place("text", category)
        file = self._file_buffer(category) or FileBuffer(place, version)
        self._keep(file)
        self._meet(file, version)
        before = Document(file.text)
        items = [buffer for buffer in items if buffer.place.name in before.effective()]
        for buffer in items:
            if buffer.base is not None and before.own_text(buffer.place.name) != buffer.base.text:
                self.lost.emit(buffer.place, "mine", before.own_text(buffer.place.name))  # unsaved in the file
        edits = {buffer.place.name: ItemEdit(buffer.text, dict(buffer.pending)) for buffer in items}
        file.bring_back(with_item_edits(before, edits).text, {})
        for buffer in items:
            buffer.give_way()
        for buffer in (*items, file):
            self.note(buffer)
        self.unsaved_changed.emit()

    def _take_out(self, place: Place) -> str | None:
        """An item leaves its file by a step of the person: it leaves the file's unsaved text too.

        Returns what it says there if that is unsaved; such a text is handed to `lost`.
        """
        file = self._file_buffer(place.category)
        if file is None or file.base is None or not file.dirty or place.kind != "item":
            return None
        document, base = Document(file.text), Document(file.base.text)
        if place.name not in document.effective():
            return None
        unsaved = document.section_text(place.name) != base.section_text(place.name)
        if unsaved:
            self.lost.emit(file.place, "mine", file.text)
        file.replace(document.without_item(place.name).text)
        self.note(file)
        return document.own_text(place.name) if unsaved else None

    def _rename_in_file(self, before: Place, after: Place) -> None:
        """An item is called otherwise by a step of the person, also in the file's unsaved text."""
        file = self._file_buffer(before.category)
        if file is not None and file.base is not None and file.dirty:
            names = before.name, after.name
            file.base = Version.of_file(Document(file.base.text).with_name(*names), file.place.category)
            file.replace(Document(file.text).with_name(*names).text)
            self.note(file)

    def _hand_back(self, category: str) -> bool:
        """Items get what their file holds unsaved. False when that is more than their texts, or to be decided about."""
        file = self._file_buffer(category)
        if file is None or file.base is None or not file.dirty:
            return True
        before = Document(file.base.text)
        edits = None if file.conflict else item_edits(before, Document(file.text))
        if edits is None:
            return False
        self._give_to_items(category, before, edits)
        file.give_way()
        self.note(file)
        self.unsaved_changed.emit()
        return True

    def _give_to_items(self, category: str, before: Document, edits: Mapping[str, ItemEdit]) -> None:
        for name, edit in edits.items():
            place = Place("item", category, name)
            buffer, version = self._kept.get(place), version_in(before, place)
            assert version is not None  # an edit is of an item that is there
            if buffer is not None and buffer.dirty:
                self.lost.emit(place, "mine", edit.text)
                continue
            if buffer is None or buffer.base != version:
                buffer = Buffer(place, version.text, version)
                self._kept.pop(place, None)
            self._keep(buffer)
            buffer.bring_back(edit.text, edit.fields)
            self.note(buffer)
