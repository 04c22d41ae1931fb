"""A run as a list: kept entries, the budget cut, what is behind it, and links that lead nowhere."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from wikimem_desktop.engine.diary import is_day
from wikimem_desktop.engine.explain import Cut, TermShare
from wikimem_desktop.engine.items import RetrievedItem
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.presentation.memory_model import Rank
from wikimem_desktop.presentation.searcher import Run


class SequenceRole(IntEnum):
    """The row itself (an `Entry`, a `Cut` or a str: an unresolved link), and what can be done about it."""

    ROW = Qt.ItemDataRole.UserRole
    FIX_TEXT = Qt.ItemDataRole.UserRole + 1


@dataclass(frozen=True, slots=True)
class Entry:
    """One card. `share` is its score as a part of the best one's."""

    number: int
    item: RetrievedItem
    dropped: bool
    shares: tuple[TermShare, ...]
    share: float
    blocks: int
    """How many smaller entries behind the cut this one keeps out."""
    over_budget: bool
    """The first entry always stays, even when it alone exceeds the budget."""

    @property
    def place(self) -> Place:
        item = self.item.item
        return Place("item", item.category, item.name)

    @property
    def costs_nothing(self) -> bool:
        """It has text, but none that the estimate counts."""
        return self.item.tokens_est == 0 and bool(self.item.item.content)


class SequenceModel(QAbstractListModel):
    def __init__(self) -> None:
        super().__init__()
        self._rows: list[Entry | Cut | str] = []

    def set_run(self, run: Run | None) -> None:
        self.beginResetModel()
        self._rows = _rows(run) if run else []
        self.endResetModel()

    @property
    def entries(self) -> list[Entry]:
        return [row for row in self._rows if isinstance(row, Entry)]

    def ranks(self) -> dict[str, Rank]:
        """Badges for the tree, by address; the first diary entry of a day stands for the day too."""
        ranks: dict[str, Rank] = {}
        for entry in self.entries:
            item, rank = entry.item.item, Rank(entry.number, entry.item.source == "link", entry.dropped)
            ranks.setdefault(item.address, rank)
            if is_day(item.category):
                ranks.setdefault(item.category, rank)
        return ranks

    def row_of(self, address: str) -> int:
        """The row of an item's card, or -1."""
        for row, entry in enumerate(self._rows):
            if isinstance(entry, Entry) and entry.item.item.address == address:
                return row
        return -1

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == SequenceRole.ROW:
            return row
        if role == SequenceRole.FIX_TEXT:
            return self.tr("Create") if isinstance(row, str) else None
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return self.tr("Ctrl+Enter: {0}").format(self.tr("Create")) if isinstance(row, str) else None
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._details(row)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._words(row)
        return None

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        if index.isValid() and isinstance(self._rows[index.row()], Cut):
            return Qt.ItemFlag.ItemIsEnabled
        return super().flags(index)

    def cut_words(self, cut: Cut) -> str:
        if cut.left < 0:
            rest = self.tr("%n token(s) over", None, -cut.left)
        else:
            rest = self.tr("%n token(s) left", None, cut.left)
        return self.tr("Budget cut · {0}, the next needs {1}").format(rest, cut.needs)

    def blocker_words(self, blocked: int) -> str:
        return self.tr("blocks %n smaller", None, blocked)

    def via_words(self, via: str) -> tuple[str, str, str]:
        """The sentence about a link, cut around the name: before, name, after."""
        before, _, after = self.tr("because {0} links to it").partition("{0}")
        return before, via, after

    def _words(self, row: Entry | Cut | str) -> str:
        if isinstance(row, Cut):
            return self.cut_words(row)
        if isinstance(row, str):
            return self.tr("Not found: {0}").format(row)
        kind = self.tr("link via {0}").format(row.item.via) if row.item.source == "link" else self.tr("hit")
        state = self.tr("dropped") if row.dropped else self.tr("kept")
        words = [self.tr("rank {0}").format(row.number), row.item.item.address, kind]
        if row.item.score is not None:
            words.append(self.tr("score {0}").format(f"{row.item.score:.3f}"))
        return ", ".join([*words, self.tr("%n token(s)", None, row.item.tokens_est), state])

    def _details(self, row: Entry | Cut | str) -> str:
        """Complete numbers, for hovering."""
        if isinstance(row, str):
            return self.tr("{0} leads to no item; hosts skip it").format(row)
        if isinstance(row, Cut):
            lines = [self.cut_words(row), self.tr("The host stops at the first entry that does not fit.")]
            if row.blocked:
                lines.append(self.tr("%n entry(ies) behind it would have fitted.", None, row.blocked))
            return "\n".join(lines)
        lines = [row.item.item.address]
        if row.item.score is not None:
            lines.append(self.tr("score {0}").format(repr(row.item.score)))
        for share in row.shares:
            lines.append(
                f"{share.term}: {share.adds!r} = {share.times} × idf {share.idf:.6f} × {share.factor:.6f} "
                f"(tf {share.tf}, df {share.df})"
            )
        lines.append(self.tr("%n token(s)", None, row.item.tokens_est))
        if row.blocks:
            lines.append(self.tr("The first that did not fit; it keeps out %n that would", None, row.blocks))
        if row.over_budget:
            lines.append(self.tr("Larger than the budget; the first entry always stays"))
        if row.costs_nothing:
            text = self.tr("Counted as 0 tokens: no letters a–z, digits, CJK or kana in its %n character(s)", None,
                           len(row.item.item.content))  # fmt: skip
            lines.append(text)
        return "\n".join(lines)


def _rows(run: Run) -> list[Entry | Cut | str]:
    kept = len(run.result.items)
    best = max((entry.score or 0.0 for entry in run.sequence), default=0.0)
    budget = run.result.budget_tokens
    rows: list[Entry | Cut | str] = []
    for position, item in enumerate(run.sequence):
        if position == kept and run.explained.cut is not None:
            rows.append(run.explained.cut)
        rows.append(
            Entry(
                position + 1,
                item,
                position >= kept,
                tuple(run.explained.shares.get(item.item.address, ())),
                (item.score or 0.0) / best if best else 0.0,
                run.explained.cut.blocked if run.explained.cut is not None and position == kept else 0,
                position == 0 and budget is not None and item.tokens_est > budget,
            )
        )
    return rows + list(run.result.unresolved_links)
