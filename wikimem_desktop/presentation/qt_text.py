"""Text through Qt and back without losing a character.

Qt's documents take some characters for structure (U+2028, U+2029, U+FDD0, U+FDD1, lone CR, NUL …) and `toPlainText()`
turns no-break spaces into spaces; and a byte order mark at the start of a string (U+FEFF, U+FFFE) is taken for one when
the string goes from Python to Qt or back. So those characters enter a document as private-use symbols, and a text
leaves it as raw text. Private-use characters that the text itself holds are escaped.
"""

from __future__ import annotations

import re

from PySide6.QtGui import QTextDocument

_LOST = "\x00\x0b\x0c\r\x1c\x1d\x1e\x85\u2028\u2029\ufdd0\ufdd1\ufeff\ufffc\ufffe"
_ESCAPE = "\uf8e0"
_FIRST_SYMBOL = 0xF8E1
_TO_SYMBOL = {character: chr(_FIRST_SYMBOL + index) for index, character in enumerate(_LOST)}
_FROM_SYMBOL = {symbol: character for character, symbol in _TO_SYMBOL.items()}
_OWN = "".join(_FROM_SYMBOL) + _ESCAPE
_ENTERING = re.compile(f"[{re.escape(_LOST)}{_OWN}]")
_LEAVING = re.compile(f"{_ESCAPE}([{_OWN}])|([{''.join(_FROM_SYMBOL)}])")

SYMBOL_NAMES = {symbol: f"U+{ord(character):04X}" for symbol, character in _FROM_SYMBOL.items()}
"""What a symbol in a document stands for."""


def for_document(text: str) -> str:
    """The text as it can enter a Qt document; its only line break is `\\n`."""
    return _ENTERING.sub(lambda match: _TO_SYMBOL.get(match[0]) or _ESCAPE + match[0], text)


def from_document(document: QTextDocument) -> str:
    """The text that the document stands for."""
    return from_raw(document.toRawText())


def from_raw(raw: str) -> str:
    """The text that a piece of a document (`QTextCursor.selectedText()`) stands for."""
    return _LEAVING.sub(lambda match: match[1] or _FROM_SYMBOL[match[2]], raw.replace("\u2029", "\n"))


def utf16_length(text: str) -> int:
    """How many positions of a Qt document the text takes."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
