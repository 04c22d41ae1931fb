"""Colours, style sheet and icons in light and dark, following the system or the person's choice; the texts' font."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass

from PySide6.QtCore import QByteArray, QObject, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from wikimem_desktop.places import icon, resource

_ICON_SIZES = (16, 32, 48)


@dataclass(frozen=True, slots=True)
class Colors:
    """One theme. Text colours reach a contrast of 4.5 on their surfaces, dropped and disabled ones 3."""

    surface: str
    bar: str
    field: str
    border: str
    text: str
    muted: str
    faint: str
    accent: str
    accentSoft: str  # noqa: N815 - names of the style sheet
    accentFill: str  # noqa: N815
    onAccent: str  # noqa: N815
    selection: str
    textSelection: str  # noqa: N815
    link: str
    linkFill: str  # noqa: N815
    linkStripe: str  # noqa: N815
    cut: str
    warning: str
    sign: str
    warningFill: str  # noqa: N815
    errorFill: str  # noqa: N815
    good: str
    match: str
    found: str
    dropped: str
    scroll: str
    code: str


LIGHT = Colors(
    surface="#ffffff", bar="#f5f5f4", field="#f7f7f6", border="#e2e2df", text="#1b1b1a", muted="#62625e",
    faint="#8b8b86", accent="#1f5bd6", accentSoft="#9db9f0", accentFill="#1f5bd6", onAccent="#ffffff",
    selection="#e8eefb", textSelection="#c9dafa", link="#6b3fd0", linkFill="#efe9fc", linkStripe="#a98bee",
    cut="#b62c22", warning="#965a00", sign="#c07e06", warningFill="#fdf3dc", errorFill="#fce8e6", good="#1f8a4c",
    match="#fbe69a", found="#ffdcb3", dropped="#c9c9c7", scroll="#d3d3d0", code="#f3f3f1",
)  # fmt: skip
DARK = Colors(
    surface="#212224", bar="#1a1b1d", field="#2a2b2e", border="#3a3b3f", text="#e8e8e6", muted="#a5a5a9",
    faint="#7f7f85", accent="#7fa8ff", accentSoft="#48639c", accentFill="#7fa8ff", onAccent="#10141d",
    selection="#2c3446", textSelection="#3b4d74", link="#b79bff", linkFill="#352b52", linkStripe="#7f62c8",
    cut="#ff7d6e", warning="#e6b04c", sign="#e6b04c", warningFill="#3a3222", errorFill="#432826", good="#5bcb8a",
    match="#453709", found="#4d3212", dropped="#505156", scroll="#47484c", code="#2a2b2e",
)  # fmt: skip


class Theme(QObject):
    """The colours in use, for everything that paints by itself.

    Signals:
        changed: light became dark, or the other way round.
        text_font_changed: items' texts are to be shown in another font or size.
    """

    changed = Signal()
    text_font_changed = Signal()

    def __init__(self, choice: str = "system") -> None:
        super().__init__()
        self.colors = LIGHT
        self.text_font = reading_font()
        self._choice = "system"
        self._icons: dict[tuple[str, str], QIcon] = {}
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._apply)
        self.choose(choice)

    @property
    def dark(self) -> bool:
        return self.colors is DARK

    def stop(self) -> None:
        """Follow the system no more: the application ends."""
        QGuiApplication.styleHints().colorSchemeChanged.disconnect(self._apply)

    @Slot(str)
    def choose(self, choice: str) -> None:
        """ "system", "light" or "dark"."""
        self._choice = choice
        schemes = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}
        QGuiApplication.styleHints().setColorScheme(schemes.get(choice, Qt.ColorScheme.Unknown))
        self._apply()

    def choose_text_font(self, description: str, zoom: int) -> None:
        """A font as `QFont.toString()` describes it, empty for our own; `zoom` is in percent."""
        font = QFont()
        if not description or not font.fromString(description) or font.pointSizeF() <= 0:
            font = reading_font()
        font.setPointSizeF(font.pointSizeF() * zoom / 100)
        if font != self.text_font:
            self.text_font = font
            self.text_font_changed.emit()

    def color(self, name: str) -> QColor:
        """A colour by its field name in `Colors`."""
        return QColor(getattr(self.colors, name))

    def icon(self, name: str, color: str = "muted") -> QIcon:
        """An icon of the set, in a colour of the theme."""
        value = getattr(self.colors, color)
        key = (name, value)
        if key not in self._icons:
            self._icons[key] = _tinted(name, value, self.colors.faint)
        return self._icons[key]

    @Slot()
    def _apply(self) -> None:
        scheme = QGuiApplication.styleHints().colorScheme()
        dark = self._choice == "dark" or (self._choice == "system" and scheme == Qt.ColorScheme.Dark)
        self.colors = DARK if dark else LIGHT
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.setStyle("Fusion")
        application.setPalette(_palette(self.colors))
        application.setStyleSheet(_style_sheet(self.colors))
        self.changed.emit()


def monospace() -> QFont:
    """The font for numbers and code."""
    font = QFont("monospace")
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setPointSizeF(QGuiApplication.font().pointSizeF())
    return font


def reading_font() -> QFont:
    """The font for an item's text: a little larger than that of the controls."""
    font = QFont(QGuiApplication.font())
    font.setPointSizeF(font.pointSizeF() * 1.15)
    return font


def _style_sheet(colors: Colors) -> str:
    values = asdict(colors) | {"downArrow": icon("down-arrow.svg").as_posix()}
    sheet = resource("style.qss").read_text(encoding="utf-8")
    return re.sub(r"@([A-Za-z]+)", lambda match: values[match[1]], sheet)


def _palette(colors: Colors) -> QPalette:
    palette = QPalette()
    roles = QPalette.ColorRole
    for role, value in (
        (roles.Window, colors.surface), (roles.Base, colors.surface), (roles.AlternateBase, colors.bar),
        (roles.Button, colors.field), (roles.WindowText, colors.text), (roles.Text, colors.text),
        (roles.ButtonText, colors.text), (roles.PlaceholderText, colors.faint), (roles.Highlight, colors.selection),
        (roles.HighlightedText, colors.text), (roles.Link, colors.accent), (roles.LinkVisited, colors.link),
        (roles.ToolTipBase, colors.surface), (roles.ToolTipText, colors.text), (roles.Accent, colors.accent),
        (roles.Mid, colors.border), (roles.BrightText, colors.cut),
    ):  # fmt: skip
        palette.setColor(role, QColor(value))
    for role in (roles.WindowText, roles.Text, roles.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(colors.faint))
    return palette


def _tinted(name: str, color: str, disabled: str) -> QIcon:
    source = icon(f"lucide/{name}.svg").read_text(encoding="utf-8")
    result = QIcon()
    for mode, value in ((QIcon.Mode.Normal, color), (QIcon.Mode.Disabled, disabled)):
        renderer = QSvgRenderer(QByteArray(source.replace("currentColor", value).encode()))
        for size in _ICON_SIZES:
            pixmap = QPixmap(size, size)
            pixmap.fill(Qt.GlobalColor.transparent)
            painter = QPainter(pixmap)
            renderer.render(painter, QRectF(0, 0, size, size))
            painter.end()
            result.addPixmap(pixmap, mode)
    return result
