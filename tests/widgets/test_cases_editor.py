"""Faults that people met elsewhere, tried at the window (the ids are those of the case list)."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from tests.engine.folders import fill
from tests.widgets.desk import Desk
from wikimem_desktop.engine.problems import Kind
from wikimem_desktop.presentation.problems_model import ProblemRole

LEFT, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


def problem(desk: Desk, kind: Kind) -> QModelIndex | None:
    """The first row of the problems pane of that kind."""
    model = desk.app.problems_model
    rows = [model.index(row) for row in range(model.rowCount())]
    return next((row for row in rows if row.data(ProblemRole.PROBLEM).kind is kind), None)


def choose_fix(desk: Desk, kind: Kind) -> None:
    """Ctrl+Enter on a problem."""
    row, view = problem(desk, kind), desk.app.problems_view
    assert row is not None
    view.setCurrentIndex(row)
    desk.key(view, Qt.Key.Key_Return, CTRL)
    desk.settle()
    desk.follow_disk()


# ------------------------------------------------------------ B08: names that look the same

NFC, NFD = "Caf\u00e9", "Cafe\u0301"
FORMS = f"## a\n\nsee [[forms:{NFC}]] and [[forms:b]] and [[forms:none]]\n\n## b\n\nx\n\n## {NFD}\n\nespresso\n"


@pytest.fixture
def forms(desk: Desk, tmp_path: Path) -> Desk:
    """An item whose link looks like another item's name, and is written otherwise."""
    desk.open(fill(tmp_path / "store", {"forms.md": FORMS}))
    desk.open_item("forms:a")
    return desk


@pytest.mark.parametrize("way", ["Ctrl+Enter", "Ctrl+click", "reader"])
def test_b08_a_link_that_looks_like_an_item_leads_to_it(forms: Desk, way: str) -> None:
    middle = forms.put_caret("[[forms:Ca")
    if way == "Ctrl+Enter":
        forms.key(forms.text, Qt.Key.Key_Return, CTRL)
    elif way == "Ctrl+click":
        QTest.mouseClick(forms.text.viewport(), LEFT, CTRL, middle)
    else:
        QTest.mouseClick(forms.app.item_view.header.read, LEFT)
        reader = forms.app.item_view.reader
        cursor = reader.document().find("forms:Ca")
        cursor.setPosition(cursor.selectionStart() + 2)
        QTest.mouseClick(reader.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, reader.cursorRect(cursor).center())
    assert forms.address == f"forms:{NFD}"
    assert forms.app.notices.current is None


def test_b08_such_a_link_looks_unlike_good_ones_and_missing_ones_and_says_why(forms: Desk) -> None:
    forms.text.grab()
    looks = set()
    for text in ("[[forms:Ca", "[[forms:b", "[[forms:none"):
        block = forms.text.document().firstBlock()
        span = next(s for s in block.layout().formats() if s.start == block.text().index(text))
        looks.add((span.format.foreground().color().name(), span.format.background().color().name()))
    assert len(looks) == 3
    assert "other characters" in hover(forms, forms.put_caret("[[forms:Ca"))
    assert "espresso" in QToolTip.text()
    assert "other characters" not in hover(forms, forms.put_caret("[[forms:b"))
    assert "no such item" in hover(forms, forms.put_caret("[[forms:none"))


def hover(desk: Desk, place: QPoint) -> str:
    viewport = desk.text.viewport()
    event = QHelpEvent(QHelpEvent.Type.ToolTip, place, viewport.mapToGlobal(place))
    QApplication.sendEvent(viewport, event)
    return QToolTip.text()


def test_b08_the_problem_is_told_apart_and_its_fix_changes_the_links_bytes_only(forms: Desk) -> None:
    path = forms.path("forms")
    assert [hit.item.address for hit in forms.run("see", links=True).sequence] == ["forms:a", "forms:b"]
    row = problem(forms, Kind.FORM_MISMATCH)
    assert row is not None
    assert row.data(ProblemRole.SEVERE)
    assert "Hosts will not resolve" in row.data()
    choose_fix(forms, Kind.FORM_MISMATCH)
    assert path.read_bytes().decode() == FORMS.replace(f"[[forms:{NFC}]]", f"[[forms:{NFD}]]")
    assert problem(forms, Kind.FORM_MISMATCH) is None
    assert f"forms:{NFD}" in [hit.item.address for hit in forms.run("see", links=True).sequence]
    forms.app.structure.undo()
    forms.settle()
    assert path.read_bytes().decode() == FORMS
