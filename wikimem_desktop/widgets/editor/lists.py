"""Lists and quotes go on by themselves: what Enter, Tab and Shift+Tab do in them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QTextBlock, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

_QUOTE = re.compile(r"(?: {0,3}>[ \t]?)*")
_ITEM = re.compile(r"([ \t]*)([-*+]|(\d{1,9})([.)]))([ \t]+)(\[[ xX]\](?:[ \t]+|$))?")
_RULE = re.compile(r"[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_MODIFIERS = ~Qt.KeyboardModifier.KeypadModifier


class Change(NamedTuple):
    """The part of a line that a text takes the place of."""

    start: int
    end: int
    text: str


def entered(line: str, caret: int) -> Change | None:
    """What Enter does in a list item or quote: go on with the next one, or end it where it is empty."""
    quote = _quote(line)
    item = _item(line, len(quote))
    prefix = item.end() if item else len(quote)
    if caret < prefix or not prefix:
        return None
    if not line[prefix:].strip():
        return Change(len(quote) if item else 0, len(line), "")
    if not item:
        return Change(caret, caret, "\n" + quote)
    indent, bullet, number, delimiter, gap, box = item.groups()
    marker = f"{str(int(number) + 1).zfill(len(number))}{delimiter}" if number else bullet
    return Change(caret, caret, f"\n{quote}{indent}{marker}{gap}{'[ ] ' if box else ''}")


def marker_width(line: str) -> int:
    """How far what belongs to the list item stands to the right of its marker; 0: the line begins no item."""
    item = _item(line, len(_quote(line)))
    return len(item[2]) + 1 if item else 0


def shifted(line: str, columns: int) -> Change:
    """Indent the line by so many columns, or outdent it as far as it can be (negative)."""
    start = len(_quote(line))
    if columns > 0:
        return Change(start, start, " " * columns if line[start:].strip() else "")
    space = re.compile(rf"\t| {{0,{-columns}}}").match(line, start)
    return Change(start, space.end() if space else start, "")


def _quote(line: str) -> str:
    match = _QUOTE.match(line)
    return match[0] if match else ""


def _item(line: str, start: int) -> re.Match[str] | None:
    return None if _RULE.match(line, start) else _ITEM.match(line, start)


def edit_list(edit: QPlainTextEdit, event: QKeyEvent, in_code: Callable[[QTextBlock], bool]) -> bool:
    """Let the key do what it does in lists; whether it did."""
    key, modifiers = event.key(), event.modifiers() & _MODIFIERS
    shift = modifiers == Qt.KeyboardModifier.ShiftModifier
    if edit.isReadOnly() or not (shift or modifiers == Qt.KeyboardModifier.NoModifier):
        return False
    if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        return _enter(edit, in_code, plain=shift)
    if key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
        return _indent(edit, in_code, out=shift or key == Qt.Key.Key_Backtab)
    return False


def _enter(edit: QPlainTextEdit, in_code: Callable[[QTextBlock], bool], *, plain: bool) -> bool:
    """`plain`: only break the line (Qt would insert a line separator, which files have no use for)."""
    cursor = edit.textCursor()
    cursor.beginEditBlock()
    cursor.removeSelectedText()
    block, caret = cursor.block(), cursor.positionInBlock()
    change = None if plain or in_code(block) else entered(block.text(), caret)
    if change is None:
        cursor.insertText("\n")
    else:
        # Columns are positions: nothing up to a list's text takes two, and behind it only the caret's own is used.
        cursor.setPosition(block.position() + change.start)
        cursor.setPosition(block.position() + change.end, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(change.text)
    cursor.endEditBlock()
    edit.setTextCursor(cursor)
    edit.ensureCursorVisible()
    return True


def _indent(edit: QPlainTextEdit, in_code: Callable[[QTextBlock], bool], *, out: bool) -> bool:
    """Move the lines of the selection, by the marker of the first."""
    document, cursor = edit.document(), edit.textCursor()
    block, last = document.findBlock(cursor.selectionStart()), document.findBlock(cursor.selectionEnd())
    width = marker_width(block.text())
    if not width or in_code(block):
        return False
    change = QTextCursor(document)
    change.beginEditBlock()
    for number in range(block.blockNumber(), last.blockNumber() + 1):
        line = document.findBlockByNumber(number)
        start, end, text = shifted(line.text(), -width if out else width)
        change.setPosition(line.position() + start)
        change.setPosition(line.position() + end, QTextCursor.MoveMode.KeepAnchor)
        change.insertText(text)
    change.endEditBlock()
    return True
