"""How a host reads a category file, restated from the format's rules with no regard to speed.

The tests compare the engine with this. It shares no code with it.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass

HEADING = re.compile(r"^##\s+(.+?)\s*$")


@dataclass(frozen=True)
class HostSection:
    """One `##` section. Lines count from 0; `first_line` is the heading, `end_line` the one behind the last."""

    name: str
    content: str
    owner: str | None
    source: str | None
    ts: str | None
    first_line: int
    end_line: int
    effective: bool = True


def lines_of(data: bytes) -> list[str]:
    """Universal newlines first, then every boundary of `str.splitlines`."""
    return io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline=None).read().splitlines()


def heading(line: str) -> str | None:
    """The item name if the line is an item's heading."""
    match = HEADING.match(line)
    return " ".join(match.group(1).split()) if match else None


def comment(line: str) -> dict[str, str] | None:
    """The fields if the line is wholly a wikimem comment."""
    text = line.strip()
    if len(text) < len("<!---->") or not text.startswith("<!--") or not text.endswith("-->"):
        return None
    inside = text[len("<!--") : -len("-->")].strip()
    if not inside.startswith("wikimem:"):
        return None
    fields = {}
    for part in inside[len("wikimem:") :].split("|"):
        key, _, value = part.strip().partition("=")
        if key and value:
            fields[key.strip()] = value.strip()
    return fields


def read_sections(data: bytes) -> list[HostSection]:
    """All sections in file order, shadowed ones too."""
    lines = lines_of(data)
    starts = [number for number, line in enumerate(lines) if heading(line) is not None]
    names = [heading(lines[start]) or "" for start in starts]
    found = []
    for index, (start, name) in enumerate(zip(starts, names, strict=True)):
        end = starts[index + 1] if index + 1 < len(starts) else len(lines)
        body = lines[start + 1 : end]
        fields = [parsed for line in body if (parsed := comment(line)) is not None]
        last = fields[-1] if fields else {}
        content = "\n".join(line for line in body if comment(line) is None).strip()
        effective = name not in names[index + 1 :]
        found.append(
            HostSection(name, content, last.get("owner"), last.get("source"), last.get("ts"), start, end, effective)
        )
    return found


def read_items(data: bytes) -> list[HostSection]:
    """The sections that count: the last of each name, at the place of the first."""
    return list({section.name: section for section in read_sections(data)}.values())


def stored_form(content: str) -> str:
    """What a host reads back of a text that was written as an item's content."""
    return "\n".join(content.strip().splitlines())


def first_unstorable_line(content: str) -> int | None:
    """Number, from 1, of the first line that would be read back as a heading or as metadata.

    White space around a content is not kept, so the first line with text counts without its indentation.
    """
    lines = content.splitlines()
    first_solid = next((number for number, line in enumerate(lines) if line.strip()), None)
    for number, line in enumerate(lines):
        written = line.lstrip() if number == first_solid else line
        if heading(written) is not None or comment(line) is not None or heading(line) is not None:
            return number + 1
    return None


def survives(content: str) -> bool:
    """Whether a host reads back the text that it is given in its stripped form."""
    return all(heading(line) is None and comment(line) is None for line in content.strip().splitlines())
