"""Row changes: applied to the old list they give the new one, and disturb nothing they need not."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from wikimem_desktop.presentation.row_changes import row_changes

MOST = 64
keys = st.lists(st.integers(0, 30), unique=True)
many_keys = st.lists(st.integers(0, 1000), unique=True, max_size=400)


def apply(old: Sequence[int], new: Sequence[int], *, watched: bool = True) -> tuple[list[int], set[int]]:
    """The list that the changes lead to, and the keys that were removed on the way."""
    shown, removed = list(old), set()
    for change in row_changes(old, new, watched=watched):
        assert 0 <= change.first <= change.last
        if change.remove:
            assert change.last < len(shown)
            removed |= set(shown[change.first : change.last + 1])
            del shown[change.first : change.last + 1]
        else:
            assert change.first <= len(shown)
            shown[change.first : change.first] = new[change.first : change.last + 1]
    return shown, removed


@given(keys | many_keys, keys | many_keys)
def test_changes_lead_from_the_old_list_to_the_new_one_and_are_few(old: list[int], new: list[int]) -> None:
    assert apply(old, new)[0] == new
    assert len(row_changes(old, new)) <= MOST


@given(keys, keys)
def test_the_fewest_rows_are_touched_that_keep_the_order(old: list[int], new: list[int]) -> None:
    """As many keys stay as the longest common subsequence of both lists has."""
    shown, removed = apply(old, new)
    assert shown == new
    assert len(old) - len(removed) == longest_common(old, new)


@given(st.lists(st.integers(0, 30), unique=True, min_size=1), st.data())
def test_one_moved_row_leaves_all_others_alone(old: list[int], data: st.DataObject) -> None:
    moved = data.draw(st.sampled_from(old))
    new = [key for key in old if key != moved]
    new.insert(data.draw(st.integers(0, len(new))), moved)
    assert len(apply(old, new)[1]) <= 1


@given(many_keys, many_keys, many_keys, many_keys)
def test_what_both_lists_begin_and_end_with_is_never_touched(
    start: list[int], old: list[int], new: list[int], end: list[int]
) -> None:
    """Also where there are so many differences that everything between is replaced."""
    end = [key for key in end if key not in start]
    old = [key for key in old if key not in (*start, *end)]
    new = [key for key in new if key not in (*start, *end)]
    shown, removed = apply(start + old + end, start + new + end)
    assert shown == start + new + end
    assert removed.isdisjoint(start + end)


@given(many_keys)
def test_equal_lists_need_no_change(both: list[int]) -> None:
    assert row_changes(both, list(both)) == []


def test_hundreds_of_differences_become_one_replacement() -> None:
    old, new = list(range(0, 1000)), list(range(0, 1000, 2))
    assert apply(old, new)[0] == new
    assert len(row_changes(old, new)) == 2


@given(keys | many_keys, keys | many_keys)
def test_rows_that_no_one_watches_come_right_too(old: list[int], new: list[int]) -> None:
    assert apply(old, new, watched=False)[0] == new


def test_two_differences_far_apart_are_one_replacement_where_no_one_watches() -> None:
    old = list(range(0, 1000))
    new = [*old[:10], -1, *old[10:900], -2, *old[900:]]
    assert [len(row_changes(old, new, watched=watched)) for watched in (True, False)] == [2, 2]
    assert apply(old, new)[1] == set()
    assert apply(old, new, watched=False)[1] == set(old[10:900])


def longest_common(one: Sequence[int], other: Sequence[int]) -> int:
    """The length of the longest common subsequence, by the book."""
    row = [0] * (len(other) + 1)
    for key in one:
        diagonal = 0
        for column, candidate in enumerate(other, 1):
            diagonal, row[column] = row[column], diagonal + 1 if key == candidate else max(row[column], row[column - 1])
    return row[-1]
