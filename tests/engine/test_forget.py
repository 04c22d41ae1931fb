"""Forgetting for good: a text or an item is found wherever it lives, and is nowhere after it was purged."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from send2trash import send2trash

from tests.engine.folders import fill, tree
from tests.engine.home import PEOPLE, SECRET, Home
from tests.engine.test_versions import look
from tests.engine.traces import grep
from wikimem_desktop.engine.document import Document
from wikimem_desktop.engine.forget import Sought
from wikimem_desktop.engine.history import History
from wikimem_desktop.engine.token_cache import TokenCache


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_a_text_is_found_in_every_file_of_a_store_in_any_writing(home: Home) -> None:
    assert home.find(SECRET) == {
        "memory": [("old:x", 1), ("people:ann", 1), ("work:copy", 1), ("2026-07-10:09:00", 1)],
        "journal": [("journal.jsonl", 1)],
        "files": [("notes.txt", 1)],
        "history": [("2026-07-10", 1), ("old", 1), ("people", 1), ("work", 1)],
    }


def test_a_forgotten_text_is_nowhere_and_all_else_is_as_it_was(home: Home) -> None:
    home.store.update("people", "bob", "sees [[people:ann]], draws")
    assert home.forget(SECRET) == []
    for text in (SECRET, "halcyon", "PROJECT  HALCYON", "project\nhalcyon"):
        assert grep(home.folder, text) == []
    files = {name: data for name, data in tree(home.store.root).items() if data is not None}
    assert files["wiki/people.md"].decode() == PEOPLE.replace("project\nhalcyon", "…").replace(
        "[[people:ann]]", "[[people:ann]], draws"
    )
    assert files["wiki/work.md"] == b"# work\r\n\r\n## other\r\n\r\nstays\r\n"
    assert files["wiki/old.md"].decode("cp1252") == "# old\n\n## x\n\n… für Müller\n"
    assert files["diary/2026-07-10.md"].decode() == "# d\n\n## 09:00\n\nabout …, again\n\n## 10:00\n\ny\n"


def test_forgetting_is_no_change_by_others_and_later_ones_are_told(home: Home) -> None:
    home.forget(SECRET)
    look(home.recorder)
    assert home.reviewer.refresh() == []
    home.store.path("work").write_text("# work\n\n## other\n\nchanged\n", encoding="utf-8")
    look(home.recorder)
    assert [change.name for change in home.reviewer.refresh()] == ["other"]


def test_an_item_goes_with_all_versions_links_and_its_name_in_the_journal(home: Home) -> None:
    home.store.update("people", "ann", "something else entirely")
    assert home.forget(item=("people", "ann")) == []
    text = home.store.path("people").read_text(encoding="utf-8")
    assert text == "# people\n\n## bob\n\nsees …\n"
    assert grep(home.folder, "something else entirely") == []
    assert grep(home.folder, "people:ann") == []
    entries = home.store.journal.entries()
    assert {entry.get("item") for entry in entries} == {"…", "bob"}
    assert grep(home.folder / "histories", "halcyon now") == []
    assert grep(home.folder / "store", SECRET) != []  # a text of others, which was not meant


def test_the_same_name_in_another_category_is_another_item(home: Home) -> None:
    home.store.add("work", "ann", "at work")
    home.forget(item=("people", "ann"))
    item = home.store.get("work", "ann")
    assert item is not None
    assert item.content == "at work"
    assert "work" in home.recorder.history.files()


def test_steps_that_would_bring_it_back_go_with_those_before(home: Home) -> None:
    home.store.add("work", "first", "write")  # gives the store its id
    folder = home.recorder.history.folder
    kept = home.recorder.history.keep_text(b"harmless")
    gone = home.recorder.history.keep_text(SECRET.encode())
    lines = [
        {"way": "do", "label": "first", "files": {"a": [kept, None]}},
        {"way": "do", "label": "second", "files": {"a": [None, gone]}},
        {"way": "do", "label": "third", "files": {"a": [kept, None]}},
    ]
    (folder / "steps.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert home.forget(SECRET) == []
    left = (folder / "steps.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["label"] for line in left] == ["third"]


def test_other_histories_drafts_and_words_are_purged_too(home: Home, tmp_path: Path) -> None:
    pytest.importorskip("jieba")
    text = "海边的秘密计划"
    History(tmp_path / "histories" / "another").keep("notes", f"# x\n\n## y\n\n{text}\n".encode(), "outside")
    fill(tmp_path / "drafts", {
        "store/kept/1.json": json.dumps({"category": "people", "name": "ann", "text": "a draft"}),
        "store/kept/2.json": json.dumps({"category": "people", "name": "bob", "text": text}),
        "store/kept/4.json": json.dumps({"category": "people", "name": "", "text": "# p\n\n## ann\n\nwhole file"}),
        "other/kept/3.json": json.dumps({"category": "people", "name": "ann", "text": "not this store's"}),
    })  # fmt: skip
    cache = TokenCache(tmp_path / "tokens", home.store.root, lambda run: [run[:2], run[2:]], "test")
    cache.words([text, "别的"])
    cache.save(whole=True)
    found = home.find(text[1:5], ("people", "ann"))
    assert found["other histories"] == [("another", 1)]
    assert found["drafts"] == [("store/kept", 3)]
    assert found["words"] == [("tokens", 1)]
    assert home.forget(text[1:5], ("people", "ann")) == []
    assert [path.name for path in sorted((tmp_path / "drafts").rglob("*.json"))] == ["3.json"]
    assert list((tmp_path / "tokens").rglob("*.tokens")) == []
    assert grep(tmp_path / "histories", text) == []


def test_what_was_thrown_away_of_the_store_goes_and_what_others_threw_away_stays(home: Home, tmp_path: Path) -> None:
    mine, other = home.store.path("work"), tmp_path / "other.md"
    other.write_text(SECRET, encoding="utf-8")
    for path in (mine, other):
        send2trash(path)
    trash = Path(os.environ["XDG_DATA_HOME"], "Trash")
    assert home.find(SECRET)["trash"][0][0].startswith("work")
    assert home.forget(SECRET) == []
    assert not list(trash.glob("*/work*"))
    assert len(list(trash.glob("*/other*"))) == 2


def test_a_repository_and_the_name_of_a_category_are_told_and_left_alone(home: Home) -> None:
    (home.store.root / ".git").mkdir()
    (home.store.root / ".git" / "packed").write_text(SECRET, encoding="utf-8")
    left = home.forget("people")
    assert {(found.hideout, found.trace.obstacle) for found in left} == {("memory", "name"), ("git", "git")}
    assert grep(home.store.root, SECRET)[0] == ".git/packed"


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Café Müller", "Cafe\u0301 Mu\u0308ller"),
        ("straße 5", "STRASSE 5".replace("SS", "ß")),
        ("a (b) [c]", "a\t(b)\n[c]"),
        ("[[a:b]]", "see [[a:b]]!"),
    ],
)
def test_a_text_is_found_in_other_forms(text: str, other: str) -> None:
    assert Sought(text).in_text(other)
    assert Sought(text).in_bytes(json.dumps([other]).encode())
    assert "…" in Sought(text).redacted(other)


@pytest.mark.parametrize(("text", "enough"), [("", False), ("a", False), (" ab ", True), ("李雷", True)])
def test_a_single_character_is_not_enough(text: str, enough: bool) -> None:
    assert Sought(text).is_enough is enough
    assert Sought("", ("a", "b")).is_enough


def test_items_whose_names_become_the_same_stay_apart() -> None:
    old = Document("# f\n\n## Secret plan\n\none\n\n## secret PLAN\n\ntwo\n\n## … 2\n\nthree\n")
    new = Sought("secret plan").cleaned("f", old)
    assert [(item.name, item.content) for item in new.items("f")] == [("…", "one"), ("… 3", "two"), ("… 2", "three")]
