"""An item that was renamed or moved is forgotten where it was before, and what took its place there is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.folders import fill
from tests.engine.home import Home
from tests.engine.test_versions import look
from tests.engine.traces import grep
from wikimem_desktop.engine.changes import Change
from wikimem_desktop.engine.former_addresses import former_stays
from wikimem_desktop.engine.history import History
from wikimem_desktop.engine.refactoring import move_items, rename_category, rename_item
from wikimem_desktop.engine.store import MemoryStore

FILES: dict[str, str | bytes] = {
    "wiki/people.md": "# people\n\n## ann\n\nher birthday\n\n## bob\n\nsings\n",
    "wiki/notes.md": "# notes\n\n## one\n\nask [[people:ann|Ann]] or [[people:ann]]\n",
    "wiki/work.md": "# work\n\n## job\n\nat the mill\n",
}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path, FILES)


def do(store: MemoryStore, change: Change) -> Change:
    return store.change(change.files, change.records)


def rename(home: Home, name: str, new_name: str) -> Change:
    return do(home.store, rename_item(home.store, "people", name, new_name))


def texts(history: History) -> list[str]:
    return [data.decode() for _, data in history.texts()]


def test_a_renamed_item_is_forgotten_under_its_old_name_too(home: Home) -> None:
    rename(home, "ann", "bea")
    home.store.update("people", "bea", "nothing of note")
    assert home.forget(item=("people", "bea")) == []
    for text in ("her birthday", "people:ann", '"ann"', "## ann", "bea"):
        assert grep(home.folder, text) == [], text
    assert home.store.path("people").read_text(encoding="utf-8") == "# people\n\n## bob\n\nsings\n"
    assert home.store.path("notes").read_text(encoding="utf-8") == "# notes\n\n## one\n\nask … or …\n"


def test_all_moves_are_followed_back(home: Home) -> None:
    rename(home, "ann", "anna")
    do(home.store, move_items(home.store, [("people", "anna")], "work"))
    do(home.store, rename_category(home.store, "work", "trade"))
    home.store.update("trade", "anna", "nothing of note")
    stays = former_stays(home.store, ("trade", "anna"))
    assert [stay.address for stay in stays] == [("work", "anna"), ("people", "anna"), ("people", "ann")]
    assert home.forget(item=("trade", "anna")) == []
    for text in ("her birthday", "ann"):
        assert grep(home.folder, text) == [], text
    assert "at the mill" in home.store.path("trade").read_text(encoding="utf-8")


@pytest.mark.parametrize("others_stay", [True, False])
def test_another_item_that_took_over_an_address_is_left_alone(home: Home, others_stay: bool) -> None:
    do(home.store, move_items(home.store, [("people", "ann")], "work"))
    home.store.add("people", "ann", "a younger one")
    home.store.update("people", "ann", "a younger one, still here")
    if not others_stay:
        home.store.remove("people", "ann")
    assert home.forget(item=("work", "ann")) == []
    assert grep(home.folder, "her birthday") == []
    assert grep(home.folder, "work:ann") == []
    assert any("a younger one\n" in text for text in texts(home.recorder.history))
    assert any(entry.get("item") == "ann" for entry in home.store.journal.entries())
    item = home.store.get("people", "ann")
    assert (item is not None and item.content == "a younger one, still here") is others_stay


def test_an_item_that_was_at_the_address_before_is_left_alone(home: Home) -> None:
    """`ann` left, another `ann` came and left: the two have the address one after the other."""
    do(home.store, move_items(home.store, [("people", "ann")], "work"))
    home.store.add("people", "ann", "a younger one")
    do(home.store, move_items(home.store, [("people", "ann")], "plans"))
    assert home.forget(item=("plans", "ann")) == []
    assert grep(home.folder, "a younger one") == []
    assert any("her birthday" in text and "## bob" in text for text in texts(home.recorder.history))
    told = [(entry["action"], entry.get("detail")) for entry in home.store.journal.entries() if entry["item"] == "ann"]
    assert told == [("remove", "work:ann"), ("add", "people:ann")]
    item = home.store.get("work", "ann")
    assert item is not None
    assert item.content == "her birthday"


def test_a_rename_undone_and_done_again_hides_nothing(home: Home) -> None:
    done = rename(home, "ann", "bea")
    undone = do(home.store, done.reversed())
    do(home.store, undone.reversed())
    home.store.update("people", "bea", "nothing of note")
    assert home.forget(item=("people", "bea")) == []
    for text in ("her birthday", "ann"):
        assert grep(home.folder, text) == [], text


def test_what_the_history_missed_goes_by_the_moment(home: Home) -> None:
    """Others moved the item and told so, and no version shows it: the former address means nothing now."""
    home.store.witness = None
    do(home.store, move_items(home.store, [("people", "ann")], "work"))
    assert home.forget(item=("work", "ann")) == []
    assert grep(home.folder, "her birthday") == []


def test_lines_that_are_no_pair_lead_nowhere(tmp_path: Path) -> None:
    lines = (
        '{"action": "remove", "file": "a", "item": "x", "detail": "b:y", "ts": "2026-01-01T00:00:00+00:00"}',
        '{"action": "add", "file": "b", "item": "y", "detail": "a:z", "ts": "2026-01-01T00:00:00+00:00"}',
        '{"action": "add", "file": "b", "item": "y", "detail": "restored", "ts": "2026-01-01T00:00:00+00:00"}',
        '{"action": "add", "file": "b", "item": "y", "detail": "a:x", "ts": "nonsense"}',
        '["detail"]', '"detail" {', '{"action": "remove", "file": 3, "detail": "a:x"}',
    )  # fmt: skip
    fill(tmp_path, {"wiki/b.md": "# b\n\n## y\n\nz\n", "journal.jsonl": "\n".join(lines)})
    assert former_stays(MemoryStore(tmp_path), ("b", "y")) == []


def test_a_former_address_in_the_trash_and_in_what_is_remembered_counts_while_nothing_is_there(home: Home) -> None:
    rename(home, "ann", "bea")
    sought = home.sought(item=("people", "bea"))
    assert sought.in_json({"file": "people", "item": "ann"})
    assert sought.in_json(["item", "people", "ann", 0])
    assert sought.in_file("people", b"## ann\n\nx\n")
    assert not sought.in_file("work", b"## ann\n\nx\n")
    home.store.add("people", "ann", "another")
    assert not home.sought(item=("people", "bea")).in_file("people", b"## ann\n\nx\n")
    look(home.recorder)
