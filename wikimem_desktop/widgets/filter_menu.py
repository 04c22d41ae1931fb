"""What the tree can be filtered by, with the values there are: a menu beside the filter box and in the View menu.

Choosing writes into the box, so that a person sees there what holds, and can change it or take it away.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton

from wikimem_desktop.presentation.filter_terms import Term, letters_of, terms_of, toggled
from wikimem_desktop.presentation.filter_values import values_of
from wikimem_desktop.presentation.memory_model import MemoryModel
from wikimem_desktop.widgets.memory_tree import MemoryTree
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme

_MOST_VALUES = 20
_LONGEST = 44


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
        self.clear = self.menu.addAction(self.tr("Show &everything"), self._on_everything_wanted)
        self.menu.aboutToShow.connect(self._show_values)
        view_menu.addMenu(self.menu)
        self.button = self._build_button()
        tree.add_beside_filter(self.button)
        tree.filter_box.textChanged.connect(self._on_text_changed)
        theme.changed.connect(self._on_text_changed)
        self._on_text_changed()

    def _build_ages(self) -> QMenu:
        menu = self.menu.addMenu(self.tr("&Written"))
        for value, text in (
            ("today", self.tr("&Today")),
            ("week", self.tr("In the last &7 days")),
            ("month", self.tr("In the last &30 days")),
            ("older", self.tr("&Before that")),
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
    def _on_text_changed(self) -> None:
        terms = terms_of(self._tree.filter_box.text())
        self.button.setIcon(self._theme.icon("list-filter", "accent" if terms else "muted"))
        words = self.tr("Filter: {0}").format(", ".join(map(str, terms))) if terms else self.tr("Filter by…")
        self.button.setAccessibleName(words)
        self._show_what_holds()

    def _show_what_holds(self) -> None:
        text = self._tree.filter_box.text()
        terms = terms_of(text)
        self.clear.setEnabled(bool(text))
        for menu in (self.owners, self.sources, self.ages):
            for action in menu.actions():
                action.setChecked(action.data() in terms)

    # ------------------------------------------------------------ choosing

    @Slot()
    def _on_chosen(self) -> None:
        action = self.sender()
        assert isinstance(action, QAction)
        box = self._tree.filter_box
        box.setText(toggled(box.text(), action.data()))
        box.setFocus()

    @Slot()
    def _on_texts_wanted(self) -> None:
        """The letters in the box are looked for in texts; what is typed next too."""
        box = self._tree.filter_box
        letters = letters_of(box.text())
        kept = [str(term) for term in terms_of(box.text())]
        box.setText(" ".join([*kept, str(Term("text", letters)) if letters else "text:"]))
        box.setFocus()

    @Slot()
    def _on_everything_wanted(self) -> None:
        self._tree.filter_box.clear()
