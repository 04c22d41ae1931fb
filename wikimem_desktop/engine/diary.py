"""The diary: one file a day, one `## HH:MM` section an event. A minute is not a key; the API only appends."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from pathlib import Path

from .atomic import read_or_none, replace_file
from .document import Document, render_metadata
from .errors import InvalidDiaryEntry, NotUtf8, ReadOnlyStore, WriteFailed
from .items import MemoryItem
from .journal import Journal
from .time_range import TimeRange

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")
_DAY_KEY = "diary/"
_WRITE_ATTEMPTS = 20


@dataclass(frozen=True, slots=True)
class DiaryEntry:
    """One event of a day."""

    date: str
    time: str
    content: str
    owner: str | None = None
    source_conv: str | None = None
    ts: str | None = None

    def item(self) -> MemoryItem:
        """The entry as it takes part in a ranking: the day is its category, the time its name."""
        return MemoryItem(self.date, self.time, self.content, self.owner, self.source_conv, self.ts)


def is_day(text: str) -> bool:
    """Whether the text is a real calendar day `YYYY-MM-DD`."""
    if not _DAY.fullmatch(text):
        return False
    try:
        return bool(dt.date.fromisoformat(text))
    except ValueError:
        return False


def day_key(day: str) -> str:
    """What a change of files calls a day; no category can be called so."""
    return f"{_DAY_KEY}{day}"


def day_of(key: str) -> str | None:
    """The day that a key of a change of files names; None when it names a category."""
    day = key.removeprefix(_DAY_KEY)
    return day if day != key and is_day(day) else None


class Diary:
    """Day files in one folder. Reading leaves out what is not UTF-8."""

    def __init__(self, folder: Path, journal: Journal, *, read_only: bool = False) -> None:
        self.folder = folder
        self.journal = journal
        self._read_only = read_only

    def path(self, day: str) -> Path:
        return self.folder / f"{day}.md"

    def dates(self) -> list[str]:
        """Every day that has a file, ascending."""
        try:
            names = [path.name for path in self.folder.iterdir() if path.suffix == ".md" and path.is_file()]
        except OSError:
            return []
        return sorted(name[:-3] for name in names if _DAY.fullmatch(name[:-3]))

    def day(self, date: str) -> list[DiaryEntry]:
        """The day's entries in file order. Raises `InvalidDiaryEntry` for what is no day, `NotUtf8`."""
        if not is_day(date):
            raise InvalidDiaryEntry(f"{date!r} is no day: write YYYY-MM-DD")
        path = self.path(date)
        document = Document.from_bytes(read_or_none(path) or b"", path)
        return [
            DiaryEntry(date, section.name, section.content, section.owner, section.source_conv, section.ts)
            for section in document.sections
        ]

    def window(self, start: str, end: str) -> list[DiaryEntry]:
        """Entries of all days from `start` to `end`, both included (in either order), day by day in file order."""
        first, last = min(start, end), max(start, end)
        found: list[DiaryEntry] = []
        for day in self.dates():
            if first <= day <= last and is_day(day):
                try:
                    found += self.day(day)
                except (NotUtf8, OSError):
                    continue
        return found

    def items(self, window: TimeRange) -> list[MemoryItem]:
        return [entry.item() for entry in self.window(*window)]

    def append(
        self,
        content: str,
        *,
        ts: str | None = None,
        date: str | None = None,
        time: str | None = None,
        owner: str | None = None,
        source_conv: str | None = None,
        tz: dt.tzinfo | None = None,
    ) -> DiaryEntry:
        """Add an event at its place by time, behind those of the same minute; returns it.

        The arguments are those of `new_entry`. Raises what that raises, and `ContentNotStorable`, `ReadOnlyStore`,
        `NotUtf8`, `WriteFailed`.
        """
        if self._read_only:
            raise ReadOnlyStore(self.folder.parent)
        entry = new_entry(content, ts=ts, date=date, time=time, owner=owner, source_conv=source_conv, tz=tz)
        self._write(entry)
        self.journal.append("diary", date=entry.date, time=entry.time, owner=owner, source_conv=source_conv)
        return entry

    def _write(self, entry: DiaryEntry) -> None:
        path = self.path(entry.date)
        for _ in range(_WRITE_ATTEMPTS):
            old = read_or_none(path)
            new = with_entry(old, entry, path)
            if replace_file(path, new, lambda old=old: read_or_none(path) == old):  # type: ignore[misc]
                return
        raise WriteFailed(path, "another program keeps changing it")


def new_entry(
    content: str,
    *,
    ts: str | None = None,
    date: str | None = None,
    time: str | None = None,
    owner: str | None = None,
    source_conv: str | None = None,
    tz: dt.tzinfo | None = None,
) -> DiaryEntry:
    """An event that can be written down.

    `ts` (ISO-8601, default now) in the zone `tz` (default this machine's) gives `date` and `time` where they are not
    given. Raises `InvalidDiaryEntry`.
    """
    if not content.strip():
        raise InvalidDiaryEntry("a diary entry needs text")
    moment = _moment(ts)
    ts = ts if ts is not None else moment.isoformat(timespec="seconds")
    local = moment.astimezone(tz)
    date = date if date is not None else local.strftime("%Y-%m-%d")
    time = time if time is not None else local.strftime("%H:%M")
    if not is_day(date):
        raise InvalidDiaryEntry(f"{date!r} is no day: write YYYY-MM-DD")
    if not _TIME.fullmatch(time):
        raise InvalidDiaryEntry(f"{time!r} is no time: write HH:MM")
    return DiaryEntry(date, time, content.strip(), owner, source_conv, ts)


def with_entry(day: bytes | None, entry: DiaryEntry, path: Path) -> bytes:
    """A day file (None: there is none yet) with an event more, at its place by time, behind those of the same minute.

    Raises `ContentNotStorable` and `NotUtf8`, naming `path`.
    """
    document = Document.from_bytes(day, path) if day is not None else Document(f"# {entry.date}\n")
    later = [i for i, section in enumerate(document.sections) if section.name > entry.time]
    comment = render_metadata(entry.owner, entry.source_conv, entry.ts)
    return document.with_entry(entry.time, entry.content, comment, before=later[0] if later else None).to_bytes()


def _moment(ts: str | None) -> dt.datetime:
    """The instant of an ISO-8601 text (no zone: UTC); now when it is missing or none."""
    try:
        moment = dt.datetime.fromisoformat(ts) if ts else dt.datetime.now(dt.UTC)
    except ValueError:
        return dt.datetime.now(dt.UTC)
    return moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)
