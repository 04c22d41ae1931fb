"""Repairs of problems that ask nothing, several at once: only what is safe, in one step."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt

from tests.widgets.desk import Desk
from tests.widgets.problem_rows import open_store, problem
from wikimem_desktop.engine.problems import Kind
from wikimem_desktop.presentation.problems_model import ProblemRole


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


LEFT = Qt.MouseButton.LeftButton


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
