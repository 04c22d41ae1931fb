"""Every vector of the host library, on our engine. Scores compare to 1e-9, everything else exactly."""

from __future__ import annotations

import json
import os
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from wikimem_desktop.engine import (
    MemoryIndex,
    MemoryStore,
    RetrievalResult,
    RetrievedItem,
    est_tokens,
    parse_time_range,
    parse_wiki_links,
    tokenize,
)
from wikimem_desktop.engine.document import Document

ROOT = Path(__file__).parents[2]
COPIES = ROOT / "tests" / "conformance"
SHARED = Path(os.environ.get("WIKIMEM_SHARED", ROOT.parent / "shared")) / "conformance"
NOT_HERE = {"edges.json": ("fusion", "fused_ties")}
"""Parts of the shared vectors that need an embedder."""


def load(name: str) -> Any:
    return json.loads((COPIES / name).read_text(encoding="utf-8"))


def numbered(cases: list[Any], label: str) -> list[Any]:
    """Cases as parameters whose ids say what they are about."""

    def words(case: Any) -> str:
        text = case["params"]["query"] if "params" in case else case[label]
        return f"{text[:24]!r}"

    return [pytest.param(case, id=f"{number:02d}-{words(case)}") for number, case in enumerate(cases)]


PARSE, LINKS, TOKENS, RANGES = load("parse.json"), load("links.json"), load("tokenize.json"), load("time_range.json")
RETRIEVE, EDGES, GATE = load("retrieve.json"), load("edges.json"), load("time_gate.json")


def write_store(root: Path, layout: str, files: dict[str, str], diary: dict[str, str] | None = None) -> MemoryStore:
    """The vectors' files on disk, byte for byte, and a store that finds out its layout by itself."""
    folder = {"flat": root, "category": root / "category", "wiki": root / "wiki"}[layout]
    for where, texts in ((folder, files), (root / "diary", diary or {})):
        for name, text in texts.items():
            where.mkdir(parents=True, exist_ok=True)
            (where / f"{name}.md").write_bytes(text.encode())
    store = MemoryStore(root)
    assert store.layout.name == layout
    return store


class Indexes:
    """Built indexes by vector file, layout and tokens: a store is read once for all its cases."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.built: dict[tuple[str, str, bool], MemoryIndex] = {}

    def get(self, name: str, vectors: dict[str, Any], layout: str, use_jieba: bool) -> MemoryIndex:
        key = (name, layout, use_jieba)
        if key not in self.built:
            root = self.folder / f"{name}-{layout}-{use_jieba}"
            store = write_store(root, layout, vectors["files"], vectors.get("diary"))
            self.built[key] = MemoryIndex(store, use_jieba=use_jieba)
        return self.built[key]


@pytest.fixture(scope="module")
def indexes(tmp_path_factory: pytest.TempPathFactory) -> Indexes:
    return Indexes(tmp_path_factory.mktemp("vectors"))


def run(index: MemoryIndex, params: dict[str, Any]) -> RetrievalResult:
    arguments = dict(params)
    window = arguments.pop("time_range", None)
    return index.retrieve(**arguments, time_range=tuple(window) if window else None)


def entry_as_vector(entry: RetrievedItem) -> dict[str, Any]:
    fields = ("source", "score", "bm25_score", "cos_score", "via", "matched_terms", "tokens_est")
    return {"category": entry.item.category, "name": entry.item.name} | {name: getattr(entry, name) for name in fields}


def check(result: RetrievalResult, expected: dict[str, Any]) -> None:
    for name, value in expected.items():
        found = getattr(result, name)
        if name in ("items", "dropped"):
            same_entries([entry_as_vector(entry) for entry in found], value)
        elif name == "time_range":
            assert found == (tuple(value) if value else None)
        else:
            assert found == value, name


def same_entries(found: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
    scores = ("score", "bm25_score", "cos_score")
    plain = [{key: value for key, value in entry.items() if key not in scores} for entry in found]
    assert plain == [{key: value for key, value in entry.items() if key not in scores} for entry in expected]
    for ours, theirs in zip(found, expected, strict=True):
        for name in scores:
            if theirs[name] is None:
                assert ours[name] is None, name
            else:
                assert ours[name] == pytest.approx(theirs[name], abs=1e-9, rel=0), name


@pytest.mark.parametrize("case", [pytest.param(case, id=case["category"]) for case in PARSE])
def test_parse(case: dict[str, Any], tmp_path: Path) -> None:
    """A category file gives the host's items, through the store and through a document alike."""
    store = write_store(tmp_path, "flat", {case["category"]: case["text"]})
    document = Document.from_bytes(case["text"].encode())
    for items in (store.items(), document.items(case["category"])):
        found = [
            {
                "category": item.category,
                "name": item.name,
                "content": item.content,
                "owner": item.owner,
                "source": item.source_conv,
                "ts": item.ts,
                "links": [[link.category, link.name] for link in item.links],
            }
            for item in items
        ]
        assert found == case["items"]


@pytest.mark.parametrize("case", numbered(LINKS, "text"))
def test_links(case: dict[str, Any]) -> None:
    assert [[link.category, link.name] for link in parse_wiki_links(case["text"])] == case["links"]


@pytest.mark.parametrize("case", numbered(TOKENS, "text"))
def test_tokenize(case: dict[str, Any]) -> None:
    assert tokenize(case["text"], use_jieba=False) == case["bigrams"]
    assert tokenize(case["text"], use_jieba=True) == case["jieba"]
    assert est_tokens(case["text"]) == case["est_tokens"]


@pytest.mark.parametrize("case", numbered(RANGES["cases"], "text"))
def test_time_range(case: dict[str, Any]) -> None:
    expected = tuple(case["range"]) if case["range"] else None
    assert parse_time_range(case["text"], today=date.fromisoformat(RANGES["today"])) == expected


@pytest.mark.parametrize("layout", ["flat", "category", "wiki"])
@pytest.mark.parametrize("case", numbered(RETRIEVE["cases"], "query"))
def test_retrieve(case: dict[str, Any], layout: str, indexes: Indexes) -> None:
    check(run(indexes.get("retrieve", RETRIEVE, layout, case["use_jieba"]), case["params"]), case["result"])


@pytest.mark.parametrize("case", numbered(EDGES["retrieve"], "query"))
def test_edges_retrieve(case: dict[str, Any], indexes: Indexes) -> None:
    check(run(indexes.get("edges", EDGES, "wiki", case["use_jieba"]), case["params"]), case["result"])


@pytest.mark.parametrize("case", numbered(EDGES["gate"], "query"))
def test_edges_gate(case: dict[str, Any], indexes: Indexes) -> None:
    """Windows given, and windows that the query names as a date in full (so no "today" comes into it)."""
    check(run(indexes.get("edges", EDGES, "wiki", False), case["params"]), case["result"])


@pytest.mark.parametrize("case", numbered(GATE["cases"], "query"))
def test_time_gate(case: dict[str, Any], indexes: Indexes) -> None:
    check(run(indexes.get("time_gate", GATE, "wiki", False), case["params"]), case["result"])


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared originals are not on this machine")
@pytest.mark.parametrize("name", sorted(path.name for path in COPIES.glob("*.json")))
def test_copies_equal_the_shared_originals(name: str) -> None:
    original = json.loads((SHARED / name).read_text(encoding="utf-8"))
    for part in NOT_HERE.get(name, ()):
        del original[part]
    assert load(name) == original
