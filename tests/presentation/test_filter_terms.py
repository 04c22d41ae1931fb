"""What a filter's text asks for, and which items are like that."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem_desktop.engine.items import MemoryItem
from wikimem_desktop.presentation.filter_terms import Sieve, Term, letters_of, terms_of, without


def ago(**span: float) -> str:
    return (datetime.now().astimezone() - timedelta(**span)).isoformat()


ITEM = MemoryItem("prefs", "Sea Side", "喜欢海边 and Coffee", "user:xnne", "conv_1", ago(days=3))
BARE = MemoryItem("prefs", "bare", "")


@pytest.mark.parametrize(
    ("text", "terms", "letters"),
    [
        ("sea", [], "sea"),
        ("owner:user:xnne sea", [Term("owner", "user:xnne")], "sea"),
        ('likes  owner:"the user"  sea', [Term("owner", "the user", exact=True)], "likes sea"),
        ('owner:""', [Term("owner", "", exact=True)], ""),
        ('owner:"a""b"', [Term("owner", 'a"b', exact=True)], ""),
        ("owner: source: age: text:", [], ""),
        ('owner:"not closed', [Term("owner", "not closed")], ""),
        ("age:<7d text:海边 text:sea", [Term("age", "<7d"), Term("text", "海边"), Term("text", "sea")], ""),
        ("powner:a work:owner:b", [], "powner:a work:owner:b"),
    ],
)
def test_terms_are_told_from_letters(text: str, terms: list[Term], letters: str) -> None:
    assert terms_of(text) == terms
    assert letters_of(text) == letters


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("owner:xnne", True),
        ("owner:XNNE", True),
        ('owner:"xnne"', False),
        ('owner:"user:xnne"', True),
        ("owner:nobody", False),
        ("owner:nobody owner:user", True),
        ('owner:""', False),
        ("source:conv", True),
        ("source:conv owner:nobody", False),
        ("text:海边", True),
        ("text:COFFEE", True),
        ("text:side", True),
        ("text:海边 text:tea", False),
        ("age:<7d", True),
        ("age:7d", True),
        ("age:>2d", True),
        ("age:>2d age:<4d", True),
        ("age:<2d", False),
        ("age:<1w", True),
        ("age:>1m", False),
        ("age:<72h", False),
        ("age:<73h", True),
        ("age:today", False),
        ("age:week", True),
        ("age:month", True),
        ("age:older", False),
        ('age:""', False),
        ("age:mon", True),
        ("age:<", True),
    ],
)
def test_what_an_item_must_be_like(text: str, fits: bool) -> None:
    assert Sieve(terms_of(text)).lets(ITEM) is fits


@pytest.mark.parametrize("text", ['owner:""', 'source:""', 'age:""', "text:bare", "age:"])
def test_items_that_lack_something_can_be_asked_for(text: str) -> None:
    assert Sieve(terms_of(text)).lets(BARE)


@pytest.mark.parametrize("text", ["owner:a", "age:today", "age:older", "age:>1d"])
def test_what_an_item_lacks_it_does_not_have(text: str) -> None:
    assert not Sieve(terms_of(text)).lets(BARE)


def test_today_is_the_day_here_and_moments_are_compared_as_moments() -> None:
    sieve = Sieve(terms_of("age:today"))
    midnight = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
    assert sieve.lets(MemoryItem("a", "b", "", ts=midnight.isoformat()))
    assert not sieve.lets(MemoryItem("a", "b", "", ts=(midnight - timedelta(seconds=1)).isoformat()))
    assert not sieve.lets(MemoryItem("a", "b", "", ts="yesterday or so"))
    assert sieve.lets_day(midnight.date().isoformat())
    assert not sieve.lets_day("2020-01-01")
    assert not Sieve(terms_of("owner:a")).lets_day(midnight.date().isoformat())


values = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]) | st.just(" "), max_size=12)


@given(st.sampled_from(["owner", "source", "age", "text"]), values, st.booleans())
def test_a_term_is_read_as_it_was_written(field: str, value: str, exact: bool) -> None:
    term = Term(field, value, exact or not value or any(c.isspace() or c == '"' for c in value))
    assert terms_of(f"sea {term} side") == [term]
    assert letters_of(f"sea {term} side") == "sea side"


def test_a_term_is_taken_away_from_a_text() -> None:
    text = 'sea owner:"the user" age:week side'
    assert without(text, Term("owner", "the user", exact=True)) == "sea age:week side"
    assert without(text, Term("age", "week")) == 'sea owner:"the user" side'
    assert without(text, Term("owner", "the user")) == text


@pytest.mark.parametrize(
    ("before", "after", "narrower"),
    [
        ("", "owner:a", True),
        ("text:se", "text:sea", True),
        ("text:sea", "text:se", False),
        ("text:sea", "text:sea text:side", True),
        ("owner:a text:s", "owner:a text:se", True),
        ("owner:a", "owner:a owner:b", False),
        ("owner:a text:s", "owner:b text:se", False),
        ("text:sea owner:a", "text:sea", False),
    ],
)
def test_only_what_asks_for_more_looks_at_less(before: str, after: str, narrower: bool) -> None:
    assert Sieve(terms_of(after)).narrows(Sieve(terms_of(before))) is narrower
