"""Below the text: the item's metadata fields, what it costs and where it links."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QLabel,
    QStyle,
    QStyleOptionFrame,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from wikimem_desktop.engine.document import field_value
from wikimem_desktop.presentation.buffer import Buffer
from wikimem_desktop.presentation.item_facts import ItemFacts
from wikimem_desktop.presentation.words import local_time
from wikimem_desktop.widgets.elided_label import ElidedLabel
from wikimem_desktop.widgets.fields import LineField
from wikimem_desktop.widgets.styled import styled

_NARROW = 640


class Footer(QWidget):
    """Owner and source can be edited, "written" set to now; each changes only its pair of the metadata comment."""

    def __init__(self) -> None:
        super().__init__()
        styled(self, "footer")
        self._buffer: Buffer | None = None
        self.owner = _Field(self.tr("Owner"))
        self.source = _Field(self.tr("Source"))
        self.written = ElidedLabel()
        self.now = styled(QToolButton(), "link", text=self.tr("Now"))
        self.now.setToolTip(self.tr("Set “written” to the present moment"))
        self.now.setAccessibleName(self.tr("Written now"))
        self._keys = {self.owner: "owner", self.source: "source_conv"}
        self._box = QWidget()
        self._fields = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._box)
        self._fields.setContentsMargins(0, 0, 0, 0)
        self._fields.setSpacing(8)
        self._fields.addLayout(_row((self.tr("Owner"), self.owner), (self.tr("Source"), self.source)), 2)
        written = _row((self.tr("Written"), self.written))
        written.addWidget(self.now)
        self._fields.addLayout(written, 1)
        self._facts = QLabel(wordWrap=True)
        self._facts.setObjectName("muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 8, 16, 10)
        column.setSpacing(6)
        column.addWidget(self._box)
        column.addWidget(self._facts)
        self.now.clicked.connect(self._on_now)
        for field in self._keys:
            field.changed.connect(self._on_field_changed)

    def arrange(self, width: int) -> None:
        """In a narrow window "written" stands below the other fields."""
        direction = QBoxLayout.Direction
        self._fields.setDirection(direction.TopToBottom if width < _NARROW else direction.LeftToRight)

    def show_buffer(self, buffer: Buffer | None, *, read_only: bool) -> None:
        """Show the fields of a buffer as the person wants them."""
        self._buffer = buffer if buffer is not None and buffer.editable else None
        for field, key in self._keys.items():
            field.show_value(self._buffer.field(key) if self._buffer else None)
            field.setReadOnly(read_only)
        self.written.setText((local_time(self._buffer.field("ts")) if self._buffer else None) or "–")
        self.now.setVisible(self._buffer is not None and not read_only)
        self._box.setVisible(self._buffer is not None and not self._buffer.place.whole)

    def show_facts(self, buffer: Buffer, facts: ItemFacts, links_in: int) -> None:
        parts = [self.tr("%n token(s)", None, facts.tokens), self.tr("%n character(s)", None, facts.characters)]
        if buffer.place.kind in ("item", "text"):
            parts.append(self.tr("%n link(s) out", None, facts.links_out))
            if facts.unresolved:
                parts[-1] += ", " + self.tr("%n unresolved", None, facts.unresolved)
        if buffer.place.kind == "item":
            parts[-1] += ", " + self.tr("%n in", None, links_in)
        if buffer.editable:
            parts.append(self.tr("Not saved") if buffer.dirty else self.tr("Saved"))
        if facts.tokens == 0 and facts.characters:
            parts.append(self.tr("no letters a–z, digits, CJK or kana: hosts can't find it and count it as free"))
        self._facts.setText(" · ".join(parts))

    @Slot()
    def _on_field_changed(self) -> None:
        field = self.sender()
        assert isinstance(field, _Field)
        if "|" in field.text():  # it separates the fields of the comment
            at = field.cursorPosition()
            field.setText(field.text().replace("|", "/"))
            field.setCursorPosition(at)
        if self._buffer is not None:
            self._buffer.set_field(self._keys[field], field.text())

    @Slot()
    def _on_now(self) -> None:
        if self._buffer is not None:
            self._buffer.write_now()


def _row(*fields: tuple[str, QWidget]) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    for name, widget in fields:
        label = QLabel(name)
        label.setObjectName("fieldName")
        row.addWidget(label)
        row.addWidget(widget, 1)
    return row


class _Field(LineField):
    """A flat line edit; a text that is too long ends in dots while it is not edited.

    Signals:
        changed: the person changed the value.
    """

    changed = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        styled(self, "flat")
        self.setPlaceholderText("–")
        self.setAccessibleName(name)
        self.textEdited.connect(self.changed)

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        space = self.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, self).adjusted(2, 0, -2, 0)
        if self.hasFocus() or self.fontMetrics().horizontalAdvance(self.text()) <= space.width():
            super().paintEvent(event)
            return
        painter = QPainter(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, self)
        painter.setPen(self.palette().color(QPalette.ColorRole.Text))
        text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, space.width())
        painter.drawText(space, Qt.AlignmentFlag.AlignVCenter, text)

    def show_value(self, value: str | None) -> None:
        text = value or ""
        if text != field_value(self.text()):
            self.setText(text)
            self.setCursorPosition(0)
        self.setToolTip(text)
