"""Where a text of a store may live that only this program sees: its histories, its drafts, the words of its index."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from .any_case import forms_of
from .atomic import read_or_none, remove_file, replace_file
from .diary import day_of
from .edits import Edits
from .errors import UnreadableFile
from .forget import Sought, Trace
from .former_addresses import Address, says_one_of, versions_of
from .history import History
from .recorder import Recorder
from .review import Reviewer
from .store import MemoryStore
from .tokens import CJK_RUN

_DIGEST = re.compile(rb'"([0-9a-f]{64})"')


class KeptVersions:
    """The local history of a store: every version that holds it goes."""

    name = "history"

    def __init__(self, recorder: Recorder, reviewer: Reviewer) -> None:
        self._recorder = recorder
        self._reviewer = reviewer

    @property
    def _history(self) -> History:
        return self._recorder.history

    def find(self, sought: Sought) -> list[Trace]:
        wanted, files = self._wanted(sought), self._files()
        counts = Counter(min(files.get(digest, [""])) for digest, data in self._history.texts() if wanted(data))
        counts.update(self._gone_files(sought))
        return [Trace(day_of(file) or file, count) for file, count in sorted(counts.items())]

    def purge(self, sought: Sought) -> None:
        self._history.purge(self._wanted(sought))
        self._history.forget_files(self._gone_files(sought))
        for stray in self._history.folder.rglob("*.tmp"):
            remove_file(stray)
        self._reviewer.forget()

    def _wanted(self, sought: Sought) -> Callable[[bytes], bool]:
        """Texts that no version names, of steps and of what was seen, may be of any file."""
        others = {address: self._of_others(address, sought) for address in sought.all_addresses}

        def wanted(data: bytes) -> bool:
            if sought.in_bytes(data):
                return True
            digest = hashlib.sha256(data).hexdigest() if others else ""
            return any(digest not in spared and says_one_of(data, (name,)) for (_, name), spared in others.items())

        return wanted

    def _of_others(self, address: Address, sought: Sought) -> set[str]:
        """The digests of texts that show nothing of the item at an address where it is or was."""
        history, category = self._history, address[0]
        of_others = {digest for digest, files in self._files().items() if category not in files}
        stays = [stay for stay in sought.stays if stay.address == address]
        if not stays:
            return of_others
        if address not in sought.versions:
            sought.versions[address] = versions_of(history, stays)
        later = [version for version in history.versions(category) if version not in sought.versions[address]]
        return of_others | {version.digest for version in later if version.digest}

    def _gone_files(self, sought: Sought) -> list[str]:
        """Those called so that are no more; of others the next look at the store would note the name again."""
        called = [file for file in self._history.files() if sought.in_text(file)]
        return [file for file in called if not os.path.lexists(self._recorder.store.path(file))]

    def _files(self) -> dict[str, set[str]]:
        """The files that said a text once, by its digest."""
        files: dict[str, set[str]] = {}
        for file in self._history.files():
            for version in self._history.versions(file):
                if version.digest:
                    files.setdefault(version.digest, set()).add(file)
        return files


class _StepLog:
    """The steps of one history: the last step that can't be undone any more goes with all that were before it."""

    def __init__(self, history: History, file: str) -> None:
        self._history = history
        self._path = history.folder / file

    def count(self, sought: Sought) -> int:
        return sum(_tells_of(line, sought) for line in self._lines())

    def purge(self, sought: Sought) -> None:
        lines = self._lines()
        lost = [at for at, line in enumerate(lines) if _tells_of(line, sought) or not self._has_all_texts(line)]
        if lost:
            left = b"\n".join(lines[lost[-1] + 1 :])
            replace_file(self._path, left, lambda: self._lines() == lines)  # a window may add to it

    def _lines(self) -> list[bytes]:
        with contextlib.suppress(UnreadableFile):
            return (read_or_none(self._path) or b"").split(b"\n")
        return []

    def _has_all_texts(self, line: bytes) -> bool:
        return all(self._history.has_text(digest.decode()) for digest in _DIGEST.findall(line))


class KeptSteps:
    """The log of what can be undone in the store."""

    name = "steps"

    def __init__(self, recorder: Recorder, file: str) -> None:
        self._recorder = recorder
        self._file = file

    def find(self, sought: Sought) -> list[Trace]:
        count = _StepLog(self._recorder.history, self._file).count(sought)
        return [Trace("", count)] if count else []

    def purge(self, sought: Sought) -> None:
        _StepLog(self._recorder.history, self._file).purge(sought)


def _tells_of(line: bytes, sought: Sought) -> bool:
    try:
        return sought.in_json(json.loads(line))
    except (ValueError, RecursionError):
        return sought.in_bytes(line)


class OtherHistories:
    """The histories of other stores, and those that no store knows any more: texts, steps, names of files.

    A file that is called so is named and stays: its store, which we do not know, may have it still.
    """

    name = "other histories"

    def __init__(self, histories: Path, recorder: Recorder, steps_file: str) -> None:
        self._histories = histories
        self._recorder = recorder
        self._steps_file = steps_file

    def find(self, sought: Sought) -> list[Trace]:
        sought = sought.text_only
        traces = []
        for history in self._others():
            count = sum(sought.in_bytes(data) for _, data in history.texts())
            count += _StepLog(history, self._steps_file).count(sought)
            if count:
                traces.append(Trace(history.folder.name, count))
            if any(map(sought.in_text, history.files())):
                traces.append(Trace(history.folder.name, obstacle="name"))
        return traces

    def purge(self, sought: Sought) -> None:
        sought = sought.text_only
        for history in self._others():
            history.purge(sought.in_bytes)
            _StepLog(history, self._steps_file).purge(sought)

    def _others(self) -> Iterator[History]:
        own = self._recorder.history.folder
        folders = sorted(self._histories.iterdir()) if self._histories.is_dir() else []
        return (History(folder) for folder in folders if folder.is_dir() and folder != own)


class JsonFiles:
    """Files that are one JSON value each and go as a whole: drafts. The item is meant in the `own` folder only."""

    def __init__(self, name: str, folder: Path, own: Path) -> None:
        self.name = name
        self._folder = folder
        self._own = own

    def find(self, sought: Sought) -> list[Trace]:
        counts = Counter(str(path.parent.relative_to(self._folder)) for path in self._files(sought))
        return [Trace(where, count) for where, count in counts.items()]

    def purge(self, sought: Sought) -> None:
        for path in self._files(sought):
            remove_file(path)

    def _files(self, sought: Sought) -> Iterator[Path]:
        for path in sorted(self._folder.rglob("*.json")):
            with contextlib.suppress(UnreadableFile):
                data = read_or_none(path) or b""
                if _tells_of(data, sought if path.is_relative_to(self._own) else sought.text_only):
                    yield path


class WordPacks:
    """What jieba found in texts: all CJK characters of a text follow from it. Packs are made again when needed.

    Of a text with other characters too, those few may stand in any text: one that the store has and that does not say
    what is sought has them of itself, and its pack is no trace. What no item says any more counts.
    """

    name = "words"

    def __init__(self, folder: Path, store: MemoryStore) -> None:
        self._folder = folder
        self._store = store

    def find(self, sought: Sought) -> list[Trace]:
        count = len(self._packs(sought))
        return [Trace(self._folder.name, count)] if count else []

    def purge(self, sought: Sought) -> None:
        for path in self._packs(sought):
            remove_file(path)

    def _packs(self, sought: Sought) -> list[Path]:
        from .token_cache import cjk_texts  # numpy comes with it, which a window starts without

        wanted = {"".join(CJK_RUN.findall(form)) for form in forms_of(sought.text)} - {""}
        holders: dict[bytes, list[Path]] = {}
        for path in sorted(self._folder.glob("*/*")) if wanted else ():
            with contextlib.suppress(OSError):
                for digest, characters in cjk_texts(path.read_bytes()):
                    if any(form in characters for form in wanted):
                        holders.setdefault(digest, []).append(path)
        harmless = self._harmless(sought) if holders else set()
        return sorted({path for digest, paths in holders.items() if digest not in harmless for path in paths})

    def _harmless(self, sought: Sought) -> set[bytes]:
        """The digests of the store's texts that do not say it."""
        from .token_cache import digests_of

        items = (item for key, document in Edits(self._store).readable() for item in document.items(key))
        others = (item.index_text for item in items if not sought.in_text(item.index_text))
        return {digest for text in others for digest in digests_of(text)}
