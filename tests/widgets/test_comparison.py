"""Items that nearly say the same, and copies of sync tools: compared, merged, brought home."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from tests.widgets.desk import Desk, dialog
from tests.widgets.problem_rows import open_store, problem
from wikimem_desktop.engine.problems import Kind
from wikimem_desktop.presentation.problems_model import ProblemRole
from wikimem_desktop.widgets.comparison import ComparisonDialog, CopyDialog
from wikimem_desktop.widgets.naming import MergingDialog

WALK = "We walk to the harbour each Sunday and are back before the church bells ring."

LEFT = Qt.MouseButton.LeftButton


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
