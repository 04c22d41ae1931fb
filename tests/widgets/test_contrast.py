"""Colours can be read, in light and dark (WCAG 2 contrast ratios)."""

from __future__ import annotations

import pytest

from wikimem_desktop.widgets.theme import DARK, LIGHT, Colors

TEXT = [
    *((color, "surface") for color in ("text", "muted", "accent", "link", "cut", "warning")),
    *((color, "bar") for color in ("text", "muted", "accent")),
    *((color, "field") for color in ("text", "muted")),
    *((color, "selection") for color in ("text", "muted", "accent", "link", "cut")),
    *(("text", surface) for surface in ("warningFill", "errorFill", "code", "match", "found", "textSelection")),
    ("link", "linkFill"),
    ("link", "warningFill"),
    ("link", "match"),
    ("link", "found"),
    ("cut", "found"),
    ("cut", "match"),
    ("onAccent", "accentFill"),
    ("muted", "border"),
]
WEAK = [("faint", "surface"), ("faint", "field"), ("sign", "surface"), ("good", "bar"), ("cut", "surface")]
"""Disabled and dropped things, and signs that have a shape and words of their own."""


def luminance(color: str) -> float:
    """Relative luminance of `#rrggbb` (WCAG 2.2)."""
    channels = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_the_measure_knows_black_on_white() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("color", "surface"), TEXT)
def test_text_stands_out(colors: Colors, color: str, surface: str) -> None:
    assert contrast(getattr(colors, color), getattr(colors, surface)) >= 4.5


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("color", "surface"), WEAK)
def test_what_is_disabled_or_a_sign_can_still_be_seen(colors: Colors, color: str, surface: str) -> None:
    assert contrast(getattr(colors, color), getattr(colors, surface)) >= 3
