"""Texts that are on no disk any more once a step was carried out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from wikimem_desktop.engine.changes import Change
from wikimem_desktop.engine.document import Document
from wikimem_desktop.engine.errors import NotUtf8

from .buffer import Place


def taken_away(done: Change) -> Iterator[tuple[Place, str]]:
    """The items that a change took out of their files, each with its text."""
    for category, change in done.files.items():
        try:
            old, new = Document.from_bytes(change.base or b""), Document.from_bytes(change.new or b"")
        except NotUtf8:
            continue
        left = Counter((section.name, section.content) for section in new.sections)
        for section in old.sections:
            key = section.name, section.content
            left[key] -= 1
            if left[key] < 0 and section.content:
                yield Place("item", category, section.name), section.content
