"""The parameters of a run: limit, budget, links, unsaved text, tokenizer, and the time window of a diary."""

from __future__ import annotations

from PySide6.QtCore import QDate, QSignalBlocker, Qt, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import (
    QDateEdit,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QSlider,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from wikimem_desktop.presentation.library import Library
from wikimem_desktop.presentation.playground import Playground
from wikimem_desktop.widgets.dialog import Dialog
from wikimem_desktop.widgets.styled import styled
from wikimem_desktop.widgets.theme import Theme

_MOST_TOKENS = 1_000_000


class ParameterRow(QWidget):
    """Two lines of controls over `Playground.parameters`."""

    def __init__(self, playground: Playground, library: Library, theme: Theme) -> None:
        super().__init__()
        self._playground = playground
        self._library = library
        self._theme = theme
        self._make_controls()
        first, second = QHBoxLayout(), QHBoxLayout()
        for row in (first, second):
            row.setSpacing(6)
        first.addWidget(_label(self.tr("&Limit"), self.limit))
        first.addWidget(self.limit)
        first.addSpacing(6)
        first.addWidget(_label(self.tr("&Budget"), self.budget))
        first.addWidget(self.budget)
        first.addWidget(self.slider, 1)
        second.addWidget(self.links)
        second.addWidget(self.unsaved)
        second.addWidget(self.tokenizer)
        second.addWidget(self.time)
        second.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addLayout(first)
        layout.addLayout(second)
        playground.parameters_changed.connect(self.show_parameters)
        playground.run_changed.connect(self._on_run_changed)
        library.snapshot_changed.connect(self._show_time)
        theme.changed.connect(self.show_parameters)
        self.show_parameters()

    def _make_controls(self) -> None:
        self.limit = QSpinBox(minimum=0, maximum=10_000)
        self.limit.setFixedWidth(self.fontMetrics().horizontalAdvance("00000") + 16)
        self.limit.setAccessibleName(self.tr("Limit"))
        self.limit.setToolTip(self.tr("How many hits at most; links come on top"))
        self.limit.valueChanged.connect(self._on_limit)
        self.budget = QSpinBox(minimum=0, maximum=_MOST_TOKENS)
        self.budget.setSpecialValueText(self.tr("off"))
        self.budget.setKeyboardTracking(False)
        self.budget.setFixedWidth(self.fontMetrics().horizontalAdvance("0000000") + 16)
        self.budget.setAccessibleName(self.tr("Budget in tokens"))
        self.budget.setToolTip(self.tr("Tokens the whole sequence may take; 0 is off"))
        self.budget.valueChanged.connect(self._on_budget)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(1, 400)
        self.slider.setAccessibleName(self.tr("Budget slider"))
        self.slider.setMinimumWidth(60)
        self.slider.valueChanged.connect(self._on_budget)
        self.links = _switch(self.tr("Links"), self.tr("Follow each hit's wiki-links one step"))
        self.links.toggled.connect(self._on_links)
        tip = self.tr("Run on the texts as they stand in the editor; off: on what is saved, as a host does")
        self.unsaved = _switch(self.tr("Unsaved text"), tip)
        self.unsaved.toggled.connect(self._on_unsaved)
        self.tokenizer = styled(QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup), "chip")
        self.tokenizer.setToolTip(self.tr("How Chinese and Japanese text is cut; choose what the host uses"))
        self.tokenizer.setMenu(self._tokenizer_menu())
        self.time = styled(QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup), "chip")
        self.time.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.time.setAccessibleName(self.tr("Time window"))
        menu = QMenu(self.time)
        menu.addAction(self.tr("As the query says"), self._on_time_from_query)
        menu.addAction(self.tr("Choose days…"), self._on_choose_days)
        menu.addAction(self.tr("Leave the diary out"), self._on_time_off)
        self.time.setMenu(menu)

    def _tokenizer_menu(self) -> QMenu:
        menu = QMenu(self)
        self._tokenizers = QActionGroup(self)
        for key, text in (
            ("auto", self.tr("auto: jieba if the host has it")),
            ("jieba", self.tr("jieba words")),
            ("bigrams", self.tr("bigrams of characters")),
        ):
            action = menu.addAction(text)
            action.setCheckable(True)
            action.setData(key)
            self._tokenizers.addAction(action)
        self._tokenizers.triggered.connect(self._on_tokenizer)
        return menu

    @Slot()
    def show_parameters(self) -> None:
        parameters = self._playground.parameters
        blockers = [QSignalBlocker(w) for w in (self.limit, self.budget, self.slider, self.links, self.unsaved)]
        self.limit.setValue(parameters.limit)
        self.budget.setValue(parameters.budget or 0)
        self.slider.setMaximum(max(self.slider.maximum(), parameters.budget or 0))
        self.slider.setValue(parameters.budget or self.slider.maximum())
        for switch, on in ((self.links, parameters.links), (self.unsaved, parameters.unsaved)):
            switch.setChecked(on)
            switch.setIcon(self._theme.icon("square-check" if on else "square", "text" if on else "muted"))
        names = {"auto": self.tr("auto"), "jieba": self.tr("jieba"), "bigrams": self.tr("bigrams")}
        self.tokenizer.setText(names[parameters.tokenizer])
        self.tokenizer.setAccessibleName(self.tr("Tokenizer: {0}").format(names[parameters.tokenizer]))
        for action in self._tokenizers.actions():
            action.setChecked(action.data() == parameters.tokenizer)
        del blockers
        self._show_time()

    @Slot()
    def _on_run_changed(self) -> None:
        run = self._playground.run
        if run is not None:
            total = sum(entry.tokens_est for entry in run.sequence)
            blocker = QSignalBlocker(self.slider)
            self.slider.setMaximum(max(total, self._playground.parameters.budget or 0, 1))
            self.slider.setValue(self._playground.parameters.budget or self.slider.maximum())
            del blocker
        self._show_time()

    @Slot()
    def _show_time(self) -> None:
        """The chip says which window applies and where it comes from."""
        parameters, run = self._playground.parameters, self._playground.run
        self.time.setVisible(bool(self._library.days))
        self.time.setIcon(self._theme.icon("clock"))
        window = run.result.time_range if run else None
        if parameters.gate_off:
            text, tip = self.tr("No diary"), self.tr("Diary entries stay out, whatever the query says")
        elif window is None or run is None:
            text, tip = self.tr("Any time"), self.tr("The query names no time: the diary stays out")
        else:
            text = window[0] if window[0] == window[1] else f"{window[0]} – {window[1]}"
            given = run.result.time_range_source == "explicit"
            tip = self.tr("Days you chose") if given else self.tr("Read from the words of the query")
            if run.result.time_range_widened:
                text += " " + self.tr("(widened)")
                tip += "\n" + self.tr("Nothing on the days asked for: a day wider on both sides")
        self.time.setText(text)
        self.time.setToolTip(tip)
        self.time.setAccessibleDescription(f"{text}. {tip}")

    @Slot(int)
    def _on_limit(self, limit: int) -> None:
        self._playground.set_parameters(limit=limit)

    @Slot(int)
    def _on_budget(self, budget: int) -> None:
        self._playground.set_parameters(budget=budget or None)

    @Slot(bool)
    def _on_links(self, on: bool) -> None:
        self._playground.set_parameters(links=on)

    @Slot(bool)
    def _on_unsaved(self, on: bool) -> None:
        self._playground.set_parameters(unsaved=on)

    @Slot(QAction)
    def _on_tokenizer(self, action: QAction) -> None:
        self._playground.set_parameters(tokenizer=action.data())

    @Slot()
    def _on_time_from_query(self) -> None:
        self._playground.set_parameters(days=None, gate_off=False)

    @Slot()
    def _on_time_off(self) -> None:
        self._playground.set_parameters(days=None, gate_off=True)

    @Slot()
    def _on_choose_days(self) -> None:
        dialog = DaysDialog(self, self._playground.parameters.days or (self._library.days[0], self._library.days[-1]))
        if dialog.exec():
            self._playground.set_parameters(days=dialog.days, gate_off=False)
        dialog.deleteLater()


class DaysDialog(Dialog):
    """Asks for the first and the last day of a window."""

    def __init__(self, parent: QWidget, days: tuple[str, str]) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Time window"))
        form = QFormLayout(self)
        self._edits = []
        for name, day in zip((self.tr("&From"), self.tr("&To")), days, strict=True):
            edit = QDateEdit(QDate.fromString(day, Qt.DateFormat.ISODate))
            edit.setCalendarPopup(True)
            edit.setDisplayFormat("yyyy-MM-dd")
            form.addRow(name, edit)
            self._edits.append(edit)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        form.addRow(buttons)

    @property
    def days(self) -> tuple[str, str]:
        first, last = sorted(edit.date().toString(Qt.DateFormat.ISODate) for edit in self._edits)
        return first, last


def _switch(text: str, tip: str) -> QToolButton:
    switch = styled(QToolButton(), "chip", text=text, toolTip=tip, checkable=True)
    switch.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    return switch


def _label(text: str, buddy: QWidget) -> QLabel:
    label = QLabel(text)
    label.setObjectName("muted")
    label.setBuddy(buddy)
    return label
