"""The journal: appended line by line, and read whatever is in it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikimem_desktop.engine import Journal
from wikimem_desktop.engine.errors import WriteFailed


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.jsonl"


def test_a_missing_journal_has_no_entries_and_reading_makes_no_file(path: Path) -> None:
    journal = Journal(path)
    assert (journal.entries(), journal.broken) == ([], 0)
    assert not path.exists()


def test_entries_come_back_in_order_with_their_fields(path: Path) -> None:
    journal = Journal(str(path))
    journal.append("add", category="notes", item="海边 \u2028 x", owner=None)
    journal.append("remove", category="notes", item="a\nb")
    entries = Journal(path).entries()
    assert [(entry["action"], entry["item"]) for entry in entries] == [("add", "海边 \u2028 x"), ("remove", "a\nb")]
    assert [sorted(entry) for entry in entries] == [["action", "category", "item", "ts"]] * 2


def test_lines_are_raw_utf8_with_plain_ends(path: Path) -> None:
    journal = Journal(path)
    journal.append("add", category="notes", item="海边 😀")
    journal.append("add", category="notes", item="b")
    data = path.read_bytes()
    assert "海边 😀".encode() in data
    assert b"\\u" not in data
    assert (data.count(b"\n"), data.endswith(b"\n"), b"\r" in data) == (2, True, False)


@pytest.mark.parametrize(
    ("torn", "readable", "broken"),
    [
        pytest.param(b"", 0, 0, id="empty"),
        pytest.param(b'{"action": "add"}', 1, 0, id="whole-line-without-its-end"),
        pytest.param(b'{"action": "add"}\n{"act', 1, 1, id="half-a-line"),
        pytest.param(b'{"action": "add", "item": "\xe6\xb5', 0, 1, id="half-a-character"),
        pytest.param(b'{"action": "add"}\r\n', 1, 0, id="windows-end"),
        pytest.param(b'{"action": "add"}\n\n\n', 1, 0, id="blank-lines"),
        pytest.param(b'{"action": "add"}\n[1]\n"x"\nnull\n3\n', 1, 4, id="json-that-is-no-object"),
        pytest.param(b"\xff\xfe\n\x00\x00\n", 0, 2, id="binary-junk"),
        pytest.param(b"[" * 100_000 + b"\n", 0, 1, id="too-deep"),
        pytest.param(b'{"action": "add", "n": ' + b"9" * 5000 + b"}\n", 0, 1, id="a-number-python-refuses"),
    ],
)
def test_an_append_behind_anything_keeps_it_and_starts_on_its_own_line(
    torn: bytes, readable: int, broken: int, path: Path
) -> None:
    path.write_bytes(torn)
    journal = Journal(path)
    assert len(journal.entries()) == readable
    assert journal.broken == broken
    journal.append("add", category="notes", item="new")
    data = path.read_bytes()
    assert data.startswith(torn)
    gap = b"\n" if torn and not torn.endswith(b"\n") else b""
    tail = data[len(torn) + len(gap) :]
    assert data == torn + gap + tail
    assert json.loads(tail)["item"] == "new"
    assert tail.endswith(b"\n")
    assert [entry.get("item") for entry in journal.entries()] == [None] * readable + ["new"]
    assert journal.broken == broken


def test_the_count_of_broken_lines_is_that_of_the_last_reading(path: Path) -> None:
    journal = Journal(path)
    path.write_bytes(b"junk\njunk\n")
    journal.entries()
    assert journal.broken == 2
    path.write_bytes(b"{}\n")
    assert journal.entries() == [{}]
    assert journal.broken == 0


fields = st.dictionaries(st.sampled_from(["category", "item", "detail"]), st.text(st.characters(codec="utf-8")))


@given(st.lists(fields))
@settings(max_examples=60, deadline=None)
def test_any_texts_come_back(tmp_path_factory: pytest.TempPathFactory, entries: list[dict[str, str]]) -> None:
    journal = Journal(tmp_path_factory.mktemp("journal") / "journal.jsonl")
    for entry in entries:
        journal.append("add", **entry)
    found = [{key: value for key, value in entry.items() if key not in ("ts", "action")} for entry in journal.entries()]
    assert found == entries
    assert journal.broken == 0


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of the size of a file there")
def test_a_line_that_finds_room_for_a_part_only_is_an_error_and_the_next_one_stands_for_itself(path: Path) -> None:
    import resource

    journal = Journal(path)
    journal.append("add", category="notes", item="a")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 10, before[1]))
    try:
        with pytest.raises(WriteFailed):
            journal.append("add", category="notes", item="b")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    journal.append("add", category="notes", item="c")
    assert [entry["item"] for entry in journal.entries()] == ["a", "c"]
