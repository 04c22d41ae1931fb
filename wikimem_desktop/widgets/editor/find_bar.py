"""Find and replace in the open item: a bar below its text."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import pairwise

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QApplication,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QTextEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from wikimem_desktop.presentation.finding import BadPattern, Search, Span, find_spans, next_span, previous_span
from wikimem_desktop.presentation.qt_text import ShownText, for_document, from_raw
from wikimem_desktop.widgets.editor.reader import Reader
from wikimem_desktop.widgets.editor.text_edit import TextEdit
from wikimem_desktop.widgets.fields import LineField
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme

_PAUSE_MS = 80
_MOST_MARKED = 2000


class FindBar(QWidget):
    """Hidden until asked for. Searches whatever page it was given last; only a `TextEdit` can be replaced in."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        styled(self, "findBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._page: TextEdit | Reader | None = None
        self._shown: ShownText | None = None
        self._spans: list[Span] = []
        self._note = ""
        """What replacing came to."""
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._build()
        self._lay_out()
        self._connect()
        self._set_icons()
        self.hide()

    # ------------------------------------------------------------ its parts

    def _build(self) -> None:
        self.find_field = _Field(self.tr("Find"))
        self.replace_field = _Field(self.tr("Replace with"))
        self.count = QLabel()
        self.count.setObjectName("muted")
        self.message = QLabel(wordWrap=True)
        self.message.setObjectName("findMessage")
        self.match_case = self._button(self.tr("Match case"), toggle=True)
        self.whole_words = self._button(self.tr("Whole words"), toggle=True)
        self.regex = self._button(self.tr("Regular expression"), toggle=True)
        self.previous = self._button(self.tr("Previous match (Shift+Enter)"))
        self.next = self._button(self.tr("Next match (Enter)"))
        self.close_button = self._button(self.tr("Close (Esc)"))
        self.replace_button = QPushButton(self.tr("Replace"))
        self.replace_all_button = QPushButton(self.tr("Replace all"))

    @staticmethod
    def _button(words: str, *, toggle: bool = False) -> QToolButton:
        button = styled(QToolButton(), "toggle", checkable=toggle, toolTip=words)
        button.setAccessibleName(words)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _lay_out(self) -> None:
        switches = QHBoxLayout()
        switches.setSpacing(2)
        for button in (self.match_case, self.whole_words, self.regex):
            switches.addWidget(button)
        switches.addSpacing(8)
        for button in (self.previous, self.next, self.close_button):
            switches.addWidget(button)
        replacing = QHBoxLayout()
        replacing.setSpacing(6)
        replacing.addWidget(self.replace_button)
        replacing.addWidget(self.replace_all_button)
        replacing.addStretch(1)
        self._replacing = QWidget()
        replacing.setContentsMargins(0, 0, 0, 0)
        self._replacing.setLayout(replacing)
        self.count.setMinimumWidth(self.fontMetrics().horizontalAdvance("0000 / 0000"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(0, 1)
        grid.addWidget(self.find_field, 0, 0)
        grid.addWidget(self.count, 0, 1)
        grid.addLayout(switches, 0, 2)
        grid.addWidget(self.replace_field, 1, 0)
        grid.addWidget(self._replacing, 1, 1, 1, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 8, 16, 8)
        column.setSpacing(6)
        column.addLayout(grid)
        column.addWidget(self.message)
        order = (
            self.find_field, self.replace_field, self.replace_button, self.replace_all_button, self.match_case,
            self.whole_words, self.regex, self.previous, self.next, self.close_button,
        )  # fmt: skip
        for before, after in pairwise(order):
            self.setTabOrder(before, after)
        self.message.hide()

    def _connect(self) -> None:
        self.find_field.textChanged.connect(self._on_search_changed)
        for switch in (self.match_case, self.whole_words, self.regex):
            switch.toggled.connect(self._on_search_changed)
        self.find_field.entered.connect(self.find_next)
        self.find_field.entered_back.connect(self.find_previous)
        self.replace_field.entered.connect(self.replace)
        self.next.clicked.connect(self.find_next)
        self.previous.clicked.connect(self.find_previous)
        self.replace_button.clicked.connect(self.replace)
        self.replace_all_button.clicked.connect(self.replace_all)
        for field in (self.find_field, self.replace_field):
            field.given_up.connect(self.close_bar)
        self.close_button.clicked.connect(self.close_bar)
        self._pause.timeout.connect(self._refresh)
        self._theme.changed.connect(self._set_icons)

    @Slot()
    def _set_icons(self) -> None:
        icons = {
            self.match_case: "case-sensitive", self.whole_words: "whole-word", self.regex: "regex",
            self.previous: "chevron-up", self.next: "chevron-down", self.close_button: "x",
        }  # fmt: skip
        for button, name in icons.items():
            button.setIcon(self._theme.icon(name))
        self._mark()

    # ------------------------------------------------------------ opening and closing

    def search_in(self, page: QWidget | None) -> None:
        """Search this page from now on, if it holds text to search."""
        page = page if isinstance(page, TextEdit | Reader) else None
        if page is self._page:
            return
        if self._page is not None:
            self._page.textChanged.disconnect(self._on_text_changed)
            self._page.selectionChanged.disconnect(self._count)
            _show_marks(self._page, [])
        self._page, self._note = page, ""
        if page is None:
            self.hide()
            return
        page.textChanged.connect(self._on_text_changed)
        page.selectionChanged.connect(self._count)
        self._show_replacing(self.replace_field.isVisibleTo(self))
        self._refresh()

    @Slot()
    def open_find(self) -> None:
        """Ask what to find; what is selected is suggested."""
        self._open(replacing=False)

    @Slot()
    def open_replace(self) -> None:
        """Ask what to find and what to put in its place."""
        self._open(replacing=True)

    def _open(self, *, replacing: bool) -> None:
        if self._page is None:
            return
        self._note = ""
        self._show_replacing(replacing)
        selected = from_raw(self._page.textCursor().selectedText())
        if selected and "\n" not in selected and not self.isAncestorOf(QApplication.focusWidget() or self):
            with QSignalBlocker(self.find_field):  # the selection is a match already
                self.find_field.setText(re.escape(selected) if self.regex.isChecked() else selected)
        self.show()
        self._refresh()
        self.find_field.setFocus()
        self.find_field.selectAll()

    def _show_replacing(self, replacing: bool) -> None:
        can = isinstance(self._page, TextEdit) and not self._page.isReadOnly()
        for widget in (self.replace_field, self._replacing):
            widget.setVisible(replacing and can)

    @Slot()
    def close_bar(self) -> None:
        self.hide()
        if self._page is not None:
            self._page.setFocus()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._pause.stop()
        self._refresh()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
            return
        super().keyPressEvent(event)

    # ------------------------------------------------------------ finding

    @property
    def _search(self) -> Search:
        return Search(
            self.find_field.text(),
            self.match_case.isChecked(),
            self.whole_words.isChecked(),
            self.regex.isChecked(),
        )

    @Slot()
    def _on_search_changed(self) -> None:
        """What is asked for changed: show the first place from where the caret began."""
        self._note = ""
        self._refresh()
        if self._page is not None and self._shown is not None and self._spans:
            start = self._shown.offset(self._page.textCursor().selectionStart())
            self._select(next_span(self._spans, (start - 1, start)))

    @Slot()
    def _on_text_changed(self) -> None:
        if self.isVisible():
            self._pause.start()

    @Slot()
    def _refresh(self) -> None:
        """Look for all places in the text as it is now."""
        self._pause.stop()
        self._spans, self._shown = [], None
        error = ""
        if self._page is not None and self.isVisible():
            try:
                pattern = self._search.pattern()
                self._shown = ShownText(self._page.document())
                self._spans = find_spans(pattern, self._shown.text) if pattern else []
            except BadPattern as bad:
                error = self.tr("Not a regular expression: {0}").format(bad)
        self._say(error or self._note, bad=bool(error))
        _show_bad(self.find_field, bad=bool(error))
        for button in (self.next, self.previous, self.replace_button, self.replace_all_button):
            button.setEnabled(bool(self._spans))
        self._mark()
        self._count()

    def _say(self, words: str, *, bad: bool) -> None:
        self.message.setText(words)
        _show_bad(self.message, bad=bad)
        self.message.setVisible(bool(words))

    @Slot()
    def _mark(self) -> None:
        if self._page is None:
            return
        marks = []
        format_ = QTextCharFormat()
        format_.setBackground(self._theme.color("found"))
        for span in self._spans[:_MOST_MARKED]:
            mark = QTextEdit.ExtraSelection()
            mark.cursor, mark.format = self._cursor(span), format_
            marks.append(mark)
        _show_marks(self._page, marks)

    @Slot()
    def _count(self) -> None:
        """Say which of the places is selected, or how many there are."""
        words = ""
        if self._shown is not None and self.find_field.text():
            count, number = len(self._spans), self._number()
            if number is not None:
                words = self.tr("{0} of {1}").format(number + 1, count)
            else:
                words = self.tr("%n match(es)", None, count) if count else self.tr("No match")
        self.count.setText(words)

    def _number(self) -> int | None:
        """Which of the places is selected."""
        here = self._here()
        number = bisect_left(self._spans, here)
        return number if self._spans[number : number + 1] == [here] else None

    def _here(self) -> Span:
        assert self._page is not None
        assert self._shown is not None
        cursor = self._page.textCursor()
        return self._shown.offset(cursor.selectionStart()), self._shown.offset(cursor.selectionEnd())

    def _cursor(self, span: Span) -> QTextCursor:
        """The place as a selection."""
        assert self._page is not None
        assert self._shown is not None
        cursor = QTextCursor(self._page.document())
        cursor.setPosition(self._shown.position(span[0]))
        cursor.setPosition(self._shown.position(span[1]), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    @Slot()
    def find_next(self) -> None:
        self._step(next_span)

    @Slot()
    def find_previous(self) -> None:
        self._step(previous_span)

    def _step(self, choose: Callable[[list[Span], Span], int]) -> None:
        if self._pause.isActive():
            self._refresh()
        if self._spans:
            self._select(choose(self._spans, self._here()))

    def _select(self, number: int) -> None:
        assert self._page is not None
        self._page.setTextCursor(self._cursor(self._spans[number]))
        self._page.ensureCursorVisible()
        self._count()  # an empty place is no change of the selection

    # ------------------------------------------------------------ replacing

    @Slot()
    def replace(self) -> None:
        """Replace the selected match and show the next; without one, show what would be replaced."""
        if self._pause.isActive():
            self._refresh()
        if self._spans and self._number() is None:
            self.find_next()
        elif self._spans and self._replace_matches([self._here()]):
            self._refresh()
            self.find_next()

    @Slot()
    def replace_all(self) -> None:
        if self._pause.isActive():
            self._refresh()
        count = len(self._spans)
        if self._replace_matches(self._spans):
            self._note = self.tr("Replaced %n match(es)", None, count)
            self._refresh()

    def _replace_matches(self, spans: Sequence[Span]) -> bool:
        """One undo step; nothing happens when the text to replace with means nothing."""
        if not isinstance(self._page, TextEdit) or self._page.isReadOnly() or self._shown is None:
            return False
        search, template = self._search, self.replace_field.text()
        pattern = search.pattern()
        wanted = set(spans)
        matches = pattern.finditer(self._shown.text) if pattern else ()
        try:
            pieces = [(m.span(), search.replacement(m, template)) for m in matches if m.span() in wanted]
        except BadPattern as bad:
            self._say(self.tr("Can't replace with that: {0}").format(bad), bad=True)
            return False
        change = QTextCursor(self._page.document())
        change.beginEditBlock()
        for span, text in reversed(pieces):
            place = self._cursor(span)
            place.insertText(for_document(text))
        change.endEditBlock()
        if len(pieces) == 1:
            self._page.setTextCursor(place)
        return bool(pieces)


class _Field(LineField):
    """Signals:
    entered, entered_back: Enter, Shift+Enter.
    given_up: Esc.
    """

    entered = Signal()
    entered_back = Signal()
    given_up = Signal()

    def __init__(self, words: str) -> None:
        super().__init__(placeholder=words)
        self.setAccessibleName(words)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if self.composing or (not enter and event.key() != Qt.Key.Key_Escape):
            super().keyPressEvent(event)
        elif not enter:
            self.given_up.emit()
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.entered_back.emit()
        else:
            self.entered.emit()


def _show_bad(widget: QWidget, *, bad: bool) -> None:
    if widget.property("bad") != bad:
        widget.setProperty("bad", bad)
        widget.style().polish(widget)


def _show_marks(page: TextEdit | Reader, marks: list[QTextEdit.ExtraSelection]) -> None:
    if isinstance(page, Reader):
        page.show_found(marks)
    else:
        page.setExtraSelections(marks)
