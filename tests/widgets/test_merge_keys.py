"""Merging by the keyboard alone: where the focus is, and which way Tab goes."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from tests.presentation.house import write_outside
from tests.widgets.desk import Desk
from tests.widgets.test_conflicts import GIFT, conflict, start_merge

__all__ = ["conflict"]


def test_the_focus_is_on_what_is_to_decide_however_it_comes(conflict: Desk) -> None:
    view = conflict.app.item_view
    view.conflict_bar.merge.setFocus()
    conflict.keys("Space")
    merge = view.merge_view
    theirs = merge.choices["theirs"]
    assert merge.isVisible()
    assert theirs.hasFocus()
    for keys in ("Ctrl+Shift+E", "F6"):
        conflict.app.tree.tree.setFocus()
        conflict.keys(keys)
        assert theirs.hasFocus(), keys
    conflict.keys("Alt+2")
    assert merge.apply.hasFocus()
    conflict.app.tree.tree.setFocus()
    conflict.keys("F6")
    assert merge.apply.hasFocus()


def test_apply_has_the_focus_when_no_line_is_to_decide_and_tab_goes_to_the_fields(sample: Desk) -> None:
    sample.open_item(GIFT)
    owner = sample.app.item_view.footer.owner
    owner.clear()
    sample.type(owner, "user:me")
    sample.key(owner, Qt.Key.Key_Return)
    path = sample.path("preferences")
    above, gift = path.read_text().split("## gift-style")
    write_outside(path, f"{above}## gift-style{gift.replace('owner=', 'owner=other_', 1)}".encode())
    sample.until(lambda: sample.buffer.conflict)
    merge = start_merge(sample)
    assert merge.apply.hasFocus()
    assert list(merge.fields) == ["owner"]
    sample.keys("Tab")
    assert merge.fields["owner"].hasFocus()
    sample.keys("Tab")
    assert merge.result.hasFocus()


def test_tab_goes_through_a_merge_by_the_eye_and_out_of_the_result_again(conflict: Desk) -> None:
    merge = start_merge(conflict)
    conflict.keys("Alt+2")
    merge.previous.setFocus()
    text = merge.result.toPlainText()
    stops: list[QWidget] = [merge.previous]
    while stops[-1] is not merge.result:
        conflict.keys("Tab")
        focused = QApplication.focusWidget()
        assert focused is not None
        assert focused not in stops
        stops.append(focused)
    choices = [merge.choices[choice] for choice in ("theirs", "mine", "both")]
    sides = [merge.sides.left, merge.sides.right]
    assert stops == [merge.previous, merge.next, *choices, merge.cancel, merge.apply, *sides, merge.result]
    conflict.keys("Tab")
    assert not merge.isAncestorOf(QApplication.focusWidget() or merge)
    assert merge.result.toPlainText() == text


def test_what_is_edited_by_hand_is_not_counted_as_undecided(conflict: Desk) -> None:
    """A6."""
    merge = start_merge(conflict)
    assert "1 to decide" in merge.count.text()
    conflict.type(merge.result, "by hand ")
    assert merge.apply.isEnabled()
    assert "all decided" in merge.count.text()
    conflict.keys("Escape")


def test_the_bar_above_the_text_is_reached_and_left_by_keys(conflict: Desk) -> None:
    conflict.text.setFocus()
    conflict.keys("Ctrl+Shift+B")
    bar = conflict.app.item_view.conflict_bar
    assert bar.compare.hasFocus()
    conflict.keys("Tab")
    assert bar.isAncestorOf(QApplication.focusWidget() or conflict.window)
    conflict.keys("Escape")
    assert conflict.text.hasFocus()
    conflict.app.documents.discard_all()
