"""What is typed in the editor shows in the playground before it is saved, and a switch turns that off."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget

from tests.engine.folders import fill
from tests.widgets.desk import Desk
from wikimem_desktop.engine import est_tokens
from wikimem_desktop.presentation.memory_model import Role

QUERY = "handwritten"
GIFT, SEA = "preferences:gift-style", "preferences:likes-the-sea"


def words(widget: QWidget) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel) if label.isVisible())


def addresses(desk: Desk) -> list[str]:
    return [entry.item.item.address for entry in desk.app.sequence_model.entries]


def scores(desk: Desk) -> dict[str, float | None]:
    return {entry.item.item.address: entry.item.score for entry in desk.app.sequence_model.entries}


def type_behind(desk: Desk, address: str, place: str, text: str) -> None:
    desk.open_item(address)
    desk.put_caret(place)
    desk.type(desk.text, text)


def test_typing_moves_an_item_into_the_list_and_up_in_it(sample: Desk) -> None:
    sample.run(QUERY, links=False)
    assert addresses(sample) == [GIFT]
    old = sample.entry(GIFT).item.score
    type_behind(sample, SEA, "潜水可以", " handwritten handwritten")
    sample.newest_run()
    assert addresses(sample) == [SEA, GIFT]
    assert sample.entry(GIFT).item.score != old
    item = sample.entry(SEA).item
    assert item.tokens_est == est_tokens(item.item.index_text)
    assert item.item.content.endswith("潜水可以 handwritten handwritten")
    rank = sample.app.memory_model.find("preferences", "likes-the-sea").data(Role.RANK)
    assert rank.number == 1
    assert "with 1 unsaved text" in words(sample.app.panel)
    type_behind(sample, GIFT, "handwritten note", "s handwritten")
    sample.newest_run()
    assert "with 2 unsaved texts" in words(sample.app.panel)


def test_the_chip_switches_between_the_unsaved_text_and_the_disk(sample: Desk) -> None:
    chip = sample.app.panel.parameters.unsaved
    assert chip.isChecked()
    assert "editor" in chip.toolTip()
    sample.run(QUERY, links=False)
    type_behind(sample, SEA, "潜水可以", " handwritten handwritten")
    sample.newest_run()
    with_text = scores(sample)
    assert SEA in with_text
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    sample.newest_run()
    assert addresses(sample) == [GIFT]
    assert "unsaved" not in words(sample.app.panel)
    sample.key(chip, Qt.Key.Key_Space)
    sample.newest_run()
    assert scores(sample) == with_text


def test_the_chip_is_reached_by_tab_behind_the_links(sample: Desk) -> None:
    controls = sample.app.panel.parameters
    sample.key(controls.links, Qt.Key.Key_Tab)
    assert controls.unsaved.hasFocus()


def test_the_switch_is_kept_for_each_memory(sample: Desk, sample_store: Path, tmp_path: Path) -> None:
    chip = sample.app.panel.parameters.unsaved
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    sample.open(fill(tmp_path / "other", {"x.md": "## a\n\ntext\n"}))
    assert chip.isChecked()
    sample.open(sample_store)
    assert not chip.isChecked()
    assert not sample.app.playground.parameters.unsaved


def test_an_entry_of_unsaved_text_opens_and_marks_its_words(sample: Desk) -> None:
    sample.run(QUERY, links=False)
    type_behind(sample, SEA, "潜水可以", " handwritten")
    sample.newest_run()
    sample.open_item("people:mei")
    sample.click(sample.app.panel.view, sample.card(SEA))
    assert sample.address == SEA
    assert "潜水可以 handwritten" in sample.text.toPlainText()
    assert sample.entry(SEA).item.matched_terms == ["handwritten"]


def test_the_text_keeps_the_focus_and_the_caret_while_it_is_run(sample: Desk) -> None:
    sample.run(QUERY, links=False)
    type_behind(sample, SEA, "潜水可以", " handwritten")
    sample.newest_run()
    sample.type(sample.text, " again")
    sample.newest_run()
    assert sample.text.hasFocus()
    assert "潜水可以 handwritten again" in sample.text.toPlainText()


def test_after_a_save_a_line_tells_when_a_running_agent_sees_it(sample: Desk) -> None:
    line = "a running agent sees it at its next write or restart"
    assert line not in words(sample.app.status_bar)
    type_behind(sample, SEA, "潜水可以", " handwritten")
    sample.save()
    sample.until(lambda: line in words(sample.app.status_bar))
    assert sample.app.notices.current is None
    sample.type(sample.text, "!")
    sample.until(lambda: line not in words(sample.app.status_bar))
    sample.save()
    sample.until(lambda: line in words(sample.app.status_bar))
    sample.app.library.close()
    assert line not in words(sample.app.status_bar)


def test_the_list_stays_where_it_was_scrolled_to_while_a_text_is_typed(sample: Desk) -> None:
    sample.run("海边 咖啡 coffee sea the", limit=40)
    sample.open_item(SEA)
    bar = sample.app.panel.view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    before = bar.value()
    assert before > 0
    for text in ("x", " zz"):
        type_behind(sample, SEA, "潜水可以", text)
        sample.newest_run()
        assert bar.value() == before
    sample.app.documents.discard_all()
