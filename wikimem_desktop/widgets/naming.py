"""Asks for the name of an item or a category, and says at every key what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCompleter,
    QDialogButtonBox,
    QLabel,
    QListView,
    QStyledItemDelegate,
    QVBoxLayout,
    QWidget,
)

from wikimem_desktop.engine.refactoring import Redirection
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.presentation.structure import FoundLinks, Structure
from wikimem_desktop.widgets.dialog import Dialog
from wikimem_desktop.widgets.fields import ChoiceField, LineField
from wikimem_desktop.widgets.link_preview import LinkPreview
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme

_WIDTH, _PREVIEW_WIDTH = 440, 640
_LONGEST = 40


def shortened(name: str) -> str:
    """A name as it fits into a title."""
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"


class NamingDialog(Dialog):
    """One name. `error` gives the words against a name, `before` is the name so far.

    Signals:
        named: the name that the person agreed to.
    """

    named = Signal(str)

    def __init__(
        self,
        parent: QWidget,
        title: str,
        agree: str,
        rule: str,
        error: Callable[[str], str],
        before: str = "",
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle(title)
        self.setMinimumWidth(_WIDTH)
        self._rule = rule
        self._error = error
        self._before = before
        self.name, self.name_note = LineField(), _Note()
        self.name_note.setMinimumHeight(2 * self.fontMetrics().lineSpacing())  # most errors fit: nothing jumps
        buttons = QDialogButtonBox()
        self.agree = buttons.addButton(agree, QDialogButtonBox.ButtonRole.AcceptRole)
        self.cancel = buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        self.agree.setDefault(True)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(20, 18, 20, 16)
        self._column.setSpacing(4)
        self.add_field(self.caption, self.name, self.name_note)
        self._column.addSpacing(8)
        self._column.addWidget(buttons)
        self.name.textChanged.connect(self.judge)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)

    @property
    def caption(self) -> str:
        """What is asked for."""
        return self.tr("&Name")

    def add_field(self, caption: str, field: QWidget, note: QLabel, at: int = -1) -> None:
        """A captioned field with the note below it; `at`: in front of what stands there."""
        label = styled(QLabel(caption), "fieldName")
        label.setBuddy(field)
        field.setAccessibleName(caption.replace("&", ""))
        block = QVBoxLayout()
        block.setSpacing(5)
        for part in (label, field, note):
            block.addWidget(part)
        block.addSpacing(8)
        self._column.insertLayout(at, block)

    def ask(self, name: str) -> None:
        """Show the dialog, with a name to begin with."""
        self.name.setText(name)
        self.name.selectAll()
        self.name.setFocus()
        self.judge()
        self.show()

    @property
    def typed(self) -> str:
        return " ".join(self.name.text().split())

    @Slot()
    def judge(self) -> None:
        """Say what is wrong, and let the person agree only when nothing is."""
        other = self.typed != self._before
        error = self._error(self.typed) if other else ""
        self.name_note.say(error, self._rule)
        self.name.setAccessibleDescription(error)
        self.agree.setEnabled(other and not error)

    def event(self, event: QEvent) -> bool:
        """Words that need another line make the dialog higher. (As its least height: a window manager that answers
        late, to what was asked before, does not go below that.)"""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.setMinimumHeight(self._column.totalHeightForWidth(self.width()))
        return done

    def accept(self) -> None:
        self.judge()  # the disk may have moved on
        if self.agree.isEnabled():
            self.named.emit(self.typed)
            super().accept()


class AddressDialog(NamingDialog):
    """Another name for an item or a category, or another category for items; and the links that follow.

    Signals:
        decided: the name that the person agreed to, and the marks of the lines whose links shall stay.
    """

    decided = Signal(str, object)

    def __init__(
        self,
        parent: QWidget,
        structure: Structure,
        places: Sequence[Place],
        title: str,
        agree: str,
        rule: str,
        error: Callable[[str], str],
        theme: Theme,
        before: str = "",
    ) -> None:
        super().__init__(parent, title, agree, rule, error, before)
        self._places = places
        self._redirections: list[Redirection] = []
        self._agree_words = agree
        self.links = LinkPreview(theme)
        self.links.changed.connect(self._show_count)
        self._column.insertWidget(1, self.links, 1)
        self.name.textChanged.connect(self._redirect)
        self.named.connect(self._on_named)
        structure.links_found.connect(self._on_links_found)
        with_links = all(place.kind in ("item", "category") for place in places)
        if with_links:
            self.setMinimumWidth(_PREVIEW_WIDTH)  # before it shows, whether any are found or not
        self._request = structure.find_links(places) if with_links else None

    def leading(self, redirection: Redirection) -> Redirection:
        """Where the name that is typed leads the links."""
        raise NotImplementedError

    @Slot(object, object)
    def _on_links_found(self, request: object, found: FoundLinks) -> None:
        if request is self._request:
            self._redirections = found.redirections
            self.links.show_found(found, self._redirections)
            self._redirect()
            self.judge()

    @Slot()
    def judge(self) -> None:
        super().judge()
        self.agree.setEnabled(self.agree.isEnabled() and not self.links.blocked)

    @Slot()
    def _show_count(self) -> None:
        words, count = self._agree_words, self.links.count
        self.agree.setText(self.links.with_count(words) if count else words)

    @Slot()
    def _redirect(self) -> None:
        self.links.model.redirect([self.leading(redirection) for redirection in self._redirections])

    @Slot(str)
    def _on_named(self, name: str) -> None:
        self.decided.emit(name, self.links.kept)


class RenamingDialog(AddressDialog):
    """Another name for an item or a category."""

    def __init__(
        self, parent: QWidget, structure: Structure, place: Place, rule: str, error: Callable[[str], str], theme: Theme
    ) -> None:
        before = place.name or place.category
        title = QCoreApplication.translate("RenamingDialog", "Rename {0}").format(shortened(before))
        agree = QCoreApplication.translate("RenamingDialog", "Rename")
        super().__init__(parent, structure, [place], title, agree, rule, error, theme, before)

    def leading(self, redirection: Redirection) -> Redirection:
        (place,), name = self._places, self.typed or self._before
        if place.kind == "category":
            return replace(redirection, new_category=name)
        return replace(redirection, names={place.name: name})


class MovingDialog(AddressDialog):
    """Another category for items."""

    def __init__(
        self, parent: QWidget, structure: Structure, places: Sequence[Place], title: str, rule: str, theme: Theme
    ) -> None:
        self._structure = structure
        agree = QCoreApplication.translate("MovingDialog", "Move")
        super().__init__(parent, structure, places, title, agree, rule, self._category_error, theme)
        here = {place.category for place in places}
        known = [category for category in structure.writable_categories if category not in here]
        self.name.setCompleter(_offering(known, self))
        choose = self.name.addAction(theme.icon("chevron-down"), LineField.ActionPosition.TrailingPosition)
        choose.setToolTip(self.tr("Categories"))
        choose.triggered.connect(self._list_all)

    @property
    def caption(self) -> str:
        return self.tr("&Category")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The field leaves the key to its dialog; a shortcut would take it from the open list, too."""
        if event.key() == Qt.Key.Key_Down and self.name.hasFocus():
            self._list_all()
        else:
            super().keyPressEvent(event)

    @Slot()
    def _list_all(self) -> None:
        """The categories there are, whatever is typed so far."""
        known = self.name.completer()
        known.setCompletionPrefix("")
        known.complete()

    def _category_error(self, category: str) -> str:
        """Against the category itself, or against one of the items' names there."""
        known = category in self._structure.writable_categories
        error = "" if known else self._structure.category_error(category)
        for place in self._places:
            error = error or (self._structure.taken_error(category, place.name) if place.category != category else "")
        if not error and all(place.category == category for place in self._places):
            error = self.tr("It is in this category.")
        return error

    def leading(self, redirection: Redirection) -> Redirection:
        return replace(redirection, new_category=self.typed or redirection.category)


class MergingDialog(Dialog):
    """Whether the texts of items shall stand in another one, what goes with the items, and the links that follow.

    Signals:
        decided: the person agreed; the marks of the lines whose links shall stay.
    """

    decided = Signal(object)

    def __init__(
        self,
        parent: QWidget,
        structure: Structure,
        into: Place,
        others: Sequence[Place],
        losses: Sequence[str],
        theme: Theme,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle(self.tr("Merge items"))
        self.setMinimumWidth(_PREVIEW_WIDTH)
        self._into = into
        names = ", ".join(f"“{shortened(place.name)}”" for place in others)
        words = self.tr("Put the text of {0} behind that of “{1}”?").format(names, shortened(into.name))
        self.question = styled(QLabel(words, wordWrap=True, textFormat=Qt.TextFormat.PlainText), "title")
        self.losses = [QLabel(loss, wordWrap=True, textFormat=Qt.TextFormat.PlainText) for loss in losses]
        self.links = LinkPreview(theme)
        buttons = QDialogButtonBox()
        self.agree = buttons.addButton(self.tr("Merge"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.cancel = buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        self.agree.setDefault(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(10)
        for part in (self.question, *self.losses):
            column.addWidget(part)
        column.addWidget(self.links, 1)
        column.addWidget(buttons)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.accepted.connect(self._on_accepted)
        structure.links_found.connect(self._on_links_found)
        self._request = structure.find_links(others)

    @Slot(object, object)
    def _on_links_found(self, request: object, found: FoundLinks) -> None:
        if request is self._request:
            leading = [
                replace(r, new_category=self._into.category, names=dict.fromkeys(r.names, self._into.name))
                for r in found.redirections
            ]
            self.links.show_found(found, leading)
            self.agree.setEnabled(not self.links.blocked)

    @Slot()
    def _on_accepted(self) -> None:
        self.decided.emit(self.links.kept)


class NewItemDialog(NamingDialog):
    """A name in a category that is there, or in a new one.

    Signals:
        item_named: category and name that the person agreed to.
    """

    item_named = Signal(str, str)

    def __init__(self, parent: QWidget, structure: Structure, rule: str, theme: Theme) -> None:
        super().__init__(parent, self.tr("New item"), self.tr("Create"), rule, self._name_error)
        self._structure = structure
        self.category = ChoiceField()
        choose = self.category.line.addAction(theme.icon("chevron-down"), LineField.ActionPosition.TrailingPosition)
        choose.setToolTip(self.tr("Categories"))
        choose.triggered.connect(self.category.showPopup)
        self.category.setItemDelegate(QStyledItemDelegate(self.category))  # it knows the style sheet
        self.category.addItems(structure.writable_categories)
        self.category.setCompleter(_offering(structure.writable_categories, self))
        self.category_note = _Note()
        self.add_field(self.tr("&Category"), self.category, self.category_note, at=0)
        self.setTabOrder(self.category, self.name)
        self.category.currentTextChanged.connect(self.judge)
        self.named.connect(self._on_named)

    def ask_in(self, category: str, name: str) -> None:
        """Show the dialog, with a category and a name to begin with."""
        self.category.setCurrentText(category)
        self.ask(name)

    @property
    def chosen(self) -> str:
        return self.category.currentText().strip()

    def _name_error(self, name: str) -> str:
        return self._structure.name_error(self.chosen, name)

    @Slot()
    def judge(self) -> None:
        known = self.chosen in self._structure.writable_categories
        error = "" if known else self._structure.category_error(self.chosen)
        self.category_note.say(error, "" if known else self.tr("A new category is made for it."))
        self.category.setAccessibleDescription(error)
        super().judge()
        self.agree.setEnabled(self.agree.isEnabled() and not error)

    @Slot(str)
    def _on_named(self, name: str) -> None:
        self.item_named.emit(self.chosen, name)


def _offering(names: Sequence[str], parent: QWidget) -> QCompleter:
    """Offers names below a field; unasked it ends no name, which may be a new one."""
    completer = QCompleter(names, parent)
    completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
    completer.setFilterMode(Qt.MatchFlag.MatchContains)
    completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    completer.setPopup(styled(QListView(), "links"))
    return completer


class _Note(QLabel):
    """Below a field: what is wrong with it, or else its rule."""

    def __init__(self) -> None:
        super().__init__(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignTop)

    def say(self, error: str, rule: str) -> None:
        self.setObjectName("inlineError" if error else "muted")
        self.style().unpolish(self)
        self.style().polish(self)
        self.setText(error or rule)
        self.setVisible(bool(error or rule))
