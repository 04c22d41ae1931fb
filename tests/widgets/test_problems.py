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
from tests.widgets.desk import Desk, dialog
from wikimem_desktop.engine.problems import Kind, Problem
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.presentation.memory_model import Role
from wikimem_desktop.presentation.problems_model import ProblemRole
from wikimem_desktop.widgets.comparison import ComparisonDialog, CopyDialog
from wikimem_desktop.widgets.naming import MergingDialog

LEFT = Qt.MouseButton.LeftButton


def problem(desk: Desk, kind: Kind) -> QModelIndex:
    model = desk.app.problems_model
    rows = [model.index(row) for row in range(model.rowCount())]
    return next(row for row in rows if row.data(ProblemRole.PROBLEM).kind is kind)


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


# ------------------------------------------------------------ kinds, comparisons

WALK = "We walk to the harbour each Sunday and are back before the church bells ring."


def open_store(desk: Desk, tmp_path: Path, files: dict[str, str | bytes]) -> Path:
    root = fill(tmp_path / "store", files)
    desk.open(root)
    return root


def test_only_one_kind_is_shown_and_all_of_it_repaired(desk: Desk, tmp_path: Path) -> None:
    fence = "# a\n\n## x\n\n```\n## one\n```\n\n## y\n\n```\n## two\n```\n\n[[a:gone]]\n"
    root = open_store(desk, tmp_path, {"a.md": fence})
    pane, model = desk.app.problems_pane, desk.app.problems_model
    assert pane.fix_all.text() == "Repair 2 problems"
    pane.kinds.setCurrentIndex(pane.kinds.findData(Kind.UNRESOLVED_LINK))
    pane.kinds.activated.emit(pane.kinds.currentIndex())
    assert not pane.fix_all.isVisible()
    pane.kinds.setCurrentIndex(pane.kinds.findData(Kind.HEADING_IN_FENCE))
    pane.kinds.activated.emit(pane.kinds.currentIndex())
    assert {found.kind for found in model.shown} == {Kind.HEADING_IN_FENCE}
    assert "2" in pane.kinds.currentText()
    assert len(model.problems) > 2
    desk.qtbot.mouseClick(pane.fix_all, LEFT)
    desk.settle()
    assert (root / "a.md").read_text() == fence.replace("## one", " ## one").replace("## two", " ## two")
    desk.until(lambda: model.kind is None)
    assert {found.kind for found in model.shown} == {Kind.UNRESOLVED_LINK}
    desk.app.steps.undo()
    desk.settle()
    assert (root / "a.md").read_text() == fence


def test_repairs_of_one_file_do_not_stand_in_each_others_way(desk: Desk, tmp_path: Path) -> None:
    text = "\ufeff## x\n\n## z\n\n[[b:\u00e9]]\n\n```\n## one\n<!-- wikimem: owner=me -->\n```\n"
    root = open_store(desk, tmp_path, {"a.md": text, "b.md": "## e\u0301\n\ny\n"})
    desk.qtbot.mouseClick(desk.app.problems_pane.fix_all, LEFT)
    desk.settle()
    repaired = "\n## x\n\n## z\n\n[[b:e\u0301]]\n\n```\n ## one\n\\<!-- wikimem: owner=me -->\n```\n"
    assert (root / "a.md").read_text() == "\ufeff" + repaired
    desk.until(lambda: not desk.app.problems_model.problems)
    desk.app.steps.undo()
    desk.settle()
    assert (root / "a.md").read_text() == text


def repair_all(desk: Desk) -> None:
    desk.qtbot.mouseClick(desk.app.problems_pane.fix_all, LEFT)
    desk.settle()


def test_what_follows_a_fence_that_is_never_closed_is_left_alone(desk: Desk, tmp_path: Path) -> None:
    """B02."""
    text = "## one\n\n```\ncode\n\n## two\n\nx\n\n<!-- wikimem: owner=me -->\n\n## three\n\ny\n"
    root = open_store(desk, tmp_path, {"a.md": text, "b.md": "## k\n\n[[a:two]]\n"})
    in_code = [found for found in desk.app.problems_model.problems if "fence" in found.kind]
    assert [found.subject for found in in_code] == ["two", "two", "three"]
    assert "never closed" in str(problem(desk, Kind.HEADING_IN_FENCE).data())
    assert desk.app.problems_pane.fix_all.isHidden()
    assert not problem(desk, Kind.HEADING_IN_FENCE).data(ProblemRole.FIX_TEXT)
    desk.app.structure.fix(in_code)
    desk.settle()
    assert (root / "a.md").read_text() == text


def test_an_item_in_code_stays_while_links_lead_there(desk: Desk, tmp_path: Path) -> None:
    text = "## a\n\n```\n## one\n```\n\n## b\n\n```\n## two\n```\n"
    root = open_store(desk, tmp_path, {"a.md": text, "b.md": "## k\n\n[[a:two]]\n"})
    repair_all(desk)
    assert (root / "a.md").read_text() == text.replace("## one", " ## one")
    assert "a:two" in desk.notice()


def test_no_link_is_respelled_to_an_item_that_goes_with_it(desk: Desk, tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"a.md": "## k\n\n```\n## e\u0301\n```\n", "c.md": "## q\n\n[[a:\u00e9]]\n"}
    root = open_store(desk, tmp_path, files)
    repair_all(desk)
    assert (root / "c.md").read_text() == files["c.md"]
    assert (root / "a.md").read_text() == "## k\n\n```\n ## e\u0301\n```\n"


def test_links_of_a_day_are_not_taken_for_those_of_a_category(desk: Desk, tmp_path: Path) -> None:
    day = "## 10:00\n\n[[b:\u00e9]]\n\n## 11:00\n\nand [[b:\u00e9]]\n"
    root = open_store(desk, tmp_path, {"wiki/b.md": "## e\u0301\n\ny\n", "diary/2026-07-21.md": day})
    assert desk.app.problems_pane.fix_all.isHidden()
    desk.app.structure.fix(desk.app.problems_model.problems)
    desk.settle()
    assert sorted(path.name for path in (root / "wiki").iterdir()) == ["b.md"]
    assert not desk.app.steps.undo_label


def test_a_file_that_is_gone_does_not_come_back_empty(desk: Desk, tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "b.md": "## e\u0301\n\ny\n",
        "c.md": "## q\n\n[[b:\u00e9]]\n",
        "d.md": "\ufeff## q\n",
    }
    root = open_store(desk, tmp_path, files)
    desk.app.watcher.stop()
    for name in ("c.md", "d.md"):
        (root / name).unlink()
    repair_all(desk)
    assert sorted(path.name for path in root.glob("*.md")) == ["b.md"]
    assert "no category" in desk.notice()


def test_a_link_that_moved_is_respelled_where_it_is_now(desk: Desk, tmp_path: Path) -> None:
    root = open_store(desk, tmp_path, {"b.md": "## e\u0301\n\ny\n", "c.md": "## q\n\n[[b:\u00e9]]\n"})
    desk.app.watcher.stop()
    (root / "c.md").write_text("above\n\n## q\n\n[[b:\u00e9]]\n")
    desk.app.structure.fix([found for found in desk.app.problems_model.problems if found.kind is Kind.FORM_MISMATCH])
    desk.settle()
    assert (root / "c.md").read_text() == "above\n\n## q\n\n[[b:e\u0301]]\n"


def test_items_nearly_the_same_are_compared_and_merged(desk: Desk, tmp_path: Path) -> None:
    root = open_store(
        desk, tmp_path, {"a.md": f"## one\n\n{WALK}\n", "b.md": f"## two\n\n{WALK} Always.\n\n## c\n\nx\n"}
    )
    desk.app.navigation._on_fix_chosen(problem(desk, Kind.NEAR_DUPLICATE).data(ProblemRole.PROBLEM))
    shown = dialog(ComparisonDialog)
    assert shown.texts.left.toPlainText() == WALK
    assert shown.texts.right.toPlainText() == f"{WALK} Always."
    desk.qtbot.mouseClick(shown.agree, LEFT)
    desk.qtbot.mouseClick(dialog(MergingDialog).agree, LEFT)
    desk.settle()
    assert (root / "a.md").read_text() == f"## one\n\n{WALK}\n\n{WALK} Always.\n"
    assert (root / "b.md").read_text() == "## c\n\nx\n"


def merging(desk: Desk) -> MergingDialog:
    """Two items were compared, and the person wants one."""
    desk.app.navigation._on_fix_chosen(problem(desk, Kind.NEAR_DUPLICATE).data(ProblemRole.PROBLEM))
    desk.qtbot.mouseClick(dialog(ComparisonDialog).agree, LEFT)
    return dialog(MergingDialog)


def test_links_to_a_compared_item_are_shown_before_it_goes(desk: Desk, tmp_path: Path) -> None:
    files = {"a.md": f"## one\n\n{WALK}\n", "b.md": f"## two\n\n{WALK} Always.\n", "c.md": "## x\n\n[[b:two]]\n"}
    root = open_store(desk, tmp_path, dict(files))
    shown = merging(desk)
    desk.until(shown.links.isVisible)
    assert shown.links.count == 1
    assert [label.text() for label in shown.losses] == ["It is the last item: the file b.md goes too."]
    assert (root / "c.md").read_text() == files["c.md"]
    desk.qtbot.mouseClick(shown.agree, LEFT)
    desk.settle()
    assert (root / "c.md").read_text() == "## x\n\n[[a:one]]\n"


@pytest.mark.parametrize("changed", ["a.md", "b.md"])
def test_compared_items_that_say_something_else_meanwhile_are_not_merged(
    changed: str, desk: Desk, tmp_path: Path
) -> None:
    files = {"a.md": f"## one\n\n{WALK}\n", "b.md": f"## two\n\n{WALK} Always.\n"}
    root = open_store(desk, tmp_path, dict(files))
    shown = merging(desk)
    files[changed] = files[changed].replace("Sunday", "Monday")
    (root / changed).write_text(files[changed])
    desk.qtbot.mouseClick(shown.agree, LEFT)
    desk.settle()
    assert "changed meanwhile" in desk.notice()
    assert {name: (root / name).read_text() for name in files} == files


def test_a_copy_is_brought_home_as_it_was_chosen(desk: Desk, tmp_path: Path) -> None:
    """B60."""
    copy = "prefs (conflicted copy 2026-01-01).md"
    files: dict[str, str | bytes] = {"prefs.md": "## a\n\none\n", copy: "## a\n\nuno\n\n## b\n\ntwo\n"}
    root = open_store(desk, tmp_path, files)
    desk.app.navigation._on_fix_chosen(problem(desk, Kind.CONFLICT_COPY).data(ProblemRole.PROBLEM))
    shown = dialog(CopyDialog)
    assert list(shown.choices) == ["a"]
    shown.choices["a"].setCurrentIndex(shown.choices["a"].findData("copy"))
    desk.qtbot.mouseClick(shown.agree, LEFT)
    desk.settle()
    assert (root / "prefs.md").read_text() == "## a\n\nuno\n\n## b\n\ntwo\n"
    assert not (root / copy).exists()
    desk.app.steps.undo()
    desk.settle()
    assert {name: (root / name).read_text() for name in files} == files


COPY_OF_PREFS = "prefs (conflicted copy 2026-01-01)"


def test_what_a_copy_repeats_is_no_near_duplicate(desk: Desk, tmp_path: Path) -> None:
    text = f"## one\n\n{WALK}\n"
    open_store(desk, tmp_path, {"prefs.md": text, f"{COPY_OF_PREFS}.md": text, "b.md": text.replace("one", "two")})
    found = [
        (each.subject, each.detail) for each in desk.app.problems_model.problems if each.kind is Kind.NEAR_DUPLICATE
    ]
    assert set(found) == {("prefs:one", "b:two"), (f"{COPY_OF_PREFS}:one", "b:two")}


def bring_home(desk: Desk) -> CopyDialog:
    desk.app.navigation._on_fix_chosen(problem(desk, Kind.CONFLICT_COPY).data(ProblemRole.PROBLEM))
    return dialog(CopyDialog)


def test_links_to_a_copy_are_shown_as_they_will_lead(desk: Desk, tmp_path: Path) -> None:
    link = f"## x\n\n[[{COPY_OF_PREFS}:a]]\n"
    files: dict[str, str | bytes] = {"prefs.md": "## a\n\none\n", f"{COPY_OF_PREFS}.md": "## a\n\nuno\n", "b.md": link}
    root = open_store(desk, tmp_path, files)
    shown = bring_home(desk)
    desk.until(shown.links.isVisible)
    row = shown.links.model.index(0)
    assert "[[prefs:a 2]]" in str(row.data())
    shown.choices["a"].setCurrentIndex(shown.choices["a"].findData("original"))
    assert "[[prefs:a]]" in str(row.data())
    desk.qtbot.mouseClick(shown.agree, LEFT)
    desk.settle()
    assert (root / "b.md").read_text() == "## x\n\n[[prefs:a]]\n"
    desk.app.steps.undo()
    desk.settle()
    assert {name: (root / name).read_text() for name in files} == files


def test_the_rows_of_a_copy_say_what_differs_and_what_it_will_be_called(desk: Desk, tmp_path: Path) -> None:
    copy = "## a\n\none\n\n<!-- wikimem: owner=me -->\n\n## Tea\n\nblack\n\n## n\n\n1\n\n## N\n\n2\n"
    open_store(desk, tmp_path, {"prefs.md": "## a\n\none\n\n## tea\n\ngreen\n", f"{COPY_OF_PREFS}.md": copy})
    shown = bring_home(desk)
    assert shown.notes == {
        "a": "same text; name, metadata or spacing differ",
        "n": "only in the copy: it comes along",
        "N": "only in the copy: it comes along as “N 2”",
    }
    assert shown.chosen == {"a": "original", "Tea": "both"}
    assert "Tea / tea" in [label.text() for label in shown.findChildren(QLabel)]


def test_a_copy_stays_where_unsaved_text_stands_in_one_of_the_files(desk: Desk, tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"prefs.md": "## a\n\none\n", f"{COPY_OF_PREFS}.md": "## a\n\nuno\n"}
    root = open_store(desk, tmp_path, files)
    desk.app.documents.open_item("prefs", "a")
    desk.qtbot.keyClicks(desk.text, "mine")
    desk.qtbot.mouseClick(bring_home(desk).agree, LEFT)
    desk.settle()
    assert "unsaved" in desk.notice()
    assert {name: (root / name).read_text() for name in files} == files


def test_a_copy_that_says_something_else_meanwhile_is_asked_about_again(desk: Desk, tmp_path: Path) -> None:
    root = open_store(desk, tmp_path, {"prefs.md": "## a\n\none\n", f"{COPY_OF_PREFS}.md": "## a\n\nuno\n"})
    shown = bring_home(desk)
    (root / f"{COPY_OF_PREFS}.md").write_text("## a\n\ndos\n")
    desk.qtbot.mouseClick(shown.agree, LEFT)
    desk.settle()
    assert "changed meanwhile" in desk.notice()
    assert (root / f"{COPY_OF_PREFS}.md").read_text() == "## a\n\ndos\n"


def test_a_copy_that_cannot_be_read_says_so(desk: Desk, tmp_path: Path) -> None:
    root = open_store(desk, tmp_path, {"prefs.md": "## a\n\none\n", f"{COPY_OF_PREFS}.md": "## a\n\nuno\n"})
    found = problem(desk, Kind.CONFLICT_COPY).data(ProblemRole.PROBLEM)
    desk.app.watcher.stop()
    (root / f"{COPY_OF_PREFS}.md").write_bytes(b"\xff\xfe")
    desk.app.navigation._on_fix_chosen(found)
    assert COPY_OF_PREFS in desk.notice()


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
