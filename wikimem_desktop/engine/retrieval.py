"""From a query to the sequence that is injected: rank, expand links one hop, cut to the budget.

The steps and their order are those of FORMAT.md section 5; step 3, the fusion with embeddings, has its place between
the BM25 scores and the ranking.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import TYPE_CHECKING

from .diary import Diary
from .items import MemoryItem, RetrievalResult, RetrievedItem
from .time_range import TimeRange, check_time_range, parse_time_range, widen
from .tokens import est_tokens, tokenize

if TYPE_CHECKING:
    from .bm25 import Postings
    from .index import Snapshot
    from .segments import Order


@dataclass(frozen=True, slots=True)
class Window:
    """The days whose diary entries take part, and why."""

    days: TimeRange
    source: str
    """"explicit" or "parsed"."""
    widened: bool
    entries: tuple[MemoryItem, ...]


@dataclass(frozen=True)
class Candidates:
    """Everything that is ranked for one query: the store's items, then the diary entries of the window.

    Rows of diary entries follow those of the snapshot.
    """

    snapshot: Snapshot
    postings: Postings
    window: Window | None

    def item(self, row: int) -> MemoryItem:
        count = self.snapshot.row_count
        return self.snapshot.item_at(row) if row < count else self._entries[row - count]

    def row(self, item: MemoryItem) -> int | None:
        """The row of an item that takes part."""
        for at, entry in enumerate(self._entries):
            if entry is item:
                return self.snapshot.row_count + at
        return self.snapshot.row(item.category, item.name)

    @property
    def order(self) -> Order:
        """The place of each row for ties: store order, then the diary."""
        import numpy as np

        order = self.snapshot.order
        if not self._entries:
            return order
        return np.append(order, order.max(initial=0) + 1 + np.arange(len(self._entries)))

    @property
    def _entries(self) -> tuple[MemoryItem, ...]:
        return self.window.entries if self.window else ()


def retrieve(
    snapshot: Snapshot,
    diary: Diary,
    query: str,
    *,
    limit: int = 10,
    budget_tokens: int | None = None,
    expand_links: bool = True,
    explain: bool = False,
    time_range: tuple[str, str] | None = None,
    tz: tzinfo | None = None,
) -> RetrievalResult:
    """The injection sequence for a query. `limit` counts hits, `budget_tokens` (None: no cap) cuts the sequence.

    `explain` keeps what the budget cut off. Raises `InvalidTimeRange` for a malformed `time_range`, nothing else.
    """
    candidates = gather(snapshot, diary, query, time_range, tz)
    return inject(
        candidates, query, limit=limit, budget_tokens=budget_tokens, expand_links=expand_links, explain=explain
    )


def gather(
    snapshot: Snapshot,
    diary: Diary,
    query: str,
    time_range: tuple[str, str] | None = None,
    tz: tzinfo | None = None,
) -> Candidates:
    """What takes part: the store, and the diary entries of the window that is given or that the query names."""
    return with_window(snapshot, find_window(diary, query, time_range, tz))


def inject(
    candidates: Candidates,
    query: str,
    *,
    limit: int = 10,
    budget_tokens: int | None = None,
    expand_links: bool = True,
    explain: bool = False,
) -> RetrievalResult:
    """Rank the candidates and cut the sequence."""
    window = candidates.window
    result = RetrievalResult([], budget_tokens)
    if window:
        result.time_range, result.time_range_source = window.days, window.source
        result.time_range_widened = window.widened
    terms = tokenize(query, use_jieba=candidates.postings.jieba)
    if terms:
        hits = _ranked_hits(candidates, terms, limit)
        sequence = _expand(hits, candidates.snapshot, result, expand_links=expand_links)
        return _cut_to_budget(result, sequence, explain=explain)
    newest_first = sorted(window.entries if window else (), key=lambda e: (e.category, e.name), reverse=True)
    hits = [RetrievedItem(item, "hit", tokens_est=est_tokens(item.index_text)) for item in newest_first[:limit]]
    return _cut_to_budget(result, _once(hits), explain=False)


def find_window(
    diary: Diary, query: str, time_range: tuple[str, str] | None, tz: tzinfo | None = None
) -> Window | None:
    """The window that was given, or that the query names; a day wider on both sides if only that finds entries."""
    if time_range is not None:
        days, source = check_time_range(time_range), "explicit"
    else:
        parsed = parse_time_range(query, tz=tz)
        if parsed is None:
            return None
        days, source = parsed, "parsed"
    entries = diary.items(days)
    if not entries:
        wider = widen(days)
        entries = diary.items(wider)
        if entries:
            return Window(wider, source, True, tuple(entries))
    return Window(days, source, False, tuple(entries))


def with_window(snapshot: Snapshot, window: Window | None) -> Candidates:
    """What takes part in a ranking; N, df and the average length count the window's entries too."""
    if window is None or not window.entries:
        return Candidates(snapshot, snapshot.postings, window)
    postings = snapshot.postings
    texts = [entry.index_text for entry in window.entries]
    counted = postings.with_documents(texts)
    total = postings.average_length * postings.count
    for length in counted.lengths[-len(texts) :].tolist():
        total += length
    return Candidates(snapshot, replace(counted, average=total / counted.count), window)


def _ranked_hits(candidates: Candidates, terms: Sequence[str], limit: int) -> list[RetrievedItem]:
    import numpy as np

    from .bm25 import top_rows

    postings = candidates.postings
    known = postings.terms(terms)
    scores = postings.scores(known[term] for term in terms)
    # A negative limit cuts from the end, as slicing does for hosts.
    rows = top_rows(scores, candidates.order, limit if limit >= 0 else len(scores))
    rows = rows[:limit] if limit < 0 else rows
    at = np.array(rows, np.int32)
    matched: list[list[str]] = [[] for _ in rows]
    for term in sorted(known):
        for place in known[term].frequencies(at).nonzero()[0].tolist():
            matched[place].append(term)
    return [
        RetrievedItem(
            candidates.item(row), "hit", score=score, bm25_score=score, matched_terms=matched_terms, tokens_est=estimate
        )
        for row, score, matched_terms, estimate in zip(
            rows, scores[at].tolist(), matched, postings.estimates[at].tolist(), strict=True
        )
    ]


def _once(entries: Iterable[RetrievedItem]) -> list[RetrievedItem]:
    """The first entry of each address (diary entries of one minute share theirs)."""
    return list({entry.item.address: entry for entry in reversed(list(entries))}.values())[::-1]


def _expand(
    hits: Sequence[RetrievedItem], snapshot: Snapshot, result: RetrievalResult, *, expand_links: bool
) -> list[RetrievedItem]:
    """Each hit followed by the targets of its links; every address at most once."""
    sequence: list[RetrievedItem] = []
    seen: set[tuple[str, str]] = set()
    for hit in hits:
        key = (hit.item.category, hit.item.name)
        if key in seen:
            continue
        seen.add(key)
        sequence.append(hit)
        for link in hit.item.links if expand_links else ():
            target_key = (link.category, link.name)
            if target_key in seen:
                continue
            row = snapshot.row(*target_key)
            if row is None:
                result.unresolved_links.append(link.render())
                continue
            seen.add(target_key)
            tokens = int(snapshot.postings.estimates[row])
            sequence.append(RetrievedItem(snapshot.item_at(row), "link", via=hit.item.name, tokens_est=tokens))
    return sequence


def _cut_to_budget(result: RetrievalResult, sequence: Sequence[RetrievedItem], *, explain: bool) -> RetrievalResult:
    """Cut the sequence in front of the first entry that would exceed the budget; the first entry always stays."""
    for position, entry in enumerate(sequence):
        total = result.budget_used + entry.tokens_est
        if result.budget_tokens is not None and total > result.budget_tokens and position > 0:
            result.dropped = list(sequence[position:]) if explain else []
            break
        result.items.append(entry)
        result.budget_used = total
    return result
