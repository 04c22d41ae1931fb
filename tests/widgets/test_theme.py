"""Light and dark: chosen in the menu or by the system, at once and everywhere, and kept."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QStyleHints
from PySide6.QtWidgets import QWidget

from tests.widgets.desk import Desk
from wikimem_desktop.places import find_places
from wikimem_desktop.widgets.theme import DARK, LIGHT, Colors


def choose(desk: Desk, theme: str) -> None:
    action = next(a for a in desk.window.findChildren(type(desk.window.menus.save_action)) if a.data() == theme)
    action.trigger()
    assert action.isChecked()


def colors_of(widget: QWidget) -> dict[str, int]:
    """How often each colour stands in a widget's picture, on a grid."""
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    counts: dict[str, int] = {}
    for y in range(0, image.height(), 2):
        for x in range(0, image.width(), 2):
            name = QColor(image.pixel(x, y)).name()
            counts[name] = counts.get(name, 0) + 1
    return counts


def lightness(desk: Desk, widget: QWidget) -> float:
    counts = colors_of(widget)
    return sum(QColor(name).lightnessF() * count for name, count in counts.items()) / sum(counts.values())


def test_the_theme_menu_repaints_every_part_at_once(sample: Desk) -> None:
    sample.run("想去海边玩", budget=140)
    sample.open_item("preferences:likes-the-sea")
    app = sample.app
    parts: list[QWidget] = [app.tree, app.item_view, app.panel, app.problems_view, app.status_bar, sample.window]
    choose(sample, "light")
    light = [lightness(sample, part) for part in parts]
    choose(sample, "dark")
    dark = [lightness(sample, part) for part in parts]
    choose(sample, "light")
    assert all(value > 0.8 for value in light), light
    assert all(value < 0.3 for value in dark), dark
    assert [lightness(sample, part) for part in parts] == pytest.approx(light, abs=0.02)


@pytest.mark.parametrize(("theme", "colors", "others"), [("light", LIGHT, DARK), ("dark", DARK, LIGHT)])
def test_no_colour_of_the_other_theme_is_left(sample: Desk, theme: str, colors: Colors, others: Colors) -> None:
    sample.run("想去海边玩", budget=140)
    sample.open_item("preferences:likes-the-sea")
    sample.app.item_view.header.read.click()
    for choice in ("light", "dark", theme):
        choose(sample, choice)
    seen = colors_of(sample.window)
    names = ("surface", "bar", "selection", "link", "accent", "cut", "linkFill", "border")
    assert {
        name for name in names if getattr(others, name) in seen and getattr(others, name) != getattr(colors, name)
    } == set()
    assert colors.surface in seen


def test_the_choice_is_kept(desk: Desk) -> None:
    choose(desk, "dark")
    assert json.loads(find_places().settings_file.read_text(encoding="utf-8"))["theme"] == "dark"
    assert desk.app.theme.dark
    choose(desk, "system")
    assert json.loads(find_places().settings_file.read_text(encoding="utf-8"))["theme"] == "system"


def test_the_system_decides_when_the_person_leaves_it_to_it(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    hints = QGuiApplication.styleHints()

    def system_becomes(scheme: Qt.ColorScheme) -> None:
        # The offscreen platform has no colour scheme of its own.
        monkeypatch.setattr(QStyleHints, "colorScheme", lambda hints: scheme)
        hints.colorSchemeChanged.emit(scheme)

    choose(desk, "system")
    for scheme in (Qt.ColorScheme.Dark, Qt.ColorScheme.Light):
        system_becomes(scheme)
        assert desk.app.theme.dark == (scheme is Qt.ColorScheme.Dark)
    choose(desk, "light")
    system_becomes(Qt.ColorScheme.Dark)
    assert not desk.app.theme.dark


def test_undo_and_caret_stay_when_the_theme_changes(sample: Desk) -> None:
    sample.open_item("preferences:gift-style")
    sample.put_caret("handwritten note")
    sample.type(sample.text, "s")
    choose(sample, "dark")
    assert sample.caret_behind().endswith("notes")
    sample.text.setFocus()
    sample.keys("Ctrl+Z")
    assert not sample.window.isWindowModified()
