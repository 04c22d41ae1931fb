"""Which places come first for a few letters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


def test_at_a_hundred_thousand_only_so_many_are_told_and_the_exact_one_is_first() -> None:
    entries = [(f"notes:note {number}", number) for number in range(100_000)]
    matches = best_matches("note 77", entries)
    assert matches[0].value == 77
    assert len(matches) == 200


@given(st.lists(st.text("ab:海 ", max_size=6), max_size=30), st.text("ab海 ", max_size=4))
def test_exactly_those_that_hold_the_letters_in_order_are_found(texts: list[str], letters: str) -> None:
    def holds(text: str) -> bool:
        rest = iter(f":{text}")
        return letters.strip() in text or all(letter in rest for letter in "".join(letters.split()))

    found = {match.text for match in best_matches(letters, [(text, text) for text in texts])}
    assert found == {text for text in texts if holds(text)}
    for match in best_matches(letters, [(text, text) for text in texts]):
        marked = "".join(match.text[start:end] for start, end in match.spans)
        assert "".join(marked.split()) == "".join(letters.split())


def test_what_does_not_hold_all_letters_is_left_out() -> None:
    assert found("seax") == []
