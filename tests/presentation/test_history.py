"""The local history over real threads: what it notes, and what it answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.engine.folders import fill, tree
from tests.presentation.house import House, edit_outside
from wikimem_desktop.engine.folders import ID_FILE
from wikimem_desktop.engine.versions import GoneItem, TextVersion
from wikimem_desktop.places import find_places
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.presentation.history_reader import Comparison, Question

FILES: dict[str, str | bytes] = {
    "wiki/prefs.md": "# prefs\n\n## sea\n\nlikes it\n\n## tea\n\ngreen\n",
    "wiki/plans.md": "# plans\n\n## beach\n\nsoon\n",
    "diary/2026-07-10.md": "# 2026-07-10\n\n## 09:00\n\nx\n",
}
SEA = Place("item", "prefs", "sea")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return fill(tmp_path / "store", FILES)


def noted(house: House, file: str) -> list[bool]:
    """Whether the file was there, the newest first, once all is noted."""
    for _ in range(4):
        house.settle()
    assert house.history.recorder is not None
    return [version.digest is not None for version in house.history.recorder.history.versions(file)]


def answer(house: House, ask: Question | None) -> object:
    answers: list[object] = []
    house.history.answered.connect(lambda question, found: answers.append(found) if question is ask else None)
    house.until(lambda: answers)
    return answers[0]


def test_what_went_while_the_window_was_closed_is_noted_and_found(qtbot: QtBot, root: Path) -> None:
    first = House(qtbot)
    first.open(root)
    assert noted(first, "plans") == noted(first, "diary/2026-07-10") == [True]
    first.close()
    (root / "wiki/plans.md").unlink()
    (root / "diary/2026-07-10.md").unlink()
    house = House(qtbot)
    house.open(root)
    assert noted(house, "plans") == noted(house, "diary/2026-07-10") == [False, True]
    found = answer(house, house.history.ask_gone())
    assert isinstance(found, list)
    (gone,) = found
    assert isinstance(gone, GoneItem)
    assert (gone.name, gone.text) == ("beach", "soon")
    house.history.bring_back(gone)
    house.settle()
    assert (root / "wiki/plans.md").read_text() == FILES["wiki/plans.md"]
    house.close()


def test_a_gone_item_does_not_come_back_beside_one_that_looks_alike(qtbot: QtBot, root: Path) -> None:
    house = House(qtbot)
    house.open(root)
    assert noted(house, "plans") == [True]
    edit_outside(root / "wiki/plans.md", "## beach", "## Beach")
    house.follow_disk()
    noted(house, "plans")
    found = answer(house, house.history.ask_gone())
    assert isinstance(found, list)
    before = (root / "wiki/plans.md").read_text()
    house.history.bring_back(next(gone for gone in found if gone.name == "beach"))
    house.settle()
    assert (root / "wiki/plans.md").read_text() == before
    assert house.notices.current is not None
    assert "Beach" in house.notices.current.text
    house.close()


def test_nothing_is_written_into_a_read_only_store_and_its_history_is_kept_all_the_same(
    qtbot: QtBot, root: Path
) -> None:
    before = tree(root)
    house = House(qtbot)
    house.open(root, read_only=True)
    edit_outside(root / "wiki/prefs.md", "green", "black")
    house.follow_disk()
    assert noted(house, "prefs") == [True, True]
    house.close()
    assert {**tree(root), "wiki/prefs.md": None} == {**before, "wiki/prefs.md": None}
    assert not (root / ID_FILE).exists()


def test_an_item_in_a_file_that_can_not_be_read_is_not_gone(qtbot: QtBot, root: Path) -> None:
    house = House(qtbot)
    house.open(root)
    assert noted(house, "prefs") == [True]
    (root / "wiki/prefs.md").write_bytes(b"\xff\xfe")
    house.follow_disk()
    assert answer(house, house.history.ask_gone()) == []
    house.close()


def test_versions_and_what_is_different_are_told(qtbot: QtBot, root: Path) -> None:
    house = House(qtbot)
    house.open(root)
    house.documents.open(SEA)
    edit_outside(root / "wiki/prefs.md", "likes it", "likes it a lot")
    house.follow_disk()
    assert noted(house, "prefs") == [True, True]
    found = answer(house, house.history.ask_versions(SEA))
    assert isinstance(found, list)
    newest, oldest = found
    assert isinstance(newest, TextVersion)
    assert (newest.size, newest.size_before, oldest.size_before) == (14, 8, None)
    told = answer(house, house.history.ask_difference("sea", newest.before, newest.digest))
    assert isinstance(told, Comparison)
    assert (told.before, told.text) == ("likes it", "likes it a lot")
    assert told.text is not None
    assert [told.text[start:end] for start, end in told.spans[1]] == [" a lot"]
    house.close()


def test_a_restored_item_takes_no_unsaved_text_away(qtbot: QtBot, root: Path) -> None:
    house = House(qtbot)
    house.open(root)
    edit_outside(root / "wiki/prefs.md", "likes it", "spoilt")
    house.follow_disk()
    assert noted(house, "prefs") == [True, True]
    house.documents.open(SEA)
    buffer = house.documents.current
    assert buffer is not None
    buffer.document.setPlainText("spoilt, I type")
    versions = answer(house, house.history.ask_versions(SEA))
    assert isinstance(versions, list)
    house.history.restore(versions[1])
    house.settle()
    assert house.content("prefs", "sea") == "likes it"
    assert buffer.text == "spoilt, I type"
    assert buffer.conflict is not None
    house.close()


def test_a_history_folder_that_can_not_be_written_is_told_once_and_all_else_goes_on(qtbot: QtBot, root: Path) -> None:
    histories = find_places().history
    histories.parent.mkdir(parents=True, exist_ok=True)
    histories.write_text("a file where the folder should be")
    house = House(qtbot)
    told: list[str] = []
    house.notices.shown.connect(lambda notice: told.append(notice.text))
    house.open(root)
    for _ in range(4):
        house.settle()
    house.documents.open(SEA)
    assert house.documents.current is not None
    house.documents.current.document.setPlainText("written all the same")
    house.save()
    assert house.content("prefs", "sea") == "written all the same"
    assert len([text for text in told if "history" in text]) == 1
    house.close()


def test_all_items_of_a_store_are_gone_when_its_files_went(qtbot: QtBot, root: Path) -> None:
    house = House(qtbot)
    house.open(root)
    assert noted(house, "prefs") == [True]
    (root / "wiki/prefs.md").unlink()
    house.follow_disk()
    assert noted(house, "prefs") == [False, True]
    found = answer(house, house.history.ask_gone())
    assert isinstance(found, list)
    assert all(isinstance(item, GoneItem) for item in found)
    assert [item.name for item in found] == ["sea", "tea"]
    house.close()
