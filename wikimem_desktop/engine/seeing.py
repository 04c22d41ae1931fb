"""What a person has seen of a file that they wrote to: their own words, but not what others had put beside them.

A part of a file that others changed unseen stays unseen when a step of the person only carries it along: its links
follow a rename, it gets another name or another file, or it comes back by undo. What the person wrote in it is seen.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import TypeVar

from .document import Document
from .errors import Conflict, NotUtf8
from .item_changes import ItemChange, changes_between, with_parts
from .links import find_wiki_links
from .merge import Part, PartKey, merge, parts_of

_MOST_TURNS = 500

_K = TypeVar("_K")
_V = TypeVar("_V")
_Parts = Mapping[PartKey, Part]
_Turn = tuple[str, str, str | None, str | None]
"""A file, the name of a part of it, and the texts that a write led from and to; None: it was not there."""


class Seeing:
    """Remembers what its writes did to what was seen: who turns one round has seen what they had seen before it."""

    def __init__(self) -> None:
        self._turns: dict[_Turn, tuple[str | None, str | None]] = {}
        """What was seen of the part before that write, and after it."""
        self._whole: dict[tuple[str, bytes | None, bytes | None], tuple[bytes | None, bytes | None]] = {}
        """The same of files that are no text."""
        self._files: set[str] = set()
        """Those of which what was seen and what was written were not the same."""

    def advanced(
        self, file: str, seen: bytes | None, old: bytes | None, new: bytes | None, unseen: Sequence[ItemChange] = ()
    ) -> bytes | None:
        """What was seen, with what leads from `old` to `new`; `unseen` are changes by others in other files."""
        if seen == old and not unseen and file not in self._files:
            return new
        try:
            result = self._advanced(file, seen, old, new, unseen)
        except NotUtf8:
            before, after = self._whole.get((file, new, old), (None, None))
            result = before if (file, new, old) in self._whole and after == seen else new
            if (seen, result) != (old, new):
                _remember(self._whole, (file, old, new), (seen, result))
                self._files.add(file)
        return result

    def _advanced(
        self, file: str, seen: bytes | None, old: bytes | None, new: bytes | None, unseen: Sequence[ItemChange]
    ) -> bytes | None:
        before, mine, known = (Document.from_bytes(data or b"") for data in (old, new, seen))
        written = changes_between(file, old, new)
        keys = [key for change in written for key in change.keys]
        parts = tuple(parts_of(document, before) for document in (known, before, mine))
        carried = _carried(parts, written, unseen) | self._turned_back(file, parts, keys)
        carried = {key: text for key, text in carried.items() if text != _text(parts[2], key)}
        if seen == old and not carried:
            result = new
        else:
            merged = _merged(before, _with_texts(known, mine, before, carried), mine, carried, keys)
            result = None if new is None and merged.only_title_left() else merged.to_bytes()
        after = parts_of(Document.from_bytes(result or b""), before)
        for key in keys:
            written_so = _text(parts[1], key), _text(parts[2], key)
            seen_so = _text(parts[0], key), _text(after, key)
            _remember(self._turns, (file, _name(key), *written_so), seen_so)
            if seen_so != written_so:
                self._files.add(file)
        return result

    def _turned_back(self, file: str, parts: tuple[_Parts, ...], keys: Sequence[PartKey]) -> dict[PartKey, str | None]:
        """The parts whose last write is undone, each as it was seen before that."""
        found: dict[PartKey, str | None] = {}
        known, before, mine = parts
        for key in keys:
            turn = self._turns.get((file, _name(key), _text(mine, key), _text(before, key)))
            if turn is not None and turn[1] == _text(known, key):
                found[key] = turn[0]
        return found


def _remember(turns: dict[_K, _V], turn: _K, seen: _V) -> None:
    turns.pop(turn, None)
    turns[turn] = seen
    for oldest in list(turns)[: max(0, len(turns) - _MOST_TURNS)]:
        del turns[oldest]


def _carried(
    parts: tuple[_Parts, ...], written: Sequence[ItemChange], unseen: Sequence[ItemChange]
) -> dict[PartKey, str | None]:
    """The parts that a write left unseen, each as it counts as seen then; None: not at all."""
    known, before, mine = parts
    found: dict[PartKey, str | None] = {}
    for change in written:
        origin, key = change.keys[0], change.keys[-1]
        text, was, was_seen = _text(mine, key), _text(before, origin), _text(known, origin)
        if not text or text == _text(known, key) or (key != origin and key in known):
            continue
        if was:
            if was != was_seen and _frame(was) == _frame(text):
                found |= {origin: None, key: _like(was_seen, was, text)}
        elif moved := next((other for other in unseen if other.name == change.name and _goes_to(other, text)), None):
            found[key] = _like(moved.raw_before.rstrip() or None, moved.raw_after, text)
    return found


def _goes_to(change: ItemChange, text: str) -> bool:
    """Whether what others changed elsewhere is what is written here."""
    frame = _frame(text)
    return bool(change.keys) and any(frame) and _frame(change.raw_after) == frame


def _name(key: PartKey) -> str:
    return key[0] if key else ""


def _text(parts: _Parts, key: PartKey) -> str | None:
    return parts[key].text.rstrip() if key in parts else None


def _frame(text: str | None) -> list[str]:
    """What of a part is neither its name nor an address of a link."""
    _, _, body = (text or "").partition("\n")
    pieces, end = [], 0
    for span in find_wiki_links(body.rstrip()):
        pieces.append(body[end : span.start])
        end = span.end
    return [*pieces, body[end:].rstrip()]


def _like(seen: str | None, before: str, after: str) -> str | None:
    """What was seen of a part, with the name and the links that it got."""
    if seen is None:
        return None
    olds, news = (list(find_wiki_links(text)) for text in (before, after))
    led = {before[old.start : old.end]: after[new.start : new.end] for old, new in zip(olds, news, strict=False)}
    pieces, end = [], 0
    for span in find_wiki_links(seen):
        rendered = seen[span.start : span.end]
        pieces += [seen[end : span.start], led.get(rendered, rendered)]
        end = span.end
    text = "".join([*pieces, seen[end:]])
    heading, newline, _ = after.partition("\n")
    return heading + newline + text.partition("\n")[2]


def _with_texts(known: Document, mine: Document, before: Document, texts: Mapping[PartKey, str | None]) -> Document:
    """What was seen with other texts of some parts; new ones go where they stand in what was written."""
    new = [key for key, text in texts.items() if text is not None and key not in parts_of(known, before)]
    known = _replaced(known, before, texts)
    return with_parts(known, _replaced(mine, before, texts), new, before) if new else known


def _replaced(document: Document, base: Document, texts: Mapping[PartKey, str | None]) -> Document:
    """The parts that are there with other texts, or (None) gone; the space below each stays."""
    pieces = []
    for key, part in parts_of(document, base).items():
        text = texts.get(key, part.text)
        if text is not None:
            pieces.append(text.rstrip() + part.text[len(part.text.rstrip()) :])
    return Document("".join(pieces))


def _merged(
    before: Document, known: Document, mine: Document, carried: Mapping[PartKey, object], keys: Sequence[PartKey]
) -> Document:
    """What was seen with what was written, but for the parts that were only carried along."""
    mine = with_parts(mine, before, carried, before) if carried else mine
    with contextlib.suppress(Conflict):
        return merge(before, known, mine)
    return with_parts(known, mine, [key for key in keys if key not in carried], before)
