"""A snapshot with some texts replaced finds and scores, to the last bit, what a build from such files does."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.test_bm25_reference import WORDS, categories, joined, names, store_of, stores
from wikimem_desktop.engine import MemoryIndex, MemoryStore
from wikimem_desktop.engine.document import as_read
from wikimem_desktop.engine.index import Snapshot
from wikimem_desktop.engine.retrieval import retrieve
from wikimem_desktop.engine.tokens import tokenize

Contents = Mapping[tuple[str, str], str]

linked = st.builds(lambda text, links: as_read(f"{text} {links}"), joined, st.sampled_from(["", "[[b:sea]] [[a:x]]"]))
contents = st.dictionaries(st.tuples(categories, names), linked, max_size=5)
queries = joined | st.just("sea 海边 x")
HOW: list[dict[str, object]] = [
    {"limit": 50, "explain": True},
    {"limit": 3, "budget_tokens": 12, "explain": True},
    {"limit": 50, "expand_links": False},
]


def files_with(store: MemoryStore, texts: Contents) -> dict[str, str]:
    """The store's files with these texts in them, new items at the end."""
    items = {category: {item.name: item.content for item in store.items(category)} for category in store.categories()}
    for (category, name), content in texts.items():
        items.setdefault(category, {})[name] = content
    return {
        category: "".join(f"## {name}\n\n{content}\n\n" for name, content in sections.items())
        for category, sections in items.items()
    }


def check_same(found: Snapshot, expected: Snapshot, store: MemoryStore, query: str) -> None:
    for how in HOW:
        assert retrieve(found, store.diary, query, **how) == retrieve(expected, store.diary, query, **how)  # type: ignore[arg-type]
    assert found.item_count == expected.item_count == found.postings.count
    assert found.postings.average_length == expected.postings.average_length
    words = tokenize(" ".join(WORDS), use_jieba=found.postings.jieba)
    counts = [{word: term.df for word, term in s.postings.terms(words).items()} for s in (found, expected)]
    assert counts[0] == counts[1]


@given(stores, contents, st.lists(queries, min_size=1, max_size=2), st.booleans())
@settings(max_examples=150, deadline=None)
def test_it_is_what_a_build_from_such_files_is(
    files: dict[str, str], texts: Contents, asked: list[str], use_jieba: bool
) -> None:
    with store_of(files) as store, store_of(files_with(store, texts)) as written:
        found = MemoryIndex(store, use_jieba=use_jieba).snapshot.with_contents(texts)
        expected = MemoryIndex(written, use_jieba=use_jieba).snapshot
        for query in asked:
            check_same(found, expected, store, query)


@given(stores, st.lists(st.tuples(categories, names, joined), max_size=6), contents, contents, queries)
@settings(max_examples=100, deadline=None)
def test_on_an_index_that_was_edited_and_on_another_such_snapshot(
    files: dict[str, str], edits: list[tuple[str, str, str]], first: Contents, second: Contents, query: str
) -> None:
    with store_of(files) as store:
        index = MemoryIndex(store, use_jieba=False)
        index.rebuild()
        for category, name, content in edits:
            store.add(category, name, content, ts="")
            index.refresh()
        before = retrieve(index.snapshot, store.diary, query, limit=50)
        found = index.snapshot.with_contents(first).with_contents(second)
        with store_of(files_with(store, {**first, **second})) as written:
            fresh = MemoryIndex(written, use_jieba=False).snapshot
        scores = [
            [(hit.item.address, hit.item.content, hit.score) for hit in retrieve(s, store.diary, query, limit=50).items]
            for s in (found, fresh)
        ]
        assert scores[0] == scores[1]
        assert retrieve(index.snapshot, store.diary, query, limit=50) == before, "the snapshot itself stays"


def test_equal_texts_make_nothing_new() -> None:
    with store_of({"a": "## x\n\nsea\n\n## y\n"}) as store:
        snapshot = MemoryIndex(store).snapshot
        assert snapshot.with_contents({}) is snapshot
        assert snapshot.with_contents({("a", "x"): "sea", ("a", "y"): ""}) is snapshot


@pytest.mark.parametrize(
    ("category", "ranked"),
    [("a", ["a:x", "a:new", "b:z"]), ("b", ["a:x", "b:z", "b:new"]), ("aa", ["a:x", "aa:new", "b:z"])],
)
def test_an_item_that_is_not_there_comes_last_in_its_category(category: str, ranked: list[str]) -> None:
    with store_of({"a": "## x\n\nsea\n", "b": "## z\n\nsea\n"}) as store:
        snapshot = MemoryIndex(store).snapshot
        hits = retrieve(snapshot.with_contents({(category, "new"): "sea"}), store.diary, "sea").items
        assert [hit.item.address for hit in hits] == ranked
        assert snapshot.with_contents({(category, "new"): ""}).item_count == 3


def test_metadata_stays_and_a_heading_in_the_text_is_text() -> None:
    with store_of({"a": "## x\n\nsea\n\n<!-- wikimem: owner=user:a -->\n"}) as store:
        found = MemoryIndex(store).snapshot.with_contents({("a", "x"): "sea\n\n## y\n\nlake"})
        item = found.item("a", "x")
        assert item is not None
        assert (item.owner, item.content, found.item_count) == ("user:a", "sea\n\n## y\n\nlake", 1)
        assert [hit.item for hit in retrieve(found, store.diary, "lake").items] == [item]
