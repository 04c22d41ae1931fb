"""Enter, Esc and the keys that choose belong to an input method while it composes, wherever one can type (B65, B67)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLineEdit, QWidget

from tests.presentation.house import edit_outside
from tests.widgets.desk import Desk, dialog
from wikimem_desktop.widgets.diary_dialog import DiaryDialog
from wikimem_desktop.widgets.fields import COMPOSING_KEYS, LineField
from wikimem_desktop.widgets.forget_dialog import ForgetDialog
from wikimem_desktop.widgets.keys_dialog import KeysDialog
from wikimem_desktop.widgets.naming import MovingDialog, NewItemDialog, RenamingDialog
from wikimem_desktop.widgets.palette import PaletteDialog

SEA = "preferences:likes-the-sea"


def compose(widget: QWidget, preedit: str, decided: str = "") -> None:
    event = QInputMethodEvent(preedit, [])
    event.setCommitString(decided)
    QApplication.sendEvent(widget, event)


def pane(name: str, attribute: str) -> Callable[[Desk], QWidget]:
    def open_pane(desk: Desk) -> QWidget:
        desk.app.window.docks.show_pane(name)
        found = desk.app.window.docks.all[name].widget().findChildren(LineField)
        return next(field for field in found if field.accessibleName() == attribute)

    return open_pane


def find(desk: Desk) -> QWidget:
    desk.keys("Ctrl+H")
    return desk.app.item_view.find_bar.find_field


def replace(desk: Desk) -> QWidget:
    find(desk)
    return desk.app.item_view.find_bar.replace_field


def palette(desk: Desk) -> QWidget:
    desk.keys("Ctrl+P")
    return dialog(PaletteDialog).field


def new_name(desk: Desk) -> QWidget:
    desk.app.memory_actions.new_item.trigger()
    return dialog(NewItemDialog).name


def new_category(desk: Desk) -> QWidget:
    new_name(desk)
    return dialog(NewItemDialog).category.line


def rename(desk: Desk) -> QWidget:
    desk.app.memory_actions.rename.trigger()
    return dialog(RenamingDialog).name


def move(desk: Desk) -> QWidget:
    desk.app.memory_actions.move.trigger()
    return dialog(MovingDialog).name


def forget(desk: Desk) -> QWidget:
    desk.app.forget_action.action.trigger()
    return dialog(ForgetDialog).text


def diary(desk: Desk) -> DiaryDialog:
    desk.app.diary_actions.add.trigger()
    return dialog(DiaryDialog)


def keys(desk: Desk) -> QWidget:
    desk.keys("F1")
    return dialog(KeysDialog).field


def merged(desk: Desk) -> QWidget:
    desk.put_caret("海边")
    desk.type(desk.text, "!")
    edit_outside(desk.path("preferences"), "夏天的安排", "今年夏天的安排")
    desk.until(lambda: desk.buffer.conflict)
    desk.app.item_view.conflict_bar.merge.click()
    return desk.app.item_view.merge_view.result


FIELDS: dict[str, Callable[[Desk], QWidget]] = {
    "text": lambda desk: desk.text,
    "title": lambda desk: desk.app.item_view.header.name,
    "owner": lambda desk: desk.app.item_view.footer.owner,
    "source": lambda desk: desk.app.item_view.footer.source,
    "filter": lambda desk: desk.app.tree.filter_box,
    "query": lambda desk: desk.app.panel.query_box,
    "find": find,
    "replace": replace,
    "palette": palette,
    "new name": new_name,
    "new category": new_category,
    "rename": rename,
    "move": move,
    "forget": forget,
    "diary": lambda desk: diary(desk).text,
    "diary owner": lambda desk: diary(desk).owner,
    "keys": keys,
    "merge": merged,
    "links": pane("links", "Filter the links"),
    "journal": pane("journal", "Filter the journal"),
    "find in store": lambda desk: desk.app.find_in_store.field,
    "replace in store": lambda desk: desk.app.find_in_store.template,
}


@pytest.fixture
def sea(sample: Desk) -> Iterator[Desk]:
    sample.open_item(SEA)
    yield sample
    front = QApplication.activeModalWidget()
    if front is not None:
        front.close()
    sample.app.documents.discard_all()


def everything(desk: Desk) -> tuple[object, ...]:
    """What a key could have changed."""
    app = desk.app
    return (
        QApplication.focusWidget(), QApplication.activeModalWidget(), desk.address, desk.buffer.text,
        dict(desk.buffer.pending), app.item_view.header.name.text(), app.item_view.find_bar.isVisible(),
        app.item_view.page, app.playground.run, app.playground.query, app.tree.filter_box.text(), app.notices.current,
        app.store_search.search, app.steps.undo_label,
    )  # fmt: skip


def text_of(widget: QWidget) -> str:
    return str(widget.text() if isinstance(widget, QLineEdit) else widget.toPlainText())  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", FIELDS)
def test_no_key_decides_anything_while_an_input_method_composes(name: str, sea: Desk) -> None:
    if name in ("find in store", "replace in store"):
        sea.app.window.docks.show_pane("find")
    field = FIELDS[name](sea)
    field.setFocus()
    sea.until(field.hasFocus)
    compose(field, "hai")  # takes the place of what is selected
    text = text_of(field)
    before = everything(sea)
    focused = QApplication.focusWidget()
    assert focused is not None
    for key in sorted(COMPOSING_KEYS):
        QTest.keyClick(focused, key)
        assert everything(sea) == before, f"{key.name} acted"
    QTest.keyClick(focused, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    if name != "merge":  # where it is a command, as Ctrl+S is
        QTest.keyClick(focused, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert everything(sea) == before
    assert text_of(field) == text
    compose(field, "", "海")
    assert text_of(field).count("海") == text.count("海") + 1


def test_every_field_of_the_window_leaves_its_keys_to_the_input_method(sea: Desk) -> None:
    fields = [field for field in sea.window.findChildren(QLineEdit) if not isinstance(field.parent(), QAbstractSpinBox)]
    assert len(fields) >= 10
    assert [field for field in fields if not isinstance(field, LineField)] == []


@pytest.mark.parametrize("leave", ["switch", "save", "split", "read", "file"])
def test_leaving_commits_what_is_composed_once_and_where_it_belongs(leave: str, sea: Desk) -> None:
    sea.put_caret("海放松。")
    compose(sea.text, "hai")
    header = sea.app.item_view.header
    if leave == "switch":
        sea.open_item("preferences:gift-style")
        sea.open_item(SEA)
    elif leave == "save":
        sea.save()
        assert "海放松。hai" in sea.path("preferences").read_text(encoding="utf-8")
    else:
        getattr(header, leave).click()
    assert sea.buffer.text.count("hai") == 1
    assert "海放松。hai" in sea.buffer.text


@pytest.mark.parametrize("leave", ["switch", "save"])
def test_a_field_commits_what_is_composed_when_its_item_is_left_or_saved(leave: str, sea: Desk) -> None:
    field = sea.app.item_view.footer.owner
    field.setFocus()
    field.end(False)
    compose(field, "me")
    if leave == "save":
        sea.save()
        assert "owner=user:xnneme" in sea.path("preferences").read_text(encoding="utf-8")
    else:
        place = sea.buffer
        sea.open_item("preferences:gift-style")
        assert place.pending["owner"] == "user:xnneme"
        assert sea.buffer.pending == {}


def test_applying_a_merge_commits_what_is_composed(sea: Desk) -> None:
    result = merged(sea)
    result.setFocus()
    sea.keys("Ctrl+Home")
    compose(result, "hai")
    sea.app.item_view.merge_view.apply.click()
    assert sea.buffer.text.count("hai") == 1
