"""What the tree can be filtered by, with the values there are: a menu beside the filter box and in the View menu.

What was chosen stands on chips below the box; each takes away by a click what it says.
"""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QObject, QSize, Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from wikimem_desktop.presentation.filter_terms import Term, letters_of, terms_of, without
from wikimem_desktop.presentation.filter_values import values_of
from wikimem_desktop.presentation.memory_model import MemoryModel
from wikimem_desktop.widgets.memory_tree import MemoryTree
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme

_MOST_VALUES = 20
_LONGEST = 44
_CROSS, _CHIP_FRAME = 12, 70


class FilterMenu(QObject):
    """Everything it offers can be typed too; see `filter_terms`."""

    def __init__(self, tree: MemoryTree, model: MemoryModel, view_menu: QMenu, theme: Theme) -> None:
        super().__init__(tree)
        self._tree = tree
        self._model = model
        self._theme = theme
        self.menu = QMenu(self.tr("&Filter the tree by"), tree)
        self.texts = self.menu.addAction(self.tr("Words in the &texts"), self._on_texts_wanted)
        self.owners = self.menu.addMenu(self.tr("&Owner"))
        self.sources = self.menu.addMenu(self.tr("&Source"))
        self.ages = self._build_ages()
        self.menu.addSeparator()
        self.clear = self.menu.addAction(self.tr("Show &everything"), tree.show_everything)
        self.menu.aboutToShow.connect(self._show_values)
        view_menu.addMenu(self.menu)
        self.button = self._build_button()
        tree.add_beside_filter(self.button)
        self._chips: list[QToolButton] = []
        tree.filter_changed.connect(self._on_filter_changed)
        theme.changed.connect(self._on_filter_changed)
        self._on_filter_changed()

    def _build_ages(self) -> QMenu:
        menu = self.menu.addMenu(self.tr("&Written"))
        for value, text in (
            ("today", self.tr("&Today")),
            ("week", self.tr("In the last &7 days")),
            ("month", self.tr("In the last &30 days")),
            ("older", self.tr("&Over 30 days ago")),
        ):
            self._add(menu, text, Term("age", value))
        self._add(menu, self.tr("&Unknown when"), Term("age", "", exact=True))
        return menu

    def _build_button(self) -> QToolButton:
        button = styled(QToolButton(), "toggle")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setToolTip(self.tr("Filter by owner, source, time or text"))
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setMenu(self.menu)
        return button

    def _add(self, menu: QMenu, text: str, term: Term) -> None:
        action = menu.addAction(text)
        action.setCheckable(True)
        action.setData(term)
        action.triggered.connect(self._on_chosen)

    # ------------------------------------------------------------ what there is

    @Slot()
    def _show_values(self) -> None:
        values = values_of(self._model.branches, _MOST_VALUES)
        for menu, field in ((self.owners, "owner"), (self.sources, "source")):
            menu.clear()
            for value in values[field]:
                name = value.text if len(value.text) <= _LONGEST else value.text[: _LONGEST - 1] + "…"
                # Behind a tab stands what Qt puts to the right; & would be a key.
                text = name.replace("&", "&&").replace("\t", " ") or self.tr("None")
                self._add(menu, f"{text}\t{value.count:n}", Term(field, value.text, exact=True))
            menu.setEnabled(bool(values[field]))
        self._show_what_holds()

    @Slot()
    def _on_filter_changed(self) -> None:
        terms = terms_of(self._tree.filter_text)
        self.button.setIcon(self._theme.icon("list-filter", "accent" if terms else "muted"))
        words = self.tr("Filter: {0}").format(", ".join(map(self._words, terms))) if terms else self.tr("Filter by…")
        self.button.setAccessibleName(words)
        self._show_what_holds()
        self._show_chips()

    def _show_what_holds(self) -> None:
        terms = terms_of(self._tree.filter_text)
        self.clear.setEnabled(bool(self._tree.filter_text))
        for menu in (self.owners, self.sources, self.ages):
            for action in menu.actions():
                action.setChecked(action.data() in terms)

    def _show_chips(self) -> None:
        """One for each term that does not stand in the box."""
        for chip in self._chips:
            self._tree.chips.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._chips = [self._chip(term) for term in self._tree.terms]
        for before, chip in pairwise([self.button, *self._chips]):
            self._tree.chips.addWidget(chip, 0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute)
            QWidget.setTabOrder(before, chip)
            chip.show()

    def _chip(self, term: Term) -> QToolButton:
        words = self._words(term)
        chip = styled(QToolButton(), "chip")
        chip.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        chip.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the cross stands behind the words
        chip.setIcon(self._theme.icon("x"))
        chip.setIconSize(QSize(_CROSS, _CROSS))
        width = max(self._tree.width() - _CHIP_FRAME, _CHIP_FRAME)
        fitting = chip.fontMetrics().elidedText(words, Qt.TextElideMode.ElideMiddle, width)
        chip.setText(f"\u2066{fitting.replace('&', '&&')}\u2069")  # the words themselves go as they are written
        chip.setMinimumWidth(_CHIP_FRAME)  # the pane may become narrower
        chip.setToolTip(self.tr("{0}: show the others too").format(words))
        chip.setAccessibleName(self.tr("Take away {0}").format(words))
        chip.setProperty("term", term)
        chip.clicked.connect(self._on_taken_away)
        return chip

    def _words(self, term: Term) -> str:
        """As a person says it."""
        named = {
            "owner": self.tr("Owner: {0}"),
            "source": self.tr("Source: {0}"),
            "text": self.tr("Text: {0}"),
            "age": self.tr("Written: {0}"),
        }
        ages = {action.data().value: action.text().replace("&", "") for action in self.ages.actions()}
        known = ages.get(term.value) if term.field == "age" else term.value or self.tr("None")
        return named[term.field].format(known or term.value)

    # ------------------------------------------------------------ choosing

    @Slot()
    def _on_chosen(self) -> None:
        """Ask for it, or for it no more; of ages there is one at a time."""
        action = self.sender()
        assert isinstance(action, QAction)
        term: Term = action.data()
        box, terms = self._tree.filter_box, self._tree.terms
        if term in terms_of(box.text()):
            box.setText(without(box.text(), term))
        elif term in terms:
            self._tree.ask_for([other for other in terms if other != term])
        else:
            others = [other for other in terms if term.field != "age" or other.field != "age"]
            self._tree.ask_for([*others, term])
        box.setFocus()

    @Slot()
    def _on_taken_away(self) -> None:
        chip = self.sender()
        assert isinstance(chip, QToolButton)
        self._tree.ask_for([term for term in self._tree.terms if term != chip.property("term")])
        self._tree.filter_box.setFocus()

    @Slot()
    def _on_texts_wanted(self) -> None:
        """The letters in the box are looked for in texts; if there are none, what is typed next."""
        box = self._tree.filter_box
        letters = letters_of(box.text())
        if letters:
            box.setText(" ".join(map(str, terms_of(box.text()))))
            self._tree.ask_for([*self._tree.terms, Term("text", letters)])
        else:
            box.setText(f"{box.text().strip()} text:".lstrip())
        box.setFocus()
