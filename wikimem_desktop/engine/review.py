"""What others changed in a store since a person last looked, item by item.

A person has seen a file when it was opened for the first time, when they kept what was listed, and when they wrote it.
What they saw is kept as texts of the history; `seen.json` beside it says which.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
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
from .item_changes import ItemChange, changes_between, with_parts
from .merge import parts_of
from .seeing import Seeing

if TYPE_CHECKING:
    from .recorder import Recorder
    from .store import MemoryStore

_FILE = "seen.json"


class Reviewer:
    """Follows the history of a store; all calls come from the thread that writes."""

    def __init__(self, recorder: Recorder, on_error: Callable[[WriteFailed], object] = lambda error: None) -> None:
        self._recorder = recorder
        self._on_error = on_error
        self._seen: dict[str, str | None] | None = None
        self._compared: dict[str, tuple[str | None, str | None, list[ItemChange]]] = {}
        self._seeing = Seeing()
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
        unseen = [change for other, (*_, found) in self._compared.items() if other != file for change in found]
        try:
            now = self._seeing.advanced(file, self._bytes(seen.get(file)), old, new, unseen)
        except KeyError:
            now = new
        seen[file] = None if now is None else self._keep_text(now)
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
            if self._history.newest(file) is None and not self._recorder.store.path(file).exists():
                del seen[file]  # its name may be what was to be forgotten
        self._compared.clear()
        self._seeing = Seeing()
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
