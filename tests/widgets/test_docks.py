"""Panes fill their docks, whatever stood in front of them before; what is behind another tab is passed by."""

from __future__ import annotations

import pytest

from tests.widgets.desk import Desk

BELOW = ("problems", "links", "history", "changes", "journal", "find")


def assert_full(desk: Desk, name: str) -> None:
    dock = desk.window.docks.all[name]
    pane, bar = dock.widget(), dock.titleBarWidget()
    assert pane.isVisible()
    assert pane.width() == dock.width()
    assert pane.height() == dock.height() - (bar.height() if bar.isVisible() else 0)


def test_the_side_panes_are_as_large_as_they_were_meant_to_be(sample: Desk) -> None:
    for name in ("memory", "playground", "problems"):
        assert_full(sample, name)
    docks = sample.window.docks.all
    assert docks["memory"].width() >= 220
    assert docks["memory"].height() > 400
    assert docks["problems"].height() > 120


@pytest.mark.parametrize("name", BELOW)
def test_a_pane_that_comes_to_the_front_fills_its_dock_and_the_others_are_hidden(name: str, sample: Desk) -> None:
    docks = sample.window.docks
    docks.show_pane(BELOW[BELOW.index(name) - 1])
    docks.show_pane(name)
    sample.until(lambda: docks.all[name].widget().isVisible())
    sample.settle()
    assert_full(sample, name)
    assert [other for other in BELOW if docks.all[other].widget().isVisible()] == [name]
    sample.window.resize(1400, 860)
    sample.settle()
    assert_full(sample, name)


def test_a_closed_pane_comes_back_whole(sample: Desk) -> None:
    dock = sample.window.docks.all["memory"]
    dock.close()
    sample.settle()
    dock.toggleViewAction().trigger()
    sample.until(dock.widget().isVisible)
    assert_full(sample, "memory")
