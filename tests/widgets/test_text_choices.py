"""Size, font and line breaks of the texts: chosen in the View menu, by keys and wheel, at once everywhere, and kept."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QFont
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFontDialog
from pytestqt.qtbot import QtBot

from tests.widgets.desk import Desk
from tests.widgets.wheel import wheel
from wikimem_desktop.places import find_places
from wikimem_desktop.settings import ZOOMS

SEA = "preferences:likes-the-sea"
CTRL = Qt.KeyboardModifier.ControlModifier


def sizes(desk: Desk) -> tuple[float, float]:
    """Point sizes of the written and the rendered text."""
    return (
        desk.text.document().defaultFont().pointSizeF(),
        desk.app.item_view.reader.document().defaultFont().pointSizeF(),
    )


def read(desk: Desk) -> None:
    QTest.mouseClick(desk.app.item_view.header.read, Qt.MouseButton.LeftButton)


def write(desk: Desk) -> None:
    QTest.mouseClick(desk.app.item_view.header.write, Qt.MouseButton.LeftButton)


def in_font_dialog(font: QFont, key: Qt.Key, desk: Desk) -> list[QFont]:
    """Choose a font in the dialog that comes next, and leave it by a key; returns a list for the font it began with."""
    seen: list[QFont] = []

    def choose() -> None:
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, QFontDialog):
            QTimer.singleShot(5, choose)
            return
        seen.append(dialog.currentFont())
        dialog.setCurrentFont(font)
        QTest.keyClick(dialog, key)

    QTimer.singleShot(0, choose)
    desk.window.menus.text_actions.font.trigger()
    return seen


@pytest.mark.parametrize("page", ["write", "read"])
def test_keys_change_the_size_of_the_text_and_bring_it_back(sample: Desk, page: str) -> None:
    sample.open_item(SEA)
    read(sample)
    if page == "write":
        write(sample)
    usual = sizes(sample)[0]
    for keys, percent in (("Ctrl++", 110), ("Ctrl+=", 125), ("Ctrl+-", 110), ("Ctrl+-", 100), ("Ctrl+-", 90)):
        sample.keys(keys)
        assert sizes(sample)[0] == pytest.approx(usual * percent / 100), keys
    sample.keys("Ctrl+0")
    read(sample)
    assert sizes(sample) == pytest.approx((usual, usual))


def test_the_wheel_with_ctrl_changes_the_size_in_both_views(sample: Desk) -> None:
    sample.open_item(SEA)
    usual = sizes(sample)[0]
    wheel(sample.text.viewport(), 120, CTRL)
    assert sizes(sample)[0] == pytest.approx(usual * 1.1)
    read(sample)
    assert sizes(sample)[1] == pytest.approx(usual * 1.1)
    wheel(sample.app.item_view.reader.viewport(), -240, CTRL)
    assert sizes(sample) == pytest.approx((usual * 0.9, usual * 0.9))


def test_the_size_has_ends(sample: Desk) -> None:
    sample.open_item(SEA)
    usual = sizes(sample)[0]
    for keys, percent in (("Ctrl+-", 50), ("Ctrl++", 300)):
        for _ in ZOOMS:
            sample.keys(keys)
        assert sizes(sample)[0] == pytest.approx(usual * percent / 100)


def test_another_item_has_the_size_too(sample: Desk) -> None:
    sample.open_item(SEA)
    usual = sizes(sample)[0]
    sample.keys("Ctrl++")
    sample.open_item("people:mei")
    assert sizes(sample)[0] == pytest.approx(usual * 1.1)
    sample.keys("Ctrl+0")
    sample.open_item(SEA)
    assert sizes(sample)[0] == pytest.approx(usual)


def test_lines_are_wrapped_unless_the_person_chooses_otherwise(sample: Desk) -> None:
    sample.open_item(SEA)
    sample.put_caret("看海放松")
    sample.type(sample.text, " more" * 100)
    bar = sample.text.horizontalScrollBar()
    sample.until(lambda: bar.maximum() == 0)
    assert sample.window.menus.text_actions.wrap.isChecked()
    sample.window.menus.text_actions.wrap.trigger()
    sample.until(lambda: bar.maximum() > 0)
    sample.window.menus.text_actions.wrap.trigger()
    sample.until(lambda: bar.maximum() == 0)
    sample.app.documents.discard_all()


def test_a_font_is_chosen_in_a_dialog_and_given_up_again(sample: Desk) -> None:
    sample.open_item(SEA)
    usual = QFont(sample.text.font())
    sample.keys("Ctrl++")
    assert not sample.window.menus.text_actions.reset_font.isEnabled()
    (before,) = in_font_dialog(QFont("DejaVu Sans Mono", 20), Qt.Key.Key_Escape, sample)
    assert before.pointSizeF() == pytest.approx(usual.pointSizeF(), abs=0.5)
    assert sample.text.font().family() == usual.family()
    in_font_dialog(QFont("DejaVu Sans Mono", 20), Qt.Key.Key_Return, sample)
    assert sample.text.document().defaultFont().family() == "DejaVu Sans Mono"
    assert sizes(sample)[0] == pytest.approx(22)
    read(sample)
    assert sample.app.item_view.reader.document().defaultFont().family() == "DejaVu Sans Mono"
    sample.window.menus.text_actions.reset_font.trigger()
    sample.keys("Ctrl+0")
    assert sample.text.font() == usual
    assert not sample.window.menus.text_actions.reset_font.isEnabled()


def test_all_of_it_survives_a_restart_and_another_theme(desk: Desk, qtbot: QtBot) -> None:
    desk.keys("Ctrl++")
    desk.window.menus.text_actions.wrap.trigger()
    in_font_dialog(QFont("DejaVu Sans Mono", 20), Qt.Key.Key_Return, desk)
    desk.window.menus.theme_chosen.emit("dark")
    desk.quit()
    again = Desk(qtbot)
    assert sizes(again) == pytest.approx((22, 22))
    assert again.text.font().family() == "DejaVu Sans Mono"
    assert not again.window.menus.text_actions.wrap.isChecked()
    assert again.text.lineWrapMode() == again.text.LineWrapMode.NoWrap
    assert again.app.theme.dark
    again.quit()


@pytest.mark.parametrize("values", [{"text_zoom": 7, "wrap": "no"}, {"text_zoom": "110"}, {"text_font": 7}])
def test_settings_that_make_no_sense_are_none(qtbot: QtBot, application: QApplication, values: object) -> None:
    path = find_places().settings_file
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(values), encoding="utf-8")
    desk = Desk(qtbot)
    assert desk.text.font().pointSizeF() == pytest.approx(application.font().pointSizeF() * 1.15)
    assert desk.window.menus.text_actions.wrap.isChecked()
    desk.quit()
