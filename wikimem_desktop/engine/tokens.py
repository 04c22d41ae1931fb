"""Words as the ranker sees them, and the token estimate of the budget.

Latin: lower-cased runs of `[a-z0-9]+`. CJK (kana, extension A, unified ideographs): character bigrams of each run, or
jieba's words. Everything else (Cyrillic, Hangul, accented letters, emoji) yields no token: hosts work so.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from functools import cache

WORD = re.compile(r"[a-z0-9]+")
CJK_RUN = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+")
CJK_RANGES = ((0x3040, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF))


@cache
def jieba_available() -> bool:
    return importlib.util.find_spec("jieba") is not None


@cache
def jieba_cut() -> Callable[[str], list[str]]:
    """What `jieba.lcut` does with a run of CJK characters; its dictionary is loaded on first use (0.5 s)."""
    from .chinese import cutter

    return cutter().words


def uses_jieba(use_jieba: bool | None) -> bool:
    """Whether the choice (None: if it can be imported) means jieba here."""
    return use_jieba is not False and jieba_available()


def has_tokens(text: str) -> bool:
    """Whether the ranker sees anything of the text."""
    return bool(CJK_RUN.search(text) or WORD.search(text) or WORD.search(text.lower()))


def bigrams(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]


def jieba_words(run: str) -> list[str]:
    return [word for word in jieba_cut()(run) if word.strip()]


def chinese_words(text: str) -> list[str]:
    """The words that jieba finds in the CJK runs of a text."""
    return [word for run in CJK_RUN.findall(text) for word in jieba_words(run)]


def tokenize(text: str, *, use_jieba: bool | None = None) -> list[str]:
    """All latin tokens in order, then the CJK tokens run by run."""
    segment = jieba_words if uses_jieba(use_jieba) else bigrams
    tokens = WORD.findall(text.lower())
    for run in CJK_RUN.findall(text):
        tokens += segment(run)
    return tokens


def est_tokens(text: str) -> int:
    """Latin words + CJK characters. An estimate for the budget, not for billing."""
    return len(WORD.findall(text.lower())) + sum(map(len, CJK_RUN.findall(text)))
