"""What jieba found is kept by the texts; whatever happened to the folder, the words are those that jieba finds."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine import messy
from wikimem_desktop.engine.index import Snapshot, build_steps, refresh_steps, run_to_end, words_steps
from wikimem_desktop.engine.store import MemoryStore
from wikimem_desktop.engine.token_cache import TokenCache
from wikimem_desktop.engine.tokens import chinese_words

TEXTS = ["想去海边玩", "", "latin only", "工作与生活", "海边的房子，海边的人", "a\ud800b 海"]


class Cutter:
    """Counts what had to be found anew."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def __call__(self, text: str) -> list[str]:
        self.texts.append(text)
        return chinese_words(text)


def cache_of(base: Path, cut: Cutter, *, dictionary: str = "d 1", root: str = "/memory", **options: int) -> TokenCache:
    cache = TokenCache(base, Path(root), cut, dictionary, **options)
    for _ in cache.load_steps():
        pass
    return cache


def words(cache: TokenCache, texts: list[str]) -> list[list[str]]:
    numbers, counts = cache.words(texts)
    found, first = [], 0
    for count in counts.tolist():
        found.append([cache.vocabulary[number] for number in numbers[first : first + count].tolist()])
        first += count
    assert first == len(numbers)
    return found


def expected(texts: list[str]) -> list[list[str]]:
    return [chinese_words(text) for text in texts]


def packs(base: Path) -> list[Path]:
    return sorted(base.glob("*/*"))


@given(rounds=st.lists(st.lists(messy.contents(), max_size=5), min_size=1, max_size=4), whole=st.booleans())
@settings(deadline=None)  # the first example loads the dictionary
def test_words_from_a_cache_are_those_found_anew(
    rounds: list[list[str]], whole: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    base = tmp_path_factory.mktemp("cache")
    seen: set[str] = set()
    for texts in rounds:
        cut = Cutter()
        cache = cache_of(base, cut)
        assert words(cache, texts) == expected(texts)
        assert words(cache, texts) == expected(texts)
        cache.save(whole=whole)
        if not whole:
            assert set(cut.texts) == set(texts) - seen
            seen |= set(texts)


def test_a_second_opening_finds_nothing_anew(tmp_path: Path) -> None:
    first = cache_of(tmp_path, Cutter())
    words(first, TEXTS[:3])
    first.save(whole=True)
    words(first, TEXTS[3:])
    first.save(whole=False)
    assert len(packs(tmp_path)) == 2
    cut = Cutter()
    second = cache_of(tmp_path, cut)
    assert words(second, TEXTS[::-1]) == expected(TEXTS[::-1])
    assert cut.texts == []
    words(second, ["再来一个"])
    second.save(whole=True)
    assert len(packs(tmp_path)) == 1


def test_a_whole_build_leaves_out_what_nobody_asked_for(tmp_path: Path) -> None:
    first = cache_of(tmp_path, Cutter())
    words(first, TEXTS)
    first.save(whole=True)
    second = cache_of(tmp_path, Cutter())
    words(second, ["新的"])
    second.save(whole=True)
    cut = Cutter()
    words(cache_of(tmp_path, cut), ["新的", "想去海边玩"])
    assert cut.texts == ["想去海边玩"]


@pytest.mark.parametrize("damage", ["torn", "foreign", "flipped", "empty", "folder", "other dictionary"])
def test_what_is_torn_or_foreign_counts_as_none(damage: str, tmp_path: Path) -> None:
    cache = cache_of(tmp_path, Cutter())
    words(cache, TEXTS)
    cache.save(whole=True)
    pack = packs(tmp_path)[0]
    content = pack.read_bytes()
    if damage == "torn":
        pack.write_bytes(content[:-3])
    elif damage == "foreign":
        pack.write_bytes(b"\x00" * 999)
    elif damage == "flipped":
        pack.write_bytes(content[:-5] + bytes([content[-5] ^ 1]) + content[-4:])
    elif damage == "empty":
        pack.write_bytes(b"")
    elif damage == "folder":
        pack.unlink()
        pack.mkdir()
    cut = Cutter()
    again = cache_of(tmp_path, cut, dictionary="d 2" if damage == "other dictionary" else "d 1")
    assert words(again, TEXTS) == expected(TEXTS)
    assert cut.texts == TEXTS
    again.save(whole=False)
    cut = Cutter()
    words(cache_of(tmp_path, cut, dictionary="d 2" if damage == "other dictionary" else "d 1"), TEXTS)
    assert (cut.texts == []) == (damage != "folder")


def test_the_cache_stays_small_and_the_store_that_was_used_last_keeps_its_words(tmp_path: Path) -> None:
    for number in range(4):
        cache = cache_of(tmp_path, Cutter(), root=f"/memory {number}", limit=400)
        words(cache, [f"海边{'玩' * 20}{number}"])
        cache.save(whole=True)
        os.utime(packs(tmp_path)[0], (number, number)) if number < 3 else None
    assert 0 < sum(pack.stat().st_size for pack in packs(tmp_path)) <= 400
    cut = Cutter()
    words(cache_of(tmp_path, cut, root="/memory 3"), [f"海边{'玩' * 20}3"])
    assert cut.texts == []


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
def test_the_words_of_a_memory_are_nobody_elses_business(tmp_path: Path) -> None:
    cache = cache_of(tmp_path / "tokens", Cutter())
    words(cache, TEXTS)
    cache.save(whole=True)
    pack = packs(tmp_path / "tokens")[0]
    assert (pack.parent.stat().st_mode & 0o077, pack.stat().st_mode & 0o077) == (0, 0)


def test_without_a_folder_to_write_to_everything_works(tmp_path: Path) -> None:
    base = tmp_path / "file"
    base.write_text("no folder")
    cache = cache_of(base, Cutter())
    assert words(cache, TEXTS) == expected(TEXTS)
    cache.save(whole=True)
    assert base.read_text() == "no folder"


def small_store(root: Path) -> MemoryStore:
    root.mkdir()
    text = "\n".join(f"## {number}\n\n{' '.join(TEXTS[:5])} 第{number}天\n" for number in range(30))
    (root / "notes.md").write_text(text, encoding="utf-8")
    return MemoryStore(root)


def assert_same_index(snapshot: Snapshot, expected: Snapshot) -> None:
    found, wanted = snapshot.postings.segments[0], expected.postings.segments[0]
    assert snapshot.postings.jieba == expected.postings.jieba
    assert (found.rows.tolist(), found.frequencies.tolist()) == (wanted.rows.tolist(), wanted.frequencies.tolist())
    assert snapshot.postings.lengths.tolist() == expected.postings.lengths.tolist()


def test_an_index_made_with_a_cache_is_the_one_made_without(tmp_path: Path) -> None:
    store = small_store(tmp_path / "store")
    plain = run_to_end(build_steps(store, use_jieba=True))
    for _ in range(2):
        cache = cache_of(tmp_path / "cache", Cutter(), root=str(store.root))
        assert_same_index(run_to_end(build_steps(store, use_jieba=True, cache=cache)), plain)
        cache.save(whole=True)


def test_words_of_what_is_indexed_are_found_without_the_files(tmp_path: Path) -> None:
    store = small_store(tmp_path / "store")
    plain, pairs = (run_to_end(build_steps(store, use_jieba=jieba)) for jieba in (True, False))
    store.path("notes").unlink()
    assert_same_index(run_to_end(words_steps(pairs)), plain)


def test_only_texts_that_came_are_kept(tmp_path: Path) -> None:
    """What a file does not say any more is cut once more to be taken out of the index; it need not be kept for that."""
    store = small_store(tmp_path / "store")
    before = run_to_end(build_steps(store, use_jieba=True))
    store.path("notes").write_text("## a\n\n新的一天\n", encoding="utf-8")
    cut = Cutter()
    cache = cache_of(tmp_path / "cache", cut)
    assert run_to_end(refresh_steps(before, store, cache=cache)).item_count == 1
    assert cut.texts == ["a\n新的一天"]
