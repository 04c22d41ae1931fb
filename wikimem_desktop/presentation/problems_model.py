"""The problems of the open store as a list, in words."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from wikimem_desktop.engine.problems import Kind, Problem
from wikimem_desktop.presentation.row_changes import row_changes
from wikimem_desktop.presentation.words import fix_text, is_severe, problem_text


class ProblemRole(IntEnum):
    PROBLEM = Qt.ItemDataRole.UserRole
    PLACE_TEXT = Qt.ItemDataRole.UserRole + 1
    SEVERE = Qt.ItemDataRole.UserRole + 2
    FIX_TEXT = Qt.ItemDataRole.UserRole + 3


class ProblemsModel(QAbstractListModel):
    """Signals:
    counted: there are other problems, on show or not.
    """

    counted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.problems: Sequence[Problem] = ()
        """All of them, on show or not."""
        self.kind: Kind | None = None
        self._problems: list[Problem] = []

    def set_problems(self, problems: Sequence[Problem]) -> None:
        """Follow the newest findings, each of which is there once; those that stay keep their rows."""
        self.problems = list(problems)
        self._show()
        self.counted.emit()

    def show_kind(self, kind: Kind | None) -> None:
        """Show only problems of a kind; None: all."""
        self.kind = kind
        self._show()

    @property
    def shown(self) -> Sequence[Problem]:
        return self._problems

    def _show(self) -> None:
        new = [problem for problem in self.problems if self.kind in (None, problem.kind)]
        for change in row_changes(self._problems, new):
            if change.remove:
                self.beginRemoveRows(QModelIndex(), change.first, change.last)
                del self._problems[change.first : change.last + 1]
                self.endRemoveRows()
            else:
                self.beginInsertRows(QModelIndex(), change.first, change.last)
                self._problems[change.first : change.first] = new[change.first : change.last + 1]
                self.endInsertRows()

    def occurrence(self, problem: Problem) -> int:
        """Which of the sections of that name in its file a shadowed one is; they count from 0."""
        alike = (problem.kind, problem.path, problem.item)
        lines = sorted(other.line for other in self.problems if (other.kind, other.path, other.item) == alike)
        return lines.index(problem.line)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._problems)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        problem = self._problems[index.row()]
        place = f"{problem.path.name}:{problem.line}" if problem.line else problem.path.name
        if role == Qt.ItemDataRole.DisplayRole:
            return problem_text(problem)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{problem_text(problem)}\n{place}"
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            fix = fix_text(problem)
            return self.tr("Ctrl+Enter: {0}").format(fix) if fix else None
        values = {
            ProblemRole.PROBLEM: problem,
            ProblemRole.PLACE_TEXT: place,
            ProblemRole.SEVERE: is_severe(problem),
            ProblemRole.FIX_TEXT: fix_text(problem),
        }
        return values.get(ProblemRole(role)) if role in values else None
