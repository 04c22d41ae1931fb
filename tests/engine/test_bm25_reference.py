"""Hits and scores are those of a plain scorer, to the last bit, after a build and after any series of changes."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jieba
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bench import reference
from tests.engine import messy
from tests.engine.naive_host import read_items
from wikimem_desktop.engine import MemoryIndex, MemoryStore

WORDS = [
    *("sea", "Sea", "the", "a", "0", "00", "2026", "7", "v2", "zz", "x" * 12, "x" * 13, "x" * 14, "y" * 24, "y" * 25),
    *("internationalization", "internationalizations", "1" * 30, "1" * 31, "0" * 13, "\u212aelvin", "\u0130stanbul"),
    *("\u3040\u30ff", "\u9fff\u3400", "\u4dbf\u4e00"),
    *(
        "海边",
        "海",
        "边",
        "成语接龙游戏",
        "去海边玩",
        "C盘",
        "早报",
        "カタカナ",
        "〇",
        "一丁",
        "鿿",
        "㐀䶿",
        "\u3040\u30ff",
    ),
    *("naïve", "кофе", "한국어", "𠀀𠀁", "😀", "ＡＢ１", "x\x00y", "[[a:sea]]", "a-b_c", "ﬁne", "Σίσυφος"),
]
text = st.lists(st.sampled_from(WORDS) | st.sampled_from(WORDS[:12]), max_size=8)
joined = st.builds(lambda glue, words: glue.join(words), st.sampled_from([" ", " ", "", "，", "\n"]), text)
names = st.sampled_from(["sea", "海边 trip", "x", "C盘", "no tokens é", "..", "internationalization", "b", "c", "d"])
categories = st.sampled_from(["a", "b", "c-1", "_in"])
file_texts = st.lists(st.tuples(names, joined), max_size=6).map(
    lambda items: "# title sea\n\n" + "".join(f"## {name}\n\n{content}\n\n" for name, content in items)
)
stores = st.dictionaries(categories, file_texts, max_size=4)
limits = st.integers(1, 50)


def jieba_tokens(text: str) -> list[str]:
    """The plain scorer's tokens with jieba's words in place of bigrams."""
    found = reference.WORD.findall(text.lower())
    for run in reference.CJK.findall(text):
        found += [word for word in jieba.lcut(run) if word.strip()]
    return found


@contextmanager
def store_of(files: dict[str, str]) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        for category, text in files.items():
            (Path(folder) / f"{category}.md").write_bytes(text.encode())
        yield MemoryStore(folder)


def check(index: MemoryIndex, store: MemoryStore, query: str, limit: int, *, use_jieba: bool = False) -> None:
    """The index's hits are the plain scorer's for the files as they are on disk now."""
    rows = [
        (path.stem, item.name, f"{item.name}\n{item.content}")
        for path in sorted(store.root.glob("*.md"), key=lambda path: path.stem)
        for item in read_items(path.read_bytes())
    ]
    cut = jieba_tokens if use_jieba else reference.tokens
    plain = reference.PlainIndex([text for _, _, text in rows], cut)
    result = index.retrieve(query, limit=limit, expand_links=False)
    found = [(hit.item.category, hit.item.name, hit.score) for hit in result.items]
    assert found == [(*rows[row][:2], score) for row, score in plain.search(query, limit)]
    assert [hit.bm25_score for hit in result.items] == [hit.score for hit in result.items]
    assert {(hit.source, hit.cos_score, hit.via) for hit in result.items} <= {("hit", None, None)}
    for hit in result.items:
        assert hit.matched_terms == sorted(set(cut(query)) & set(cut(f"{hit.item.name}\n{hit.item.content}")))


@given(stores, st.lists(joined, min_size=1, max_size=3), limits)
@settings(max_examples=250, deadline=None)
def test_a_built_index_scores_as_the_plain_scorer(files: dict[str, str], queries: list[str], limit: int) -> None:
    with store_of(files) as store:
        index = MemoryIndex(store, use_jieba=False)
        for query in queries:
            check(index, store, query, limit)


@given(st.dictionaries(categories, messy.files(), max_size=3), joined | messy.texts, limits)
@settings(max_examples=150, deadline=None)
def test_messy_files_score_as_the_plain_scorer(files: dict[str, bytes], query: str, limit: int) -> None:
    with store_of({}) as store:
        for category, data in files.items():
            store.path(category).write_bytes(data)
        check(MemoryIndex(store, use_jieba=False), store, query, limit)


@given(stores, st.lists(joined, min_size=1, max_size=2), limits)
@settings(max_examples=100, deadline=None)
def test_with_jieba_the_scores_are_those_of_its_words(files: dict[str, str], queries: list[str], limit: int) -> None:
    with store_of(files) as store:
        index = MemoryIndex(store, use_jieba=True)
        for query in queries:
            check(index, store, query, limit, use_jieba=True)


Change = Callable[[MemoryStore, MemoryIndex], None]


def own_add(category: str, name: str, content: str) -> Change:
    def change(store: MemoryStore, index: MemoryIndex) -> None:
        store.add(category, name, content)

    return change


def own_remove(category: str, pick: int) -> Change:
    def change(store: MemoryStore, index: MemoryIndex) -> None:
        items = store.items(category)
        if items:
            store.remove(category, items[pick % len(items)].name)

    return change


def outside_write(category: str, text: str, *, named: bool) -> Change:
    def change(store: MemoryStore, index: MemoryIndex) -> None:
        store.path(category).write_bytes(text.encode())
        index.refresh([category] if named else store.categories())

    return change


def outside_swap(category: str, text: str) -> Change:
    """Another program replaces the file as editors do, by a rename."""

    def change(store: MemoryStore, index: MemoryIndex) -> None:
        other = store.root / "swap.part"
        other.write_bytes(text.encode())
        os.replace(other, store.path(category))
        index.refresh([category])

    return change


def outside_removal(category: str) -> Change:
    def change(store: MemoryStore, index: MemoryIndex) -> None:
        store.path(category).unlink(missing_ok=True)
        index.refresh([category])

    return change


def rebuild(text: str) -> Change:
    def change(store: MemoryStore, index: MemoryIndex) -> None:
        store.path("a").write_bytes(text.encode())
        index.rebuild()

    return change


changes = st.one_of(
    st.builds(own_add, categories, names, joined),
    st.builds(own_add, categories, names, joined),
    st.builds(own_remove, categories, st.integers(0, 9)),
    st.builds(outside_write, categories, file_texts, named=st.booleans()),
    st.builds(outside_swap, categories, file_texts),
    st.builds(outside_removal, categories),
    st.builds(rebuild, file_texts),
)


@given(stores, st.lists(st.tuples(changes, st.none() | joined, limits), min_size=1, max_size=10), st.booleans())
@settings(max_examples=150, deadline=None)
def test_after_any_series_of_changes_the_scores_are_those_of_a_fresh_build(
    files: dict[str, str], series: list[tuple[Change, str | None, int]], use_jieba: bool
) -> None:
    with store_of(files) as store:
        index = MemoryIndex(store, use_jieba=use_jieba)
        index.rebuild()
        for change, query, limit in series:
            change(store, index)
            if query is not None:
                check(index, store, query, limit, use_jieba=use_jieba)
        check(index, store, "sea 海边", 50, use_jieba=use_jieba)


@given(st.lists(st.tuples(st.integers(0, 7), joined), min_size=20, max_size=60), st.data())
@settings(max_examples=30, deadline=None)
def test_many_edits_of_few_items_keep_the_index_exact(edits: list[tuple[int, str]], drawn: st.DataObject) -> None:
    """Long series make an index of segments compact itself."""
    with store_of({"a": "".join(f"## item {n}\n\nsea 海边 {n}\n\n" for n in range(8))}) as store:
        index = MemoryIndex(store, use_jieba=False)
        for number, (pick, content) in enumerate(edits):
            store.add("a", f"item {pick}", content)
            if number % 7 == 0:
                check(index, store, drawn.draw(joined), 50)
        check(index, store, "sea 海边 item 3", 50)
