"""A pattern that finds a text in any case, in composed and decomposed form, with any white space between its words.

Case is folded as Unicode does it in full: `ß` is `SS`, `ﬁ` is `FI`, `ς` is `Σ`; `İ`, `ı` and `i` count as one, since
which of them a person means depends on the language. What is found are places in the text itself, not in a folded copy.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

_LONGEST_RUN = 6
"""Of letters that any two of which may be one character: each way to write them is spelled out, and ways multiply."""
_DOTTED = "i\u0307"
_I = f"{_DOTTED}?"


def pattern_of(text: str) -> re.Pattern[str] | None:
    """None for white space only."""
    words = text.split()
    if not words:
        return None
    if text.upper() == text.lower():
        return re.compile(r"\s+".join(map(_in_any_form, words)))
    return re.compile(r"\s+".join(map(_in_any_case, words)), re.IGNORECASE)


def forms_of(text: str) -> list[str]:
    """A text composed, decomposed, and as it is."""
    return list(dict.fromkeys([*(unicodedata.normalize(form, text) for form in ("NFC", "NFD")), text]))


def _in_any_form(word: str) -> str:
    return f"(?:{'|'.join(map(re.escape, forms_of(word)))})"


def _in_any_case(word: str) -> str:
    folded = dict.fromkeys(form.casefold().replace(_DOTTED, "i") for form in forms_of(word))
    return f"(?:{'|'.join(''.join(map(_spelled, _runs(form))) for form in folded)})"


@cache
def _ligatures() -> dict[str, str]:
    """Single characters that fold to several ones, by those. All of them are in Unicode's first plane."""
    found: dict[str, str] = {}
    for character in map(chr, range(0x80, 0x10000)):
        folded = character.casefold()
        if len(folded) > 1 and folded != _DOTTED:
            found[folded] = found.get(folded, "") + character
    return found


def _ligatures_at(text: str, start: int) -> Iterator[str]:
    return (part for length in (2, 3) if (part := text[start : start + length]) in _ligatures() and len(part) == length)


def _runs(folded: str) -> Iterator[str]:
    """The text in pieces: those longer than a character hold letters that ligatures may stand for."""
    start = end = 0
    while start < len(folded):
        end = start + 1
        at = start
        while at < end:
            reach = max((at + len(part) for part in _ligatures_at(folded, at)), default=0)
            end = max(end, reach if reach - start <= _LONGEST_RUN else 0)
            at += 1
        yield folded[start:end]
        start = end


def _spelled(run: str) -> str:
    ways = list(_ways(run))
    return ways[0] if len(ways) == 1 else f"(?:{'|'.join(ways)})"


def _ways(run: str) -> Iterator[str]:
    if not run:
        yield ""
        return
    first = _I if run[0] == "i" else re.escape(run[0])
    yield from (first + rest for rest in _ways(run[1:]))
    for part in _ligatures_at(run, 0):
        yield from (f"[{_ligatures()[part]}]{rest}" for rest in _ways(run[len(part) :]))
