"""BM25 over numpy postings: extended by small segments, exact to the last bit.

The formula (float64, in this order of operations, see FORMAT.md section 5): for each query term, duplicates kept,
`idf * (tf*(k1+1) / (tf + k1*(1 - b + b*dl/avgdl)))` with `idf = ln(1 + (N - df + 0.5)/(df + 0.5))`.
Nothing stored depends on N, df or the average length, so an edit is a small segment more, never a rebuild.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from .encode import LongTerms, Portion, encode, term_key
from .segments import Counts, Order, Rows, Segment, merge_segments

K1, B = 1.5, 0.75

Scores = npt.NDArray[np.float64]

_BLOCK = 256


@dataclass(frozen=True, slots=True)
class Term:
    """What an index knows of a query term: in how many documents it is, and its rows and frequencies by segment."""

    df: int
    idf: float
    spans: Sequence[tuple[Rows, Counts]]

    def frequencies(self, rows: Rows) -> Counts:
        """How often the term stands in each of the documents."""
        found = np.zeros(len(rows), np.int64)
        for known, frequencies in self.spans:
            places = known.searchsorted(rows)
            places[places == len(known)] = 0
            hit = known[places] == rows
            found[hit] = frequencies[places[hit]]
        return found


@dataclass(frozen=True)
class Postings:
    """An immutable BM25 index: segments of live and of removed documents, and the length of every row.

    A removed row stays in its segment; `removed` holds the same postings once more, so that document frequencies can
    subtract them, and its entry in `lengths` is -1.
    """

    segments: tuple[Segment, ...]
    removed: tuple[Segment, ...]
    lengths: Counts
    estimates: Counts
    long_terms: LongTerms
    jieba: bool
    average: float | None = None
    """Mean length of the live documents where it is not total / count (with diary rows, `retrieval.with_window`)."""

    @cached_property
    def live(self) -> npt.NDArray[np.bool_]:
        return self.lengths >= 0

    @cached_property
    def count(self) -> int:
        """N, the number of live documents."""
        return int(np.count_nonzero(self.live))

    @cached_property
    def average_length(self) -> float:
        if self.average is not None:
            return self.average
        return int(self.lengths[self.live].sum()) / self.count if self.count else 0.0

    @cached_property
    def length_norms(self) -> Scores:
        """k1*(1 - b + b*dl/avgdl) of every row; infinite for removed ones, so that they score exactly 0."""
        norms = B * self.lengths.astype(np.float64)
        norms /= self.average_length or 1.0
        norms += 1 - B
        norms *= K1
        norms[~self.live] = np.inf
        return norms

    def terms(self, tokens: Iterable[str]) -> dict[str, Term]:
        """Tokens as terms of this index, each looked up once."""
        return {token: self._term(token) for token in dict.fromkeys(tokens)}

    def _term(self, token: str) -> Term:
        key = term_key(token, self.long_terms)
        spans = [] if key is None else list(_spans(self.segments, key))
        gone = [] if key is None else _spans(self.removed, key)
        df = sum(len(rows) for rows, _ in spans) - sum(len(rows) for rows, _ in gone)
        return Term(df, math.log(1 + (self.count - df + 0.5) / (df + 0.5)), spans)

    def scores(self, terms: Iterable[Term]) -> Scores:
        """BM25 of every row for the query terms, in their order."""
        # In one go, which adds in the order of the terms, as the formula does.
        spans = [(term.idf, *span) for term in terms if term.df for span in term.spans]
        rows = np.concatenate([np.empty(0, np.int32), *(rows for _, rows, _ in spans)])
        tf = np.concatenate([np.empty(0), *(frequencies for _, _, frequencies in spans)])
        idf = np.repeat([idf for idf, _, _ in spans], [len(rows) for _, rows, _ in spans])
        scores = np.zeros(len(self.lengths))
        np.add.at(scores, rows, idf * (tf * (K1 + 1) / (tf + self.length_norms[rows])))
        return scores

    def with_documents(self, texts: Sequence[str]) -> Postings:
        """The index with documents added behind all rows."""
        return self.with_portion(encode(texts, len(self.lengths), self.long_terms, jieba=self.jieba))

    def with_portion(self, portion: Portion) -> Postings:
        """The index with the documents of a portion, whose rows are those behind all rows."""
        return replace(
            self,
            segments=_stacked(self.segments, portion.segment),
            lengths=np.append(self.lengths, portion.lengths),
            estimates=np.append(self.estimates, portion.estimates),
        )

    def without_rows(self, rows: Sequence[int], portion: Portion) -> Postings:
        """The index without those rows; `portion` holds their documents once more, their rows do not matter."""
        lengths = self.lengths.copy()
        lengths[np.asarray(rows, np.int64)] = -1
        return replace(self, removed=_stacked(self.removed, portion.segment), lengths=lengths)

    def renumbered(self, segment: Segment) -> Postings:
        """The index without its removed rows; `segment` holds the postings of the others, numbered anew."""
        return Postings((segment,), (), self.lengths[self.live], self.estimates[self.live], self.long_terms, self.jieba)


def top_rows(scores: Scores, order: Order, limit: int) -> list[int]:
    """The rows with the highest positive scores, at most `limit`; equal ones by `order` (the place of each row)."""
    if limit <= 0:
        return []
    whole = len(scores) // _BLOCK
    if limit < whole:
        blocks = scores[: whole * _BLOCK].reshape(whole, _BLOCK)
        maxima = blocks.max(axis=1)
        # The limit-th best block maximum is a lower bound of the limit-th best score.
        floor = np.partition(maxima, -limit)[-limit]
        candidates = np.flatnonzero(maxima >= floor if floor > 0 else maxima > 0)
        rows = (candidates[:, None] * _BLOCK + np.arange(_BLOCK)).ravel()
        rows = np.append(rows, np.arange(whole * _BLOCK, len(scores)))
        rows = rows[(scores[rows] >= floor) & (scores[rows] > 0)]
    else:
        rows = scores.nonzero()[0]
    best = np.lexsort((order[rows], -scores[rows]))[:limit]
    found: list[int] = rows[best].tolist()
    return found


def _spans(segments: Iterable[Segment], key: int) -> Iterator[tuple[Rows, Counts]]:
    for segment in segments:
        span = segment.find(key)
        if span is not None:
            yield segment.rows[span], segment.frequencies[span]


def _stacked(segments: tuple[Segment, ...], new: Segment) -> tuple[Segment, ...]:
    """Put a segment on the pile, merging the top while it is less than twice as big as the new one (the base stays)."""
    pile = [*segments, new]
    while len(pile) > 2 and pile[-2].size < 2 * pile[-1].size:
        pile[-2:] = [merge_segments(pile[-2:])]
    return tuple(pile)
