"""What must be said above a text, with what can be done about it: bars in the editor, never a pop-up."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QPushButton, QWidget

from wikimem_desktop.engine.errors import ContentNotStorable
from wikimem_desktop.presentation.buffer import Buffer, Disagreement, Place
from wikimem_desktop.presentation.words import clock_time
from wikimem_desktop.widgets.styled import styled

_NARROW = 720


class Bar(QWidget):
    """One sentence and its buttons; hidden while there is nothing to say."""

    def __init__(self, level: str = "warning") -> None:
        super().__init__()
        styled(self, "bar", level=level)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._text = QLabel(wordWrap=True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(8)
        self._layout = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._layout.setContentsMargins(18, 7, 16, 7)
        self._layout.setSpacing(8)
        self._layout.addWidget(self._text, 1)
        self._layout.addLayout(self._buttons)
        self.hide()

    def arrange(self, width: int) -> None:
        """In a narrow window the buttons stand below the words. (A `resizeEvent` of its own would be a frame late.)"""
        narrow = width < _NARROW and self._buttons.count() > 0
        direction = QBoxLayout.Direction
        self._layout.setDirection(direction.TopToBottom if narrow else direction.LeftToRight)
        alignment = Qt.AlignmentFlag.AlignLeft if narrow else Qt.AlignmentFlag.AlignVCenter
        self._layout.setAlignment(self._buttons, alignment)

    def focus_first(self) -> bool:
        """The first button that can be pressed gets the focus: a decision is wanted. False: there is none."""
        items = [self._buttons.itemAt(at) for at in range(self._buttons.count())]
        buttons = [item.widget() for item in items if item is not None]
        first = next((button for button in buttons if button and not button.isHidden() and button.isEnabled()), None)
        if first is not None:
            first.setFocus()
        return first is not None

    @property
    def text(self) -> str:
        return self._text.text()

    def add_button(self, text: str, slot: Callable[[], object] | None = None) -> QPushButton:
        button = QPushButton(text)
        if slot is not None:
            button.clicked.connect(slot)
        self._buttons.addWidget(button)
        return button

    def say(self, text: str) -> None:
        """Show the sentence; nothing to say hides the bar."""
        self._text.setText(text)
        self.setAccessibleName(text)
        self.setVisible(bool(text))


class NoteBar(Bar):
    """What must be known about the text on show; a section that hosts ignore can be renamed or deleted, a file that is
    not UTF-8 converted."""

    def __init__(self) -> None:
        super().__init__()
        self.rename = self.add_button(self.tr("Rename…"))
        self.delete = self.add_button(self.tr("Delete this section"))
        self.convert = self.add_button(self.tr("Convert to UTF-8…"))

    def show_note(self, text: str, *, ignored_section: bool, convertible: bool = False) -> None:
        self.rename.setVisible(ignored_section)
        self.delete.setVisible(ignored_section)
        self.convert.setVisible(convertible)
        self.say(text)


class ConflictBar(Bar):
    """The disk says something else than the unsaved text is based on.

    Signals:
        mine_kept, theirs_taken: the person decided.
        recreate_wanted: the item is gone from the disk; the text is to be written as a new one.
    """

    mine_kept = Signal()
    theirs_taken = Signal()
    recreate_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.compare = self.add_button(self.tr("View difference"))
        self.compare.setCheckable(True)
        self.merge = self.add_button(self.tr("Merge…"))
        self.merge.setCheckable(True)
        self.keep_mine = self.add_button(self.tr("Keep mine"), self.mine_kept.emit)
        self.recreate = self.add_button(self.tr("Re-create"), self.recreate_wanted.emit)
        self.take_theirs = self.add_button(self.tr("Take theirs"), self.theirs_taken.emit)
        self.compare.toggled.connect(self._on_compare_toggled)
        self.merge.toggled.connect(self._on_merge_toggled)

    @Slot(bool)
    def _on_compare_toggled(self, comparing: bool) -> None:
        self.compare.setText(self.tr("Back to my text") if comparing else self.tr("View difference"))
        if comparing:
            self.merge.setChecked(False)

    @Slot(bool)
    def _on_merge_toggled(self, merging: bool) -> None:
        if merging:
            self.compare.setChecked(False)

    def show_conflict(self, buffer: Buffer | None, *, refused: bool = False) -> None:
        """`refused`: the person tried to save it."""
        conflict = buffer.conflict if buffer else None
        if buffer is None or conflict is None:
            self.compare.setChecked(False)
            self.merge.setChecked(False)
            self.say("")
            return
        gone = conflict.theirs is None
        self.compare.setVisible(not gone)
        self.merge.setVisible(not gone)
        self.keep_mine.setVisible(not gone)
        self.recreate.setVisible(gone)
        self.take_theirs.setText(self.tr("Discard mine") if gone else self.tr("Take theirs"))
        words = self._words(buffer, conflict, gone=gone)
        self.say(self.tr("Not saved.") + " " + words if refused else words)

    def _words(self, buffer: Buffer, conflict: Disagreement, *, gone: bool) -> str:
        mine = clock_time(buffer.typed_at) if buffer.typed_at else ""
        yours = (
            self.tr("Your text from {0} is here, not saved.").format(mine)
            if mine
            else self.tr("Your text is here, not saved.")
        )
        if gone:
            seen = clock_time(conflict.seen_at)
            return self.tr("Deleted or renamed on disk by another program (seen at {0}).").format(seen) + " " + yours
        when = clock_time(conflict.changed_at or conflict.seen_at)
        return self.tr("Changed on disk by another program at {0}.").format(when) + " " + yours


class OverwrittenBar(Bar):
    """Another program took back what the person saved.

    Signals:
        reapply_wanted, dismissed: the person decided.
    """

    reapply_wanted = Signal()
    dismissed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.compare = self.add_button(self.tr("View difference"))
        self.compare.setCheckable(True)
        self.reapply = self.add_button(self.tr("Reapply"), self.reapply_wanted.emit)
        self.dismiss = self.add_button(self.tr("Leave it"), self.dismissed.emit)

    def show_loss(self, saved_at: datetime | None) -> None:
        """When the person had saved it; None: nothing was taken back."""
        if saved_at is None:
            self.compare.setChecked(False)
            self.say("")
            return
        words = self.tr("Another program wrote an older copy: what you saved at {0} is not there any more.")
        self.say(words.format(clock_time(saved_at)))


class FileBar(Bar):
    """An item can't be shown alone: its file holds unsaved changes that are not of single items.

    Signals:
        save_wanted, discard_wanted: the person decided.
    """

    save_wanted = Signal()
    discard_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.save = self.add_button(self.tr("Save"), self.save_wanted.emit)
        self.discard = self.add_button(self.tr("Discard"), self.discard_wanted.emit)
        self.discard.setToolTip(self.tr("The text is kept among the drafts"))
        self.stay = self.add_button(self.tr("Stay here"), lambda: self.say(""))

    def show_kept(self, place: Place, *, read_only: bool) -> None:
        """The item that was wanted."""
        self.save.setEnabled(not read_only)
        words = self.tr("{0} is shown in its file, which holds unsaved changes that are not of single items.")
        self.say(words.format(place.name))


class UnstorableBar(Bar):
    """A line of the text would be read as another item, or as metadata.

    Signals:
        split_wanted: the text is to become several items.
        escape_wanted: such lines are to be changed so that they stay text.
        cancel_wanted: the text is to stay as it is, unsaved.
    """

    split_wanted = Signal()
    escape_wanted = Signal()
    cancel_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.split = self.add_button(self.tr("Split into items"), self.split_wanted.emit)
        self.escape = self.add_button(self.tr("Escape"), self.escape_wanted.emit)
        self.cancel = self.add_button(self.tr("Cancel"), self.cancel_wanted.emit)
        self.escape.setToolTip(self.tr("Change these lines so that they stay text"))
        self.cancel.setToolTip(self.tr("Leave the text as it is, unsaved"))

    def show_error(self, error: ContentNotStorable | None, *, refused: bool = False, split_error: str = "") -> None:
        """`refused`: the person tried to save it. `split_error`: why it can't become several items."""
        if error is None:
            self.say("")
            return
        line = error.text.strip()
        line = line if len(line) <= 60 else line[:59] + "…"
        texts = {
            "heading": self.tr("Line {0} (“{1}”) would start another item when hosts read it."),
            "metadata": self.tr("Line {0} (“{1}”) would be read as metadata and vanish from the text."),
            "surrogate": self.tr("Line {0} holds half a character, which no file can hold. Delete it."),
        }
        words = texts[error.kind].format(error.line, line)
        self.split.setVisible(error.kind == "heading")
        self.split.setEnabled(not split_error)
        if split_error:
            words += " " + self.tr("It can't be split: {0}").format(split_error)
        self.escape.setVisible(error.kind != "surrogate")
        self.say(self.tr("Not saved.") + " " + words if refused else words)
