"""The lines whose links follow a rename or a move, each as it is and as it will be."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from wikimem_desktop.engine.changes import Mark
from wikimem_desktop.engine.refactoring import LinkLine, Redirection, rewrite_line
from wikimem_desktop.presentation.structure import FoundLinks
from wikimem_desktop.widgets.change_rows import ChangeList, Pieces
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme

_Index = QModelIndex | QPersistentModelIndex
_CONTEXT = 28
"""Characters in front of a link that are shown."""
_MOST_ROWS = 5


class LinkModel(QAbstractListModel):
    """Rows: lines outside of code, then those in code, which can be left out."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[LinkLine] = []
        self.redirections: Sequence[Redirection] = ()
        self._left_out: set[int] = set()

    def show(self, lines: Sequence[LinkLine]) -> None:
        self.beginResetModel()
        self.lines = sorted(lines, key=lambda line: line.in_code)
        self._left_out.clear()
        self.endResetModel()

    def redirect(self, redirections: Sequence[Redirection]) -> None:
        """Show where the links will lead."""
        self.redirections = redirections
        if self.lines:
            self.dataChanged.emit(self.index(0), self.index(len(self.lines) - 1))

    @property
    def count(self) -> int:
        """How many links follow."""
        return sum(len(line.spans) for row, line in enumerate(self.lines) if row not in self._left_out)

    @property
    def kept(self) -> frozenset[Mark]:
        """The lines that stay as they are."""
        return frozenset(self.lines[row].mark for row in self._left_out)

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.lines)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsUserCheckable if self.lines[index.row()].in_code else flags

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = index.row()
        line = self.lines[row]
        if role == Qt.ItemDataRole.CheckStateRole and line.in_code:
            return Qt.CheckState.Unchecked if row in self._left_out else Qt.CheckState.Checked
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            where = f"{line.key}.md:{line.line}"
            return f"{where}\n{line.text.strip()}\n{rewrite_line(line.text, *self.redirections).strip()}"
        return None

    def pieces(self, row: int) -> tuple[Pieces, Pieces]:
        """What is painted of a row."""
        line = self.lines[row]
        place = f"{line.key}.md:{line.line}" + (f"  ·  {line.section}" if line.section else "")
        after = line.text if row in self._left_out else rewrite_line(line.text, *self.redirections)
        return [(place, "muted")], _pieces(line, after)

    def setData(self, index: _Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or not self.lines[index.row()].in_code:
            return False
        # Lines of a file that say the same go together: nothing tells them apart once the file has moved on.
        mark = self.lines[index.row()].mark
        alike = {row for row, line in enumerate(self.lines) if line.mark == mark}
        checked = Qt.CheckState(value) == Qt.CheckState.Checked
        self._left_out = self._left_out - alike if checked else self._left_out | alike
        self.dataChanged.emit(self.index(min(alike)), self.index(max(alike)))
        return True


def _pieces(line: LinkLine, after: str) -> list[tuple[str, str]]:
    """The line from shortly before its first link on, with what goes and what comes instead."""
    first = line.spans[0]
    start = max(0, first.start - _CONTEXT)
    old = line.text[first.start : first.end]
    new = after[first.start : after.index("]]", first.start) + 2]
    head = ("…" if start else "") + line.text[start : first.start].lstrip()
    change = [(old, "cut"), (" → ", "muted"), (new, "good")] if old != new else [(old, "text")]
    return [(head, "text"), *change, (line.text[first.end :].rstrip(), "text")]


class LinkPreview(QWidget):
    """A sentence and the lines; hidden while there are none.

    Signals:
        changed: other lines, or other ticks.
    """

    changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.model = LinkModel()
        self.caption = QLabel(wordWrap=True)
        self.list = ChangeList(theme, self.model, self.model.pieces)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.caption)
        layout.addWidget(self.list, 1)
        self.obstacle = styled(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), "inlineError")
        self.obstacle.hide()
        layout.addWidget(self.obstacle)
        self.model.dataChanged.connect(self._show_caption)
        self.hide()

    def show_found(self, found: FoundLinks, redirections: Sequence[Redirection]) -> None:
        """Show the lines as they will be."""
        lines = found.lines
        self.model.redirections = redirections
        self.model.show(lines)
        height = self.list.sizeHintForRow(0) * min(len(lines), _MOST_ROWS) if lines else 0
        self.list.setMinimumHeight(height + 14)
        self._show_caption()
        if found.read_only:
            files = ", ".join(f"{key}.md" for key in found.read_only)
            self.obstacle.setText(self.tr("Not possible, as these files are read-only: {0}").format(files))
        self.obstacle.setVisible(bool(found.read_only))
        self.setVisible(bool(lines or found.read_only))

    @property
    def blocked(self) -> bool:
        """Whether nothing can be done, because a file is read-only."""
        return self.obstacle.isVisibleTo(self)

    @property
    def count(self) -> int:
        """How many links follow."""
        return self.model.count

    def with_count(self, words: str) -> str:
        """What a button says that takes the links along."""
        return self.tr("{0} with %n link(s)", None, self.count).format(words)

    @property
    def kept(self) -> frozenset[Mark]:
        return self.model.kept

    @Slot()
    def _show_caption(self) -> None:
        lines = self.model.lines
        links = sum(len(line.spans) for line in lines)
        files = len({line.key for line in lines})
        words = self.tr("%n link(s) lead(s) here", None, links) + self.tr(", in %n file(s); they follow.", None, files)
        in_code = sum(line.in_code for line in lines)
        if in_code:
            words += " " + self.tr("%n line(s) is/are in code: untick what shall stay.", None, in_code)
        self.caption.setText(words)
        for part in (self.caption, self.list):
            part.setVisible(bool(lines))
        self.list.setAccessibleName(words)
        self.changed.emit()
