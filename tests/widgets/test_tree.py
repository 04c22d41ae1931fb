"""The memory tree: filter, badges, and what stays when the disk changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt

from tests.engine.folders import fill
from tests.presentation.house import edit_outside, write_outside
from tests.widgets.desk import Desk
from wikimem_desktop.presentation.memory_model import Role


def find(desk: Desk, address: str) -> QModelIndex:
    category, _, name = address.partition(":")
    index = desk.app.memory_model.find(category, name)
    assert index.isValid(), address
    return index


def show(desk: Desk, address: str) -> QModelIndex:
    """The row of an item, with its branch open."""
    index = find(desk, address)
    desk.app.tree.tree.setExpanded(index.parent(), True)
    return index


@pytest.mark.parametrize(
    ("letters", "address"),
    [
        ("sea", "preferences:likes-the-sea"),
        ("LIKES", "preferences:likes-the-sea"),
        ("pref咖啡", "preferences:手冲咖啡"),
        ("冲啡", "preferences:手冲咖啡"),
        ("plikse", "preferences:likes-the-sea"),
        ("dl:三亚", "daily_life:三亚之行"),
        ("2026-07-2", "2026-07-21"),
    ],
)
def test_typing_into_the_filter_leaves_what_has_the_letters_in_order(sample: Desk, letters: str, address: str) -> None:
    everything = sample.leaves()
    sample.type(sample.app.tree.filter_box, letters)
    assert address in sample.leaves()
    assert len(sample.leaves()) < len(everything)
    assert sample.app.tree.tree.visualRect(find(sample, address)).isValid()
    sample.app.tree.filter_box.clear()
    assert sample.leaves() == everything


def test_another_memory_comes_without_the_filter_and_opened_as_it_was_left(
    sample: Desk, sample_store: Path, tmp_path: Path
) -> None:
    other = fill(tmp_path / "other", {f"{name}.md": f"## {name}\n\ntext\n" for name in "abcde"})
    sample.open(other)
    sample.app.tree.expand(["b", "e"])
    sample.open(sample_store)
    sample.app.tree.expand(["people", "work"])
    sample.type(sample.app.tree.filter_box, "sea")
    sample.open(other)
    assert sample.app.tree.filter_box.text() == ""
    assert sample.leaves() == ["a:a", "b:b", "c:c", "d:d", "e:e"]
    assert sample.app.tree.expanded == ["b", "e"]
    sample.type(sample.app.tree.filter_box, "d")
    sample.keys("Ctrl+Shift+W")
    sample.open(sample_store)
    assert sample.app.tree.expanded == ["people", "work"]


def test_a_filter_typed_before_the_first_index_does_not_lose_what_was_open(desk: Desk, sample_store: Path) -> None:
    desk.open(sample_store)
    desk.app.tree.expand(["people", "work"])
    desk.keys("Ctrl+Shift+W")
    desk.app.open_store(sample_store)
    desk.type(desk.app.tree.filter_box, "sea")
    desk.until(desk.leaves)
    assert desk.app.tree.tree.isExpanded(find(desk, "preferences"))
    desk.key(desk.app.tree.filter_box, Qt.Key.Key_Escape)
    assert desk.app.tree.expanded == ["people", "work"]


def test_another_memory_shows_none_of_the_problems_of_the_one_before(sample: Desk, tmp_path: Path) -> None:
    assert find(sample, "people:陈医生").data(Role.PROBLEM)
    sample.open(fill(tmp_path / "other", {"people.md": "## 陈医生\n\ntext\n"}))
    assert not find(sample, "people:陈医生").data(Role.PROBLEM)


def test_letters_that_no_address_has_leave_nothing(sample: Desk) -> None:
    sample.type(sample.app.tree.filter_box, "qqzx")
    assert sample.leaves() == []


@pytest.mark.parametrize("key", [Qt.Key.Key_Down, Qt.Key.Key_Return])
def test_down_and_enter_lead_from_the_filter_to_the_first_item(sample: Desk, key: Qt.Key) -> None:
    sample.open_item("work:站会")
    sample.keys("Ctrl+Shift+L")
    assert sample.app.tree.filter_box.hasFocus()
    sample.type(sample.app.tree.filter_box, "咖啡")
    assert sample.address == "work:站会", "filtering opens nothing"
    sample.key(sample.app.tree.filter_box, key)
    assert sample.app.tree.tree.hasFocus()
    assert sample.address == "preferences:手冲咖啡"


def test_escape_clears_the_filter_and_the_tree_is_as_before(sample: Desk) -> None:
    sample.open_item("people:mei")
    sample.app.tree.expand(["people", "work"])
    sample.type(sample.app.tree.filter_box, "sea")
    assert sample.app.tree.tree.isExpanded(find(sample, "preferences"))
    sample.key(sample.app.tree.filter_box, Qt.Key.Key_Escape)
    assert sample.app.tree.filter_box.text() == ""
    assert sample.app.tree.expanded == ["people", "work"]
    assert sample.address == "people:mei"
    assert sample.app.tree.tree.currentIndex() == find(sample, "people:mei")


def test_walking_with_the_arrow_keys_opens_each_item(sample: Desk) -> None:
    tree = sample.app.tree.tree
    tree.setCurrentIndex(show(sample, "people:小林"))
    assert sample.address == "people:小林"
    sample.key(tree, Qt.Key.Key_Down)
    assert sample.address == "people:xiaolin-birthday-gift"
    sample.key(tree, Qt.Key.Key_Up)
    assert sample.address == "people:小林"


def test_a_click_opens_an_item_and_folds_a_category(sample: Desk) -> None:
    tree = sample.app.tree.tree
    sample.click(tree, show(sample, "people:mei"))
    assert sample.address == "people:mei"
    category = find(sample, "people")
    sample.click(tree, category)
    assert not tree.isExpanded(category)
    sample.click(tree, category)
    assert tree.isExpanded(category)


def test_the_tree_shows_every_item_and_day_with_counts(sample: Desk) -> None:
    days = ["2026-07-20", "2026-07-21"]
    assert sorted(set(sample.leaves()) - set(days)) == sorted(item.address for item in sample.items())
    assert find(sample, "people").data(Role.COUNT) == 8
    model = sample.app.memory_model
    assert model.index(model.rowCount() - 1, 0).data(Role.COUNT) == len(days)


def test_expansion_selection_and_scroll_stay_over_an_outside_edit(sample: Desk) -> None:
    tree = sample.app.tree.tree
    sample.window.resize(1280, 500)
    sample.app.tree.expand(["daily_life", "people", "travel", "work"])
    sample.open_item("people:mei")
    tree.verticalScrollBar().setValue(tree.verticalScrollBar().maximum() // 2)
    scroll = tree.verticalScrollBar().value()
    assert scroll > 0
    path = sample.path("people")
    edit_outside(path, "## mei\n", "## new one\n\nof mine\n\n## mei\n")
    edit_outside(sample.path("travel"), "## okinawa-someday\n", "## okinawa\n")
    sample.until(lambda: "people:new one" in sample.leaves() and "travel:okinawa" in sample.leaves())
    assert sample.app.tree.expanded == ["daily_life", "people", "travel", "work"]
    assert tree.currentIndex() == find(sample, "people:mei")
    assert sample.address == "people:mei"
    assert tree.verticalScrollBar().value() == pytest.approx(scroll, abs=2 * tree.verticalScrollBar().pageStep())


def test_a_new_category_and_a_deleted_one_show_and_go(sample: Desk) -> None:
    sample.open_item("people:mei")
    write_outside(sample.path("brand_new"), b"## first\n\ntext\n")
    sample.path("travel").unlink()
    sample.until(lambda: "brand_new:first" in sample.leaves())
    assert not any(address.startswith("travel:") for address in sample.leaves())
    assert sample.address == "people:mei"


def test_problems_are_marked_at_the_item_with_words(sample: Desk) -> None:
    index = find(sample, "preferences:likes-the-sea")
    assert index.data(Role.PROBLEM)
    assert "travel:海边民宿" in str(index.data(Qt.ItemDataRole.ToolTipRole))
    assert "travel:海边民宿" in str(index.data(Qt.ItemDataRole.AccessibleTextRole))
    assert not find(sample, "preferences:gift-style").data(Role.PROBLEM)


def test_of_two_items_with_one_name_both_are_seen_and_the_link_to_them_is_warned_about(
    desk: Desk, tmp_path: Path
) -> None:
    """B04."""
    text = "## a\n\nfirst\n\n## b\n\nsee [[x:a]]\n\n## a\n\nlast\n"
    desk.open(fill(tmp_path / "store", {"x.md": text}))
    winner = find(desk, "x:a")
    assert winner.data(Role.PROBLEM)
    model = desk.app.memory_model
    assert model.rowCount(winner) == 1
    desk.app.tree.tree.setExpanded(winner.parent(), True)
    desk.app.tree.tree.setExpanded(winner, True)
    desk.click(desk.app.tree.tree, winner)
    assert desk.buffer.text == "last"
    desk.click(desk.app.tree.tree, model.index(0, 0, winner))
    assert desk.buffer.place.kind == "shadowed"
    reader = desk.app.item_view.reader
    assert reader.isVisible()
    assert reader.toPlainText().strip() == "first"
    assert not desk.buffer.editable
    problems = [str(p.data()) for p in map(desk.app.problems_model.index, range(desk.app.problems_model.rowCount()))]
    assert any("ambiguous" in text for text in problems)


def test_a_file_that_is_not_utf_8_opens_read_only_while_the_others_are_indexed(sample: Desk) -> None:
    before = sample.path("old-notes").read_bytes()
    index = find(sample, "old-notes")
    assert index.data(Role.PROBLEM)
    sample.click(sample.app.tree.tree, index)
    assert sample.buffer.place.kind == "file"
    assert sample.app.item_view.reader.isVisible()
    assert not sample.app.item_view.header.save.isVisible()
    assert sample.run("咖啡").sequence
    assert sample.path("old-notes").read_bytes() == before


def test_a_folder_named_like_a_category_is_set_aside(desk: Desk, tmp_path: Path) -> None:
    desk.open(fill(tmp_path / "store", {"x.md": "## a\n\ntext\n", "folder.md/": ""}))
    assert desk.leaves() == ["x:a"]
    assert find(desk, "folder").data(Role.PROBLEM)
    assert desk.run("text").sequence


def test_a_diary_day_opens_to_be_read_and_written(sample: Desk) -> None:
    sample.click(sample.app.tree.tree, show(sample, "2026-07-20"))
    assert sample.buffer.place.kind == "day"
    assert "812" in sample.text.toPlainText()
    sample.app.item_view.header.read.click()
    assert "812" in sample.app.item_view.reader.toPlainText()
    assert "wikimem:" not in sample.app.item_view.reader.toPlainText()
    assert not sample.window.menus.save_action.isEnabled()


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [("tea", "x:tea of the south"), ("plan", "x:plan"), ("south", "x:tea of the south"), ("y:", "y:other")],
)
def test_enter_in_the_filter_opens_what_was_meant(desk: Desk, tmp_path: Path, typed: str, wanted: str) -> None:
    names = ["the elephant ate", "a plan", "plan", "tea of the south"]
    text = "".join(f"## {name}\n\ntext\n\n" for name in names)
    desk.open(fill(tmp_path / "store", {"x.md": text, "y.md": "## other\n\ntext\n"}))
    desk.keys("Ctrl+Shift+L")
    desk.type(desk.app.tree.filter_box, typed)
    desk.key(desk.app.tree.filter_box, Qt.Key.Key_Return)
    assert desk.address == wanted


def test_a_folder_that_was_away_for_a_while_leaves_all_as_it_was(sample: Desk, tmp_path: Path) -> None:
    assert sample.app.library.store is not None
    root = sample.app.library.store.root
    sample.open_item("people:mei")
    before = sorted(sample.app.tree.expanded), sample.app.tree.selected, sample.leaves()
    away = root.rename(tmp_path / "away")
    sample.until(lambda: sample.app.library.behind)
    assert "Waiting for the folder" in sample.status()
    assert "up to date" not in sample.status()
    assert (sorted(sample.app.tree.expanded), sample.app.tree.selected, sample.leaves()) == before
    away.rename(root)
    sample.until(lambda: not sample.app.library.behind)
    assert (sorted(sample.app.tree.expanded), sample.app.tree.selected, sample.leaves()) == before
    assert sample.address == "people:mei"
