"""The words of jieba, from its dictionary and its model for unknown words, found by shorter loops.

`cutter().words(run)` is `jieba.lcut(run)` for a run of CJK characters: all additions are made in jieba's order.
"""

from __future__ import annotations

import math
import re
from collections.abc import Generator, Iterator, Mapping
from functools import lru_cache

import jieba
from jieba import finalseg

_HAN = re.compile(r"([\u4e00-\u9fd5]+)")
_UNKNOWN_KEPT = 20_000
_BYTES_PER_STEP = 32_000
_WORDS_PER_STEP = 2_000
_BEGIN, _MIDDLE, _END, _SINGLE = range(4)

_loaded: Cutter | None = None


def cutter() -> Cutter:
    """The one of this process; its dictionary is loaded at the first call (0.5 s)."""
    for _ in load_steps():
        pass
    assert _loaded is not None
    return _loaded


def load_steps() -> Generator[None, None, None]:
    """Read jieba's dictionary, some words a step: reading it at once keeps other threads from running for long.

    Where jieba has been used before, its dictionary is taken with the words that were added to it.
    """
    global _loaded
    if _loaded is not None:
        return
    dictionary = _Dictionary()
    if jieba.dt.initialized:
        yield from dictionary.copy_steps(jieba.dt.FREQ, jieba.dt.total)
    else:
        yield from dictionary.read_steps()
    _loaded = _loaded or Cutter(dictionary)


class _Dictionary:
    """How often words are used, by their first character and then by the word; beginnings of words are there as well.

    One large `dict` would now and then be moved as a whole, which holds up every thread.
    """

    def __init__(self) -> None:
        self.words: dict[str, dict[str, int]] = {}
        self.total = 0

    @property
    def size(self) -> int:
        return sum(map(len, self.words.values()))

    def read_steps(self) -> Iterator[None]:
        """Read the file as a whole: who reads it line by line lets others run for too short a time to get there."""
        with jieba.dt.get_dict_file() as file:
            content: bytes = file.read()
        at = 0
        while at < len(content):
            end = content.find(b"\n", at + _BYTES_PER_STEP) + 1 or len(content)
            for line in content[at:end].decode().strip().split("\n"):
                word, times = line.split(" ", 2)[:2]
                self.total += int(times)
                beginnings = self.words.setdefault(word[0], {})
                beginnings[word] = int(times)
                for length in range(1, len(word)):
                    beginnings.setdefault(word[:length], 0)
            at = end
            yield

    def copy_steps(self, frequencies: Mapping[str, int], total: int) -> Iterator[None]:
        self.total = total
        for number, (word, times) in enumerate(list(frequencies.items())):
            self.words.setdefault(word[0], {})[word] = times
            if number % _WORDS_PER_STEP == 0:
                yield


class _Weights(dict[int, float]):
    """By frequency: the logarithm of the share that a word has in the dictionary."""

    def __init__(self, total: int) -> None:
        self._log_total = math.log(total)

    def __missing__(self, frequency: int) -> float:
        weight = self[frequency] = math.log(frequency) - self._log_total
        return weight


class Cutter:
    """Cuts by a dictionary and by jieba's model for the words that it lacks."""

    def __init__(self, dictionary: _Dictionary) -> None:
        self._dictionary = dictionary.words
        self._weights = _Weights(dictionary.total)
        self._model = _Model()
        self._unknown_words = lru_cache(_UNKNOWN_KEPT)(self._find_unknown_words)
        self.dictionary = f"jieba {jieba.__version__} {dictionary.size} {dictionary.total}"
        """What tells this dictionary from others."""

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
        dictionary, weights, count = self._dictionary, self._weights, len(text)
        scores, ends = [0.0] * (count + 1), [0] * count
        nothing: dict[str, int] = {}
        for start in range(count - 1, -1, -1):
            best, best_end, end = -math.inf, start + 1, start + 1
            frequency = dictionary.get(text[start], nothing).get
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
        if len(characters) == 1 or self._dictionary.get(characters[0], {}).get(characters):
            return tuple(characters)
        words: list[str] = []
        begin = 0
        for at, state in enumerate(self._model.states(characters)):
            if state == _BEGIN:
                begin = at
            elif state == _END:
                words.append(characters[begin : at + 1])
            elif state == _SINGLE:
                words.append(characters[at])
        return tuple(words)


class _Model:
    """Which place of a word each character most likely has."""

    def __init__(self) -> None:
        emissions = [finalseg.emit_P[letter] for letter in "BMES"]
        self._weights: dict[str, tuple[float, ...]] = {
            character: tuple(weights.get(character, finalseg.MIN_FLOAT) for weights in emissions)
            for character in set().union(*emissions)
        }
        self._first: list[float] = [finalseg.start_P[letter] for letter in "BMES"]
        steps = ("BM", "BE", "MM", "ME", "EB", "ES", "SB", "SS")
        self._steps: list[float] = [finalseg.trans_P[step[0]][step[1]] for step in steps]

    def states(self, characters: str) -> list[int]:
        """The likeliest path; of equally likely steps, as jieba's `max` has it, the one from the later letter."""
        weights, none = self._weights, (finalseg.MIN_FLOAT,) * 4
        bm, be, mm, me, eb, es, sb, ss = self._steps
        b, m, e, s = [a + b for a, b in zip(self._first, weights.get(characters[0], none), strict=True)]
        before: list[tuple[int, int, int, int]] = []
        for character in characters[1:]:
            to_b, to_m, to_e, to_s = weights.get(character, none)
            b1, b2 = e + eb + to_b, s + sb + to_b
            m1, m2 = b + bm + to_m, m + mm + to_m
            e1, e2 = b + be + to_e, m + me + to_e
            s1, s2 = e + es + to_s, s + ss + to_s
            before.append(
                (
                    _SINGLE if b2 >= b1 else _END,
                    _MIDDLE if m2 >= m1 else _BEGIN,
                    _MIDDLE if e2 >= e1 else _BEGIN,
                    _SINGLE if s2 >= s1 else _END,
                )
            )
            b, m, e, s = max(b1, b2), max(m1, m2), max(e1, e2), max(s1, s2)
        path = [_SINGLE if s >= e else _END]
        for previous in reversed(before):
            path.append(previous[path[-1]])
        return path[::-1]
