"""The item view: writing, reading, following links, going back and forth."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit

from tests.engine.folders import fill
from tests.presentation.house import write_outside
from tests.widgets.desk import Desk
from wikimem_desktop.widgets.editor.reader import Reader

LEFT, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier
SEA = "preferences:likes-the-sea"


def click_in_reader(desk: Desk, text: str) -> None:
    """Click the first place of a text in the rendered item."""
    reader = desk.app.item_view.reader
    QTest.mouseClick(reader.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, place_in_reader(reader, text))


def place_in_reader(reader: Reader, text: str):
    cursor = reader.document().find(text)
    assert not cursor.isNull(), text
    cursor.setPosition(cursor.selectionStart() + 2)
    return reader.cursorRect(cursor).center()


def facts(desk: Desk) -> str:
    view = desk.app.item_view
    labels = [label.text() for label in view.findChildren(QLabel) if label.isVisible()]
    return "\n".join([*labels, *(field.text() for field in view.findChildren(QLineEdit) if field.isVisible())])


def test_read_renders_the_text_and_write_shows_it_as_stored(sample: Desk) -> None:
    view = sample.app.item_view
    sample.open_item(SEA)
    assert sample.text.isVisible()
    assert "**想去海边玩**" in sample.buffer.text
    QTest.mouseClick(view.header.read, LEFT)
    assert view.reader.isVisible()
    assert "想去海边玩" in view.reader.toPlainText()
    assert "**" not in view.reader.toPlainText()
    QTest.mouseClick(view.header.write, LEFT)
    assert sample.text.isVisible()
    assert not sample.window.isWindowModified()


def test_what_is_not_saved_yet_is_rendered_too(sample: Desk) -> None:
    sample.open_item(SEA)
    sample.put_caret("看海放松")
    sample.type(sample.text, " *and more*")
    QTest.mouseClick(sample.app.item_view.header.read, LEFT)
    assert "and more" in sample.app.item_view.reader.toPlainText()


def test_a_click_on_a_rendered_link_opens_its_item(sample: Desk) -> None:
    sample.open_item(SEA)
    QTest.mouseClick(sample.app.item_view.header.read, LEFT)
    click_in_reader(sample, "daily_life:beach-trip-plan")
    assert sample.address == "daily_life:beach-trip-plan"
    click_in_reader(sample, "people:小林")
    assert sample.address == "people:小林"


def test_a_rendered_link_to_nothing_says_so(sample: Desk) -> None:
    sample.open_item(SEA)
    QTest.mouseClick(sample.app.item_view.header.read, LEFT)
    click_in_reader(sample, "travel:海边民宿")
    assert sample.address == SEA
    assert "travel:海边民宿" in sample.notice()


@pytest.mark.parametrize("way", ["Ctrl+Enter", "Ctrl+click"])
def test_a_link_in_the_text_is_followed(sample: Desk, way: str) -> None:
    sample.open_item(SEA)
    before = sample.buffer.text
    middle = sample.put_caret("[[daily_life:beach")
    if way == "Ctrl+Enter":
        sample.key(sample.text, Qt.Key.Key_Return, CTRL)
    else:
        QTest.mouseClick(sample.text.viewport(), LEFT, CTRL, middle)
    assert sample.address == "daily_life:beach-trip-plan"
    sample.open_item(SEA)
    assert sample.buffer.text == before


def test_a_link_behind_an_astral_character_is_followed(desk: Desk, tmp_path: Path) -> None:
    desk.open(
        fill(tmp_path / "store", {"x.md": "## a\n\n🌊𠮷🌊 [[x:𠮷 b]][[x:c]]\n\n## 𠮷 b\n\nthere\n\n## c\n\nnot\n"})
    )
    desk.open_item("x:a")
    desk.put_caret("[[x")
    desk.key(desk.text, Qt.Key.Key_Return, CTRL)
    assert desk.address == "x:𠮷 b"


def test_a_plain_click_on_a_link_in_the_text_stays(sample: Desk) -> None:
    sample.open_item(SEA)
    middle = sample.put_caret("[[daily_life:beach")
    QTest.mouseClick(sample.text.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, middle)
    assert sample.address == SEA


def test_back_and_forward_by_keys_and_buttons(sample: Desk) -> None:
    for address in (SEA, "people:mei", "work:站会"):
        sample.open_item(address)
    sample.text.setFocus()
    visited = []
    for keys in ("Alt+Left", "Alt+Left", "Alt+Right"):
        sample.keys(keys)
        visited.append(sample.address)
    assert visited == ["people:mei", SEA, "people:mei"]
    QTest.mouseClick(sample.window.forward_button, LEFT)
    assert sample.address == "work:站会"
    assert not sample.window.forward_button.isEnabled()
    QTest.mouseClick(sample.window.back_button, LEFT)
    assert sample.address == "people:mei"


def test_going_back_passes_over_an_item_that_is_gone(sample: Desk) -> None:
    for address in (SEA, "Reading List:海边的卡夫卡", "people:mei"):
        sample.open_item(address)
    sample.path("Reading List").unlink()
    sample.follow_disk()
    sample.text.setFocus()
    sample.keys("Alt+Left")
    assert sample.address == SEA


def test_the_footer_tells_owner_source_cost_and_links(sample: Desk) -> None:
    sample.open_item("daily_life:beach-trip-plan")
    words = facts(sample)
    tokens = next(e.tokens_est for e in sample.run("Xiangshan").sequence if e.item.address == sample.address)
    for part in ("agent:companion", "conv_20260718", f"{tokens} tokens", "3 links out"):
        assert part in words
    sample.type(sample.text, "longer ")
    assert f"{tokens} tokens" not in facts(sample)


def test_one_of_anything_is_said_in_the_singular(desk: Desk, tmp_path: Path) -> None:
    desk.open(fill(tmp_path / "store", {"x.md": "## 好\n\n[[x:好]]\n"}))
    desk.open_item("x:好")
    assert "1 link out" in facts(desk)


def test_typing_while_composing_changes_nothing_until_it_is_committed(sample: Desk) -> None:
    sample.open_item(SEA)
    sample.put_caret("看海放松")
    QApplication.sendEvent(sample.text, QInputMethodEvent("hai", []))
    assert not sample.window.isWindowModified()
    event = QInputMethodEvent()
    event.setCommitString("海")
    QApplication.sendEvent(sample.text, event)
    assert "看海放松海" in sample.buffer.text


@pytest.mark.parametrize("pasted", ["a\u2029b", "a\u2028b", "a\u00a0b", "a\r\nb\rc", "\ue000\uf8e1"])
def test_pasted_text_arrives_as_it_was(sample: Desk, pasted: str, request: pytest.FixtureRequest) -> None:
    sample.open_item("preferences:gift-style")
    sample.put_caret("handwritten note")
    data = QMimeData()
    data.setText(pasted)
    data.setHtml("<b>not this</b>")
    QGuiApplication.clipboard().setMimeData(data)
    request.addfinalizer(QGuiApplication.clipboard().clear)  # what Python made must not outlive it
    sample.text.paste()
    wanted = pasted.replace("\r\n", "\n").replace("\r", "\n")
    assert f"handwritten note{wanted};" in sample.buffer.text


def test_copied_text_is_what_the_item_holds(desk: Desk, tmp_path: Path) -> None:
    desk.open(fill(tmp_path / "store", {"x.md": "## a\n\none\u00a0two\nthree 🌊 \x00 \uf8e1 end\n"}))
    desk.open_item("x:a")
    before = desk.buffer.text
    desk.text.selectAll()
    desk.text.copy()
    assert QGuiApplication.clipboard().text() == before
    desk.text.cut()
    desk.text.paste()
    assert desk.buffer.text == before
    assert not desk.window.isWindowModified()


def test_a_long_item_is_typed_into_without_delay(desk: Desk, tmp_path: Path) -> None:
    line = "some **words** with [[x:a]] and `code` 海边 " * 3
    desk.open(fill(tmp_path / "store", {"x.md": "## a\n\n" + f"{line}\n" * 2000}))
    desk.open_item("x:a")
    desk.type(desk.text, "typed here")
    assert desk.buffer.text.startswith("typed here")


def test_the_rendering_follows_an_outside_change(sample: Desk) -> None:
    sample.open_item(SEA)
    QTest.mouseClick(sample.app.item_view.header.read, LEFT)
    path = sample.path("preferences")
    write_outside(path, path.read_bytes().replace("看海放松".encode(), b"**outside**"))
    sample.until(lambda: "outside" in sample.app.item_view.reader.toPlainText())


def test_links_that_come_to_resolve_look_so_at_once(sample: Desk) -> None:
    sample.open_item(SEA)
    QTest.mouseClick(sample.app.item_view.header.read, LEFT)
    reader = sample.app.item_view.reader

    def tip() -> str:
        cursor = reader.document().find("travel:海边民宿")
        return cursor.charFormat().toolTip()

    assert tip()
    path = sample.path("travel")
    write_outside(path, path.read_bytes() + "\n## 海边民宿\n\nA house.\n".encode())
    sample.until(lambda: not tip())
