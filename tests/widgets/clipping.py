"""Walks a window and names every text that is cut off, on widgets and on rows that delegates paint.

Elided text counts as cut off unless hovering shows it whole. `python -m tests.widgets.clipping SIZE THEME` does so for
every state that packaging/screenshots.py photographs, at the scale factor of its environment, and prints the findings.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QLabel,
    QLineEdit,
    QMenuBar,
    QSpinBox,
    QToolButton,
    QTreeView,
    QWidget,
)

from wikimem_desktop.widgets.elided_label import ElidedLabel

ROOT = Path(__file__).parent.parent.parent


def clipped_texts(window: QWidget) -> list[str]:
    """What a person can't read whole, each with the widget it stands on."""
    found = []
    for widget in [window, *window.findChildren(QWidget)]:
        if widget.isVisibleTo(window) and widget.isVisible():
            found += [f"{type(widget).__name__} {text!r}" for text in _clipped_on(widget)]
    return found


def _clipped_on(widget: QWidget) -> Iterator[str]:
    metrics = QFontMetrics(widget.font())
    match widget:
        case QAbstractItemView():
            yield from _clipped_rows(widget)
        case ElidedLabel():
            yield from [] if widget.toolTip() == widget.text() else [widget.text()]
        case QLabel():
            yield from _clipped_label(widget)
        case QAbstractButton() if not _made_by_qt(widget):
            yield from [widget.text()] if _too_small(widget) else []
        case QMenuBar():
            yield from ["menu bar"] if _too_small(widget) else []
        case QLineEdit():
            text = widget.placeholderText() if not isinstance(widget.parentWidget(), QSpinBox) else widget.text()
            yield from [text] if metrics.horizontalAdvance(text) > widget.width() else []


def _clipped_label(label: QLabel) -> Iterator[str]:
    if not label.text() or label.pixmap().isNull() is False:
        return
    if label.wordWrap():
        fits = label.height() >= label.heightForWidth(label.width())
    else:
        fits = label.width() >= label.sizeHint().width() and label.height() >= label.sizeHint().height()
    if not fits:
        yield label.text()


def _too_small(widget: QWidget) -> bool:
    hint = widget.minimumSizeHint() if isinstance(widget, QToolButton) else widget.sizeHint()
    return widget.width() < hint.width() or widget.height() < hint.height()


def _made_by_qt(widget: QWidget) -> bool:
    """Buttons that Qt makes inside a line edit, or for what does not fit into a bar, show no text."""
    return isinstance(widget.parentWidget(), QLineEdit) or widget.objectName().startswith("qt_")


def _clipped_rows(view: QAbstractItemView) -> Iterator[str]:
    """Rows whose texts are elided and whose tool tip does not hold them, or that are lower than their font."""
    model = view.model()
    for index in _visible_rows(view):
        rect, metrics = view.visualRect(index), QFontMetrics(view.font())
        text = str(model.data(index, Qt.ItemDataRole.DisplayRole) or "")
        tip = str(model.data(index, Qt.ItemDataRole.ToolTipRole) or "")
        shortened = rect.width() < metrics.horizontalAdvance(text)
        if rect.height() < metrics.height() or (shortened and not _told(text, tip)):
            yield text


def _told(text: str, tip: str) -> bool:
    """Whether the tool tip shows the address or sentence that the row may have to shorten."""
    return bool(tip) and (text in tip or any(part in tip for part in text.split(", ") if ":" in part))


def _visible_rows(view: QAbstractItemView) -> Iterator[QModelIndex | QPersistentModelIndex]:
    index = view.indexAt(QPoint(20, 5))
    while index.isValid() and view.visualRect(index).top() < view.viewport().height():
        yield index
        index = view.indexBelow(index) if isinstance(view, QTreeView) else index.siblingAtRow(index.row() + 1)


def main() -> int:
    sys.path.insert(0, str(ROOT / "packaging"))
    screenshots: Any = importlib.import_module("screenshots")
    screenshots.make_application()
    camera = screenshots.Camera(Path(), sys.argv[1], sys.argv[2])
    found = []
    for state in screenshots.states(camera):
        camera.wait(lambda: True)
        found += [f"{state}: {text}" for text in clipped_texts(camera.app.window)]
    camera.app.documents.discard_all()
    camera.app.quit()
    sys.stdout.write("\n".join(found))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
