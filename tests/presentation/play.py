"""A person at work in a house, at random: types, saves, decides, restructures; others write, the power goes."""

from __future__ import annotations

import random
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QTextCursor
from pytestqt.qtbot import QtBot

from tests.presentation.house import House, write_outside
from tests.presentation.ledger import Ledger, contents, said, texts_of
from tests.presentation.notes import write
from wikimem_desktop.engine.document import Document
from wikimem_desktop.presentation.buffer import Buffer, Place
from wikimem_desktop.presentation.qt_text import for_document

LINES = ["sea", "海边 [[people:mei]]", "", "  - indented", "a\u00a0b", "half\u2028line", "😀", "### deep", "```", "one"]


class Play:
    """One seed's series of steps."""

    def __init__(self, qtbot: QtBot, root: Path, seed: int) -> None:
        self.dice = random.Random(seed)
        self.qtbot = qtbot
        self.root = root
        self.ledger = Ledger(root)
        self.numbers = iter(range(1, 10_000))
        self.kills = 0
        self.move_in()

    def move_in(self) -> None:
        self.house = House(self.qtbot)
        self.documents, self.structure = self.house.documents, self.house.structure
        self.ledger.follow(self.house)
        self.house.open(self.root)

    @property
    def buffer(self) -> Buffer | None:
        """What is open, if it can be edited."""
        current = self.documents.current
        return current if current is not None and current.base is not None else None

    def a_place(self) -> Place | None:
        items = self.house.snapshot.items
        item = self.dice.choice(items) if items else None
        return Place("item", item.category, item.name) if item else None

    def a_category(self) -> str:
        return self.dice.choice(self.structure.categories or ["fresh"])

    def text(self) -> str:
        lines = [f"text {next(self.numbers)}", *self.dice.choices(LINES, k=self.dice.randint(0, 4))]
        if self.dice.random() < 0.1:
            lines += self.dice.choice([[f"## item {next(self.numbers)}", "split"], ["<!-- wikimem: owner=me -->"]])
        return self.dice.choice(["\n", "\n", "\r\n"]).join(lines)

    # ------------------------------------------------------------ the person types

    def open(self) -> None:
        found = [draft.place for draft in self.house.drafts.found]
        place = self.dice.choice(found) if found and self.dice.random() < 0.3 else self.a_place()
        if place is not None:
            self.documents.open(place)

    def open_file(self) -> None:
        """The file of what is open, or another; and from there to an item, which may be kept in it."""
        here = self.buffer.place if self.buffer else None
        if here is not None and here.kind == "item" and self.dice.random() < 0.6:
            self.documents.open_file(self.dice.randint(0, 9))
        elif here is not None and here.kind == "text" and self.dice.random() < 0.6:
            self.documents.open_item_at(self.dice.randint(0, len(self.buffer.text) if self.buffer else 0))
        else:
            self.documents.open(Place("text", self.a_category()))

    def type_into_file(self, buffer: Buffer) -> None:
        """At the end of an item, between items, or a whole item more or less."""
        before, document = buffer.text, Document(buffer.text)
        number, end = next(self.numbers), document.newline
        section = self.dice.choice(document.sections) if document.sections else None
        first, last = 0, 0
        kind = self.dice.choice(["item", "item", "item", "prose", "new", "gone", "rename"])
        starts = (
            [sum(map(len, document.lines[:line])) for line in (section.first_line, section.end_line)] if section else []
        )
        typed = f"prose {number}"
        if kind == "prose" or section is None:
            text = f"{typed}{end}{end}"
        elif kind == "new":
            first = last = starts[0]
            text, typed = f"## file item {number}{end}{end}text {number}{end}{end}", ""
        elif kind == "gone":
            (first, last), text, typed = starts, "", ""
        elif kind == "rename":
            first = last = starts[0] + len(document.lines[section.first_line].splitlines()[0])
            text, typed = f" {number}", ""
        else:
            first = last = starts[1]
            head = "" if document.text[:last].endswith(("\n", "\r")) else end
            text, typed = f"{head}text {number}{end}", ""
        cursor = QTextCursor(buffer.document)
        cursor.setPosition(buffer.position_of(first))
        cursor.setPosition(buffer.position_of(last), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(for_document(text, end))
        self.ledger.note_file(buffer, before, typed)

    def type(self) -> None:
        buffer = self.buffer
        if buffer is not None and buffer.place.whole:
            for draft in self.house.drafts.found:
                if draft.place == buffer.place:
                    for text in texts_of(draft):
                        self.ledger.give_up(text)
            self.type_into_file(buffer)
        elif buffer is not None and buffer.base is not None:
            for draft in self.house.drafts.found:
                if draft.place == buffer.place:
                    self.ledger.give_up(draft.text)
            before = buffer.text
            write(buffer, buffer.base.item.content if self.dice.random() < 0.1 else self.text())
            self.ledger.note(buffer, before)

    def go_back_in_the_text(self) -> None:
        buffer = self.buffer
        if buffer is not None:
            before = buffer.text
            for _ in range(self.dice.randint(1, 3)):
                self.dice.choice([buffer.document.undo, buffer.document.undo, buffer.document.redo])()
            note = self.ledger.note_file if buffer.place.whole else self.ledger.note
            note(buffer, before)

    def set_field(self) -> None:
        if self.buffer is not None and not self.buffer.place.whole:
            self.buffer.set_field(self.dice.choice(["owner", "source_conv"]), f"field {next(self.numbers)}")

    def go(self) -> None:
        self.dice.choice([self.documents.go_back, self.documents.go_forward])()

    # ------------------------------------------------------------ the person saves and decides

    def save(self) -> None:
        self.house.saver.save()

    def save_all(self) -> None:
        self.house.saver.save_all()

    def choose_autosave(self) -> None:
        self.house.saver.set_autosave(self.dice.random() < 0.5)

    def decide(self) -> None:
        buffer = self.buffer
        if buffer is None or buffer.conflict is None:
            return
        if self.dice.random() < 0.4:
            self.give_up(buffer)
            self.documents.take_theirs()
        elif buffer.conflict.theirs is None:
            self.structure.recreate()
        else:
            theirs = buffer.conflict.theirs.item.content
            self.ledger.seen.update(contents(theirs).values() if buffer.place.whole else [said(theirs)])
            self.house.saver.keep_mine()

    def give_up(self, buffer: Buffer) -> None:
        if buffer.place.whole:
            self.ledger.give_up_file(buffer)
        else:
            self.ledger.give_up(buffer.text)

    def discard_all(self) -> None:
        for buffer in self.documents.buffers:
            self.give_up(buffer)
        self.documents.discard_all()

    def restore(self) -> None:
        if self.dice.random() < 0.7:
            self.house.drafts.restore_all()
            return
        for draft in self.house.drafts.found:
            for text in texts_of(draft):
                self.ledger.give_up(text)
        self.house.drafts.forget_found()

    # ------------------------------------------------------------ the person changes the structure

    def change_structure(self) -> None:
        name, place = f"item {next(self.numbers)}", self.a_place()
        category = Place("category", self.a_category())
        kind = self.dice.choices(["new", "rename", "remove", "category"], [4, 4, 2, 1])[0]
        if kind == "new":
            self.structure.new_item(category.category, name)
        elif kind == "category":
            fresh = f"fresh{next(self.numbers)}"
            rename, remove = lambda: self.structure.rename(category, fresh), lambda: self.structure.remove(category)
            self.dice.choice([rename, rename, remove, lambda: self.structure.new_category(fresh)])()
        elif place is not None and kind == "rename":
            self.structure.rename(place, name)
        elif place is not None:
            self.structure.remove(place)

    def split(self) -> None:
        buffer = self.buffer
        if buffer is not None and buffer.place.whole:
            return
        if buffer is not None and buffer.conflict is None and self.structure.split_names():
            self.structure.split()

    def undo(self) -> None:
        self.house.steps.undo()

    def redo(self) -> None:
        self.house.steps.redo()

    # ------------------------------------------------------------ others, time, and the power cut

    def write_outside(self) -> None:
        """Another program writes when our writer rests; the index may not have seen either yet."""
        self.ledger.catch_up(self.house)
        if not self.ledger.files:
            return
        category = self.dice.choice(list(self.ledger.files))
        document = self.ledger.document(category)
        name = self.dice.choice(list(document.effective()) or [""])
        kind = self.dice.choice(["content", "content", "metadata", "add", "remove", "rewrite", "rewrite"])
        number = next(self.numbers)
        if kind == "rewrite":
            document = rewritten(category, document)
        elif kind == "add" or not name:
            document = document.with_new_item(f"item {number}", "new")
        elif kind == "content":
            document = document.with_content(name, f"theirs {number}")
        elif kind == "metadata":
            document = document.with_fields(name, owner=f"agent {number}")
        elif len(document.effective()) > 2:
            document = document.without_item(name)
        self.ledger.files[category] = document.to_bytes()
        write_outside(self.root / f"{category}.md", self.ledger.files[category])

    def reload(self) -> None:
        self.house.library.rebuild()

    def wait(self) -> None:
        self.house.settle()

    def wait_little(self) -> None:
        QCoreApplication.processEvents()

    def write_drafts(self) -> None:
        self.house.drafts.write()
        self.ledger.drafted, self.ledger.drafted_fragments = dict(self.ledger.typed), set(self.ledger.fragments)

    def kill(self) -> None:
        if self.dice.random() < 0.6:
            self.write_drafts()
        self.ledger.leave(self.house)
        self.house.kill()
        self.kills += 1
        self.move_in()
        self.ledger.drafted, self.ledger.drafted_fragments = dict(self.ledger.typed), set(self.ledger.fragments)
        self.check()

    # ------------------------------------------------------------ what must hold

    def check(self) -> None:
        self.house.settle()
        self.ledger.catch_up(self.house)
        self.ledger.check_disk()
        self.ledger.check_typed(self.house)
        self.ledger.check_fragments(self.house)
        addresses = [address for buffer in self.documents.buffers for address in buffer.contents]
        assert len(addresses) == len(set(addresses))  # no text is unsaved twice


def rewritten(category: str, document: Document) -> Document:
    """A file as a host writes it anew: its own title, the items as it read them, plain line ends."""
    text = f"# {category}\n"
    for item in document.items(category):
        text = (
            Document(text)
            .with_new_item(item.name, item.content, owner=item.owner, source_conv=item.source_conv, ts=item.ts)
            .text
        )
    return Document(text)
