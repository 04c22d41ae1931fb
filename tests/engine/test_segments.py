"""Large merges of postings, in ranges of terms, against a plain sort."""

from __future__ import annotations

import numpy as np
import pytest

from wikimem_desktop.engine.segments import Merge, Rows, Segment, count_tokens

DOCUMENTS, SEGMENTS, TOKENS = 4_000, 8, 60_000


def tokens(rng: np.random.Generator, number: int) -> tuple[np.ndarray, Rows]:
    """Keys and rows of one segment's tokens in ascending order: some terms everywhere, most of them rare."""
    keys = rng.zipf(1.2, TOKENS).astype(np.uint64) % np.uint64(50_000)
    keys = np.where(rng.random(TOKENS) < 0.3, keys | np.uint64(1 << 63), keys * np.uint64(10**14))
    rows = rng.integers(number * DOCUMENTS, (number + 1) * DOCUMENTS, TOKENS).astype(np.int32)
    order = np.lexsort((rows, keys))
    return keys[order], rows[order]


def contents(segment: Segment) -> tuple[list[int], list[int], list[int]]:
    return (
        np.repeat(segment.keys, np.diff(segment.starts)).tolist(),
        segment.rows.tolist(),
        segment.frequencies.tolist(),
    )


@pytest.mark.parametrize("gone", [0.0, 0.1, 1.0])
def test_a_merge_of_many_ranges_is_a_sort_of_everything(gone: float) -> None:
    rng = np.random.default_rng(5)
    parts = [tokens(rng, number) for number in range(SEGMENTS)]
    live = rng.random(SEGMENTS * DOCUMENTS) >= gone
    new_rows = np.where(live, live.cumsum() - 1, -1).astype(np.int32)
    merge = Merge([count_tokens(keys, rows) for keys, rows in parts], new_rows if gone else None)
    steps = sum(1 for _ in merge.steps())
    assert steps > 4
    found = merge.result()
    keys = np.concatenate([keys for keys, _ in parts])
    rows = np.concatenate([rows for _, rows in parts])
    keys, rows = keys[live[rows]], new_rows[rows[live[rows]]]
    order = np.lexsort((rows, keys))
    assert contents(found) == contents(count_tokens(keys[order], rows[order]))
    assert (np.diff(found.keys) > 0).all()
    assert (np.diff(found.starts) > 0).all()
