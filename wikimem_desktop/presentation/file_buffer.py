"""A whole file that is open: a category, or a day of the diary, byte for byte."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from wikimem_desktop.engine.document import Document
from wikimem_desktop.engine.errors import Conflict, ContentNotStorable
from wikimem_desktop.engine.merge import merge

from .buffer import Buffer, Place, Version


class FileBuffer(Buffer):
    """All of its text counts: prose, metadata, blank lines. Sections are what it has in common with the disk."""

    def __init__(self, place: Place, base: Version) -> None:
        self._contents: tuple[str, str, Mapping[tuple[str, str], str | None]] = "", "", {}
        """What hosts would read otherwise, for a text of the disk and one of the editor."""
        self._merged: tuple[Version | None, Version, str, str | None] | None = None
        """What a base, a version of the disk and a text come to; None: both changed the same section."""
        super().__init__(place, base.text, base)

    @property
    def own_text(self) -> str:
        return self.text

    @property
    def content(self) -> str:
        return self.text

    @property
    def contents(self) -> Mapping[tuple[str, str], str | None]:
        if self.base is None or self.place.kind == "day":
            return {}
        if self._contents[:2] != (self.base.text, self.text):
            self._contents = self.base.text, self.text, _other_contents(self.place.category, self.base.text, self.text)
        return self._contents[2]

    def clashes_with(self, theirs: Version) -> bool:
        return self.typed and self._merge(theirs) is None

    def _merge(self, theirs: Version) -> str | None:
        if self._merged is None or self._merged[:3] != (self.base, theirs, self.text):
            try:
                text = self.merged_with(theirs)
            except Conflict:
                text = None
            self._merged = self.base, theirs, self.text, text
        return self._merged[3]

    def merged_with(self, theirs: Version, winner: Literal["mine", "theirs", ""] = "") -> str:
        """The text with what others changed, section by section. Raises `Conflict` if there is no `winner`."""
        assert self.base is not None
        base, other, mine = (Document(text) for text in (self.base.text, theirs.text, self.text))
        return merge(base, other, mine, category=self.place.category, winner=winner).text

    def take_in(self, version: Version) -> None:
        text = self._merge(version)
        assert text is not None
        self.rebase(version)
        if text != self.text:
            self.replace(text)

    def forget(self, redacted: Callable[[str], str]) -> None:
        super().forget(redacted)
        self._contents, self._merged = ("", "", {}), None

    def unstorable(self) -> ContentNotStorable | None:
        """Any line can stand in a file that a file can hold."""
        try:
            self.text.encode()
        except UnicodeEncodeError as error:
            number = len((self.text[: error.start] + "x").splitlines())
            return ContentNotStorable(number, self.text.splitlines()[number - 1], "surrogate")
        return None


def _other_contents(category: str, before: str, after: str) -> dict[tuple[str, str], str | None]:
    """The items that hosts read otherwise afterwards."""
    old, new = ({item.name: item.content for item in Document(text).items(category)} for text in (before, after))
    names = [*new, *(name for name in old if name not in new)]
    return {(category, name): new.get(name) for name in names if new.get(name) != old.get(name)}
