"""Forgetting for good looks everywhere: beside the days, in names, in what other stores keep, in any encoding."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from send2trash import send2trash

from tests.engine.folders import fill
from tests.engine.home import SECRET, Home
from tests.engine.test_versions import look
from tests.engine.traces import grep
from wikimem_desktop.engine.forget import Sought
from wikimem_desktop.engine.history import History
from wikimem_desktop.engine.token_cache import TokenCache
from wikimem_desktop.engine.tokens import CJK_RUN

DAY = f"# d\n\n## 09:00\n\n{SECRET}, and more\n"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.mark.parametrize("folder", ["wiki/", "category/", ""])
def test_what_is_no_day_in_the_diary_folder_is_another_file(tmp_path: Path, folder: str) -> None:
    names = ("2026-02-30.md", "2026-07-21.md", "2026-07-21.sync-conflict-x.md", "notes.md")
    files: dict[str, str | bytes] = {f"diary/{name}": DAY for name in names}
    home = Home(tmp_path, files | {f"{folder}people.md": "# people\n", "other/old.md": DAY})
    has_days = folder != ""
    found = home.find(SECRET)
    assert found.get("memory") == ([("2026-07-21:09:00", 1)] if has_days else None)
    loose = [os.path.join("diary", name) for name in names if name != "2026-07-21.md" or not has_days]
    assert [place for place, _ in found["files"]] == [*loose, os.path.join("other", "old.md")]
    assert home.forget(SECRET) == []
    assert grep(home.folder, SECRET) == []
    assert all((home.store.root / name).read_text(encoding="utf-8").endswith(", and more\n") for name in files)


def test_steps_of_other_stores_go_too(home: Home, tmp_path: Path) -> None:
    other = History(tmp_path / "histories" / "another")
    kept = other.keep_text(b"harmless")
    lines = [
        {"way": "do", "label": f"Rename {SECRET}", "files": {"a": [kept, None]}},
        {"way": "do", "label": "second", "files": {"a": [None, kept]}},
    ]
    steps = other.folder / "steps.jsonl"
    steps.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert home.find(SECRET)["other histories"] == [("another", 1)]
    assert home.forget(SECRET) == []
    assert [json.loads(line)["label"] for line in steps.read_text(encoding="utf-8").splitlines()] == ["second"]


def test_names_of_files_and_folders_are_told_and_left_alone(home: Home) -> None:
    root = home.store.root
    fill(root, {f"attach {SECRET}.txt": "x", f"more/{SECRET.upper()}/deep.txt": "y"})
    left = [found.trace for found in home.forget(SECRET)]
    assert [(trace.where, trace.obstacle) for trace in left] == [
        (f"attach {SECRET}.txt", "file name"),
        (os.path.join("more", SECRET.upper()), "file name"),
    ]
    assert (root / f"attach {SECRET}.txt").exists()
    assert [found.trace.where for found in home.forget("store") if found.hideout == "files"] == ["store"]
    assert "files" not in {found.hideout for found in home.forget("diary")}  # the layout calls it so, not a person


def test_a_category_that_is_no_more_leaves_no_name_in_its_history(home: Home) -> None:
    home.store.add("halcyon", "one", "says nothing")
    History(home.folder / "histories" / "another").keep("halcyon", b"# x\n", "outside")
    look(home.recorder)
    home.reviewer.refresh()
    assert [found.trace.obstacle for found in home.forget("halcyon") if found.hideout == "memory"] == ["name"]
    assert "halcyon" in home.recorder.history.files()
    send2trash(home.store.path("halcyon"))
    look(home.recorder)
    assert home.find("halcyon")["trash"] == [("halcyon.md", 1)]
    left = home.forget("halcyon")
    assert [(found.hideout, found.trace.where, found.trace.obstacle) for found in left] == [
        ("other histories", "another", "name")
    ]
    assert grep(home.recorder.history.folder, "halcyon") == []
    assert [path.name for path in Path(os.environ["XDG_DATA_HOME"]).rglob("halcyon*")] == []


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("CAFÉ STRASSE", "Café Straße"),
        ("Café Straße", "CAFE\u0301 STRASSE"),
        ("weiss", "WEIẞ"),
        ("OFFICE", "oﬃce"),
        ("oﬀice", "ofﬁce"),
        ("ΟΔΟΣ", "οδος"),
        ("istanbul", "İSTANBUL"),
        ("İstanbul", "i\u0307stanbul"),
        ("KASSE sss", "kaße sß"),
    ],
)
def test_case_is_folded_in_full(text: str, other: str) -> None:
    assert Sought(text).redacted(f"a {other} b") == "a … b"
    assert Sought(other).redacted(f"a {text} b") == "a … b"


def test_many_letters_that_may_be_one_character_are_sought_in_short() -> None:
    assert Sought("s" * 5_000).in_text("S" * 5_000)
    assert not Sought("s" * 5_000).in_text("S" * 4_999)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_chinese_in_utf_16_without_a_mark_is_found_and_forgotten(home: Home, codec: str) -> None:
    files: dict[str, str | bytes] = {
        "pure.txt": "海边的秘密计划在这里".encode(codec), "wiki/lines.md": "## x\n\n秘密计划\n".encode(codec),
        "binary.dat": b"\xff\xd8\x01\xdc" + "秘密计划".encode(codec),
    }  # fmt: skip
    fill(home.store.root, files)
    assert {place for place, _ in home.find("秘密计划")["files"]} == {"pure.txt", "binary.dat"}
    assert [found.trace.where for found in home.forget("秘密计划")] == ["binary.dat"]
    assert (home.store.root / "pure.txt").read_bytes() == "海边的…在这里".encode(codec)
    assert home.store.path("lines").read_bytes() == "## x\n\n…\n".encode(codec)


def keep_words(home: Home, texts: list[str]) -> TokenCache:
    cache = TokenCache(home.folder / "tokens", home.store.root, lambda text: CJK_RUN.findall(text), "test")
    cache.words(texts)
    cache.save(whole=True)
    return cache


def test_an_item_that_shares_a_word_is_no_trace_of_a_text(home: Home) -> None:
    secret = "海边 secret plan two"
    home.store.add("people", "cai", "喜欢海边")
    home.store.add("people", "dan", f"x {secret} y")
    items = home.store.items()
    keep_words(home, [item.index_text for item in items])
    assert home.find(secret)["words"] == [("tokens", 1)]
    assert home.forget(secret) == []
    assert list((home.folder / "tokens").rglob("*.tokens")) == []
    keep_words(home, [item.index_text for item in home.store.items()])  # as the index does
    assert home.find(secret) == {}
    keep_words(home, [item.index_text for item in items])  # another window that was slow
    assert home.find(secret) == {"words": [("tokens", 1)]}
