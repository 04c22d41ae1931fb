"""The memory as a tree: categories with their items, and the diary with its days.

A node is known by its key, so a refresh moves rows instead of resetting them: expansion, selection and scroll stay.
There is no object per item: a category holds the names it shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt, Signal, Slot

from wikimem_desktop.engine.checks import Findings
from wikimem_desktop.engine.problems import FileReport, Kind

from .branches import Branch, Node
from .buffer import Place
from .ordering import Order
from .row_changes import row_changes
from .sifting import Sifting
from .words import problem_text

Index = QModelIndex | QPersistentModelIndex
_DIARY: Node = ("diary", "diary")
_DIARY_KEY = "diary/"
"""A category can't be named so."""


class Role(IntEnum):
    """What the delegate paints besides the name."""

    PLACE = Qt.ItemDataRole.UserRole
    COUNT = Qt.ItemDataRole.UserRole + 1
    RANK = Qt.ItemDataRole.UserRole + 2
    UNSAVED = Qt.ItemDataRole.UserRole + 3
    PROBLEM = Qt.ItemDataRole.UserRole + 4


@dataclass(frozen=True, slots=True)
class Rank:
    """An item's place in the current run."""

    number: int
    link: bool
    dropped: bool


@dataclass(slots=True)
class _Shown:
    """A branch as the view knows it. Qt asks for it while its rows change, so it changes with them."""

    node: Node
    leaves: list[str] = field(default_factory=list)
    total: int = 0
    shadowed: dict[str, Sequence[int]] = field(default_factory=dict)
    branch: Branch | None = None
    """What it shows once its rows have followed."""

    @property
    def kind(self) -> str:
        return self.node[0]

    @property
    def key(self) -> str:
        return self.node[1]

    def address(self, leaf: str) -> str:
        return leaf if self.node == _DIARY else f"{self.key}:{leaf}"

    def is_reordered_in(self, branch: Branch) -> bool:
        """Whether the branch has the same leaves in another order."""
        old, new = self.leaves, branch.leaves
        return len(old) == len(new) and old != new and set(old) == set(new)


class MemoryModel(QAbstractItemModel):
    """Levels: branch, leaf, shadowed section. `internalId`: 0 for a branch, its number for a leaf, and so on.

    Signals:
        sifted: the rows follow the store, the filter and the order; many texts take a while.
    """

    sifted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._sifting = Sifting(self)
        self._sifting.sifted.connect(self._on_sifted)
        self._shown: list[_Shown] = []
        self._rows: dict[Node, int] = {}
        self._ranks: dict[str, Rank] = {}
        self._unsaved: set[str] = set()
        self._unsaved_branches: set[str] = set()
        self._findings = Findings()
        self._numbers: dict[Node, int] = {}
        self._nodes: dict[int, Node] = {}

    # ------------------------------------------------------------ what to show

    @property
    def branches(self) -> Sequence[Branch]:
        """All of them in file order, filtered or not."""
        return self._sifting.branches

    def set_branches(self, branches: Sequence[Branch]) -> None:
        self._sifting.set_branches(branches)

    def set_filter(self, text: str) -> None:
        """Show only leaves whose address contains the letters in order, and that are as the terms in the text say."""
        self._sifting.set_filter(text)

    @property
    def filter_text(self) -> str:
        return self._sifting.filter.text if self._sifting.filter else ""

    @property
    def filtering(self) -> bool:
        return self._sifting.filter is not None

    @property
    def searching(self) -> bool:
        """Whether the rows do not follow the filter, or the order, yet."""
        return self._sifting.busy

    @property
    def order(self) -> Order:
        return self._sifting.order

    def set_order(self, order: Order) -> None:
        self._sifting.set_order(order)

    @property
    def in_file_order(self) -> bool:
        """Whether neighbours here are neighbours in their file."""
        return self.order is Order.FILE and not self.filtering

    def best_match(self) -> QModelIndex:
        """The leaf on show that the filter means most likely."""
        chosen = self._sifting.filter
        place = chosen.best_match(self._sifting.shown) if chosen else None
        return self._leaf_index(*place) if place else self.index(0, 0)

    def set_ranks(self, ranks: dict[str, Rank]) -> None:
        changed = {
            address for address in ranks.keys() | self._ranks.keys() if ranks.get(address) != self._ranks.get(address)
        }
        self._ranks = ranks
        self._touch(changed)

    def set_unsaved(self, addresses: set[str]) -> None:
        changed = addresses ^ self._unsaved
        self._unsaved = addresses
        # A closed branch tells that something below it is unsaved.
        before, self._unsaved_branches = self._unsaved_branches, self._branches_of(addresses)
        self._touch(changed | (before ^ self._unsaved_branches))

    def set_findings(self, findings: Findings) -> None:
        """Mark what is wrong. One signal for all rows: a view paints those in sight, and looks for each one told."""
        before, self._findings = self._findings, findings
        if self._shown and not findings.same_as(before):
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._shown) - 1, 0))

    @Slot()
    def _on_sifted(self) -> None:
        self._show(self._sifting.shown)
        self.sifted.emit()

    def _show(self, branches: Sequence[Branch]) -> None:
        for change in row_changes([shown.node for shown in self._shown], [branch.node for branch in branches]):
            if change.remove:
                self.beginRemoveRows(QModelIndex(), change.first, change.last)
                del self._shown[change.first : change.last + 1]
                self._number_rows()
                self.endRemoveRows()
            else:
                self.beginInsertRows(QModelIndex(), change.first, change.last)
                # A branch that nobody has opened needs no news about its leaves.
                new = [_whole(branch) for branch in branches[change.first : change.last + 1]]
                self._shown[change.first : change.first] = new
                self._number_rows()
                self.endInsertRows()
        changed = {row: branch for row, branch in enumerate(branches) if self._shown[row].branch is not branch}
        self._reorder({row: branch for row, branch in changed.items() if self._shown[row].is_reordered_in(branch)})
        watched = self._watched_branches()
        for row, branch in changed.items():
            self._show_leaves(row, branch, watched=branch.node in watched)
            self._shown[row].branch = branch

    def _watched_branches(self) -> set[Node]:
        """Those with a row that someone keeps hold of: one that is selected, or has open rows below it."""
        numbers = {index.internalId() for index in self.persistentIndexList()}
        return {self._nodes[number][:2] for number in numbers if number}

    def _reorder(self, changed: dict[int, Branch]) -> None:
        """The same leaves in another order: selection and current row go along."""
        if not changed:
            return
        self.layoutAboutToBeChanged.emit()
        before = []
        for index in self.persistentIndexList():
            shown, leaf, shadowed = self._locate(index)
            if leaf is not None and shadowed is None and self._rows[shown.node] in changed:
                before.append((index, self._rows[shown.node], leaf))
        for row, branch in changed.items():
            self._shown[row].leaves = list(branch.leaves)
        places = {row: {leaf: at for at, leaf in enumerate(changed[row].leaves)} for _, row, _ in before}
        after = [self._leaf_index(row, places[row][leaf]) for _, row, leaf in before]
        self.changePersistentIndexList([index for index, _, _ in before], after)
        self.layoutChanged.emit()

    def _number_rows(self) -> None:
        self._rows = {shown.node: row for row, shown in enumerate(self._shown)}

    def _show_leaves(self, row: int, new: Branch, *, watched: bool) -> None:
        shown = self._shown[row]
        parent = self.index(row, 0)
        stale_shadows = {name for name in shown.shadowed if shown.shadowed[name] != new.shadowed.get(name)}
        fresh_shadows = {name for name in new.shadowed if new.shadowed[name] != shown.shadowed.get(name)}
        for name in stale_shadows & set(shown.leaves):
            at = self._leaf_index(row, shown.leaves.index(name))
            self.beginRemoveRows(at, 0, len(shown.shadowed[name]) - 1)
            del shown.shadowed[name]
            self.endRemoveRows()
        shown.shadowed = {name: new.shadowed[name] for name in shown.shadowed.keys() & new.shadowed.keys()}
        for change in row_changes(shown.leaves, new.leaves, watched=watched):
            if change.remove:
                self.beginRemoveRows(parent, change.first, change.last)
                del shown.leaves[change.first : change.last + 1]
                self.endRemoveRows()
            else:
                self.beginInsertRows(parent, change.first, change.last)
                shown.leaves[change.first : change.first] = new.leaves[change.first : change.last + 1]
                self.endInsertRows()
        for name in fresh_shadows & set(shown.leaves):
            at = self._leaf_index(row, shown.leaves.index(name))
            self.beginInsertRows(at, 0, len(new.shadowed[name]) - 1)
            shown.shadowed[name] = new.shadowed[name]
            self.endInsertRows()
        if shown.total != new.total:
            shown.total = new.total
            self.dataChanged.emit(parent, parent)

    def _touch(self, addresses: set[str]) -> None:
        for address in addresses:
            for index in self._addressed(address):
                self.dataChanged.emit(index, index)

    # ------------------------------------------------------------ where things are

    def find(self, category: str, name: str = "") -> QModelIndex:
        """The index of an item or day (name empty: of the category)."""
        row = self._rows.get(("category", category), self._rows.get(("file", category)))
        if row is None:
            row = self._rows.get(_DIARY)
            name = category
        if row is None:
            return QModelIndex()
        if not name:
            return self.index(row, 0)
        leaves = self._shown[row].leaves
        return self._leaf_index(row, leaves.index(name)) if name in leaves else QModelIndex()

    def _addressed(self, address: str) -> Iterator[QModelIndex]:
        """The rows that the address can mean: names of files and items may hold colons themselves."""
        colons = [at for at, character in enumerate(address) if character == ":"]
        for at in [len(address), *colons]:
            index = self.find(address[:at], address[at + 1 :])
            if index.isValid():
                yield index

    def _branches_of(self, addresses: set[str]) -> set[str]:
        """The categories that hold these items."""
        rows = [index for address in addresses for index in self._addressed(address)]
        parents = [row.parent() if row.parent().isValid() else row for row in rows]  # a file, of which only prose is
        return {self._shown[parent.row()].key for parent in parents if parent.isValid()}

    def branch_rows(self) -> dict[str, int]:
        """Row by key; that of the diary is no name of a category."""
        return {_key(node): row for node, row in self._rows.items()}

    @property
    def keys(self) -> list[str]:
        """Those of all branches, filtered or not."""
        return [_key(branch.node) for branch in self.branches]

    def key_of(self, branch: Index) -> str:
        return _key(self._shown[branch.row()].node)

    def _number(self, node: Node) -> int:
        number = self._numbers.setdefault(node, len(self._numbers) + 1)
        self._nodes[number] = node
        return number

    def _leaf_index(self, branch_row: int, row: int) -> QModelIndex:
        return self.createIndex(row, 0, self._number(self._shown[branch_row].node))

    def _locate(self, index: Index) -> tuple[_Shown, str | None, int | None]:
        """Branch, leaf name and shadowed row of an index."""
        number = index.internalId()
        if number == 0:
            return self._shown[index.row()], None, None
        node = self._nodes[number]
        shown = self._shown[self._rows[node[:2]]]
        if node[2:]:
            return shown, node[2], index.row()
        return shown, shown.leaves[index.row()], None

    # ------------------------------------------------------------ QAbstractItemModel

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:
        # Views ask for thousands; hasIndex() would come back with two questions for each.
        if column != 0 or not 0 <= row < self.rowCount(parent):
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(row, 0, 0)
        shown, leaf, _ = self._locate(parent)
        return self.createIndex(row, 0, self._number(shown.node if leaf is None else (*shown.node, leaf)))

    def parent(self, index: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]
        if not index.isValid() or index.internalId() == 0:
            return QModelIndex()
        node = self._nodes[index.internalId()]
        row = self._rows[node[:2]]
        return (
            self._leaf_index(row, self._shown[row].leaves.index(node[2])) if node[2:] else self.createIndex(row, 0, 0)
        )

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        if not parent.isValid():
            return len(self._shown)
        if parent.column() != 0:
            return 0
        shown, leaf, shadowed = self._locate(parent)
        if leaf is None:
            return len(shown.leaves)
        return 0 if shadowed is not None else len(shown.shadowed.get(leaf, ()))

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Items can be dragged; what is let go over any row is judged there."""
        flags = super().flags(index) | Qt.ItemFlag.ItemIsDropEnabled
        place = self.data(index, Role.PLACE)
        return flags | Qt.ItemFlag.ItemIsDragEnabled if isinstance(place, Place) and place.kind == "item" else flags

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def hasChildren(self, parent: Index = QModelIndex()) -> bool:
        return self.rowCount(parent) > 0

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        shown, leaf, shadowed = self._locate(index)
        if role == Qt.ItemDataRole.DisplayRole:
            return self._label(shown, leaf, shadowed)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleDescriptionRole):
            return self._description(shown, leaf, shadowed)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            words = (self._label(shown, leaf, shadowed), *self._description(shown, leaf, shadowed).split("\n")[1:])
            return ", ".join(words)
        if role == Role.PLACE:
            return self._place(shown, leaf, shadowed)
        if role == Role.COUNT:
            return shown.total if leaf is None else None
        if role == Role.PROBLEM:
            return shown.kind == "file" or bool(self._problem_words(shown, None if shadowed is not None else leaf))
        if role == Role.UNSAVED and leaf is None:
            return shown.node != _DIARY and shown.key in self._unsaved_branches
        if leaf is None or shadowed is not None:
            return None
        marks = {
            Role.RANK: self._ranks.get(shown.address(leaf)),
            Role.UNSAVED: shown.address(leaf) in self._unsaved,
        }
        return marks.get(Role(role)) if role in marks else None

    def _label(self, shown: _Shown, leaf: str | None, shadowed: int | None) -> str:
        if leaf is None:
            return self.tr("diary") if shown.node == _DIARY else shown.key
        return leaf if shadowed is None else self.tr("{0} (hosts ignore this one)").format(leaf)

    def _problem_words(self, shown: _Shown, leaf: str | None) -> str:
        """What is wrong with an item or a day; leaf None: with a file as a whole."""
        report: FileReport | None
        if shown.node == _DIARY:
            report = self._findings.days.get(leaf or "")
            problems = report.problems if report else ()
        else:
            report = self._findings.categories.get(shown.key)
            problems = tuple(report.problems_by_item.get(leaf, ())) if report else ()
        words = [problem_text(problem) for problem in problems if problem.kind is not Kind.SAME_MINUTE]
        return "\n".join(dict.fromkeys(words))

    def _description(self, shown: _Shown, leaf: str | None, shadowed: int | None) -> str:
        """Lines: the whole name, then what the badges mean."""
        if shadowed is not None and leaf is not None:
            return self.tr("{0}\nA later item of this name in the file wins").format(shown.address(leaf))
        if leaf is None:
            count = (
                self.tr("%n item(s)", None, shown.total)
                if shown.node != _DIARY
                else self.tr("%n day(s)", None, shown.total)
            )
            lines = [self._label(shown, None, None), count]
            if shown.node != _DIARY and shown.key in self._unsaved_branches:
                lines.append(self.tr("holds unsaved text"))
        else:
            lines = [shown.address(leaf), *self._mark_words(shown.address(leaf))]
            if hidden := len(shown.shadowed.get(leaf, ())):
                lines.append(self.tr("%n section(s) of this name that hosts ignore", None, hidden))
        return "\n".join(filter(None, [*lines, self._problem_words(shown, leaf)]))

    def _mark_words(self, address: str) -> Iterator[str]:
        rank = self._ranks.get(address)
        if rank is not None:
            text = self.tr("rank {0}, behind the budget cut") if rank.dropped else self.tr("rank {0} in this run")
            yield text.format(rank.number)
        if address in self._unsaved:
            yield self.tr("unsaved text")

    def _place(self, shown: _Shown, leaf: str | None, shadowed: int | None) -> Place | None:
        if shown.node == _DIARY:
            return None if leaf is None else Place("day", leaf)
        if leaf is None:
            return Place(shown.kind, shown.key)
        if shadowed is None:
            return Place("item", shown.key, leaf)
        return Place("shadowed", shown.key, leaf, shown.shadowed[leaf][shadowed])


def _key(node: Node) -> str:
    return _DIARY_KEY if node == _DIARY else node[1]


def _whole(branch: Branch) -> _Shown:
    return _Shown(branch.node, list(branch.leaves), branch.total, dict(branch.shadowed), branch)
