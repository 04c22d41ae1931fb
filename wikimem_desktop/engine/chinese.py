"""The words of jieba, from its dictionary and its model for unknown words, found in one pass instead of two.

`Cutter().words(run)` is `jieba.lcut(run)` for a run of CJK characters. The order of all additions is jieba's.
"""

from __future__ import annotations

import logging
import math
import re
from functools import lru_cache

import jieba
from jieba import finalseg

_HAN = re.compile(r"([\u4e00-\u9fd5]+)")
_UNKNOWN_KEPT = 20_000


class _Weights(dict[int, float]):
    """By frequency: the logarithm of the share that a word has in the dictionary."""

    def __init__(self, total: int) -> None:
        self._log_total = math.log(total)

    def __missing__(self, frequency: int) -> float:
        weight = self[frequency] = math.log(frequency) - self._log_total
        return weight


class Cutter:
    """Holds jieba's dictionary; making the first one loads it (0.5 s)."""

    def __init__(self) -> None:
        jieba.setLogLevel(logging.WARNING)
        jieba.initialize()
        self._frequencies: dict[str, int] = jieba.dt.FREQ
        self._weights = _Weights(jieba.dt.total)
        self._unknown_words = lru_cache(_UNKNOWN_KEPT)(self._find_unknown_words)

    def words(self, run: str) -> list[str]:
        found: list[str] = []
        for number, block in enumerate(_HAN.split(run)):
            if number % 2:
                self._cut(block, found)
            else:
                found += block
        return found

    def _cut(self, text: str, found: list[str]) -> None:
        """Follow the route; single characters in a row may be a word that the dictionary lacks."""
        ends = self._route(text)
        start = singles = 0
        while start < len(text):
            end = ends[start]
            if end - start > 1:
                if singles < start:
                    found += self._unknown_words(text[singles:start])
                found.append(text[start:end])
                singles = end
            start = end
        if singles < start:
            found += self._unknown_words(text[singles:])

    def _route(self, text: str) -> list[int]:
        """Per place, where the first of the likeliest words from there on ends; of equally likely ones the longest."""
        frequency, weights, count = self._frequencies.get, self._weights, len(text)
        scores, ends = [0.0] * (count + 1), [0] * count
        for start in range(count - 1, -1, -1):
            best, best_end, end = -math.inf, start + 1, start + 1
            while (times := frequency(text[start:end])) is not None:
                if times and (score := weights[times] + scores[end]) >= best:
                    best, best_end = score, end
                if end == count:
                    break
                end += 1
            scores[start] = weights[1] + scores[best_end] if best == -math.inf else best
            ends[start] = best_end
        return ends

    def _find_unknown_words(self, characters: str) -> tuple[str, ...]:
        if len(characters) == 1 or self._frequencies.get(characters):
            return tuple(characters)
        return tuple(finalseg.cut(characters))
