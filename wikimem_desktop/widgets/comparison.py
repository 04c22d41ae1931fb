"""Comparing two items that nearly say the same, or a sync tool's copy with its original; and making one of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from wikimem_desktop.engine.copies import Difference, differences_of
from wikimem_desktop.engine.errors import UnreadableFile
from wikimem_desktop.engine.items import MemoryItem
from wikimem_desktop.engine.problems import Kind, Problem
from wikimem_desktop.engine.refactoring import Redirection
from wikimem_desktop.presentation.arrangement import Arrangement
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.presentation.library import Library
from wikimem_desktop.presentation.notices import Level, Notices
from wikimem_desktop.presentation.structure import FoundLinks, Structure
from wikimem_desktop.presentation.words import error_text
from wikimem_desktop.widgets.dialog import Dialog
from wikimem_desktop.widgets.link_preview import LinkPreview
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme
from wikimem_desktop.widgets.two_texts import TwoTexts

_SIZE = QSize(820, 480)


class ComparisonDialog(Dialog):
    """Two texts beside each other. `accepted`: the person wants one text made of them."""

    def __init__(
        self, parent: QWidget, title: str, left: tuple[str, str], right: tuple[str, str], agree: str, theme: Theme
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle(title)
        self.resize(_SIZE.boundedTo(parent.window().size() - QSize(60, 60)))
        self.texts = TwoTexts(theme, left[0], right[0])
        self.texts.show_texts(left[0], left[1], right[0], right[1])
        buttons = QDialogButtonBox()
        self.agree = buttons.addButton(agree, QDialogButtonBox.ButtonRole.AcceptRole)
        self.cancel = buttons.addButton(self.tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        self.cancel.setDefault(True)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(6, 6, 14, 14)
        self.column.addWidget(self.texts, 1)
        self.column.addWidget(buttons)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)


class CopyDialog(ComparisonDialog):
    """What a copy says otherwise, with a choice for each item that both have, and the links that follow.

    Signals:
        decided: by item name "original", "copy" or "both"; and the marks of the lines whose links shall stay.
    """

    decided = Signal(object, object)

    def __init__(
        self,
        parent: QWidget,
        structure: Structure,
        title: str,
        texts: Mapping[str, str],
        agree: str,
        found: Sequence[Difference],
        theme: Theme,
    ) -> None:
        """`texts` are those of the original and the copy, by category."""
        (self._original, mine), (copy, theirs) = texts.items()
        super().__init__(parent, title, (f"{self._original}.md", mine), (f"{copy}.md", theirs), agree, theme)
        self._found = found
        self._redirections: list[Redirection] = []
        self.choices: dict[str, QComboBox] = {}
        self.notes: dict[str, str] = {}
        """What is told of an item besides its name."""
        self.links = LinkPreview(theme)
        self.column.insertWidget(1, self._table())
        self.column.insertWidget(2, self.links)
        self.accepted.connect(self._on_accepted)
        structure.links_found.connect(self._on_links_found)
        self._request = structure.find_links([Place("category", copy)])

    def _table(self) -> QScrollArea:
        table = QWidget()
        grid = QGridLayout(table)
        grid.setContentsMargins(16, 4, 16, 4)
        for row, difference in enumerate(self._found):
            spellings = dict.fromkeys([difference.name, difference.known or difference.name])
            grid.addWidget(QLabel(" / ".join(spellings), textFormat=Qt.TextFormat.PlainText), row, 0)
            if note := self._note(difference):
                self.notes[difference.name] = note
                grid.addWidget(styled(QLabel(note, textFormat=Qt.TextFormat.PlainText), "muted"), row, 1)
            if difference.known is not None:
                self.choices[difference.name] = self._choice(difference)
                grid.addWidget(self.choices[difference.name], row, 2)
        grid.setColumnStretch(0, 1)
        area = QScrollArea(widgetResizable=True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(table)
        area.setMaximumHeight(150)
        area.setVisible(bool(self._found))
        return area

    def _note(self, difference: Difference) -> str:
        if difference.known is not None:
            return self.tr("same text; name, metadata or spacing differ") if difference.same_text else ""
        if difference.comes_as == difference.name:
            return self.tr("only in the copy: it comes along")
        return self.tr("only in the copy: it comes along as “{0}”").format(difference.comes_as)

    def _choice(self, difference: Difference) -> QComboBox:
        """What can become of an item that both have; twice the same text is not what one wants first."""
        box = QComboBox()
        for text, choice in (
            (self.tr("Keep both, the copy's with a number"), "both"),
            (self.tr("Keep the original's text"), "original"),
            (self.tr("Take the copy's text"), "copy"),
        ):
            box.addItem(text, choice)
        if difference.same_text:
            box.setItemText(1, self.tr("Keep the original's"))
            box.setItemText(2, self.tr("Take the copy's"))
            box.setCurrentIndex(1)
        box.setAccessibleName(difference.name)
        box.setAccessibleDescription(self.notes.get(difference.name, ""))
        box.view().setAccessibleName(difference.name)
        box.currentIndexChanged.connect(self._redirect)
        return box

    @property
    def chosen(self) -> dict[str, str]:
        return {name: str(box.currentData()) for name, box in self.choices.items()}

    @Slot(object, object)
    def _on_links_found(self, request: object, found: FoundLinks) -> None:
        if request is self._request:
            self._redirections = found.redirections
            self.links.show_found(found, self._leading())
            self.agree.setEnabled(self.agree.isEnabled() and not self.links.blocked)

    @Slot()
    def _redirect(self) -> None:
        self.links.model.redirect(self._leading())

    def _leading(self) -> list[Redirection]:
        """Where the links lead as it is chosen now."""
        chosen = self.chosen
        homes = {each.name: each.home(chosen.get(each.name, "both")) for each in self._found}
        return [
            replace(each, new_category=self._original, names={**each.names, **homes}) for each in self._redirections
        ]

    @Slot()
    def _on_accepted(self) -> None:
        self.decided.emit(self.chosen, self.links.kept)


class Comparisons(QObject):
    """Opens the comparison that a problem offers."""

    def __init__(
        self,
        library: Library,
        structure: Structure,
        arrangement: Arrangement,
        notices: Notices,
        ask_to_merge: Callable[[Place, Sequence[Place], Sequence[MemoryItem]], None],
        window: QWidget,
        theme: Theme,
    ) -> None:
        super().__init__(window)
        self._library = library
        self._structure = structure
        self._ask_to_merge = ask_to_merge
        self._arrangement = arrangement
        self._notices = notices
        self._window = window
        self._theme = theme

    def compare(self, problem: Problem) -> None:
        """Two items that nearly say the same, or a copy with its original."""
        if problem.kind is Kind.CONFLICT_COPY and problem.category is not None:
            self._compare_copy(problem.category, problem.detail.removesuffix(".md"))
        elif problem.kind is Kind.NEAR_DUPLICATE and self._library.snapshot is not None:
            one, other = (self._library.snapshot.addressed(text) for text in (problem.detail, problem.subject))
            if one is not None and other is not None:
                self._compare_items(one, other)

    def _compare_items(self, one: MemoryItem, other: MemoryItem) -> None:
        title, agree = self.tr("Compare items"), self.tr("Merge into the left one…")
        left, right = ((item.address, item.content) for item in (one, other))
        dialog = ComparisonDialog(self._window, title, left, right, agree, self._theme)
        dialog.agree.setEnabled(self._may_write)
        into, gone = (Place("item", item.category, item.name) for item in (one, other))
        dialog.accepted.connect(partial(self._ask_to_merge, into, [gone], [one, other]))
        dialog.show()

    def _compare_copy(self, copy: str, original: str) -> None:
        store = self._library.store
        assert store is not None
        try:
            texts = {category: store.document(category).text for category in (original, copy)}
            found = differences_of(store, copy, original)
        except UnreadableFile as error:
            self._notices.post(Level.WARNING, error_text(error), "structure")
            return
        title, agree = self.tr("Compare with the original"), self.tr("Bring it home")
        dialog = CopyDialog(self._window, self._structure, title, texts, agree, found, self._theme)
        dialog.agree.setEnabled(self._may_write)
        dialog.decided.connect(partial(self._arrangement.bring_home, copy, original, found))
        dialog.show()

    @property
    def _may_write(self) -> bool:
        return self._library.store is not None and not self._library.store.read_only
