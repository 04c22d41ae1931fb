"""Rows of lines that are about to change: the change is seen whole, however long the line in front of it is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QStringListModel
from pytestqt.qtbot import QtBot

from wikimem_desktop.widgets.change_rows import ChangeList
from wikimem_desktop.widgets.theme import LIGHT, Theme

NEW = "[[preferences:likes-the-sea]]"


def columns(qtbot: QtBot, head: str, tail: str, width: int) -> int:
    """How wide the new text of a row is painted, in pixels."""
    line = [(head, "text"), ("[[a:b]]", "cut"), (" → ", "muted"), (NEW, "good"), (tail, "text")]
    shown = ChangeList(Theme(), QStringListModel(["row"]), lambda row: ([("a.md:1", "muted")], line))
    qtbot.addWidget(shown)
    shown.resize(width, 80)
    shown.show()
    image = shown.viewport().grab().toImage()
    good = [
        x
        for x in range(image.width())
        if any(image.pixelColor(x, y).name() == LIGHT.good.lower() for y in range(image.height()))
    ]
    return good[-1] - good[0]


@pytest.mark.parametrize("tail", ["", " and more", " and more" * 40])
@pytest.mark.parametrize("head", ["see ", "word " * 30, "i" * 300])
def test_what_comes_is_painted_whole(head: str, tail: str, application: object, qtbot: QtBot) -> None:
    whole = columns(qtbot, "", "", 600)
    assert all(abs(columns(qtbot, head, tail, width) - whole) <= 1 for width in range(500, 530))
