"""One markdown file of a store as hosts read it, and edits of it that touch nothing else.

Reading is tolerant: universal newlines, then every line boundary of `str.splitlines`; `##` starts an item, inside code
fences too; the last `<!-- wikimem: … -->` line of an item is its metadata. Writing changes only the lines it must: a
`Document` is immutable, every edit returns a new one whose other bytes are those of the old.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import Final

from .errors import ContentNotStorable, NotUtf8
from .items import MemoryItem
from .sections import Section, gap_behind, heading_name, line_end, read_sections, with_heading_name, without_end
from .sections import metadata_fields as metadata_fields  # others know it from here

BOM = "\ufeff"
_METADATA_INSIDE = re.compile(r"(<!--\s*wikimem:)(.*?)(\s*-->\s*)$")

_SURROGATE = re.compile("[\\ud800-\\udfff]")
_TITLE = re.compile(r"#(?:\s.*)?$")


class Keep(Enum):
    """A metadata field that an edit leaves as it is (None would remove its value)."""

    KEEP = "keep"


KEEP: Final = Keep.KEEP
Field = str | None | Keep


def as_read(content: str) -> str:
    """The text as hosts read it back once it is stored."""
    return "\n".join(content.strip().splitlines()).strip()


def own_part(text: str) -> str:
    """The text from its first line that is not blank to its last one: what of a section's lines is its own text."""
    head = text[: len(text) - len(text.lstrip())]
    start = len(head) - len(_last_line(head))
    end = len(text.rstrip())
    return text[start : end + len(_first_line(text[end:]))] if end else ""


def with_ends(text: str, newline: str) -> list[str]:
    """Lines of a given text, each with an end: unusual separators are kept, all others become the file's own."""
    lines = []
    for line in text.splitlines(keepends=True):
        end = line_end(line)
        lines.append(without_end(line) + (newline if end in ("", "\n", "\r\n", "\r") else end))
    return lines


def check_content(content: str) -> None:
    """Raise `ContentNotStorable` if a line of the text would split the item or be eaten as metadata."""
    if "##" in content or "<!--" in content:
        first = True
        for number, line in enumerate(content.splitlines(), 1):
            # White space around a text is not kept, so its first line can't hide behind an indent.
            stored = line.lstrip() if first else line
            first = first and not stored
            if heading_name(stored) is not None:
                raise ContentNotStorable(number, line, "heading")
            if metadata_fields(stored) is not None:
                raise ContentNotStorable(number, line, "metadata")
    try:
        content.encode()
    except UnicodeEncodeError as error:
        number = len((content[: error.start] + "x").splitlines())
        raise ContentNotStorable(number, content.splitlines()[number - 1], "surrogate") from None


def render_metadata(owner: str | None, source_conv: str | None, ts: str | None) -> str | None:
    """The metadata comment, or None when no field is set."""
    pairs = [("owner", owner), ("source", source_conv), ("ts", ts)]
    fields = [f"{key}={field_value(value)}" for key, value in pairs if value and field_value(value)]
    return f"<!-- wikimem: {' | '.join(fields)} -->" if fields else None


def field_value(value: str) -> str:
    """The value as it can stand in the comment: `|` separates fields, and the comment is one line."""
    return " ".join(value.replace("|", "/").splitlines()).strip()


class Document:
    """The text of a category or day file, cut into sections."""

    def __init__(self, text: str) -> None:
        self.text = text

    @classmethod
    def from_bytes(cls, data: bytes, path: Path | None = None) -> Document:
        """Raises `NotUtf8` naming `path`. A byte order mark stays part of the text."""
        try:
            return cls(data.decode("utf-8"))
        except UnicodeDecodeError as error:
            raise NotUtf8(path or Path("(no file)"), error.start) from error

    def to_bytes(self) -> bytes:
        return self.text.encode("utf-8")

    @cached_property
    def lines(self) -> list[str]:
        """Every line with its end, as it is on disk."""
        return self.text.splitlines(keepends=True)

    @cached_property
    def sections(self) -> list[Section]:
        """All sections in file order, shadowed ones included."""
        return list(read_sections(self.text))

    def items(self, category: str) -> list[MemoryItem]:
        """The items a host sees: the last section of a name, at the place of its first."""
        return [section.item(category) for section in self.effective().values()]

    def effective(self) -> dict[str, Section]:
        return {section.name: section for section in self.sections}

    @property
    def preamble(self) -> list[str]:
        """The lines before the first section."""
        return self.lines[: self.sections[0].first_line if self.sections else None]

    @property
    def prose(self) -> str:
        """What is written before the first section, below the title of the file, without a byte order mark."""
        text = "".join(self.preamble)
        bare = text.removeprefix(BOM).splitlines(keepends=True)
        if not bare:
            return ""
        if _TITLE.match(bare[0]):
            return own_part("".join(bare[1:]))
        # Hosts would find an item if the mark in front of its heading went.
        return own_part(text if heading_name(bare[0]) is not None else "".join(bare))

    @cached_property
    def newline(self) -> str:
        """The line end that most lines have; `\\n` when there is none."""
        crlf = self.text.count("\r\n")
        counts = {"\n": self.text.count("\n") - crlf, "\r\n": crlf, "\r": self.text.count("\r") - crlf}
        return max(counts, key=lambda end: counts[end]) if any(counts.values()) else "\n"

    def only_title_left(self) -> bool:
        """Whether nothing is in the file but white space and at most one `#` title."""
        if self.sections:
            return False
        left = [line for line in self.text.removeprefix(BOM).splitlines() if line.strip()]
        return len(left) <= 1 and all(_TITLE.match(line) for line in left)

    def with_content(self, name: str, content: str) -> Document:
        """The text of the item of that name replaced; unchanged lines keep their bytes, metadata stays where it is.

        Raises `KeyError` for an unknown name and `ContentNotStorable`.
        """
        section = self.effective()[name]
        body = self.lines[section.first_line + 1 : section.end_line]
        heading = self.lines[section.first_line]
        edited = _edit_body(body, content, self.newline, last_section=section.end_line == len(self.lines))
        if edited and line_end(heading) == "":
            heading += self.newline
        changed = self._with_lines(section.first_line, section.end_line, [heading, *edited])
        kept = len(changed.sections) == len(self.sections) and changed.effective()[name].content == as_read(content)
        if not kept or _SURROGATE.search(content):
            check_content(content)
        return changed

    def own_text(self, name: str) -> str:
        """The text of the item of that name as it stands in the file: its lines with their own ends and separators,
        without metadata, blank lines around it and the end of its last line. Raises `KeyError`.
        """
        section = self.effective()[name]
        body = self.lines[section.first_line + 1 : section.end_line]
        return own_part("".join(line for line in body if metadata_fields(line) is None))

    def section_text(self, name: str) -> str | None:
        """All bytes of the item's section, its heading included; None when there is none of that name."""
        section = self.effective().get(name)
        return None if section is None else "".join(self.lines[section.first_line : section.end_line])

    def with_own_text(self, name: str, text: str) -> Document:
        """`own_text` replaced, byte for byte; every other byte stays. Raises `KeyError` and `ContentNotStorable`."""
        section = self.effective()[name]
        first, end = section.first_line + 1, section.end_line
        edited = _replace_own_text(self.lines[first:end], own_part(text), self.newline, last=end == len(self.lines))
        heading = self.lines[section.first_line]
        if edited and line_end(heading) == "":
            heading += self.newline
        changed = self._with_lines(section.first_line, end, [heading, *edited])
        kept = len(changed.sections) == len(self.sections) and changed.effective()[name].content == as_read(text)
        if not kept or _SURROGATE.search(text):
            check_content(text)
        return changed

    def with_fields(self, name: str, *, owner: Field = KEEP, source_conv: Field = KEEP, ts: Field = KEEP) -> Document:
        """Metadata fields of the item set (a text), removed (None) or left alone; only changed pairs are rewritten."""
        section = self.effective()[name]
        current = {"owner": section.owner, "source": section.source_conv, "ts": section.ts}
        wanted = {"owner": owner, "source": source_conv, "ts": ts}
        changes = {
            key: None if value is None else field_value(value)
            for key, value in wanted.items()
            if not isinstance(value, Keep) and (field_value(value) if value else None) != current[key]
        }
        if not changes:
            return self
        first, end = section.first_line, section.end_line
        for number in range(end - 1, first, -1):
            if metadata_fields(self.lines[number]) is not None:
                return self._with_lines(number, number + 1, [_set_fields(self.lines[number], changes)])
        comment = render_metadata(changes.get("owner"), changes.get("source"), changes.get("ts"))
        if comment is None:
            return self
        return self._with_lines(first, end, _append_line(self.lines[first:end], comment, self.newline))

    def with_new_item(
        self,
        name: str,
        content: str,
        *,
        owner: str | None = None,
        source_conv: str | None = None,
        ts: str | None = None,
    ) -> Document:
        """The item added behind all others; every byte of the old text stays in front of it."""
        check_content(content)
        comment = render_metadata(owner, source_conv, ts)
        return Document(self.text + gap_behind(self.text, self.newline) + self._render(name, content, comment))

    def with_entry(self, name: str, content: str, comment: str | None, *, before: int | None) -> Document:
        """A section put in front of the one with index `before` (None: at the end): day files are sorted by time."""
        check_content(content)
        if before is None:
            return Document(self.text + gap_behind(self.text, self.newline) + self._render(name, content, comment))
        at = self.sections[before].first_line
        head = "".join(self.lines[:at])
        entry = gap_behind(head, self.newline) + self._render(name, content, comment) + self.newline
        return Document(head + entry + "".join(self.lines[at:]))

    def with_sections(self, sections: str, at: int | None = None) -> Document:
        """Whole sections put in front of the line with that index (None: at the end), with a blank line around them."""
        head, tail = ("".join(part) for part in (self.lines[:at], [] if at is None else self.lines[at:]))
        text = head + gap_behind(head, self.newline) + sections
        return Document(text + (gap_behind(text, self.newline) if tail else "") + tail)

    def without_item(self, name: str) -> Document:
        """All sections of that name gone (removing only the last would bring an earlier text back)."""
        return self._without([section for section in self.sections if section.name == name])

    def without_section(self, name: str, occurrence: int) -> Document:
        """One section gone, the `occurrence`th (from 0) of that name in the file. Raises `KeyError`."""
        return self._without([self._section(name, occurrence)])

    def with_name(self, name: str, new_name: str) -> Document:
        """All sections of that name called otherwise; of their heading lines only the name changes."""
        return self._renamed([section for section in self.sections if section.name == name], new_name)

    def with_section_name(self, name: str, occurrence: int, new_name: str) -> Document:
        """One section called otherwise, the `occurrence`th (from 0) of that name in the file. Raises `KeyError`."""
        return self._renamed([self._section(name, occurrence)], new_name)

    def _section(self, name: str, occurrence: int) -> Section:
        found = [section for section in self.sections if section.name == name]
        if not 0 <= occurrence < len(found):
            raise KeyError(name)
        return found[occurrence]

    def _without(self, gone: list[Section]) -> Document:
        lines = list(self.lines)
        for section in reversed(gone):
            del lines[section.first_line : section.end_line]
        return Document("".join(lines))

    def _renamed(self, sections: list[Section], name: str) -> Document:
        lines = list(self.lines)
        for section in sections:
            lines[section.first_line] = with_heading_name(lines[section.first_line], name)
        return Document("".join(lines))

    def _render(self, name: str, content: str, comment: str | None) -> str:
        end = self.newline
        text = f"## {name}{end}{end}"
        if content.strip():
            text += "".join(with_ends(content.strip(), end))
        if comment:
            text += f"{end if content.strip() else ''}{comment}{end}"
        return text

    def _with_lines(self, first: int, end: int, replacement: Iterable[str]) -> Document:
        lines = [*self.lines[:first], *replacement, *self.lines[end:]]
        for before, line in enumerate(lines[1:]):
            # A blank line that comes to stand behind a lone CR would merge with it into one CRLF.
            if lines[before].endswith("\r") and line.startswith("\n"):
                lines[before + 1] = "\r" + line
        return Document("".join(lines))


def _first_line(text: str) -> str:
    return (text.splitlines() or [""])[0]


def _last_line(text: str) -> str:
    """What stands behind the last line break."""
    lines = text.splitlines(keepends=True)
    return lines[-1] if lines and not line_end(lines[-1]) else ""


def _edit_body(body: list[str], content: str, newline: str, *, last_section: bool) -> list[str]:
    """The body lines of a section with its text replaced by line difference."""
    text_at = [index for index, line in enumerate(body) if metadata_fields(line) is None]
    solid = [index for index in text_at if body[index].strip()]
    new = with_ends(content.strip(), newline)
    if not solid:
        return _fill_empty_body(body, new, newline, last_section=last_section)
    text_at = [index for index in text_at if solid[0] <= index <= solid[-1]]
    old = [without_end(body[index]) for index in text_at]
    old[0] = old[0].lstrip()
    old[-1] = old[-1].rstrip()
    out = body[: solid[0]]
    for tag, i1, i2, j1, j2 in _line_difference(old, [without_end(line) for line in new]):
        if tag != "equal":
            out += new[j1:j2]
        for offset in range(i1, i2):
            at = text_at[offset]
            if tag == "equal":
                out.append(_kept_line(body[at], old, offset, j1 + offset - i1, len(new), newline))
            stop = text_at[offset + 1] if offset + 1 < len(text_at) else at + 1
            out += body[at + 1 : stop]
    if new and line_end(body[solid[-1]]) == "" and metadata_fields(out[-1]) is None:
        out[-1] = without_end(out[-1])
    return out + body[solid[-1] + 1 :]


def _replace_own_text(body: list[str], text: str, newline: str, *, last: bool) -> list[str]:
    """The body lines of a section with its own text replaced exactly; metadata between its lines stays between them."""
    text_at = [index for index, line in enumerate(body) if metadata_fields(line) is None]
    solid = [index for index in text_at if body[index].strip()]
    if not solid:
        return _fill_empty_body(body, with_ends(text, newline), newline, last_section=last)
    text_at = [index for index in text_at if solid[0] <= index <= solid[-1]]
    new = (text + line_end(body[solid[-1]])).splitlines(keepends=True) if text else []
    out = body[: solid[0]]
    for tag, i1, i2, j1, j2 in _line_difference([body[index] for index in text_at], new):
        out += new[j1:j2] if tag != "equal" else []
        for offset in range(i1, i2):
            stop = text_at[offset + 1] if offset + 1 < len(text_at) else text_at[offset] + 1
            out += body[text_at[offset] + (tag != "equal") : stop]
    out += body[solid[-1] + 1 :]
    # Text whose end was the file's may stand before metadata now.
    return [line if line_end(line) else line + newline for line in out[:-1]] + out[-1:]


def _line_difference(old: list[str], new: list[str]) -> Iterator[tuple[str, int, int, int, int]]:
    """Opcodes as `difflib` gives them; what is equal at both ends is cut off first, or long texts take seconds."""
    shorter = min(len(old), len(new))
    start = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    tail = next((at for at in range(shorter - start) if old[-1 - at] != new[-1 - at]), shorter - start)
    if start:
        yield "equal", 0, start, 0, start
    middle = old[start : len(old) - tail], new[start : len(new) - tail]
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, *middle, autojunk=False).get_opcodes():
        yield tag, start + i1, start + i2, start + j1, start + j2
    if tail:
        yield "equal", len(old) - tail, len(old), len(new) - tail, len(new)


def _kept_line(raw: str, old: list[str], offset: int, new_offset: int, new_count: int, newline: str) -> str:
    """An unchanged line as it was, unless white space that reading strips at the text's ends would now show inside."""
    bare, end = without_end(raw), line_end(raw)
    if offset == 0 and new_offset > 0:
        bare = bare.lstrip()
    if offset == len(old) - 1 and new_offset < new_count - 1:
        bare = bare.rstrip()
    return bare + (end or newline)


def _fill_empty_body(body: list[str], new: list[str], newline: str, *, last_section: bool) -> list[str]:
    """Text for a section that has none: behind the heading's blank line, in front of metadata."""
    if not new:
        return body
    blank = bool(body) and not body[0].strip()
    head = [body[0] if line_end(body[0]) else body[0] + newline] if blank else [newline]
    tail = body[1:] if blank else body
    gap = bool(tail[0].strip()) if tail else not last_section
    return [*head, *new, *([newline] if gap else []), *tail]


def _append_line(lines: list[str], line: str, newline: str) -> list[str]:
    """`line` as its own paragraph behind the last line that is not blank."""
    last = max(index for index, text in enumerate(lines) if text.strip() or index == 0)
    head, tail = lines[: last + 1], lines[last + 1 :]
    end = line_end(head[-1])
    head[-1] = head[-1] + ("" if end else newline)
    return [*head, newline, line + (newline if end or tail else ""), *tail]


def _set_fields(line: str, changes: Mapping[str, str | None]) -> str:
    """The comment line with the pairs of `changes` rewritten, added or (None) taken out; all else as it was."""
    bare, end = without_end(line), line_end(line)
    match = _METADATA_INSIDE.search(bare)
    if match is None:
        return line
    opening, inside, closing = match.groups()
    parts: list[str] = inside.split("|")
    for key, value in changes.items():
        at = [i for i, part in enumerate(parts) if part.strip().partition("=")[0].strip() == key and "=" in part]
        if value is None:
            parts = [part for i, part in enumerate(parts) if i not in at]
        elif at:
            before, _, old = parts[at[-1]].partition("=")
            trailing = old[len(old.rstrip()) :]
            leading = old[: len(old) - len(old.lstrip())] if old.strip() else ""
            parts[at[-1]] = f"{before}={leading}{value}{trailing}"
        elif any(part.strip() for part in parts):
            parts[-1] = parts[-1].rstrip() + " "
            parts.append(f" {key}={value}")
        else:
            parts = [f" {key}={value}"]
    return bare[: match.start()] + opening + "|".join(parts) + (closing or " -->") + end
