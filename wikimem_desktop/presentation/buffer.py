"""A text that is open: the document a person edits, and the state of the disk it is based on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QTextCursor, QTextDocument

from wikimem_desktop.engine.charsets import Charset, guess
from wikimem_desktop.engine.diary import day_key
from wikimem_desktop.engine.document import Document, as_read, check_content, field_value, own_part
from wikimem_desktop.engine.errors import ContentNotStorable
from wikimem_desktop.engine.fixes import escape_text
from wikimem_desktop.engine.items import MemoryItem
from wikimem_desktop.engine.journal import now_iso
from wikimem_desktop.presentation.qt_text import for_document, from_document, from_raw, replace_text, utf16_length


@dataclass(frozen=True, slots=True)
class Place:
    """Something that can be opened: an item, a shadowed section, the text of a category's file, a diary day (which is a
    file too), or a file that can't be read.

    A whole category can't be opened, but renamed or deleted.
    """

    kind: str
    """"item", "shadowed", "text", "day", "file" or "category"."""
    category: str
    name: str = ""
    occurrence: int = 0

    @property
    def address(self) -> str:
        return f"{self.category}:{self.name}" if self.name else self.category

    @property
    def whole(self) -> bool:
        """Whether its text is a whole file."""
        return self.kind in ("text", "day")

    @property
    def key(self) -> str:
        """Its file, as changes of files call it."""
        return day_key(self.category) if self.kind == "day" else self.category


@dataclass(frozen=True, slots=True)
class Version:
    """An item as it is on disk. `text` is its own text with the line ends it has there; `newline` its file's.

    Of a whole file, `item` has no name, and all of `text` for its content.
    """

    item: MemoryItem
    text: str
    newline: str

    @classmethod
    def of(cls, document: Document, category: str, name: str) -> Version | None:
        """The item of that name in a file, if there is one."""
        section = document.effective().get(name)
        return cls(section.item(category), document.own_text(name), document.newline) if section else None

    @classmethod
    def of_file(cls, document: Document, category: str) -> Version:
        """A whole file; a day of the diary is called by its date."""
        return cls(MemoryItem(category, "", document.text), document.text, document.newline)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """The disk says something else than what unsaved text is based on. `theirs` None: the item is gone."""

    theirs: Version | None
    seen_at: datetime
    changed_at: datetime | None
    """When its file was last written, if it is there."""


@dataclass(frozen=True, slots=True)
class Foreign:
    """The bytes of a file that is not UTF-8, and the encoding that it is shown in, if one fits."""

    data: bytes
    charset: Charset | None

    @classmethod
    def of(cls, data: bytes) -> Foreign:
        return cls(data, guess(data))

    @property
    def text(self) -> str:
        return self.charset.decode(self.data) if self.charset else self.data.decode("utf-8", "replace")


class Buffer(QObject):
    """The text of a place. `base` is the item as last seen on disk; None for what can't be edited.

    The text lives in a `QTextDocument`, and so does its undo history: it survives saving, following the disk, and
    going elsewhere.

    Signals:
        edited: the text or a field changed, whoever changed it.
        replacing: True before the text is replaced from outside the editor, False after it.
    """

    edited = Signal()
    replacing = Signal(bool)

    def __init__(self, place: Place, text: str, base: Version | None = None) -> None:
        super().__init__()
        self.place = place
        self.base = base
        self.foreign: Foreign | None = None
        self.conflict: Disagreement | None = None
        self.saving: object | None = None
        """The request on its way to the disk; the text may have changed since."""
        self.save_again = False
        self.typed_at: datetime | None = None
        self.pending: dict[str, str | None] = {}
        """Metadata fields that differ from the disk."""
        self._replacing = False
        self._newline = base.newline if base else "\n"
        self._text: str | None = text
        self.document = QTextDocument(self)
        self.document.setPlainText(for_document(text, self._newline))
        self.document.contentsChanged.connect(self._on_contents_changed)

    # ------------------------------------------------------------ what it says

    @property
    def text(self) -> str:
        """The text with its line ends as they are to stand in the file."""
        if self._text is None:
            self._text = from_document(self.document, self._newline)
        return self._text

    def offset_of(self, position: int) -> int:
        """How many characters of the text stand in front of a position of the document."""
        cursor = QTextCursor(self.document)
        cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
        return len(from_raw(cursor.selectedText(), self._newline))

    def position_of(self, offset: int) -> int:
        """The document's position of a character of the text."""
        return utf16_length(for_document(self.text[:offset], self._newline))

    @property
    def own_text(self) -> str:
        """What of the text counts: blank lines around an item's text are not part of it."""
        return own_part(self.text)

    @property
    def content(self) -> str:
        """The text as hosts would read it."""
        return as_read(self.text)

    @property
    def contents(self) -> Mapping[tuple[str, str], str | None]:
        """What hosts would read of items once it is saved, by category and name; None: the item goes."""
        return {(self.place.category, self.place.name): self.content}

    @property
    def editable(self) -> bool:
        return self.base is not None

    @property
    def dirty(self) -> bool:
        """Whether the text is not safely on disk, or not known to be."""
        if self.base is None:
            return False
        return self.conflict is not None or self.saving is not None or self.differs

    @property
    def typed(self) -> bool:
        """Whether the text is another than on disk."""
        return self.base is not None and self.own_text != self.base.text

    @property
    def differs(self) -> bool:
        """Whether text or fields are others than on disk."""
        return self.base is not None and (bool(self.pending) or self.typed)

    def clashes_with(self, theirs: Version) -> bool:
        """Whether both the person and others changed the text, or the same field, and not to the same."""
        if self.base is None:
            return False
        old, new = self.base.item, theirs.item
        if any(getattr(new, key) not in (getattr(old, key), value) for key, value in self.pending.items()):
            return True
        return new.content not in (old.content, self.content) and self.typed

    def unstorable(self) -> ContentNotStorable | None:
        """The first line that could not be stored as text, if any."""
        try:
            check_content(self.text)
        except ContentNotStorable as error:
            return error
        return None

    def field(self, key: str) -> str | None:
        """The value of a metadata field as the person wants it."""
        if key in self.pending:
            return self.pending[key]
        value: str | None = getattr(self.base.item, key) if self.base else None
        return value

    # ------------------------------------------------------------ changing it

    def set_field(self, key: str, value: str | None) -> None:
        """Change a metadata field; empty takes it away. Half a character, which no file can hold, is left out."""
        before = dict(self.pending)
        self.pending[key] = field_value((value or "").encode("utf-8", "ignore").decode()) or None
        self._drop_settled_fields()
        if self.pending != before:
            self.edited.emit()

    def write_now(self) -> None:
        """The item counts as written at this moment."""
        self.set_field("ts", now_iso())

    def replace(self, text: str) -> None:
        """Show another text: one undo step over what differs; caret and scroll stay."""
        shown = for_document(text, self._newline)
        self._replacing = True
        self.replacing.emit(True)
        replace_text(self.document, shown)
        self.replacing.emit(False)
        self._replacing = False

    def escape(self) -> None:
        """Change the lines that can't be stored so that they stay text; one undo step."""
        self.replace(escape_text(self.text))

    def show(self, text: str, foreign: Foreign | None) -> None:
        """Show another text of a place that can't be edited."""
        self.foreign = foreign
        self.document.setPlainText(for_document(text, self._newline))

    def rebase(self, version: Version) -> None:
        """The item is now so on disk; the text stays."""
        ours = version.text == self.own_text or (self.base is not None and version.text == self.base.text)
        breaks = self._newline in self.text or self.document.isUndoAvailable() or self.document.isRedoAvailable()
        self.base = version
        if self._newline != version.newline and not (ours and breaks):
            # Others gave the item's lines the file's new line end: the breaks on show mean that from now on.
            self._newline, self._text = version.newline, None
        self.conflict = None
        self._drop_settled_fields()

    def follow(self, version: Version) -> None:
        """The item is now so on disk, and so shall the text be; fields stay as the person wants them."""
        self.rebase(version)
        if self.own_text != version.text:
            self.replace(version.text)

    def take_in(self, version: Version) -> None:
        """Others changed what the text leaves alone."""
        self.rebase(version)

    def give_way(self) -> None:
        """The unsaved text is shown elsewhere from now on; here stands what is on disk."""
        assert self.base is not None
        self.saving, self.save_again = None, False
        self.pending.clear()
        if self.own_text != self.base.text:
            self.replace(self.base.text)

    def bring_back(self, text: str, fields: Mapping[str, str | None]) -> None:
        """Unsaved text that stood elsewhere meanwhile; what gave way for it is undone if that was this text."""
        if self.document.isUndoAvailable():
            self._replacing = True
            self.document.undo()
            if self.own_text != text:
                self.document.redo()
            self._replacing = False
        if self.own_text != text:
            self.replace(text)
        for key, value in fields.items():
            self.set_field(key, value)

    def forget(self, redacted: Callable[[str], str]) -> None:
        """Some text is to be nowhere: neither here, nor in what this was based on, nor in what undo would bring."""
        text = redacted(self.text)
        if text != self.text:
            self.replace(text)
        self.document.clearUndoRedoStacks()
        self.pending = {key: value and redacted(value) for key, value in self.pending.items()}
        if self.base is not None:
            item = replace(self.base.item, content=redacted(self.base.item.content))
            self.base = replace(self.base, item=item, text=redacted(self.base.text))
        self.conflict = None  # comes again if it is one still

    def _drop_settled_fields(self) -> None:
        if self.base is not None:
            item = self.base.item
            self.pending = {key: value for key, value in self.pending.items() if value != getattr(item, key)}

    @Slot()
    def _on_contents_changed(self) -> None:
        self._text = None
        if not self._replacing:
            self.typed_at = datetime.now()
        self.edited.emit()
