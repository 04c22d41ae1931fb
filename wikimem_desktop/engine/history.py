"""Every version of a store's files that was seen, kept outside the store: nothing that was there once is lost.

A folder holds the texts, compressed and named by their SHA-256, and `versions.jsonl`, one line a version, in the order
they were seen. Two programs may add to it at once. What is too old or too much goes, but never a file's newest version.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID, uuid4

from .atomic import append_line, replace_file
from .errors import WriteFailed

ID_FILE = ".wikimem-desktop/id"
"""Below a store's root: names the store wherever it is moved to."""
_VERSIONS = "versions.jsonl"
_TEXTS = "texts"
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


class History:
    """The versions of one store. A folder that is not there is an empty history; the first version makes it."""

    def __init__(self, folder: Path, *, most_bytes: int = MOST_BYTES, most_days: int = MOST_DAYS) -> None:
        self.folder = folder
        self.broken = 0
        """How many lines could not be read."""
        self._most_bytes = most_bytes
        self._most_days = most_days
        self._versions: dict[str, list[FileVersion]] | None = None

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
                for line in (self.folder / _VERSIONS).read_bytes().split(b"\n"):
                    self._read(line)
        return self._versions

    def _read(self, line: bytes) -> None:
        assert self._versions is not None
        if not line.strip():
            return
        try:
            entry = json.loads(line)
            moment = datetime.fromisoformat(entry["ts"])
            version = FileVersion(str(entry["file"]), entry["digest"], moment.astimezone(UTC), str(entry["by"]))
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
            self.broken += 1
            return
        self._versions.setdefault(version.file, []).append(version)

    # ------------------------------------------------------------ keeping

    def keep(self, file: str, data: bytes | None, author: str, moment: datetime | None = None) -> FileVersion:
        """Note how a file is; the same as its newest version is no new one. Raises `WriteFailed`."""
        digest = None if data is None else hashlib.sha256(data).hexdigest()
        newest = self.newest(file)
        if newest is not None and newest.digest == digest:
            return newest
        if data is not None:
            self.keep_text(data)
        version = FileVersion(file, digest, moment or datetime.now(UTC), author)
        append_line(self.folder / _VERSIONS, _line(version))
        self._known().setdefault(file, []).append(version)
        return version

    def keep_text(self, data: bytes) -> str:
        """Keep a text without a version of a file; its digest. Raises `WriteFailed`."""
        digest = hashlib.sha256(data).hexdigest()
        path = self._path(digest)
        if not path.exists():
            replace_file(path, zlib.compress(data, 6))
        return digest

    def _path(self, digest: str) -> Path:
        return self.folder / _TEXTS / digest[:2] / digest

    # ------------------------------------------------------------ bounds

    def trim(self, needed: Iterable[str] = (), now: datetime | None = None) -> None:
        """Forget versions that are too old, then the oldest while all texts are too big; never a file's newest.

        `needed` are digests of texts that stay in any case. Raises `WriteFailed`.
        """
        oldest = (now or datetime.now(UTC)) - timedelta(days=self._most_days)
        newest = {versions[-1] for versions in self._known().values()}
        sizes = {path.name: path.stat().st_size for path in self._texts()}
        uses = Counter(version.digest for version in self._all())
        uses.update(needed)
        gone = {digest for digest in sizes if not uses[digest]}
        total = sum(size for digest, size in sizes.items() if digest not in gone)
        dropped: set[FileVersion] = set()
        for version in sorted(self._all(), key=lambda version: version.moment):
            if version in newest or (version.moment >= oldest and total <= self._most_bytes):
                continue
            dropped.add(version)
            uses[version.digest] -= 1
            if version.digest and not uses[version.digest]:
                gone.add(version.digest)
                total -= sizes.get(version.digest, 0)
        if dropped:
            self._rewrite(lambda version: version not in dropped)
        self._delete(gone)

    def purge(self, wanted: Callable[[bytes], bool]) -> int:
        """Forget every text that is wanted gone, with all versions of files that were so; how many texts.

        Raises `WriteFailed`.
        """
        gone: set[str] = set()
        for path in self._texts():
            with contextlib.suppress(KeyError):
                if wanted(self.bytes_of(path.name)):
                    gone.add(path.name)
        if gone:
            self._rewrite(lambda version: version.digest not in gone)
            self._delete(gone)
        return len(gone)

    def _all(self) -> Iterator[FileVersion]:
        for versions in self._known().values():
            yield from versions

    def _texts(self) -> list[Path]:
        return [path for path in (self.folder / _TEXTS).glob("*/*") if not path.name.endswith(".tmp")]

    def _rewrite(self, stays: Callable[[FileVersion], bool]) -> None:
        """Before texts go: a version without its text would be shown and could not be restored."""
        self._versions = None  # others may have added to it
        kept = sorted((v for v in self._all() if stays(v)), key=lambda version: version.moment)
        replace_file(self.folder / _VERSIONS, b"".join(_line(version) + b"\n" for version in kept))
        self._versions = None

    def _delete(self, digests: Iterable[str]) -> None:
        for digest in digests:
            with contextlib.suppress(OSError):
                self._path(digest).unlink()


def _line(version: FileVersion) -> bytes:
    entry = {"ts": version.moment.isoformat(), "file": version.file, "digest": version.digest, "by": version.author}
    return json.dumps(entry).encode()


# ------------------------------------------------------------ which folder belongs to a store


def store_id(root: Path) -> str | None:
    """The id that a store carries, if it does."""
    try:
        return str(UUID((root / ID_FILE).read_text(encoding="ascii").strip()))
    except (OSError, ValueError):
        return None


def folder_of(histories: Path, root: Path) -> Path:
    """Where a store's history is: by the id it carries, else by its path."""
    known = store_id(root)
    path = hashlib.sha256(os.fsencode(root.resolve())).hexdigest()[:32]
    return histories / (known or f"path-{path}")


def claim(histories: Path, root: Path) -> Path:
    """Give the store an id if it has none, and take along what was kept by its path. Raises `WriteFailed`."""
    before = folder_of(histories, root)
    if store_id(root) is not None:
        return before
    replace_file(root / ID_FILE, f"{uuid4()}\n".encode("ascii"))
    after = folder_of(histories, root)
    try:
        if before.exists():
            before.rename(after)
    except OSError as error:
        raise WriteFailed(before, error.strerror or str(error)) from error
    return after
