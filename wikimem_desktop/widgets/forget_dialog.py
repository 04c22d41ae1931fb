"""Forgetting for good: what is to be forgotten, every place where it lives, and the one question before it goes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QMenu, QVBoxLayout, QWidget

from wikimem_desktop.engine.forget import MARK, Found
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.presentation.document import Documents
from wikimem_desktop.presentation.forgetting import Forgetting, hideout_text, obstacle_text
from wikimem_desktop.presentation.library import Library
from wikimem_desktop.presentation.qt_text import for_document, from_document
from wikimem_desktop.widgets.check_box import CheckBox
from wikimem_desktop.widgets.dialog import Dialog
from wikimem_desktop.widgets.fields import TextField
from wikimem_desktop.widgets.row_list import Row, RowList
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme

_PAUSE_MS = 300
_LINES = 4


class ForgetDialog(Dialog):
    """Looks while the person types. While it purges it can't be closed."""

    def __init__(self, forgetting: Forgetting, parent: QWidget, theme: Theme, text: str, item: Place | None) -> None:
        super().__init__(parent)
        self._forgetting = forgetting
        self._item = item
        self.setWindowTitle(self.tr("Forget for good"))
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.resize(680, 520)
        self.text = styled(TextField(for_document(text)), "field", tabChangesFocus=True)
        self.text.setAccessibleName(self.tr("Text to forget"))
        self.text.setFixedHeight(self.fontMetrics().lineSpacing() * _LINES + 20)
        self.whole_item = CheckBox(self.tr("The item {0}: all it ever said, its name, the links to it"), theme)
        self.list = RowList(theme, self.tr("Where it lives"))
        self.summary = styled(QLabel(wordWrap=True), "title")
        buttons = QDialogButtonBox()
        self.forget = buttons.addButton(self.tr("Forget for good"), QDialogButtonBox.ButtonRole.ActionRole)
        self.close_button = buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        self._build(buttons)
        self.close_button.setDefault(True)  # it can't be taken back
        if item is not None:
            self.whole_item.setText(self.whole_item.text().format(item.address))
        self.whole_item.setVisible(item is not None)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._look)
        self.text.textChanged.connect(self._on_edited)
        self.whole_item.toggled.connect(self._on_edited)
        self.forget.clicked.connect(forgetting.forget)
        buttons.rejected.connect(self.reject)
        forgetting.changed.connect(self._show)
        self.finished.connect(self._on_finished)

    def _build(self, buttons: QDialogButtonBox) -> None:
        hint = self.tr(
            "An item goes with its text. In texts that say more, {0} takes its place. "
            "Versions, drafts and deleted files that hold it go as a whole. Nothing of this can be undone."
        )
        label = styled(QLabel(self.tr("&Text, wherever it stands")), "fieldName")
        label.setBuddy(self.text)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(8)
        for part in (label, self.text, self.whole_item, self.summary):
            column.addWidget(part)
        column.addWidget(self.list, 1)
        column.addWidget(styled(QLabel(hint.format(MARK), wordWrap=True), "muted"))
        column.addWidget(buttons)

    def ask(self, *, whole_item: bool) -> None:
        """Show the dialog and begin to look."""
        self.whole_item.setChecked(whole_item and self._item is not None)
        self.text.selectAll()
        self.text.setFocus()
        self.show()
        self._look()

    # ------------------------------------------------------------ looking

    @Slot()
    def _on_edited(self) -> None:
        self._forgetting.stop()  # what was found is not what would be forgotten now
        self._pause.start()

    @Slot()
    def _look(self) -> None:
        self._pause.stop()
        wanted = self._item if self.whole_item.isChecked() else None
        item = (wanted.category, wanted.name) if wanted else None
        self._forgetting.look_for(from_document(self.text.document()), item)

    @property
    def _busy(self) -> bool:
        return self._forgetting.state in ("purging", "settling", "checking")

    @Slot()
    def _show(self) -> None:
        state, found = self._forgetting.state, self._forgetting.found
        self.list.show_rows([] if state == "looking" else [_row(one) for one in found])
        self.summary.setText(self._summary())
        for control in (self.text, self.whole_item):
            control.setEnabled(not self._busy and state != "done")
        self.forget.setEnabled(state == "" and bool(self._forgetting.left))
        self.forget.setVisible(state != "done")
        self.close_button.setEnabled(not self._busy)
        self.close_button.setText(self.tr("Close") if state == "done" else self.tr("Cancel"))
        if state == "done":
            self.close_button.setFocus()

    def _summary(self) -> str:
        state, left = self._forgetting.state, len(self._forgetting.left)
        if state == "looking":
            return self.tr("Looking everywhere…")
        if self._busy:
            return self.tr("Forgetting, and looking whether anything is left…")
        if state == "done" and left:
            return self.tr("%n place(s) still have it:", None, left)
        if state == "done":
            return self.tr("Forgotten. It was looked for again, and is nowhere that could be purged.")
        if left:
            return self.tr("It lives in %n place(s):", None, left)
        return self.tr("It is nowhere that could be purged.") if self._looked else self.tr("Write what to forget.")

    @property
    def _looked(self) -> bool:
        return not self._pause.isActive() and (self.whole_item.isChecked() or bool(self.text.toPlainText().strip()))

    # ------------------------------------------------------------ leaving

    def reject(self) -> None:
        if not self._busy:
            super().reject()

    @Slot()
    def _on_finished(self) -> None:
        self._pause.stop()
        self._forgetting.changed.disconnect(self._show)
        self._forgetting.stop()
        self.deleteLater()


def _row(found: Found) -> Row:
    trace = found.trace
    text = ": ".join(filter(None, (hideout_text(found.hideout), trace.where)))
    if trace.obstacle:
        return Row(text, obstacle_text(trace.obstacle), color="muted")
    return Row(text, f"× {trace.times:n}" if trace.times > 1 else "")


class ForgetAction(QObject):
    """The command: forgets what is selected in the editor, else the item that the memory's commands act on."""

    def __init__(
        self,
        forgetting: Forgetting,
        library: Library,
        documents: Documents,
        selection: Callable[[], str],
        target: Callable[[], Place | None],
        window: QWidget,
        theme: Theme,
    ) -> None:
        super().__init__(window)
        self.forgetting = forgetting
        self._library = library
        self._documents = documents
        self._selection = selection
        self._target = target
        self._window = window
        self._theme = theme
        self.action = QAction(self.tr("For&get for good…"), self)
        self.action.triggered.connect(self._on_triggered)
        library.store_changed.connect(self._show_what_is_possible)
        self._show_what_is_possible()

    def fill(self, *menus: QMenu) -> None:
        for menu in menus:
            menu.addSeparator()
            menu.addAction(self.action)

    @Slot()
    def _show_what_is_possible(self) -> None:
        self.action.setEnabled(self._library.store is not None and not self._documents.read_only_store)

    @Slot()
    def _on_triggered(self) -> None:
        place, selected = self._target(), self._selection()
        item = place if place is not None and place.kind == "item" else None
        snapshot = self._library.snapshot
        known = snapshot.item(item.category, item.name) if item and snapshot else None
        text = selected or (known.content if known else "")
        ForgetDialog(self.forgetting, self._window, self._theme, text, item).ask(whole_item=not selected)
