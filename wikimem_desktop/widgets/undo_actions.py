"""Undo and Redo in the Edit menu: of the text that has the focus, else of the last change of the memory."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QMenuBar, QPlainTextEdit, QWidget

from wikimem_desktop.presentation.steps import Steps

_LONGEST = 48


class UndoActions(QObject):
    def __init__(self, menu: QMenu, steps: Steps, window: QWidget) -> None:
        super().__init__(window)
        self._steps = steps
        self._window = window
        self._editor: QPlainTextEdit | QLineEdit | None = None
        """What has the focus, if it undoes by itself."""
        self.undo = QAction(self)
        self.undo.setShortcuts(QKeySequence.StandardKey.Undo)
        self.redo = QAction(self)
        self.redo.setShortcuts(QKeySequence.StandardKey.Redo)
        first = menu.actions()[0]
        menu.insertActions(first, [self.undo, self.redo])
        menu.insertSeparator(first)
        window.addActions([self.undo, self.redo])
        self.undo.triggered.connect(self._on_undo)
        self.redo.triggered.connect(self._on_redo)
        menu.aboutToShow.connect(self._show_what_is_possible)
        steps.steps_changed.connect(self._show_what_is_possible)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus_changed)
        self._show_what_is_possible()

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, old: QWidget | None, new: QWidget | None) -> None:
        """Menus take the focus only to give it back."""
        if new is not None and self._window.isAncestorOf(new) and not isinstance(new, QMenuBar):
            inner = new if isinstance(new, QPlainTextEdit | QLineEdit) else new.findChild(QLineEdit)
            self._editor = inner if inner is not None and not inner.isReadOnly() else None
            self._show_what_is_possible()

    @Slot()
    def _show_what_is_possible(self) -> None:
        labels = [self._steps.undo_label, self._steps.redo_label]
        possible = [bool(label) for label in labels]
        for way, acts in enumerate(self._acts_on_text()):
            if acts:
                labels[way], possible[way] = "", True
        if isinstance(self._editor, QPlainTextEdit):  # where one writes, a step of the tree is not what one means
            labels, possible = ["", ""], list(self._acts_on_text())
        words = self.tr("&Undo {0}").format(_escaped(labels[0])), self.tr("&Redo {0}").format(_escaped(labels[1]))
        for action, text, can in zip((self.undo, self.redo), words, possible, strict=True):
            action.setText(text.strip())
            action.setEnabled(can)

    def _acts_on_text(self) -> tuple[bool, bool]:
        """Whether what has the focus has something to undo, and to redo."""
        if self._editor is None:
            return False, False
        editor = self._editor.document() if isinstance(self._editor, QPlainTextEdit) else self._editor
        return editor.isUndoAvailable(), editor.isRedoAvailable()

    @Slot()
    def _on_undo(self) -> None:
        if self._editor is not None and (self._acts_on_text()[0] or isinstance(self._editor, QPlainTextEdit)):
            self._editor.undo()
        else:
            self._steps.undo()

    @Slot()
    def _on_redo(self) -> None:
        if self._editor is not None and (self._acts_on_text()[1] or isinstance(self._editor, QPlainTextEdit)):
            self._editor.redo()
        else:
            self._steps.redo()


def _escaped(label: str) -> str:
    """A label as a menu shows it letter by letter, not too long."""
    label = label if len(label) <= _LONGEST else label[: _LONGEST - 1] + "…"
    return label.replace("&", "&&")
