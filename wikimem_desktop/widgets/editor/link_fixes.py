"""What can be done about a link: by keys at the caret, and in the context menus of the texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Slot
from PySide6.QtGui import QAction, QContextMenuEvent, QKeySequence, QTextCursor, QTextDocument
from PySide6.QtWidgets import QMenu

from wikimem_desktop.engine.links import WikiLink, find_wiki_links
from wikimem_desktop.engine.suggestions import suggestions
from wikimem_desktop.presentation.document import Documents
from wikimem_desktop.presentation.library import Library
from wikimem_desktop.presentation.link_reach import Reach, reach
from wikimem_desktop.presentation.notices import Level, Notices
from wikimem_desktop.presentation.qt_text import for_document, utf16_length
from wikimem_desktop.widgets.editor.item_view import ItemView
from wikimem_desktop.widgets.editor.reader import Reader
from wikimem_desktop.widgets.editor.text_edit import TextEdit, linked_text
from wikimem_desktop.widgets.menus import Menus

_LONGEST = 60
_NO_LINK = "no-link"


class LinkFixes(QObject):
    """Create it, did you mean, remove it; for a link that leads somewhere, open and remove.

    `create` makes the item that a link leads to.
    """

    def __init__(
        self,
        view: ItemView,
        documents: Documents,
        library: Library,
        notices: Notices,
        create: Callable[[WikiLink], object],
        menus: Menus,
    ) -> None:
        super().__init__(view)
        self._view = view
        self._documents = documents
        self._library = library
        self._notices = notices
        self._create = create
        documents.current_changed.connect(lambda: notices.clear(_NO_LINK))
        self._texts: list[TextEdit | Reader] = [view.text_edit, view.reader, view.preview]
        for text in self._texts:
            text.installEventFilter(self)  # for the menu key
            text.viewport().installEventFilter(self)  # for the mouse
        self.action = menus.add(menus.edit, self.tr("Fix the &link…"), "Ctrl+.", in_store=True)
        self.action.setShortcuts([*self.action.shortcuts(), QKeySequence("Alt+Return")])
        menus.add(menus.go, self.tr("Follow the &link"), None, view.text_edit.follow_link, in_store=True)

    # ------------------------------------------------------------ where

    @Slot()
    def offer(self) -> None:
        """A menu at the caret."""
        page = self._view.page
        found = self._at_caret(page) if isinstance(page, TextEdit | Reader) else None
        if found is None or not isinstance(page, TextEdit | Reader):
            self._notices.post(Level.INFO, self.tr("There is no link at the caret."), _NO_LINK)
            return
        self._pop_up(QMenu(page), found, page.viewport().mapToGlobal(page.cursorRect().bottomLeft()))

    def offer_for(self, link: WikiLink) -> None:
        """A menu at the first place of the open text that holds the link."""
        buffer = self._documents.current
        place = next(places(buffer.document, link), None) if buffer is not None and buffer.editable else None
        if place is not None:
            self._view.start_writing()
            edit = self._view.text_edit
            edit.setTextCursor(place)
            edit.centerCursor()
            self.offer()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ContextMenu or not isinstance(event, QContextMenuEvent):
            return False
        text = next(text for text in self._texts if watched in (text, text.viewport()))
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        if by_key != (watched is text):
            return False  # the other one of the two gets it too
        point = text.cursorRect().center() if by_key else event.pos()
        found = self._at_caret(text) if by_key else self._under(text, point)
        if found is None:
            return False
        menu = text.createStandardContextMenu(point)
        self._pop_up(menu, found, text.viewport().mapToGlobal(point))
        return True

    def _at_caret(self, text: TextEdit | Reader) -> tuple[WikiLink, QTextCursor | None] | None:
        if isinstance(text, TextEdit):
            return linked_text(text.textCursor())
        return self._in_source(text.textCursor().charFormat().anchorHref(), text)

    def _under(self, text: TextEdit | Reader, point: QPoint) -> tuple[WikiLink, QTextCursor | None] | None:
        if isinstance(text, TextEdit):
            return linked_text(text.cursorForPosition(point)) if text.link_under(point) is not None else None
        return self._in_source(text.anchorAt(point), text)

    def _in_source(self, anchor: str, reader: Reader) -> tuple[WikiLink, QTextCursor | None] | None:
        """A link of the rendering, and where the text has it if that can be edited."""
        found = reader.link_of(anchor)
        if found is None:
            return None
        link, nth = found
        buffer = self._documents.current
        there = list(places(buffer.document, link)) if buffer is not None and buffer.editable else []
        return link, there[nth] if nth < len(there) else None

    # ------------------------------------------------------------ what

    def _pop_up(self, menu: QMenu, found: tuple[WikiLink, QTextCursor | None], where: QPoint) -> None:
        link, place = found
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        actions = list(self._actions(menu, link, place))
        standard = menu.actions()
        if standard:
            menu.insertActions(standard[0], actions)
            menu.insertSeparator(standard[0])
        else:
            menu.addActions(actions)
        menu.popup(where)
        menu.setActiveAction(actions[0])

    def _actions(self, menu: QMenu, link: WikiLink, place: QTextCursor | None) -> Iterator[QAction]:
        def action(text: str, slot: Callable[[], object]) -> QAction:
            made = QAction(text, menu)
            made.triggered.connect(slot)
            return made

        reached = reach(link, self._library.target(link))
        if reached is not Reach.NOBODY:
            yield action(self.tr("Open {0}").format(_words(link)), partial(self._documents.open_link, link))
        elif not self._documents.read_only_store:
            yield action(self.tr("Create {0}").format(_words(link)), partial(self._create, link))
        if place is None:
            return
        snapshot = self._library.snapshot
        for other in suggestions(snapshot, link) if snapshot is not None and reached is not Reach.HOSTS else ():
            text = self.tr("Did you mean {0}").format(_words(other))
            yield action(text, partial(self._replace, place, other.render()))
        label = link.name.partition("|")[2].strip() or link.name
        yield action(self.tr("Remove the link, keep its words"), partial(self._replace, place, label))

    def _replace(self, place: QTextCursor, text: str) -> None:
        """One undo step."""
        place.insertText(for_document(text))
        if isinstance(self._view.page, TextEdit):
            self._view.text_edit.setTextCursor(place)
        self._documents.text_replaced.emit()
        self._view.focus_text()


def places(document: QTextDocument, link: WikiLink) -> Iterator[QTextCursor]:
    """Each place of a text that holds the link, selected."""
    block = document.begin()
    while block.isValid():
        line = block.text()
        for span in find_wiki_links(line):
            if span.link == link:
                cursor = QTextCursor(block)
                cursor.setPosition(block.position() + utf16_length(line[: span.start]))
                end = block.position() + utf16_length(line[: span.end])
                cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
                yield cursor
        block = block.next()


def _words(link: WikiLink) -> str:
    """The address as a menu can show it."""
    address = f"{link.category}:{link.name}"
    if len(address) > _LONGEST:
        address = address[: _LONGEST - 1] + "…"
    return address.replace("&", "&&")
