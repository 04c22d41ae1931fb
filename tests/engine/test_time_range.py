"""Dates that a query names, and windows that a caller gives."""

from __future__ import annotations

from datetime import date, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.folders import fill
from wikimem_desktop.engine import MemoryIndex, MemoryStore, errors, parse_time_range

TODAY = date(2026, 8, 5)  # a Wednesday

RANGES: dict[str, tuple[str, str] | None] = {
    "去了2026-07-21的会": ("2026-07-21", "2026-07-21"),
    "2026-7-1": ("2026-07-01", "2026-07-01"),
    "2024/2/29": ("2024-02-29", "2024-02-29"),
    "2026-02-29 昨天": None,  # a date that is none, and so no guess at the rest
    "2026/13/01": None,
    "8月5日": ("2026-08-05", "2026-08-05"),
    "8月6日": ("2025-08-06", "2025-08-06"),
    "2月29日": None,
    "12月31号还是昨天": ("2025-12-31", "2025-12-31"),
    "上周一": ("2026-07-27", "2026-07-27"),
    "上个星期天": ("2026-08-02", "2026-08-02"),
    "上礼拜日": ("2026-08-02", "2026-08-02"),
    "本周一": ("2026-08-03", "2026-08-03"),
    "这个礼拜六": ("2026-08-08", "2026-08-08"),
    "一天前": ("2026-08-04", "2026-08-04"),
    "两天前": ("2026-08-03", "2026-08-03"),
    "10天前": ("2026-07-26", "2026-07-26"),
    "1 day ago": ("2026-08-04", "2026-08-04"),
    "15 Days Ago": ("2026-07-21", "2026-07-21"),
    "1周前": ("2026-07-27", "2026-08-02"),
    "三星期前": ("2026-07-13", "2026-07-19"),
    "两礼拜前": ("2026-07-20", "2026-07-26"),
    "上星期": ("2026-07-27", "2026-08-02"),
    "上个礼拜": ("2026-07-27", "2026-08-02"),
    "本星期": ("2026-08-03", "2026-08-09"),
    "上月": ("2026-07-01", "2026-07-31"),
    "本月": ("2026-08-01", "2026-08-31"),
    "这个月": ("2026-08-01", "2026-08-31"),
    "昨日": ("2026-08-04", "2026-08-04"),
    "大前天": ("2026-08-02", "2026-08-02"),
    "大后天": ("2026-08-08", "2026-08-08"),
    "后天": ("2026-08-07", "2026-08-07"),
    "YESTERDAY?": ("2026-08-04", "2026-08-04"),
    "yesterdays": None,
    "todayish": None,
    "下个月": None,
    "周三": None,
    "May 3rd": None,
    "99999999999天前": None,
    "9999999 days ago": None,
    "0000-01-01": None,
    "sea": None,
}


@pytest.mark.parametrize("text", RANGES)
def test_words_for_days_weeks_and_months(text: str) -> None:
    assert parse_time_range(text, today=TODAY) == RANGES[text]


@pytest.mark.parametrize(
    ("today", "text", "expected"),
    [
        (date(2026, 1, 15), "上个月", ("2025-12-01", "2025-12-31")),
        (date(2024, 3, 31), "上个月", ("2024-02-01", "2024-02-29")),
        (date(2026, 12, 31), "这个月", ("2026-12-01", "2026-12-31")),
        (date(2026, 1, 1), "昨天", ("2025-12-31", "2025-12-31")),
        (date(2026, 1, 1), "这周", ("2025-12-29", "2026-01-04")),
        (date(2026, 8, 3), "上周日", ("2026-08-02", "2026-08-02")),
        (date(2026, 8, 9), "这周一", ("2026-08-03", "2026-08-03")),
        (date(2024, 2, 29), "2月29日", ("2024-02-29", "2024-02-29")),
    ],
)
def test_edges_of_months_weeks_and_years(today: date, text: str, expected: tuple[str, str]) -> None:
    assert parse_time_range(text, today=today) == expected


@given(st.text("0123456789-/一两十上这本个周星期礼拜日天前后大昨今明月号 agodystr", max_size=14), st.dates())
@settings(max_examples=400, deadline=None)
def test_any_text_gives_two_ordered_days_or_none(text: str, today: date) -> None:
    found = parse_time_range(text, today=today)
    if found is not None:
        first, last = (date.fromisoformat(day) for day in found)
        assert first <= last
        assert (first.isoformat(), last.isoformat()) == found
        assert (last - first).days < 31


@given(st.dates(date(1000, 1, 1)))
@settings(max_examples=100, deadline=None)
def test_a_day_written_out_is_that_day(day: date) -> None:
    text = day.isoformat()
    assert parse_time_range(f"on {text}", today=TODAY) == (text, text)
    assert parse_time_range(f"{day.year}/{day.month}/{day.day}", today=TODAY) == (text, text)


def test_today_is_that_of_the_zone() -> None:
    """The day at UTC+14 is always a later one than at UTC-12."""
    west = parse_time_range("今天", tz=timezone(timedelta(hours=-12)))
    east = parse_time_range("今天", tz=timezone(timedelta(hours=14)))
    assert west is not None
    assert east is not None
    assert west < east


@pytest.fixture
def index(tmp_path: Path) -> MemoryIndex:
    files: dict[str, str | bytes] = {"wiki/a.md": "## sea\n\nthe sea\n"}
    files |= {f"diary/2026-07-{day}.md": f"## 10:00\n\nsea on day {day}\n" for day in ("03", "05")}
    return MemoryIndex(MemoryStore(fill(tmp_path, files)), use_jieba=False)


def addresses(result: Any) -> list[tuple[str, str]]:
    return [(hit.item.category, hit.item.name) for hit in result.items]


def test_without_a_window_the_diary_stays_out(index: MemoryIndex) -> None:
    result = index.retrieve("sea")
    assert addresses(result) == [("a", "sea")]
    assert (result.time_range, result.time_range_source, result.time_range_widened) == (None, None, False)


def test_entries_of_the_window_join_the_ranking(index: MemoryIndex) -> None:
    result = index.retrieve("sea", time_range=("2026-07-03", "2026-07-04"))
    assert addresses(result) == [("a", "sea"), ("2026-07-03", "10:00")]
    assert (result.time_range, result.time_range_source) == (("2026-07-03", "2026-07-04"), "explicit")


def test_a_query_of_a_date_only_has_terms_and_a_parsed_window(index: MemoryIndex) -> None:
    result = index.retrieve("2026-07-05")
    assert (result.time_range, result.time_range_source) == (("2026-07-05", "2026-07-05"), "parsed")


def test_no_terms_and_a_window_list_the_window_newest_first(index: MemoryIndex) -> None:
    result = index.retrieve("!", time_range=("2026-07-01", "2026-07-31"), budget_tokens=1, explain=True)
    assert addresses(result) == [("2026-07-05", "10:00")]
    assert (result.items[0].score, result.dropped) == (None, [])


def test_a_reversed_window_is_turned_round(index: MemoryIndex) -> None:
    result = index.retrieve("sea", time_range=("2026-07-04", "2026-07-03"))
    assert result.time_range == ("2026-07-03", "2026-07-04")
    assert len(result.items) == 2


def test_an_empty_window_is_widened_by_a_day_if_that_finds_something(index: MemoryIndex) -> None:
    widened = index.retrieve("sea", time_range=("2026-07-06", "2026-07-07"))
    assert (widened.time_range, widened.time_range_widened) == (("2026-07-05", "2026-07-08"), True)
    assert addresses(widened)[-1] == ("2026-07-05", "10:00")
    empty = index.retrieve("sea", time_range=("2026-07-08", "2026-07-08"))
    assert (empty.time_range, empty.time_range_widened) == (("2026-07-08", "2026-07-08"), False)


@pytest.mark.parametrize(
    "window", [("2026-07-03", "x"), ("", ""), ("2026-7-3", "2026-07-04"), ("2026-02-30", "2026-03-01"), ("2026-07-03",)]
)
def test_a_malformed_window_is_a_value_error(window: Any, index: MemoryIndex) -> None:
    with pytest.raises(errors.InvalidTimeRange):
        index.retrieve("sea", time_range=window)


@pytest.mark.parametrize("window", [("0001-01-01", "0001-01-01"), ("9999-12-31", "9999-12-31")])
def test_windows_at_the_ends_of_the_calendar_are_no_error(window: tuple[str, str], index: MemoryIndex) -> None:
    assert addresses(index.retrieve("sea", time_range=window)) == [("a", "sea")]
