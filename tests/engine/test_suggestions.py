"""What a link that leads nowhere may have meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.folders import fill
from wikimem_desktop.engine.index import MemoryIndex
from wikimem_desktop.engine.links import WikiLink
from wikimem_desktop.engine.store import MemoryStore
from wikimem_desktop.engine.suggestions import _Near, suggestions

FILES: dict[str, str | bytes] = {
    "prefs.md": "# prefs\n\n## gift-style\n\nx\n\n## likes the sea\n\nx\n\n## Café\n\nx\n\n## 手冲咖啡\n\nx\n",
    "plans.md": "# plans\n\n## gift-style\n\nx\n\n## gift-stile\n\nx\n\n## beach trip\n\nx\n",
    "odd.md": "# odd\n\n## gift: style\n\nx\n\n## gift]style\n\nx\n",
}


@pytest.fixture
def index(tmp_path: Path) -> MemoryIndex:
    index = MemoryIndex(MemoryStore(fill(tmp_path / "store", FILES)), use_jieba=False)
    index.rebuild()
    return index


def found(index: MemoryIndex, category: str, name: str) -> list[str]:
    return [f"{link.category}:{link.name}" for link in suggestions(index.snapshot, WikiLink(category, name))]


@pytest.mark.parametrize(
    ("link", "first"),
    [
        ("prefs:Gift_Style", "prefs:gift-style"),
        ("Prefs:gift-style", "prefs:gift-style"),
        ("prefs:Cafe\u0301", "prefs:Café"),
        ("prefs:likes-the-sea", "prefs:likes the sea"),
        ("prefs:gift-style|my style", "prefs:gift-style"),
        ("prefs:beach trip", "plans:beach trip"),
        ("prefs:gfit-style", "prefs:gift-style"),
        ("prefs:手沖咖啡", "prefs:手冲咖啡"),
        ("prefs:sea", "prefs:likes the sea"),
    ],
)
def test_the_likeliest_comes_first(link: str, first: str, index: MemoryIndex) -> None:
    category, _, name = link.partition(":")
    assert found(index, category, name)[0] == first


def test_the_same_name_elsewhere_comes_before_other_names(index: MemoryIndex) -> None:
    assert found(index, "people", "gift-style")[:3] == ["plans:gift-style", "prefs:gift-style", "plans:gift-stile"]


def test_what_is_not_alike_is_not_suggested_nor_what_no_link_reaches(index: MemoryIndex) -> None:
    assert found(index, "prefs", "quarterly report") == []
    assert not any(address.startswith("odd:") for address in found(index, "odd", "gift style"))


def slow_distance(one: str, other: str) -> int:
    """Optimal string alignment, as it is defined."""
    table = [[i + j if i * j == 0 else 0 for j in range(len(other) + 1)] for i in range(len(one) + 1)]
    for i in range(1, len(one) + 1):
        for j in range(1, len(other) + 1):
            same = one[i - 1] == other[j - 1]
            table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (not same))
            if i > 1 and j > 1 and one[i - 1] == other[j - 2] and one[i - 2] == other[j - 1]:
                table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
    return table[-1][-1]


words = st.text("abc海", min_size=1, max_size=9)


@given(words, words)
def test_letters_that_differ_are_counted_as_they_are_by_definition(one: str, other: str) -> None:
    near = _Near(one)
    assert near._counted(other) == slow_distance(one, other)


@given(words, words)
def test_no_near_name_is_passed_over(one: str, other: str) -> None:
    near = _Near(one)
    if slow_distance(one, other) <= near.most:
        assert near.distance(other) <= near.most
