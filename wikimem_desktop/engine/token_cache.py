"""Words that jieba found in texts, kept by what the texts say, as finding them takes longer than all else.

Derived and safe to delete. Each store has a folder of its own below the cache's, which holds packs: a line that names
the format and the dictionary, a digest of the rest, and the rest. What is torn or of another dictionary counts as none.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

_log = logging.getLogger(__name__)
_FORMAT = "wikimem tokens 1"
_SUFFIX = ".tokens"
_DIGEST_BYTES = 16
_MOST_BYTES = 256 * 2**20
_MOST_PACKS = 64
"""Of a store; a whole build makes one of all."""
_ENTRIES_PER_STEP = 4_000

Numbers = npt.NDArray[np.int32]
_Entry = tuple[Numbers, int, int]
"""Numbers of words, of which those from the first place to before the last are meant."""


class TokenCache:
    """The words of a store's texts. `base` is the folder of all caches, `root` the store's; `cut` finds words anew.

    No error reaches the caller: without a cache everything is found anew.
    """

    def __init__(
        self, base: Path, root: Path, cut: Callable[[str], list[str]], dictionary: str, *, limit: int = _MOST_BYTES
    ) -> None:
        self.vocabulary: list[str] = []
        """Words by their number; only ever grows."""
        self._base = base
        self._folder = base / _digest(str(root.resolve())).hex()
        self._cut = cut
        self._header = f"{_FORMAT} {dictionary}\n".encode()
        self._limit = limit
        self._numbers: dict[str, int] = {}
        self._known: dict[bytes, _Entry] = {}
        self._used: dict[bytes, _Entry] = {}
        self._new: dict[bytes, _Entry] = {}

    def load_steps(self) -> Generator[None, None, None]:
        """Read what is kept on disk."""
        for path in self._packs():
            try:
                content = path.read_bytes()
                os.utime(path)
            except OSError as error:
                _log.info("%s can't be read: %s", path, error)
                continue
            body = memoryview(content)[len(self._header) + _DIGEST_BYTES :]
            start = content[: len(self._header) + _DIGEST_BYTES]
            if start != self._header + hashlib.blake2b(body, digest_size=_DIGEST_BYTES).digest():
                continue
            yield from self._take_in(body)

    def words(self, texts: Sequence[str]) -> tuple[Numbers, Numbers]:
        """The numbers of the texts' words in order, and how many each text has."""
        entries = [self._entry(text) for text in texts]
        counts = np.array([last - first for _, first, last in entries], np.int32)
        if not entries:
            return np.zeros(0, np.int32), counts
        return np.concatenate([numbers[first:last] for numbers, first, last in entries]), counts

    def save(self, *, whole: bool) -> None:
        """Write what was found anew; `whole`: all that was asked for since the start is all that must be kept."""
        packs = self._packs()
        kept = self._used if whole else self._new
        if self._new and (whole or len(packs) < _MOST_PACKS):
            try:
                written = self._write(kept)
            except OSError as error:
                _log.info("words can't be kept in %s: %s", self._folder, error)
            else:
                for path in packs if whole else ():
                    if path != written:
                        path.unlink(missing_ok=True)
                self._sweep()
        self._new = {}

    def _entry(self, text: str) -> _Entry:
        digest = _digest(text)
        entry = self._known.get(digest)
        if entry is None:
            numbers = np.array([self._number(word) for word in self._cut(text)], np.int32)
            entry = self._known[digest] = self._new[digest] = numbers, 0, len(numbers)
        self._used[digest] = entry
        return entry

    def _number(self, word: str) -> int:
        number = self._numbers.setdefault(word, len(self.vocabulary))
        if number == len(self.vocabulary):
            self.vocabulary.append(word)
        return number

    # ------------------------------------------------------------ packs

    def _packs(self) -> list[Path]:
        try:
            return sorted(self._folder.glob(f"*{_SUFFIX}"))
        except OSError:
            return []

    def _take_in(self, body: memoryview) -> Generator[None, None, None]:
        """The body: three sizes, digests of texts, counts, numbers of words, and the words, one a line."""
        texts, total, size = np.frombuffer(body, np.int64, 3).tolist()
        at = 24
        digests, at = bytes(body[at : at + texts * _DIGEST_BYTES]), at + texts * _DIGEST_BYTES
        ends = np.frombuffer(body, np.int32, texts, at).cumsum()
        numbers = np.frombuffer(body, np.int32, total, at + texts * 4)
        at += (texts + total) * 4
        words = bytes(body[at : at + size]).decode().split("\n") if size else []
        own = np.zeros(len(words), np.int32)
        for number, word in enumerate(words):
            own[number] = self._number(word)
            if number % _ENTRIES_PER_STEP == 0:
                yield
        numbers = own[numbers]
        first = 0
        for text, last in enumerate(ends.tolist()):
            self._known[digests[text * _DIGEST_BYTES : (text + 1) * _DIGEST_BYTES]] = numbers, first, last
            first = last
            if text % _ENTRIES_PER_STEP == 0:
                yield

    def _write(self, kept: dict[bytes, _Entry]) -> Path:
        entries = list(kept.values())
        counts = np.array([last - first for _, first, last in entries], np.int32)
        numbers = np.concatenate([numbers[first:last] for numbers, first, last in entries])
        there = np.flatnonzero(np.bincount(numbers, minlength=1))
        own = np.zeros(len(self.vocabulary) + 1, np.int32)
        own[there] = np.arange(len(there))
        words = "\n".join([self.vocabulary[number] for number in there.tolist()] if len(numbers) else []).encode()
        sizes = np.array([len(entries), len(numbers), len(words)], np.int64)
        body = b"".join([sizes.tobytes(), *kept, counts.tobytes(), own[numbers].tobytes(), words])
        digest = hashlib.blake2b(body, digest_size=_DIGEST_BYTES).digest()
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self._folder / f"{digest.hex()}{_SUFFIX}"
        handle, unfinished = tempfile.mkstemp(dir=self._folder)
        try:
            with open(handle, "wb") as file:
                file.writelines([self._header, digest, body])
            os.replace(unfinished, path)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(unfinished)
            raise
        return path

    def _sweep(self) -> None:
        """Of all stores' packs those go that were not used for the longest time, until the rest is small enough."""
        found: list[tuple[float, int, Path]] = []
        for path in self._base.glob("*/*"):
            with contextlib.suppress(OSError):
                status = path.stat()
                found.append((status.st_mtime, status.st_size, path))
        excess = sum(size for _, size, _ in found) - self._limit
        for _, size, path in sorted(found):
            if excess <= 0:
                return
            with contextlib.suppress(OSError):
                path.unlink()
                excess -= size


def cjk_texts(pack: bytes) -> Iterator[tuple[bytes, str]]:
    """What a pack tells of its texts: the digest and the CJK characters of each. Nothing for what is torn."""
    body = memoryview(pack)[pack.find(b"\n") + 1 + _DIGEST_BYTES :]
    with contextlib.suppress(ValueError):  # sizes that do not fit, or no UTF-8
        texts, total, size = np.frombuffer(body, np.int64, 3).tolist()
        at = 24 + texts * _DIGEST_BYTES
        digests = bytes(body[24:at])
        ends = np.frombuffer(body, np.int32, texts, at).cumsum().tolist()
        numbers = np.frombuffer(body, np.int32, total, at + texts * 4).tolist()
        at += (texts + total) * 4
        words = bytes(body[at : at + size]).decode().split("\n")
        for text, (first, last) in enumerate(pairwise([0, *ends])):
            digest = digests[text * _DIGEST_BYTES : (text + 1) * _DIGEST_BYTES]
            yield digest, "".join(words[number] for number in numbers[first:last] if number < len(words))


def digests_of(text: str) -> set[bytes]:
    """By these a pack may know a text: beside some others it is looked through in lower case."""
    return {_digest(text), _digest(text.lower())}


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES).digest()
