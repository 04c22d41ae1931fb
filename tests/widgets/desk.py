"""The whole application in a window, as app.py builds it, with hands for it: keys, an input method, a mouse."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QModelIndex, QObject, QPoint, Qt, QThread, QTimer, Signal, SignalInstance, Slot
from PySide6.QtGui import QInputMethodEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QDialog, QLabel, QMessageBox, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from wikimem_desktop.app import App
from wikimem_desktop.engine.items import MemoryItem
from wikimem_desktop.places import find_places
from wikimem_desktop.presentation.buffer import Buffer
from wikimem_desktop.presentation.memory_model import Role
from wikimem_desktop.presentation.searcher import Run
from wikimem_desktop.presentation.sequence_model import Entry, SequenceRole
from wikimem_desktop.widgets.editor.text_edit import TextEdit

WAIT_MS = 10_000
_D = TypeVar("_D", bound=QDialog)


def dialog(kind: type[_D]) -> _D:
    """The dialog in front."""
    front = QApplication.activeModalWidget()
    assert isinstance(front, kind)
    return front


class Echo(QObject):
    """Lives in a worker's thread and answers behind everything the worker was asked before."""

    asked = Signal()
    answered = Signal()

    def __init__(self, thread: QThread) -> None:
        super().__init__()
        self.asked.connect(self._on_asked)
        self.moveToThread(thread)

    @Slot()
    def _on_asked(self) -> None:
        self.answered.emit()


class Ear(QObject):
    """Counts on the GUI thread how often a signal came (pytest-qt's own waits run on the thread that emits)."""

    def __init__(self, *signals: SignalInstance) -> None:
        super().__init__()
        self.times = 0
        for signal in signals:
            signal.connect(self._on_heard)

    @Slot()
    def _on_heard(self) -> None:
        self.times += 1


class Desk:
    """An `App` on the screen. `quit` ends it as a person does."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self._left = False
        self.app = App(find_places())
        self.window = self.app.window
        self._workers = (self.app.indexer, self.app.searcher, self.app.writer)
        self._threads: list[QThread] = [worker.thread() for worker in self._workers]
        self._echoes = [Echo(thread) for thread in self._threads]
        self._answers = Ear(*(echo.answered for echo in self._echoes))
        self._checks = Ear(self.app.indexer.checked)
        self.window.resize(1280, 720)
        with qtbot.waitExposed(self.window):
            self.window.show()
        self.window.activateWindow()
        self.until(self.window.isActiveWindow)

    @property
    def ended(self) -> bool:
        return all(thread.isFinished() for thread in self._threads)

    def quit(self) -> None:
        """Leave through `App.quit` and the application's event loop.

        The loop runs also when the test has left already: Qt forgets a call of `exit()` only when it does.
        """
        if self._left:
            return
        self._left = True
        QTimer.singleShot(0, QApplication.quit if self.ended else self.app.quit)
        assert QApplication.exec() == 0
        assert self.ended
        self.window.deleteLater()

    # ------------------------------------------------------------ waiting

    def until(self, condition: Callable[[], object]) -> None:
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=WAIT_MS)

    def settle(self) -> None:
        """Until the workers have done what they were asked to, and all they said has arrived."""
        for _ in range(3):  # what one worker said may have set another to work
            wanted = self._answers.times + len(self._echoes)
            for echo in self._echoes:
                echo.asked.emit()
            self.until(lambda wanted=wanted: self._answers.times == wanted)  # type: ignore[misc]

    def open(self, root: Path, **options: Any) -> None:
        """Open a store, wait until it is indexed and checked."""
        seen = self._checks.times
        self.app.open_store(root, **options)
        self.until(lambda: self._checks.times > seen)
        self.settle()

    def follow_disk(self) -> None:
        """Have the index catch up with the disk now, whatever the watcher saw."""
        self.settle()
        seen = self._checks.times
        self.app.library.refresh()
        self.until(lambda: self._checks.times > seen)
        self.settle()

    def run(self, query: str, **parameters: Any) -> Run:
        """Type a query, wait for its run."""
        self.app.playground.set_parameters(**parameters)
        self.app.panel.query_box.clear()
        self.type(self.app.panel.query_box, query)
        return self.newest_run()

    def newest_run(self) -> Run:
        self.until(lambda: not self.app.library.indexing and not self.app.playground.stale)
        run = self.app.playground.run
        assert run is not None
        return run

    # ------------------------------------------------------------ what is on show

    @property
    def text(self) -> TextEdit:
        return self.app.item_view.text_edit

    @property
    def buffer(self) -> Buffer:
        assert self.app.documents.current is not None
        return self.app.documents.current

    @property
    def address(self) -> str:
        return self.buffer.place.address

    def items(self) -> list[MemoryItem]:
        assert self.app.library.snapshot is not None
        return self.app.library.snapshot.items

    def path(self, category: str) -> Path:
        assert self.app.library.store is not None
        return self.app.library.store.path(category)

    def notice(self) -> str:
        """The notice as it stands in the window."""
        notice = self.app.notices.current
        assert notice is not None
        return notice.text

    def status(self) -> str:
        """The visible words of the status bar."""
        bar = self.app.status_bar
        words: list[QLabel | QToolButton] = [*bar.findChildren(QLabel), *bar.findChildren(QToolButton)]
        return " | ".join(word.text() for word in words if word.isVisible())

    def cards(self) -> list[str]:
        """The playground's list, as a screen reader says it."""
        model = self.app.sequence_model
        return [
            str(model.data(model.index(row), Qt.ItemDataRole.AccessibleTextRole)) for row in range(model.rowCount())
        ]

    def entry(self, address: str) -> Entry:
        return next(entry for entry in self.app.sequence_model.entries if entry.item.item.address == address)

    def card(self, address: str) -> QModelIndex:
        return self.app.sequence_model.index(self.app.sequence_model.row_of(address))

    def row(self, kind: type) -> QModelIndex:
        """The first row of the playground's list of that kind."""
        model = self.app.sequence_model
        rows = [model.index(row) for row in range(model.rowCount())]
        return next(row for row in rows if isinstance(model.data(row, SequenceRole.ROW), kind))

    def leaves(self) -> list[str]:
        """The addresses the tree shows."""
        model = self.app.memory_model
        found = []
        for row in range(model.rowCount()):
            branch = model.index(row, 0)
            places = [model.data(model.index(i, 0, branch), Role.PLACE) for i in range(model.rowCount(branch))]
            found += [place.address for place in places]  # type: ignore[attr-defined]
        return found

    # ------------------------------------------------------------ hands

    def open_item(self, address: str) -> None:
        category, _, name = address.partition(":")
        assert self.app.documents.open_item(category, name), f"no item {address}"

    def type(self, widget: QWidget, text: str) -> None:
        """Key by key what a keyboard has, and through an input method the rest."""
        widget.setFocus()
        for character in text:
            if character == "\n":
                QTest.keyClick(widget, Qt.Key.Key_Return)
            elif character.isascii():
                QTest.keyClicks(widget, character)
            else:
                event = QInputMethodEvent()
                event.setCommitString(character)
                QApplication.sendEvent(widget, event)

    def key(
        self, widget: QWidget, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
    ) -> None:
        widget.setFocus()
        QTest.keyClick(widget, key, modifiers)

    def keys(self, sequence: str) -> None:
        """A key sequence to whatever has the focus, or to the window."""
        self.window.activateWindow()  # a dialog may have been in front
        self.until(self.window.isActiveWindow)
        QTest.keySequence(QApplication.focusWidget() or self.window, sequence)

    def click(self, view: QAbstractItemView, index: QModelIndex) -> None:
        view.scrollTo(index)
        place = view.visualRect(index).center()
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)

    def put_caret(self, behind: str) -> QPoint:
        """Put the caret behind the first place of a text; returns where that is in the viewport."""
        cursor = self.text.document().find(behind)
        assert not cursor.isNull(), f"{behind!r} is not in the text"
        cursor.setPosition(cursor.selectionEnd())
        self.text.setTextCursor(cursor)
        return self.text.cursorRect(cursor).center()

    def caret_behind(self) -> str:
        """The eight characters left of the caret."""
        cursor = QTextCursor(self.text.textCursor())
        cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, 8)
        return cursor.selectedText()

    def save(self) -> None:
        """Ctrl+S, and all that comes of it."""
        self.keys("Ctrl+S")
        self.settle()

    def answer(self, button: str) -> list[str]:
        """Press that button of the message box that comes next; returns a list that will hold the box's texts."""
        seen: list[str] = []

        def press() -> None:
            box = QApplication.activeModalWidget()
            if not isinstance(box, QMessageBox):
                QTimer.singleShot(5, press)
                return
            seen.extend([box.text(), box.informativeText()])
            found = next(b for b in box.buttons() if b.text().replace("&", "") == button)
            QTest.mouseClick(found, Qt.MouseButton.LeftButton)

        QTimer.singleShot(0, press)
        return seen
