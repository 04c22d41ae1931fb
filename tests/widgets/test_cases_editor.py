"""Faults that people met elsewhere, tried at the window (the ids are those of the case list)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from tests.engine.folders import fill, tree
from tests.widgets.desk import Desk
from wikimem_desktop.engine.problems import Kind
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.presentation.problems_model import ProblemRole
from wikimem_desktop.widgets.editor.conversion import ConversionDialog

LEFT, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


def problem(desk: Desk, kind: Kind) -> QModelIndex | None:
    """The first row of the problems pane of that kind."""
    model = desk.app.problems_model
    rows = [model.index(row) for row in range(model.rowCount())]
    return next((row for row in rows if row.data(ProblemRole.PROBLEM).kind is kind), None)


def choose_fix(desk: Desk, kind: Kind) -> None:
    """Ctrl+Enter on a problem."""
    row, view = problem(desk, kind), desk.app.problems_view
    assert row is not None
    view.setCurrentIndex(row)
    desk.key(view, Qt.Key.Key_Return, CTRL)
    desk.settle()
    desk.follow_disk()


# ------------------------------------------------------------ headings and fences

FENCED = "# work\n\n## install\n\nRun this:\n\n```md\n# Title\n## Installation\ntext\n```\n\nDone.\n"


def test_b01_a_heading_in_a_fence_is_shown_as_hosts_read_it_and_a_fix_makes_it_text(desk: Desk, tmp_path: Path) -> None:
    path = fill(tmp_path / "store", {"work.md": FENCED}) / "work.md"
    desk.open(path.parent)
    assert desk.leaves() == ["work:install", "work:Installation"]
    row = problem(desk, Kind.HEADING_IN_FENCE)
    assert row is not None
    assert row.data(ProblemRole.PLACE_TEXT) == "work.md:9"
    desk.open_item("work:Installation")
    desk.put_caret("Done")
    desk.type(desk.text, " at last")
    desk.save()
    saved = FENCED.replace("Done", "Done at last")
    assert path.read_bytes().decode() == saved
    choose_fix(desk, Kind.HEADING_IN_FENCE)
    assert path.read_bytes().decode() == saved.replace("## Installation", " ## Installation")
    assert desk.leaves() == ["work:install"]
    assert desk.app.problems_model.rowCount() == 0
    desk.app.steps.undo()
    desk.settle()
    assert path.read_bytes().decode() == saved


@pytest.mark.parametrize("fence", ["```", "````", "~~~", "  ```", "```sh"])
@pytest.mark.parametrize("closed", [True, False])
def test_b02_comments_in_code_look_like_code_and_are_no_titles(
    desk: Desk, tmp_path: Path, fence: str, *, closed: bool
) -> None:
    closing = fence.rstrip("sh") + "\n" if closed else ""
    text = f"## code\n\n# title\n\n{fence}\n# comment\n### deeper\n{closing}"
    desk.open(fill(tmp_path / "store", {"notes.md": text}))
    assert desk.leaves() == ["notes:code"]
    assert desk.app.problems_model.rowCount() == 0
    desk.open_item("notes:code")
    desk.text.grab()
    code = desk.app.theme.color("code").name()
    assert [background(desk, line) == code for line in ("# title", "# comment", "### deeper")] == [False, True, True]


def background(desk: Desk, line: str) -> str:
    """The colour behind a line of the write view."""
    block = desk.text.document().find(line).block()
    return "".join(span.format.background().color().name() for span in block.layout().formats()[-1:])


@pytest.mark.parametrize("answer", ["split", "escape", "cancel"])
def test_b03_a_pasted_heading_is_asked_about_when_it_is_saved(desk: Desk, tmp_path: Path, answer: str) -> None:
    before = "# notes\n\n## a\n\none\n\n## b\n\ntwo\n"
    path = fill(tmp_path / "store", {"notes.md": before}) / "notes.md"
    desk.open(path.parent)
    desk.open_item("notes:a")
    desk.put_caret("one")
    QGuiApplication.clipboard().setText("\n\n## x\n\nmore")
    desk.text.setFocus()
    desk.keys("Ctrl+V")
    desk.save()
    bar = desk.app.item_view.unstorable_bar
    assert bar.isVisible()
    assert bar.text.startswith("Not saved. Line 3 (“## x”)")
    assert path.read_bytes().decode() == before
    QTest.mouseClick(getattr(bar, answer), LEFT)
    desk.settle()
    assert not bar.isVisible()
    desk.save()
    desk.follow_disk()
    text = path.read_bytes().decode()
    if answer == "split":
        assert desk.leaves() == ["notes:a", "notes:x", "notes:b"]
        assert [item.content for item in desk.items() if item.name in "ax"] == ["one", "more"]
    else:
        assert text == (before.replace("one", "one\n\n\\## x\n\nmore") if answer == "escape" else before)
    assert desk.window.isWindowModified() == (answer == "cancel"), "who cancels keeps the text, unsaved"


def test_w02_a_section_that_a_hosts_write_would_drop_says_so(desk: Desk, tmp_path: Path) -> None:
    text = "## a\n\nfirst\n\n## a\n\nlast\n"
    desk.open(fill(tmp_path / "store", {"x.md": text}))
    row = problem(desk, Kind.SHADOWED)
    assert row is not None
    assert "drop" in row.data()
    choose_fix(desk, Kind.SHADOWED)
    assert desk.app.item_view.reader.toPlainText().strip() == "first"
    assert "removes this" in desk.app.item_view.note_bar.text
    assert desk.path("x").read_bytes().decode() == text


# ------------------------------------------------------------ names, line ends, byte order marks


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="one file there")
def test_b06_categories_that_differ_in_case_only_are_both_there_and_none_takes_the_others_name(
    desk: Desk, tmp_path: Path
) -> None:
    root = fill(tmp_path / "store", {"prefs.md": "## a\n\none\n", "Prefs.md": "## a\n\ntwo\n"})
    desk.open(root)
    assert [item.address for item in desk.items()] == ["Prefs:a", "prefs:a"]
    row = problem(desk, Kind.FOREIGN_NAME)
    assert row is not None
    assert row.data(ProblemRole.PLACE_TEXT) == "Prefs.md"
    before = tree(root)
    for name in ("Prefs", "PREFS"):
        desk.app.structure.rename(Place("category", "prefs"), name)
        desk.settle()
        assert "a–z" in desk.notice()
        assert tree(root) == before


@pytest.mark.parametrize("end", ["\n", ""])
def test_b09_editing_an_item_of_a_crlf_file_changes_its_bytes_only(desk: Desk, tmp_path: Path, end: str) -> None:
    text = f"# n\n\n## a\n\none\ntwo\n\n<!-- wikimem: mood=ok | owner=me -->\n\n## b\n\nthree{end}".replace(
        "\n", "\r\n"
    )
    path = fill(tmp_path / "store", {"notes.md": text}) / "notes.md"
    desk.open(path.parent)
    for address, typed_behind, typed in (("notes:a", "one", "\nmore"), ("notes:b", "three", "\nlast")):
        desk.open_item(address)
        desk.put_caret(typed_behind)
        desk.type(desk.text, typed)
        desk.save()
    expected = text.replace("one", "one\r\nmore").replace("three", "three\r\nlast")
    assert path.read_bytes().decode() == expected


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_b10_an_item_behind_a_byte_order_mark_is_warned_about_and_a_fix_shows_it(
    desk: Desk, tmp_path: Path, end: str
) -> None:
    text = f"\ufeff## a{end}{end}hidden{end}{end}## b{end}{end}seen{end}"
    path = fill(tmp_path / "store", {"notes.md": text}) / "notes.md"
    desk.open(path.parent)
    assert desk.leaves() == ["notes:b"]
    choose_fix(desk, Kind.BOM_BEFORE_HEADING)
    assert desk.leaves() == ["notes:a", "notes:b"]
    assert path.read_bytes().decode() == "\ufeff" + end + text[1:]
    desk.open_item("notes:a")
    desk.put_caret("hidden")
    desk.type(desk.text, "!")
    desk.save()
    assert path.read_bytes().decode() == ("\ufeff" + end + text[1:]).replace("hidden", "hidden!")


@pytest.mark.parametrize("name", ["a: b", "c|d", "e [x]", "f#g", "[[h:i]]"])
def test_w10_names_that_no_link_reaches_are_read_and_their_texts_written(desk: Desk, tmp_path: Path, name: str) -> None:
    path = fill(tmp_path / "store", {"notes.md": f"## {name}\n\none\n"}) / "notes.md"
    desk.open(path.parent)
    assert desk.leaves() == [f"notes:{name}"]
    assert desk.app.documents.open(Place("item", "notes", name))
    desk.put_caret("one")
    desk.type(desk.text, "!")
    desk.save()
    assert path.read_bytes().decode() == f"## {name}\n\none!\n"


# ------------------------------------------------------------ B08: names that look the same

NFC, NFD = "Caf\u00e9", "Cafe\u0301"
FORMS = f"## a\n\nsee [[forms:{NFC}]] and [[forms:b]] and [[forms:none]]\n\n## b\n\nx\n\n## {NFD}\n\nespresso\n"


@pytest.fixture
def forms(desk: Desk, tmp_path: Path) -> Desk:
    """An item whose link looks like another item's name, and is written otherwise."""
    desk.open(fill(tmp_path / "store", {"forms.md": FORMS}))
    desk.open_item("forms:a")
    return desk


@pytest.mark.parametrize("way", ["Ctrl+Enter", "Ctrl+click", "reader"])
def test_b08_a_link_that_looks_like_an_item_leads_to_it(forms: Desk, way: str) -> None:
    middle = forms.put_caret("[[forms:Ca")
    if way == "Ctrl+Enter":
        forms.key(forms.text, Qt.Key.Key_Return, CTRL)
    elif way == "Ctrl+click":
        QTest.mouseClick(forms.text.viewport(), LEFT, CTRL, middle)
    else:
        QTest.mouseClick(forms.app.item_view.header.read, LEFT)
        reader = forms.app.item_view.reader
        cursor = reader.document().find("forms:Ca")
        cursor.setPosition(cursor.selectionStart() + 2)
        QTest.mouseClick(reader.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, reader.cursorRect(cursor).center())
    assert forms.address == f"forms:{NFD}"
    assert forms.app.notices.current is None


def test_b08_such_a_link_looks_unlike_good_ones_and_missing_ones_and_says_why(forms: Desk) -> None:
    forms.text.grab()
    looks = set()
    for text in ("[[forms:Ca", "[[forms:b", "[[forms:none"):
        block = forms.text.document().firstBlock()
        span = next(s for s in block.layout().formats() if s.start == block.text().index(text))
        looks.add((span.format.foreground().color().name(), span.format.background().color().name()))
    assert len(looks) == 3
    assert "other characters" in hover(forms, forms.put_caret("[[forms:Ca"))
    assert "espresso" in QToolTip.text()
    assert "other characters" not in hover(forms, forms.put_caret("[[forms:b"))
    assert "no such item" in hover(forms, forms.put_caret("[[forms:none"))


def hover(desk: Desk, place: QPoint) -> str:
    viewport = desk.text.viewport()
    event = QHelpEvent(QHelpEvent.Type.ToolTip, place, viewport.mapToGlobal(place))
    QApplication.sendEvent(viewport, event)
    return QToolTip.text()


def test_b08_the_problem_is_told_apart_and_its_fix_changes_the_links_bytes_only(forms: Desk) -> None:
    path = forms.path("forms")
    assert [hit.item.address for hit in forms.run("see", links=True).sequence] == ["forms:a", "forms:b"]
    row = problem(forms, Kind.FORM_MISMATCH)
    assert row is not None
    assert row.data(ProblemRole.SEVERE)
    assert "Hosts will not resolve" in row.data()
    choose_fix(forms, Kind.FORM_MISMATCH)
    assert path.read_bytes().decode() == FORMS.replace(f"[[forms:{NFC}]]", f"[[forms:{NFD}]]")
    assert problem(forms, Kind.FORM_MISMATCH) is None
    assert f"forms:{NFD}" in [hit.item.address for hit in forms.run("see", links=True).sequence]
    forms.app.steps.undo()
    forms.settle()
    assert path.read_bytes().decode() == FORMS


# ------------------------------------------------------------ B11: files that are not UTF-8

TEXT = "# 笔记\n\n## 海\n\n喜欢海边，提到过想去海边玩。\n"
GBK = TEXT.encode("gbk")


@pytest.fixture
def gbk(desk: Desk, tmp_path: Path) -> Desk:
    """A GBK file beside a good one, shown."""
    desk.open(fill(tmp_path / "store", {"gbk.md": GBK, "good.md": "## a\n\nsea\n"}))
    desk.click(desk.app.tree.tree, desk.app.memory_model.find("gbk"))
    assert desk.buffer.place.kind == "file"
    return desk


def conversion(desk: Desk) -> ConversionDialog:
    """The dialog, once its button was pressed."""
    button = desk.app.item_view.note_bar.convert
    assert button.isVisible()
    QTest.mouseClick(button, LEFT)
    dialog = desk.window.findChild(ConversionDialog)
    assert isinstance(dialog, ConversionDialog)
    desk.until(dialog.isVisible)
    return dialog


def test_b11_a_gbk_file_is_read_beside_good_ones_and_says_what_it_is(gbk: Desk) -> None:
    view = gbk.app.item_view
    assert [item.address for item in gbk.items()] == ["good:a"]
    assert "喜欢海边" in view.reader.toPlainText()
    assert "GB18030" in view.note_bar.text
    assert "not read by hosts" in view.note_bar.text
    assert not view.text_edit.isVisible()


def test_b11_it_is_converted_at_the_press_of_a_button_and_undo_brings_the_bytes_back(gbk: Desk) -> None:
    dialog = conversion(gbk)
    assert dialog.list.currentItem().text().startswith("GB18030")
    assert "喜欢海边" in dialog.preview.toPlainText()
    QTest.mouseClick(dialog.convert, LEFT)
    gbk.settle()
    gbk.follow_disk()
    assert gbk.path("gbk").read_bytes() == TEXT.encode()
    assert gbk.address == "gbk:海"
    assert gbk.text.isVisible()
    assert problem(gbk, Kind.NOT_UTF8) is None
    gbk.app.steps.undo()
    gbk.settle()
    gbk.follow_disk()
    assert gbk.path("gbk").read_bytes() == GBK
    assert gbk.buffer.place.kind == "file"
    assert "喜欢海边" in gbk.app.item_view.reader.toPlainText()
    assert problem(gbk, Kind.NOT_UTF8) is not None


def test_b11_every_encoding_shows_what_the_text_would_be_and_impossible_ones_can_not_be_chosen(gbk: Desk) -> None:
    dialog = conversion(gbk)
    previews = set()
    for row in range(dialog.list.count()):
        dialog.list.setCurrentRow(row)
        possible = dialog.convert.isEnabled()
        assert possible == bool(dialog.preview.toPlainText())
        assert possible != bool(dialog.error.text())
        previews.add(dialog.preview.toPlainText())
    assert "" in previews, "no encoding failed"
    assert len(previews) > 4
    QTest.mouseClick(dialog.cancel, LEFT)
    gbk.settle()
    assert gbk.path("gbk").read_bytes() == GBK


def test_b11_nothing_is_converted_in_a_memory_that_is_open_read_only(desk: Desk, tmp_path: Path) -> None:
    desk.open(fill(tmp_path / "store", {"gbk.md": GBK}), read_only=True)
    desk.click(desk.app.tree.tree, desk.app.memory_model.find("gbk"))
    assert "GB18030" in desk.app.item_view.note_bar.text
    assert not desk.app.item_view.note_bar.convert.isVisible()
