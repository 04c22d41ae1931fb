"""The plain scorer that speed ratios are measured against: the host library's algorithm, restated plainly.

Build = tokenise every item into a Counter; query = score every item, sort, take the top. Bigram tokens only.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable

WORD = re.compile(r"[a-z0-9]+")
CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+")
K1, B = 1.5, 0.75


def tokens(text: str) -> list[str]:
    out = WORD.findall(text.lower())
    for run in CJK.findall(text):
        out += [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]
    return out


class PlainIndex:
    """`texts` are index texts (name, newline, content) in item order. `cut` makes tokens of them and of queries."""

    def __init__(self, texts: Iterable[str], cut: Callable[[str], list[str]] = tokens) -> None:
        self.cut = cut
        lists = [cut(t) for t in texts]
        self.counts = [Counter(x) for x in lists]
        self.lengths = [len(x) for x in lists]
        self.df: Counter[str] = Counter()
        for c in self.counts:
            self.df.update(c.keys())
        self.average = sum(self.lengths) / len(lists) if lists else 0.0

    def search(self, query: str, limit: int = 10) -> list[tuple[int, float]]:
        """(row, score) of the best rows, ties in row order."""
        n, terms, found = len(self.counts), self.cut(query), []
        for row, counts in enumerate(self.counts):
            score = 0.0
            for t in terms:
                tf = counts.get(t, 0)
                if tf:
                    idf = math.log(1 + (n - self.df[t] + 0.5) / (self.df[t] + 0.5))
                    score += idf * (tf * (K1 + 1) / (tf + K1 * (1 - B + B * self.lengths[row] / (self.average or 1.0))))
            if score > 0:
                found.append((row, score))
        return sorted(found, key=lambda p: -p[1])[:limit]
