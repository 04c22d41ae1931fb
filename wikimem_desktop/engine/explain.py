"""Why an entry ranks where it does, and what the budget did: the arithmetic behind a `RetrievalResult`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from .items import RetrievalResult, RetrievedItem
from .retrieval import Candidates, inject
from .tokens import tokenize


@dataclass(frozen=True, slots=True)
class TermShare:
    """What one query term adds to an item's BM25 score.

    `adds` = `times` · `idf` · `factor`, with `factor` = tf·(k1+1) / (tf + k1·(1 − b + b·dl/avgdl)); the shares of an
    item sum to its score (1e-9).
    """

    term: str
    times: int
    """How often the term stands in the query."""
    tf: int
    df: int
    idf: float
    factor: float
    adds: float


@dataclass(frozen=True, slots=True)
class Cut:
    """Where the budget ended a sequence."""

    left: int
    """Tokens that were left when the next entry did not fit; negative when the first entry alone exceeds the budget."""
    needs: int
    """Tokens that entry needs."""
    blocked: int
    """How many entries behind it would have fitted had it been skipped."""


@dataclass(frozen=True, slots=True)
class ExplainedRun:
    """A run and everything that came of it."""

    result: RetrievalResult
    terms: tuple[str, ...]
    """The query as the ranker sees it."""
    shares: dict[str, list[TermShare]]
    """By address of a hit: what each query term added."""
    cut: Cut | None

    @property
    def sequence(self) -> list[RetrievedItem]:
        """All entries in order, those behind the cut included."""
        return self.result.items + self.result.dropped


def explained_run(
    candidates: Candidates, query: str, *, limit: int, budget_tokens: int | None, expand_links: bool
) -> ExplainedRun:
    """What a host would inject, and the arithmetic behind it."""
    result = inject(
        candidates, query, limit=limit, budget_tokens=budget_tokens, expand_links=expand_links, explain=True
    )
    shares = {}
    for entry in result.items + result.dropped:
        row = candidates.row(entry.item)
        if entry.source == "hit" and row is not None:
            shares[entry.item.address] = term_shares(candidates, query, row)
    terms = tuple(tokenize(query, use_jieba=candidates.postings.jieba))
    return ExplainedRun(result, terms, shares, budget_cut(result))


def term_shares(candidates: Candidates, query: str, row: int) -> list[TermShare]:
    """The shares of the query's terms in a row's score, in the order of the query; terms it lacks are left out."""
    import numpy as np

    from .bm25 import K1

    postings = candidates.postings
    shares = []
    counted = Counter(tokenize(query, use_jieba=postings.jieba))
    for token, term in postings.terms(counted).items():
        tf = int(term.frequencies(np.array([row], np.int32))[0])
        if tf:
            factor = tf * (K1 + 1) / (tf + float(postings.length_norms[row]))
            times = counted[token]
            shares.append(TermShare(token, times, tf, term.df, term.idf, factor, times * term.idf * factor))
    return shares


def budget_cut(result: RetrievalResult) -> Cut | None:
    """Where the budget cut the sequence of an `explain` run; None when everything fitted."""
    if result.budget_tokens is None or not result.dropped:
        return None
    left = result.budget_tokens - result.budget_used
    return Cut(left, result.dropped[0].tokens_est, _fitting(result.dropped[1:], left))


def _fitting(entries: Sequence[RetrievedItem], left: int) -> int:
    count = 0
    for entry in entries:
        if entry.tokens_est <= left:
            left -= entry.tokens_est
            count += 1
    return count
