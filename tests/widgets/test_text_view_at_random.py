"""The write view through edits at random: its colours are always those of the text loaded anew."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextCursor, QTextDocument
from pytestqt.qtbot import QtBot

from tests.widgets.text_view import View
from wikimem_desktop.widgets.editor import special_lines
from wikimem_desktop.widgets.editor.text_edit import TextEdit

PIECES = [
    "```", "~~~~", "\n", "\n", "\n```\n", "text **b** `c`", "[[a:b]]", "x" * 70, "𠮷", "\n\n\n", "# h\n", "`", "    ",
    "\n" * 8, "```\n" * 8, "word [[a:c]]\n" * 9,
]  # fmt: skip


def at_random(edit: TextEdit, rng: random.Random) -> None:
    """Do something to a text, as keys, pasting, undo or a change on disk would."""
    cursor = edit.textCursor()

    def go(mode: QTextCursor.MoveMode = QTextCursor.MoveMode.MoveAnchor, span: int | None = None) -> None:
        end = edit.document().characterCount() - 1
        place = rng.randint(0, end) if span is None else min(end, cursor.position() + rng.randint(0, span))
        cursor.setPosition(place, mode)

    def insert() -> None:
        go()
        cursor.insertText(rng.choice(PIECES))

    def remove() -> None:
        go()
        go(QTextCursor.MoveMode.KeepAnchor, 30)
        cursor.removeSelectedText()

    def several() -> None:
        cursor.beginEditBlock()
        insert()
        remove()
        insert()
        cursor.endEditBlock()

    def load() -> None:
        edit.setPlainText("".join(rng.choice(PIECES) for _ in range(rng.randint(0, 12))))

    def look() -> None:
        go()
        edit.setTextCursor(cursor)

    steps: list[Callable[[], object]] = [insert, insert, insert, remove, remove, several, edit.undo, edit.redo, look]
    rng.choice([*steps, *steps, load])()


def looks(view: View) -> list[tuple[str, list[tuple[int, int, QTextCharFormat]]]]:
    """Every line with its formats, after all of the text has been in view."""
    bar = view.edit.verticalScrollBar()
    for value in range(bar.maximum() + 1):
        bar.setValue(value)
        view.paint()
    return [
        (block.text(), [(s.start, s.length, QTextCharFormat(s.format)) for s in block.layout().formats()])
        for block in blocks(view.edit.document())
    ]


@pytest.mark.parametrize("seed", range(12))
def test_after_any_edits_a_text_looks_as_if_loaded_anew(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(special_lines, "LONG_LINE", 60)
    monkeypatch.setattr("wikimem_desktop.widgets.editor.highlighting._MANY", 6)
    rng = random.Random(seed)
    view, other = View(qtbot), View(qtbot)
    view.show("".join(rng.choice(PIECES) for _ in range(10)))
    view.edit.resize(300, 150)
    other.edit.resize(300, 150)
    for _ in range(12):
        for _ in range(rng.randint(1, 4)):
            at_random(view.edit, rng)
            if rng.random() < 0.5:
                view.paint()
        other.show(view.edit.toPlainText())
        assert looks(view) == looks(other)
        assert (view.edit.long_lines, view.wraps) == (other.edit.long_lines, other.wraps)


def blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()
