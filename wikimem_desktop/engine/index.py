"""The index of a store: frozen snapshots, made step by step, and the façade hosts know as `MemoryIndex`.

Building and refreshing are generators. Each step does little (one file, at most 400 items), then yields its progress;
who drives them may stop at any step, and the snapshot in use stays as it was. numpy is loaded by the first build.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from .items import MemoryItem, RetrievalResult, composed
from .retrieval import retrieve
from .store import CategoryFile, MemoryStore
from .tokens import uses_jieba

if TYPE_CHECKING:
    from .bm25 import Postings
    from .encode import LongTerms, Portion
    from .segments import Order, Rows
    from .token_cache import TokenCache

_ITEMS_PER_STEP = 400
_CHARACTERS_PER_STEP = 100_000
_COMPACT_SHARE = 0.1
"""Rebuild the postings when this share of the rows was added or removed since."""

_PLACE_BITS = 32
_PLACE_MASK = (1 << _PLACE_BITS) - 1
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a build is: `done` of `total` files."""

    done: int
    total: int


class CategoryRows:
    """One category's items in file order, their rows, and where in this order a name is."""

    __slots__ = ("by_name", "items", "rows")

    def __init__(self, items: Sequence[MemoryItem], rows: Rows, by_name: dict[str, int] | None = None) -> None:
        self.items = tuple(items)
        self.rows = rows
        self.by_name = {item.name: at for at, item in enumerate(items)} if by_name is None else by_name


@dataclass(frozen=True)
class Snapshot:
    """A store as it was indexed: never changes, so any thread may search it.

    A row is an item's number in the postings; `order[row]` is its place in the store, `number of its category << 32 |
    place in the category`, whatever it was for removed rows. `rows` is sorted by category. `base_rows` rows were there
    at the last full build.
    """

    revision: int
    files: tuple[CategoryFile, ...]
    postings: Postings
    rows: dict[str, CategoryRows]
    order: Order
    base_rows: int
    removed_rows: int

    @property
    def row_count(self) -> int:
        return len(self.order)

    @property
    def item_count(self) -> int:
        return self.row_count - self.removed_rows

    @property
    def items(self) -> list[MemoryItem]:
        """All items in store order, listed anew each time."""
        return [item for known in self.rows.values() for item in known.items]

    def item_at(self, row: int) -> MemoryItem:
        """The item of a row that was not removed."""
        place = int(self.order[row])
        return self._by_number[place >> _PLACE_BITS].items[place & _PLACE_MASK]

    @cached_property
    def _by_number(self) -> Sequence[CategoryRows]:
        return list(self.rows.values())

    def row(self, category: str, name: str) -> int | None:
        known = self.rows.get(category)
        place = known.by_name.get(name) if known else None
        return None if known is None or place is None else int(known.rows[place])

    def item(self, category: str, name: str) -> MemoryItem | None:
        known = self.rows.get(category)
        place = known.by_name.get(name) if known else None
        return None if known is None or place is None else known.items[place]

    def lookalike(self, category: str, name: str) -> MemoryItem | None:
        """The item whose address differs from this one in Unicode form only: it looks the same, hosts miss it."""
        alike = composed(category), composed(name)
        found = self.item(*alike)
        for file in self._files_by_composed.get(alike[0], ()):
            found = found or file.decomposed.get(alike[1])
            if file.category != alike[0]:
                found = found or self.item(file.category, alike[1])
        return found

    @cached_property
    def _files_by_composed(self) -> Mapping[str, Sequence[CategoryFile]]:
        """The files by the composed form of their category."""
        found: dict[str, list[CategoryFile]] = {}
        for file in self.files:
            found.setdefault(composed(file.category), []).append(file)
        return found

    def shadowed_names(self, category: str) -> frozenset[str]:
        """The names of which hosts ignore a section in the category's file."""
        files = self._files_by_composed.get(composed(category), ())
        return next((file.shadowed_names for file in files if file.category == category), frozenset())

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

    def with_contents(self, contents: Mapping[tuple[str, str], str | None]) -> Snapshot:
        """To search as if the files held these texts, by category and name; items they lack come last in theirs.

        None: the item is not there.

        `files` still tell what is on disk.
        """
        edits: dict[str, dict[str, str | None]] = {}
        for (category, name), content in contents.items():
            item = self.item(category, name)
            if (item.content if item else None) != content:
                edits.setdefault(category, {})[name] = content
        if not edits:
            return self
        changes = _Changes(self)
        for category, texts in edits.items():
            known = self.rows.get(category)
            items = {item.name: item for item in known.items} if known else {}
            for name, content in texts.items():
                old = items.pop(name, None) if content is None else items.get(name)
                if content is not None:
                    items[name] = replace(old, content=content) if old else MemoryItem(category, name, content)
            changes.put(category, tuple(items.values()))
        return run_to_end(changes.steps(self.revision, self.files, Progress(0, 0)))


Steps = Generator[Progress, None, Snapshot]


def build_steps(store: MemoryStore, *, use_jieba: bool | None = None, cache: TokenCache | None = None) -> Steps:
    """Read every file and index it from nothing; `cache` spares jieba what it did before."""
    revision, categories = store.revision, store.categories()
    files = (store.read(category, trust_stamp=False) for category in categories)
    return (yield from _index_steps(revision, files, len(categories), uses_jieba(use_jieba), cache))


def words_steps(pairs: Snapshot, *, cache: TokenCache | None = None) -> Steps:
    """Index by jieba's words what is indexed by pairs of characters; no file is read."""
    return (yield from _index_steps(pairs.revision, pairs.files, len(pairs.files), True, cache))


def _index_steps(
    revision: int, found: Iterable[CategoryFile], count: int, jieba: bool, cache: TokenCache | None
) -> Steps:
    import numpy as np

    from .bm25 import Postings
    from .encode import LongTerms

    long_terms = LongTerms()
    files: list[CategoryFile] = []
    rows: dict[str, CategoryRows] = {}
    row = 0
    encoder = _Encoder(0, long_terms, jieba=jieba, cache=cache)
    for file in found:
        progress = Progress(len(files), count)
        files.append(file)
        rows[file.category] = CategoryRows(file.items, np.arange(row, row + len(file.items), dtype=np.int32))
        row += len(file.items)
        for item in file.items:
            if encoder.add(item.index_text):
                yield progress
        yield progress
    done = Progress(count, count)
    portion = yield from encoder.finish(done)
    postings = Postings((portion.segment,), (), portion.lengths, portion.estimates, long_terms, jieba)
    snapshot = Snapshot(revision, tuple(files), postings, rows, _order(rows, row), row, 0)
    yield done
    return snapshot


def refresh_steps(
    old: Snapshot, store: MemoryStore, changed: Iterable[str] | None = None, *, cache: TokenCache | None = None
) -> Steps:
    """The snapshot after the named categories changed (None: look at all of them). One changed file costs one file.

    Named files are compared byte by byte; what the store itself wrote since is followed in any case.
    """
    revision = store.revision
    before = {file.category: file for file in old.files}
    names = set(store.categories())
    suspects = (names | before.keys()) if changed is None else set(changed) | store.written_since(old.revision)
    after = {category: file for category, file in before.items() if category in names or category not in suspects}
    edited: dict[str, CategoryFile | None] = {}
    for number, category in enumerate(sorted(suspects)):
        file = store.read(category, trust_stamp=changed is None) if category in names else None
        if file is not before.get(category):
            edited[category] = file
        if file is not None:
            after[category] = file
        yield Progress(number, len(suspects))
    files = tuple(after[category] for category in sorted(after))
    if not edited:
        return replace(old, revision=revision, files=files)
    changes = _Changes(old, cache)
    for category, file in edited.items():
        changes.put(category, file.items if file else None)
    done = Progress(len(suspects), len(suspects))
    snapshot = yield from changes.steps(revision, files, done)
    yield done
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


class _Encoder:
    """Encodes any number of texts, a portion that keeps one step short at a time."""

    def __init__(self, first_row: int, long_terms: LongTerms, *, jieba: bool, cache: TokenCache | None) -> None:
        from .encode import WordKeys

        self._row = first_row
        self._long_terms = long_terms
        self._jieba = jieba
        self._words = WordKeys(long_terms, cache)
        self._portions: list[Portion] = []
        self._texts: list[str] = []
        self._size = 0

    def add(self, text: str) -> bool:
        """Whether this text made a portion full."""
        self._texts.append(text)
        self._size += len(text)
        full = len(self._texts) >= _ITEMS_PER_STEP or self._size >= _CHARACTERS_PER_STEP
        if full:
            self._encode()
        return full

    def finish(self, progress: Progress) -> Generator[Progress, None, Portion]:
        """All texts as one portion; `progress` is reported on the way."""
        import numpy as np

        from .encode import Portion
        from .segments import Merge

        if self._texts or not self._portions:
            self._encode()
        if len(self._portions) == 1:
            return self._portions[0]
        merge = Merge([portion.segment for portion in self._portions])
        for _ in merge.steps():
            yield progress
        lengths = np.concatenate([portion.lengths for portion in self._portions])
        estimates = np.concatenate([portion.estimates for portion in self._portions])
        return Portion(merge.result(), lengths, estimates)

    def _encode(self) -> None:
        from .encode import encode

        self._portions.append(encode(self._texts, self._row, self._long_terms, jieba=self._jieba, words=self._words))
        self._row += len(self._texts)
        self._texts, self._size = [], 0


class _Changes:
    """What becomes of a snapshot's rows: those of unchanged texts stay, removed texts leave, new ones come behind."""

    def __init__(self, old: Snapshot, cache: TokenCache | None = None) -> None:
        self._old = old
        self._cache = cache
        self._rows = dict(old.rows)
        self._count = old.row_count
        self._new: list[MemoryItem] = []
        self._gone: list[tuple[int, MemoryItem]] = []

    def put(self, category: str, items: tuple[MemoryItem, ...] | None) -> None:
        """These are a category's items now (None: it is gone)."""
        import numpy as np

        old = self._rows.pop(category) if items is None else self._rows.get(category)
        left = {item.name: (row, item) for row, item in zip(old.rows.tolist(), old.items, strict=True)} if old else {}
        rows: list[int] = []
        for item in items or ():
            row, known = left.get(item.name, (-1, None))
            if known is not None and known.content == item.content:
                rows.append(row)
                del left[item.name]
            else:
                rows.append(self._count + len(self._new))
                self._new.append(item)
        self._gone += left.values()
        if items is not None:
            self._rows[category] = CategoryRows(items, np.array(rows, np.int32))

    def steps(self, revision: int, files: tuple[CategoryFile, ...], progress: Progress) -> Steps:
        """The snapshot after the changes; `progress` is reported on the way."""
        old, postings, rows = self._old, self._old.postings, self._rows
        if self._gone:
            portion = yield from self._encoded(0, [item for _, item in self._gone], progress, None)
            postings = postings.without_rows([row for row, _ in self._gone], portion)
        if self._new:
            portion = yield from self._encoded(self._count, self._new, progress, self._cache)
            postings = postings.with_portion(portion)
        if not rows.keys() <= old.rows.keys():
            rows = dict(sorted(rows.items()))
        order = _order(rows, self._count + len(self._new), old)
        return Snapshot(revision, files, postings, rows, order, old.base_rows, old.removed_rows + len(self._gone))

    def _encoded(
        self, first_row: int, items: Sequence[MemoryItem], progress: Progress, cache: TokenCache | None
    ) -> Generator[Progress, None, Portion]:
        postings = self._old.postings
        encoder = _Encoder(first_row, postings.long_terms, jieba=postings.jieba, cache=cache)
        for item in items:
            if encoder.add(item.index_text):
                yield progress
        return (yield from encoder.finish(progress))


def _order(rows: Mapping[str, CategoryRows], count: int, old: Snapshot | None = None) -> Order:
    """The place of every row in the store: categories sorted, then file order. What is as in `old` is taken over."""
    import numpy as np

    order = np.zeros(count, np.int64)
    same = old is not None and list(rows) == list(old.rows)
    if old is not None and same:
        order[: old.row_count] = old.order
    for number, (category, known) in enumerate(rows.items()):
        if not (old is not None and same and known is old.rows[category]):
            order[known.rows] = (number << _PLACE_BITS) + np.arange(len(known.rows))
    return order


def _worn(snapshot: Snapshot) -> bool:
    added = snapshot.row_count - snapshot.base_rows
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
    rows = {
        category: CategoryRows(known.items, new_rows[known.rows], known.by_name)
        for category, known in snapshot.rows.items()
    }
    count = snapshot.item_count
    return Snapshot(snapshot.revision, snapshot.files, postings, rows, _order(rows, count), count, 0)


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
