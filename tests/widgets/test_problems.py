"""The problems pane: what is wrong, where, and what can be done about it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QToolButton

from tests.engine.folders import fill
from tests.presentation.house import edit_outside
from tests.widgets.desk import Desk
from tests.widgets.problem_rows import open_store, problem
from wikimem_desktop.engine.problems import Kind, Problem
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.presentation.memory_model import Role
from wikimem_desktop.presentation.problems_model import ProblemRole

LEFT = Qt.MouseButton.LeftButton


def title(desk: Desk) -> str:
    captions = desk.window.docks.all["problems"].findChildren(QLabel)
    return " ".join(label.text() for label in captions)


def test_the_title_counts_the_problems(sample: Desk) -> None:
    count = sample.app.problems_model.rowCount()
    assert count > 5
    assert str(count) in title(sample)
    assert f"{count} problems" in sample.status()


def test_the_sample_holds_a_problem_of_each_kind_of_text(sample: Desk) -> None:
    model = sample.app.problems_model
    kinds = {found.kind for found in model.problems}
    by_name = {Kind.UNLINKABLE_NAME, Kind.CONFLICT_COPY, Kind.UNREADABLE}
    of_links = {Kind.AMBIGUOUS_LINK, Kind.FORM_MISMATCH, Kind.ALIAS_LINK, Kind.CASE_MISMATCH}
    of_texts = {Kind.NO_TOKENS, Kind.MALFORMED_METADATA, Kind.NEAR_DUPLICATE, Kind.OVER_BUDGET}
    wanted = set(Kind) - by_name - of_links - of_texts
    assert wanted - kinds == set()
    for row in range(model.rowCount()):
        spoken = str(model.index(row).data(Qt.ItemDataRole.AccessibleTextRole))
        assert spoken.endswith(str(model.index(row).data(ProblemRole.PLACE_TEXT)))


@pytest.mark.parametrize("way", ["click", "enter"])
def test_choosing_an_unresolved_link_opens_its_item_and_selects_it(sample: Desk, way: str) -> None:
    row = problem(sample, Kind.UNRESOLVED_LINK)
    found = row.data(ProblemRole.PROBLEM)
    view = sample.app.problems_view
    if way == "click":
        sample.click(view, row)
    else:
        view.setCurrentIndex(row)
        sample.key(view, Qt.Key.Key_Return)
    assert sample.address == f"{found.category}:{found.item}"
    assert sample.text.textCursor().selectedText() == found.subject
    assert sample.text.hasFocus()


@pytest.mark.parametrize(
    ("kind", "place_kind"), [(Kind.NOT_UTF8, "file"), (Kind.SAME_MINUTE, "day"), (Kind.HEADING_IN_FENCE, "item")]
)
def test_choosing_any_other_problem_opens_where_it_is(sample: Desk, kind: Kind, place_kind: str) -> None:
    row = problem(sample, kind)
    sample.click(sample.app.problems_view, row)
    assert sample.buffer.place.kind == place_kind
    assert sample.buffer.place.category == row.data(ProblemRole.PROBLEM).category


def test_every_problem_can_be_chosen(sample: Desk) -> None:
    for row in range(sample.app.problems_model.rowCount()):
        sample.click(sample.app.problems_view, sample.app.problems_model.index(row))
    assert sample.app.notices.current is None


def test_a_problem_goes_when_it_is_fixed_outside(sample: Desk) -> None:
    count = sample.app.problems_model.rowCount()
    badge = sample.app.memory_model.find("people", "陈医生")
    assert badge.data(Role.PROBLEM)
    edit_outside(sample.path("people"), "[[health:annual-check-up]]", "[[health:annual-checkup]]")
    sample.until(lambda: sample.app.problems_model.rowCount() == count - 1)
    assert str(count - 1) in title(sample)
    assert not sample.app.memory_model.find("people", "陈医生").data(Role.PROBLEM)


def test_a_heading_behind_a_byte_order_mark_is_warned_about_and_its_bytes_stay(desk: Desk, tmp_path: Path) -> None:
    data = "\ufeff## a\n\nfirst\n\n## b\n\nsecond\n".encode()
    path = fill(tmp_path / "store", {"x.md": data}) / "x.md"
    desk.open(path.parent)
    assert desk.leaves() == ["x:b"]
    assert problem(desk, Kind.BOM_BEFORE_HEADING).data(ProblemRole.PROBLEM).line == 1
    desk.open_item("x:b")
    desk.put_caret("second")
    desk.type(desk.text, "!")
    desk.save()
    assert path.read_bytes() == data.replace(b"second", b"second!")


def test_the_problems_in_the_status_bar_lead_to_the_pane(sample: Desk) -> None:
    sample.window.docks.all["problems"].close()
    button = next(b for b in sample.app.status_bar.findChildren(QToolButton) if "problem" in b.text())
    QTest.mouseClick(button, LEFT)
    assert sample.app.problems_view.isVisible()
    assert sample.app.problems_view.hasFocus()


# ------------------------------------------------------------ fixes


def on_fix(desk: Desk, row: QModelIndex) -> QPoint:
    """Where the row's fix stands."""
    view = desk.app.problems_view
    view.scrollTo(row)
    return view.fix_rect(row).center()


def choose_fix(desk: Desk, row: QModelIndex, way: str) -> None:
    view = desk.app.problems_view
    if way == "click":
        QTest.mouseClick(view.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, on_fix(desk, row))
        return
    view.setCurrentIndex(row)
    if way == "keys":
        desk.key(view, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    else:
        menu(desk, row, way).actions()[1].trigger()


def menu(desk: Desk, row: QModelIndex, way: str) -> QMenu:
    """The context menu of a row, called by the mouse or the menu key."""
    view = desk.app.problems_view
    place = view.visualRect(row).center()
    reason = QContextMenuEvent.Reason.Mouse
    if way == "menu key":
        view.setCurrentIndex(row)
        reason, place = QContextMenuEvent.Reason.Keyboard, QPoint()
    QApplication.sendEvent(view.viewport(), QContextMenuEvent(reason, place, view.viewport().mapToGlobal(place)))
    shown = QApplication.activePopupWidget()
    assert isinstance(shown, QMenu)
    return shown


class Wishes:
    """What the pane asked for."""

    def __init__(self, desk: Desk) -> None:
        self.places: list[Problem] = []
        self.fixes: list[Problem] = []
        desk.app.problems_view.problem_chosen.connect(self.places.append)
        desk.app.problems_view.fix_chosen.connect(self.fixes.append)


FIXES = {
    Kind.UNRESOLVED_LINK: "Create item",
    Kind.SHADOWED: "Show it",
    Kind.HEADING_IN_FENCE: "Escape it",
    Kind.METADATA_IN_FENCE: "Escape it",
    Kind.BOM_BEFORE_HEADING: "Insert a blank line",
}


@pytest.mark.parametrize("way", ["click", "keys", "menu", "menu key"])
@pytest.mark.parametrize("kind", FIXES)
def test_a_fix_is_chosen_at_the_end_of_the_row_by_keys_and_in_the_menu(sample: Desk, kind: Kind, way: str) -> None:
    wishes, row = Wishes(sample), problem(sample, kind)
    found = row.data(ProblemRole.PROBLEM)
    assert row.data(ProblemRole.FIX_TEXT) == FIXES[kind]
    assert FIXES[kind] in row.data(Qt.ItemDataRole.AccessibleDescriptionRole)
    if way.startswith("menu"):
        shown = menu(sample, row, way)
        assert [action.text() for action in shown.actions()] == ["Go there", FIXES[kind]]
        shown.close()
    choose_fix(sample, row, way)
    assert (wishes.fixes, wishes.places) == ([found], [])


@pytest.mark.parametrize("way", ["click", "keys", "menu"])
def test_where_nothing_is_safe_there_is_only_the_place(sample: Desk, way: str) -> None:
    wishes, row = Wishes(sample), problem(sample, Kind.NOT_UTF8)
    view = sample.app.problems_view
    assert row.data(ProblemRole.FIX_TEXT) is None
    if way == "click":
        view.scrollTo(row)
        end = view.visualRect(row).topRight() + QPoint(-30, 8)
        QTest.mouseClick(view.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, end)
    elif way == "keys":
        choose_fix(sample, row, way)
    else:
        (go,) = menu(sample, row, way).actions()
        go.trigger()
    assert wishes.fixes == []
    assert wishes.places == ([] if way == "keys" else [row.data(ProblemRole.PROBLEM)])


def test_the_mouse_shows_that_a_fix_can_be_clicked(sample: Desk) -> None:
    view, row = sample.app.problems_view, problem(sample, Kind.SHADOWED)
    hand = Qt.CursorShape.PointingHandCursor
    QTest.mouseMove(view.viewport(), on_fix(sample, row))
    sample.until(lambda: view.viewport().cursor().shape() == hand)
    underlined = view.grab().toImage()
    QTest.mouseMove(view.viewport(), view.visualRect(row).center())
    sample.until(lambda: view.viewport().cursor().shape() != hand)
    assert view.grab().toImage() != underlined


def test_enter_goes_to_the_place_wherever_the_mouse_rests(sample: Desk) -> None:
    wishes, row = Wishes(sample), problem(sample, Kind.SHADOWED)
    QTest.mouseMove(sample.app.problems_view.viewport(), on_fix(sample, row))
    sample.app.problems_view.setCurrentIndex(row)
    sample.key(sample.app.problems_view, Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)
    assert (wishes.fixes, wishes.places) == ([], [row.data(ProblemRole.PROBLEM)])


def test_a_shadowed_section_is_shown_itself(desk: Desk, tmp_path: Path) -> None:
    sections = [f"## {name}\n\n{name} {number}\n\n" for number in range(3) for name in "ab"]
    desk.open(fill(tmp_path / "store", {"x.md": "".join(sections)}))
    model = desk.app.problems_model
    for row in range(model.rowCount()):
        name, number = str("ab"[row % 2]), row // 2
        choose_fix(desk, model.index(row), "keys")
        assert (desk.buffer.place.kind, desk.buffer.place.name) == ("shadowed", name)
        assert desk.app.item_view.reader.toPlainText().strip() == f"{name} {number}"
        place = desk.app.memory_model.data(desk.app.tree.tree.currentIndex(), Role.PLACE)
        assert place == desk.buffer.place


def test_items_over_the_budget_come_and_go_with_it(desk: Desk, tmp_path: Path) -> None:
    open_store(desk, tmp_path, {"a.md": "## long\n\n" + "word " * 50 + "\n"})
    model, budget = desk.app.problems_model, desk.app.panel.parameters.budget
    budget.setValue(20)
    desk.until(lambda: [found.kind for found in model.problems] == [Kind.OVER_BUDGET])
    assert "takes 51 tokens" in str(model.index(0).data())
    assert "1 problem" in desk.status()
    budget.setValue(60)
    desk.until(lambda: not model.problems)


TROUBLES: dict[str, str | bytes] = {
    "good.md": "# good\n\n## a\n\none\n",
    "bom.md": b"\xef\xbb\xbf## first\n\none\n\n## second\n\ntwo\n",
    "My Notes.md": "# mine\n\n## x\n\nx\n",
    "good.sync-conflict-20260101-120000-ABCDEFG.md": "# good\n\n## a\n\nother\n",
    "loose.md": "# loose\n\n<!-- wikimem owner=me -->\n\n## y\n\ny\n",
    "twice.md": "# twice\n\n## a\n\nfirst\n\n## a\n\nsecond\n",
}


@pytest.mark.parametrize(
    ("kind", "place", "line"),
    [
        (Kind.BOM_BEFORE_HEADING, Place("text", "bom"), "## first"),
        (Kind.FOREIGN_NAME, Place("text", "My Notes"), "# mine"),
        (Kind.CONFLICT_COPY, Place("text", "good.sync-conflict-20260101-120000-ABCDEFG"), "# good"),
        (Kind.MALFORMED_METADATA, Place("text", "loose"), "<!-- wikimem owner=me -->"),
        (Kind.SHADOWED, Place("shadowed", "twice", "a"), ""),
    ],
)
def test_enter_opens_the_file_at_the_line(desk: Desk, tmp_path: Path, kind: Kind, place: Place, line: str) -> None:
    desk.open(fill(tmp_path / "store", TROUBLES))
    desk.open_item("good:a")
    desk.app.problems_view.setCurrentIndex(problem(desk, kind))
    desk.key(desk.app.problems_view, Qt.Key.Key_Return)
    assert desk.buffer.place == place
    assert desk.text.textCursor().block().text().endswith(line)
    assert desk.app.item_view.isAncestorOf(desk.window.focusWidget())


def test_enter_on_a_broken_line_of_the_journal_opens_the_journal(desk: Desk, tmp_path: Path) -> None:
    desk.open(fill(tmp_path / "store", {"good.md": "# good\n\n## a\n\none\n", "journal.jsonl": "{}\nbroken\n"}))
    desk.app.problems_view.setCurrentIndex(problem(desk, Kind.BROKEN_JOURNAL_LINE))
    desk.key(desk.app.problems_view, Qt.Key.Key_Return)
    view = desk.app.journal_view
    desk.until(view.isVisible)
    desk.until(lambda: view.broken.text() == "1 broken line")
