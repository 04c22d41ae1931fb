"""The memory as a tree: categories with their items, and the diary with its days.

A node is known by its key, so a refresh moves rows instead of resetting them: expansion, selection and scroll stay.
There is no object per item: a category holds the names it shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt

from wikimem_desktop.engine.index import Snapshot

from .buffer import Place
from .row_changes import row_changes

Index = QModelIndex | QPersistentModelIndex
_Node = tuple[str, ...]
"""Kind and key of a branch; with an item's name behind them, that item. (A category may be named like the diary.)"""


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
class Branch:
    """A category (or the diary): what it shows, and how much it holds."""

    key: str
    kind: str
    """"category", "file" (can't be read) or "diary"."""
    leaves: list[str] = field(default_factory=list)
    """Item names or days, in order, as far as the filter lets them through."""
    total: int = 0
    shadowed: dict[str, list[int]] = field(default_factory=dict)
    """Occurrences that hosts ignore, by item name."""

    @property
    def node(self) -> _Node:
        return self.kind, self.key


def branches_of(snapshot: Snapshot, days: Sequence[str]) -> list[Branch]:
    """The tree of a store: a branch for each file, and one for the days of the diary."""
    branches = []
    for file in snapshot.files:
        shadowed: dict[str, list[int]] = {}
        for section in file.shadowed:
            shadowed.setdefault(section.item.name, []).append(section.occurrence)
        names = [item.name for item in file.items]
        branches.append(Branch(file.category, "file" if file.error else "category", names, len(names), shadowed))
    if days:
        branches.append(Branch("diary", "diary", list(days), len(days)))
    return branches


class MemoryModel(QAbstractItemModel):
    """Levels: branch, leaf, shadowed section. `internalId`: 0 for a branch, its number for a leaf, and so on."""

    def __init__(self) -> None:
        super().__init__()
        self._all: list[Branch] = []
        self._shown: list[Branch] = []
        self._filter = ""
        self._ranks: dict[str, Rank] = {}
        self._unsaved: set[str] = set()
        self._unsaved_branches: set[str] = set()
        self._problems: Mapping[str, str] = {}
        self._numbers: dict[_Node, int] = {}
        self._nodes: dict[int, _Node] = {}

    # ------------------------------------------------------------ what to show

    def set_branches(self, branches: Sequence[Branch]) -> None:
        self._all = list(branches)
        self._show(self._filtered())

    def set_filter(self, text: str) -> None:
        """Show only leaves whose address contains the letters in order."""
        if text.strip() != self._filter:
            self._filter = text.strip()
            self._show(self._filtered())

    @property
    def filtering(self) -> bool:
        return bool(self._filter)

    def best_match(self) -> QModelIndex:
        """The leaf on show that the filter means most likely: its name, then how it begins, then what it holds."""
        wanted = self._filter.casefold()
        shown = [(row, branch, leaf) for row, branch in enumerate(self._shown) for leaf in branch.leaves]
        if not shown:
            return self.index(0, 0)
        row, branch, leaf = min(shown, key=lambda place: _distance(wanted, place[1].key, place[2]))
        return self._leaf_index(row, branch.leaves.index(leaf))

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

    def set_problems(self, problems: Mapping[str, str]) -> None:
        """Words about what is wrong, by address (or category)."""
        changed = {
            key for key in problems.keys() | self._problems.keys() if problems.get(key) != self._problems.get(key)
        }
        self._problems = problems
        self._touch(changed)

    def _filtered(self) -> list[Branch]:
        if not self._filter:
            return [Branch(b.key, b.kind, list(b.leaves), b.total, b.shadowed) for b in self._all]
        # Each letter at its first place behind the one before: nothing to try again.
        fuzzy = re.compile("".join(f"[^{re.escape(c)}]*{re.escape(c)}" for c in self._filter.lower()))
        shown = []
        for branch in self._all:
            prefix = f"{branch.key.lower()}:"
            leaves = [leaf for leaf in branch.leaves if fuzzy.match(prefix + leaf.lower())]
            if leaves or fuzzy.match(branch.key.lower()):
                shown.append(Branch(branch.key, branch.kind, leaves, branch.total, branch.shadowed))
        return shown

    def _show(self, branches: list[Branch]) -> None:
        for change in row_changes([b.node for b in self._shown], [b.node for b in branches]):
            if change.remove:
                self.beginRemoveRows(QModelIndex(), change.first, change.last)
                del self._shown[change.first : change.last + 1]
                self.endRemoveRows()
            else:
                self.beginInsertRows(QModelIndex(), change.first, change.last)
                new = [Branch(b.key, b.kind) for b in branches[change.first : change.last + 1]]
                self._shown[change.first : change.first] = new
                self.endInsertRows()
        for row, branch in enumerate(branches):
            self._show_leaves(row, branch)

    def _show_leaves(self, row: int, new: Branch) -> None:
        branch = self._shown[row]
        if (branch.leaves, branch.total, branch.shadowed) == (new.leaves, new.total, new.shadowed):
            return
        parent = self.index(row, 0)
        stale_shadows = {name for name in branch.shadowed if branch.shadowed[name] != new.shadowed.get(name)}
        fresh_shadows = {name for name in new.shadowed if new.shadowed[name] != branch.shadowed.get(name)}
        for name in stale_shadows & set(branch.leaves):
            at = self._leaf_index(row, branch.leaves.index(name))
            self.beginRemoveRows(at, 0, len(branch.shadowed[name]) - 1)
            del branch.shadowed[name]
            self.endRemoveRows()
        branch.shadowed = {name: new.shadowed[name] for name in branch.shadowed.keys() & new.shadowed.keys()}
        for change in row_changes(branch.leaves, new.leaves):
            if change.remove:
                self.beginRemoveRows(parent, change.first, change.last)
                del branch.leaves[change.first : change.last + 1]
                self.endRemoveRows()
            else:
                self.beginInsertRows(parent, change.first, change.last)
                branch.leaves[change.first : change.first] = new.leaves[change.first : change.last + 1]
                self.endInsertRows()
        for name in fresh_shadows & set(branch.leaves):
            at = self._leaf_index(row, branch.leaves.index(name))
            self.beginInsertRows(at, 0, len(new.shadowed[name]) - 1)
            branch.shadowed[name] = new.shadowed[name]
            self.endInsertRows()
        if branch.total != new.total:
            branch.total = new.total
            self.dataChanged.emit(parent, parent)

    def _touch(self, addresses: set[str]) -> None:
        for address in addresses:
            for index in self._addressed(address):
                self.dataChanged.emit(index, index)

    # ------------------------------------------------------------ where things are

    def find(self, category: str, name: str = "") -> QModelIndex:
        """The index of an item or day (name empty: of the category or the diary)."""
        for row, branch in enumerate(self._shown):
            if branch.kind == "diary" and category in branch.leaves:
                return self._leaf_index(row, branch.leaves.index(category))
            if branch.key == category and branch.kind != "diary":
                if not name:
                    return self.index(row, 0)
                return self._leaf_index(row, branch.leaves.index(name)) if name in branch.leaves else QModelIndex()
        return QModelIndex()

    def _addressed(self, address: str) -> Iterator[QModelIndex]:
        """The rows that the address can mean: names of files and items may hold colons themselves."""
        colons = [at for at, character in enumerate(address) if character == ":"]
        for at in [len(address), *colons]:
            index = self.find(address[:at], address[at + 1 :])
            if index.isValid():
                yield index

    def _branches_of(self, addresses: set[str]) -> set[str]:
        """The categories that hold these items."""
        parents = [index.parent() for address in addresses for index in self._addressed(address)]
        return {self._shown[parent.row()].key for parent in parents if parent.isValid()}

    def branch_rows(self) -> dict[str, int]:
        return {branch.key: row for row, branch in enumerate(self._shown)}

    def _number(self, node: _Node) -> int:
        number = self._numbers.setdefault(node, len(self._numbers) + 1)
        self._nodes[number] = node
        return number

    def _leaf_index(self, branch_row: int, row: int) -> QModelIndex:
        return self.createIndex(row, 0, self._number(self._shown[branch_row].node))

    def _branch_row(self, node: _Node) -> int:
        return next(row for row, branch in enumerate(self._shown) if branch.node == node[:2])

    def _locate(self, index: Index) -> tuple[Branch, str | None, int | None]:
        """Branch, leaf name and shadowed row of an index."""
        number = index.internalId()
        if number == 0:
            return self._shown[index.row()], None, None
        node = self._nodes[number]
        branch = self._shown[self._branch_row(node)]
        if node[2:]:
            return branch, node[2], index.row()
        return branch, branch.leaves[index.row()], None

    # ------------------------------------------------------------ QAbstractItemModel

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(row, column, 0)
        branch, leaf, _ = self._locate(parent)
        return self.createIndex(row, column, self._number(branch.node if leaf is None else (*branch.node, leaf)))

    def parent(self, index: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]
        if not index.isValid() or index.internalId() == 0:
            return QModelIndex()
        node = self._nodes[index.internalId()]
        row = self._branch_row(node)
        return (
            self._leaf_index(row, self._shown[row].leaves.index(node[2])) if node[2:] else self.createIndex(row, 0, 0)
        )

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        if not parent.isValid():
            return len(self._shown)
        branch, leaf, shadowed = self._locate(parent)
        if leaf is None:
            return len(branch.leaves)
        return 0 if shadowed is not None else len(branch.shadowed.get(leaf, ()))

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        branch, leaf, shadowed = self._locate(index)
        if role == Qt.ItemDataRole.DisplayRole:
            return self._label(branch, leaf, shadowed)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleDescriptionRole):
            return self._description(branch, leaf, shadowed)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            words = (self._label(branch, leaf, shadowed), *self._description(branch, leaf, shadowed).split("\n")[1:])
            return ", ".join(words)
        if role == Role.PLACE:
            return self._place(branch, leaf, shadowed)
        if role == Role.COUNT:
            return branch.total if leaf is None else None
        if role == Role.UNSAVED and leaf is None:
            return branch.kind != "diary" and branch.key in self._unsaved_branches
        if leaf is None or shadowed is not None:
            return (branch.key in self._problems or branch.kind == "file") if role == Role.PROBLEM else None
        address = f"{branch.key}:{leaf}" if branch.kind != "diary" else leaf
        marks = {
            Role.RANK: self._ranks.get(address),
            Role.UNSAVED: address in self._unsaved,
            Role.PROBLEM: address in self._problems,
        }
        return marks.get(Role(role)) if role in marks else None

    def _label(self, branch: Branch, leaf: str | None, shadowed: int | None) -> str:
        if leaf is None:
            return self.tr("diary") if branch.kind == "diary" else branch.key
        return leaf if shadowed is None else self.tr("{0} (hosts ignore this one)").format(leaf)

    def _description(self, branch: Branch, leaf: str | None, shadowed: int | None) -> str:
        """Lines: the whole name, then what the badges mean."""
        if leaf is None:
            count = (
                self.tr("%n item(s)", None, branch.total)
                if branch.kind != "diary"
                else self.tr("%n day(s)", None, branch.total)
            )
            lines = [self._label(branch, None, None), count]
            return "\n".join([*lines, *([self._problems[branch.key]] if branch.key in self._problems else [])])
        if shadowed is not None:
            return self.tr("{0}\nA later item of this name in the file wins").format(f"{branch.key}:{leaf}")
        address = f"{branch.key}:{leaf}" if branch.kind != "diary" else leaf
        lines = [address]
        rank = self._ranks.get(address)
        if rank is not None:
            text = self.tr("rank {0}, behind the budget cut") if rank.dropped else self.tr("rank {0} in this run")
            lines.append(text.format(rank.number))
        if address in self._unsaved:
            lines.append(self.tr("unsaved text"))
        if address in self._problems:
            lines.append(self._problems[address])
        return "\n".join(lines)

    def _place(self, branch: Branch, leaf: str | None, shadowed: int | None) -> Place | None:
        if leaf is None:
            return None if branch.kind == "diary" else Place(branch.kind, branch.key)
        if branch.kind == "diary":
            return Place("day", leaf)
        if shadowed is None:
            return Place("item", branch.key, leaf)
        return Place("shadowed", branch.key, leaf, branch.shadowed[leaf][shadowed])


def _distance(wanted: str, category: str, leaf: str) -> tuple[int, int]:
    """How far a name is from what was typed; the smaller the nearer."""
    name, address = leaf.casefold(), f"{category}:{leaf}".casefold()
    at = name.find(wanted)
    near = (
        0 if wanted in (name, address)
        else 1 if at == 0
        else 2 if at > 0 and not name[at - 1].isalnum()
        else 3 if at > 0
        else 4 if wanted in address
        else 5
    )  # fmt: skip
    return near, len(name)
