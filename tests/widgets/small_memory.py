"""A small store in the window, and hands for what is done to its items and categories."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListWidget, QWidget

from tests.engine.folders import categories_of, tree
from tests.widgets.desk import Desk
from wikimem_desktop.widgets.naming import NamingDialog

LEFT = Qt.MouseButton.LeftButton
PREFS = "# prefs\n\n## sea\n\nlikes it\n\n## tea\n\n[[prefs:sea]] green\n"
PLANS = "# plans\n\n## beach\n\nbecause [[prefs:sea]], again [[prefs:sea]]\n\n## walk\n\nnorth\n"
STORE: dict[str, str | bytes] = {
    "prefs.md": PREFS,
    "plans.md": PLANS,
    "solo.md": "# solo\n\n## only\n\none\n",
    "twice.md": "# twice\n\n## a\n\nfirst\n\n## b\n\nmore\n\n## a\n\nsecond\n",
}
LINKS_TO_SEA = ["plans:beach  ·  plans.md:5", "plans:beach  ·  plans.md:5", "prefs:tea  ·  prefs.md:9"]


def files(desk: Desk) -> dict[str, bytes | None]:
    assert desk.app.library.store is not None
    return categories_of(tree(desk.app.library.store.root))


def read(desk: Desk, category: str) -> str:
    return desk.path(category).read_bytes().decode()


def select(desk: Desk, category: str, name: str = "") -> None:
    """Click the row in the tree."""
    desk.app.tree.expand(["plans", "prefs", "solo", "twice"])
    desk.click(desk.app.tree.tree, desk.app.memory_model.find(category, name))
    desk.app.tree.expand(["plans", "prefs", "solo", "twice"])


def press(button: QWidget) -> None:
    QTest.mouseClick(button, LEFT)


def enter(shown: NamingDialog) -> None:
    QTest.keyClick(shown.name, Qt.Key.Key_Return)


def rows(found: QListWidget) -> list[str]:
    return [found.item(row).text() for row in range(found.count())]


def note(shown: NamingDialog) -> str:
    return shown.name_note.text() if shown.name_note.objectName() == "inlineError" else ""


def settle(desk: Desk) -> None:
    desk.settle()
    desk.follow_disk()
