"""Renders every main state of the window on the sample memory.

    python packaging/screenshots.py DIR             all states, light and dark, three sizes
    python packaging/screenshots.py --single FILE   the main window with a run, for a machine without a display

Each size runs in a process of its own: Qt reads its scale factor once.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parent.parent
SIZES = {"1280x720": (1280, 720, 1), "1440x900": (1440, 900, 1), "2560x1440@2": (1280, 720, 2)}
"""Name: width and height in logical pixels, scale factor."""
THEMES = ("light", "dark")
PATIENCE_SECONDS = 20

sys.path.insert(0, str(ROOT))

from PySide6.QtCore import QEventLoop, QItemSelection, QItemSelectionModel, QPoint, QRect  # noqa: E402
from PySide6.QtGui import QPainter, QTextCursor  # noqa: E402
from PySide6.QtWidgets import QApplication, QDialog  # noqa: E402

from wikimem_desktop.app import App  # noqa: E402
from wikimem_desktop.engine.problems import Kind  # noqa: E402
from wikimem_desktop.places import PROFILE_VARIABLE, find_places  # noqa: E402
from wikimem_desktop.presentation.buffer import Place  # noqa: E402
from wikimem_desktop.presentation.filter_terms import Term  # noqa: E402
from wikimem_desktop.presentation.memory_model import Role  # noqa: E402
from wikimem_desktop.presentation.ordering import Order  # noqa: E402
from wikimem_desktop.start import make_application  # noqa: E402
from wikimem_desktop.widgets.comparison import ComparisonDialog  # noqa: E402
from wikimem_desktop.widgets.diary_dialog import DiaryDialog  # noqa: E402
from wikimem_desktop.widgets.forget_dialog import ForgetDialog  # noqa: E402
from wikimem_desktop.widgets.keys_dialog import KeysDialog  # noqa: E402
from wikimem_desktop.widgets.naming import MovingDialog, NewItemDialog, RenamingDialog  # noqa: E402
from wikimem_desktop.widgets.removal import RemovalDialog  # noqa: E402
from wikimem_desktop.widgets.replace_preview import ReplacePreview  # noqa: E402

_D = TypeVar("_D", bound=QDialog)


class Camera:
    """One window on a fresh copy of the sample, and the pictures of it."""

    def __init__(self, folder: Path, size: str, theme: str) -> None:
        self.folder = folder
        self.suffix = f"{theme}-{size}"
        width, height, _ = SIZES[size]
        self.app = App(find_places())
        self.app.theme.choose(theme)
        self.app.window.resize(width, height)
        self.app.window.show()

    def wait(self, condition: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while not condition():
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
            if time.monotonic() > end:
                raise TimeoutError("the state to photograph did not come")
        QApplication.processEvents()

    def shoot(self, name: str) -> Path:
        """The window with the menu or dialog in front of it."""
        QApplication.processEvents()
        path = self.folder / f"{name}-{self.suffix}.png"
        picture, window = self.app.window.grab(), self.app.window
        front = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if front is not None:
            painter = QPainter(picture)
            corner = front.pos() - window.pos()
            painter.drawPixmap(corner, front.grab())
            painter.setPen(self.app.theme.color("border"))
            painter.drawRect(QRect(corner, front.size()))
            painter.end()
        picture.save(str(path))
        return path

    def dialog(self, kind: type[_D]) -> _D:
        """The dialog in front."""
        front = QApplication.activeModalWidget()
        assert isinstance(front, kind)
        return front

    def open_sample(self) -> None:
        self.app.open_sample()
        self.wait(lambda: self.app.playground.run is not None and bool(self.app.library.findings.problems))
        self.wait(lambda: not self.app.playground.stale and self.app.documents.current is not None)

    def run(self, query: str, **parameters: object) -> None:
        self.app.panel.query_box.setText(query)
        self.app.playground.set_parameters(**parameters)
        self.app.playground.run_now()
        self.wait(lambda: not self.app.playground.stale and not self.app.library.indexing)

    def outside_edit(self, path: Path, old: str, new: str) -> None:
        path.write_bytes(path.read_bytes().replace(old.encode(), new.encode()))
        self.app.library.refresh()


def states(camera: Camera) -> Iterator[str]:
    """Brings the window into each state, and names it."""
    app = camera.app
    yield "welcome"
    camera.open_sample()
    yield "main"
    app.item_view.header.read.click()
    yield "read"
    app.item_view.header.write.click()
    camera.run("想去海边玩", tokenizer="bigrams")
    yield "bigrams"
    app.item_view.text_edit.appendPlainText("- 也想看日出 at dawn")
    yield "unsaved"
    app.item_view.text_edit.insertPlainText("[[li")
    app.item_view.completion.offer()
    yield "completion"
    app.item_view.text_edit.undo()
    app.item_view.find_bar.find_field.setText("海")
    app.item_view.find_bar.open_replace()
    yield "replace"
    app.item_view.find_bar.regex.setChecked(True)
    app.item_view.find_bar.find_field.setText("(海")
    yield "bad-pattern"
    app.item_view.find_bar.close_bar()
    yield from conflicts(camera)
    yield from links_and_losses(camera)
    camera.run("2026-07-20 咖啡")
    yield "diary-window"
    yield from whole_files(camera)
    app.documents.open(Place("file", "old-notes"))
    yield "unreadable-file"
    app.documents.open(Place("shadowed", "work", "站会", 0))
    yield "shadowed"
    app.documents.open_item("work", "deploy-checklist")
    camera.run("Привет", budget=None)
    yield "no-tokens"
    camera.run("deploy checklist", budget=60)
    yield from tree(camera)
    yield from going(camera)
    yield from history(camera)
    yield from changes(camera)
    yield from problems(camera)
    yield from questions(camera)


def going(camera: Camera) -> Iterator[str]:
    """The palette, finding and replacing in all files, the journal."""
    app, find = camera.app, camera.app.find_in_store
    for name, text in (("palette", "sea"), ("commands", ">find")):
        app.palette.open_at(text)
        yield name
        app.palette.reject()
    app.window.menus.keys_action.trigger()
    yield "keys"
    camera.dialog(KeysDialog).reject()
    app.window.docks.show_pane("find")
    find.open_with("[[preferences:likes")
    camera.wait(lambda: bool(app.store_search.results.shown) and not app.store_search.searching)
    find.open_with("sea")
    camera.wait(lambda: app.store_search.search.text == "sea" and not app.store_search.searching)
    yield "find-in-store"
    find.template.setText("ocean")
    find.replace_button.click()
    camera.wait(lambda: isinstance(QApplication.activeModalWidget(), ReplacePreview))
    yield "replace-in-store"
    camera.dialog(ReplacePreview).reject()
    find.regex.setChecked(True)
    find.open_with("(sea")
    camera.wait(lambda: bool(app.store_search.error))
    yield "find-bad-pattern"
    find.regex.setChecked(False)
    app.window.docks.show_pane("journal")
    camera.wait(lambda: bool(app.journal_view.list.row_model.rows))
    yield "journal"
    app.window.docks.show_pane("problems")


def conflicts(camera: Camera) -> Iterator[str]:
    """Others changed what a person has not saved."""
    app, store = camera.app, camera.app.library.store
    assert store is not None
    app.item_view.text_edit.moveCursor(QTextCursor.MoveOperation.Start)
    app.item_view.text_edit.insertPlainText("从小")
    camera.outside_edit(store.path("preferences"), "夏天的安排", "今年夏天的安排")
    camera.wait(lambda: app.documents.current is not None and app.documents.current.conflict is not None)
    yield "conflict"
    app.item_view.conflict_bar.compare.click()
    yield "conflict-texts"
    app.item_view.conflict_bar.merge.click()
    yield "merge"
    app.item_view.merge_view.choices["both"].click()
    yield "merge-decided"
    app.item_view.merge_view.cancel.click()
    app.documents.take_theirs()


def links_and_losses(camera: Camera) -> Iterator[str]:
    """Text and rendering side by side, what can be done about a link, and an edit that a stale copy took back."""
    app, edit, store = camera.app, camera.app.item_view.text_edit, camera.app.library.store
    assert store is not None
    app.item_view.header.split.click()
    edit.moveCursor(QTextCursor.MoveOperation.End)
    edit.insertPlainText("\n\n- **soon**: [[daily_life:likes-the-sea]]")
    camera.wait(lambda: "soon" in app.item_view.preview.toPlainText())
    yield "split"
    edit.moveCursor(QTextCursor.MoveOperation.Left)
    app.link_fixes.offer()
    yield "quick-fixes"
    front = QApplication.activePopupWidget()
    assert front is not None
    front.close()
    app.item_view.header.write.click()
    stale = store.path("preferences").read_bytes()
    app.saver.save()
    camera.wait(lambda: not app.documents.unsaved and not app.library.indexing)
    store.path("preferences").write_bytes(stale)
    app.library.refresh()
    camera.wait(app.item_view.overwritten_bar.isVisible)
    yield "taken-back"
    app.item_view.overwritten_bar.dismiss.click()


def whole_files(camera: Camera) -> Iterator[str]:
    """A category's file, one that can't be left, a day of the diary, and an entry for it."""
    app = camera.app
    app.documents.open_item("preferences", "gift-style")
    app.file_mode.action.trigger()
    yield "file"
    app.documents.open(Place("text", "people"))
    app.item_view.text_edit.insertPlainText("Everyone I know.\n\n")
    app.documents.open_item("people", "小林")
    yield "file-unsaved"
    app.documents.discard()
    app.documents.open(Place("day", "2026-07-20"))
    yield "diary-day"
    app.diary_actions.add.trigger()
    asking = camera.dialog(DiaryDialog)
    asking.text.setPlainText("下午去海边走了走。A long walk on the beach.")
    yield "diary-entry"
    asking.text.setPlainText("beach\n## 17:00\nback home")
    yield "diary-entry-refused"
    asking.reject()


def tree(camera: Camera) -> Iterator[str]:
    """The tree behind a filter, in another order, with several rows selected."""
    app, box = camera.app, camera.app.tree.filter_box
    box.setText("sea")
    yield "filter"
    box.setText("text:海")
    app.tree.ask_for([Term("owner", "user:xnne", exact=True), Term("age", "older")])
    yield "filter-terms"
    box.setText("text:nowhere")
    yield "filter-nothing"
    box.clear()
    beside = app.filter_menu.button
    app.filter_menu.menu.popup(beside.mapToGlobal(QPoint(0, beside.height())))
    yield "filter-menu"
    app.filter_menu.owners.popup(beside.mapToGlobal(QPoint(120, 60)))
    yield "filter-owners"
    app.filter_menu.owners.close()
    app.filter_menu.menu.close()
    app.tree.show_everything()
    app.tree.set_order(Order.DATE)
    button = app.sort_menu.button
    app.sort_menu.menu.popup(button.mapToGlobal(QPoint(0, button.height())))
    yield "sort-menu"
    app.sort_menu.menu.close()
    app.tree.set_order(Order.FILE)
    app.tree.show_place(Place("item", "preferences", "likes-the-sea"))
    first = app.tree.tree.currentIndex()
    app.tree.tree.setFocus()
    several = QItemSelection(first, first.siblingAtRow(first.row() + 2))
    app.tree.tree.selectionModel().select(several, QItemSelectionModel.SelectionFlag.Select)
    app.memory_actions.context_menu.popup(app.tree.tree.mapToGlobal(QPoint(60, 80)))
    yield "several"
    app.memory_actions.context_menu.close()
    app.tree.show_place(first.data(Role.PLACE))
    app.item_view.text_edit.setFocus()


def history(camera: Camera) -> Iterator[str]:
    """Versions of an item and of its file, what is gone, and what is different."""
    app, view = camera.app, camera.app.history_view
    store = app.library.store
    assert store is not None
    app.documents.open_item("people", "小林")
    app.item_view.text_edit.appendPlainText("喜欢爬山 and long walks.")
    app.saver.save()
    camera.wait(lambda: not app.documents.unsaved and not app.library.indexing)
    camera.outside_edit(store.path("people"), "爬山", "看海")
    app.window.docks.show_pane("history")
    camera.wait(lambda: len(view.list.row_model.rows) == 3 and view.copy.isEnabled())
    yield "history-item"
    view.against_now.setChecked(True)
    view.list.setCurrentIndex(view.list.row_model.index(2))
    camera.wait(view.copy.isEnabled)
    yield "history-now"
    view.against_now.setChecked(False)
    view.file_button.click()
    camera.wait(lambda: len(view.list.row_model.rows) == 3 and view.copy.isEnabled())
    yield "history-file"
    app.documents.open(Place("day", "2026-07-20"))
    text = store.path("work").read_bytes().decode()
    start, end = text.index("## deploy-checklist"), text.index("\n## ", text.index("## deploy-checklist"))
    camera.outside_edit(store.path("work"), text[start : end + 1], "")
    view.gone_button.click()
    camera.wait(lambda: len(view.list.row_model.rows) == 1)
    yield "history-deleted"
    view.restore.click()
    camera.wait(lambda: app.documents.current is not None and app.documents.current.place.name == "deploy-checklist")
    view.item_button.click()
    app.window.docks.show_pane("problems")


def changes(camera: Camera) -> Iterator[str]:
    """What others did since the person looked, and forgetting for good."""
    app = camera.app
    store = app.library.store
    assert store is not None
    camera.wait(lambda: not app.library.indexing and app.history.recorder is not None)
    app.review.keep(app.review.changes)
    camera.wait(lambda: not app.review.changes)
    text = store.path("people").read_bytes().decode()
    camera.outside_edit(store.path("people"), text, f"{text}\n## 阿明\n\n下个月搬去厦门 near the harbour.\n")
    camera.outside_edit(store.path("preferences"), "不喜欢冲浪", "不喜欢冲浪和深水")
    store.journal.append(
        "update", **{store.layout.category_key: "preferences", "item": "likes-the-sea"}, source_conv="conv_20260722"
    )
    app.library.refresh()
    camera.wait(lambda: len(app.review.changes) == 2)
    app.window.docks.show_pane("changes")
    app.changes_view.list.setCurrentIndex(app.changes_view.list.row_model.index(1))
    yield "changes"
    app.forget_action.action.trigger()
    dialog = camera.dialog(ForgetDialog)
    (store.root / ".git").mkdir()
    camera.wait(lambda: app.forget_action.forgetting.state == "" and bool(app.forget_action.forgetting.found))
    yield "forget"
    dialog.reject()
    app.window.docks.show_pane("problems")


def problems(camera: Camera) -> Iterator[str]:
    """One kind of problem alone, items that nearly say the same, and a copy that a sync tool left."""
    app, pane, store = camera.app, camera.app.problems_pane, camera.app.library.store
    assert store is not None
    text = store.path("travel").read_bytes().decode()
    copy = store.path("travel (conflicted copy 2026-07-21)")
    copy.write_bytes(text.replace("9,000", "12,000").encode() + "\n## 地铁\n\n海边站 is line 1.\n".encode())
    island = app.library.snapshot.item("travel", "dongji-island") if app.library.snapshot else None
    assert island is not None
    life, known = store.path("daily_life"), store.path("daily_life").read_bytes()
    life.write_bytes(known + f"\n## 东极岛\n\n{island.content} 还没订船票。\n".encode())
    app.library.refresh()
    camera.wait(lambda: any(found.kind is Kind.NEAR_DUPLICATE for found in app.problems_model.problems))
    yield "problems"
    for kind in (Kind.NEAR_DUPLICATE, Kind.CONFLICT_COPY, Kind.HEADING_IN_FENCE):
        pane.kinds.setCurrentIndex(pane.kinds.findData(kind))
        pane.kinds.activated.emit(pane.kinds.currentIndex())
        yield f"problems-{kind.value}"
        if kind is not Kind.HEADING_IN_FENCE:
            app.problems_view.fix_chosen.emit(app.problems_model.shown[0])
            yield f"compare-{kind.value}"
            camera.dialog(ComparisonDialog).reject()
    pane.kinds.setCurrentIndex(0)
    pane.kinds.activated.emit(0)
    copy.unlink()
    life.write_bytes(known)
    app.library.refresh()


def questions(camera: Camera) -> Iterator[str]:
    """What must be decided before the memory is changed."""
    app, actions = camera.app, camera.app.memory_actions
    app.item_view.text_edit.insertPlainText("first line\n\n## a heading\n\n")
    app.saver.save()
    yield "refused"
    app.item_view.text_edit.insertPlainText("## vector-index-migration\n\n")
    yield "split-refused"
    actions.new_item.trigger()
    naming = camera.dialog(NewItemDialog)
    naming.name.setText("tea: oolong")
    yield "new-item"
    naming.reject()
    app.documents.open_item("people", "小林")
    yield from renaming(camera)
    actions.delete.trigger()
    yield "delete"
    camera.dialog(RemovalDialog).reject()
    app.tree.tree.setFocus()
    actions.context_menu.popup(app.tree.tree.mapToGlobal(QPoint(60, 80)))
    yield "tree-menu"
    actions.context_menu.close()


def renaming(camera: Camera) -> Iterator[str]:
    """The links that follow, in texts and in code; a file among theirs that is read-only; what is told afterwards."""
    app, actions, store = camera.app, camera.app.memory_actions, camera.app.library.store
    assert store is not None
    camera.outside_edit(store.path("travel"), "of 9,000 yuan.", "of 9,000 yuan.\n\n```\ndriver = [[people:小林]]\n```")
    actions.rename.trigger()
    asking = camera.dialog(RenamingDialog)
    camera.wait(asking.links.isVisible)
    asking.name.setText("林小姐")
    yield "rename"
    asking.links.list.scrollToBottom()
    yield "rename-in-code"
    asking.reject()
    store.path("travel").chmod(0o444)
    actions.move.trigger()
    moving = camera.dialog(MovingDialog)
    camera.wait(moving.links.isVisible)
    moving.name.setText("health")
    yield "move-read-only"
    moving.reject()
    store.path("travel").chmod(0o644)
    app.structure.rename(Place("item", "people", "小林"), "林小姐")
    camera.wait(lambda: app.notices.current is not None and app.notices.current.key == "moved")
    camera.wait(lambda: not app.structure.inbound(Place("item", "people", "小林")))
    yield "renamed"
    app.steps.undo()
    camera.wait(lambda: bool(app.structure.inbound(Place("item", "people", "小林"))))
    camera.wait(lambda: app.notices.current is not None and app.notices.current.key == "moved")
    app.notices.clear("moved")
    QApplication.processEvents()  # the window takes back the room of the notice
    app.documents.open_item("people", "小林")


def photograph(folder: Path, size: str, theme: str) -> None:
    camera = Camera(folder, size, theme)
    for name in states(camera):
        print(camera.shoot(name).name, flush=True)
    camera.app.documents.discard_all()
    camera.app.quit()


def photograph_all(folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    for size, (_, _, scale) in SIZES.items():
        for theme in THEMES:
            code = _in_child(["--one", str(folder), size, theme], scale)
            if code:
                return code
    return 0


def _in_child(arguments: list[str], scale: int) -> int:
    with tempfile.TemporaryDirectory() as profile:
        environment = os.environ | {PROFILE_VARIABLE: profile, "QT_SCALE_FACTOR": str(scale)}
        environment.setdefault("QT_QPA_PLATFORM", "offscreen")
        return subprocess.call([sys.executable, __file__, *arguments], env=environment)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, metavar="DIR")
    parser.add_argument("--single", type=Path, metavar="FILE")
    parser.add_argument("--one", nargs=3, metavar=("DIR", "SIZE", "THEME"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        make_application()
        folder, size, theme = options.one
        photograph(Path(folder), size, theme)
        return 0
    if options.single:
        with tempfile.TemporaryDirectory() as profile:
            os.environ[PROFILE_VARIABLE] = profile
            os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
            make_application()
            camera = Camera(options.single.parent, "1440x900", "light")
            camera.open_sample()
            camera.shoot("main").rename(options.single)
            camera.app.quit()
        print(options.single)
        return 0
    if options.folder is None:
        parser.error("give a folder, or --single FILE")
    return photograph_all(options.folder)


if __name__ == "__main__":
    sys.exit(main())
