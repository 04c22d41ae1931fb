"""Copies that sync tools leave beside a file are known by their names, and what is meant is left alone (B60)."""

from __future__ import annotations

import pytest

from wikimem_desktop.engine.conflict_copies import original_of

CATEGORIES = {"prefs", "prefs-mac", "my_notes"}


@pytest.mark.parametrize(
    "copy",
    [
        "prefs-MacBook",
        "prefs-DESKTOP-7QX2",
        "prefs (conflicted copy)",
        "prefs (conflicted copy 2026-01-01)",
        "prefs (Ann's conflicted copy 2026-01-01)",
        "prefs_conflict-20260101",
        "prefs.sync-conflict-1",
        "prefs.sync-conflict-20260101-120000-ABCDEFG",
        "prefs (1)",
        "prefs - Copy",
        "prefs - Copy (2)",
        "prefs~HOST",
    ],
)
def test_b60_a_copy_of_a_sync_tool_is_known(copy: str) -> None:
    assert original_of(copy, CATEGORIES) == "prefs"


@pytest.mark.parametrize(
    "name", ["prefs", "prefs-mac", "my_notes", "conflict-20260101", "other (1)", "other-MacBook", "prefs_conflict", ""]
)
def test_a_category_that_is_meant_is_no_copy(name: str) -> None:
    assert original_of(name, CATEGORIES) is None
