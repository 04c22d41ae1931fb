"""The tree in another order and behind a filter: by menus and by keys, over changes and restarts."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolButton

from tests.engine.folders import fill
from tests.presentation.house import edit_outside
from tests.widgets.desk import Desk, dialog
from tests.widgets.small_memory import LEFT, enter, press, select, settle
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.widgets.naming import NewItemDialog, RenamingDialog
from wikimem_desktop.widgets.palette import commands


def comment(owner: str, days: float, source: str = "conv_1") -> str:
    ts = (datetime.now().astimezone() - timedelta(days=days)).isoformat(timespec="seconds")
    return f"<!-- wikimem: owner={owner} | source={source} | ts={ts} -->"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Items whose order by file, name, date and size is another each time."""
    prefs = [
        f"## sea\n\n喜欢海边\n\n{comment('user:xnne', 40)}",
        f"## Coffee 10\n\nin the morning, never in the evening\n\n{comment('the agent', 2)}",
        f"## coffee 9\n\ntwo cups\n\n{comment('user:xnne', 0, 'conv_2')}",
        "## walk\n\nx",
    ]
    files = {"wiki/prefs.md": "# prefs\n\n" + "\n\n".join(prefs) + "\n", "wiki/work.md": "## rota\n\nsea side\n"}
    return fill(tmp_path / "store", {**files, "diary/2026-07-20.md": "## 08:00\n\nup\n"})


@pytest.fixture
def page(desk: Desk, store: Path) -> Desk:
    desk.open(store)
    desk.app.tree.expand(["prefs"])
    return desk


def names(desk: Desk) -> list[str]:
    return [address.removeprefix("prefs:") for address in desk.leaves() if address.startswith("prefs:")]


def choose(desk: Desk, menu: QMenu, *texts: str) -> None:
    """Open the menu and click through its entries."""
    menu.popup(QPoint(0, 0))
    for text in texts:
        front = QApplication.activePopupWidget()
        assert isinstance(front, QMenu)
        action = entry(front, text)
        QTest.mouseClick(front, LEFT, pos=front.actionGeometry(action).center())
        below = action.menu()
        if isinstance(below, QMenu):
            desk.until(below.isVisible)
    assert QApplication.activePopupWidget() is None


def entry(menu: QMenu, text: str) -> QAction:
    return next(action for action in menu.actions() if action.text().replace("&", "").split("\t")[0] == text)


# ------------------------------------------------------------ order


def test_the_menu_in_the_caption_sorts_and_keeps_what_is_open_and_selected(page: Desk) -> None:
    page.open_item("prefs:walk")
    menu = page.app.sort_menu
    assert names(page) == ["sea", "Coffee 10", "coffee 9", "walk"]
    for text, wanted in (
        ("Name", ["coffee 9", "Coffee 10", "sea", "walk"]),
        ("Date, newest first", ["coffee 9", "Coffee 10", "sea", "walk"]),
        ("Size, longest first", ["Coffee 10", "coffee 9", "sea", "walk"]),
        ("File order", ["sea", "Coffee 10", "coffee 9", "walk"]),
    ):
        choose(page, menu.menu, text)
        assert names(page) == wanted
        assert entry(menu.menu, text).isChecked()
        assert text in menu.button.accessibleName()
        assert page.app.tree.selected == Place("item", "prefs", "walk")
        assert "prefs" in page.app.tree.expanded


def test_the_order_is_kept_for_each_memory(page: Desk, store: Path, tmp_path: Path) -> None:
    choose(page, page.app.sort_menu.menu, "Name")
    page.open(fill(tmp_path / "other", {"a.md": "## b\n\nx\n\n## a\n\nx\n"}))
    assert page.leaves() == ["a:b", "a:a"]
    assert entry(page.app.sort_menu.menu, "File order").isChecked()
    page.open(store)
    assert names(page) == ["coffee 9", "Coffee 10", "sea", "walk"]
    assert page.app.state.stores[str(store)]["order"] == "name"


def test_an_edit_goes_to_its_place_in_the_order(page: Desk) -> None:
    choose(page, page.app.sort_menu.menu, "Size, longest first")
    page.open_item("prefs:walk")
    edit_outside(page.path("prefs"), "## walk\n\nx", "## walk\n\n" + "x" * 100)
    page.until(lambda: names(page)[0] == "walk")
    assert page.app.tree.selected == Place("item", "prefs", "walk")


def test_items_are_reordered_only_where_their_order_is_seen(page: Desk) -> None:
    select(page, "prefs", "Coffee 10")
    actions = page.app.memory_actions
    assert (actions.up.isEnabled(), actions.down.isEnabled()) == (True, True)
    choose(page, page.app.sort_menu.menu, "Name")
    page.app.tree.tree.setFocus()
    assert (actions.up.isEnabled(), actions.down.isEnabled()) == (False, False)
    choose(page, page.app.sort_menu.menu, "File order")
    page.type(page.app.tree.filter_box, "c")
    select(page, "prefs", "Coffee 10")
    assert (actions.up.isEnabled(), actions.down.isEnabled()) == (False, False)
    page.key(page.app.tree.filter_box, Qt.Key.Key_Escape)
    page.app.tree.tree.setFocus()
    assert (actions.up.isEnabled(), actions.down.isEnabled()) == (True, True)


# ------------------------------------------------------------ filter


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("text:海边", ["prefs:sea"]),
        ("text:sea", ["prefs:sea", "work:rota"]),
        ("owner:xnne", ["prefs:sea", "prefs:coffee 9"]),
        ("owner:xnne cof", ["prefs:coffee 9"]),
        ("source:conv_2", ["prefs:coffee 9"]),
        ("age:<7d", ["prefs:Coffee 10", "prefs:coffee 9"]),
        ("age:today", ["prefs:coffee 9"]),
        ("age:>30d", ["prefs:sea", "2026-07-20"]),
        ("text:nowhere", []),
    ],
)
def test_the_filter_knows_owner_source_age_and_text(page: Desk, typed: str, wanted: list[str]) -> None:
    everything = page.leaves()
    page.type(page.app.tree.filter_box, typed)
    assert page.leaves() == wanted
    page.key(page.app.tree.filter_box, Qt.Key.Key_Escape)
    assert page.leaves() == everything
    assert page.app.tree.expanded == ["prefs"]
    assert page.app.tree.tree.isExpanded(page.app.memory_model.find("prefs"))
    assert not page.app.tree.tree.isExpanded(page.app.memory_model.find("work"))


def chips(desk: Desk) -> list[QToolButton]:
    """What stands below the filter box, from top to bottom."""
    layout = desk.app.tree.chips
    items = filter(None, (layout.itemAt(row) for row in range(layout.count())))
    found = [item.widget() for item in items]
    return [chip for chip in found if isinstance(chip, QToolButton) and chip.isVisible()]


def asked(desk: Desk) -> list[str]:
    return [chip.accessibleName().removeprefix("Take away ") for chip in chips(desk)]


def test_the_menu_beside_the_box_offers_what_there_is_and_shows_what_holds(page: Desk) -> None:
    menu = page.app.filter_menu
    choose(page, menu.menu, "Owner", "the agent")
    assert page.leaves() == ["prefs:Coffee 10"]
    assert asked(page) == ["Owner: the agent"]
    assert menu.button.accessibleName() == "Filter: Owner: the agent"
    menu.menu.popup(QPoint(0, 0))
    assert [action.text() for action in menu.owners.actions()] == ["user:xnne\t2", "None\t2", "the agent\t1"]
    assert [action.isChecked() for action in menu.owners.actions()] == [False, False, True]
    menu.menu.close()
    choose(page, menu.menu, "Owner", "user:xnne")
    assert page.leaves() == ["prefs:sea", "prefs:Coffee 10", "prefs:coffee 9"]
    choose(page, menu.menu, "Owner", "the agent")
    choose(page, menu.menu, "Written", "In the last 7 days")
    choose(page, menu.menu, "Written", "Today")
    assert asked(page) == ["Owner: user:xnne", "Written: Today"]
    assert page.leaves() == ["prefs:coffee 9"]
    choose(page, menu.menu, "Show everything")
    assert asked(page) == []
    assert len(page.leaves()) == 6
    choose(page, menu.menu, "Owner", "None")
    assert page.leaves() == ["prefs:walk", "work:rota"]
    assert asked(page) == ["Owner: None"]


def test_a_chip_takes_away_what_it_says(page: Desk) -> None:
    menu, box = page.app.filter_menu, page.app.tree.filter_box
    choose(page, menu.menu, "Owner", "user:xnne")
    choose(page, menu.menu, "Source", "conv_2")
    page.type(box, "cof")
    assert page.leaves() == ["prefs:coffee 9"]
    press(chips(page)[1])
    box.clear()
    assert page.leaves() == ["prefs:sea", "prefs:coffee 9"]
    QTest.keyClick(chips(page)[0], Qt.Key.Key_Space)
    assert (asked(page), len(page.leaves())) == ([], 6)


def test_escape_takes_everything_away_and_so_does_another_memory(page: Desk, store: Path, tmp_path: Path) -> None:
    choose(page, page.app.filter_menu.menu, "Owner", "the agent")
    page.key(page.app.tree.filter_box, Qt.Key.Key_Escape)
    assert (asked(page), len(page.leaves())) == ([], 6)
    choose(page, page.app.filter_menu.menu, "Owner", "the agent")
    page.open(fill(tmp_path / "other", {"a.md": "## b\n\nx\n"}))
    assert (asked(page), page.leaves()) == ([], ["a:b"])


def test_what_was_typed_can_be_taken_away_by_the_menu(page: Desk) -> None:
    page.type(page.app.tree.filter_box, 'owner:"the agent" cof')
    choose(page, page.app.filter_menu.menu, "Owner", "the agent")
    assert page.app.tree.filter_box.text() == "cof"
    assert page.leaves() == ["prefs:Coffee 10", "prefs:coffee 9"]


def test_a_chip_is_reached_by_tab_behind_the_button(page: Desk) -> None:
    choose(page, page.app.filter_menu.menu, "Owner", "the agent")
    page.app.filter_menu.button.setFocus()
    QTest.keyClick(page.app.filter_menu.button, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is chips(page)[0]


def test_the_letters_in_the_box_can_be_looked_for_in_texts(page: Desk) -> None:
    menu, box = page.app.filter_menu, page.app.tree.filter_box
    page.type(box, "two cups")
    assert page.leaves() == []
    choose(page, menu.menu, "Words in the texts")
    assert (box.text(), asked(page)) == ("", ["Text: two cups"])
    assert page.leaves() == ["prefs:coffee 9"]
    choose(page, menu.menu, "Show everything")
    choose(page, menu.menu, "Words in the texts")
    assert box.hasFocus()
    page.type(box, "morn")
    assert page.leaves() == ["prefs:Coffee 10"]


def test_the_filter_and_the_order_are_commands_too(page: Desk) -> None:
    known = [text for text, _ in commands(page.window.menus)]
    assert "View › Sort items by › Name" in known
    assert "View › Filter the tree by › Written › Today" in known
    assert "View › Filter the tree by › Words in the texts" in known


def searching(desk: Desk) -> bool:
    return desk.app.memory_model.searching


def test_enter_during_a_long_search_opens_what_it_finds(desk: Desk, tmp_path: Path) -> None:
    items = "".join(f"## n{number}\n\nnumber {number}\n\n" for number in range(25_000))
    desk.open(fill(tmp_path / "store", {"a.md": items}))
    desk.type(desk.app.tree.filter_box, "text:")
    desk.app.tree.filter_box.insert("24999")
    assert searching(desk)
    desk.key(desk.app.tree.filter_box, Qt.Key.Key_Return)
    desk.until(lambda: desk.app.documents.current is not None)
    assert desk.address == "a:n24999"


# ------------------------------------------------------------ what stays


def test_several_selected_rows_stay_selected_when_others_write(page: Desk) -> None:
    select(page, "prefs", "sea")
    QTest.keySequence(page.app.tree.tree, "Shift+Down")
    both = [Place("item", "prefs", "sea"), Place("item", "prefs", "Coffee 10")]
    assert page.app.tree.selection == both
    edit_outside(page.path("prefs"), "## walk", "## a new one\n\ntext\n\n## walk")
    page.until(lambda: "a new one" in names(page))
    assert page.app.tree.selection == both


def test_a_renamed_category_stays_open_there_and_back(page: Desk) -> None:
    tree, model = page.app.tree, page.app.memory_model
    tree.expand(["prefs"])
    page.click(tree.tree, model.find("prefs"))
    tree.expand(["prefs"])
    page.keys("F2")
    shown = dialog(RenamingDialog)
    shown.name.setText("likings")
    enter(shown)
    settle(page)
    assert tree.expanded == ["likings"]
    assert tree.tree.isExpanded(model.find("likings"))
    tree.tree.setFocus()
    page.keys("Ctrl+Z")
    settle(page)
    assert tree.expanded == ["prefs"]
    assert tree.tree.isExpanded(model.find("prefs"))


def test_a_category_that_is_away_for_a_moment_comes_back_open(page: Desk) -> None:
    path = page.path("prefs")
    text = path.read_bytes()
    path.unlink()
    page.until(lambda: not names(page))
    path.write_bytes(text)
    page.until(lambda: names(page))
    page.settle()
    assert page.app.tree.tree.isExpanded(page.app.memory_model.find("prefs"))


def test_a_new_item_is_offered_the_categories_that_hold_what_is_typed(page: Desk) -> None:
    page.keys("Ctrl+N")
    shown = dialog(NewItemDialog)
    shown.category.setCurrentText("")
    page.type(shown.category, "or")
    completer = shown.category.completer()
    assert completer is not None
    popup = completer.popup()
    assert popup is not None
    page.until(popup.isVisible)
    assert [completer.completionModel().index(row, 0).data() for row in range(completer.completionCount())] == ["work"]
    assert shown.chosen == "or", "a new name is not ended"
    QTest.keyClick(popup, Qt.Key.Key_Down)
    QTest.keyClick(popup, Qt.Key.Key_Return)
    assert shown.chosen == "work"
    shown.reject()
