"""What others changed since a person looked: listed item by item, kept or reverted one by one."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.folders import fill
from tests.engine.test_versions import look
from wikimem_desktop.engine import MemoryStore, errors, refactoring
from wikimem_desktop.engine.changes import Change, remove_item
from wikimem_desktop.engine.document import Document
from wikimem_desktop.engine.item_changes import ItemChange, changes_between, with_parts
from wikimem_desktop.engine.recorder import Recorder
from wikimem_desktop.engine.review import Reviewer, revert
from wikimem_desktop.engine.seeing import Seeing

NOTES = "# notes\n\nprose\n\n## a\n\none\n\n## b\n\ntwo\n\n## c\n\nthree\n"
FILES: dict[str, str | bytes] = {"wiki/notes.md": NOTES, "diary/2026-07-10.md": "# d\n\n## 09:00\n\nx\n"}


class Eyes:
    """A person who looks at a store now and then."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.come_back()
        look(self.recorder)
        assert self.reviewer.refresh() == []

    def come_back(self) -> None:
        """As after a restart."""
        self.store = MemoryStore(self.folder / "store")
        self.recorder = Recorder(self.store, self.folder / "histories")
        self.store.witness = self.recorder
        self.reviewer = Reviewer(self.recorder)

    def see(self) -> list[ItemChange]:
        look(self.recorder)
        return self.reviewer.refresh()

    def told(self) -> list[tuple[str, str, str]]:
        return [(change.kind, change.file, change.name) for change in self.see()]

    def write_outside(self, text: str, key: str = "notes") -> None:
        self.store.path(key).write_text(text, encoding="utf-8")

    def revert(self, changes: list[ItemChange]) -> None:
        change = revert(self.store, changes, self.reviewer.seen)
        self.store.change(change.files, change.records)


@pytest.fixture
def eyes(tmp_path: Path) -> Eyes:
    fill(tmp_path / "store", FILES)
    return Eyes(tmp_path)


def test_added_changed_removed_and_renamed_items_are_told(eyes: Eyes) -> None:
    text = NOTES.replace("one", "uno").replace("## b\n\ntwo\n\n", "").replace("## c", "## sea") + "\n## d\n\nnew\n"
    eyes.write_outside(text.replace("prose", "other prose"))
    eyes.write_outside("# d\n\n## 09:00\n\nx\n\n## 10:00\n\ny\n", "diary/2026-07-10")
    assert eyes.told() == [
        ("changed", "notes", ""),
        ("changed", "notes", "a"),
        ("renamed", "notes", "sea"),
        ("added", "notes", "d"),
        ("removed", "notes", "b"),
        ("added", "diary/2026-07-10", "10:00"),
    ]


def test_own_writes_are_seen_and_those_of_others_in_the_same_file_are_not(eyes: Eyes) -> None:
    eyes.write_outside(NOTES.replace("one", "uno"))
    eyes.store.update("notes", "b", "mine")
    assert eyes.told() == [("changed", "notes", "a")]
    eyes.store.update("notes", "a", "mine too")
    assert eyes.told() == []
    eyes.store.remove("notes", "c")
    eyes.store.add("fresh", "x", "mine")
    assert eyes.told() == []


def test_what_happened_while_nobody_looked_is_told_at_the_next_start(eyes: Eyes) -> None:
    eyes.write_outside(NOTES.replace("one", "uno"))
    eyes.come_back()
    eyes.store.path("new").write_text("# new\n\n## x\n\nnew\n", encoding="utf-8")
    assert eyes.told() == [("added", "new", "x"), ("changed", "notes", "a")]
    eyes.come_back()
    assert len(eyes.told()) == 2


def test_kept_changes_are_gone_from_the_list_and_from_nowhere_else(eyes: Eyes) -> None:
    eyes.write_outside(NOTES.replace("one", "uno").replace("three", "tres"))
    first, second = eyes.see()
    eyes.reviewer.keep([first])
    assert eyes.told() == [("changed", "notes", "c")]
    eyes.come_back()
    assert eyes.see() == [second]
    eyes.reviewer.keep([second])
    assert eyes.told() == []
    assert eyes.store.path("notes").read_text(encoding="utf-8") == NOTES.replace("one", "uno").replace("three", "tres")


@pytest.mark.parametrize(
    "text",
    [
        NOTES.replace("one", "uno"),
        NOTES + "\n## d\n\nnew\n",
        NOTES.replace("## b\n\ntwo\n\n", ""),
        NOTES.replace("## a", "## sea"),
        NOTES.replace("\n\n## c\n\nthree\n", ""),
        NOTES.replace("prose", "poetry"),
        NOTES.replace("## b", "## a"),
    ],
)
def test_a_reverted_change_brings_the_bytes_back(text: str, eyes: Eyes) -> None:
    eyes.write_outside(text)
    changes = eyes.see()
    assert changes
    eyes.revert(changes)
    assert eyes.store.path("notes").read_text(encoding="utf-8") == NOTES
    assert eyes.told() == []


def test_one_of_several_changes_is_reverted_alone(eyes: Eyes) -> None:
    eyes.write_outside(NOTES.replace("one", "uno").replace("two", "dos") + "\n## d\n\nnew\n")
    changes = {change.name: change for change in eyes.see()}
    eyes.revert([changes["b"]])
    assert eyes.store.path("notes").read_text(encoding="utf-8") == NOTES.replace("one", "uno") + "\n## d\n\nnew\n"
    assert eyes.told() == [("changed", "notes", "a"), ("added", "notes", "d")]


def test_a_removed_file_comes_back_and_a_new_one_goes(eyes: Eyes) -> None:
    eyes.store.path("notes").unlink()
    eyes.store.path("new").write_text("# new\n\n## x\n\nnew\n", encoding="utf-8")
    changes = eyes.see()
    assert {change.kind for change in changes if change.file == "notes"} == {"removed", "changed"}
    eyes.revert(changes)
    assert eyes.store.path("notes").read_text(encoding="utf-8") == NOTES
    assert not eyes.store.path("new").exists()
    assert eyes.told() == []


def test_what_was_changed_again_meanwhile_is_not_reverted(eyes: Eyes) -> None:
    eyes.write_outside(NOTES.replace("one", "uno"))
    changes = eyes.see()
    eyes.write_outside(NOTES.replace("one", "another"))
    with pytest.raises(errors.Conflict):
        eyes.revert(changes)
    assert "another" in eyes.store.path("notes").read_text(encoding="utf-8")


def test_a_file_that_is_no_text_is_one_change(eyes: Eyes) -> None:
    eyes.store.path("notes").write_bytes(b"\xff\xfe\n")
    (change,) = eyes.see()
    assert (change.kind, change.name) == ("changed", "")
    eyes.revert([change])
    assert eyes.store.path("notes").read_text(encoding="utf-8") == NOTES


@pytest.mark.parametrize("content", ["", "[]", '{"notes": 3}', "{"])
def test_a_broken_note_of_what_was_seen_makes_all_seen(content: str, eyes: Eyes) -> None:
    (eyes.recorder.history.folder / "seen.json").write_text(content)
    eyes.come_back()
    eyes.write_outside(NOTES.replace("one", "uno"))
    eyes.reviewer.refresh()
    assert eyes.told() in ([], [("changed", "notes", "a")])
    eyes.write_outside(NOTES.replace("one", "again"))
    assert eyes.told() == [("changed", "notes", "a")]


names = st.sampled_from(["a", "b", "c", "d"])
bodies = st.sampled_from(["one", "two\n\nmore", "", "x\r\ny", "# t"])
texts = st.builds(
    lambda prose, items, end: f"# t\n{prose}" + "".join(f"\n## {n}\n\n{b}\n" for n, b in items) + end,
    st.sampled_from(["", "prose\n"]),
    st.lists(st.tuples(names, bodies), max_size=5),
    st.sampled_from(["", "\n", "last"]),
)


@given(texts, texts)
def test_all_parts_of_another_text_make_it_that_text(old: str, new: str) -> None:
    base, now = Document(old), Document(new)
    changes = changes_between("f", old.encode(), new.encode())
    keys = [key for change in changes for key in change.keys]
    there = with_parts(base, now, keys, base)
    assert there.text == new
    assert with_parts(now, base, keys, base).text == old


def journal(eyes: Eyes, ts: str, **fields: str) -> None:
    line = json.dumps({"ts": ts, "action": "update", "file": "notes", "item": "a"} | fields)
    with eyes.store.journal.path.open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")


def test_the_journal_tells_who_did_it_unless_the_line_is_ours(eyes: Eyes) -> None:
    eyes.store.update("notes", "a", "mine")
    eyes.write_outside(NOTES.replace("one", "uno").replace("two", "dos"))
    changes = eyes.see()
    assert eyes.reviewer.authors(changes) == {}
    journal(eyes, "2099-01-01T00:00:00+00:00", source_conv="conv_1", owner="agent")
    journal(eyes, "no time", source_conv="conv_2")
    with eyes.store.journal.path.open("ab") as file:
        file.write(b'broken\n["list"]\n')
    (author,) = eyes.reviewer.authors(changes).values()
    assert (author.owner, author.source, author.moment.year) == ("agent", "conv_1", 2099)


def test_the_work_is_that_of_the_files_that_changed() -> None:
    with tempfile.TemporaryDirectory() as folder:
        fill(Path(folder) / "store", {f"wiki/f{n}.md": f"# f{n}\n\n## a\n\none\n" for n in range(30)})
        eyes = Eyes(Path(folder))
        eyes.write_outside("# f3\n\n## a\n\ntwo\n", "f3")
        first = eyes.see()
        assert eyes.see() == first
        assert all(one is other for one, other in zip(first, eyes.see(), strict=True))


def test_all_are_reverted_also_when_one_file_is_no_text(eyes: Eyes) -> None:
    """Of the damaged file all items come back, and the journal tells so."""
    eyes.store.add("more", "x", "mine")
    good = eyes.store.path("more").read_bytes()
    eyes.write_outside(NOTES.replace("one", "uno").replace("two", "dos"))
    eyes.store.path("more").write_bytes(b"## x\n\n\xff\n")
    changes = eyes.see()
    assert len(changes) == 3
    eyes.revert(changes)
    assert eyes.store.path("notes").read_text(encoding="utf-8") == NOTES
    assert eyes.store.path("more").read_bytes() == good
    last = eyes.store.journal.entries()[-3:]
    told = sorted((entry["action"], entry["file"], entry["item"]) for entry in last)
    assert told == [("add", "more", "x"), ("update", "notes", "a"), ("update", "notes", "b")]
    assert eyes.told() == []


def test_a_file_that_is_a_text_again_by_now_is_not_overwritten(eyes: Eyes) -> None:
    eyes.store.path("notes").write_bytes(b"\xff\xfe\n")
    changes = eyes.see()
    newer = NOTES.replace("one", "newer")
    eyes.write_outside(newer)
    with pytest.raises(errors.Conflict):
        eyes.revert(changes)
    assert eyes.store.path("notes").read_text(encoding="utf-8") == newer


# ------------------------------------------------------------ what a step only carries along


LINKED = NOTES.replace("two", "two, see [[notes:a]]")
DRIVER = LINKED + "\n## driver\n\ngoes to [[notes:a]]\n"


@pytest.fixture
def linked(tmp_path: Path) -> Eyes:
    """Another program wrote an item, and something in an item, both with a link that the person's rename rewrites."""
    fill(tmp_path / "store", {"wiki/notes.md": LINKED, "wiki/other.md": "# other\n\n## x\n\nx\n"})
    eyes = Eyes(tmp_path)
    eyes.write_outside(DRIVER.replace("two, see", "deux, voir"))
    assert eyes.told() == [("changed", "notes", "b"), ("added", "notes", "driver")]
    return eyes


def do(eyes: Eyes, change: Change) -> Change:
    return eyes.store.change(change.files, change.records)


def undo(eyes: Eyes, done: Change) -> None:
    do(eyes, done.reversed())


def test_a_rename_of_ours_hides_nothing_that_others_wrote_around_its_links(linked: Eyes) -> None:
    told = linked.told()
    done = do(linked, refactoring.rename_item(linked.store, "notes", "a", "sea"))
    assert linked.told() == told
    shown = {change.name: change for change in linked.see()}
    assert (shown["b"].raw_before.strip(), shown["b"].raw_after.strip()) == (
        "## b\n\ntwo, see [[notes:sea]]", "## b\n\ndeux, voir [[notes:sea]]",
    )  # fmt: skip
    linked.come_back()
    assert linked.told() == told
    undo(linked, done)
    assert linked.told() == told
    linked.revert(linked.see())
    assert linked.store.path("notes").read_text(encoding="utf-8") == LINKED


@pytest.mark.parametrize("name", ["driver", "b"])
def test_what_the_person_names_or_moves_unseen_stays_listed_there(name: str, linked: Eyes) -> None:
    told = linked.told()
    kind = {change.name: change.kind for change in linked.see()}[name]
    left = [change for change in told if change[2] != name]
    done = do(linked, refactoring.rename_item(linked.store, "notes", name, "called"))
    assert sorted(linked.told()) == sorted([*left, (kind, "notes", "called")])
    undo(linked, done)
    assert linked.told() == told
    done = do(linked, refactoring.move_items(linked.store, [("notes", name)], "other"))
    assert sorted(linked.told()) == sorted([*left, (kind, "other", name)])
    undo(linked, done)
    assert linked.told() == told


def test_a_category_takes_what_is_unseen_of_it_along_under_its_new_name(linked: Eyes) -> None:
    done = do(linked, refactoring.rename_category(linked.store, "notes", "pages"))
    assert linked.told() == [("changed", "pages", "b"), ("added", "pages", "driver")]
    undo(linked, done)
    assert linked.told() == [("changed", "notes", "b"), ("added", "notes", "driver")]


def test_who_writes_in_an_item_has_seen_it(linked: Eyes) -> None:
    linked.store.update("notes", "driver", "goes to [[notes:a]] by train")
    assert linked.told() == [("changed", "notes", "b")]


@pytest.mark.parametrize(
    "data",
    [
        NOTES.replace("one", "uno").encode(),
        f"{NOTES}\n## d\n\nnew\n".encode(),
        NOTES.replace("## b\n\ntwo\n\n", "").encode(),
        NOTES.replace("prose", "poetry").encode(),
        b"## a\n\n\xff\n",
    ],
)
def test_what_was_reverted_is_listed_again_when_that_is_undone(data: bytes, eyes: Eyes) -> None:
    eyes.store.path("notes").write_bytes(data)
    eyes.write_outside("# new\n\n## x\n\nnew\n", "new")
    told = eyes.told()
    assert len(told) == 2
    done = do(eyes, revert(eyes.store, eyes.see(), eyes.reviewer.seen))
    assert eyes.told() == []
    undo(eyes, done)
    assert eyes.told() == told
    do(eyes, done)
    assert eyes.told() == []


def test_what_is_deleted_unseen_and_brought_back_is_unseen_still(linked: Eyes) -> None:
    told = linked.told()
    done = do(linked, remove_item(linked.store, "notes", "driver"))
    assert linked.told() == told[:1]
    linked.write_outside(linked.store.path("notes").read_text(encoding="utf-8").replace("three", "trois"))
    linked.see()
    undo(linked, done)
    assert sorted(linked.told()) == sorted([*told, ("changed", "notes", "c")])


plain_texts = texts.filter(lambda text: all(section.effective for section in Document(text).sections))


@given(plain_texts, plain_texts, plain_texts)
def test_what_was_written_is_seen_and_nothing_is_made_up(seen: str, old: str, new: str) -> None:
    """A write and the way back leave what was seen; whoever has seen all has seen the write."""
    seeing = Seeing()
    assert seeing.advanced("f", old.encode(), old.encode(), new.encode()) == new.encode()
    after = seeing.advanced("f", seen.encode(), old.encode(), new.encode())
    back = seeing.advanced("f", after, new.encode(), old.encode())
    assert [(c.kind, c.name) for c in changes_between("f", seen.encode(), back)] == []
