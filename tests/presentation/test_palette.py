"""Which places come first for a few letters."""

from __future__ import annotations

import pytest

from wikimem_desktop.presentation.palette import best_matches

PLACES = ["prefs:sea", "prefs:tea", "plans:sea trip", "daily:overseas", "people:海边的人", "diary notes:s e a"]


def found(letters: str, recent: tuple[str, ...] = ()) -> list[str]:
    return [match.text for match in best_matches(letters, [(text, text) for text in PLACES], recent)]


@pytest.mark.parametrize(
    ("letters", "first"),
    [
        ("sea", "prefs:sea"),
        ("SEA", "prefs:sea"),
        ("trip", "plans:sea trip"),
        ("海边", "people:海边的人"),
        ("pstea", "prefs:tea"),
    ],
)
def test_the_best_match_comes_first(letters: str, first: str) -> None:
    assert found(letters)[0] == first


def test_names_that_begin_so_come_before_those_that_hold_it() -> None:
    assert found("sea") == ["prefs:sea", "plans:sea trip", "daily:overseas", "prefs:tea", "diary notes:s e a"]


def test_without_letters_the_recent_ones_come_first() -> None:
    assert found("", ("plans:sea trip", "gone:x", "prefs:tea"))[:3] == ["plans:sea trip", "prefs:tea", "prefs:sea"]


def test_of_equal_matches_the_recent_one_comes_first() -> None:
    entries = [("a:x1", 1), ("b:x1", 2)]
    assert [match.text for match in best_matches("x1", entries, ["b:x1"])] == ["b:x1", "a:x1"]


def test_the_letters_that_were_found_are_told() -> None:
    (match,) = best_matches("pse", [("prefs:sea", None)])
    assert "".join(match.text[start:end] for start, end in match.spans) == "pse"


def test_what_does_not_hold_all_letters_is_left_out() -> None:
    assert found("seax") == []
