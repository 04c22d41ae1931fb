"""Three-way hunks: no line is lost, and what only one side changed is never asked about."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wikimem_desktop.engine.hunks import both, is_clear, merged, three_way

lines = st.sampled_from(["a", "b", "海边", "", "c d", "x\u2028y"])
texts = st.builds(lambda parts, end: "\n".join(parts) + end, st.lists(lines, max_size=7), st.sampled_from(["", "\n"]))


def test_changes_of_both_sides_in_different_lines_come_together() -> None:
    hunks = three_way("a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nD\n")
    assert [hunk.kind for hunk in hunks] == ["theirs", "same", "mine"]
    assert merged(hunks) == "A\nb\nc\nD\n"


def test_both_sides_in_the_same_line_is_a_conflict_with_every_answer() -> None:
    hunks = three_way("a\nb\nc\n", "a\nB\nc\n", "a\nbee\nc\n")
    assert [hunk.kind for hunk in hunks] == ["same", "conflict", "same"]
    assert not is_clear(hunks)
    assert [merged(hunks, {1: choice}) for choice in ("mine", "theirs", "both")] == [
        "a\nbee\nc\n",
        "a\nB\nc\n",
        "a\nB\nbee\nc\n",
    ]


def test_the_same_change_on_both_sides_is_none_to_decide() -> None:
    assert is_clear(three_way("a\nb", "a\nc", "a\nc"))


def test_both_keeps_lines_apart() -> None:
    (hunk,) = three_way("a", "b", "c")
    assert both(hunk) == "b\nc"


@given(texts, texts)
def test_one_side_alone_wins(base: str, other: str) -> None:
    assert merged(three_way(base, base, other)) == other
    assert merged(three_way(base, other, base)) == other
    assert is_clear(three_way(base, other, other))


@given(texts, texts, texts)
def test_every_line_of_each_text_stands_in_one_hunk(base: str, theirs: str, mine: str) -> None:
    hunks = three_way(base, theirs, mine)
    assert "".join("".join(hunk.base) for hunk in hunks) == base
    assert "".join("".join(hunk.theirs) for hunk in hunks) == theirs
    assert "".join("".join(hunk.mine) for hunk in hunks) == mine


@given(texts, texts, texts)
def test_the_sides_are_alike_where_nothing_is_to_be_decided(base: str, theirs: str, mine: str) -> None:
    one, other = three_way(base, theirs, mine), three_way(base, mine, theirs)
    assert is_clear(one) == is_clear(other)
    if is_clear(one):
        assert merged(one) == merged(other)
