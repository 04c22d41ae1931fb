"""The ruler, the cards and the time chip: with the mouse and with the keyboard."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDateEdit, QDialog, QDialogButtonBox

from tests.widgets.desk import Desk
from wikimem_desktop.engine.explain import Cut
from wikimem_desktop.widgets.playground.budget_ruler import BudgetRuler

LEFT = Qt.MouseButton.LeftButton


def total(desk: Desk) -> int:
    return sum(entry.item.tokens_est for entry in desk.app.sequence_model.entries)


def place(ruler: BudgetRuler, tokens: float, of: int) -> QPoint:
    return QPoint(round(1 + (ruler.width() - 2) * tokens / of), ruler.height() // 2)


def drag(desk: Desk, start: QPoint, *stops: QPoint) -> list[int | None]:
    """Drag on the ruler; returns the budget after each stop."""
    ruler = desk.app.panel.ruler
    QTest.mouseMove(ruler, start)
    QTest.mousePress(ruler, LEFT, Qt.KeyboardModifier.NoModifier, start)
    budgets = []
    for stop in stops:
        desk.qtbot.mouseMove(ruler, stop)
        budgets.append(desk.newest_run().result.budget_tokens)
    QTest.mouseRelease(ruler, LEFT, Qt.KeyboardModifier.NoModifier, stops[-1])
    return budgets


def test_dragging_the_cut_changes_the_budget_while_it_moves(sample: Desk) -> None:
    sample.run("想去海边玩", budget=140)
    ruler, whole = sample.app.panel.ruler, total(sample)
    first, second = drag(sample, place(ruler, 140, whole), place(ruler, 100, whole), place(ruler, 60, whole))
    pixel = whole / ruler.width() + 1
    assert first == pytest.approx(100, abs=pixel)
    assert second == pytest.approx(60, abs=pixel)
    assert sample.app.panel.parameters.budget.value() == second
    assert sample.newest_run().result.budget_used <= 60 + pixel


def test_without_a_budget_the_line_is_dragged_in_from_the_right_end(sample: Desk) -> None:
    sample.run("想去海边玩", budget=None)
    ruler, whole = sample.app.panel.ruler, total(sample)
    (budget,) = drag(sample, QPoint(ruler.width() - 2, ruler.height() // 2), place(ruler, whole / 2, whole))
    assert budget == pytest.approx(whole / 2, abs=whole / ruler.width() + 1)


def test_moving_the_mouse_without_a_button_changes_nothing(sample: Desk) -> None:
    sample.run("想去海边玩", budget=140)
    ruler, whole = sample.app.panel.ruler, total(sample)
    drag(sample, place(ruler, 140, whole), place(ruler, 100, whole))
    before = sample.app.playground.parameters
    QTest.mouseMove(ruler, place(ruler, 20, whole))
    assert sample.app.playground.parameters == before


def test_the_arrow_keys_move_the_cut(sample: Desk) -> None:
    sample.run("想去海边玩", budget=140)
    ruler = sample.app.panel.ruler
    for key, budget in (
        (Qt.Key.Key_Left, 139),
        (Qt.Key.Key_Right, 140),
        (Qt.Key.Key_PageDown, 120),
        (Qt.Key.Key_PageUp, 140),
    ):
        sample.key(ruler, key)
        assert sample.newest_run().result.budget_tokens == budget


def test_clicking_a_block_selects_its_card_and_opens_its_item(sample: Desk) -> None:
    sample.run("想去海边玩", budget=None)
    entries, ruler = sample.app.sequence_model.entries, sample.app.panel.ruler
    before = sum(entry.item.tokens_est for entry in entries[:2])
    middle = place(ruler, before + entries[2].item.tokens_est / 2, total(sample))
    QTest.mouseClick(ruler, LEFT, Qt.KeyboardModifier.NoModifier, middle)
    assert sample.address == entries[2].item.item.address
    assert sample.app.panel.view.currentIndex() == sample.card(sample.address)


def test_the_ruler_says_in_words_what_it_shows(sample: Desk) -> None:
    sample.run("想去海边玩", budget=140)
    words = sample.app.panel.ruler.accessibleDescription()
    assert str(total(sample)) in words
    assert "140" in words


def marked_terms(desk: Desk) -> set[str]:
    """The words that stand on the colour of a match in the text being edited."""
    color = desk.app.theme.color("match")
    found, block = set(), desk.text.document().begin()
    while block.isValid():
        for span in block.layout().formats():
            if span.format.background().color() == color:
                found.add(block.text()[span.start : span.start + span.length])
        block = block.next()
    return found


@pytest.mark.parametrize("way", ["click", "enter"])
def test_choosing_a_card_opens_its_item_with_the_matched_terms_marked(sample: Desk, way: str) -> None:
    sample.run("deploy checklist 海边", budget=None, tokenizer="bigrams")
    view = sample.app.panel.view
    card = sample.card("preferences:likes-the-sea")
    if way == "click":
        sample.click(view, card)
    else:
        view.setCurrentIndex(card)
        sample.key(view, Qt.Key.Key_Return)
    assert sample.address == "preferences:likes-the-sea"
    sample.until(lambda: set("".join(marked_terms(sample))) == {"海", "边"})
    sample.click(view, sample.card("work:deploy-checklist"))
    sample.until(lambda: {"Deploy", "deploy", "checklist"} <= marked_terms(sample))


def test_the_cards_are_walked_with_the_arrow_keys_past_the_cut(sample: Desk) -> None:
    sample.run("想去海边玩", budget=140)
    view, model = sample.app.panel.view, sample.app.sequence_model
    view.setCurrentIndex(model.index(0))
    addresses = []
    for _ in range(len(model.entries)):
        sample.key(view, Qt.Key.Key_Return)
        addresses.append(sample.address)
        sample.key(view, Qt.Key.Key_Down)
        if isinstance(view.currentIndex().data(Qt.ItemDataRole.UserRole), Cut):
            sample.key(view, Qt.Key.Key_Down)
    assert addresses == [entry.item.item.address for entry in model.entries]


def test_an_unresolved_link_opens_the_item_it_stands_in(sample: Desk) -> None:
    sample.run("想去海边玩", budget=None)
    row = next(i for i, words in enumerate(sample.cards()) if "travel:海边民宿" in words)
    sample.click(sample.app.panel.view, sample.app.sequence_model.index(row))
    assert sample.address == "preferences:likes-the-sea"


def test_opening_an_item_in_the_tree_selects_its_card(sample: Desk) -> None:
    sample.run("想去海边玩", budget=None)
    sample.open_item("daily_life:beach-trip-plan")
    assert sample.app.panel.view.currentIndex() == sample.card("daily_life:beach-trip-plan")


# ------------------------------------------------------------ the time chip


def chip(desk: Desk) -> str:
    return desk.app.panel.parameters.time.text()


def choose(desk: Desk, number: int) -> None:
    desk.app.panel.parameters.time.menu().actions()[number].trigger()


def days_in_run(desk: Desk) -> set[str]:
    run = desk.newest_run()
    return {entry.item.category for entry in run.sequence if entry.item.category.startswith("2026-")}


def test_a_date_in_the_query_opens_the_diary_and_the_chip_says_so(sample: Desk) -> None:
    sample.run("海边")
    without = chip(sample)
    sample.run("2026-07-20 阿哲")
    assert chip(sample) == "2026-07-20" != without
    assert days_in_run(sample) == {"2026-07-20"}
    choose(sample, 2)
    assert days_in_run(sample) == set()
    assert "2026" not in chip(sample)
    choose(sample, 0)
    assert days_in_run(sample) == {"2026-07-20"}


def test_a_day_without_entries_is_widened_and_the_chip_says_so(sample: Desk) -> None:
    run = sample.run("2026-07-22 检查")
    assert run.result.time_range_widened
    assert chip(sample).startswith("2026-07-21 – 2026-07-23 ")
    assert "widened" in chip(sample)


def test_days_can_be_chosen_in_a_dialog(sample: Desk) -> None:
    sample.run("Canary")

    def choose_one_day() -> None:
        dialog: Any = QApplication.activeModalWidget()
        assert isinstance(dialog, QDialog)
        for edit in dialog.findChildren(QDateEdit):
            edit.setDate(edit.date().fromString("2026-07-21", Qt.DateFormat.ISODate))
        buttons: Any = dialog.findChild(QDialogButtonBox)
        QTest.mouseClick(buttons.button(QDialogButtonBox.StandardButton.Ok), LEFT)

    QTimer.singleShot(0, choose_one_day)
    choose(sample, 1)
    assert days_in_run(sample) == {"2026-07-21"}
    assert chip(sample) == "2026-07-21"
    assert sample.newest_run().result.time_range_source == "explicit"


def test_the_card_of_a_diary_entry_opens_its_day(sample: Desk) -> None:
    sample.run("2026-07-20 阿哲")
    day = next(e.item.item for e in sample.app.sequence_model.entries if e.item.item.category == "2026-07-20")
    sample.click(sample.app.panel.view, sample.card(day.address))
    assert sample.buffer.place.kind == "day"
    assert sample.buffer.place.category == "2026-07-20"


def test_a_store_without_a_diary_has_no_time_chip(desk: Desk, tmp_path: Any) -> None:
    (tmp_path / "x.md").write_text("## a\n\ntext\n")
    desk.open(tmp_path)
    assert not desk.app.panel.parameters.time.isVisible()
