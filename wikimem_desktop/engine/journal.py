"""The journal: one JSON line a write, appended by hosts and by us."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .atomic import append_line, read_or_none


def now_iso() -> str:
    """This moment, ISO-8601 in UTC, whole seconds."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Journal:
    """`journal.jsonl`. Reading skips what is no JSON object and counts it."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self.broken_lines: list[int] = []
        """Numbers (from 1) of the lines that the last `entries()` could not read."""

    @property
    def broken(self) -> int:
        return len(self.broken_lines)

    def append(self, action: str, **fields: str | None) -> None:
        """Add one line; fields that are None are left out. Raises `WriteFailed`."""
        told = {key: value for key, value in fields.items() if value is not None}
        self.append_all([{"ts": now_iso(), "action": action} | told])

    def append_all(self, entries: Iterable[Mapping[str, str]]) -> None:
        """Add a line for each, in one write. Raises `WriteFailed`."""
        lines = [json.dumps(entry, ensure_ascii=False).encode("utf-8", "surrogatepass") for entry in entries]
        if lines:
            append_line(self.path, b"\n".join(lines))

    def lines(self) -> list[bytes]:
        """As they are on disk; a missing file has one empty line. Raises `UnreadableFile`."""
        return (read_or_none(self.path) or b"").split(b"\n")

    def entries(self) -> list[dict[str, Any]]:
        """All readable entries in file order; a missing file has none."""
        found: list[dict[str, Any]] = []
        self.broken_lines = []
        for number, line in enumerate(self.lines(), 1):
            if not line.strip():
                continue
            try:
                entry = json.loads(line)
            except (ValueError, RecursionError):
                entry = None
            if isinstance(entry, dict):
                found.append(entry)
            else:
                self.broken_lines.append(number)
        return found
