"""Synthetic memories of mixed Chinese and English items, seeded, with queries: the same bytes for the same arguments.

    python -m tests.bench.make_store OUT --items 100000 --files 500 --seed 13 [--layout flat|wiki]

Vocabulary: jieba's dictionary with its own frequencies (Chinese), a Zipf(1.07) list of pronounceable words (English).
Items hold 20 to 120 words; one in ten carries one to three wiki-links, 7 % of them dangling. `queries.json` beside the
categories holds 200 queries of two to six words that stand together in an item.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import jieba
import numpy as np
import numpy.typing as npt

QUERIES = 200
_QUERY_POOL = 20_000
_CHINESE_WORDS = 80_000
_ENGLISH_WORDS = 30_000
_ZIPF = 1.07
_COMMON = (
    "the of and to in a is that for it as was with be by on not he i this are or his from at which but have an had "
    "they you were their one all we can her has there been if more when will would who so no python memory note user "
    "agent store index search file update version test build release cache token"
)
_CONSONANTS = "b c d f g h j k l m n p r s t v w z st tr pl ch sh th"
_VOWELS = "a e i o u ai er in on ar"
_PUNCTUATION = ["，", "，", "。", "；", "、", ", ", ". ", "！", "\n"]


@dataclass(frozen=True)
class Vocabulary:
    """Words of one language, and how likely each is, summed up."""

    words: list[str]
    likelihood: npt.NDArray[np.float64]

    def draw(self, count: int, generator: np.random.Generator) -> list[str]:
        places = np.searchsorted(self.likelihood, generator.random(count)).tolist()
        return [self.words[min(place, len(self.words) - 1)] for place in places]


@dataclass(frozen=True)
class Item:
    """One item as it stands in its file, and the words a query about it may use."""

    text: str
    words: list[str]


def chinese() -> Vocabulary:
    counts: list[tuple[str, int]] = []
    with (Path(jieba.__file__).parent / "dict.txt").open(encoding="utf-8") as lines:
        for line in lines:
            word, count, *_ = line.split()
            if int(count) >= 5 and len(word) <= 5 and all("\u4e00" <= c <= "\u9fd5" for c in word):
                counts.append((word, int(count)))
    counts = sorted(counts, key=lambda pair: -pair[1])[:_CHINESE_WORDS]
    total = sum(count for _, count in counts)
    return Vocabulary([word for word, _ in counts], np.cumsum(np.array([count for _, count in counts], float) / total))


def english() -> Vocabulary:
    rng = random.Random(7)
    syllables = [consonant + vowel for consonant in _CONSONANTS.split() for vowel in _VOWELS.split()]
    words = dict.fromkeys(_COMMON.split())
    while len(words) < _ENGLISH_WORDS:
        words.setdefault("".join(rng.choice(syllables) for _ in range(rng.choice([1, 2, 2, 3, 3, 4]))))
    weight = 1 / np.arange(1, len(words) + 1) ** _ZIPF
    return Vocabulary(list(words), np.cumsum(weight / weight.sum()))


class StoreMaker:
    """Draws the items of one store. Every draw comes from two seeded generators, in a fixed order."""

    def __init__(self, items: int, files: int, seed: int) -> None:
        self._rng = random.Random(seed)
        self._generator = np.random.default_rng(seed)
        self._query_rng = random.Random(seed + 1)
        self._chinese, self._english = chinese(), english()
        sizes = self._sizes(items, files)
        self.categories = [f"cat_{number:04d}" for number in range(files)]
        self._names = [self._draw_names(size) for size in sizes]
        self._pool: list[list[str]] = []

    def category(self, number: int) -> str:
        """The text of one category file; they are to be asked for in order."""
        parts = [f"# {self.categories[number]}", ""]
        for name in self._names[number]:
            item = self._item()
            parts += [f"## {name}", "", item.text, ""]
            if self._rng.random() < 0.85:
                parts += [self._metadata(), ""]
            if len(self._pool) < _QUERY_POOL:
                self._pool.append(item.words)
        return "\n".join(parts).rstrip("\n") + "\n"

    def queries(self) -> list[str]:
        """Queries about the items made so far."""
        queries: list[str] = []
        while len(queries) < QUERIES:
            words, count = self._query_rng.choice(self._pool), self._query_rng.randint(2, 6)
            if len(words) >= count:
                queries.append(" ".join(self._query_rng.sample(words, count)))
        return queries

    def _sizes(self, items: int, files: int) -> list[int]:
        """How many items each file gets: log-normal."""
        weight = np.exp(self._generator.normal(0, 0.6, files))
        sizes = np.maximum(1, (weight / weight.sum() * items)).astype(int)
        sizes[0] = max(1, sizes[0] + items - sizes.sum())
        return [int(size) for size in sizes]

    def _draw_names(self, count: int) -> list[str]:
        names: dict[str, None] = {}
        while len(names) < count:
            if self._rng.random() < 0.7:
                name = "".join(self._chinese.draw(2, self._generator)) + self._rng.choice(self._chinese.words)
            else:
                name = "-".join(self._english.draw(2, self._generator)) + "-" + self._rng.choice(self._english.words)
            names.setdefault(name)
        return list(names)

    def _item(self) -> Item:
        length, kind = self._rng.randint(20, 120), self._rng.random()
        share = 0.95 if kind < 0.45 else 0.7 if kind < 0.7 else 0.35 if kind < 0.85 else 0.03
        han = self._chinese.draw(int(length * share), self._generator)
        latin = self._english.draw(length - len(han), self._generator)
        text = self._mixed(han, latin, share)
        if self._rng.random() < 0.10:
            for _ in range(self._rng.randint(1, 3)):
                text += f" {self._link()}"
        return Item(text.strip(), [word for word in han + latin if len(word) > 1])

    def _mixed(self, han: Sequence[str], latin: Sequence[str], share: float) -> str:
        """Runs of 4 to 12 words of one language each, with punctuation between them."""
        parts: list[str] = []
        at_han = at_latin = 0
        while at_han < len(han) or at_latin < len(latin):
            step = self._rng.randint(4, 12)
            if at_latin >= len(latin) or (at_han < len(han) and self._rng.random() < share):
                parts.append("".join(han[at_han : at_han + step]))
                at_han += step
            else:
                parts.append(" ".join(latin[at_latin : at_latin + step]))
                at_latin += step
            parts.append(self._rng.choice(_PUNCTUATION))
        return "".join(parts)

    def _link(self) -> str:
        other = self._rng.randrange(len(self.categories))
        target = self._rng.choice(self._names[other]) if self._rng.random() < 0.93 else "missing-item"
        return f"[[{self.categories[other]}:{target}]]"

    def _metadata(self) -> str:
        owner, source = self._rng.randrange(9), self._rng.randrange(10**6)
        month, day = self._rng.randint(1, 12), self._rng.randint(1, 28)
        return (
            f"<!-- wikimem: owner=user:u{owner} | source=conv_{source:06d} | "
            f"ts=2026-{month:02d}-{day:02d}T03:00:00+00:00 -->"
        )


def make_store(out: Path, *, items: int, files: int, seed: int, layout: str = "flat") -> None:
    """Write a store and its `queries.json` into a folder, which is made if missing."""
    maker = StoreMaker(items, files, seed)
    folder = out / "wiki" if layout == "wiki" else out
    folder.mkdir(parents=True, exist_ok=True)
    for number, category in enumerate(maker.categories):
        (folder / f"{category}.md").write_text(maker.category(number), encoding="utf-8", newline="\n")
    (out / "queries.json").write_text(json.dumps(maker.queries(), ensure_ascii=False), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--seed", type=int, default=12)
    parser.add_argument("--layout", choices=["flat", "wiki"], default="flat")
    make_store(**vars(parser.parse_args()))


if __name__ == "__main__":
    main()
