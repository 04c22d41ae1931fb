"""The Links pane and the Journal pane: what they list, and where a row leads."""

from __future__ import annotations

import json
import os

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.presentation.house import edit_outside
from tests.widgets.desk import Desk
from tests.widgets.small_memory import settle
from wikimem_desktop.presentation.buffer import Place

LEFT = Qt.MouseButton.LeftButton


def links(desk: Desk) -> list[str]:
    return [row.text for row in desk.app.links_view.list.row_model.rows]


def journal(desk: Desk) -> list[str]:
    rows = desk.app.journal_view.list.row_model.rows
    return [rows[number].text for number in range(len(rows))]


def test_links_out_and_in_with_their_lines_and_where_they_lead(notes: Desk) -> None:
    notes.open_item("prefs:tea")
    notes.window.docks.show_pane("links")
    view = notes.app.links_view
    notes.until(lambda: links(notes) == ["→  prefs:sea"])
    assert view.list.row_model.rows[0].detail == "out · prefs.md:9"
    notes.keys("Return")
    assert notes.address == "prefs:sea"
    notes.until(lambda: links(notes) == ["←  plans:beach", "←  plans:beach", "←  prefs:tea"])
    view.filter_box.setFocus()
    notes.type(view.filter_box, "tea")
    assert links(notes) == ["←  prefs:tea"]
    view.list.setFocus()
    notes.keys("Return")
    assert notes.address == "prefs:tea"


def test_missing_targets_and_items_nobody_links_to_follow_the_disk(notes: Desk) -> None:
    notes.open_item("prefs:tea")
    notes.window.docks.show_pane("links")
    view = notes.app.links_view
    QTest.mouseClick(view.kinds.buttons[1], LEFT)
    notes.until(lambda: links(notes) == [])
    edit_outside(notes.path("plans"), "north", "north [[prefs:rain]] and [[prefs:rain]]")
    settle(notes)
    notes.until(lambda: links(notes) == ["prefs:rain"])
    assert view.list.row_model.rows[0].detail.startswith("2 links")
    QTest.mouseClick(view.kinds.buttons[2], LEFT)
    notes.until(lambda: "plans:walk" in links(notes))
    assert "prefs:sea" not in links(notes)


def test_the_journal_is_listed_newest_first_and_follows_the_file(notes: Desk) -> None:
    """B13."""
    store = notes.app.library.store
    assert store is not None
    lines = [
        {"ts": "2026-07-10T03:00:00+00:00", "action": "add", "category": "prefs", "item": "sea", "owner": "me"},
        {"ts": "2026-07-11T03:00:00+00:00", "action": "remove", "file": "prefs", "item": "gone", "detail": "plans:x"},
        {"ts": "2026-07-12T03:00:00+00:00", "action": "diary", "date": "2026-07-12", "time": "09:00"},
    ]
    text = "\n".join(json.dumps(line) for line in lines) + '\n\n[]\n"x"\n{"ts": "2026-0'
    store.journal.path.write_text(text)
    notes.window.docks.show_pane("journal")
    view = notes.app.journal_view
    notes.until(lambda: len(journal(notes)) == 3)
    assert journal(notes) == ["·  2026-07-12:09:00", "−  prefs:gone  (plans:x)", "+  prefs:sea"]
    assert view.broken.text() == "3 broken lines"
    notes.app.structure.rename(Place("item", "prefs", "sea"), "ocean")
    settle(notes)
    notes.until(lambda: journal(notes)[0].startswith("±"))
    view.filter_box.setFocus()
    notes.type(view.filter_box, "gone")
    notes.until(lambda: journal(notes) == ["−  prefs:gone  (plans:x)"])
    view.list.setFocus()
    notes.keys("Return")
    assert "is not there any more" in notes.notice()
    view.filter_box.clear()
    view.action.setCurrentIndex(view.action.findData("add"))
    notes.until(lambda: len(journal(notes)) == 2)
    store.journal.path.write_text("")
    os.utime(store.journal.path)
    notes.app.journal.read()
    notes.until(lambda: journal(notes) == [])
