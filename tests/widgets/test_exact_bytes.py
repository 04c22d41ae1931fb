"""Whatever a file holds: a key changes its own bytes, there and nowhere else."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.engine import naive_host
from tests.engine.messy import files
from tests.widgets.desk import Desk
from wikimem_desktop.engine.document import own_part
from wikimem_desktop.presentation.buffer import Place
from wikimem_desktop.presentation.qt_text import from_raw
from wikimem_desktop.widgets.editor.lists import entered

ODD = (
    "\x00\x01\x08\t\x0b\x0c\x1c\x1d\x1e\x1f\x7f\x85\xa0\xad\u200b\u200d\u2028\u2029\u202f\u3000"
    "\ufdd0\ufdd1\ufdef\ufeff\ufff9\ufffc\ufffd\ufffe\uffff\U0001f600\U00010000\U0010ffff\U000f0000"
    "\ue000\uf8df\uf8e0\uf8e1\uf8e2\uf8ea\uf8ec\uf8ed\uf8ee\uf8ef\uf8f0\uf8f1\uf8f2\uf8f3\uf8ff\u0301"
)
texts = st.lists(
    st.sampled_from(ODD)
    | st.sampled_from(["a", "海", "e\u0301", " ", "\n", "\n", "\r\n", "\r\n", "\r", "- one", "[[a:b]]", "\n\n"])
    | st.characters(exclude_categories=["Cs"]),
    max_size=14,
).map("".join)
own_files = st.builds(
    lambda text, end, mark: f"{mark}# t{end}{end}## a{end}{end}{text}{end}{end}## z{end}{end}last{end}".encode(),
    texts,
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["", "\ufeff"]),
)
KEYS = "xé#-> |=[`海\u0301😀\ue000\uf8e1\uf8f0\uf8f2\uf8ff\u2028\u00a0\U0010fffd\n"
_numbers = itertools.count()


@dataclass(frozen=True)
class Text:
    """An item's own text, and where each of its characters stands in the file: as hosts read it, not as the engine."""

    file: str
    name: str
    own: str
    places: list[int]

    @classmethod
    def of(cls, data: bytes, name: str) -> Text:
        section = next(s for s in naive_host.read_sections(data) if s.name == name and s.effective)
        file = data.decode()
        lines = file.splitlines(keepends=True)
        starts = [0, *itertools.accumulate(map(len, lines))]
        inside = range(section.first_line + 1, section.end_line)
        kept = [number for number in inside if naive_host.comment(lines[number].splitlines()[0]) is None]
        while kept and not lines[kept[0]].strip():
            del kept[0]
        while kept and not lines[kept[-1]].strip():
            del kept[-1]
        places = [starts[number] + at for number in kept for at in range(len(lines[number]))]
        end = len(lines[kept[-1]]) - len(lines[kept[-1]].splitlines()[0]) if kept else 0
        places = places[: len(places) - end]
        return cls(file, name, "".join(file[place] for place in places), places)

    def with_typed(self, at: int, typed: str) -> set[bytes]:
        """The file with characters put in; where two places give the same text (at metadata), either will do."""
        wanted = self.own[:at] + typed + self.own[at:]
        places = [*self.places, self.places[-1] + 1]
        same = [other for other in range(len(places)) if self.own[:other] + typed + self.own[other:] == wanted]
        return {(self.file[: places[n]] + typed + self.file[places[n] :]).encode() for n in same}

    def without(self, at: int, length: int) -> set[bytes]:
        """The file with characters taken out."""
        wanted = self.own[:at] + self.own[at + length :]
        same = [other for other in range(len(self.own)) if self.own[:other] + self.own[other + length :] == wanted]
        results = set()
        for start in same:
            gone = set(self.places[start : start + length])
            results.add("".join(c for place, c in enumerate(self.file) if place not in gone).encode())
        return results


class Typist:
    """Opens one file after the other in the same window and types into it."""

    def __init__(self, desk: Desk, root: Path) -> None:
        self.desk = desk
        desk.open(root)

    def open(self, data: bytes, name: str) -> Text:
        self.path = self.desk.path(f"c{next(_numbers)}")
        self.path.write_bytes(data)
        assert self.desk.app.documents.open(Place("item", self.path.stem, name))
        assert self.desk.text.isVisible()
        return Text.of(data, name)

    def open_file(self, data: bytes) -> None:
        """Open it as a whole."""
        self.path = self.desk.path(f"c{next(_numbers)}")
        self.path.write_bytes(data)
        assert self.desk.app.documents.open(Place("text", self.path.stem))
        assert self.desk.text.isVisible()

    def done(self) -> None:
        self.desk.app.documents.discard_all()
        self.path.unlink()

    def put_caret(self, data: st.DataObject) -> int:
        """Go somewhere as by a click, or on from there with a key; returns where that is in the text."""
        document, cursor = self.desk.text.document(), self.desk.text.textCursor()
        at = data.draw(st.integers(0, document.characterCount() - 1))
        cursor.setPosition(at - ("\udc00" <= document.characterAt(at) < "\ue000"))
        self.desk.text.setFocus()
        self.desk.text.setTextCursor(cursor)
        for sequence in data.draw(
            st.lists(st.sampled_from(["End", "Home", "Left", "Right", "Ctrl+Right"]), max_size=2)
        ):
            QTest.keySequence(self.desk.text, sequence)
        cursor = self.desk.text.textCursor()
        cursor.setPosition(0, QTextCursor.MoveMode.KeepAnchor)
        return len(from_raw(cursor.selectedText(), self.newline))

    def ahead(self) -> str:
        """A letter with what is drawn on it."""
        cursor = self.desk.text.textCursor()
        cursor.movePosition(QTextCursor.MoveOperation.NextCharacter, QTextCursor.MoveMode.KeepAnchor)
        return from_raw(cursor.selectedText())

    @property
    def newline(self) -> str:
        assert self.desk.buffer.base is not None
        return self.desk.buffer.base.newline

    def type(self, character: str) -> str:
        """Press a key or let an input method commit; returns what that is in the file."""
        if character == "\n":
            cursor = self.desk.text.textCursor()
            in_list = entered(cursor.block().text(), cursor.positionInBlock()) is not None
            QTest.keySequence(self.desk.text, "Shift+Return" if in_list else "Return")
            return self.newline
        if character.isascii():
            QTest.keyClicks(self.desk.text, character)
        else:
            commit = QInputMethodEvent()
            commit.setCommitString(character)
            QApplication.sendEvent(self.desk.text, commit)
        return character

    def save(self) -> bytes:
        self.desk.save()
        return self.path.read_bytes()

    @property
    def refused(self) -> bool:
        return self.desk.app.item_view.unstorable_bar.isVisible()


@pytest.fixture
def typist(desk: Desk, tmp_path: Path) -> Iterator[Typist]:
    root = tmp_path / "store"
    root.mkdir()
    (root / "start.md").write_bytes(b"# start\n\n## a\n\ntext\n")
    yield Typist(desk, root)
    QGuiApplication.clipboard().clear()


def a_text(data: st.DataObject, file: bytes) -> Text:
    names = [item.name for item in naive_host.read_items(file)]
    assume(names)
    text = Text.of(file, data.draw(st.sampled_from(names)))
    assume(text.own)
    return text


def is_whole(text: str) -> bool:
    """Whether there are no blank lines at its ends, which are not part of an item's text."""
    return own_part(text) == text


def check_rest(before: bytes, after: bytes, name: str, content: str) -> None:
    """Hosts read the new text, and all else as before."""
    old, new = naive_host.read_sections(before), naive_host.read_sections(after)
    assert [(s.name, s.content, s.owner, s.source, s.ts) for s in old if s.name != name or not s.effective] == [
        (s.name, s.content, s.owner, s.source, s.ts) for s in new if s.name != name or not s.effective
    ]
    assert next(s.content for s in new if s.name == name and s.effective) == naive_host.stored_form(content)


def test_a_typed_character_is_all_that_changes_and_undone_it_is_nothing(typist: Typist) -> None:
    @given(files(min_items=1) | own_files, st.data(), st.sampled_from(KEYS))
    @settings(max_examples=110, deadline=None)
    def check(file: bytes, data: st.DataObject, key: str) -> None:
        text = a_text(data, file)
        typist.open(file, text.name)
        assert typist.desk.buffer.text == text.own
        at = typist.put_caret(data)
        typed = typist.type(key)
        new = text.own[:at] + typed + text.own[at:]
        assert typist.desk.buffer.text == new
        typist.desk.keys("Ctrl+Z")
        assert typist.desk.buffer.text == text.own
        assert typist.save() == file
        typist.desk.keys("Ctrl+Shift+Z")
        after = typist.save()
        if typist.refused:
            assert naive_host.first_unstorable_line(new) is not None
            assert after == file
        elif is_whole(new):
            assert after in text.with_typed(at, typed)
        else:
            check_rest(file, after, text.name, new)
        assert typist.refused or not typist.desk.app.documents.unsaved
        typist.done()

    check()


def test_a_deleted_character_or_line_end_is_all_that_goes(typist: Typist) -> None:
    @given(files(min_items=1) | own_files, st.data(), st.sampled_from(["Backspace", "Del"]))
    @settings(max_examples=80, deadline=None)
    def check(file: bytes, data: st.DataObject, key: str) -> None:
        text = a_text(data, file)
        typist.open(file, text.name)
        at = typist.put_caret(data)
        back = key == "Backspace"
        at -= back and (2 if text.own[:at].endswith("\r\n") else 1)
        gone = "\r\n" if text.own.startswith("\r\n", at) else text.own[at : at + 1]
        if not back and gone.isalpha():
            gone = typist.ahead()
        QTest.keySequence(typist.desk.text, key)
        if at < 0 or not gone:
            assert typist.desk.buffer.text == text.own
            typist.done()
            return
        new = text.own[:at] + text.own[at + len(gone) :]
        assert typist.desk.buffer.text == new
        after = typist.save()
        if typist.refused:
            assert naive_host.first_unstorable_line(new) is not None
            assert after == file
        elif new and is_whole(new) and text.places[at + len(gone) - 1] + 1 in [*text.places, text.places[-1] + 1]:
            assert after in text.without(at, len(gone))
        else:
            check_rest(file, after, text.name, new)
        typist.desk.keys("Ctrl+Z")
        assert typist.desk.buffer.text == text.own
        typist.done()

    check()


def test_a_text_that_is_cut_and_pasted_is_the_same(typist: Typist) -> None:
    @given(files(min_items=1) | own_files, st.data())
    @settings(max_examples=40, deadline=None)
    def check(file: bytes, data: st.DataObject) -> None:
        text = a_text(data, file)
        typist.open(file, text.name)
        typist.desk.text.setFocus()
        for sequence in ("Ctrl+A", "Ctrl+X", "Ctrl+V"):
            typist.desk.keys(sequence)
        same = re.sub("\r\n|\r|\n", typist.newline, text.own)
        assert typist.desk.buffer.text == same
        after = typist.save()
        if typist.refused:
            assert naive_host.first_unstorable_line(same) is not None
            assert after == file
        elif same == text.own:
            assert after == file
        else:
            check_rest(file, after, text.name, same)
        typist.done()

    check()


@pytest.mark.parametrize(
    ("keys", "after"),
    [
        (["End", "x"], "## a\n\nonex\r\ntwo\n"),
        (["End", "Right", "x"], "## a\n\none\r\nxtwo\n"),
        (["End", "Ctrl+Right", "x"], "## a\n\none\r\nxtwo\n"),
        (["Down", "Left", "x"], "## a\n\nonex\r\ntwo\n"),
        (["Down", "Backspace"], "## a\n\nonetwo\n"),
        (["End", "Del"], "## a\n\nonetwo\n"),
        (["Shift+End", "x"], "## a\n\nx\r\ntwo\n"),
        (["Shift+Down", "Del"], "## a\n\ntwo\n"),
        (["End", "Return", "x"], "## a\n\none\nx\r\ntwo\n"),
        (["\uf8e1"], "## a\n\n\uf8e1one\r\ntwo\n"),
    ],
)
def test_an_unusual_line_end_is_one_step_and_stays_what_it_is(typist: Typist, keys: list[str], after: str) -> None:
    typist.open(b"## a\n\none\r\ntwo\n", "a")
    typist.desk.text.setFocus()
    for key in keys:
        if len(key) == 1:
            typist.type(key)
        else:
            QTest.keySequence(typist.desk.text, key)
    assert typist.save() == after.encode()


def test_undo_behind_a_save_that_changed_the_commonest_line_end_is_exact(typist: Typist) -> None:
    file = b"## a\r\n\r\none\ntwo\n"
    typist.open(file, "a")
    typist.desk.text.setFocus()
    for key in ("Down", "Backspace"):
        QTest.keySequence(typist.desk.text, key)
    assert typist.save() == b"## a\r\n\r\nonetwo\n"
    assert typist.desk.app.documents.unsaved == []
    typist.desk.keys("Ctrl+Z")
    assert typist.save() == file
