"""What must be on disk, and what a person typed that must not be lost, kept beside a house that is used at random."""

from __future__ import annotations

import re
from collections import deque
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Slot

from tests.engine import naive_host
from tests.presentation.house import House
from wikimem_desktop.engine.changes import Change
from wikimem_desktop.engine.document import Document
from wikimem_desktop.engine.links import parse_wiki_links
from wikimem_desktop.presentation.buffer import Buffer, Place, Version
from wikimem_desktop.presentation.drafts import Draft
from wikimem_desktop.presentation.steps import ChangeRequest, Step
from wikimem_desktop.presentation.writer import Request, SaveFileRequest, SaveRequest

_LINK = re.compile(r"\[\[[^\[\]:\n]+:[^\[\]:\n]+\]\]")


class Ledger(QObject):
    """Follows one house after the other over the same store."""

    def __init__(self, root: Path) -> None:
        super().__init__()
        self.root = root
        self.files = {path.stem: path.read_bytes() for path in root.glob("*.md")}
        self.typed: dict[Place, str] = {}
        """What is in the editor and not known to be on disk; here and below as hosts would read it."""
        self.given_up: list[str] = []
        """What a decision took out of the editor."""
        self.drafted: dict[Place, str] = {}
        """What was typed when the drafts were last written."""
        self.seen: set[str] = set()
        """What a person had in the editor, or saved."""
        self.texts: set[bytes] = set()
        """Every file as a step found and left it."""
        self.saved: set[str] = set()
        """What was on disk by a save of a whole file: what others do with it then is their business."""
        self.fragments: set[str] = set()
        """What was typed between items and is not known to be on disk, as it stands there."""
        self.drafted_fragments: set[str] = set()
        self.saves = self.steps = self.files_saved = 0

    def follow(self, house: House) -> None:
        self._done: deque[tuple[Request, object]] = deque()
        self._unheard: dict[Request, list[str]] = {}
        """What was given up by a request that only the ledger knows to be done."""
        house.writer.done.connect(self._note_done, Qt.ConnectionType.DirectConnection)
        house.writer.done.connect(self._on_done)

    @Slot(object, object)
    def _note_done(self, request: Request, result: object) -> None:
        """On the writer's thread, in its order: a kill may come before anyone hears of it."""
        self._done.append((request, result))

    @Slot(object, object)
    def _on_done(self, request: Request, result: object) -> None:
        self._unheard.pop(request, None)
        if self._done and self._done[0][0] is request:
            self._enter(*self._done.popleft())

    def catch_up(self, house: House) -> None:
        """Enter what the writer did, heard of or not."""
        house.wait_for_writer()
        while self._done:
            request, result = self._done.popleft()
            heard = len(self.given_up)
            self._enter(request, result)
            self._unheard[request] = self.given_up[heard:]

    def leave(self, house: House) -> None:
        """The house is killed: what its writer did counts, what it would do from now on does not.

        What was typed behind the last drafts dies with it, also if it never heard that the item was removed.
        """
        self.catch_up(house)
        house.writer.done.disconnect(self._note_done)
        self.typed = {place: text for place, text in self.typed.items() if self.drafted.get(place) == text}
        self.fragments &= self.drafted_fragments
        lost = {text for texts in self._unheard.values() for text in texts} - set(self.drafted.values())
        self.given_up = [text for text in self.given_up if text not in lost]

    # ------------------------------------------------------------ what was written

    def _enter(self, request: Request, result: object) -> None:
        if isinstance(request, SaveRequest):
            assert isinstance(result, Version)
            self._enter_save(request)
        elif isinstance(request, SaveFileRequest):
            assert isinstance(result, Version)
            self._enter_file(request, result)
        elif isinstance(request, ChangeRequest):
            assert isinstance(result, Change)
            self._enter_step(request, result)

    def _enter_save(self, request: SaveRequest) -> None:
        self.saves += 1
        category, name = request.base.item.category, request.base.item.name
        before = document = self.document(category)
        if document.own_text(name) == request.base.text:
            document = document.with_own_text(name, request.text)
        else:
            document = document.with_content(name, request.text)
        new = document.with_fields(name, **request.fields).to_bytes()
        self.texts.update((self.files[category], new))
        assert raw_parts(new, {name}) == raw_parts(self.files[category], {name})
        replaced, text = said(before.effective()[name].content), said(request.text)
        assert replaced in {*self.seen, text}, f"{replaced!r} was replaced by {text!r} unseen"
        self.seen.add(text)
        self.files[category] = new
        self.given_up = [other for other in self.given_up if other != text]
        place = Place("item", category, name)
        if self.typed.get(place) == text:
            del self.typed[place]

    def _enter_file(self, request: SaveFileRequest, result: Version) -> None:
        """What the person did not touch has its bytes still; what was replaced was seen."""
        self.files_saved += 1
        category = request.place.category
        mine = contents(request.text)
        before, after = (contents(text) for text in (self.files[category].decode(), result.text))
        one, other = (sections_by_name(text) for text in (request.base.text, request.text))
        touched = {name for name in one.keys() | other.keys() if one.get(name) != other.get(name)}
        old, new = (spoken(raw_parts(data, touched)[1:]) for data in (self.files[category], result.text.encode()))
        if request.base.text == self.files[category].decode():
            assert result.text == request.text
        else:
            assert sorted(old) == sorted(new)
        for name in [name for name in touched & before.keys() if before[name] != after.get(name)]:
            assert before[name] in {*self.seen, mine.get(name)}, f"{before[name]!r} was replaced unseen"
        self.seen.update(mine.values())
        self.saved.update(mine.values())
        self.texts.update((self.files[category], result.text.encode()))
        self.files[category] = result.text.encode()
        self.fragments = {text for text in self.fragments if text not in result.text}
        self.given_up = [text for text in self.given_up if text not in after.values()]
        for name, text in after.items():
            if self.typed.get(Place("item", category, name)) == text:
                del self.typed[Place("item", category, name)]

    def _enter_step(self, request: ChangeRequest, done: Change) -> None:
        self.steps += 1
        step = request.step
        named = {place.name for place in step.places} | {r.item for r in done.records}
        dangling = self.dangling() if step.moves or step.gone else set()
        for category, change in done.files.items():
            assert self.files.get(category) == change.base
            self.texts.update(data for data in change if data is not None)
            if change.base is not None and change.new is not None:
                before, after = (sorted(spoken(raw_parts(data, named))) for data in (change.base, change.new))
                assert before == after  # sorted: an item that is put elsewhere has no record
            if change.new is None:
                del self.files[category]
            else:
                self.files[category] = change.new
        if step.moves or (step.gone and step.after is not None):
            # What had led nowhere before the step that is undone may do so again.
            strays = {
                (link.category, link.name) for _, line, _ in step.change.strays for link in parse_wiki_links(line)
            }
            assert self.dangling() <= dangling | strays, "a link that resolved leads nowhere because of us"
        self._follow(step)
        if step.taken is not None and step.before is not None:  # split
            self.give_up(step.taken)
        on_disk = self.contents()
        self.typed = {place: text for place, text in self.typed.items() if text not in on_disk}

    def _follow(self, step: Step) -> None:
        """Take what was typed along to where its item is now."""
        if step.moves:
            for move in step.moves:
                self.typed = {_moved(place, *move): text for place, text in self.typed.items()}
        elif step.before is not None and step.after is not None:
            self.typed = {_moved(place, step.before, step.after): text for place, text in self.typed.items()}
        elif step.gone:
            for place in [place for place in self.typed if place in step.gone]:
                self.given_up.append(self.typed.pop(place))
        elif step.before is not None:
            for place in [place for place in self.typed if _is_in(place, step.before)]:
                self.given_up.append(self.typed.pop(place))

    def dangling(self) -> set[tuple[str, str]]:
        """The addresses that links of hosts lead to and that nothing has."""
        items = {category: naive_host.read_items(data) for category, data in self.files.items()}
        there = {(category, item.name) for category, found in items.items() for item in found}
        links = {link for found in items.values() for item in found for link in parse_wiki_links(item.content)}
        return {(link.category, link.name) for link in links} - there

    def contents(self) -> set[str]:
        """What stands on disk, sections that hosts ignore included."""
        return {text for data in self.files.values() for text in all_texts(data.decode())}

    def document(self, category: str) -> Document:
        return Document.from_bytes(self.files[category])

    # ------------------------------------------------------------ what was typed

    def note(self, buffer: Buffer, before: str) -> None:
        """A person changed a text that was another before."""
        assert buffer.base is not None
        before = said(before)
        self.seen.add(before)
        self._take_out(before)
        self.given_up = [text for text in self.given_up if text != before]  # it was restored, and typed over
        if buffer.content != buffer.base.item.content:
            self.typed[buffer.place] = said(buffer.text)

    def note_file(self, buffer: Buffer, before: str, typed: str = "") -> None:
        """A person changed the text of a whole file; `typed` between its items."""
        assert buffer.base is not None
        old, new, base = (contents(text) for text in (before, buffer.text, buffer.base.text))
        for name in old.keys() | new.keys():
            if old.get(name) == new.get(name):
                continue
            if name in old:
                self.seen.add(old[name])
                self._take_out(old[name])
                self.given_up = [text for text in self.given_up if text != old[name]]
            if name in new and new[name] != base.get(name) and new[name] not in self.saved:
                self.typed[Place("item", buffer.place.category, name)] = new[name]
        self.fragments = {text for text in self.fragments if text not in before or text in buffer.text}
        if typed and typed in buffer.text:
            self.fragments.add(typed)

    def give_up_file(self, buffer: Buffer) -> None:
        """A person decided against the text of a whole file, or a part of it."""
        for text in contents(buffer.text).values():
            self.give_up(text)

    def give_up(self, text: str) -> None:
        """A person decided against a text."""
        text = said(text)
        if self._take_out(text):
            self.given_up.append(text)

    def _take_out(self, text: str) -> bool:
        """Whether the text was typed; its item may be called otherwise by now."""
        before = len(self.typed)
        self.typed = {place: typed for place, typed in self.typed.items() if typed != text}
        return len(self.typed) < before

    # ------------------------------------------------------------ what must hold

    def check_disk(self) -> None:
        assert {path.stem: path.read_bytes() for path in self.root.glob("*.md")} == self.files

    def check_typed(self, house: House) -> None:
        """Each typed text is in the editor or found, unless it is on disk by now; a given-up one is anywhere."""
        on_disk = self.contents()
        unsaved = {said(text) for text in house.documents.unsaved_contents.values() if text is not None}
        unsaved |= {t for buffer in house.documents.buffers if buffer.place.whole for t in all_texts(buffer.text)}
        found = {text for draft in house.drafts.found for text in texts_of(draft)}
        kept = {text for draft in house.drafts.kept() for text in texts_of(draft)}
        for place, text in list(self.typed.items()):
            if text in kept:  # typed when its item was about to be removed
                self.give_up(text)
            elif text not in unsaved | found:
                assert text in on_disk, f"lost: {text!r} of {place}"
                del self.typed[place]
        for text in self.given_up:
            assert text in unsaved | found | on_disk | kept, f"lost: {text!r}"

    def check_fragments(self, house: House) -> None:
        """What was typed between items is in the editor, found, given up, or on disk."""
        on_disk = "".join(data.decode() for data in self.files.values())
        texts = [buffer.text for buffer in house.documents.buffers]
        texts += [draft.text for draft in [*house.drafts.found, *house.drafts.kept()]]
        elsewhere = "".join(texts)
        self.fragments = {text for text in self.fragments if text not in on_disk}
        for text in self.fragments:
            assert text in elsewhere, f"lost: {text!r}"


def contents(text: str) -> dict[str, str]:
    """What hosts read in a file, by name."""
    return {item.name: said(item.content) for item in naive_host.read_items(text.encode())}


def all_texts(text: str) -> set[str]:
    """What stands in the sections of a file, those that hosts ignore included."""
    return {said(section.content) for section in Document(text).sections}


def sections_by_name(text: str) -> dict[str, list[str]]:
    """All sections of each name, those that hosts ignore too, without the blank lines at their ends."""
    lines = text.splitlines(keepends=True)
    found: dict[str, list[str]] = {}
    for section in naive_host.read_sections(text.encode()):
        raw = "".join(lines[section.first_line : section.end_line])
        found.setdefault(section.name, []).append(_LINK.sub("[[]]", raw.rstrip()))
    return found


def texts_of(draft: Draft) -> set[str]:
    """The text, and of a whole file those of its items."""
    return {said(draft.text), *(all_texts(draft.text) if draft.place.whole else ())}


def said(text: str) -> str:
    """A text as hosts read it, wherever its links lead: they follow renames."""
    return _LINK.sub("[[]]", naive_host.stored_form(text))


def raw_parts(data: bytes, without: set[str]) -> list[str]:
    """A file's preamble and sections with all their bytes, but those of some names."""
    lines = data.decode().splitlines(keepends=True)
    sections = naive_host.read_sections(data)
    preamble = "".join(lines[: sections[0].first_line if sections else None])
    kept = [section for section in sections if section.name not in without]
    return [preamble, *("".join(lines[section.first_line : section.end_line]) for section in kept)]


def spoken(parts: list[str]) -> list[str]:
    """The parts without the blank lines between them, which a new section needs, and whatever their links lead to."""
    return [_LINK.sub("[[]]", part.rstrip()) for part in parts]


def _moved(place: Place, before: Place, after: Place) -> Place:
    if place == before:
        return after
    if before.kind == "category" and place.category == before.category:
        return Place("item", after.category, place.name)
    return place


def _is_in(place: Place, gone: Place) -> bool:
    return place == gone or (gone.kind == "category" and place.category == gone.category)
