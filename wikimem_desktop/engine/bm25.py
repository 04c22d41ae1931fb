"""BM25 over numpy postings: built in one pass, extended by small segments, exact to the last bit.

The formula (float64, in this order of operations, see FORMAT.md section 5): for each query term, duplicates kept,
`idf * (tf*(k1+1) / (tf + k1*(1 - b + b*dl/avgdl)))` with `idf = ln(1 + (N - df + 0.5)/(df + 0.5))`.

A term is a 64-bit key, injective by construction: a latin word of up to 12 characters is a number in base 37, a CJK
token of one or two characters carries the top bit, and longer tokens are numbered by a `LongTerms` table.
Nothing stored depends on N, df or the average length, so an edit is a small segment more, never a rebuild.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from .tokens import CJK_RANGES, CJK_RUN, jieba_words

K1, B = 1.5, 0.75

Keys = npt.NDArray[np.uint64]
Rows = npt.NDArray[np.int32]
Counts = npt.NDArray[np.integer]
Pairs = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float64]

_BASE = 37
_PACKED_LETTERS = 12
_LONG: int = _BASE**_PACKED_LETTERS
_CJK_BIT = 1 << 63
_CJK_SHIFT = 15
_CJK_FIRST_CODE = 64
_ROW_BITS = 32
_ROW_MASK = (1 << _ROW_BITS) - 1
_SMALL = np.iinfo(np.uint16).max
_BLOCK = 256


def _class_table() -> npt.NDArray[np.uint16]:
    """Per code point below 65,536: 1–36 for a–z and 0–9, 65 and up for CJK, 0 for all else."""
    table = np.zeros(65536, np.uint16)
    table[ord("a") : ord("z") + 1] = np.arange(1, 27)
    table[ord("0") : ord("9") + 1] = np.arange(27, 37)
    code = _CJK_FIRST_CODE + 1
    for first, last in CJK_RANGES:
        table[first : last + 1] = np.arange(code, code + last - first + 1)
        code += last - first + 1
    return table


_CLASS = _class_table()


class LongTerms:
    """Numbers for tokens too long to pack. Only ever grows; one table serves all segments of an index.

    Safe to use from several threads: a number may be wasted, never given twice.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._next = itertools.count()

    def key(self, token: str) -> int:
        number = self._numbers.get(token)
        if number is None:
            number = self._numbers.setdefault(token, next(self._next))
        return _LONG + number

    def known_key(self, token: str) -> int | None:
        number = self._numbers.get(token)
        return None if number is None else _LONG + number


def term_key(token: str, long_terms: LongTerms) -> int | None:
    """The key of a token as `tokenize` gives it, or None for a long one that no document holds."""
    if token.isascii() and len(token) <= _PACKED_LETTERS:
        key = 0
        for character in token:
            key = key * _BASE + int(_CLASS[ord(character)])
        return key
    if not token.isascii() and len(token) <= 2:
        return _CJK_BIT | _short_cjk_key(token)
    return long_terms.known_key(token)


@dataclass(frozen=True, slots=True)
class TokenBatch:
    """The tokens of some documents, words and short CJK tokens apart.

    `cjk_pairs` are `key << 32 | row`, the key without its top bit. `lengths` is the token count of each document,
    `estimates` what it costs in the budget.
    """

    word_keys: Keys
    word_rows: Rows
    cjk_pairs: Pairs
    lengths: Counts
    estimates: Counts


def encode(texts: Sequence[str], first_row: int, long_terms: LongTerms, *, jieba: bool) -> TokenBatch:
    """Tokenise documents; they get the rows `first_row`, `first_row + 1`, …"""
    lowered = [text.lower() for text in texts]
    joined = "\n".join(lowered)
    points = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32)
    codes = _CLASS[np.minimum(points, 65535)]
    marks = np.zeros(len(codes) + 1, np.int32)
    ends = np.cumsum(np.fromiter((len(text) + 1 for text in lowered), np.int64, len(lowered)))
    marks[ends[:-1]] = 1
    row_at = np.cumsum(marks[: len(codes)], dtype=np.int32)
    count = len(texts)
    word_keys, word_rows = _encode_words(joined, codes, row_at, long_terms)
    cjk = codes >= _CJK_FIRST_CODE
    estimates = np.bincount(word_rows, minlength=count) + np.bincount(row_at[cjk], minlength=count)
    if jieba:
        cjk_pairs, long_keys, long_rows = _encode_jieba(texts, long_terms)
        word_keys, word_rows = np.concatenate([word_keys, long_keys]), np.concatenate([word_rows, long_rows])
    else:
        cjk_pairs = _encode_bigrams(codes, cjk, row_at)
    lengths = np.bincount(word_rows, minlength=count) + np.bincount(cjk_pairs & _ROW_MASK, minlength=count)
    return TokenBatch(
        word_keys,
        word_rows + np.int32(first_row),
        cjk_pairs + first_row,
        lengths.astype(np.int32),
        estimates.astype(np.int32),
    )


def _encode_words(text: str, codes: npt.NDArray[np.uint16], row_at: Rows, long_terms: LongTerms) -> tuple[Keys, Rows]:
    latin = (codes > 0) & (codes < _CJK_FIRST_CODE)
    edges = np.diff(np.concatenate([[False], latin, [False]]).astype(np.int8))
    starts = np.flatnonzero(edges == 1)
    lengths = np.flatnonzero(edges == -1) - starts
    keys = np.zeros(len(starts), np.uint64)
    left = np.arange(len(starts))
    for letter in range(_PACKED_LETTERS):
        left = left[lengths[left] > letter]
        keys[left] = keys[left] * np.uint64(_BASE) + codes[starts[left] + letter]
    for at in np.flatnonzero(lengths > _PACKED_LETTERS).tolist():
        start = int(starts[at])
        keys[at] = long_terms.key(text[start : start + int(lengths[at])])
    return keys, row_at[starts]


def _encode_bigrams(codes: npt.NDArray[np.uint16], cjk: npt.NDArray[np.bool_], row_at: Rows) -> Pairs:
    value = codes.astype(np.int64) - _CJK_FIRST_CODE
    after = np.append(cjk[1:], False)[: len(cjk)]
    before = np.insert(cjk[:-1], 0, False)[: len(cjk)]
    pairs = np.flatnonzero(cjk & after)
    lone = np.flatnonzero(cjk & ~after & ~before)
    keys = np.concatenate([value[pairs] << _CJK_SHIFT | value[pairs + 1], value[lone] << _CJK_SHIFT])
    packed: Pairs = keys << _ROW_BITS | row_at[np.concatenate([pairs, lone])]
    return packed


def _encode_jieba(texts: Sequence[str], long_terms: LongTerms) -> tuple[Pairs, Keys, Rows]:
    pairs: list[int] = []
    long_keys: list[int] = []
    long_rows: list[int] = []
    for row, text in enumerate(texts):
        for run in CJK_RUN.findall(text):
            for word in jieba_words(run):
                if len(word) > 2:
                    long_keys.append(long_terms.key(word))
                    long_rows.append(row)
                else:
                    pairs.append(_short_cjk_key(word) << _ROW_BITS | row)
    return np.array(pairs, np.int64), np.array(long_keys, np.uint64), np.array(long_rows, np.int32)


def _short_cjk_key(token: str) -> int:
    """The key of one or two CJK characters, without its top bit: 30 bits."""
    codes = [int(_CLASS[ord(c)]) - _CJK_FIRST_CODE for c in token]
    return codes[0] << _CJK_SHIFT | (codes[1] if len(codes) == 2 else 0)


@dataclass(frozen=True, slots=True)
class Segment:
    """Postings of some documents: for term `keys[i]`, `rows` and `frequencies` between `starts[i]` and `starts[i+1]`.

    Keys ascend; the rows of a term ascend.
    """

    keys: Keys
    starts: npt.NDArray[np.int64]
    rows: Rows
    frequencies: Counts

    @property
    def size(self) -> int:
        return len(self.rows)

    def find(self, key: int) -> slice | None:
        """Where the postings of a term are."""
        at = int(np.searchsorted(self.keys, np.uint64(key)))
        if at == len(self.keys) or int(self.keys[at]) != key:
            return None
        return slice(int(self.starts[at]), int(self.starts[at + 1]))


def build_segment(batches: Sequence[TokenBatch]) -> Segment:
    """Sort the pairs of all batches into postings."""
    word_keys = np.concatenate([np.empty(0, np.uint64), *(batch.word_keys for batch in batches)])
    vocabulary = np.sort(word_keys)
    vocabulary = vocabulary[_changes(vocabulary)]
    pairs = np.searchsorted(vocabulary, word_keys)
    pairs <<= _ROW_BITS
    pairs |= np.concatenate([np.empty(0, np.int32), *(batch.word_rows for batch in batches)])
    words = _count_pairs(pairs, vocabulary)
    cjk_pairs = np.concatenate([np.empty(0, np.int64), *(batch.cjk_pairs for batch in batches)])
    return _join_segments([words, _count_pairs(cjk_pairs, None)])


def _count_pairs(pairs: Pairs, vocabulary: Keys | None) -> Segment:
    """Postings of `term << 32 | row`, sorted in place. Terms are places in the vocabulary, or CJK keys without one."""
    pairs.sort()
    new = _changes(pairs)
    frequencies = np.diff(np.append(np.flatnonzero(new), len(pairs))).astype(np.int32)
    if len(frequencies) and frequencies.max() <= _SMALL:
        frequencies = frequencies.astype(np.uint16)
    pairs = pairs[new]
    rows = pairs.astype(np.int32)  # keeps the low half
    pairs >>= _ROW_BITS
    starts = np.flatnonzero(_changes(pairs))
    terms = pairs[starts].astype(np.uint64)
    keys = vocabulary[terms] if vocabulary is not None else terms | np.uint64(_CJK_BIT)
    return Segment(keys, np.append(starts, len(pairs)), rows, frequencies)


def _join_segments(parts: Sequence[Segment]) -> Segment:
    """One segment of parts whose keys already ascend from part to part."""
    offsets = np.cumsum([0] + [part.size for part in parts])
    starts = [part.starts[:-1] + offset for part, offset in zip(parts, offsets[:-1], strict=True)]
    return Segment(
        np.concatenate([part.keys for part in parts]),
        np.append(np.concatenate(starts), offsets[-1]).astype(np.int64),
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.frequencies for part in parts]),
    )


def merge_segments(segments: Sequence[Segment]) -> Segment:
    """The postings of several segments in one; rows of later segments must be higher."""
    keys = np.concatenate([np.repeat(segment.keys, np.diff(segment.starts)) for segment in segments])
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    starts = np.flatnonzero(_changes(keys))
    return Segment(
        keys[starts],
        np.append(starts, len(keys)),
        np.concatenate([segment.rows for segment in segments])[order],
        np.concatenate([segment.frequencies for segment in segments])[order],
    )


def _changes(ordered: npt.NDArray[np.generic]) -> npt.NDArray[np.bool_]:
    """True where a sorted array has a value for the first time."""
    out = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=out[1:])
    return out


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
    """Mean length of the live documents where it is not total / count (with diary rows, see `with_documents`)."""

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
        norms: Scores = K1 * (1 - B + B * self.lengths.astype(np.float64) / (self.average_length or 1.0))
        norms[~self.live] = np.inf
        return norms

    def keys(self, terms: Iterable[str]) -> list[int | None]:
        return [term_key(term, self.long_terms) for term in terms]

    def document_frequency(self, key: int | None) -> int:
        if key is None:
            return 0
        return _occurrences(self.segments, key) - _occurrences(self.removed, key)

    def idf(self, key: int | None) -> float:
        df = self.document_frequency(key)
        return math.log(1 + (self.count - df + 0.5) / (df + 0.5))

    def frequencies(self, key: int | None, rows: Rows) -> Counts:
        """How often a term stands in each of the documents."""
        found = np.zeros(len(rows), np.int64)
        for segment, span in self._spans(key):
            places = np.searchsorted(segment.rows[span], rows)
            places[places == span.stop - span.start] = 0
            hit = segment.rows[span][places] == rows
            found[hit] = segment.frequencies[span][places[hit]]
        return found

    def scores(self, keys: Sequence[int | None]) -> Scores:
        """BM25 of every row for the query terms, in their order."""
        scores = np.zeros(len(self.lengths))
        for key in keys:
            if self.document_frequency(key) == 0:
                continue
            idf = self.idf(key)
            for segment, span in self._spans(key):
                rows, tf = segment.rows[span], segment.frequencies[span].astype(np.float64)
                scores[rows] += idf * (tf * (K1 + 1) / (tf + self.length_norms[rows]))
        return scores

    def _spans(self, key: int | None) -> Iterator[tuple[Segment, slice]]:
        if key is not None:
            for segment in self.segments:
                span = segment.find(key)
                if span is not None:
                    yield segment, span

    def with_documents(self, texts: Sequence[str], average: float | None = None) -> Postings:
        """The index with documents added behind all rows. `average` sets the mean length."""
        batch = encode(texts, len(self.lengths), self.long_terms, jieba=self.jieba)
        return Postings(
            _stacked(self.segments, build_segment([batch])),
            self.removed,
            np.concatenate([self.lengths, batch.lengths]),
            np.concatenate([self.estimates, batch.estimates]),
            self.long_terms,
            self.jieba,
            average,
        )

    def without_documents(self, rows: Sequence[int], texts: Sequence[str]) -> Postings:
        """The index without those rows; `texts` are what they were built from."""
        batch = encode(texts, 0, self.long_terms, jieba=self.jieba)
        lengths = self.lengths.copy()
        lengths[np.asarray(rows, np.int64)] = -1
        removed = _stacked(self.removed, build_segment([batch]))
        return Postings(self.segments, removed, lengths, self.estimates, self.long_terms, self.jieba)


def top_rows(scores: Scores, order: Rows, limit: int) -> list[int]:
    """The rows with the highest positive scores, at most `limit`; equal ones by `order` (the place of each row)."""
    if limit <= 0:
        return []
    whole = len(scores) // _BLOCK
    blocks = scores[: whole * _BLOCK].reshape(whole, _BLOCK)
    maxima = blocks.max(axis=1) if whole else np.empty(0)
    # The limit-th best block maximum is a lower bound of the limit-th best score.
    floor = np.partition(maxima, -limit)[-limit] if limit < whole else 0.0
    candidates = np.flatnonzero(maxima >= floor) if floor > 0 else np.flatnonzero(maxima > 0)
    rows = (candidates[:, None] * _BLOCK + np.arange(_BLOCK)).ravel()
    rows = np.concatenate([rows, np.arange(whole * _BLOCK, len(scores))])
    rows = rows[(scores[rows] >= floor) & (scores[rows] > 0)]
    best = np.lexsort((order[rows], -scores[rows]))[:limit]
    found: list[int] = rows[best].tolist()
    return found


def _occurrences(segments: Iterable[Segment], key: int) -> int:
    spans = (segment.find(key) for segment in segments)
    return sum(span.stop - span.start for span in spans if span is not None)


def _stacked(segments: tuple[Segment, ...], new: Segment) -> tuple[Segment, ...]:
    """Put a segment on the pile, merging the top while it is less than twice as big as the new one (the base stays)."""
    pile = [*segments, new]
    while len(pile) > 2 and pile[-2].size < 2 * pile[-1].size:
        pile[-2:] = [merge_segments(pile[-2:])]
    return tuple(pile)
