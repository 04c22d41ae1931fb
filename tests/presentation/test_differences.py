"""What differs between two texts is marked, and nothing else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wikimem_desktop.presentation.differences import Span, differences

texts = st.lists(st.sampled_from(["sea ", "海边", "\n", "one", "two ", "😀", "x"]), max_size=12).map("".join)


def without(text: str, spans: list[Span]) -> str:
    for start, end in reversed(spans):
        text = text[:start] + text[end:]
    return text


@given(texts, texts)
def test_what_is_not_marked_is_the_same_in_both(one: str, other: str) -> None:
    first, second = differences(one, other)
    assert without(one, first) == without(other, second)
    assert all(start < end for start, end in [*first, *second])


def test_a_word_in_a_long_line_is_found() -> None:
    one, other = "喜欢海边，夏天的安排见下\nsame\n", "喜欢海边，今年夏天的安排见下\nsame\nmore"
    first, second = differences(one, other)
    assert first == []
    assert [other[start:end] for start, end in second] == ["今年", "more"]


def test_equal_texts_have_no_marks() -> None:
    assert differences("a\nb", "a\nb") == ([], [])


def test_long_texts_that_differ_everywhere_are_marked_where_they_do() -> None:
    """A file of a thousand items that an agent wrote anew: with blank lines as anchors it took minutes."""
    lines = [f"{number} a few words of the sea and the tea of item {number}\n\n" for number in range(3000)]
    one, other = "".join(lines), "".join(lines).replace("sea", "海")
    first, second = differences(one, other)
    assert {one[start:end] for start, end in first[:300]} == {"sea"}
    assert without(one, first) == without(other, second)
