"""What leads from one state of a file to another, item by item, and files made of parts of two states."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .document import Document
from .errors import NotUtf8
from .items import MemoryItem
from .merge import Part, PartKey, parts_of
from .sections import gap_behind, line_end


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
