"""A merge keeps what either side did, byte for byte, or says which item both changed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine import messy, naive_host
from tests.engine.test_document_properties import texts_of
from wikimem_desktop.engine import errors
from wikimem_desktop.engine.document import Document
from wikimem_desktop.engine.merge import merge

thorough = settings(max_examples=150, deadline=None)
Edit = Callable[[Document], Document]

contents = messy.contents().filter(lambda text: naive_host.first_unstorable_line(text) is None)


def edit_of(name: str, text: str, fresh: str) -> st.SearchStrategy[Edit]:
    return st.sampled_from(
        [
            lambda document: document.with_content(name, text),
            lambda document: document.without_item(name),
            lambda document: document.with_name(name, f"{fresh} from {name}"),
            lambda document: document.with_fields(name, owner=fresh),
        ]
    )


def addition(name: str, text: str) -> Edit:
    return lambda document: document.with_new_item(name, text)


@st.composite
def edits(draw: st.DrawFn, names: list[str], fresh: str) -> list[Edit]:
    """Changes of items of these names, and new items whose names begin with `fresh`."""
    done = [draw(edit_of(name, draw(contents), fresh)) for name in names]
    done += [addition(f"{fresh} {number}", draw(contents)) for number in range(draw(st.integers(0, 2)))]
    return draw(st.permutations(done))


def applied(document: Document, changes: list[Edit]) -> Document:
    for change in changes:
        document = change(document)
    return document


def same_but_for_a_gap(old: tuple[str, str], new: tuple[str, str]) -> bool:
    """Whether a section has its old bytes, perhaps with a blank line behind it for what follows now."""
    return old == new or (old[0] == new[0] and new[1].startswith(old[1]) and not new[1][len(old[1]) :].strip())


def raw_sections(document: Document) -> list[tuple[str, str]]:
    return [(s.name, "".join(document.lines[s.first_line : s.end_line])) for s in document.sections]


@st.composite
def disjoint_edits(draw: st.DrawFn) -> tuple[Document, list[Edit], list[Edit]]:
    base = Document.from_bytes(draw(messy.files(min_items=draw(st.integers(0, 4)))))
    owner = {name: draw(st.sampled_from(["theirs", "mine", "nobody"])) for name in base.effective()}
    sides = [draw(edits([name for name in owner if owner[name] == side], side)) for side in ("theirs", "mine")]
    return base, sides[0], sides[1]


@given(disjoint_edits())
@thorough
def test_edits_of_different_items_both_survive_byte_for_byte(case: tuple[Document, list[Edit], list[Edit]]) -> None:
    base, their_edits, my_edits = case
    theirs, mine = applied(base, their_edits), applied(base, my_edits)
    merged = merge(base, theirs, mine)
    expected = applied(theirs, my_edits)
    assert sorted(map(repr, texts_of(merged.to_bytes()))) == sorted(map(repr, texts_of(expected.to_bytes())))
    assert merged.preamble == expected.preamble or "".join(merged.preamble).split() == "".join(base.preamble).split()
    known = {*raw_sections(base), *raw_sections(theirs), *raw_sections(mine)}
    assert all(any(same_but_for_a_gap(old, new) for old in known) for new in raw_sections(merged))


@given(disjoint_edits())
@thorough
def test_what_nobody_edited_keeps_its_bytes_and_its_order(case: tuple[Document, list[Edit], list[Edit]]) -> None:
    base, their_edits, my_edits = case
    theirs, mine = applied(base, their_edits), applied(base, my_edits)
    merged = merge(base, theirs, mine)
    untouched = {text for text in raw_sections(base) if text in raw_sections(theirs) and text in raw_sections(mine)}
    assert all(any(same_but_for_a_gap(old, new) for new in raw_sections(merged)) for old in untouched)
    names = [name for name, _ in raw_sections(merged)]
    their_names = [name for name, _ in raw_sections(theirs) if name in names]
    assert [name for name in names if name in their_names] == their_names


@given(messy.files(), messy.files())
@thorough
def test_what_only_one_side_changed_is_taken_as_it_is(one: bytes, two: bytes) -> None:
    base, other = Document.from_bytes(one), Document.from_bytes(two)
    assert merge(base, base, other).text == other.text
    assert merge(base, other, base).text == other.text
    assert merge(base, other, other).text == other.text


@given(messy.files(min_items=1), messy.files(min_items=1), messy.files(min_items=1))
@thorough
def test_a_merge_of_anything_invents_and_repeats_nothing(one: bytes, two: bytes, three: bytes) -> None:
    base, theirs, mine = (Document.from_bytes(data) for data in (one, two, three))
    try:
        merged = merge(base, theirs, mine)
    except errors.Conflict:
        return
    heard = [*texts_of(two), *texts_of(three)]
    assert {text[:5] for text in texts_of(merged.to_bytes())} <= {text[:5] for text in heard}
    before = {text[:5] for text in texts_of(one)}
    for side, other in ((two, three), (three, two)):
        new = {text[:5] for text in texts_of(side)} - before
        gone_elsewhere = {text[:5] for text in texts_of(other)}
        assert new <= {text[:5] for text in texts_of(merged.to_bytes())} | gone_elsewhere


def merged(base: str, theirs: str, mine: str) -> str:
    return merge(Document(base), Document(theirs), Document(mine)).text


BASE = "# t\n\n## a\n\none\n\n## b\n\ntwo\n"


@pytest.mark.parametrize(
    ("theirs", "mine", "item"),
    [
        (BASE.replace("one", "1"), BASE.replace("one", "I"), "c:a"),
        (BASE.replace("one", "1"), BASE.replace("## a\n\none\n\n", ""), "c:a"),
        (BASE.replace("## a\n\none\n\n", ""), BASE.replace("one", "I"), "c:a"),
        (BASE.replace("## a", "## A"), BASE.replace("one", "I"), "c:a"),
        (BASE + "\n## n\n\nx\n", BASE + "\n## n\n\ny\n", "c:n"),
        (BASE.replace("# t", "# T"), BASE.replace("# t", "# title"), "c"),
    ],
)
def test_what_both_changed_differently_is_a_conflict_that_names_it(theirs: str, mine: str, item: str) -> None:
    with pytest.raises(errors.Conflict, match=rf"^{item} ") as caught:
        merge(Document(BASE), Document(theirs), Document(mine), category="c")
    assert (caught.value.category, caught.value.name) == ("c", item[2:] or None)


def test_a_conflict_carries_all_three_texts() -> None:
    with pytest.raises(errors.Conflict) as caught:
        merged(BASE, BASE.replace("one", "1"), BASE.replace("one", "I"))
    base, theirs = caught.value.base, caught.value.theirs
    assert base is not None
    assert theirs is not None
    assert (base.content, theirs.content, caught.value.mine) == ("one", "1", "I")


def test_the_same_change_of_both_is_no_conflict() -> None:
    both = BASE.replace("one", "1") + "\n## n\n\nnew\n"
    assert merged(BASE, both + "\n## x\n\nx\n", both.replace("# t", "# T")) == (
        both.replace("# t", "# T") + "\n## x\n\nx\n"
    )


def test_a_host_that_rewrote_the_whole_file_changed_no_item() -> None:
    theirs = "# t\r\n## a\r\none\r\n## b\r\n\r\ntwo\r\n"
    assert merged(BASE, theirs, BASE.replace("one", "I")) == "# t\r\n## a\n\nI\n\n## b\r\n\r\ntwo\r\n"
    assert merged(BASE, theirs.replace("two", "2"), BASE.replace("## a\n\none\n\n", "")) == ("# t\r\n## b\r\n\r\n2\r\n")


def test_an_insertion_goes_behind_what_it_follows() -> None:
    mine = BASE.replace("## b", "## m\n\nmine\n\n## b")
    theirs = BASE.replace("## b", "## x\n\ntheirs\n\n## b").replace("two", "2")
    assert merged(BASE, theirs, mine) == theirs.replace("## x", "## m\n\nmine\n\n## x")
    without_a = theirs.replace("## a\n\none\n\n", "")
    assert merged(BASE, without_a, mine) == without_a.replace("## x", "## m\n\nmine\n\n## x")


def test_what_both_append_stands_one_behind_the_other_with_a_blank_line_between() -> None:
    theirs, mine = BASE + "\n## x\n\ntheirs", BASE + "\n## m\n\nmine\n\n## n\n\nmore"
    assert merged(BASE, theirs, mine) == BASE + "\n## x\n\ntheirs\n\n## m\n\nmine\n\n## n\n\nmore"


def test_a_rename_of_the_last_item_stays_in_place_before_what_others_appended() -> None:
    base, mine = BASE.removesuffix("\n"), BASE.removesuffix("\n").replace("## b", "## B")
    assert merged(base, BASE + "\n## x\n\ntheirs\n", mine) == BASE.replace("## b", "## B") + "\n## x\n\ntheirs\n"


def test_a_shadowed_section_that_goes_takes_no_other_one_along() -> None:
    base = "## a\n\nold\n\n## b\n\ntwo\n\n## a\n\nnew\n"
    theirs = base.replace("two", "2")
    assert merged(base, theirs, base.replace("## a\n\nold\n\n", "")) == theirs.replace("## a\n\nold\n\n", "")


def test_a_section_behind_a_file_without_a_last_line_end_starts_a_line() -> None:
    assert merged("## a\r\n\r\none", "## a\r\n\r\n1", "## a\r\n\r\none\r\n\r\n## m\r\n\r\nmine") == (
        "## a\r\n\r\n1\r\n\r\n## m\r\n\r\nmine"
    )
    assert merged("", "# t", "## m\n\nmine\n") == "# t\n\n## m\n\nmine\n"


def test_white_space_that_one_side_changed_gives_way_to_the_text_that_the_other_did() -> None:
    base = "## a\n\none two"
    assert merged(base, base + "\n\n## x\n\ntheirs\n", "## a\n\none  two") == "## a\n\none  two\n\n## x\n\ntheirs\n"


def test_a_winner_keeps_what_the_other_side_removed_at_its_place() -> None:
    base = Document("# t\n\n## a\n\none\n\n## b\n\ntwo\n\n## c\n\nthree\n")
    theirs = base.without_item("b")
    mine = base.with_content("b", "mine")
    assert merge(base, theirs, mine, winner="mine").text == mine.text
    assert merge(base, theirs, mine, winner="theirs").text == theirs.text
    assert merge(base, mine, theirs, winner="theirs").text == mine.text
