"""Text through Qt and back without losing a character.

Qt's documents take some characters for structure (U+2028, U+2029, U+FDD0, U+FDD1, lone CR, NUL …) and `toPlainText()`
turns no-break spaces into spaces; and a byte order mark at the start of a string (U+FEFF, U+FFFE) is taken for one when
the string goes from Python to Qt or back. So those characters enter a document as private-use symbols, and a text
leaves it as raw text. Private-use characters that the text itself holds are escaped.

A document's line break stands for the line end that its file mostly has (`newline`: `\\n`, `\\r\\n` or `\\r`); a line
that ends otherwise shows a symbol, so that mixed ends survive too. Such a symbol without its break says nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import accumulate

from PySide6.QtGui import QTextCursor, QTextDocument

_LOST = "\x00\x0b\x0c\r\x1c\x1d\x1e\x85\u2028\u2029\ufdd0\ufdd1\ufeff\ufffc\ufffe\n"
_ESCAPE = "\uf8e0"
_FIRST_SYMBOL = 0xF8E1
_MOST_COMPARED_LINES = 2000
"""Beyond that, what differs is replaced as one piece."""
_TO_SYMBOL = {character: chr(_FIRST_SYMBOL + index) for index, character in enumerate(_LOST)}
_FROM_SYMBOL = {symbol: character for character, symbol in _TO_SYMBOL.items()}
_LF, _CRLF = _TO_SYMBOL["\n"], chr(_FIRST_SYMBOL + len(_LOST))
_OWN = "".join(_FROM_SYMBOL) + _CRLF + _ESCAPE
_CHANGED = _LOST.replace("\n", "") + _OWN
_ENTERING = re.compile(f"\r\n|[{re.escape(_LOST)}{_OWN}]")
_LEAVING = re.compile(f"{_ESCAPE}([{_OWN}])|[{_LF}{_CRLF}]\n|[{_OWN}\n]")
_BREAKS = {
    "\n": {"\n": "\n", "\r\n": f"{_CRLF}\n"},
    "\r\n": {"\r\n": "\n", "\n": f"{_LF}\n"},
    "\r": {"\r": "\n", "\r\n": f"{_CRLF}\n", "\n": f"{_LF}\n"},
}
"""How the line ends of a text enter a document, by the end that a plain break stands for."""
_WIDE = re.compile(f"{_ESCAPE}[{_OWN}]|{_LF}\n|[\U00010000-\U0010ffff]")
"""What stands for one character and takes two positions."""
_SILENT = re.compile(f"({_ESCAPE}[{_OWN}]|[{_LF}{_CRLF}]\n)|[{_LF}{_CRLF}{_ESCAPE}]")
"""Symbols that lost what they belong to (the other branch)."""

SYMBOL_NAMES = {symbol: f"U+{ord(character):04X}" for symbol, character in _FROM_SYMBOL.items()}
"""What a symbol in a document stands for."""


def for_document(text: str, newline: str = "\n") -> str:
    """The text as it can enter a Qt document; its only line break is `\\n`."""
    if newline == "\n" and not any(character in text for character in _CHANGED):
        return text
    breaks = _BREAKS[newline]
    return _ENTERING.sub(lambda m: breaks.get(m[0]) or _TO_SYMBOL.get(m[0]) or _ESCAPE + m[0], text)


def from_document(document: QTextDocument, newline: str = "\n") -> str:
    """The text that the document stands for."""
    return from_raw(document.toRawText(), newline)


def from_raw(raw: str, newline: str = "\n") -> str:
    """The text that a piece of a document (`QTextCursor.selectedText()`) stands for."""
    text = raw.replace("\u2029", "\n")
    if not any(symbol in text for symbol in _OWN):
        return text if newline == "\n" else text.replace("\n", newline)
    meaning = _FROM_SYMBOL | {"\n": newline, f"{_LF}\n": "\n", f"{_CRLF}\n": "\r\n", _LF: "", _CRLF: "", _ESCAPE: ""}
    return _LEAVING.sub(lambda m: m[1] or meaning[m[0]], text)


def inside_pair(document: QTextDocument, position: int) -> bool:
    """Whether the position is between two others that a person knows as one: no caret has business there."""
    before, after = document.characterAt(position - 1), document.characterAt(position)
    if before in (_LF, _CRLF) and not _is_escaped(document, position - 1):
        return after == "\u2029" and position < document.characterCount() - 1
    return after in _OWN and _is_escaped(document, position)


def _is_escaped(document: QTextDocument, position: int) -> bool:
    escapes = 0
    while document.characterAt(position - 1 - escapes) == _ESCAPE:
        escapes += 1
    return escapes % 2 == 1


def utf16_length(text: str) -> int:
    """How many positions of a Qt document the text takes."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def replace_text(document: QTextDocument, text: str) -> None:
    """Make the document show `text` (as `for_document` gives it) in one undo step that touches only what differs."""
    old, new = document.toRawText().replace("\u2029", "\n"), text
    if old == new:
        return
    astral = utf16_length(old) != len(old)
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    for start, end, piece in reversed(_edits(old, new)):
        cursor.setPosition(utf16_length(old[:start]) if astral else start)
        cursor.setPosition(utf16_length(old[:end]) if astral else end, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(piece)
    cursor.endEditBlock()


def _edits(old: str, new: str) -> list[tuple[int, int, str]]:
    """Pieces of `old` (start, end) and what takes their place; line by line unless that would take too long."""
    start, end = common_ends(old, new)
    start = old.rfind("\n", 0, start) + 1
    old_lines = old[start : len(old) - end].splitlines(keepends=True)
    new_lines = new[start : len(new) - end].splitlines(keepends=True)
    if max(len(old_lines), len(new_lines)) > _MOST_COMPARED_LINES:
        codes: Sequence[tuple[str, int, int, int, int]] = [("replace", 0, len(old_lines), 0, len(new_lines))]
    else:
        codes = SequenceMatcher(None, old_lines, new_lines, autojunk=False).get_opcodes()
    at = [start, *accumulate((len(line) for line in old_lines), initial=start)][1:]
    edits = []
    for tag, i1, i2, j1, j2 in codes:
        if tag != "equal":
            before, after = "".join(old_lines[i1:i2]), "".join(new_lines[j1:j2])
            head, tail = common_ends(before, after)
            edits.append((at[i1] + head, at[i2] - tail, after[head : len(after) - tail]))
    return edits


def common_ends(one: str, other: str) -> tuple[int, int]:
    """How many characters the two texts share at their start, and at their end behind that."""
    shorter = min(len(one), len(other))
    head = bisect_left(range(1, shorter + 1), True, key=lambda length: one[:length] != other[:length])
    shorter -= head
    tail = bisect_left(range(1, shorter + 1), True, key=lambda length: one[-length:] != other[-length:])
    return head, tail


class ShownText:
    """What a document shows, to search in: `text`, with all its breaks as `\\n`, and where its characters stand."""

    def __init__(self, document: QTextDocument) -> None:
        raw = _SILENT.sub(lambda m: m[1] or "\ufffd", document.toRawText().replace("\u2029", "\n"))
        self.text = from_raw(raw)
        self._wide: list[int] = []
        if utf16_length(raw) != len(self.text):
            dropped = 0
            for match in _WIDE.finditer(raw):
                self._wide.append(match.start() - dropped)
                dropped += len(match[0]) - 1

    def position(self, offset: int) -> int:
        """The document's position of a character."""
        return offset + bisect_left(self._wide, offset)

    def offset(self, position: int) -> int:
        """The character at a position of the document."""
        wide = self._wide
        return position - bisect_left(range(len(wide)), position, key=lambda index: wide[index] + index)
