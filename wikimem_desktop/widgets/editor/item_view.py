"""The open item: address, text or rendering, metadata, cost, and what to do when the disk disagrees."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from wikimem_desktop.engine.items import MemoryItem
from wikimem_desktop.engine.links import WikiLink
from wikimem_desktop.presentation.document import Buffer, Documents
from wikimem_desktop.presentation.item_facts import ItemFacts, item_facts
from wikimem_desktop.presentation.library import Library
from wikimem_desktop.presentation.words import local_time
from wikimem_desktop.widgets.editor.conflict_view import ConflictView
from wikimem_desktop.widgets.editor.reader import Reader
from wikimem_desktop.widgets.editor.text_edit import TextEdit
from wikimem_desktop.widgets.elided_label import ElidedLabel
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme


class ItemView(QWidget):
    """Signals:
    link_followed: a WikiLink of the text.
    """

    link_followed = Signal(object)

    def __init__(self, documents: Documents, library: Library, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("page")
        self._documents = documents
        self._library = library
        self._theme = theme
        self._comparing = False
        self.text_edit = TextEdit(theme, self._resolves)
        self.reader = Reader(theme, self._resolves)
        self.conflict_view = ConflictView(theme)
        self._empty = QLabel(self.tr("Choose an item in the memory."), alignment=Qt.AlignmentFlag.AlignCenter)
        self._empty.setObjectName("muted")
        self.stack = QStackedWidget()
        for page in (self._empty, self.text_edit, self.reader, self.conflict_view):
            self.stack.addWidget(page)
        self._build_header()
        self._build_bar()
        self._build_footer()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for widget in (self._header, self._bar, self.stack, self._footer):
            layout.addWidget(widget, int(widget is self.stack))
        self._connect()
        self._show_current()

    def _build_header(self) -> None:
        self._header = styled(QWidget(), "header")
        self._category = ElidedLabel()
        self._category.setObjectName("muted")
        self._name = ElidedLabel()
        self._name.setObjectName("title")
        self._unsaved = styled(QLabel("●"), "unsavedMark")
        self._unsaved.setToolTip(self.tr("Unsaved text"))
        self.save_button = QPushButton(self.tr("Save"))
        self.write = _segment(self.tr("Write"), "segmentLeft")
        self.read = _segment(self.tr("Read"), "segmentRight")
        group = QButtonGroup(self)
        group.addButton(self.write)
        group.addButton(self.read)
        self.write.setChecked(True)
        row = QHBoxLayout(self._header)
        row.setContentsMargins(18, 8, 16, 8)
        row.setSpacing(6)
        row.addWidget(self._category)
        row.addWidget(self._name, 1)
        row.addWidget(self._unsaved)
        row.addWidget(self.save_button)
        row.addSpacing(8)
        segments = QHBoxLayout()
        segments.setSpacing(0)
        segments.addWidget(self.write)
        segments.addWidget(self.read)
        row.addLayout(segments)

    def _build_bar(self) -> None:
        self._bar = styled(QWidget(), "bar")
        self._bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._bar_text = QLabel(wordWrap=True)
        self.compare_button = QPushButton(self.tr("Show both texts"))
        self.compare_button.setCheckable(True)
        row = QHBoxLayout(self._bar)
        row.setContentsMargins(18, 7, 16, 7)
        row.addWidget(self._bar_text, 1)
        row.addWidget(self.compare_button)

    def _build_footer(self) -> None:
        self._footer = styled(QWidget(), "footer")
        self._fields = {key: ElidedLabel() for key in ("owner", "source", "written")}
        labels = {"owner": self.tr("Owner"), "source": self.tr("Source"), "written": self.tr("Written")}
        fields = QHBoxLayout()
        fields.setSpacing(8)
        for key, value in self._fields.items():
            label = QLabel(labels[key])
            label.setObjectName("fieldName")
            fields.addWidget(label)
            fields.addWidget(value, 1)
        self._facts = QLabel(wordWrap=True)
        self._facts.setObjectName("muted")
        column = QVBoxLayout(self._footer)
        column.setContentsMargins(18, 10, 16, 10)
        column.setSpacing(8)
        column.addLayout(fields)
        column.addWidget(self._facts)

    def _connect(self) -> None:
        documents = self._documents
        documents.current_changed.connect(self._show_current)
        documents.text_replaced.connect(self._on_text_replaced)
        documents.state_changed.connect(self._show_state)
        self._library.snapshot_changed.connect(self._on_snapshot_changed)
        self.text_edit.edited.connect(self._on_edited)
        self.text_edit.link_followed.connect(self.link_followed)
        self.reader.link_followed.connect(self.link_followed)
        self.save_button.clicked.connect(documents.save)
        self.write.toggled.connect(self._show_page)
        self.compare_button.toggled.connect(self._on_compare_toggled)
        self.conflict_view.mine_kept.connect(documents.keep_mine)
        self.conflict_view.theirs_taken.connect(documents.take_theirs)

    def mark_terms(self, terms: list[str]) -> None:
        """Highlight the words of the query that the open item matched."""
        self.text_edit.mark_terms(terms)
        self.reader.mark_terms(terms)

    def go_to(self, text: str) -> None:
        """Select the first place where the text stands, if it does."""
        page = self.stack.currentWidget()
        if isinstance(page, TextEdit | Reader):
            page.moveCursor(QTextCursor.MoveOperation.Start)
            page.find(text)
            page.setFocus()

    def focus_text(self) -> None:
        page = self.stack.currentWidget()
        if page is not None:
            page.setFocus()

    def _resolves(self, link: WikiLink) -> bool:
        snapshot = self._library.snapshot
        return snapshot is not None and snapshot.item(link.category, link.name) is not None

    @Slot()
    def _show_current(self) -> None:
        buffer = self._documents.current
        self.compare_button.setChecked(False)
        self._header.setVisible(buffer is not None)
        self._footer.setVisible(buffer is not None)
        if buffer is not None:
            self._category.setText(_heading(buffer, self.tr("diary")))
            self._name.setText(buffer.place.name or buffer.place.category)
            self._load(buffer)
            self._show_fields(buffer.base)
        self._show_state()
        self._show_page()

    def _load(self, buffer: Buffer) -> None:
        if buffer.editable:
            self.text_edit.load(buffer.text)
        self.reader.load(buffer.text, plain=not buffer.editable and buffer.place.kind == "file")

    @Slot()
    def _show_page(self) -> None:
        buffer = self._documents.current
        if buffer is None:
            self.stack.setCurrentWidget(self._empty)
        elif self._comparing and buffer.conflict is not None:
            self.stack.setCurrentWidget(self.conflict_view)
        elif buffer.editable and self.write.isChecked():
            self.stack.setCurrentWidget(self.text_edit)
        else:
            self.reader.load(buffer.text, plain=buffer.place.kind == "file")
            self.stack.setCurrentWidget(self.reader)

    @Slot()
    def _show_state(self) -> None:
        buffer = self._documents.current
        dirty = buffer is not None and buffer.dirty
        self._unsaved.setVisible(dirty)
        self.save_button.setEnabled(dirty and not self._documents.read_only)
        editable = buffer is not None and buffer.editable
        for button in (self.save_button, self.write, self.read):
            button.setVisible(editable)
        text = self._bar_words(buffer)
        self._bar.setVisible(bool(text))
        self._bar_text.setText(text)
        conflict = buffer.conflict if buffer else None
        self.compare_button.setVisible(conflict is not None)
        if buffer is not None and conflict is not None:
            seen = buffer.conflict_seen_at
            time = seen.strftime("%H:%M") if seen else ""
            self.conflict_view.show_texts(conflict.theirs.content if conflict.theirs else None, buffer.text, time)
        elif self._comparing:
            self.compare_button.setChecked(False)
        self._show_facts()

    def _bar_words(self, buffer: Buffer | None) -> str:
        """What must be said about the text on show, if anything."""
        if buffer is None:
            return ""
        if buffer.conflict is not None:
            if buffer.conflict.theirs is None:
                return self.tr("This item was deleted or renamed on disk. Your text is not saved.")
            return self.tr("This item was changed on disk since you opened it. Your text is not saved.")
        notes = {
            "day": self.tr("A diary day, read-only here."),
            "shadowed": self.tr("Hosts ignore this section: a later one in the file has its name."),
            "file": self.tr("This file is not read by hosts or indexed; it stays as it is."),
        }
        if buffer.place.kind in notes:
            return notes[buffer.place.kind]
        store = self._library.store
        return self.tr("Open read-only: changes can't be saved.") if store is not None and store.read_only else ""

    def _show_fields(self, item: MemoryItem | None) -> None:
        values = {"owner": item.owner, "source": item.source_conv, "written": local_time(item.ts)} if item else {}
        for key, label in self._fields.items():
            label.setText(values.get(key) or "–")

    def _show_facts(self) -> None:
        buffer = self._documents.current
        snapshot = self._library.snapshot
        if buffer is None or snapshot is None:
            return
        self._facts.setText(self._facts_words(buffer, item_facts(buffer, snapshot)))

    def _facts_words(self, buffer: Buffer, facts: ItemFacts) -> str:
        parts = [self.tr("%n token(s)", None, facts.tokens), self.tr("%n character(s)", None, facts.characters)]
        if buffer.place.kind == "item":
            parts.append(self.tr("%n link(s) out", None, facts.links_out))
            if facts.unresolved:
                parts[-1] += ", " + self.tr("%n unresolved", None, facts.unresolved)
            parts.append(self.tr("Not saved") if buffer.dirty else self.tr("Saved"))
        if facts.tokens == 0 and facts.characters:
            parts.append(self.tr("no letters a–z, digits, CJK or kana: hosts can't find it and count it as free"))
        return " · ".join(parts)

    @Slot()
    def _on_text_replaced(self) -> None:
        buffer = self._documents.current
        if buffer is not None:
            if buffer.editable:
                self.text_edit.replace(buffer.text)
            self.reader.load(buffer.text, plain=not buffer.editable and buffer.place.kind == "file")
            self._show_fields(buffer.base)
            self._show_state()

    @Slot()
    def _on_snapshot_changed(self) -> None:
        buffer = self._documents.current
        if buffer is not None:
            self._show_fields(buffer.base)
            self._show_facts()
            self.text_edit.refresh_links()
            self.reader.refresh_links()

    @Slot()
    def _on_edited(self) -> None:
        self._documents.set_text(self.text_edit.text)

    @Slot(bool)
    def _on_compare_toggled(self, on: bool) -> None:
        self._comparing = on
        self._show_page()


def _segment(text: str, name: str) -> QToolButton:
    button = styled(QToolButton(), name, text=text, checkable=True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def _heading(buffer: Buffer, diary: str) -> str:
    if buffer.place.kind == "day":
        return f"{diary} ›"
    return f"{buffer.place.category} ›" if buffer.place.name else ""
