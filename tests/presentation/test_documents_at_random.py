"""A person and other programs do hundreds of things in any order: no byte of others changes, no typed text is lost."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QObject, Slot

from tests.engine.folders import fill
from tests.presentation.house import House, write_outside
from tests.presentation.notes import current, write
from wikimem_desktop.engine.document import Document, own_part
from wikimem_desktop.presentation.buffer import Place, Version
from wikimem_desktop.presentation.writer import Request, SaveRequest

STEPS = 200
FILES: dict[str, str | bytes] = {
    "people.md": "# people\n\nhello\n\n## mei\n\nmanager\n\n<!-- wikimem: owner=x | mood=ok -->\n\n## 小林\n\n插画师\n",
    "work.md": "\ufeff# work\r\n## rota\r\n\r\nweekly\r\n\r\n## rota\r\n\r\nmonthly\r\n\r\n\r\n## deploy\r\n\r\n- a",
    "odd.md": "## breaks\none\u2028two\x0cthree\r\n## empty\n## last\n\n\n  x  \n",
}
LINES = ["sea", "海边 [[people:mei]]", "", "  - indented", "a\u00a0b", "half\u2028line", "😀", "### deep", "```", "one"]
UNSTORABLE = ["## another item", "<!-- wikimem: owner=me -->"]


class Ledger(QObject):
    """What must be on disk, and what was typed and is on no disk yet."""

    def __init__(self, house: House, root: Path) -> None:
        super().__init__()
        self.files = {path: path.read_bytes() for path in root.glob("*.md")}
        self.typed: dict[Place, str] = {}
        self.saves = 0
        house.writer.done.connect(self._on_saved)
        house.writer.failed.connect(self._on_failed)

    @Slot(object, object)
    def _on_saved(self, request: Request, version: Version) -> None:
        if not isinstance(request, SaveRequest):
            return
        self.saves += 1
        item = version.item
        path, place = request.store.path(item.category), Place("item", item.category, item.name)
        self.edit(path, self.document(path).with_own_text(item.name, request.text))
        if self.typed.get(place) == request.text:
            del self.typed[place]

    @Slot(object, object)
    def _on_failed(self, request: Request, error: Exception) -> None:
        """Whoever typed the old text again while it was being replaced has nothing unsaved now."""
        if not isinstance(request, SaveRequest):
            return
        place = Place("item", request.base.item.category, request.base.item.name)
        if own_part(self.typed.get(place, "")) == request.base.text:
            del self.typed[place]

    def document(self, path: Path) -> Document:
        return Document.from_bytes(self.files[path])

    def edit(self, path: Path, document: Document) -> None:
        self.files[path] = document.to_bytes()


class Play:
    """One seed's series of steps."""

    def __init__(self, house: House, root: Path, seed: int) -> None:
        self.dice = random.Random(seed)
        self.house = house
        self.documents = house.documents
        self.ledger = Ledger(house, root)
        self.names = 0
        self.given_up = 0

    def text(self) -> str:
        lines = self.dice.choices(LINES, k=self.dice.randint(0, 4))
        if self.dice.random() < 0.05:
            lines.append(self.dice.choice(UNSTORABLE))
        self.names += 1
        return self.dice.choice(["\n", "\n", "\r\n"]).join([f"text {self.names}", *lines])

    # ------------------------------------------------------------ the person

    def open(self) -> None:
        items = [item for item in self.house.snapshot.items if item is not None]
        if items:
            item = self.dice.choice(items)
            assert self.documents.open_item(item.category, item.name)

    def type(self) -> None:
        buffer = self.documents.current
        if buffer is None or buffer.base is None:
            return
        write(buffer, buffer.base.item.content if self.dice.random() < 0.1 else self.text())
        if buffer.dirty:
            self.ledger.typed[buffer.place] = buffer.text
        else:
            self.ledger.typed.pop(buffer.place, None)

    def save(self) -> None:
        self.house.saver.save()

    def save_all(self) -> None:
        self.house.saver.save_all()

    def go(self) -> None:
        self.dice.choice([self.documents.go_back, self.documents.go_forward])()

    def decide(self) -> None:
        buffer = self.documents.current
        if buffer is None or buffer.conflict is None:
            return
        if self.dice.random() < 0.5:
            self.house.saver.keep_mine()
        else:
            self.ledger.typed.pop(buffer.place)
            self.given_up += 1
            self.documents.take_theirs()

    # ------------------------------------------------------------ others

    def write_outside(self) -> None:
        """Another program edits what is on disk once our writer rests; the index may not have seen either yet."""
        self.house.settle()
        path = self.dice.choice(list(self.ledger.files))
        document = self.ledger.document(path)
        name = self.dice.choice(list(document.effective()) or [""])
        kind = self.dice.choice(["content", "content", "metadata", "add", "remove"])
        self.names += 1
        if kind == "add" or not name:
            document = document.with_new_item(f"item {self.names}", "new")
        elif kind == "content":
            document = document.with_content(name, f"theirs {self.names}")
        elif kind == "metadata":
            document = document.with_fields(name, owner=f"agent {self.names}")
        elif len(document.effective()) > 2:
            document = document.without_item(name)
        self.ledger.edit(path, document)
        write_outside(path, self.ledger.files[path])

    def wait(self) -> None:
        self.house.settle()

    def wait_little(self) -> None:
        QCoreApplication.processEvents()

    # ------------------------------------------------------------ what must hold

    def check_shown(self) -> None:
        buffer = self.documents.current
        if buffer is not None and buffer.place in self.ledger.typed:
            assert buffer.text == self.ledger.typed[buffer.place]
            assert buffer.dirty

    def check_disk(self) -> None:
        self.house.settle()
        assert {path: path.read_bytes() for path in self.ledger.files} == self.ledger.files

    def check_typed(self) -> None:
        addresses = {place.address for place in self.ledger.typed}
        assert addresses <= set(self.documents.unsaved)
        for place, text in self.ledger.typed.items():
            assert self.documents.open(place)
            assert current(self.house).text == text


@pytest.mark.parametrize("seed", range(4))
def test_no_byte_of_others_changes_and_no_typed_text_is_lost(seed: int, house: House, tmp_path: Path) -> None:
    root = fill(tmp_path / "store", FILES)
    house.open(root)
    play = Play(house, root, seed)
    steps = {
        play.open: 5, play.type: 8, play.save: 6, play.save_all: 1, play.go: 2, play.decide: 4,
        play.write_outside: 3, play.wait: 2, play.wait_little: 4,
    }  # fmt: skip
    for number in range(STEPS):
        play.dice.choices(list(steps), list(steps.values()))[0]()
        play.check_shown()
        if number % 20 == 0:
            play.check_disk()
    play.check_disk()
    play.check_typed()
    house.follow_disk()
    for path in play.ledger.files:
        assert [house.content(path.stem, item.name) for item in house.store.items(path.stem)] == [
            item.content for item in play.ledger.document(path).items(path.stem)
        ]
    assert play.ledger.saves > 5
