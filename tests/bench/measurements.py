"""What the benchmark measures, one measurement a process: `python -m tests.bench.measurements NAME STORE [COUNT]`.

Each prints a JSON object of numbers. A process of its own gives each measurement a heap without anyone else's objects;
stores are read from the page cache.
"""

from __future__ import annotations

import importlib
import json
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.bench.reference import PlainIndex
from wikimem_desktop.engine import MemoryIndex, MemoryStore
from wikimem_desktop.engine.index import run_to_end

Numbers = dict[str, float | list[float]]

LIMIT, BUDGET = 10, 800
_ROUNDS = 5


def peak_memory() -> float:
    """The most memory this process has held so far, in MB; 0 where the system does not tell."""
    try:
        resource = importlib.import_module("resource")
    except ImportError:  # Windows
        return 0.0
    peak: int = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def build(root: Path, count: int) -> Numbers:
    """From files to an index in use."""
    importlib.import_module("wikimem_desktop.engine.bm25")
    before, started = peak_memory(), time.perf_counter()
    index = MemoryIndex(MemoryStore(root), use_jieba=False)
    index.rebuild()
    seconds = time.perf_counter() - started
    return {"seconds": seconds, "memory": peak_memory() - before}


def reference_build(root: Path, count: int) -> Numbers:
    """The same files through the same reader into the plain scorer."""
    before, started = peak_memory(), time.perf_counter()
    items = MemoryStore(root).items()
    read = time.perf_counter()
    index = PlainIndex(item.index_text for item in items)
    done = time.perf_counter()
    assert len(index.counts) == len(items)
    return {"seconds": done - started, "indexing": done - read, "memory": peak_memory() - before}


def open_bigrams(root: Path, count: int) -> Numbers:
    """From a folder to the first answer, numpy not yet loaded; on the way, all files read."""
    return _open(root, use_jieba=False)


def open_jieba(root: Path, count: int) -> Numbers:
    return _open(root, use_jieba=True)


def retrieve(root: Path, count: int) -> Numbers:
    """Milliseconds of each query, links and budget included."""
    queries = _queries(root, count)
    index = MemoryIndex(MemoryStore(root), use_jieba=False)
    index.rebuild()
    times = [
        _milliseconds(lambda query=query: index.retrieve(query, limit=LIMIT, budget_tokens=BUDGET))  # type: ignore[misc]
        for _ in range(_ROUNDS)
        for query in queries
    ]
    return {"milliseconds": times}


def reference_search(root: Path, count: int) -> Numbers:
    """Milliseconds of each query; then, in how many of them our scores, of all rows and of the top, are not equal."""
    queries = _queries(root, count)
    store = MemoryStore(root)
    items = store.items()
    reference = PlainIndex(item.index_text for item in items)
    times = [_milliseconds(lambda query=query: reference.search(query, LIMIT)) for query in queries]  # type: ignore[misc]
    index = MemoryIndex(store, use_jieba=False)
    postings = index.snapshot.postings
    different = 0
    for query in queries:
        terms = reference.cut(query)
        known = postings.terms(terms)
        scores = postings.scores(known[term] for term in terms).tolist()
        expected = reference.search(query, len(items))
        found = [(hit.item, hit.score) for hit in index.retrieve(query, limit=LIMIT, expand_links=False).items]
        same_scores = {row: score for row, score in enumerate(scores) if score > 0} == dict(expected)
        same_top = found == [(items[row], score) for row, score in expected[:LIMIT]]
        different += not (same_scores and same_top)
    return {"milliseconds": times, "different": different}


def one_file(root: Path, count: int) -> Numbers:
    """Milliseconds from a changed file to a fresh index, and to the answer that shows the change."""
    with tempfile.TemporaryDirectory() as folder:
        store = MemoryStore(shutil.copytree(root, Path(folder) / "store"))
        index = MemoryIndex(store, use_jieba=False)
        index.rebuild()
        index.retrieve("warm up")
        rng = random.Random(1)
        refreshes: list[float] = []
        answers: list[float] = []
        for number in range(count):
            category = rng.choice(store.categories())
            _edit(store.path(category), f"edit{number}", rng)
            refreshes.append(_milliseconds(lambda category=category: index.refresh([category])))  # type: ignore[misc]
            started = time.perf_counter()
            found = index.retrieve(f"edit{number}").items
            answers.append(refreshes[-1] + (time.perf_counter() - started) * 1000)
            assert {hit.item.category for hit in found if hit.source == "hit"} == {category}
        return {"refresh": refreshes, "answer": answers}


def compaction(root: Path, count: int) -> Numbers:
    """Milliseconds of each step of the refresh that compacts; every item of file after file changes until it comes."""
    with tempfile.TemporaryDirectory() as folder:
        store = MemoryStore(shutil.copytree(root, Path(folder) / "store"))
        index = MemoryIndex(store, use_jieba=False)
        index.rebuild()
        for category in store.categories():
            path = store.path(category)
            path.write_text(path.read_text(encoding="utf-8").replace("\n\n", "\n\nedited "), encoding="utf-8")
            steps = _step_times(index, category)
            if len(steps) > 3:
                return {"milliseconds": steps}
        raise AssertionError("no compaction came")


def _open(root: Path, *, use_jieba: bool) -> Numbers:
    query = _queries(root, 1)[0]
    assert "numpy" not in sys.modules
    started = time.perf_counter()
    store = MemoryStore(root)
    store.files()
    read = time.perf_counter()
    index = MemoryIndex(store, use_jieba=use_jieba)
    run_to_end(index.build_steps())
    assert index.retrieve(query, limit=LIMIT, budget_tokens=BUDGET).items
    return {"read": read - started, "searchable": time.perf_counter() - started}


def _queries(root: Path, count: int) -> list[str]:
    queries: list[str] = json.loads((root / "queries.json").read_text(encoding="utf-8"))
    return queries[:count]


def _edit(path: Path, word: str, rng: random.Random) -> None:
    """Change one item of a file, remove one and add one."""
    title, *sections = path.read_text(encoding="utf-8").split("\n## ")
    changed = rng.randrange(len(sections))
    sections[changed] = sections[changed].replace("\n\n", f"\n\n{word} ", 1)
    if len(sections) > 2:
        del sections[(changed + 1) % len(sections)]
    sections.append(f"{word}\n\nA new item about {word}.\n")
    path.write_text("\n## ".join([title, *sections]), encoding="utf-8")


def _step_times(index: MemoryIndex, category: str) -> list[float]:
    steps = index.refresh_steps([category])
    times: list[float] = []
    while True:
        started = time.perf_counter()
        more = next(steps, None) is not None
        times.append((time.perf_counter() - started) * 1000)
        if not more:
            return times


def _milliseconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


MEASUREMENTS: dict[str, Callable[[Path, int], Numbers]] = {
    measurement.__name__: measurement
    for measurement in (
        build,
        reference_build,
        open_bigrams,
        open_jieba,
        retrieve,
        reference_search,
        one_file,
        compaction,
    )
}


if __name__ == "__main__":
    print(json.dumps(MEASUREMENTS[sys.argv[1]](Path(sys.argv[2]), int(sys.argv[3]))))
