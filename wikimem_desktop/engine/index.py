"""The index of a store: frozen snapshots, made step by step, and the façade hosts know as `MemoryIndex`.

Building and refreshing are generators. Each step does little (one file, at most 400 items), then yields its progress;
who drives them may stop at any step, and the snapshot in use stays as it was. numpy is loaded by the first build.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from .items import MemoryItem, RetrievalResult
from .retrieval import retrieve
from .store import CategoryFile, MemoryStore
from .tokens import uses_jieba

if TYPE_CHECKING:
    from .bm25 import Postings
    from .encode import Portion
    from .segments import Rows, Segment

_ITEMS_PER_STEP = 400
_CHARACTERS_PER_STEP = 100_000
_COMPACT_SHARE = 0.1
"""Rebuild the postings when this share of the rows was added or removed since."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a build is: `done` of `total` files."""

    done: int
    total: int


class CategoryRows:
    """The rows of one category's items: by name, and in file order."""

    __slots__ = ("by_name", "in_order")

    def __init__(self, by_name: dict[str, int]) -> None:
        import numpy as np

        self.by_name = by_name
        self.in_order: Rows = np.fromiter(by_name.values(), np.int32, len(by_name))


@dataclass(frozen=True)
class Snapshot:
    """A store as it was indexed: never changes, so any thread may search it.

    A row is an item's number in the postings; `items[row]` is None for removed rows, `order[row]` its place in the
    store; `rows` finds it. `base_rows` rows were there at the last full build.
    """

    revision: int
    files: tuple[CategoryFile, ...]
    postings: Postings
    items: tuple[MemoryItem | None, ...]
    order: Rows
    rows: dict[str, CategoryRows]
    base_rows: int
    removed_rows: int

    @property
    def item_count(self) -> int:
        return len(self.items) - self.removed_rows

    def row(self, category: str, name: str) -> int | None:
        rows = self.rows.get(category)
        return None if rows is None else rows.by_name.get(name)

    def item(self, category: str, name: str) -> MemoryItem | None:
        row = self.row(category, name)
        return None if row is None else self.items[row]

    def lookalike(self, category: str, name: str) -> MemoryItem | None:
        """The item whose address differs from this one in Unicode form only: it looks the same, hosts miss it."""
        composed = _composed(category), _composed(name)
        return self.item(*composed) or self._decomposed.get(composed)

    @cached_property
    def _decomposed(self) -> Mapping[tuple[str, str], MemoryItem]:
        """The items whose address is not in composed form, by what it is there."""
        return {
            (_composed(file.category), _composed(item.name)): item
            for file in self.files
            for known in [_is_composed(file.category)]
            for item in file.items
            if not (known and _is_composed(item.name))
        }

    def addressed(self, address: str) -> MemoryItem | None:
        """The item that `category:name` means: both may hold colons, and the longest category goes first.

        One that only looks the same is meant when there is no other.
        """
        for find in (self.item, self.lookalike):
            at = len(address)
            while (at := address.rfind(":", 0, at)) >= 0:
                item = find(address[:at], address[at + 1 :])
                if item is not None:
                    return item
        return None

    def with_contents(self, contents: Mapping[tuple[str, str], str]) -> Snapshot:
        """To search as if the files held these texts, by category and name; items they lack come last in theirs.

        `files` still tell what is on disk.
        """
        items, rows = list(self.items), dict(self.rows)
        changed: dict[str, dict[str, int]] = {}
        gone: list[int] = []
        for (category, name), content in contents.items():
            row, item = self.row(category, name), self.item(category, name)
            if item is not None and item.content == content:
                continue
            if row is not None:
                gone.append(row)
            if category not in changed:
                changed[category] = dict(rows[category].by_name) if category in rows else {}
            changed[category][name] = len(items)
            items.append(replace(item, content=content) if item else MemoryItem(category, name, content))
        if not changed:
            return self
        rows |= {category: CategoryRows(by_name) for category, by_name in changed.items()}
        return _with_rows(self, self.revision, self.files, items, rows, gone)


Steps = Generator[Progress, None, Snapshot]


def build_steps(store: MemoryStore, *, use_jieba: bool | None = None) -> Steps:
    """Read every file and index it from nothing."""
    from .segments import Merge

    revision = store.revision
    categories = store.categories()
    files: list[CategoryFile] = []
    rows: dict[str, CategoryRows] = {}
    count = 0
    encoder = _Encoder(jieba=uses_jieba(use_jieba))
    for number, category in enumerate(categories):
        file = store.read(category, trust_stamp=False)
        files.append(file)
        rows[category] = CategoryRows({item.name: row for row, item in enumerate(file.items, count)})
        count += len(file.items)
        for item in file.items:
            if encoder.add(item.index_text):
                yield Progress(number, len(categories))
        yield Progress(number, len(categories))
    encoder.finish()
    merge = Merge([portion.segment for portion in encoder.portions])
    for _ in merge.steps():
        yield Progress(len(categories), len(categories))
    postings = encoder.postings(merge.result())
    items = tuple(item for file in files for item in file.items)
    snapshot = Snapshot(revision, tuple(files), postings, items, _order(rows, count), rows, count, 0)
    yield Progress(len(categories), len(categories))
    return snapshot


def refresh_steps(old: Snapshot, store: MemoryStore, changed: Iterable[str] | None = None) -> Steps:
    """The snapshot after the named categories changed (None: look at all of them). One changed file costs one file.

    Named files are compared byte by byte; what the store itself wrote since is followed in any case.
    """
    revision = store.revision
    before = {file.category: file for file in old.files}
    names = set(store.categories())
    suspects = (names | before.keys()) if changed is None else set(changed) | store.written_since(old.revision)
    after = {category: file for category, file in before.items() if category in names or category not in suspects}
    edited: list[tuple[CategoryFile | None, CategoryFile | None]] = []
    for number, category in enumerate(sorted(suspects)):
        file = store.read(category, trust_stamp=changed is None) if category in names else None
        known = before.get(category)
        if file is not known:
            edited.append((known, file))
        if file is not None:
            after[category] = file
        yield Progress(number, len(suspects))
    files = tuple(after[category] for category in sorted(after))
    if not edited:
        return Snapshot(revision, files, old.postings, old.items, old.order, old.rows, old.base_rows, old.removed_rows)
    snapshot = _apply_edits(old, revision, files, edited)
    yield Progress(len(suspects), len(suspects))
    if _worn(snapshot):
        snapshot = yield from _compact_steps(snapshot)
    return snapshot


def run_to_end(steps: Generator[Any, None, _T]) -> _T:
    """Drive a generator without looking at its progress."""
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            result: _T = stop.value
            return result


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _is_composed(text: str) -> bool:
    return unicodedata.is_normalized("NFC", text)


class _Encoder:
    """Encodes the texts of a build, a portion that keeps one step short at a time."""

    def __init__(self, *, jieba: bool) -> None:
        from .encode import LongTerms

        self.portions: list[Portion] = []
        self._jieba = jieba
        self._long_terms = LongTerms()
        self._texts: list[str] = []
        self._size = 0
        self._row = 0

    def add(self, text: str) -> bool:
        """Whether this text made a portion full."""
        self._texts.append(text)
        self._size += len(text)
        full = len(self._texts) >= _ITEMS_PER_STEP or self._size >= _CHARACTERS_PER_STEP
        if full:
            self.finish()
        return full

    def finish(self) -> None:
        """Encode what is left."""
        from .encode import encode

        self.portions.append(encode(self._texts, self._row, self._long_terms, jieba=self._jieba))
        self._row += len(self._texts)
        self._texts, self._size = [], 0

    def postings(self, segment: Segment) -> Postings:
        """All portions as an index; `segment` is what their segments make."""
        import numpy as np

        from .bm25 import Postings

        lengths = np.concatenate([portion.lengths for portion in self.portions])
        estimates = np.concatenate([portion.estimates for portion in self.portions])
        return Postings((segment,), (), lengths, estimates, self._long_terms, self._jieba)


def _apply_edits(
    old: Snapshot,
    revision: int,
    files: tuple[CategoryFile, ...],
    edited: Sequence[tuple[CategoryFile | None, CategoryFile | None]],
) -> Snapshot:
    """Rows of unchanged texts stay; removed texts leave, new ones come behind all rows."""
    items = list(old.items)
    rows = dict(old.rows)
    gone: list[int] = []
    for before, after in edited:
        category = (before or after).category  # type: ignore[union-attr]
        known = dict(rows.pop(category).by_name) if category in rows else {}
        fresh: dict[str, int] = {}
        for item in after.items if after else ():
            row = known.get(item.name)
            current = None if row is None else items[row]
            if row is not None and current is not None and current.content == item.content:
                items[row] = item
                fresh[item.name] = known.pop(item.name)
            else:
                fresh[item.name] = len(items)
                items.append(item)
        gone += known.values()
        if after:
            rows[category] = CategoryRows(fresh)
    return _with_rows(old, revision, files, items, rows, gone)


def _with_rows(
    old: Snapshot,
    revision: int,
    files: tuple[CategoryFile, ...],
    items: list[MemoryItem | None],
    rows: dict[str, CategoryRows],
    gone: Sequence[int],
) -> Snapshot:
    """`items` are those of `old` and new ones behind them; the rows in `gone` leave, `rows` are those that stay."""
    new_texts = [item.index_text for item in items[len(old.items) :] if item]
    gone_texts = [item.index_text for row in gone if (item := old.items[row])]
    for row in gone:
        items[row] = None
    postings = old.postings.without_documents(gone, gone_texts) if gone else old.postings
    postings = postings.with_documents(new_texts) if new_texts else postings
    order = _order(rows, len(items))
    return Snapshot(revision, files, postings, tuple(items), order, rows, old.base_rows, old.removed_rows + len(gone))


def _order(rows: Mapping[str, CategoryRows], count: int) -> Rows:
    """The place of every row in the store: categories sorted, then file order."""
    import numpy as np

    placed = np.concatenate([np.empty(0, np.int32), *(rows[category].in_order for category in sorted(rows))])
    order = np.full(count, count, np.int32)
    order[placed] = np.arange(len(placed), dtype=np.int32)
    return order


def _worn(snapshot: Snapshot) -> bool:
    added = len(snapshot.items) - snapshot.base_rows
    return added + snapshot.removed_rows > _COMPACT_SHARE * max(snapshot.base_rows, 1)


def _compact_steps(snapshot: Snapshot) -> Steps:
    """The same contents with fresh postings: no removed rows, one segment."""
    import numpy as np

    from .segments import Merge

    progress = Progress(len(snapshot.files), len(snapshot.files))
    postings = snapshot.postings
    new_rows = np.where(postings.live, postings.live.cumsum() - 1, -1).astype(np.int32)
    merge = Merge(postings.segments, new_rows)
    for _ in merge.steps():
        yield progress
    postings = postings.renumbered(merge.result())
    yield progress
    numbers = new_rows.tolist()
    rows: dict[str, CategoryRows] = {}
    for category, old in snapshot.rows.items():
        rows[category] = CategoryRows({name: numbers[row] for name, row in old.by_name.items()})
        yield progress
    items = tuple(item for item in snapshot.items if item is not None)
    order = _order(rows, len(items))
    return Snapshot(snapshot.revision, snapshot.files, postings, items, order, rows, len(items), 0)


class MemoryIndex:
    """Retrieval over a store, always fresh with respect to the store's own writes.

    Edits by others reach it through `rebuild()` or `refresh(changed)`. The vector parameters have their place in the
    signature; until `engine.vectors` exists, ranking is BM25 alone and `embedding_used` is False.
    """

    def __init__(
        self,
        store: MemoryStore,
        *,
        use_jieba: bool | None = None,
        embedder: object | None = None,
        vectors_dir: Path | str | None = None,
        fusion_weight: float = 0.5,
        binary_threshold: int = 10_000,
    ) -> None:
        self.store = store
        self.embedder = embedder
        self.vectors_dir = Path(vectors_dir) if vectors_dir is not None else store.root
        self.fusion_weight = fusion_weight
        self.binary_threshold = binary_threshold
        self._use_jieba = use_jieba
        self._snapshot: Snapshot | None = None

    def build_steps(self) -> Steps:
        """Index from nothing, step by step; the result is in use when the generator has ended."""
        self._snapshot = yield from build_steps(self.store, use_jieba=self._use_jieba)
        return self._snapshot

    def refresh_steps(self, changed: Iterable[str] | None = None) -> Steps:
        """Follow changes of the named categories (None: of any), step by step."""
        if self._snapshot is None:
            return (yield from self.build_steps())
        self._snapshot = yield from refresh_steps(self._snapshot, self.store, changed)
        return self._snapshot

    def rebuild(self) -> None:
        run_to_end(self.build_steps())

    def refresh(self, changed_categories: Iterable[str] | None = None) -> None:
        run_to_end(self.refresh_steps(changed_categories))

    @property
    def snapshot(self) -> Snapshot:
        """The index as it is now, refreshed first if the store was written since."""
        if self._snapshot is None or self._snapshot.revision != self.store.revision:
            self.refresh()
        assert self._snapshot is not None
        return self._snapshot

    def retrieve(
        self,
        query: str,
        *,
        limit: int = 10,
        budget_tokens: int | None = None,
        expand_links: bool = True,
        explain: bool = False,
        time_range: tuple[str, str] | None = None,
        tz: tzinfo | None = None,
    ) -> RetrievalResult:
        """What a host injects for the query; see `engine.retrieval.retrieve`."""
        return retrieve(
            self.snapshot,
            self.store.diary,
            query,
            limit=limit,
            budget_tokens=budget_tokens,
            expand_links=expand_links,
            explain=explain,
            time_range=time_range,
            tz=tz,
        )
