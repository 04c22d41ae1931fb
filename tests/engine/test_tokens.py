"""Tokens and their estimate, and that ranking never takes one token for another."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import jieba
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.folders import fill
from wikimem_desktop.engine import MemoryIndex, MemoryStore, est_tokens, tokenize
from wikimem_desktop.engine.encode import LongTerms, encode, term_key

KELVIN, DOTTED_I, LONG_S = "\u212a", "\u0130", "\u017f"

TOKENS = [
    pytest.param("", [], id="empty"),
    pytest.param("早报 C盘 好", ["c", "早报", "盘", "好"], id="latin-first-then-cjk"),
    pytest.param("成语接龙", ["成语", "语接", "接龙"], id="bigrams"),
    pytest.param(f"{KELVIN}elvin", ["kelvin"], id="kelvin-sign-is-a-k"),
    pytest.param(f"{DOTTED_I}x", ["i", "x"], id="dotted-capital-i-becomes-i-and-a-mark"),
    pytest.param(f"{LONG_S}x", ["x"], id="long-s-is-no-s"),
    pytest.param("STRASSE ẞ ß", ["strasse"], id="sharp-s"),
    pytest.param("a\x00b\x00c", ["a", "b", "c"], id="nul-separates"),
    pytest.param("\U00020000\U0002a6df a", ["a"], id="astral-ideographs"),
    pytest.param("𝐚𝟏 ａ１ ① ²", [], id="other-letters-and-digits"),
    pytest.param("x" * 13 + " " + "x" * 25, ["x" * 13, "x" * 25], id="long-words"),
    pytest.param("0" * 40 + "a", ["0" * 40 + "a"], id="long-digits"),
    pytest.param("\u303f\u3040\u30ff\u3100", ["\u3040\u30ff"], id="edges-of-kana"),
    pytest.param("\u33ff\u3400\u4dbf\u4dc0", ["\u3400\u4dbf"], id="edges-of-extension-a"),
    pytest.param("\u4dff\u4e00\u9fff\ua000", ["\u4e00\u9fff"], id="edges-of-ideographs"),
    pytest.param("海a边", ["a", "海", "边"], id="lone-characters"),
]

HARD_TOKENS = [
    *(character * length for character in "a0z" for length in (1, 2, 11, 12, 13, 14, 23, 24, 25, 26, 100)),
    *("abcdefghijkl", "abcdefghijklm", "abcdefghijkln", "abcdefghijklmnopqrstuvwx", "abcdefghijklmnopqrstuvwxy"),
    *("abcdefghijklmnopqrstuvwz", "10", "100", "z9", "9z", "1234567890123456789", "1234567890123456788"),
]


def index_of(folder: Path, items: dict[str, str], *, use_jieba: bool = False) -> MemoryIndex:
    text = "".join(f"## {name}\n\n{content}\n\n" for name, content in items.items())
    return MemoryIndex(MemoryStore(fill(folder, {"notes.md": text})), use_jieba=use_jieba)


def found(index: MemoryIndex, query: str) -> list[str]:
    return [hit.item.name for hit in index.retrieve(query, limit=100).items]


@pytest.mark.parametrize(("text", "expected"), TOKENS)
def test_tokens_in_order(text: str, expected: list[str]) -> None:
    assert tokenize(text, use_jieba=False) == expected


def test_jieba_is_used_where_it_can_be_imported_and_only_for_cjk() -> None:
    run = "从市场营销转行做后端"
    words = ["python", *jieba.lcut(run)]
    assert "市场营销" in words
    assert tokenize(f"Python {run}", use_jieba=True) == tokenize(f"Python {run}") == words
    assert tokenize("Python 3", use_jieba=True) == ["python", "3"]


@cache
def dictionary() -> list[str]:
    jieba.initialize()
    return [word for word in jieba.dt.FREQ if re.fullmatch("[\u4e00-\u9fff]+", word)]


characters = st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF) | st.sampled_from(
    "的一是了我不人在他有这上们来到时大\u3042\u30a2\u3400"
)
known = st.integers(0).map(lambda number: dictionary()[number % len(dictionary())])


@given(st.lists(known | characters | st.text(characters, max_size=6), min_size=1, max_size=8).map("".join))
@settings(max_examples=500, deadline=None)
def test_cjk_words_are_those_of_jieba(run: str) -> None:
    assert tokenize(run, use_jieba=True) == jieba.lcut(run)


_CUT_IN_A_NEW_PROCESS = """
import sys
from pathlib import Path
import jieba
from wikimem_desktop.engine import tokenize

if sys.argv[1] == "used before":
    jieba.add_word("海边小木屋")
tokenize("海边")
assert jieba.dt.initialized == (sys.argv[1] == "used before")
lines = Path(jieba.__file__).with_name("dict.txt").read_text(encoding="utf-8").splitlines()
for line in lines[::97]:
    run = "".join(character for character in line if 0x4E00 <= ord(character) <= 0x9FD5) + "海边小木屋"
    assert tokenize(run, use_jieba=True) == jieba.lcut(run), run
"""


@pytest.mark.parametrize("state", ["used before", "not yet used"])
def test_words_are_those_of_jieba_whether_or_not_it_was_used_before(state: str) -> None:
    """Words that were added to it are known too."""
    subprocess.run([sys.executable, "-c", _CUT_IN_A_NEW_PROCESS, state], check=True)


@given(
    st.lists(st.text(st.sampled_from(f"aZ09 \n海边的游戏\u3040あ㐀é😀𠀀\ud800{KELVIN}{DOTTED_I}{LONG_S}")), max_size=5),
    st.booleans(),
)
@settings(max_examples=300, deadline=None)
def test_an_index_holds_the_tokens_of_every_text(texts: list[str], use_jieba: bool) -> None:
    long_terms = LongTerms()
    portion = encode(texts, 7, long_terms, jieba=use_jieba)
    counts = [Counter(tokenize(text, use_jieba=use_jieba)) for text in texts]
    assert portion.lengths.tolist() == [count.total() for count in counts]
    assert portion.estimates.tolist() == [est_tokens(text) for text in texts]
    assert portion.segment.size == sum(map(len, counts))
    for token in set().union(*counts):
        span = portion.segment.find(term_key(token, long_terms) or 0)
        assert span is not None
        found = zip(portion.segment.rows[span].tolist(), portion.segment.frequencies[span].tolist(), strict=True)
        assert list(found) == [(7 + row, count[token]) for row, count in enumerate(counts) if token in count]


@given(st.text())
@settings(max_examples=200, deadline=None)
def test_tokens_are_what_the_rules_say(text: str) -> None:
    cjk: list[str] = re.findall("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+", text)
    pairs = [run[at : at + 2] for run in cjk for at in range(max(len(run) - 1, 1))]
    latin = re.findall("[a-z0-9]+", text.lower())
    assert tokenize(text, use_jieba=False) == latin + pairs
    assert est_tokens(text) == len(latin) + sum(map(len, cjk))


@pytest.mark.parametrize("text", ["кофе и чай", "한국어 텍스트", "😀😀", "éèê ÿ", "𠀀𠀁", "!!! … ——"])
def test_w12_w13_other_scripts_give_no_tokens_and_cost_nothing(text: str, tmp_path: Path) -> None:
    assert (tokenize(text, use_jieba=False), tokenize(text, use_jieba=True), est_tokens(text)) == ([], [], 0)
    index = index_of(tmp_path, {"a": text, "b": "sea"})
    result = index.retrieve(text, budget_tokens=10, explain=True)
    assert (result.items, result.dropped, result.budget_used, result.embedding_used) == ([], [], 0, False)
    assert found(index, f"{text} sea") == ["b"]


@pytest.mark.parametrize("use_jieba", [False, True])
def test_b31_parts_of_a_chinese_phrase_find_it(use_jieba: bool, tmp_path: Path) -> None:
    index = index_of(tmp_path, {"game": "我们在玩成语接龙游戏", "other": "天气很好"}, use_jieba=use_jieba)
    assert found(index, "成语接龙") == ["game"]
    assert found(index, "成语接龙游戏") == ["game"]
    assert found(index, "很好的天气") == ["other"]


def test_b31_bigrams_find_the_second_half_of_a_phrase_too(tmp_path: Path) -> None:
    assert found(index_of(tmp_path, {"game": "成语接龙游戏", "other": "天气"}), "接龙") == ["game"]


@pytest.mark.parametrize("use_jieba", [False, True])
@pytest.mark.parametrize(("query", "name"), [("早报", "news"), ("C盘", "disk"), ("c盘", "disk"), ("好", "lone")])
def test_b32_short_words_and_mixed_tokens(query: str, name: str, use_jieba: bool, tmp_path: Path) -> None:
    items = {"news": "今天 早报", "disk": "清理 C盘 空间", "lone": "很 好 ！", "other": "无关"}
    index = index_of(tmp_path, items, use_jieba=use_jieba)
    assert found(index, query)[0] == name


@pytest.mark.parametrize("token", HARD_TOKENS)
def test_a_token_is_found_where_it_stands_and_nowhere_else(token: str, tmp_path: Path) -> None:
    """Words that share 12 or 24 characters, differ in length only, or hold leading zeros are different words."""
    index = index_of(tmp_path, {f"é{number}é": word for number, word in enumerate(HARD_TOKENS)})
    number = HARD_TOKENS.index(token)
    expected = [f"é{n}é" for n, word in enumerate(HARD_TOKENS) if token in (word, str(n))]
    assert set(found(index, token)) == set(expected)
    assert f"é{number}é" in expected
    assert [hit.matched_terms for hit in index.retrieve(token, limit=100).items] == [[token]] * len(expected)


def test_case_folding_is_the_same_for_texts_and_queries(tmp_path: Path) -> None:
    index = index_of(tmp_path, {"k": f"{KELVIN}ELVIN", "i": f"{DOTTED_I}STANBUL", "n": "nul\x00nul"})
    assert found(index, "kelvin") == found(index, f"{KELVIN}elvin") == ["k"]
    assert found(index, "stanbul") == found(index, f"{DOTTED_I}stanbul") == ["i"]
    assert found(index, "nul") == ["n"]


def test_tokens_do_not_join_across_items_or_name_and_content(tmp_path: Path) -> None:
    index = index_of(tmp_path, {"海": "边 sea", "边": "海", "side": "see"})
    assert found(index, "海边") == []
    assert found(index, "seaside") == []
    assert found(index, "边") == ["边", "海"]
