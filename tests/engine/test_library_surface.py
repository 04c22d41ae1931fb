"""The library's names and call shapes, and what importing it must not load."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

from wikimem_desktop import engine
from wikimem_desktop.engine import MemoryIndex, MemoryItem, MemoryStore, errors

ROOT = Path(__file__).parents[2]
NAMES = """MemoryStore MemoryItem WikiLink Journal MemoryIndex RetrievalResult RetrievedItem tokenize est_tokens
parse_wiki_links validate_category sanitize_item_name parse_time_range"""
EMPTY = inspect.Parameter.empty


def shape(function: object) -> dict[str, object]:
    """Parameters and their defaults; keyword-only ones are marked."""
    parameters = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
    return {("*" if p.kind is p.KEYWORD_ONLY else "") + p.name: p.default for p in parameters if p.name != "self"}


def run_python(code: str) -> str:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("name", NAMES.split())
def test_the_engine_exports(name: str) -> None:
    assert hasattr(engine, name)
    assert name in engine.__all__


def test_call_shapes_are_those_of_the_host_library() -> None:
    written = {"*owner": None, "*source_conv": None}
    named = {"category": EMPTY, "name": EMPTY}
    assert shape(MemoryStore.add) == named | {"content": EMPTY} | written | {"*ts": None}
    assert shape(MemoryStore.remove) == named | {"*owner": None}
    assert shape(MemoryStore.items) == {"category": None}
    assert shape(MemoryStore.get) == named
    assert shape(MemoryIndex.retrieve) == {"query": EMPTY, "*limit": 10, "*budget_tokens": None} | {
        "*expand_links": True,
        "*explain": False,
        "*time_range": None,
        "*tz": None,
    }
    assert shape(MemoryIndex) == {"store": EMPTY, "*use_jieba": None, "*embedder": None, "*vectors_dir": None} | {
        "*fusion_weight": 0.5,
        "*binary_threshold": 10_000,
    }
    assert shape(engine.tokenize) == {"text": EMPTY, "*use_jieba": None}
    assert shape(engine.parse_time_range) == {"text": EMPTY, "*tz": None, "*today": None}


def test_errors_are_of_one_family_and_wrong_names_are_value_errors() -> None:
    found = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if kind.__module__ == errors.__name__]
    assert all(issubclass(kind, errors.WikimemError) for kind in found)
    wrong_input = (errors.InvalidCategory, errors.InvalidItemName, errors.InvalidTimeRange, errors.ContentNotStorable)
    assert all(issubclass(kind, ValueError) for kind in wrong_input)


@pytest.mark.parametrize("name", ["a", "_", "0a", "a-b_c", "daily_life"])
def test_slugs_are_categories(name: str) -> None:
    assert engine.validate_category(name) == name


@pytest.mark.parametrize(
    ("name", "kept"), [("海边", "海边"), (" a \t b\u3000c ", "a b c"), ("a]b[", "a]b["), ("é.!?", "é.!?")]
)
def test_item_names_of_any_language_are_kept_with_single_blanks(name: str, kept: str) -> None:
    assert engine.sanitize_item_name(name) == kept


def test_items_and_links_are_values() -> None:
    item = MemoryItem("a", "b", "see [[c:d]] and [[ c : d ]]")
    assert item == MemoryItem(category="a", name="b", content=item.content, owner=None, source_conv=None, ts=None)
    assert [(link.category, link.name, link.render()) for link in item.links] == [("c", "d", "[[c:d]]")] * 2


def test_importing_the_engine_loads_no_heavy_package() -> None:
    heavy = ["numpy", "jieba", "httpx", "PySide6", "shiboken6", "watchdog"]
    code = f"import sys, wikimem_desktop.engine; print([name for name in {heavy} if name in sys.modules])"
    assert run_python(code) == "[]"


def test_a_store_can_be_read_and_written_without_numpy(tmp_path: Path) -> None:
    code = f"""
import sys
sys.modules["numpy"] = None
from wikimem_desktop.engine import MemoryStore
store = MemoryStore({str(tmp_path)!r})
store.add("notes", "a", "text")
print(store.items()[0].content)
"""
    assert run_python(code) == "text"


def test_a_query_is_answered_where_qt_cannot_be_imported(tmp_path: Path) -> None:
    code = f"""
import sys
sys.modules["PySide6"] = sys.modules["shiboken6"] = None
from wikimem_desktop.engine import MemoryIndex, MemoryStore
store = MemoryStore({str(tmp_path)!r})
store.add("notes", "a", "sea")
print([hit.item.name for hit in MemoryIndex(store).retrieve("sea").items])
"""
    assert run_python(code) == "['a']"


def test_without_jieba_its_users_get_bigrams() -> None:
    code = """
import sys
sys.modules["jieba"] = None
from wikimem_desktop.engine import tokenize
text = "\\u6210\\u8bed\\u63a5\\u9f99"
pairs = [text[:2], text[1:3], text[2:]]
print(tokenize(text, use_jieba=True) == tokenize(text) == tokenize(text, use_jieba=False) == pairs)
"""
    assert run_python(code) == "True"
