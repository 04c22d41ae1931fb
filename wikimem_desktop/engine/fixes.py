"""Safe repairs of what hosts misread: a character or a line is put in, every other byte stays."""

from __future__ import annotations

from .document import BOM, Document
from .links import WikiLink, find_wiki_links
from .markdown import code_lines
from .sections import heading_name, metadata_fields, without_end


def escape_line(document: Document, line_index: int) -> Document:
    """The document with that line (from 0) made text: an item's heading or metadata until now, else nothing changes."""
    lines = list(document.lines)
    code = list(code_lines(without_end(line) for line in lines))[line_index]
    first_text = _is_first_text(document, line_index)
    lines[line_index] = _escaped(lines[line_index], indent=code and not first_text)
    return Document("".join(lines))


def blank_line_behind_bom(document: Document) -> Document:
    """A first item that hosts miss because a byte order mark stands before its heading gets a line of its own."""
    text = document.text.removeprefix(BOM)
    if text == document.text or not text or heading_name(text.splitlines()[0]) is None:
        return document
    return Document(BOM + document.newline + text)


def respell_links(document: Document, line_index: int, link: WikiLink, spelling: WikiLink) -> Document:
    """The document with every such link of that line (from 0) naming its target otherwise; its white space stays."""
    lines = list(document.lines)
    line = lines[line_index]
    for span in reversed([span for span in find_wiki_links(without_end(line)) if span.link == link]):
        category, _, name = line[span.start : span.end].partition(":")
        respelled = f"{category.replace(link.category, spelling.category)}:{name.replace(link.name, spelling.name)}"
        line = line[: span.start] + respelled + line[span.end :]
    lines[line_index] = line
    return Document("".join(lines))


def escape_text(text: str) -> str:
    """An item's text with every line escaped that hosts would take for a heading or for metadata."""
    lines = text.splitlines(keepends=True)
    escaped: list[str] = []
    first = True
    for line, code in zip(lines, code_lines(without_end(line) for line in lines), strict=True):
        # White space around a text is not kept, so an indent does not protect its first line.
        indent, stored = (line[: len(line) - len(line.lstrip())], line.lstrip()) if first else ("", line)
        escaped.append(indent + _escaped(stored, indent=code))
        first = first and not stored
    return "".join(escaped)


def _escaped(line: str, *, indent: bool) -> str:
    bare = without_end(line)
    if metadata_fields(bare) is not None:
        return line.replace("<!--", "\\<!--", 1)
    if heading_name(bare) is not None:
        return (" " if indent else "\\") + line
    return line


def _is_first_text(document: Document, line_index: int) -> bool:
    """Whether nothing of its item stands above the line, once the line is text: hosts strip an indent there."""
    headings = [section.first_line for section in document.sections if section.first_line < line_index]
    above = document.lines[headings[-1] + 1 : line_index] if headings else []
    return bool(headings) and not any(line.strip() and metadata_fields(line) is None for line in above)
