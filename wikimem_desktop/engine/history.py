"""Every version of a store's files that was seen, kept outside the store: nothing that was there once is lost.

A folder holds the texts, compressed and named by their SHA-256, and `versions.jsonl`, one line a version, in the order
they were seen. Two programs may add to it at once. What is too old or too much goes, but never a file's newest version.
`folders.py` says which folder belongs to a store.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import time
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from .atomic import append_line, replace_file
from .locks import alone

_VERSIONS = "versions.jsonl"
_TEXTS = "texts"
_LOCK = "lock"
_DIGEST = re.compile(r"[0-9a-f]{64}")
_FRESH_S = 3600.0
"""A text that no version names is let alone so long: whoever keeps it is about to note what for."""
MOST_BYTES = 200_000_000
MOST_DAYS = 180


@dataclass(frozen=True, slots=True)
class FileVersion:
    """How a file was at a moment. `digest` None: it was not there; `author` is "app" (this program) or "outside"."""

    file: str
    """A category, or a day's `day_key`."""
    digest: str | None
    moment: datetime
    author: str
    size: int | None = None
    """Bytes; None where it was not noted."""


class History:
    """The versions of one store. A folder that is not there is an empty history; the first version makes it."""

    def __init__(self, folder: Path, *, most_bytes: int = MOST_BYTES, most_days: int = MOST_DAYS) -> None:
        self.folder = folder
        self.broken = 0
        """How many lines could not be read."""
        self.added = 0
        """Bytes that were added since the bounds were kept to."""
        self._most_bytes = most_bytes
        self._most_days = most_days
        self._versions: dict[str, list[FileVersion]] | None = None

    @property
    def log(self) -> Path:
        """The file that says which versions there are."""
        return self.folder / _VERSIONS

    # ------------------------------------------------------------ reading

    def files(self) -> list[str]:
        """Every file that was seen once."""
        return list(self._known())

    def versions(self, file: str) -> list[FileVersion]:
        """The newest first."""
        return self._known().get(file, [])[::-1]

    def newest(self, file: str) -> FileVersion | None:
        known = self._known().get(file)
        return known[-1] if known else None

    def bytes_of(self, digest: str) -> bytes:
        """Raises `KeyError` for a text that is not kept, or was damaged."""
        try:
            data = zlib.decompress(self._path(digest).read_bytes())
        except (OSError, zlib.error) as error:
            raise KeyError(digest) from error
        if hashlib.sha256(data).hexdigest() != digest:
            raise KeyError(digest)
        return data

    def _known(self) -> dict[str, list[FileVersion]]:
        if self._versions is None:
            self._versions, self.broken = {}, 0
            with contextlib.suppress(OSError):
                for line in self.log.read_bytes().split(b"\n"):
                    self._read(line)
        return self._versions

    def _read(self, line: bytes) -> None:
        assert self._versions is not None
        if not line.strip():
            return
        try:
            entry = json.loads(line)
            moment = datetime.fromisoformat(entry["ts"])
            digest, size = _digest(entry["digest"]), entry.get("size")
            size = size if isinstance(size, int) else None
            version = FileVersion(str(entry["file"]), digest, moment.astimezone(UTC), str(entry["by"]), size)
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError, OverflowError):
            self.broken += 1
            return
        self._versions.setdefault(version.file, []).append(version)

    # ------------------------------------------------------------ keeping

    def keep(self, file: str, data: bytes | None, author: str, moment: datetime | None = None) -> FileVersion:
        """Note how a file is; the same as its newest version is no new one. Raises `WriteFailed`."""
        digest = None if data is None else hashlib.sha256(data).hexdigest()
        newest = self.newest(file)
        if newest is not None and newest.digest == digest and self.holds(newest):
            return newest
        version = FileVersion(file, digest, moment or datetime.now(UTC), author, None if data is None else len(data))
        with alone(self.folder / _LOCK):
            if data is not None:
                self.keep_text(data)
            if newest is not None and newest.digest == digest:
                return newest
            append_line(self.log, _line(version))
        self._known().setdefault(file, []).append(version)
        return version

    def holds(self, version: FileVersion) -> bool:
        """Whether the text of a version is there."""
        return version.digest is None or self.has_text(version.digest)

    def has_text(self, digest: str) -> bool:
        return self._path(digest).exists()

    def texts(self) -> Iterator[tuple[str, bytes]]:
        """Every text that is kept and whole, with its digest."""
        for path in self._texts():
            with contextlib.suppress(KeyError):
                yield path.name, self.bytes_of(path.name)

    def keep_text(self, data: bytes) -> str:
        """Keep a text without a version of a file; its digest. Raises `WriteFailed`."""
        digest = hashlib.sha256(data).hexdigest()
        with contextlib.suppress(KeyError):
            self.bytes_of(digest)
            with contextlib.suppress(OSError):
                os.utime(self._path(digest))
            return digest
        packed = zlib.compress(data, 6)
        replace_file(self._path(digest), packed)
        self.added += len(packed)
        return digest

    def _path(self, digest: str) -> Path:
        return self.folder / _TEXTS / digest[:2] / digest

    # ------------------------------------------------------------ bounds

    def full(self) -> bool:
        """Whether so much was added that the bounds want to be kept to."""
        return self.added * 10 > self._most_bytes

    def trim(self, needed: Iterable[str] = (), now: datetime | None = None) -> None:
        """Forget versions that are too old, then the oldest while all texts are too big; never a file's newest.

        `needed` are digests of texts that stay in any case. Raises `WriteFailed`.
        """
        if not self.folder.exists():
            return
        with alone(self.folder / _LOCK):
            self._versions, self.added = None, 0  # others may have added to it
            uses = Counter(version.digest for version in self._all())
            uses.update(needed)
            sizes = self._sizes()
            strays = {digest for digest in sizes if not uses[digest]}
            total = sum(size for digest, size in sizes.items() if digest not in strays)
            dropped, gone = self._too_many(uses, sizes, total, now or datetime.now(UTC))
            if dropped:
                self._rewrite(lambda version: version not in dropped)
            self._delete(gone | {digest for digest in strays if self._is_forgotten(digest)})

    def _too_many(
        self, uses: Counter[str | None], sizes: dict[str, int], total: int, now: datetime
    ) -> tuple[set[FileVersion], set[str]]:
        """The versions that the bounds have no room for, and the texts that go with them."""
        oldest = now - timedelta(days=self._most_days)
        newest = {versions[-1] for versions in self._known().values()}
        dropped: set[FileVersion] = set()
        gone: set[str] = set()
        for version in sorted(self._all(), key=lambda version: version.moment):
            if version in newest or (version.moment >= oldest and total <= self._most_bytes):
                continue
            dropped.add(version)
            uses[version.digest] -= 1
            if version.digest and not uses[version.digest]:
                gone.add(version.digest)
                total -= sizes.get(version.digest, 0)
        return dropped, gone

    def purge(self, wanted: Callable[[bytes], bool]) -> int:
        """Forget every text that is wanted gone, with all versions of files that were so; how many texts.

        Raises `WriteFailed`.
        """
        if not self.folder.exists():
            return 0
        with alone(self.folder / _LOCK):
            gone = {digest for digest, data in self.texts() if wanted(data)}
            if gone:
                self._versions = None  # others may have added to it
                self._rewrite(lambda version: version.digest not in gone)
                self._delete(gone)
        return len(gone)

    def forget_files(self, files: Collection[str]) -> None:
        """Forget all versions of files; texts that no other version names go when they are trimmed.

        Raises `WriteFailed`.
        """
        if files:
            with alone(self.folder / _LOCK):
                self._versions = None  # others may have added to it
                self._rewrite(lambda version: version.file not in files)

    def _all(self) -> Iterator[FileVersion]:
        for versions in self._known().values():
            yield from versions

    def _texts(self) -> list[Path]:
        return [path for path in (self.folder / _TEXTS).glob("*/*") if not path.name.endswith(".tmp")]

    def _sizes(self) -> dict[str, int]:
        sizes = {}
        for path in self._texts():
            with contextlib.suppress(OSError):
                sizes[path.name] = path.stat().st_size
        return sizes

    def _is_forgotten(self, digest: str) -> bool:
        with contextlib.suppress(OSError):
            return time.time() - self._path(digest).stat().st_mtime > _FRESH_S
        return False

    def _rewrite(self, stays: Callable[[FileVersion], bool]) -> None:
        """Before texts go: a version without its text would be shown and could not be restored."""
        lines = [_line(version) + b"\n" for version in self._all() if stays(version)]
        replace_file(self.log, b"".join(lines))
        self._versions = None

    def _delete(self, digests: Iterable[str]) -> None:
        for digest in digests:
            with contextlib.suppress(OSError):
                self._path(digest).unlink()


def _line(version: FileVersion) -> bytes:
    entry = {"ts": version.moment.isoformat(), "file": version.file, "digest": version.digest, "by": version.author}
    return json.dumps(entry | ({} if version.size is None else {"size": version.size})).encode()


def _digest(value: object) -> str | None:
    """Raises `ValueError` for what names no text: it would be taken for a path."""
    if value is None or (isinstance(value, str) and _DIGEST.fullmatch(value)):
        return value
    raise ValueError(value)
