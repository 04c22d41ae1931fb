"""What others changed in a store since a person last looked, item by item.

A person has seen a file when it was opened for the first time, when they kept what was listed, and when they wrote it.
What they saw is kept as texts of the history; `seen.json` beside it says which.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from .atomic import read_or_none, replace_file
from .authors import Address, Author, authors_of
from .changes import Change, differences
from .diary import day_of
from .document import Document
from .edits import Edits
from .errors import Conflict, NotUtf8, UnreadableFile, WriteFailed
from .history import History
from .items import MemoryItem
from .merge import Part, PartKey, merge, parts_of
from .sections import gap_behind, line_end

if TYPE_CHECKING:
    from .recorder import Recorder
    from .store import MemoryStore

_FILE = "seen.json"


@dataclass(frozen=True, slots=True)
class ItemChange:
    """One item, entry of a day, or (without a name) the prose above the first one, that others changed.

    `before` and `after` are what a host reads of it, None where it is not there; `raw_before` and `raw_after` its bytes
    as text. `keys` tell which parts of the file it is, two of them when it was renamed.
    """

    file: str
    name: str
    kind: str
    """"added", "changed", "removed" or "renamed"."""
    keys: tuple[PartKey, ...]
    before: MemoryItem | None
    after: MemoryItem | None
    raw_before: str
    raw_after: str

    @property
    def item(self) -> MemoryItem | None:
        return self.after or self.before


# ------------------------------------------------------------ comparing


def changes_between(file: str, seen: bytes | None, now: bytes | None) -> list[ItemChange]:
    """What leads from one state of a file to another. A file that is not UTF-8 is one change as a whole."""
    try:
        old, new = Document.from_bytes(seen or b""), Document.from_bytes(now or b"")
    except NotUtf8:
        before, after = ((data or b"").decode("utf-8", "replace") for data in (seen, now))
        kind = "added" if seen is None else "removed" if now is None else "changed"
        return [ItemChange(file, "", kind, (), None, None, before, after)]
    base, parts = parts_of(old, old), parts_of(new, old)
    found = [
        _change(file, key, base.get(key), parts.get(key)) for key in [*parts, *(k for k in base if k not in parts)]
    ]
    return _with_renames([change for change in found if change is not None])


def _change(file: str, key: PartKey, before: Part | None, after: Part | None) -> ItemChange | None:
    texts = [part.text if part else "" for part in (before, after)]
    if texts[0].rstrip() == texts[1].rstrip():
        return None
    if key is None and all(_only_title(text) for text in texts):
        return None
    items = [part.section.item(file) if part and part.section else None for part in (before, after)]
    kind = "changed" if key is None or (before and after) else "added" if after else "removed"
    return ItemChange(file, key[0] if key else "", kind, (key,), *items, *texts)  # type: ignore[arg-type]


def _only_title(text: str) -> bool:
    """The title of a file that comes or goes is not worth a row."""
    return Document(text).only_title_left()


def _with_renames(changes: list[ItemChange]) -> list[ItemChange]:
    """An item that is gone and one that is new with the same text are one that was renamed."""
    gone = {_body(c.before): c for c in changes if c.kind == "removed" and c.before and c.before.content}
    result: list[ItemChange] = []
    matched: set[PartKey] = set()
    for change in changes:
        twin = gone.get(_body(change.after)) if change.kind == "added" else None
        if twin is None or twin.keys[0] in matched:
            result.append(change)
            continue
        matched.add(twin.keys[0])
        keys = (twin.keys[0], change.keys[0])
        renamed = ItemChange(
            change.file, change.name, "renamed", keys, twin.before, change.after, twin.raw_before, change.raw_after
        )
        result.append(renamed)
    return [change for change in result if change.kind != "removed" or change.keys[0] not in matched]


def _body(item: MemoryItem | None) -> str:
    return item.content if item else ""


def with_parts(document: Document, source: Document, keys: Iterable[PartKey], base: Document) -> Document:
    """The document with some parts as another one has them: replaced, put in behind what they follow there, or gone.

    `base` gives the keys. When nothing else differs, it is the other document itself.
    """
    mine, theirs = parts_of(document, base), parts_of(source, base)
    texts: dict[PartKey, str] = {key: part.text for key, part in mine.items()}
    for key in keys:
        if key in theirs and key in texts:
            texts[key] = theirs[key].text
        elif key in theirs:
            texts = _put_in(texts, key, theirs)
        else:
            texts.pop(key, None)
    if {k: t.rstrip() for k, t in texts.items()} == {k: p.text.rstrip() for k, p in theirs.items()}:
        return source
    pieces: list[str] = []
    for text in texts.values():
        before = pieces[-1] if pieces else ""
        if before and text and not (line_end(before.splitlines(keepends=True)[-1]) and _stood_there(before, mine)):
            pieces.append(gap_behind(before, document.newline))
        pieces.append(text)
    return Document("".join(pieces))


def _stood_there(text: str, parts: dict[PartKey, Part]) -> bool:
    return any(part.text == text for part in parts.values())


def _put_in(texts: dict[PartKey, str], key: PartKey, theirs: dict[PartKey, Part]) -> dict[PartKey, str]:
    order = list(theirs)
    above = [other for other in order[: order.index(key)] if other in texts]
    anchor = above[-1] if above else None
    result: dict[PartKey, str] = {}
    if anchor not in texts:
        result[key] = theirs[key].text
    for other, text in texts.items():
        result[other] = text
        if other == anchor:
            result[key] = theirs[key].text
    return result


# ------------------------------------------------------------ what was seen


class Reviewer:
    """Follows the history of a store; all calls come from the thread that writes."""

    def __init__(self, recorder: Recorder, on_error: Callable[[WriteFailed], object] = lambda error: None) -> None:
        self._recorder = recorder
        self._on_error = on_error
        self._seen: dict[str, str | None] | None = None
        self._compared: dict[str, tuple[str | None, str | None, list[ItemChange]]] = {}
        recorder.on_own_write = self.advance

    @property
    def _history(self) -> History:
        return self._recorder.history

    def refresh(self) -> list[ItemChange]:
        """All changes that the person has not seen, by file. A store without a note of what was seen is all seen."""
        seen = self._load()
        found: list[ItemChange] = []
        for file in sorted({*seen, *self._history.files()}, key=lambda file: (day_of(file) is not None, file)):
            newest = self._history.newest(file)
            now = newest.digest if newest else None
            known = self._compared.get(file)
            if known is None or known[:2] != (seen.get(file), now):
                known = seen.get(file), now, self._compare(file, seen.get(file), now)
                self._compared[file] = known
            found += known[2]
        return found

    def _compare(self, file: str, seen: str | None, now: str | None) -> list[ItemChange]:
        if seen == now:
            return []
        try:
            return changes_between(file, self._bytes(seen), self._bytes(now))
        except KeyError:  # what was seen is not kept any more: from now on it is this
            self._load()[file] = now
            return []

    def authors(self, changes: Sequence[ItemChange]) -> dict[Address, Author]:
        """Who made the changes, by category and item, as far as the journal of the store tells."""
        ours: dict[str, datetime] = {}
        for file in {change.file for change in changes}:
            moments = [version.moment for version in self._history.versions(file) if version.author == "app"]
            if moments:
                ours[file] = max(moments)
        wanted = {(change.file, change.name) for change in changes}
        return authors_of(self._recorder.store.journal.path, wanted, ours) if wanted else {}

    def keep(self, changes: Sequence[ItemChange]) -> None:
        """The person has seen these."""
        seen = self._load()
        for file in {change.file for change in changes}:
            newest = self._history.newest(file)
            now = newest.digest if newest else None
            keys = [key for change in changes if change.file == file for key in change.keys]
            try:
                old, new = self._document(seen.get(file)), self._document(now)
            except (KeyError, NotUtf8):
                seen[file] = now
                continue
            kept = with_parts(old, new, keys, old) if keys else new
            nothing_left = now is None and kept.only_title_left()
            seen[file] = now if kept.text == new.text or nothing_left else self._keep_text(kept.to_bytes())
        self._save()

    def advance(self, file: str, old: bytes | None, new: bytes | None) -> None:
        """The person wrote a file: what it said and says there is seen, what others wrote elsewhere in it is not."""
        if self._seen is None and not (self._history.folder / _FILE).exists():
            return  # nothing was looked at yet: all will count as seen
        seen = self._load()
        known = seen.get(file)
        try:
            known_bytes = self._bytes(known)
            if known_bytes == old:
                seen[file] = None if new is None else self._keep_text(new)
            else:
                merged = _advanced(known_bytes, old, new)
                seen[file] = None if merged is None else self._keep_text(merged)
        except (KeyError, NotUtf8):
            seen[file] = None if new is None else self._keep_text(new)
        self._save()

    def seen(self, file: str) -> bytes | None:
        """How the person saw a file last. Raises `Conflict` when that is not known any more."""
        try:
            return self._bytes(self._load().get(file))
        except KeyError as error:
            raise Conflict(None, None, "", category=file) from error

    def needed(self) -> list[str]:
        """The texts that must be kept."""
        return [digest for digest in self._load().values() if digest]

    def forget(self) -> None:
        """Texts were purged: what is there now counts as seen where what was seen is gone."""
        seen = self._load()
        for file, digest in list(seen.items()):
            try:
                self._bytes(digest)
            except KeyError:
                newest = self._history.newest(file)
                seen[file] = newest.digest if newest else None
        self._compared.clear()
        self._save()

    def _load(self) -> dict[str, str | None]:
        if self._seen is None:
            try:
                fields = json.loads(read_or_none(self._history.folder / _FILE) or b"null")
            except (ValueError, RecursionError, UnreadableFile):
                fields = None
            if isinstance(fields, dict) and all(v is None or isinstance(v, str) for v in fields.values()):
                self._seen = fields
            else:
                newest = {file: self._history.newest(file) for file in self._history.files()}
                self._seen = {file: version.digest for file, version in newest.items() if version}
                self._save()
        return self._seen

    def _save(self) -> None:
        try:
            replace_file(self._history.folder / _FILE, json.dumps(self._seen).encode())
        except WriteFailed as error:
            self._on_error(error)

    def _keep_text(self, data: bytes) -> str | None:
        try:
            return self._history.keep_text(data)
        except WriteFailed as error:
            self._on_error(error)
            return None

    def _bytes(self, digest: str | None) -> bytes | None:
        return None if digest is None else self._history.bytes_of(digest)

    def _document(self, digest: str | None) -> Document:
        return Document.from_bytes(self._bytes(digest) or b"")


def _advanced(seen: bytes | None, old: bytes | None, new: bytes | None) -> bytes | None:
    """What was seen, with what leads from `old` to `new`."""
    before, mine, known = (Document.from_bytes(data or b"") for data in (old, new, seen))
    with contextlib.suppress(Conflict):
        merged = merge(before, known, mine)
        return None if new is None and merged.only_title_left() else merged.to_bytes()
    written = [change.keys for change in changes_between("", old, new)]
    result = with_parts(known, mine, [key for keys in written for key in keys], before)
    return result.to_bytes()


def revert(store: MemoryStore, changes: Sequence[ItemChange], seen: Callable[[str], bytes | None]) -> Change:
    """Make these parts again what the person saw; `seen` gives the text of a file as they saw it.

    Raises `Conflict` when one of them is not what was listed any more, and `UnreadableFile`.
    """
    edits = Edits(store)
    for file in dict.fromkeys(change.file for change in changes):
        mine = [change for change in changes if change.file == file]
        data = seen(file)
        if any(not change.keys for change in mine):
            # No text, or none before: all of it, if it is still what was listed.
            if changes_between(file, data, edits.bytes_of(file)) != mine:
                raise Conflict(None, None, "", category=file)
            edits.put_bytes(file, data)
            continue
        document, old = edits.document(file), Document.from_bytes(data or b"")
        present = parts_of(document, old)
        for change in mine:
            text = present[change.keys[-1]].text if change.keys[-1] in present else ""
            if text.rstrip() != change.raw_after.rstrip():
                raise Conflict(change.after, None, "", category=file)
        new = with_parts(document, old, [key for change in mine for key in change.keys], old)
        if day_of(file) is None:
            edits.record(differences(document.items(file), new.items(file)))
        if data is None:
            edits.put_rest(file, new)
        else:
            edits.put(file, new)
    return edits.change()
