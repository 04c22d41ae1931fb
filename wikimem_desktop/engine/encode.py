"""From texts to postings: tokens found in arrays of characters, a whole portion of documents at a time.

A term is a 64-bit key, injective by construction: a latin word of up to 12 characters is a number in base 37, a CJK
token of one or two characters carries the top bit, and longer tokens are numbered by a `LongTerms` table.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .segments import Counts, Keys, Places, Rows, Segment, ascending, count_tokens
from .token_cache import TokenCache
from .tokens import CJK_RANGES, chinese_words

_BASE = 37
_PACKED_LETTERS = 12
_LONG: int = _BASE**_PACKED_LETTERS
_CJK_BIT = 1 << 63
_CJK = 64
_LATIN = 63
_DOTTED_I = "\u0130"
"""The one character that becomes two in lower case."""

ShortKeys = npt.NDArray[np.uint32]
"""Keys of CJK tokens without their top bit."""
Units = npt.NDArray[np.uint16]
Kinds = npt.NDArray[np.uint8]


def _kind_table() -> Kinds:
    """Per UTF-16 unit: 1–36 for what lower case makes a–z, and 0–9; 64 for CJK, 0 for all else."""
    table = np.zeros(65536, np.uint8)
    table[ord("a") : ord("z") + 1] = table[ord("A") : ord("Z") + 1] = np.arange(1, 27)
    table[0x212A] = table[ord("k")]  # the Kelvin sign
    table[ord("0") : ord("9") + 1] = np.arange(27, 37)
    for first, last in CJK_RANGES:
        table[first : last + 1] = _CJK
    return table


_KIND = _kind_table()
_ASCII_KINDS: list[int] = _KIND[:128].tolist()


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
    if not token.isascii():
        return _cjk_key(token) if len(token) <= 2 else long_terms.known_key(token)
    if len(token) > _PACKED_LETTERS:
        return long_terms.known_key(token)
    key = 0
    for character in token:
        key = key * _BASE + _ASCII_KINDS[ord(character)]
    return key


def _cjk_key(token: str) -> int:
    return _CJK_BIT | ord(token[0]) << 16 | (ord(token[1]) if len(token) == 2 else 0)


@dataclass(frozen=True, slots=True)
class Portion:
    """The postings of some documents, the token count of each, and what each costs in the budget."""

    segment: Segment
    lengths: Counts
    estimates: Counts


class WordKeys:
    """Keys of the words that jieba finds; with a cache, only in texts that are not there."""

    def __init__(self, long_terms: LongTerms, cache: TokenCache | None = None) -> None:
        self._long_terms = long_terms
        self._cache = cache
        self._keys: Keys = np.zeros(0, np.uint64)
        """Of the cache's vocabulary, as far as it was asked for."""

    def of(self, texts: Sequence[str]) -> tuple[Keys, Counts]:
        """The keys of all words in order, and how many each text has."""
        if self._cache is None:
            words = [chinese_words(text) for text in texts]
            counts = np.array([len(found) for found in words], np.int32)
            known = {word: self._key(word) for word in set(itertools.chain.from_iterable(words))}
            found = np.fromiter(map(known.__getitem__, itertools.chain.from_iterable(words)), np.uint64, counts.sum())
            return found, counts
        numbers, counts = self._cache.words(texts)
        new = [self._key(word) for word in self._cache.vocabulary[len(self._keys) :]]
        self._keys = np.append(self._keys, np.array(new, np.uint64))
        return self._keys[numbers], counts

    def _key(self, word: str) -> int:
        return _cjk_key(word) if len(word) <= 2 else self._long_terms.key(word)


def encode(
    texts: Sequence[str], first_row: int, long_terms: LongTerms, *, jieba: bool, words: WordKeys | None = None
) -> Portion:
    """Tokenise documents; they get the rows `first_row`, `first_row + 1`, …"""
    text = _joined(texts)
    if _DOTTED_I in text:
        texts = [text.lower() for text in texts]
        text = _joined(texts)
    units = _units(text)
    bounds = np.cumsum([1, *(len(text) + 1 for text in texts)])
    kinds = _KIND[units]
    cjk = kinds == _CJK
    keys, rows = _latin_words(text, kinds, bounds, long_terms)
    estimates = np.bincount(rows, minlength=len(texts)).astype(np.int32)
    if texts:
        estimates += np.add.reduceat(cjk, bounds[:-1], dtype=np.int32)
    if jieba:
        cjk_keys, cjk_rows, long_keys, long_rows = _jieba_words(texts, words or WordKeys(long_terms))
        keys, rows = np.append(keys, long_keys), np.append(rows, long_rows)
    else:
        cjk_keys, cjk_rows = _bigrams(units, cjk, bounds)
    order, cjk_order = ascending(keys), ascending(cjk_keys)
    keys = np.append(keys[order], cjk_keys[cjk_order].astype(np.uint64) | np.uint64(_CJK_BIT))
    rows = np.append(rows[order], cjk_rows[cjk_order])
    lengths = np.bincount(rows, minlength=len(texts)).astype(np.int32)
    return Portion(count_tokens(keys, rows + np.int32(first_row)), lengths, estimates)


def _joined(texts: Sequence[str]) -> str:
    """All texts, with something before, between and behind them that is in no token."""
    return "\n".join(["", *texts, ""])


def _units(text: str) -> Units:
    """One number per character; those beyond UTF-16's first plane are in no token and become the same one."""
    units = np.frombuffer(text.encode("utf-16-le", "surrogatepass"), np.uint16)
    if len(units) == len(text):
        return units
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return np.minimum(points, 0xFFFF).astype(np.uint16)


def _rows(places: Places, bounds: Places) -> Rows:
    """The number of the text that each place is in; places ascend."""
    return np.repeat(np.arange(len(bounds) - 1, dtype=np.int32), np.diff(places.searchsorted(bounds)))


def _latin_words(text: str, kinds: Kinds, bounds: Places, long_terms: LongTerms) -> tuple[Keys, Rows]:
    """Keys and rows of all words, long ones first, so that those with a next letter are always the first ones."""
    latin = (kinds & _LATIN) > 0
    edges = np.flatnonzero(latin[1:] != latin[:-1]) + 1
    starts, lengths = edges[::2], edges[1::2] - edges[::2]
    sizes = np.minimum(lengths, _PACKED_LETTERS + 1).astype(np.uint8)
    order = (_PACKED_LETTERS + 1 - sizes).argsort(kind="stable")
    rows, starts, lengths = _rows(starts, bounds)[order], starts[order], lengths[order]
    longer = len(order) - np.bincount(sizes, minlength=_PACKED_LETTERS + 2).cumsum()
    keys = np.zeros(len(order), np.uint64)
    for letter, count in enumerate(longer[:_PACKED_LETTERS].tolist()):
        keys[:count] *= np.uint64(_BASE)
        keys[:count] += kinds[starts[:count] + letter]
    for at in range(int(longer[_PACKED_LETTERS])):
        keys[at] = long_terms.key(text[starts[at] : starts[at] + lengths[at]].lower())
    return keys, rows


def _bigrams(units: Units, cjk: npt.NDArray[np.bool_], bounds: Places) -> tuple[ShortKeys, Rows]:
    paired = cjk[1:] & cjk[:-1]
    pairs = np.flatnonzero(paired)
    lone = np.flatnonzero(cjk[1:-1] & ~(paired[1:] | paired[:-1])) + 1
    keys = units[np.append(pairs, lone)].astype(np.uint32) << np.uint32(16)
    keys[: len(pairs)] |= units[pairs + 1]
    return keys, np.append(_rows(pairs, bounds), _rows(lone, bounds))


def _jieba_words(texts: Sequence[str], words: WordKeys) -> tuple[ShortKeys, Rows, Keys, Rows]:
    """Keys and rows of words of one or two characters, then of longer ones."""
    found, counts = words.of(texts)
    rows = np.repeat(np.arange(len(texts), dtype=np.int32), counts)
    short = found >= np.uint64(_CJK_BIT)
    return found[short].astype(np.uint32), rows[short], found[~short], rows[~short]
