"""Items that nearly say the same, found without comparing each with each.

Each text is a set of shingles (three characters in a row, white space and case set aside). Sets that are alike have the
same smallest hash with a probability of their Jaccard similarity (Broder 1997); items that share two bands of such
hashes are compared, and those above `SIMILAR` are told: of pairs just that much alike 96 in 100, of closer ones nearly
all. One changed file costs its own items.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from .items import MemoryItem
from .store import CategoryFile

SIMILAR = 0.8
_SHORTEST = 24
"""Characters; short texts are alike by chance."""
_SHORTER = 0.5
"""How much shorter a text that is alike can be, white space included."""
_WIDTH = 3
_BANDS, _ROWS = 10, 4
_SHARED = 2
_SHARDS = 1009
_MOST_MEMBERS = 40
"""Items of one band that are compared with a new one: a memory of thousands of alike lines is no use to list."""
_RANDOM = np.random.default_rng(20261203).integers(1, 2**63, size=(2, _BANDS * _ROWS), dtype=np.uint64) | np.uint64(1)
_Address = tuple[str, str]
Hashes = NDArray[np.uint64]


class NearDuplicates:
    """Follows the files of a store."""

    def __init__(self) -> None:
        self._files: dict[str, CategoryFile] = {}
        self._bands: dict[_Address, list[int]] = {}
        self._items: dict[_Address, MemoryItem] = {}
        self._buckets = _Buckets()
        self._alike: dict[_Address, set[_Address]] = {}

    def stale(self, files: Iterable[CategoryFile]) -> list[CategoryFile]:
        """The files that have to be taken in; those that are gone are dropped at once."""
        now = {file.category: file for file in files}
        for category in [category for category in self._files if now.get(category) is not self._files[category]]:
            self._drop(self._files.pop(category))
        return [file for category, file in now.items() if category not in self._files]

    def take_in(self, file: CategoryFile) -> None:
        """Compare the items of a file with all others."""
        self._files[file.category] = file
        items = [item for item in file.items if len(item.content) >= _SHORTEST]
        for item, bands in zip(items, band_keys([item.content for item in items]), strict=True):
            address = item.category, item.name
            self._bands[address] = bands
            met = Counter(other for band in bands for other in islice(self._buckets.members(band), _MOST_MEMBERS))
            for other in (other for other, shared in met.items() if shared >= _SHARED):
                if _are_similar(item, self._items[other]):
                    self._alike.setdefault(address, set()).add(other)
                    self._alike.setdefault(other, set()).add(address)
            self._items[address] = item
            for band in bands:
                self._buckets.add(band, address)

    def _drop(self, file: CategoryFile) -> None:
        for item in file.items:
            address = item.category, item.name
            self._items.pop(address, None)
            for band in self._bands.pop(address, ()):
                self._buckets.remove(band, address)
            for other in self._alike.pop(address, ()):
                self._alike[other].discard(address)

    def pairs(self) -> Iterator[tuple[_Address, _Address]]:
        """Each pair once, in the order of the addresses."""
        for address in sorted(self._alike):
            yield from ((address, other) for other in sorted(self._alike[address]) if address < other)


class _Buckets:
    """The items of each band. Nearly all bands have one, which costs no list of its own.

    It is many small tables, as one that outgrows its room holds up every thread until all of it has moved.
    """

    def __init__(self) -> None:
        self._shards: list[dict[int, _Address | list[_Address]]] = [{} for _ in range(_SHARDS)]

    def members(self, band: int) -> Sequence[_Address]:
        found = self._shards[band % _SHARDS].get(band)
        return () if found is None else found if isinstance(found, list) else (found,)

    def add(self, band: int, address: _Address) -> None:
        shard = self._shards[band % _SHARDS]
        found = shard.get(band)
        if isinstance(found, list):
            found.append(address)
        else:
            shard[band] = address if found is None else [found, address]

    def remove(self, band: int, address: _Address) -> None:
        shard = self._shards[band % _SHARDS]
        found = shard.get(band)
        if isinstance(found, list):
            if address in found:
                found.remove(address)
            if not found:
                del shard[band]
        elif found == address:
            del shard[band]


def _are_similar(one: MemoryItem, other: MemoryItem) -> bool:
    """Compared in full only when their lengths allow it."""
    lengths = sorted((len(one.content), len(other.content)))
    return lengths[0] >= lengths[1] * _SHORTER and similarity(one.content, other.content) >= SIMILAR


def shingles(text: str) -> set[str]:
    plain = "".join(text.lower().split())
    return {plain[at : at + _WIDTH] for at in range(max(1, len(plain) - _WIDTH + 1))}


def similarity(one: str, other: str) -> float:
    """The share of shingles that two texts have in common (Jaccard)."""
    first, second = shingles(one), shingles(other)
    return len(first & second) / len(first | second)


def band_keys(texts: Sequence[str]) -> list[list[int]]:
    """For each text the keys of its bands, in one go: a few large operations leave other threads their time."""
    plain = ["".join(text.lower().split()).ljust(_WIDTH) for text in texts]
    if not plain:
        return []
    units = np.frombuffer("".join(plain).encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.uint64)
    starts = np.cumsum([0, *(len(text) for text in plain)])
    # Shingles that reach over the end of a text belong to two; they are few, and the exact comparison sorts it out.
    padded = np.append(units, np.zeros(_WIDTH - 1, np.uint64))
    hashes = padded[: len(units)] * np.uint64(0x9E3779B97F4A7C15)
    hashes ^= padded[1 : len(units) + 1] * np.uint64(0xC2B2AE3D27D4EB4F)
    hashes ^= padded[2 : len(units) + 2] * np.uint64(0x165667B19E3779F9)
    smallest = np.empty((len(plain), _BANDS * _ROWS), np.uint64)
    for column in range(_BANDS * _ROWS):
        mixed = hashes * _RANDOM[0, column] + _RANDOM[1, column]
        mixed ^= mixed >> np.uint64(29)
        smallest[:, column] = np.minimum.reduceat(mixed, starts[:-1])
    return _banded(smallest)


def _banded(smallest: Hashes) -> list[list[int]]:
    keys = np.zeros((len(smallest), _BANDS), np.uint64)
    for row in range(_ROWS):
        keys *= np.uint64(0x100000001B3)
        keys ^= smallest[:, row::_ROWS]
    keys *= np.uint64(_BANDS)
    keys += np.arange(_BANDS, dtype=np.uint64)
    return [[int(key) for key in line] for line in keys]
