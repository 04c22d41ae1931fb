"""The diary: appended in order of time, every other byte of the day kept, hand-edited files read as they are."""

from __future__ import annotations

import json
from datetime import UTC, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine import messy
from tests.engine.folders import TS, fill, tree
from tests.engine.naive_host import read_sections
from wikimem_desktop.engine import MemoryStore, errors

DAY = "2026-07-10"
HAND_EDITED = (
    "\ufeff# 2026-07-10\r\n\r\nA fine day.\r\n\r\n## 08:00\r\n\r\nearly\r\n\r\n## 08:00\r\n\r\nearly too\r\n"
    "<!-- wikimem: owner=me | mood=ok -->\r\n## 21:30\r\nlate\u2028later"
)


@pytest.fixture
def store(tmp_path: Path) -> MemoryStore:
    return MemoryStore(tmp_path, layout="wiki")


def day_file(store: MemoryStore, text: str, day: str = DAY) -> Path:
    return fill(store.root / "diary", {f"{day}.md": text}) / f"{day}.md"


def brief(store: MemoryStore, day: str = DAY) -> list[tuple[str, str]]:
    return [(entry.time, entry.content) for entry in store.diary.day(day)]


def test_an_event_makes_its_day_file_and_a_journal_line(store: MemoryStore) -> None:
    entry = store.diary.append(" 海边 \n", date=DAY, time="09:05", owner="a|b", source_conv="c1", ts=TS)
    assert (entry.date, entry.time, entry.content, entry.ts) == (DAY, "09:05", "海边", TS)
    text = (store.root / "diary" / f"{DAY}.md").read_bytes().decode()
    assert text == f"# {DAY}\n\n## 09:05\n\n海边\n\n<!-- wikimem: owner=a/b | source=c1 | ts={TS} -->\n"
    line = json.loads((store.root / "journal.jsonl").read_bytes())
    assert (line["action"], line["date"], line["time"]) == ("diary", DAY, "09:05")
    assert not set(line) - {"ts", "action", "date", "time", "owner", "source_conv", "detail"}
    read = MemoryStore(store.root).diary.day(DAY)
    assert [(e.date, e.time, e.content, e.owner, e.source_conv, e.ts) for e in read] == [
        (DAY, "09:05", "海边", "a/b", "c1", TS)
    ]


def test_events_are_sorted_by_time_and_repeated_minutes_keep_their_order(store: MemoryStore) -> None:
    for time, content in [
        ("12:00", "b"),
        ("08:00", "a"),
        ("12:00", "c"),
        ("23:59", "e"),
        ("12:00", "d"),
        ("00:00", "z"),
    ]:
        store.diary.append(content, date=DAY, time=time)
    expected = [("00:00", "z"), ("08:00", "a"), ("12:00", "b"), ("12:00", "c"), ("12:00", "d"), ("23:59", "e")]
    assert brief(store) == expected


@pytest.mark.parametrize("time", ["00:00", "08:00", "08:01", "21:30", "23:59"])
def test_an_event_in_a_hand_edited_day_changes_no_other_byte(time: str, store: MemoryStore) -> None:
    path = day_file(store, HAND_EDITED)
    old = brief(store)
    assert old == [("08:00", "early"), ("08:00", "early too"), ("21:30", "late\nlater")]
    store.diary.append("new\nevent", date=DAY, time=time, ts=TS)
    assert brief(store) == sorted([*old, (time, "new\nevent")], key=lambda entry: entry[0])
    before, after = HAND_EDITED, path.read_bytes().decode()
    length = len(after) - len(before)
    block = [f"## {time}", "new", "event", f"<!-- wikimem: ts={TS} -->"]
    cuts = [cut for cut in range(len(before) + 1) if before == after[:cut] + after[cut + length :]]
    added = [[line for line in after[cut : cut + length].split("\r\n") if line] for cut in cuts]
    assert block in added


@given(messy.files(), st.integers(0, 23), st.integers(0, 59))
@settings(max_examples=150, deadline=None)
def test_every_byte_of_any_day_file_stays_around_the_new_event(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, hour: int, minute: int
) -> None:
    store = MemoryStore(tmp_path_factory.mktemp("diary"), layout="wiki")
    path = fill(store.root / "diary", {f"{DAY}.md": data}) / f"{DAY}.md"
    time = f"{hour:02}:{minute:02}"
    store.diary.append("the event", date=DAY, time=time, ts=TS)
    new = path.read_bytes()
    assert any(new.startswith(data[:cut]) and new.endswith(data[cut:]) for cut in range(len(data) + 1))
    assert len(new) > len(data)
    found = [(s.name, s.content, s.owner) for s in read_sections(new)]
    found.remove((time, "the event", None))
    assert found == [(s.name, s.content, s.owner) for s in read_sections(data)]


def test_days_are_those_with_a_file_and_windows_hold_both_ends(store: MemoryStore) -> None:
    assert (store.diary.dates(), store.diary.window("2026-01-01", "2026-12-31")) == ([], [])
    for day in ("2026-07-12", "2026-07-09", "2026-07-10"):
        store.diary.append(f"on {day}", date=day, time="10:00")
    fill(store.root / "diary", {"notes.md": "## 10:00\n\nno day\n", "2026-07-11.txt": "x", "sub/2026-07-11.md": "x"})
    assert store.diary.dates() == ["2026-07-09", "2026-07-10", "2026-07-12"]
    found = store.diary.window("2026-07-09", "2026-07-10")
    assert [(entry.date, entry.content) for entry in found] == [("2026-07-09", "on 2026-07-09"), (DAY, f"on {DAY}")]
    assert store.diary.window("2026-07-11", "2026-07-11") == []
    assert store.diary.day("2026-07-11") == []


def test_a_day_that_is_not_utf8_is_left_out_of_windows_and_never_written(store: MemoryStore) -> None:
    bad = "## 10:00\n\n海边\n".encode("gbk")
    fill(store.root / "diary", {f"{DAY}.md": bad})
    store.diary.append("good", date="2026-07-11", time="10:00")
    assert [entry.content for entry in store.diary.window(DAY, "2026-07-11")] == ["good"]
    before = tree(store.root)
    with pytest.raises(errors.NotUtf8):
        store.diary.append("more", date=DAY, time="10:00")
    assert tree(store.root) == before


@pytest.mark.parametrize(
    "day", ["2026-7-1", "2026-02-30", "2026-13-01", "20260701", "", "2026-07-01\n", "../x", "２０２６-07-01"]
)
def test_what_is_no_day_is_refused(day: str, store: MemoryStore) -> None:
    with pytest.raises(ValueError, match=r"."):
        store.diary.append("text", date=day, time="10:00")
    with pytest.raises(ValueError, match=r"."):
        store.diary.day(day)
    assert tree(store.root) == {}


@pytest.mark.parametrize("time", ["9:05", "24:00", "12:60", "1205", "", "12:05:00", "12:05\n", "１２:00", "a"])
def test_what_is_no_time_is_refused(time: str, store: MemoryStore) -> None:
    with pytest.raises(ValueError, match=r"."):
        store.diary.append("text", date=DAY, time=time)
    assert tree(store.root) == {}


@pytest.mark.parametrize("content", ["## 10:00", "a\n## b", "<!-- wikimem: owner=x -->", "  ## x"])
def test_text_that_would_be_read_as_another_event_is_refused(content: str, store: MemoryStore) -> None:
    day_file(store, HAND_EDITED)
    before = tree(store.root)
    with pytest.raises(errors.ContentNotStorable):
        store.diary.append(content, date=DAY, time="10:00")
    assert tree(store.root) == before


def test_day_and_time_come_from_the_moment_in_the_given_zone(store: MemoryStore) -> None:
    shanghai = timezone(timedelta(hours=8))
    entry = store.diary.append("late", ts="2026-07-09T23:30:00+00:00", tz=shanghai)
    assert (entry.date, entry.time, entry.ts) == (DAY, "07:30", "2026-07-09T23:30:00+00:00")
    entry = store.diary.append("early", ts="2026-07-10T01:15:00+08:00", tz=UTC)
    assert (entry.date, entry.time) == ("2026-07-09", "17:15")
    entry = store.diary.append("given", ts=TS, date="2026-01-02", time="03:04", tz=shanghai)
    assert (entry.date, entry.time, entry.ts) == ("2026-01-02", "03:04", TS)
