"""Items that nearly say the same are found; others are not; one changed file costs its own items."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.engine.folders import fill
from wikimem_desktop.engine import MemoryStore
from wikimem_desktop.engine.duplicates import SIMILAR, NearDuplicates, band_keys, similarity

LONG = "We walk to the harbour each Sunday, buy bread at the corner and are back before the church bells ring."
CHINESE = "每个星期天我们去海边散步，在街角买面包，教堂的钟敲响之前回家，然后一起喝手冲咖啡。"


def pairs(store: MemoryStore, found: NearDuplicates) -> list[tuple[str, str]]:
    for file in found.stale(store.files()):
        found.take_in(file)
    return [(":".join(one), ":".join(other)) for one, other in found.pairs()]


@pytest.mark.parametrize("text", [LONG, CHINESE])
def test_a_text_with_a_word_more_is_a_near_duplicate_and_another_is_not(text: str, tmp_path: Path) -> None:
    files = {
        "a.md": f"## one\n\n{text}\n\n## other\n\n{text[::-1]}\n",
        "b.md": f"## two\n\n{text.upper()} ok\n\n## short\n\nshort\n\n## short 2\n\nshort\n",
    }
    store = MemoryStore(fill(tmp_path, dict(files)))
    found = NearDuplicates()
    assert pairs(store, found) == [("a:one", "b:two")]
    store.path("b").write_text(files["b.md"].replace(" ok", " " + text[::-1]), encoding="utf-8")
    assert pairs(store, found) == []
    store.path("b").unlink()
    store.path("c").write_text(f"## three\n\n{text}!\n", encoding="utf-8")
    assert pairs(store, found) == [("a:one", "c:three")]


def test_only_changed_files_are_taken_in(tmp_path: Path) -> None:
    store = MemoryStore(fill(tmp_path, {f"c{n}.md": f"## x\n\n{LONG} {n}\n" for n in range(5)}))
    found = NearDuplicates()
    assert len(pairs(store, found)) == 10
    store.path("c3").write_text("## x\n\nquite another text, which is long enough\n")
    assert [file.category for file in found.stale(store.files())] == ["c3"]


def test_nearly_all_alike_pairs_meet_in_a_band() -> None:
    dice = random.Random(3)
    words = [f"w{n}" for n in range(2000)]
    met = 0
    for _ in range(200):
        one = dice.choices(words, k=40)
        other = [word if dice.random() > 0.03 else dice.choice(words) for word in one]
        texts = " ".join(one), " ".join(other)
        if similarity(*texts) >= SIMILAR:
            first, second = band_keys(texts)
            met += bool(set(first) & set(second))
        else:
            met += 1
    assert met >= 190


def test_the_similarity_is_that_of_the_shingles() -> None:
    assert similarity("abc d", "ABCD") == 1
    assert similarity("abcd", "abce") == pytest.approx(1 / 3)
    assert similarity("", "") == 1
