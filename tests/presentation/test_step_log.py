"""Steps can be undone after a restart, and what others wrote since stays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.engine.folders import categories_of, fill, tree
from tests.presentation.house import House, edit_outside
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.presentation.step_log import steps_file

FILES: dict[str, str | bytes] = {
    "prefs.md": "# prefs\n\n## sea\n\nlikes it\n\n## tea\n\n[[prefs:sea]] green\n",
    "plans.md": "# plans\n\n## beach\n\nbecause [[prefs:sea]]\n",
}
SEA = Place("item", "prefs", "sea")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return fill(tmp_path / "store", FILES)


def session(qtbot: QtBot, root: Path, act: Callable[[House], object]) -> None:
    house = House(qtbot)
    house.open(root)
    act(house)
    house.settle()
    house.close()


def files(root: Path) -> dict[str, bytes | None]:
    return {name: data for name, data in categories_of(tree(root)).items() if "/" not in name}


def test_a_rename_of_yesterday_is_undone_today_and_redone_tomorrow(qtbot: QtBot, root: Path) -> None:
    before = files(root)
    session(qtbot, root, lambda house: house.structure.rename(SEA, "ocean"))
    renamed = files(root)
    assert renamed != before

    def undo(house: House) -> None:
        assert house.steps.undo_label == "Rename sea"
        house.steps.undo()

    session(qtbot, root, undo)
    assert files(root) == before

    def redo(house: House) -> None:
        assert (house.steps.undo_label, house.steps.redo_label) == ("", "Rename sea")
        house.steps.redo()

    session(qtbot, root, redo)
    assert files(root) == renamed


def test_what_others_wrote_in_between_stays(qtbot: QtBot, root: Path) -> None:
    session(qtbot, root, lambda house: house.structure.remove(Place("category", "plans")))
    edit_outside(root / "prefs.md", "green", "black")
    session(qtbot, root, lambda house: house.steps.undo())
    assert (root / "plans.md").read_text() == FILES["plans.md"]
    assert "black" in (root / "prefs.md").read_text()


def test_an_undo_step_of_a_moved_item_that_was_edited_since_moves_it_back(qtbot: QtBot, root: Path) -> None:
    session(qtbot, root, lambda house: house.structure.move([SEA], "plans"))
    edit_outside(root / "plans.md", "likes it", "likes it a lot")
    session(qtbot, root, lambda house: house.steps.undo())
    assert "## sea\n\nlikes it a lot\n" in (root / "prefs.md").read_text()
    assert "[[prefs:sea]]" in (root / "plans.md").read_text()


@pytest.mark.parametrize(
    "damage", [b"nonsense\n", b'{"way": "do"}\n', b"[]\n", b'{"way": "do", "files": 3, "label": "']
)
def test_a_damaged_log_costs_the_way_back_and_nothing_else(damage: bytes, qtbot: QtBot, root: Path) -> None:
    session(qtbot, root, lambda house: house.structure.rename(SEA, "ocean"))

    def spoil(house: House) -> None:
        house.settle()
        assert house.history.recorder is not None
        path = steps_file(house.history.recorder.history)
        path.write_bytes(path.read_bytes() + damage)

    session(qtbot, root, spoil)

    def look(house: House) -> None:
        house.settle()
        assert house.steps.undo_label == ""
        house.structure.rename(Place("item", "prefs", "tea"), "chai")
        house.settle()
        house.steps.undo()

    session(qtbot, root, look)
    assert "## tea" in (root / "prefs.md").read_text()


def test_links_that_others_made_to_a_new_name_go_back_with_it_and_stray_ones_stay(qtbot: QtBot, root: Path) -> None:
    edit_outside(root / "plans.md", "because", "[[prefs:ocean]]\nbecause")  # led nowhere before
    before = files(root)
    session(qtbot, root, lambda house: house.structure.rename(SEA, "ocean"))
    edit_outside(root / "prefs.md", "green", "green [[prefs:ocean]]")
    session(qtbot, root, lambda house: house.steps.undo())
    assert (root / "prefs.md").read_text().endswith("green [[prefs:sea]]\n")
    assert files(root)["plans.md"] == before["plans.md"]
