"""What repairs come to in a file as it is now; one that has changed too much since it was judged is left alone."""

from __future__ import annotations

from collections.abc import Callable

from wikimem_desktop.engine import fixes
from wikimem_desktop.engine.document import Document
from wikimem_desktop.engine.edits import Edits
from wikimem_desktop.engine.errors import Conflict, UnreadableFile
from wikimem_desktop.engine.items import MemoryItem
from wikimem_desktop.engine.links import WikiLink, find_wiki_links
from wikimem_desktop.engine.problems import Kind, Problem, fenced_line, line_numbers

from .buffer import Place

Edit = Callable[[Document], Document]


def repaired_places(problem: Problem, files: Edits) -> list[Place]:
    """Items that are others once the problem is repaired: a heading in a fence becomes text of the item above.

    The one that is there afterwards comes first; in a file that can't be read it is the item itself.
    """
    category, name = problem.category or "", problem.item or ""
    places = [Place("item", category, name)]
    try:
        document = files.document(category)
    except UnreadableFile:
        return places
    if problem.kind is Kind.HEADING_IN_FENCE:
        at = fenced_line(document, problem)
        above = [section.name for section in document.sections if at is not None and section.first_line < at]
        places.insert(0, Place("item", category, above[-1] if above else ""))
    return places


def escaped(document: Document, problem: Problem) -> Document:
    """The line of a code fence that the problem is about made text. Raises `Conflict` when there is none any more."""
    line = fenced_line(document, problem)
    if line is None:
        raise Conflict(None, None, "", category=problem.category or "")
    return fixes.escape_line(document, line)


def respelled(document: Document, line: int, category: str, link: WikiLink, spelling: WikiLink) -> Document:
    """The links of a line spelled otherwise: of that which a text editor shows with the number, or the nearest.

    Raises `Conflict` when no line has the link any more.
    """
    numbers = line_numbers(document)
    there = [at for at, text in enumerate(document.lines) if any(span.link == link for span in find_wiki_links(text))]
    if not there:
        raise Conflict(None, None, "", category=category)
    nearest = min((numbers[at] for at in there), key=lambda number: abs(number - line))
    for at in there:
        if numbers[at] == nearest:  # hosts know more line breaks than text editors do
            document = fixes.respell_links(document, at, link, spelling)
    return document


def while_hidden(place: Place, seen: MemoryItem | None, edit: Edit) -> Edit:
    """An edit of a section that hosts ignore; it raises `Conflict` unless it still is one and says what was seen."""

    def checked(document: Document) -> Document:
        alike = [section for section in document.sections if section.name == place.name]
        there = alike[place.occurrence] if place.occurrence < len(alike) else None
        if there is None or there.effective or there.item(place.category) != seen:
            raise Conflict(seen, None, "", category=place.category)
        return edit(document)

    return checked
