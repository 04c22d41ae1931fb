"""Changes of what there is: new, renamed, split and removed items and categories."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from wikimem_desktop.engine.errors import WikimemError
from wikimem_desktop.engine.items import sanitize_item_name

from .document import Documents
from .library import Library
from .words import error_text
from .writer import Writer


class Structure(QObject):
    def __init__(self, library: Library, documents: Documents, writer: Writer) -> None:
        super().__init__()
        self._library = library
        self._documents = documents
        self._writer = writer

    def name_error(self, category: str, name: str, renaming: str | None = None) -> str:
        try:
            sanitize_item_name(name)
        except WikimemError as error:
            return error_text(error)
        return ""

    @Slot()
    def recreate(self) -> None: ...

    @Slot()
    def split(self) -> None: ...
