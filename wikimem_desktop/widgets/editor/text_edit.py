"""The Markdown text being edited, as it is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple
from weakref import WeakKeyDictionary

from PySide6.QtCore import QMimeData, QPoint, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import (
    QGuiApplication,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPaintEvent,
    QTextCursor,
    QTextDocument,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QPlainTextDocumentLayout, QPlainTextEdit

from wikimem_desktop.engine.links import WikiLink, find_wiki_links
from wikimem_desktop.presentation.buffer import Buffer
from wikimem_desktop.presentation.link_reach import Reach
from wikimem_desktop.presentation.qt_text import for_document, from_raw, inside_pair, utf16_length
from wikimem_desktop.widgets.editor.highlighting import Highlighter
from wikimem_desktop.widgets.editor.lists import edit_list
from wikimem_desktop.widgets.editor.wheel import WheelSteps
from wikimem_desktop.widgets.fields import COMPOSING_KEYS, commit
from wikimem_desktop.widgets.theme import Theme

_MARGIN, _DOCUMENT_MARGIN = 40, 4
_AHEAD = {
    QKeySequence.StandardKey.MoveToNextChar: QTextCursor.MoveMode.MoveAnchor,
    QKeySequence.StandardKey.MoveToNextWord: QTextCursor.MoveMode.MoveAnchor,
    QKeySequence.StandardKey.SelectNextChar: QTextCursor.MoveMode.KeepAnchor,
    QKeySequence.StandardKey.SelectNextWord: QTextCursor.MoveMode.KeepAnchor,
}
_OURS = "application/x-wikimem-text"
"""What was copied here as the document has it: Qt takes a byte order mark from the start of any other text."""


def release_clipboard() -> None:
    """Leave copied text to Qt alone: the clipboard may outlive Python, whose objects would crash the process then."""
    clipboard = QGuiApplication.clipboard()
    data = clipboard.mimeData() or QMimeData()  # None when the clipboard is empty
    if data.hasFormat(_OURS):
        clipboard.setText(data.text())


class _View(NamedTuple):
    """Where the caret was in a document, and what stood at the top."""

    anchor: int
    caret: int
    top: int


class TextEdit(QPlainTextEdit):
    """Signals:
    link_followed: a WikiLink was followed (Ctrl+click or Ctrl+Enter).
    composing_changed: an input method holds text now that is not decided yet, or none any more.
    long_lines_changed: the text holds a very long line now, or none any more.
    zoom_wanted: the wheel was turned for a text larger by so many steps; smaller if negative.
    """

    link_followed = Signal(object)
    composing_changed = Signal(bool)
    long_lines_changed = Signal(bool)
    zoom_wanted = Signal(int)

    def __init__(self, theme: Theme, reach: Callable[[WikiLink], Reach]) -> None:
        super().__init__()
        self._buffer: Buffer | None = None
        self._views: WeakKeyDictionary[Buffer, _View] = WeakKeyDictionary()
        self._nothing = QTextDocument(self)
        self._composed = ""
        self.setAccessibleName(self.tr("Item text"))
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTabChangesFocus(False)
        self.setViewportMargins(_MARGIN, 24, 12, 12)
        self._theme = theme
        self._wheel = WheelSteps()
        self.setFont(theme.text_font)
        theme.text_font_changed.connect(self._on_text_font_changed)
        self.cursorPositionChanged.connect(self._on_caret_moved)
        self._wrap = True
        self._long_lines = False
        self._highlighter = Highlighter(theme, reach, self)
        self._highlighter.outdated.connect(self.viewport().update)
        self._highlighter.long_lines_changed.connect(self._on_long_lines_changed)

    def show_buffer(self, buffer: Buffer | None) -> None:
        """Edit the text of a buffer, as it was left: caret, scroll and undo."""
        if buffer is self._buffer:
            return
        if self._buffer is not None:
            self._views[self._buffer] = self._view()
            self._buffer.replacing.disconnect(self._on_replacing)
        self._buffer = buffer
        self.setDocument(buffer.document if buffer else self._nothing)
        if buffer is not None:
            buffer.replacing.connect(self._on_replacing)
            self._restore(self._views.get(buffer, _View(0, 0, 0)))

    def setDocument(self, document: QTextDocument) -> None:
        """Show a document, which may have no layout yet: changes cost nothing before, and a new layout after."""
        self._highlighter.set_document(document)
        option = document.defaultTextOption()
        option.setWrapMode(self.wordWrapMode() if self._wraps() else QTextOption.WrapMode.NoWrap)
        if document.defaultTextOption().wrapMode() != option.wrapMode():
            document.setDefaultTextOption(option)
        if document.defaultFont() != self.font():
            document.setDefaultFont(self.font())
        document.setDocumentMargin(_DOCUMENT_MARGIN)
        if document.findChild(QPlainTextDocumentLayout) is None:
            with QSignalBlocker(document):  # that the text changed, it would say
                document.setDocumentLayout(QPlainTextDocumentLayout(document))
        if not self._wraps():
            self._apply_wrap()
        super().setDocument(document)
        self._on_long_lines_changed()

    def set_wrap(self, wrap: bool) -> None:
        """Whether lines end at the window's edge."""
        top = self.firstVisibleBlock().position()
        self._wrap = wrap
        self._apply_wrap()
        self._scroll_to(top)

    @Slot()
    def _on_text_font_changed(self) -> None:
        top = self.firstVisibleBlock().position()
        self.setFont(self._theme.text_font)
        self._scroll_to(top)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.zoom_wanted.emit(self._wheel.turned(event))
        else:
            super().wheelEvent(event)

    @property
    def long_lines(self) -> bool:
        """Whether the text holds a line so long that it is shown without colours, and nothing is wrapped."""
        return self._long_lines

    @Slot()
    def _on_long_lines_changed(self) -> None:
        self._apply_wrap()
        if self._long_lines != self._highlighter.any_long_line:
            self._long_lines = not self._long_lines
            self.long_lines_changed.emit(self._long_lines)

    def _wraps(self) -> bool:
        return self._wrap and not self._highlighter.any_long_line

    def _apply_wrap(self) -> None:
        self.setLineWrapMode(self.LineWrapMode.WidgetWidth if self._wraps() else self.LineWrapMode.NoWrap)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what is on show in its colours. They may make lines higher; the caret must stay in view."""
        caret_shown = self._shows_caret()
        if self._highlighter.color(self.firstVisibleBlock(), self._most_lines_shown()):
            layout = self.document().documentLayout()
            layout.documentSizeChanged.emit(layout.documentSize())  # how far one can scroll
            if caret_shown and not self._shows_caret():
                self.ensureCursorVisible()
        super().paintEvent(event)

    def _shows_caret(self) -> bool:
        return self.viewport().rect().contains(self.cursorRect())

    def _most_lines_shown(self) -> int:
        return self.viewport().height() // self.fontMetrics().lineSpacing() + 2

    def _view(self) -> _View:
        cursor = self.textCursor()
        return _View(cursor.anchor(), cursor.position(), self.firstVisibleBlock().position())

    def _restore(self, view: _View) -> None:
        cursor, end = self.textCursor(), self.document().characterCount() - 1  # it may be shorter by now
        cursor.setPosition(min(view.anchor, end))
        cursor.setPosition(min(view.caret, end), QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
        self._scroll_to(view.top)

    def _scroll_to(self, position: int) -> None:
        """Put the block with that position at the top."""
        self.verticalScrollBar().setValue(self.document().findBlock(position).firstLineNumber())

    @Slot(bool)
    def _on_replacing(self, begins: bool) -> None:
        """Text that comes in from outside moves neither the caret nor what is on show, and is never selected."""
        if begins:
            cursor = self.textCursor()
            self._backwards = cursor.position() < cursor.anchor()
            self._start = self._held(cursor.selectionStart(), keep=not cursor.hasSelection())
            self._end = self._held(cursor.selectionEnd(), keep=True)
            self._top = self._held(self.firstVisibleBlock().position(), keep=True)
        else:
            end = self._end.position()
            places = [min(self._start.position(), end), end]
            anchor, caret = reversed(places) if self._backwards else places
            self._restore(_View(anchor, caret, self._top.position()))

    def _held(self, position: int, *, keep: bool) -> QTextCursor:
        """A place that follows the text; `keep`: what is put in right there comes behind it."""
        cursor = QTextCursor(self.document())
        cursor.setPosition(position)
        cursor.setKeepPositionOnInsert(keep)
        return cursor

    @Slot()
    def commit_composition(self) -> None:
        """What an input method still holds becomes text."""
        commit(self, lambda: self._composed)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        was_composing, self._composed = self.composing, event.preeditString()
        shown = _for_document(event.commitString())
        event.setCommitString(shown, event.replacementStart(), event.replacementLength())
        super().inputMethodEvent(event)
        if self.composing != was_composing:
            self.composing_changed.emit(self.composing)

    def mark_terms(self, terms: Iterable[str]) -> None:
        self._highlighter.set_terms(terms)

    def refresh_links(self) -> None:
        """Links may resolve now that did not, or the other way round."""
        self._highlighter.refresh_links()

    def createMimeDataFromSelection(self) -> QMimeData:
        data, raw = QMimeData(), self.textCursor().selectedText()
        data.setText(from_raw(raw))
        data.setData(_OURS, raw.encode("utf-8", "surrogatepass"))
        return data

    def insertFromMimeData(self, source: QMimeData) -> None:
        if source.hasText():
            raw = bytes(source.data(_OURS).data()).decode("utf-8", "surrogatepass")
            self.textCursor().insertText(_for_document(from_raw(raw) or source.text()))

    @property
    def composing(self) -> bool:
        """Whether an input method holds text that is not decided yet."""
        return bool(self._composed)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.composing and event.key() in COMPOSING_KEYS:
            return
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() == Qt.KeyboardModifier.ControlModifier and self._follow(self.textCursor()):
            return
        if edit_list(self, event, self._highlighter.in_code) or self._take_pair(event):
            return
        text = event.text()
        if text > "\x9f" and for_document(text) != text:  # not a control character, which is a command
            self.textCursor().insertText(for_document(text))
            self.ensureCursorVisible()
            return
        super().keyPressEvent(event)

    @Slot()
    def _on_caret_moved(self) -> None:
        """Two positions that stand for one character, or for an unusual line end, are one for the caret."""
        cursor = self.textCursor()
        if inside_pair(self.document(), cursor.position()):
            keep, move = QTextCursor.MoveMode.KeepAnchor, QTextCursor.MoveMode.MoveAnchor
            cursor.setPosition(cursor.position() - 1, keep if cursor.hasSelection() else move)
            self.setTextCursor(cursor)

    def _take_pair(self, event: QKeyEvent) -> bool:
        """Let a key that passes or deletes one character do so with two positions that stand for one."""
        cursor, document = self.textCursor(), self.document()
        at = cursor.position()
        mode = next((mode for keys, mode in _AHEAD.items() if event.matches(keys)), None)
        if mode is not None and inside_pair(document, at + 1):
            cursor.setPosition(at + 2, mode)
            self.setTextCursor(cursor)
            return True
        step = {Qt.Key.Key_Backspace: -1, Qt.Key.Key_Delete: 1}.get(Qt.Key(event.key()), 0)
        if not step or cursor.hasSelection() or not inside_pair(document, at + step):
            return False
        cursor.setPosition(at + 2 * step, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        self.ensureCursorVisible()
        return True

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.modifiers() == Qt.KeyboardModifier.ControlModifier and self._follow(
            self.cursorForPosition(event.position().toPoint())
        ):
            return
        super().mouseReleaseEvent(event)

    def selected(self) -> str:
        """The text that is selected."""
        return from_raw(self.textCursor().selectedText())

    def cut_at_caret(self) -> tuple[str, str]:
        """The text above the caret, and the text below it."""
        at, end = self.textCursor().position(), self.document().characterCount() - 1
        halves = []
        for start, stop in ((0, at), (at, end)):
            cursor = QTextCursor(self.document())
            cursor.setPosition(start)
            cursor.setPosition(stop, QTextCursor.MoveMode.KeepAnchor)
            halves.append(from_raw(cursor.selectedText()))
        return halves[0], halves[1]

    @Slot()
    def follow_link(self) -> None:
        """Follow the link at the caret, if there is one."""
        self._follow(self.textCursor())

    def _follow(self, cursor: QTextCursor) -> bool:
        link = self.link_at(cursor)
        if link is not None:
            self.link_followed.emit(link)
        return link is not None

    @staticmethod
    def link_at(cursor: QTextCursor) -> WikiLink | None:
        found = linked_text(cursor)
        return found[0] if found is not None else None

    def link_under(self, point: QPoint) -> WikiLink | None:
        """The link at a point of the viewport; beyond a line's end there is none."""
        cursor = self.cursorForPosition(point)
        near = self.fontMetrics().averageCharWidth() * 2
        return self.link_at(cursor) if self.cursorRect(cursor).adjusted(-near, 0, near, 0).contains(point) else None


def linked_text(cursor: QTextCursor) -> tuple[WikiLink, QTextCursor] | None:
    """The link that a cursor is in or beside, and a cursor that selects it."""
    line, at = cursor.block().text(), cursor.positionInBlock()
    for span in find_wiki_links(line):
        start, end = utf16_length(line[: span.start]), utf16_length(line[: span.end])
        if start <= at <= end:
            selected = QTextCursor(cursor)
            selected.setPosition(cursor.block().position() + start)
            selected.setPosition(cursor.block().position() + end, QTextCursor.MoveMode.KeepAnchor)
            return span.link, selected
    return None


def _for_document(text: str) -> str:
    """Text that comes in, with any line ends."""
    return for_document(text.replace("\r\n", "\n").replace("\r", "\n"))
