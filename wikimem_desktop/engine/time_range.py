"""A window of days read out of a query: "昨天", "2 days ago", "上周三", "2026-07-21" …

First match wins, in the order of `_READERS`; what is not certain is no window (FORMAT.md section 5).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta, tzinfo

from .errors import InvalidTimeRange

TimeRange = tuple[str, str]
"""First and last day, both included, `YYYY-MM-DD`."""

_Window = tuple[date, date]
_WEEK = "(?:周|星期|礼拜)"
_COUNT = r"(\d+|[一二两三四五六七八九十])"
_CHINESE_NUMBERS = dict(zip("一二三四五六七八九十", range(1, 11), strict=True)) | {"两": 2}
_WEEKDAYS = dict(zip("一二三四五六日", range(7), strict=True)) | {"天": 6}
_DAY_WORDS = {  # longest first
    "yesterday": -1, "tomorrow": 1, "today": 0,
    "大前天": -3, "大后天": 3, "前天": -2, "昨天": -1, "昨日": -1, "今天": 0, "明天": 1, "后天": 2,
}  # fmt: skip

_ISO_DATE = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})")
_MONTH_DAY = re.compile(r"(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]")
_WEEKDAY = re.compile(rf"(上|这|本)[个一]?{_WEEK}\s*([一二三四五六日天])")
_DAYS_AGO = re.compile(rf"{_COUNT}\s*天前")
_DAYS_AGO_ENGLISH = re.compile(r"(\d+)\s+days?\s+ago", re.IGNORECASE)
_WEEKS_AGO = re.compile(rf"{_COUNT}\s*{_WEEK}前")
_LAST_WEEK = re.compile(rf"上[个一]?{_WEEK}")
_THIS_WEEK = re.compile(rf"[这本][个一]?{_WEEK}")
_LAST_MONTH = re.compile(r"上个?月")
_THIS_MONTH = re.compile(r"[这本]个?月")


def _days(first: date, count: int = 1) -> _Window:
    return first, first + timedelta(days=count - 1)


def _monday(today: date, weeks_ago: int) -> date:
    return today - timedelta(days=today.weekday() + 7 * weeks_ago)


def _number(token: str) -> int:
    return _CHINESE_NUMBERS.get(token) or int(token)


def _iso_date(match: re.Match[str], today: date) -> _Window:
    return _days(date(int(match[1]), int(match[2]), int(match[3])))


def _month_day(match: re.Match[str], today: date) -> _Window:
    day = date(today.year, int(match[1]), int(match[2]))
    return _days(day if day <= today else day.replace(year=today.year - 1))


def _weekday(match: re.Match[str], today: date) -> _Window:
    return _days(_monday(today, int(match[1] == "上")) + timedelta(days=_WEEKDAYS[match[2]]))


def _days_ago(match: re.Match[str], today: date) -> _Window:
    return _days(today - timedelta(days=_number(match[1])))


def _weeks_ago(match: re.Match[str], today: date) -> _Window:
    return _days(_monday(today, _number(match[1])), 7)


def _last_week(match: re.Match[str], today: date) -> _Window:
    return _days(_monday(today, 1), 7)


def _this_week(match: re.Match[str], today: date) -> _Window:
    return _days(_monday(today, 0), 7)


def _last_month(match: re.Match[str], today: date) -> _Window:
    last = today.replace(day=1) - timedelta(days=1)
    return last.replace(day=1), last


def _this_month(match: re.Match[str], today: date) -> _Window:
    first = today.replace(day=1)
    return first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)


_READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], _Window]], ...] = (
    (_ISO_DATE, _iso_date),
    (_MONTH_DAY, _month_day),
    (_WEEKDAY, _weekday),
    (_DAYS_AGO, _days_ago),
    (_DAYS_AGO_ENGLISH, _days_ago),
    (_WEEKS_AGO, _weeks_ago),
    (_LAST_WEEK, _last_week),
    (_THIS_WEEK, _this_week),
    (_LAST_MONTH, _last_month),
    (_THIS_MONTH, _this_month),
)


def _day_word(text: str, today: date) -> _Window | None:
    lowered = text.lower()
    for word, days in _DAY_WORDS.items():
        if word in lowered and (not word.isascii() or re.search(rf"\b{word}\b", lowered)):
            return _days(today + timedelta(days=days))
    return None


def parse_time_range(text: str, *, tz: tzinfo | None = None, today: date | None = None) -> TimeRange | None:
    """The inclusive window of days that the text names, or None when it names none for certain.

    `today` defaults to the calendar day in `tz` (None: this machine's zone), as diary files are named.
    """
    now = today or datetime.now(tz).date()
    try:
        for pattern, read in _READERS:
            match = pattern.search(text)
            if match:
                first, last = read(match, now)
                return first.isoformat(), last.isoformat()
        window = _day_word(text, now)
    except (ValueError, OverflowError):
        return None
    return (window[0].isoformat(), window[1].isoformat()) if window else None


def check_time_range(value: tuple[str, str]) -> TimeRange:
    """The window with its days in order; raises `InvalidTimeRange` when it is not two days `YYYY-MM-DD`."""
    try:
        first, last = value
        for day in (first, last):
            if date.fromisoformat(day).isoformat() != day:
                raise InvalidTimeRange(value)
    except (TypeError, ValueError) as error:
        raise InvalidTimeRange(value) from error
    return (last, first) if first > last else (first, last)


def widen(window: TimeRange) -> TimeRange:
    """The window with one more day on each side (the calendar's ends stay put)."""
    first, last = date.fromisoformat(window[0]), date.fromisoformat(window[1])
    day = timedelta(days=1)
    return (
        (first - day if first > date.min else first).isoformat(),
        (last + day if last < date.max else last).isoformat(),
    )
