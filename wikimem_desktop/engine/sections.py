"""How hosts cut a text into `##` sections, and which of its lines they read as headings or metadata."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from .items import MemoryItem

_NEXT_HEADING = re.compile(r"\n##(?=[^\S\n].)")
_HEADING_PARTS = re.compile(r"(##\s+).*?(\s*)")
_ODD_BREAKS = "\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"


class Section(NamedTuple):
    """One `##` section: its name, its text as hosts see it, and where its lines are.

    Lines count from 0 over `str.splitlines`; `first_line` is the heading, `end_line` the one behind the last.
    """

    name: str
    content: str
    owner: str | None
    source_conv: str | None
    ts: str | None
    first_line: int
    end_line: int
    effective: bool
    """False for a shadowed section: a later one of the same name wins."""

    def item(self, category: str) -> MemoryItem:
        return MemoryItem(category, self.name, self.content, self.owner, self.source_conv, self.ts)


def heading_name(line: str) -> str | None:
    """The item name if hosts read the line as an item's heading."""
    behind = line[2:].removesuffix("\n")
    return _name(behind) if line.startswith("##") and behind[:1].isspace() and len(behind) > 1 else None


def _name(behind: str) -> str:
    """The item name of the heading that goes on like this behind its `##`."""
    return " ".join(behind.split())


def with_heading_name(line: str, name: str) -> str:
    """The heading line with another name; its other characters stay."""
    match = _HEADING_PARTS.fullmatch(without_end(line))
    return f"{match[1]}{name}{match[2]}{line_end(line)}" if match else line


def metadata_fields(line: str) -> dict[str, str] | None:
    """The fields of a line that is wholly a wikimem comment, or None if it is text."""
    if "<!--" not in line:
        return None
    comment = line.strip()
    if not (comment.startswith("<!--") and comment.endswith("-->")):
        return None
    inside = comment[4:-3].lstrip()
    if not inside.startswith("wikimem:"):
        return None
    fields: dict[str, str] = {}
    for part in inside[8:].split("|"):
        key, _, value = part.partition("=")
        key, value = key.strip(), value.strip()
        if key and value:
            fields[key] = value
    return fields


def line_end(line: str) -> str:
    """The line break at the end of a line that `splitlines(keepends=True)` gave."""
    return line[len(line.splitlines()[0]) :] if line else ""


def without_end(line: str) -> str:
    return line[: len(line) - len(line_end(line))]


def gap_behind(text: str, newline: str) -> str:
    """What must stand between a text and a section put behind it: the end of its last line and one blank line."""
    if not text:
        return ""
    last = text.splitlines(keepends=True)[-1]
    if line_end(last) == "":
        return newline * (2 if last.strip() else 1)
    return newline if last.strip() else ""


def read_sections(text: str) -> Iterator[Section]:
    """Cut a text into sections, by one search for headings: a store may hold a million lines."""
    if any(odd in text for odd in _ODD_BREAKS):
        text = "".join(f"{line}\n" for line in text.splitlines())
    preamble, *parts = _NEXT_HEADING.split(f"\n{text}")
    headed = [part.partition("\n") for part in parts]
    names = [_name(heading) for heading, _, _ in headed]
    last_of_name = {name: number for number, name in enumerate(names)}
    line = preamble.count("\n")
    for number, (name, part, (_, _, body)) in enumerate(zip(names, parts, headed, strict=True)):
        end_line = line + 1 + part.count("\n") - (number == len(parts) - 1 and text.endswith("\n"))
        content, fields = _split_metadata(body)
        yield Section(
            name,
            content,
            fields.get("owner"),
            fields.get("source"),
            fields.get("ts"),
            line,
            end_line,
            last_of_name[name] == number,
        )
        line = end_line


def _split_metadata(body: str) -> tuple[str, Mapping[str, str]]:
    """The text without its metadata lines, stripped, and the fields of the last one."""
    fields: Mapping[str, str] = {}
    kept: list[str] = []
    kept_to = at = 0
    while (at := body.find("<!--", at)) >= 0:
        start = body.rfind("\n", 0, at) + 1
        end = body.find("\n", at)
        end = len(body) if end < 0 else end
        found = metadata_fields(body[start:end])
        if found is not None:
            fields = found
            kept.append(body[kept_to:start])
            kept_to = end + 1
        at = end
    if not kept:
        return body.strip(), fields
    return ("".join(kept) + body[kept_to:]).strip(), fields
