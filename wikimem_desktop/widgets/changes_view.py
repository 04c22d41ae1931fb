"""The Changes pane: what others did since the person last looked, to be kept, reverted or edited."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMessageBox, QPushButton, QSplitter, QVBoxLayout, QWidget

from wikimem_desktop.engine.item_changes import ItemChange
from wikimem_desktop.presentation.document import Documents
from wikimem_desktop.presentation.review import Review
from wikimem_desktop.presentation.words import moment_text
from wikimem_desktop.widgets.elided_label import ElidedLabel
from wikimem_desktop.widgets.row_list import LazyRows, Row, RowList
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme
from wikimem_desktop.widgets.two_texts import TwoTexts

_LIST_WIDTH = 240
"""Room for an address and what happened to it."""


class ChangesView(QWidget):
    """Signals:
    edit_wanted: a Place that the person wants to edit.
    """

    edit_wanted = Signal(object)

    def __init__(self, review: Review, documents: Documents, theme: Theme) -> None:
        super().__init__()
        self._review = review
        self._documents = documents
        self.list = RowList(theme, self.tr("Changes by others"))
        self.texts = TwoTexts(theme, self.tr("As you saw it"), self.tr("As it is now"))
        self._empty = styled(QLabel(alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True), "muted")
        self._empty.setText(self.tr("Nothing was changed by others since you last looked."))
        self._empty.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.keep, self.revert, self.edit, self.keep_all, self.revert_all = (
            QPushButton(text)
            for text in (
                self.tr("Keep"), self.tr("Revert"), self.tr("Edit"), self.tr("Keep all"), self.tr("Revert all…"),
            )
        )  # fmt: skip
        self.who = styled(ElidedLabel(), "muted")
        self._build()
        self.setFocusProxy(self.list)
        self.list.current_changed.connect(self._show_change)
        self.list.chosen.connect(self._on_edit)
        for button, slot, key in (
            (self.keep, self._on_keep, "K"),
            (self.revert, self._on_revert, "R"),
            (self.edit, self._on_edit, "E"),
        ):
            button.clicked.connect(slot)
            button.setToolTip(f"{button.text()} ({key})")
            shortcut = QShortcut(QKeySequence(key), self.list, context=Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(button.click)
        self.keep_all.clicked.connect(self._on_keep_all)
        self.revert_all.clicked.connect(self._on_revert_all)
        review.changed.connect(self._show)
        self._show()

    def _build(self) -> None:
        buttons = QHBoxLayout()
        buttons.setContentsMargins(14, 6, 14, 4)
        buttons.setSpacing(8)
        for button in (self.keep, self.revert, self.edit):
            buttons.addWidget(button)
        buttons.addWidget(self.who, 1)
        for button in (self.keep_all, self.revert_all):
            buttons.addWidget(button)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.addWidget(self.list)
        self._split.addWidget(self.texts)
        self._split.setStretchFactor(0, 2)
        self._split.setStretchFactor(1, 3)
        self._split.setChildrenCollapsible(False)
        self.list.setMinimumWidth(_LIST_WIDTH)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(buttons)
        column.addWidget(self._empty, 1)
        column.addWidget(self._split, 1)

    @property
    def current(self) -> ItemChange | None:
        value = self.list.value
        return value if isinstance(value, ItemChange) else None

    @Slot()
    def _show(self) -> None:
        changes = self._review.changes
        self.list.show_rows(LazyRows(changes, self._row))
        self._empty.setVisible(not changes)
        if not changes and self.list.hasFocus():
            self._empty.setFocus()  # else it would go to the text, and the next key with it
        self._split.setVisible(bool(changes))
        self._show_change()

    def _row(self, change: ItemChange) -> Row:
        signs = {"added": "+", "removed": "−", "changed": "±", "renamed": "→"}
        kinds = {
            "added": self.tr("added"),
            "removed": self.tr("removed"),
            "changed": self.tr("changed"),
            "renamed": self.tr("renamed"),
        }
        name = change.name or self.tr("the text above its items")
        if change.kind == "renamed" and change.before is not None:
            name = f"{change.before.name} → {name}"
        text = f"{signs[change.kind]}  {change.file}:{name}"
        color = "cut" if change.kind == "removed" else "text"
        return Row(text, kinds[change.kind], change, color)

    def _who(self, change: ItemChange) -> str:
        """Who made it so, as the journal tells; else as the item does."""
        author, item = self._review.author_of(change), change.item
        who = [(item.source_conv or item.owner or "") if item else ""]
        if author is not None:
            who = [author.source or author.owner, moment_text(author.moment)]
        return " · ".join(filter(None, who))

    @Slot()
    def _show_change(self) -> None:
        change = self.current
        writable = not self._documents.read_only_store
        for button, possible in (
            (self.keep, change is not None),
            (self.revert, change is not None and writable),
            (self.edit, change is not None and change.kind != "removed"),
            (self.keep_all, bool(self._review.changes)),
            (self.revert_all, bool(self._review.changes) and writable),
        ):
            button.setEnabled(possible)
        self.who.setText(self._who(change) if change is not None else "")
        if change is not None:
            before, after = _shown(change.raw_before), _shown(change.raw_after)
            self.texts.show_texts(self.tr("As you saw it"), before, self.tr("As it is now"), after)

    # ------------------------------------------------------------ deciding

    @Slot()
    def _on_keep(self) -> None:
        if self.current is not None:
            self._review.keep([self.current])

    @Slot()
    def _on_revert(self) -> None:
        if self.current is not None and self.revert.isEnabled():
            self._review.revert([self.current])

    @Slot()
    def _on_edit(self) -> None:
        if self.current is not None and self.edit.isEnabled():
            self.edit_wanted.emit(self._review.place_of(self.current))

    @Slot()
    def _on_keep_all(self) -> None:
        self._review.keep(self._review.changes)

    @Slot()
    def _on_revert_all(self) -> None:
        changes: Sequence[ItemChange] = self._review.changes
        question = self.tr("Undo all %n change(s) that others made?", None, len(changes))
        if QMessageBox.question(self, self.tr("Revert all"), question) == QMessageBox.StandardButton.Yes:
            self._review.revert(changes)


def _shown(raw: str) -> str:
    return raw.replace("\r\n", "\n").strip("\n")
