"""The open item: its name, text or rendering, metadata and cost, and what must be decided about it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent, QKeySequence, QResizeEvent, QShowEvent, QTextCursor
from PySide6.QtWidgets import QLabel, QStackedWidget, QVBoxLayout, QWidget

from wikimem_desktop.engine.links import WikiLink
from wikimem_desktop.presentation.buffer import Buffer
from wikimem_desktop.presentation.document import Documents
from wikimem_desktop.presentation.item_facts import FactsCounter, ItemFacts
from wikimem_desktop.presentation.library import Library
from wikimem_desktop.presentation.link_reach import Reach, reach
from wikimem_desktop.presentation.overwritten import Overwritten
from wikimem_desktop.presentation.qt_text import ShownText, from_raw
from wikimem_desktop.presentation.saver import Saver
from wikimem_desktop.presentation.structure import Structure
from wikimem_desktop.presentation.words import clock_time
from wikimem_desktop.widgets.editor.bars import Bar, ConflictBar, FileBar, NoteBar, OverwrittenBar, UnstorableBar
from wikimem_desktop.widgets.editor.completion_popup import CompletionPopup
from wikimem_desktop.widgets.editor.conflict_view import ConflictView
from wikimem_desktop.widgets.editor.conversion import ConversionDialog
from wikimem_desktop.widgets.editor.find_bar import FindBar
from wikimem_desktop.widgets.editor.footer import Footer
from wikimem_desktop.widgets.editor.header import Header
from wikimem_desktop.widgets.editor.link_hover import LinkHover
from wikimem_desktop.widgets.editor.merge_view import MergeView
from wikimem_desktop.widgets.editor.reader import Reader
from wikimem_desktop.widgets.editor.split_view import SplitView
from wikimem_desktop.widgets.editor.text_edit import TextEdit
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme


class ItemView(QWidget):
    """Signals:
    link_followed: a WikiLink of the text.
    rename_wanted: the person gave the open item this name.
    """

    link_followed = Signal(object)
    rename_wanted = Signal(str)

    def __init__(
        self,
        documents: Documents,
        saver: Saver,
        library: Library,
        structure: Structure,
        overwritten: Overwritten,
        theme: Theme,
    ) -> None:
        super().__init__()
        self.setObjectName("page")
        self._documents = documents
        self._saver = saver
        self._library = library
        self._structure = structure
        self._overwritten = overwritten
        self._refused = False
        """Whether the person tried to save what can't be saved before a decision."""
        self._put_off = False
        """Whether the person does not want to decide about unstorable lines now."""
        self._facts = FactsCounter()
        self.text_edit = TextEdit(theme, self._reach)
        self.reader, self.preview = Reader(theme, self._reach), Reader(theme, self._reach)
        self.preview.setAccessibleName(self.tr("Item, rendered beside its text"))
        self.split = SplitView(self.text_edit, self.preview, self._content)
        self.conflict_view = ConflictView(theme)
        self.merge_view = MergeView(theme)
        self.completion = CompletionPopup(self.text_edit, theme, lambda: library.snapshot)
        for text in (self.text_edit, self.reader, self.preview):
            LinkHover(text, library.target)
        self.find_bar = FindBar(theme)
        self._empty = styled(QLabel(alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True), "muted")
        self.stack = QStackedWidget()
        for page in (self._empty, self.split, self.reader, self.conflict_view, self.merge_view):
            self.stack.addWidget(page)
        self.header = Header(self._name_error)
        self.note_bar, self.conflict_bar, self.unstorable_bar = NoteBar(), ConflictBar(), UnstorableBar()
        self.overwritten_bar, self.file_bar = OverwrittenBar(), FileBar()
        self.footer = Footer()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for widget in (self.header, *self._bars, self.stack, self.find_bar, self.footer):
            layout.addWidget(widget, int(widget is self.stack))
        self._connect()
        self._show_current()

    def _connect(self) -> None:
        documents = self._documents
        self._facts.counted.connect(self._on_counted)
        self.text_edit.long_lines_changed.connect(self._show_state)
        texts = (self.text_edit, self.footer.owner, self.footer.source)
        for text in texts:
            text.composing_changed.connect(documents.set_composing)
        for leaving in (documents.leaving, self.header.way_changed, self.conflict_bar.compare.toggled):
            for text in texts:
                leaving.connect(text.commit_composition)
        documents.current_changed.connect(self._show_current)
        documents.text_replaced.connect(self._on_text_replaced)
        documents.state_changed.connect(self._show_state)
        for undecided in (self._saver.refused, documents.undecided):
            undecided.connect(self._on_save_refused)
        self._library.snapshot_changed.connect(self._on_snapshot_changed)
        self._library.problems_changed.connect(self._show_facts)
        self.text_edit.link_followed.connect(self.link_followed)
        self.reader.link_followed.connect(self.link_followed)
        self.preview.link_followed.connect(self.link_followed)
        self._saver.saved.connect(self.split.refresh)
        self.header.rename_wanted.connect(self.rename_wanted)
        self.header.save.clicked.connect(self._saver.save)
        self.header.way_changed.connect(self._show_page)
        self.note_bar.convert.clicked.connect(self._on_convert_wanted)
        self.conflict_bar.compare.toggled.connect(self._show_page)
        self.conflict_bar.merge.toggled.connect(self._on_merge_toggled)
        self._overwritten.changed.connect(self._show_state)
        self.overwritten_bar.compare.toggled.connect(self._show_page)
        self.overwritten_bar.reapply_wanted.connect(self._on_reapply_wanted)
        self.overwritten_bar.dismissed.connect(self._on_loss_dismissed)
        self.merge_view.applied.connect(documents.take_merged)
        self.merge_view.applied.connect(self._leave_merge)
        self.merge_view.left.connect(self._leave_merge)
        self.conflict_bar.mine_kept.connect(self._saver.keep_mine)
        self.conflict_bar.theirs_taken.connect(documents.take_theirs)
        self.conflict_bar.recreate_wanted.connect(self._structure.recreate)
        self.unstorable_bar.split_wanted.connect(self._structure.split)
        self.unstorable_bar.escape_wanted.connect(self._on_escape_wanted)
        self.unstorable_bar.cancel_wanted.connect(self._on_cancel_wanted)

    @property
    def _bars(self) -> list[Bar]:
        return [self.note_bar, self.conflict_bar, self.overwritten_bar, self.unstorable_bar, self.file_bar]

    @property
    def parts(self) -> list[QWidget]:
        """From top to bottom."""
        return [self.header, *self._bars, self.stack, self.find_bar, self.footer]

    def mark_terms(self, terms: list[str]) -> None:
        """Highlight the words of the query that the open item matched."""
        for text in (self.text_edit, self.reader, self.preview):
            text.mark_terms(terms)

    def go_to(self, text: str) -> None:
        """Select the first place where the text stands, if it does."""
        page = self.page
        if isinstance(page, TextEdit | Reader):
            page.moveCursor(QTextCursor.MoveOperation.Start)
            page.find(text)
            page.setFocus()

    def go_to_line(self, line: str, near: int, span: tuple[int, int]) -> None:
        """Select a piece of a line, of several that say the same the nearest to row `near`."""
        page = self.page
        if not isinstance(page, TextEdit | Reader):
            return
        shown = ShownText(page.document())
        rows = shown.text.split("\n")
        alike = [row for row, text in enumerate(rows) if line in text]  # hosts cut where an editor does not
        if alike:
            row = min(alike, key=lambda row: (rows[row] != line, abs(row - near)))
            start = sum(len(text) + 1 for text in rows[:row]) + rows[row].index(line)
            cursor = page.textCursor()
            cursor.setPosition(shown.position(start + span[0]))
            cursor.setPosition(shown.position(start + span[1]), QTextCursor.MoveMode.KeepAnchor)
            page.setTextCursor(cursor)
            page.ensureCursorVisible()
        page.setFocus()

    def selected_line(self) -> str:
        """What is selected in the text, if that is a piece of one line."""
        page = self.page
        selected = from_raw(page.textCursor().selectedText()) if isinstance(page, TextEdit | Reader) else ""
        return "" if "\n" in selected else selected

    @property
    def page(self) -> QWidget:
        """What is on show."""
        page = self.stack.currentWidget()
        assert page is not None
        return self.text_edit if page is self.split else page

    @Slot()
    def focus_text(self) -> None:
        self.page.setFocus()

    @Slot()
    def focus_bar(self) -> None:
        """What is said above the text, and can be decided there, gets the focus."""
        for bar in self._bars:
            if bar.isVisible() and bar.focus_first():
                return

    @Slot()
    def start_writing(self) -> None:
        """Put the caret into the text."""
        if not self.header.split.isChecked():
            self.header.write.setChecked(True)
        self.text_edit.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leads from a bar back to the text, and from the two texts of a conflict to one's own."""
        in_bar = any(bar.isAncestorOf(self.focusWidget() or self) for bar in self._bars)
        if event.key() == Qt.Key.Key_Escape and (in_bar or self.conflict_bar.compare.isChecked()):
            self.conflict_bar.compare.setChecked(False)
            self.focus_text()
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.header.arrange(event.size().width())
        for bar in self._bars:
            bar.arrange(event.size().width())
        self.footer.arrange(event.size().width())
        super().resizeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_facts()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._facts.count(None, None)

    def _content(self) -> str:
        return self._documents.current.content if self._documents.current is not None else ""

    def _reach(self, link: WikiLink) -> Reach:
        return reach(link, self._library.target(link))

    def _name_error(self, name: str) -> str:
        buffer = self._documents.current
        return self._structure.name_error(buffer.place.category, name, buffer.place.name) if buffer else ""

    # ------------------------------------------------------------ showing

    @Slot()
    def _show_current(self) -> None:
        buffer = self._documents.current
        self._refused = self._put_off = False
        self.conflict_bar.compare.setChecked(False)
        self.conflict_bar.merge.setChecked(False)
        self.footer.setVisible(buffer is not None)
        self.header.show_buffer(buffer, read_only=self._documents.read_only)
        self.text_edit.show_buffer(buffer if buffer is not None and buffer.editable else None)
        self.text_edit.setReadOnly(False)
        self._show_state()
        self._show_page()

    @Slot()
    def _show_page(self) -> None:
        buffer = self._documents.current
        if buffer is None:
            self._empty.setText(self._invitation())
            self.stack.setCurrentWidget(self._empty)
        elif self.conflict_bar.merge.isChecked() and buffer.conflict is not None:
            self.stack.setCurrentWidget(self.merge_view)
        elif self.overwritten_bar.compare.isChecked() and buffer.place in self._overwritten.losses:
            loss = self._overwritten.losses[buffer.place]
            now, saved = self.tr("On disk now"), self.tr("What you saved at {0}").format(clock_time(loss.saved.at))
            self.conflict_view.show_texts(now, loss.now.item.content, saved, loss.saved.after.item.content)
            self.stack.setCurrentWidget(self.conflict_view)
        elif self.conflict_bar.compare.isChecked() and buffer.conflict is not None:
            self.conflict_view.show_conflict(buffer, buffer.conflict)
            self.stack.setCurrentWidget(self.conflict_view)
        elif buffer.editable and not self.header.read.isChecked():
            self.stack.setCurrentWidget(self.split)
            self.split.set_split(self.header.split.isChecked())
        else:
            self.reader.load(buffer.text if buffer.place.kind == "file" else buffer.content,
                             plain=buffer.place.kind == "file")  # fmt: skip
            self.stack.setCurrentWidget(self.reader)
        merging = self.page is self.merge_view
        self.footer.setVisible(buffer is not None and not merging)
        self.conflict_bar.setVisible(bool(self.conflict_bar.text) and not merging)
        self.find_bar.search_in(self.page)
        self.setFocusProxy(self.page)

    @Slot()
    def _show_state(self) -> None:
        buffer = self._documents.current
        dirty = buffer is not None and buffer.dirty
        self.header.show_state(dirty=dirty, can_save=self._documents.can_save)
        self.footer.show_buffer(buffer, read_only=self._documents.read_only)
        writable = buffer is not None and not self._documents.read_only_store
        ignored = writable and buffer is not None and buffer.place.kind == "shadowed"
        convertible = writable and buffer is not None and buffer.place.kind == "file" and buffer.foreign is not None
        self.note_bar.show_note(self._note(buffer), ignored_section=ignored, convertible=convertible)
        error = buffer.unstorable() if buffer is not None and dirty else None
        in_conflict = buffer is not None and buffer.conflict is not None
        self._refused = self._refused and (error is not None or in_conflict)
        self._put_off = self._put_off and error is not None
        self.conflict_bar.show_conflict(buffer, refused=self._refused)
        self.conflict_bar.setVisible(bool(self.conflict_bar.text) and self.page is not self.merge_view)
        loss = self._overwritten.losses.get(buffer.place) if buffer is not None and not in_conflict else None
        self.overwritten_bar.show_loss(loss.saved.at if loss is not None else None)
        heading = error is not None and error.kind == "heading"
        split_error = self._structure.split_error() if heading else ""
        asked = None if self._put_off else error
        self.unstorable_bar.show_error(asked, refused=self._refused, split_error=split_error)
        if self.stack.currentWidget() is self.conflict_view:
            self._show_page()
        self._show_facts()

    def _note(self, buffer: Buffer | None) -> str:
        """What must be known about the text on show, if anything."""
        if buffer is None:
            return ""
        notes = {
            "day": self.tr("A diary day, read-only here."),
            "shadowed": self.tr(
                "Hosts ignore this section: a later one in the file has its name. Their next write of it removes this."
            ),
            "file": self.tr("This file is not read by hosts or indexed; it stays as it is."),
        }
        if buffer.place.kind in notes and not buffer.editable:
            return " ".join(filter(None, (notes[buffer.place.kind], self._encoding_note(buffer))))
        if self._documents.read_only_store:
            return self.tr("Open read-only: changes can't be saved.")
        if buffer.editable and self.text_edit.long_lines:
            return self.tr("A line of this text is very long: shown without wrapping and colours.")
        return ""

    def _encoding_note(self, buffer: Buffer) -> str:
        if buffer.foreign is None:
            return ""
        if buffer.foreign.charset is None:
            return self.tr("It is not UTF-8; what can't be read is shown as �.")
        return self.tr("It is not UTF-8; shown as {0}, which is a guess.").format(buffer.foreign.charset.label)

    @Slot()
    def _show_facts(self) -> None:
        buffer = self._documents.current
        snapshot = self._library.snapshot
        self._facts.count(buffer if self.isVisible() else None, snapshot)

    @Slot(object)
    def _on_counted(self, facts: ItemFacts) -> None:
        buffer = self._documents.current
        if buffer is not None:
            inbound = self._library.findings.links_to(buffer.place.category, buffer.place.name)
            self.footer.show_facts(buffer, facts, len(inbound))

    @Slot()
    def _on_text_replaced(self) -> None:
        if self.page is self.reader:
            self._show_page()
        self.split.refresh()
        self._show_state()

    @Slot()
    def _on_snapshot_changed(self) -> None:
        if self._documents.current is not None:
            self._show_state()
            self.text_edit.refresh_links()
            self.reader.refresh_links()
            self.preview.refresh_links()
        else:
            self._empty.setText(self._invitation())

    def _invitation(self) -> str:
        """What to do while nothing is open."""
        snapshot = self._library.snapshot
        if snapshot is None or snapshot.files or self._documents.read_only_store:
            return self.tr("Choose an item in the memory.")
        key = QKeySequence("Ctrl+N").toString(QKeySequence.SequenceFormat.NativeText)
        return self.tr("This memory is empty. {0} makes its first item.").format(key)

    # ------------------------------------------------------------ deciding

    @Slot(bool)
    def _on_merge_toggled(self, merging: bool) -> None:
        buffer = self._documents.current
        theirs = buffer.conflict.theirs if buffer is not None and buffer.conflict is not None else None
        if merging and buffer is not None and theirs is not None:
            self.text_edit.commit_composition()
            self.merge_view.show_merge(buffer, theirs)
        self._show_page()
        if merging:
            self.merge_view.setFocus()

    @Slot()
    def _on_reapply_wanted(self) -> None:
        if self._documents.current is not None:
            self._overwritten.reapply(self._documents.current.place)

    @Slot()
    def _on_loss_dismissed(self) -> None:
        if self._documents.current is not None:
            self._overwritten.dismiss(self._documents.current.place)

    @Slot()
    def _leave_merge(self) -> None:
        self.conflict_bar.merge.setChecked(False)
        self.text_edit.setFocus()

    @Slot()
    def _on_save_refused(self) -> None:
        """Show what must be decided first."""
        buffer = self._documents.current
        self._refused, self._put_off = True, False
        if buffer is not None and buffer.conflict is not None:
            self.conflict_bar.compare.setChecked(buffer.conflict.theirs is not None)
        self._show_state()
        if buffer is not None and buffer.conflict is not None:
            self.conflict_bar.focus_first()

    @Slot()
    def _on_escape_wanted(self) -> None:
        buffer = self._documents.current
        if buffer is not None:
            buffer.escape()
            self.text_edit.setFocus()

    @Slot()
    def _on_convert_wanted(self) -> None:
        buffer = self._documents.current
        if buffer is not None and buffer.foreign is not None:
            dialog = ConversionDialog(buffer.foreign, self.window())
            dialog.agreed.connect(partial(self._structure.convert, buffer.place.category, buffer.foreign.data))
            dialog.show()

    @Slot()
    def _on_cancel_wanted(self) -> None:
        self._put_off, self._refused = True, False
        self._show_state()
        self.text_edit.setFocus()
