"""Settings and state: what is saved comes back; damage costs no more than what was damaged."""

from __future__ import annotations

import dataclasses
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem_desktop.places import find_places
from wikimem_desktop.settings import Settings, State, StoreState, load_settings, load_state, save

NOT_JSON = [b"", b"{", b"[1, 2]", b"null", b'"text"', b"\xff\xfe{}", b"[" * 100_000, b'{"theme": "dark"']

any_text = st.text(st.characters(exclude_categories=[]))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config" / "file.json"


def write(path: Path, values: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(values if isinstance(values, bytes) else json.dumps(values).encode())
    return path


def full_state() -> State:
    state = State("geometry", "layout", [], {})
    for name in ("first", "second"):
        kept = StoreState(f"{name}:item", "想去海边玩", 7, 140, False, False, "bigrams", ["people", "工作"])
        state.remember(Path("/memories") / name, kept)
    return state


def test_what_is_saved_comes_back(path: Path) -> None:
    save(path, Settings("dark"))
    assert load_settings(path) == Settings("dark")
    save(path, full_state())
    assert load_state(path) == full_state()
    first = load_state(path).store(Path("/memories/first"))
    assert first == StoreState("first:item", "想去海边玩", 7, 140, False, False, "bigrams", ["people", "工作"])
    assert [entry.name for entry in path.parent.iterdir()] == ["file.json"]


@given(any_text, any_text)
def test_any_text_comes_back(root: str, query: str) -> None:
    """A folder's name may hold bytes that are no UTF-8, as half characters."""
    state = State()
    state.remember(Path(f"/x{root}".replace("\0", "")), StoreState(query=query))
    path = find_places().state_file
    save(path, state)
    assert load_state(path) == state


def test_a_missing_file_gives_the_defaults(path: Path) -> None:
    assert load_settings(path) == Settings()
    assert load_state(path) == State()
    assert not path.parent.exists()


@pytest.mark.parametrize("damage", NOT_JSON, ids=lambda damage: repr(damage[:12]))
def test_a_file_that_is_no_json_object_is_set_aside(damage: bytes, path: Path) -> None:
    write(path, damage)
    assert load_settings(path) == Settings()
    assert not path.exists()
    assert path.with_name("file.json.bad").read_bytes() == damage
    write(path, damage)
    assert load_state(path) == State()
    save(path, State("geometry"))
    assert load_state(path).geometry == "geometry"


def test_a_file_saved_by_an_editor_with_a_byte_order_mark_is_read(path: Path) -> None:
    write(path, b'\xef\xbb\xbf{"theme": "dark"}')
    assert load_settings(path) == Settings("dark")


def test_unknown_keys_are_dropped_and_known_ones_kept(path: Path) -> None:
    write(path, {"theme": "light", "retired": 1, "": None})
    assert load_settings(path) == Settings("light")
    save(path, load_settings(path))
    assert json.loads(path.read_bytes()) == dataclasses.asdict(Settings("light"))


@pytest.mark.parametrize("theme", [None, 1, True, ["dark"], {}, "pink", ""])
def test_a_theme_that_is_none_falls_back(theme: object, path: Path) -> None:
    assert load_settings(write(path, {"theme": theme})) == Settings()


WRONG = {
    "item": 3,
    "query": None,
    "limit": "10",
    "budget": 1.5,
    "links": 0,
    "unsaved": "yes",
    "tokenizer": "letters",
    "expanded": ["people", 3],
}


@pytest.mark.parametrize("key", WRONG)
def test_a_wrong_value_of_a_store_falls_back_alone(key: str, path: Path) -> None:
    good = dataclasses.asdict(StoreState("a:b", "q", 3, 4, False, False, "jieba", ["x"]))
    root = Path("/memories/first")
    state = load_state(write(path, {"stores": {str(root): good | {key: WRONG[key]}}}))
    defaults = dataclasses.asdict(StoreState()) | {"expanded": ["people"]}
    assert dataclasses.asdict(state.store(root)) == good | {key: defaults[key]}


def test_true_is_no_number(path: Path) -> None:
    root = Path("/memories/first")
    assert load_state(write(path, {"stores": {str(root): {"limit": True}}})).store(root).limit == 10


@pytest.mark.parametrize(
    "values",
    [
        {"recent": [1, None, ["x"]]},
        {"recent": "path"},
        {"stores": {"/a": 5, "/b": None}},
        {"stores": []},
        {"geometry": 1},
    ],
    ids=str,
)
def test_wrong_values_of_the_state_fall_back_and_it_works_on(values: dict[str, object], path: Path) -> None:
    state = load_state(write(path, values))
    assert state == State()
    assert state.store(Path("/a")) == StoreState()
    state.remember(Path("/a"), StoreState("x:y"))
    assert state.recent == [str(Path("/a"))]


def test_recent_stores_are_few_newest_first_and_once(path: Path) -> None:
    state = State()
    for number in [*range(20), 19, 15]:
        state.remember(Path(f"/memories/{number}"), StoreState(limit=number))
    assert state.recent[:3] == [str(Path(f"/memories/{number}")) for number in (15, 19, 18)]
    assert len(state.recent) == len(set(state.recent)) == 12
    assert state.stores.keys() == set(state.recent)


def test_default_lists_are_not_shared() -> None:
    StoreState().expanded.append("x")
    State().recent.append("x")
    assert (StoreState().expanded, State().recent) == ([], [])


def test_a_profile_that_cannot_be_written_is_logged_and_costs_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "config").write_text("a file where the folder should be", encoding="utf-8")
    with caplog.at_level("INFO"):
        save(tmp_path / "config" / "file.json", Settings())
    assert "could not be saved" in caplog.text
    assert load_settings(tmp_path / "config" / "file.json") == Settings()


def test_a_settings_file_that_is_a_folder_is_left_alone(path: Path) -> None:
    path.mkdir(parents=True)
    assert load_settings(path) == Settings()
    save(path, Settings("dark"))
    assert path.is_dir()
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.skipif(sys.platform == "win32", reason="permission bits")
def test_a_state_file_is_replaced_and_never_half_written(path: Path) -> None:
    save(path, State("old"))
    before = os.stat(path).st_ino
    save(path, State("new"))
    assert os.stat(path).st_ino != before


def test_the_profile_of_a_test_is_its_own(profile: Path) -> None:
    places = find_places()
    assert {places.settings_file.parents[1], places.data.parent, places.log.parent} == {profile}
    assert not profile.exists()
