"""What replacing in all files would come to: every line before and after, with a tick."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from wikimem_desktop.engine.replacing import Replacement
from wikimem_desktop.widgets.change_rows import ChangeList, Pieces
from wikimem_desktop.widgets.dialog import Dialog
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme

_Index = QModelIndex | QPersistentModelIndex
_SIZE = QSize(820, 520)
_CONTEXT = 32
"""Characters in front of the first match that are shown."""


class ReplacementModel(QAbstractListModel):
    """Rows: lines that nothing speaks against, all ticked, then the others, not ticked.

    Signals:
        chosen_changed: other lines are ticked.
    """

    chosen_changed = Signal()

    def __init__(self, replacements: Sequence[Replacement]) -> None:
        super().__init__()
        self.rows = sorted(replacements, key=lambda replacement: bool(replacement.against))
        self._ticked = {row for row, replacement in enumerate(self.rows) if not replacement.against}

    @property
    def chosen(self) -> list[Replacement]:
        return [self.rows[row] for row in sorted(self._ticked)]

    def tick_all(self, ticked: bool, /) -> None:
        """All lines that nothing speaks against."""
        self._ticked = {row for row, one in enumerate(self.rows) if ticked and not one.against}
        self.dataChanged.emit(self.index(0), self.index(len(self.rows) - 1))
        self.chosen_changed.emit()

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsUserCheckable if self.rows[index.row()].possible else flags

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        replacement = self.rows[index.row()]
        if role == Qt.ItemDataRole.CheckStateRole and replacement.possible:
            return Qt.CheckState.Checked if index.row() in self._ticked else Qt.CheckState.Unchecked
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            lines = place_of(replacement), replacement.hit.text.strip(), replacement.after.strip()
            return "\n".join([*lines, *filter(None, [self.warning(replacement)])])
        return None

    def pieces(self, row: int) -> tuple[Pieces, Pieces]:
        """What is painted of a row: where it is and what speaks against it, and the line."""
        replacement = self.rows[row]
        warning = self.warning(replacement)
        where = [(place_of(replacement), "muted"), *([(f"  ·  {warning}", "warning")] if warning else [])]
        return where, _pieces(replacement)

    def setData(self, index: _Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or not self.rows[index.row()].possible:
            return False
        checked = Qt.CheckState(value) == Qt.CheckState.Checked
        (self._ticked.add if checked else self._ticked.discard)(index.row())
        self.dataChanged.emit(index, index)
        self.chosen_changed.emit()
        return True

    def warning(self, replacement: Replacement) -> str:
        """What must be known about a line before it is replaced."""
        texts = {
            "heading": self.tr("It is a name: links to it would not follow. Rename does that."),
            "item": self.tr("It would become the heading of an item."),
            "metadata": self.tr("It would not be the same kind of metadata any more."),
            "surrogate": self.tr("It would hold half a character, which no file can."),
            "unsaved": self.tr("The item holds unsaved text: save it first."),
        }
        told = [texts[replacement.against]] if replacement.against else []
        if replacement.broken:
            links = ", ".join(link.render() for link in replacement.broken[:3])
            told.append(self.tr("There is no {0}.").format(links))
        return " ".join(told)


def place_of(replacement: Replacement) -> str:
    hit = replacement.hit
    return f"{hit.key}.md:{hit.line}" + (f"  ·  {hit.section}" if hit.section else "")


def _pieces(replacement: Replacement) -> list[tuple[str, str]]:
    """The line from shortly before its first match on, and how each piece is painted."""
    text, at = replacement.hit.text, max(0, replacement.hit.spans[0][0] - _CONTEXT)
    cut = "…" if text[:at].strip() else ""
    at = at if cut else min(len(text) - len(text.lstrip()), replacement.hit.spans[0][0])
    pieces: list[tuple[str, str]] = []
    for (start, end), new in zip(replacement.hit.spans, replacement.news, strict=True):
        before = "" if pieces else cut
        pieces += [(before + text[at:start], "text"), (text[start:end], "cut"), (" → ", "muted"), (_shown(new), "good")]
        at = end
    return [*pieces, (text[at : at + 400].rstrip(), "text")]


def _shown(text: str) -> str:
    return text.replace("\n", "⏎") or "∅"


class ReplacePreview(Dialog):
    """`accepted`: the person wants what is ticked in `model.chosen`."""

    def __init__(self, parent: QWidget, replacements: Sequence[Replacement], theme: Theme) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle(self.tr("Replace in store"))
        self.resize(_SIZE.boundedTo(parent.window().size() - QSize(60, 60)))
        self.model = ReplacementModel(replacements)
        self.model.setParent(self)
        self.caption = styled(QLabel(wordWrap=True), "muted")
        self.list = ChangeList(theme, self.model, self.model.pieces)
        self.list.setAccessibleName(self.tr("Lines, before and after"))
        buttons = QDialogButtonBox()
        self.all = buttons.addButton(self.tr("Tick all"), QDialogButtonBox.ButtonRole.ResetRole)
        self.none = buttons.addButton(self.tr("Tick none"), QDialogButtonBox.ButtonRole.ResetRole)
        self.replace = buttons.addButton(self.tr("Replace"), QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        self.replace.setDefault(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 14)
        column.setSpacing(8)
        for widget in (self.caption, self.list, buttons):
            column.addWidget(widget)
        self.all.clicked.connect(self._on_all)
        self.none.clicked.connect(self._on_none)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.model.chosen_changed.connect(self._show_count)
        self._show_count()
        self.list.setCurrentIndex(self.model.index(0))
        self.list.setFocus()

    @Slot()
    def _on_all(self) -> None:
        self.model.tick_all(True)

    @Slot()
    def _on_none(self) -> None:
        self.model.tick_all(False)

    @Slot()
    def _show_count(self) -> None:
        chosen = self.model.chosen
        words = self.tr("%n line(s) will change", None, len(chosen))
        words += self.tr(" in %n file(s).", None, len({one.hit.key for one in chosen}))
        apart = sum(bool(one.against) for one in self.model.rows)
        if apart:
            words += " " + self.tr("%n line(s) stand(s) apart at the end, with the reason.", None, apart)
        broken = sum(len(one.broken) for one in chosen)
        if broken:
            words += " " + self.tr("%n link(s) will lead nowhere.", None, broken)
        self.caption.setText(words)
        self.replace.setEnabled(bool(chosen))
