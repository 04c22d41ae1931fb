"""Postings: which documents hold a term, and how often. Made of sorted tokens, merged range by range of terms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Keys = npt.NDArray[np.uint64]
Rows = npt.NDArray[np.int32]
Counts = npt.NDArray[np.integer]
Places = npt.NDArray[np.int64]
Order = npt.NDArray[np.int64]
"""Rows sort by these numbers."""

_SMALL = np.iinfo(np.uint16).max
_SAMPLED = 2048
_RANGE = 32 * _SAMPLED
"""About how many postings are merged at a time: a few milliseconds."""
_JOINED = 16
"""How many ranges are put together at a time."""


@dataclass(frozen=True, slots=True)
class Segment:
    """Postings of some documents: for term `keys[i]`, `rows` and `frequencies` between `starts[i]` and `starts[i+1]`.

    Keys ascend; the rows of a term ascend.
    """

    keys: Keys
    starts: Places
    rows: Rows
    frequencies: Counts

    @property
    def size(self) -> int:
        return len(self.rows)

    def find(self, key: int) -> slice | None:
        """Where the postings of a term are."""
        at = int(self.keys.searchsorted(np.uint64(key)))
        if at == len(self.keys) or int(self.keys[at]) != key:
            return None
        return slice(int(self.starts[at]), int(self.starts[at + 1]))


def ascending(keys: npt.NDArray[np.unsignedinteger]) -> Places:
    """The stable order of keys, found 16 bits at a time: numpy sorts those by counting, far faster than wider ones."""
    if not len(keys):
        return np.empty(0, np.int64)
    order = keys.astype(np.uint16).argsort(kind="stable")
    for shift in range(16, int(keys.max()).bit_length(), 16):
        digit = (keys >> keys.dtype.type(shift)).astype(np.uint16)
        order = order[digit[order].argsort(kind="stable")]
    return order


def count_tokens(keys: Keys, rows: Rows) -> Segment:
    """Postings of tokens: the key and the row of each, both ascending."""
    firsts = np.flatnonzero(_changes(keys) | _changes(rows))
    frequencies = np.diff(firsts, append=len(keys)).astype(np.int32)
    if len(frequencies) and frequencies.max() <= _SMALL:
        frequencies = frequencies.astype(np.uint16)
    keys = keys[firsts]
    starts = np.flatnonzero(_changes(keys))
    return Segment(keys[starts], np.append(starts, len(firsts)), rows[firsts], frequencies)


def merge_segments(segments: Sequence[Segment]) -> Segment:
    """The postings of several segments in one; rows of later segments must be higher."""
    merge = Merge(segments)
    for _ in merge.steps():
        pass
    return merge.result()


class Merge:
    """Makes one segment of several in small steps; rows of later segments must be higher.

    `new_rows` gives rows other numbers, in the same order; the postings of a row whose number is -1 are left out.
    """

    def __init__(self, segments: Sequence[Segment], new_rows: Rows | None = None) -> None:
        self._segments = segments
        self._new_rows = new_rows
        count = sum(segment.size for segment in segments)
        self._rows = np.empty(count, np.int32)
        self._frequencies = np.empty(count, np.result_type(np.uint16, *(s.frequencies.dtype for s in segments)))
        self._filled = 0
        self._ranges: list[tuple[Keys, Places]] = []
        self._keys = np.empty(0, np.uint64)
        self._starts = np.empty(0, np.int64)

    def steps(self) -> Iterator[None]:
        """Do all the work, one range of terms a step."""
        edges = _range_edges(self._segments)
        places = [[0, *segment.keys.searchsorted(edges).tolist(), len(segment.keys)] for segment in self._segments]
        for bounds in zip(*map(pairwise, places), strict=True):
            parts = [(s, *bound) for s, bound in zip(self._segments, bounds, strict=True) if bound[0] < bound[1]]
            if parts:
                self._merge_range(parts)
                yield
        yield from self._join_ranges()

    def result(self) -> Segment:
        return Segment(self._keys, self._starts, self._rows[: self._filled], self._frequencies[: self._filled])

    def _merge_range(self, parts: Sequence[tuple[Segment, int, int]]) -> None:
        """Merge the terms between two places of each segment."""
        keys = np.concatenate([s.keys[first:last] for s, first, last in parts])
        counts = np.concatenate([s.starts[first + 1 : last + 1] for s, first, last in parts])
        counts -= np.concatenate([s.starts[first:last] for s, first, last in parts])
        spans = [(s, slice(s.starts[first], s.starts[last])) for s, first, last in parts]
        rows = np.concatenate([s.rows[span] for s, span in spans])
        frequencies = np.concatenate([s.frequencies[span] for s, span in spans])
        order = keys.argsort(kind="stable")
        sources = (counts.cumsum() - counts)[order]
        keys, counts = keys[order], counts[order]
        starts = counts.cumsum() - counts
        taken = np.repeat(sources - starts, counts)
        taken += np.arange(len(taken))
        rows, frequencies = rows[taken], frequencies[taken]
        if self._new_rows is not None:
            rows = self._new_rows[rows]
            kept = rows >= 0
            rows, frequencies = rows[kept], frequencies[kept]
            starts = np.append(0, kept.cumsum())[starts]
        self._append(keys, starts, rows, frequencies)

    def _join_ranges(self) -> Iterator[None]:
        """Put the terms of all ranges into one array."""
        count = sum(len(keys) for keys, _ in self._ranges)
        self._keys, self._starts = np.empty(count, np.uint64), np.empty(count + 1, np.int64)
        self._starts[count] = self._filled
        end = 0
        for number, (keys, starts) in enumerate(self._ranges, 1):
            at, end = end, end + len(keys)
            self._keys[at:end], self._starts[at:end] = keys, starts
            if number % _JOINED == 0:
                yield

    def _append(self, keys: Keys, starts: Places, rows: Rows, frequencies: Counts) -> None:
        """Add postings whose keys follow those before; a key may come several times or have lost its postings."""
        last_starts = np.append(starts[1:], len(rows))
        has_any = starts < last_starts
        keys, starts = keys[has_any], starts[has_any]
        firsts = _changes(keys)
        self._ranges.append((keys[firsts], starts[firsts] + self._filled))
        end = self._filled + len(rows)
        self._rows[self._filled : end] = rows
        self._frequencies[self._filled : end] = frequencies
        self._filled = end


def _range_edges(segments: Sequence[Segment]) -> Keys:
    """Keys that cut the terms of all segments into ranges of about equally many postings."""
    samples = [s.keys[s.starts.searchsorted(np.arange(_SAMPLED // 2, s.size, _SAMPLED), "right") - 1] for s in segments]
    sampled = np.concatenate([np.empty(0, np.uint64), *samples])
    sampled.sort()
    return sampled[_RANGE // _SAMPLED :: _RANGE // _SAMPLED]


def _changes(values: npt.NDArray[np.generic]) -> npt.NDArray[np.bool_]:
    """True where an array has another value than right before."""
    out = np.ones(len(values), np.bool_)
    np.not_equal(values[1:], values[:-1], out=out[1:])
    return out
