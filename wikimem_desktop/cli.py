"""The command line without a window: `wikimem-desktop explain QUERY --store DIR`, with the numbers of the playground.

Owns its arguments, its exit codes (0 fine, 1 nothing found, 2 usage or unreadable store) and the two forms of output,
text and JSON, both UTF-8 whatever the locale. It imports no Qt; the engine does the work.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import json
import os
import re
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

from wikimem_desktop.engine.diary import Diary
from wikimem_desktop.engine.errors import InvalidTimeRange, StoreError, StoreNotFound
from wikimem_desktop.engine.explain import Cut, ExplainedRun, TermShare, explained_run
from wikimem_desktop.engine.index import MemoryIndex, Snapshot
from wikimem_desktop.engine.items import RetrievalResult, RetrievedItem
from wikimem_desktop.engine.layout import LAYOUTS
from wikimem_desktop.engine.problems import Kind, check_day
from wikimem_desktop.engine.retrieval import gather
from wikimem_desktop.engine.store import MemoryStore
from wikimem_desktop.engine.time_range import TimeRange, check_time_range
from wikimem_desktop.places import folder_argument

_PROGRAM = "wikimem-desktop"
_FINE, _NOTHING_FOUND, _FAILED = 0, 1, 2

_NO_TOKENS = "no tokens: letters other than a-z, 0-9, CJK and kana are not indexed"
_WIDEST_COLUMN = 48
_NUMBERS = (0, 3, 4)
"""The columns of the table that are aligned to the right: rank, score, tokens."""

_TEXT, _JSON, _JSON_LIST = ("", "\n", ""), ("", "", "\n"), ("[\n", ",\n", "\n]\n")
"""What stands before, between and behind the runs."""

_UNDECODED = re.compile("[\udc80-\udcff]+")
_MEANT_AS_JSON = re.compile(r'\s*(\[\s*["{]|\{\s*")')


class Failure(Exception):
    """Ends the command with exit code 2; the text tells the person why."""


@dataclass(frozen=True, slots=True)
class _Parameters:
    """How the queries are run; `tokenizer` is the one in use, "jieba" or "bigrams"."""

    limit: int
    budget_tokens: int | None
    expand_links: bool
    tokenizer: str
    time_range: TimeRange | None
    layout: str


@dataclass(frozen=True, slots=True)
class _Run:
    """A query and how it was run."""

    query: str
    parameters: _Parameters
    explained: ExplainedRun

    @property
    def result(self) -> RetrievalResult:
        return self.explained.result

    @property
    def entries(self) -> list[tuple[RetrievedItem, list[TermShare]]]:
        """All entries in order, those behind the cut included, each with what the query's terms added."""
        return [(entry, self._shares(entry)) for entry in self.explained.sequence]

    def _shares(self, entry: RetrievedItem) -> list[TermShare]:
        return self.explained.shares.get(entry.item.address, []) if entry.source == "hit" else []


def main(arguments: list[str]) -> int:
    """Run a sub-command; `arguments` begin with its name. Returns the exit code."""
    try:
        options = _parse(arguments)
        queries = [_repaired(options.query)] if options.queries is None else _read_queries(options.queries)
        return _explain(options, queries)
    except SystemExit as stop:  # argparse: usage or help, already printed
        return stop.code if isinstance(stop.code, int) else _FAILED
    except Failure as failure:
        complain(str(failure))
        return _FAILED


# ------------------------------------------------------------ arguments


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(_PROGRAM, allow_abbrev=False)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    explain = commands.add_parser(
        "explain",
        allow_abbrev=False,
        help="show what a query would inject, and why",
        description="Show what a host would inject for a query, in order, and why. "
        "Exit codes: 0 fine, 1 nothing found, 2 usage or unreadable store.",
    )
    _add_explain_arguments(explain)
    options = parser.parse_args(arguments)
    if (options.query is None) == (options.queries is None):
        explain.error("give either QUERY or --queries")
    return options


def _add_explain_arguments(explain: argparse.ArgumentParser) -> None:
    add = explain.add_argument
    add("query", metavar="QUERY", nargs="?")
    add("--store", metavar="DIR", type=folder_argument, required=True, help="the folder of the memory")
    add("--queries", metavar="FILE", help="many queries: a JSON list, or one a line; - for stdin")
    add("--limit", metavar="N", type=_count, default=10, help="hits at most (default: 10)")
    add("--budget", metavar="N", type=_count, help="tokens at most (default: no cap)")
    add("--no-links", dest="links", action="store_false", help="do not follow wiki-links of hits")
    add("--jieba", action=argparse.BooleanOptionalAction, help="cut Chinese with jieba, or into pairs of characters")
    add("--time-range", metavar="A..B", type=_days, help="days YYYY-MM-DD whose diary takes part")
    add("--layout", choices=LAYOUTS, help="how the folder is laid out (default: as its contents show)")
    add("--json", action="store_true", help="print JSON, with all numbers in full")


def _count(text: str) -> int:
    if not re.fullmatch("[0-9]{1,18}", text):
        raise argparse.ArgumentTypeError(f"write a number from 0, not {text!r}")
    return int(text)


def _days(text: str) -> TimeRange:
    first, _, last = text.partition("..")
    try:
        return check_time_range((first, last))
    except InvalidTimeRange as error:
        raise argparse.ArgumentTypeError(f"write A..B, two days YYYY-MM-DD, not {text!r}") from error


def _read_queries(source: str) -> list[str]:
    """The queries of a file ("-": standard input), which is UTF-8 whatever the locale."""
    name = "standard input" if source == "-" else source
    try:
        data = _standard_input() if source == "-" else Path(source).read_bytes()
        return _queries_in(data.decode("utf-8-sig"))
    except OSError as error:
        raise Failure(f"{name} can't be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise Failure(f"{name} holds no queries (a JSON list, or one a line): {error}") from error


def _queries_in(text: str) -> list[str]:
    """A JSON list of strings or of objects with a "query", or else one query a line; blank lines are none."""
    try:
        listed = json.loads(text)
    except (ValueError, RecursionError):
        if _MEANT_AS_JSON.match(text):
            raise
        listed = None
    if isinstance(listed, dict):
        raise ValueError("a JSON object is no list")
    if not isinstance(listed, list):
        return list(_lines(text))
    queries: list[str] = []
    for number, entry in enumerate(listed, 1):
        query = entry.get("query") if isinstance(entry, dict) else entry
        if not isinstance(query, str):
            raise ValueError(f"entry {number} is neither a string nor an object with a query")
        queries.append(query)
    return queries


def _lines(text: str) -> Iterator[str]:
    for number, line in enumerate(text.split("\n"), 1):
        if _MEANT_AS_JSON.match(line):
            raise ValueError(f"line {number} looks like JSON")
        if line.strip():
            yield line.strip()


# ------------------------------------------------------------ running


def _explain(options: argparse.Namespace, queries: Sequence[str]) -> int:
    store, snapshot = _open(options)
    _warn_of_files(options, snapshot)
    parameters = _Parameters(
        options.limit,
        options.budget,
        options.links,
        "jieba" if snapshot.postings.jieba else "bigrams",
        options.time_range,
        store.layout.name,
    )
    opening, separator, end = _JSON_LIST if options.json and options.queries else _JSON if options.json else _TEXT
    warned: set[Path] = set()
    found = False
    write(opening)
    for number, query in enumerate(queries):
        run = _run(query, snapshot, store.diary, parameters)
        _warn_of_days(store.diary, run.result.time_range, warned)
        found = found or bool(run.result.items)
        text = json.dumps(_as_json(run), ensure_ascii=False) if options.json else _as_text(run, snapshot.item_count)
        if not write((separator if number else "") + text):
            break
    write(end)
    return _FINE if found else _NOTHING_FOUND


def _open(options: argparse.Namespace) -> tuple[MemoryStore, Snapshot]:
    try:
        if not options.store.exists():
            raise StoreNotFound(options.store, "there is no such folder")
        store = MemoryStore(options.store, layout=options.layout, read_only=True)
        return store, MemoryIndex(store, use_jieba=options.jieba).snapshot
    except StoreError as error:
        raise Failure(str(error)) from error
    except OSError as error:
        raise Failure(f"{options.store}: {error.strerror or error}") from error


def _run(query: str, snapshot: Snapshot, diary: Diary, parameters: _Parameters) -> _Run:
    candidates = gather(snapshot, diary, query, parameters.time_range)
    explained = explained_run(
        candidates,
        query,
        limit=parameters.limit,
        budget_tokens=parameters.budget_tokens,
        expand_links=parameters.expand_links,
    )
    return _Run(query, parameters, explained)


def _warn_of_files(options: argparse.Namespace, snapshot: Snapshot) -> None:
    if options.jieba and not snapshot.postings.jieba:
        complain("warning: jieba is not installed; Chinese is cut into pairs of characters")
    for file in snapshot.files:
        if file.error is not None:
            complain(f"warning: {file.path} is left out: {file.error.reason}")


def _warn_of_days(diary: Diary, window: TimeRange | None, warned: set[Path]) -> None:
    """Name the day files of the window that can't be read, each once."""
    if window is None:
        return
    days = [day for day in diary.dates() if window[0] <= day <= window[1]]
    for problem in (problem for day in days for problem in check_day(diary.path(day), day).problems):
        if problem.kind in (Kind.NOT_UTF8, Kind.UNREADABLE) and problem.path not in warned:
            warned.add(problem.path)
            complain(f"warning: {problem.path} is left out: {problem.detail}")


# ------------------------------------------------------------ JSON


def _as_json(run: _Run) -> dict[str, Any]:
    result = run.result
    entries = [_entry_as_json(rank, entry, shares) for rank, (entry, shares) in enumerate(run.entries, 1)]
    return {
        "query": run.query,
        "terms": list(run.explained.terms),
        "parameters": asdict(run.parameters),
        "items": entries[: len(result.items)],
        "dropped": entries[len(result.items) :],
        "budget_tokens": result.budget_tokens,
        "budget_used": result.budget_used,
        "cut": asdict(run.explained.cut) if run.explained.cut else None,
        "embedding_used": result.embedding_used,
        "unresolved_links": result.unresolved_links,
        "time_range": result.time_range,
        "time_range_source": result.time_range_source,
        "time_range_widened": result.time_range_widened,
    }


def _entry_as_json(rank: int, entry: RetrievedItem, shares: Sequence[TermShare]) -> dict[str, Any]:
    return {
        "rank": rank,
        "category": entry.item.category,
        "name": entry.item.name,
        "source": entry.source,
        "score": entry.score,
        "bm25_score": entry.bm25_score,
        "cos_score": entry.cos_score,
        "via": entry.via,
        "matched_terms": entry.matched_terms,
        "shares": [asdict(share) for share in shares],
        "tokens_est": entry.tokens_est,
    }


# ------------------------------------------------------------ text


def _as_text(run: _Run, item_count: int) -> str:
    """The run for a person to read."""
    lines = [*_head(run, item_count), "", *_table(run)]
    if run.result.unresolved_links:
        lines += ["", f"Not found  {'  '.join(run.result.unresolved_links)}"]
    return "".join(f"{visible(line)}\n" for line in lines)


def _head(run: _Run, item_count: int) -> Iterator[str]:
    yield f"Query    {run.query}"
    yield f"Terms    {' '.join(run.explained.terms) or _NO_TOKENS}"
    if run.result.time_range:
        yield f"Days     {_window_text(run.result)}"
    yield f"Tokens   {_budget_text(run.result)}"
    yield f"Memory   {_counted(item_count, 'item')}, {run.parameters.layout} layout, {run.parameters.tokenizer}"


def _table(run: _Run) -> Iterator[str]:
    """An entry a line, the budget cut as a line between them."""
    kept = len(run.result.items)
    if not kept:
        yield "Nothing found."
    rows = [_cells(rank, entry, dropped=rank > kept) for rank, entry in enumerate(run.explained.sequence, 1)]
    widths = [min(max(map(_width, column)), _WIDEST_COLUMN) for column in zip(*rows, strict=True)]
    for at, (row, (entry, shares)) in enumerate(zip(rows, run.entries, strict=True)):
        if at == kept and run.explained.cut:
            yield _cut_text(run.explained.cut)
        cells = [
            _padded(cell, width, right=column in _NUMBERS)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join([*cells, _reasons(entry, shares)]).rstrip()


def _cells(rank: int, entry: RetrievedItem, *, dropped: bool) -> tuple[str, str, str, str, str]:
    """Rank (of a dropped entry in brackets), source, address, score, tokens."""
    score = "-" if entry.score is None else f"{entry.score:.4f}"
    return f"({rank})" if dropped else f"{rank} ", entry.source, entry.item.address, score, f"{entry.tokens_est} tok"


def _reasons(entry: RetrievedItem, shares: Sequence[TermShare]) -> str:
    """Why the entry is there: what each term adds to its score, or the hit that pulled it in."""
    reasons = [f"{share.term}{f' ×{share.times}' if share.times > 1 else ''} {share.adds:.4f}" for share in shares]
    if entry.via is not None:
        reasons.append(f"via {entry.via}")
    if entry.tokens_est == 0:
        reasons.append(
            f"(costs 0 tokens for {_counted(len(entry.item.index_text), 'character')}: they are not counted)"
        )
    return "  ".join(reasons)


def _window_text(result: RetrievalResult) -> str:
    first, last = result.time_range or ("", "")
    source = "named by the query" if result.time_range_source == "parsed" else "as given"
    return f"{first}..{last}, {source}" + (", widened by a day on both sides" if result.time_range_widened else "")


def _budget_text(result: RetrievalResult) -> str:
    entries = f"entries: {len(result.items)} in, {len(result.dropped)} dropped"
    if result.budget_tokens is None:
        return f"{result.budget_used}, no budget; {entries}"
    over = " (over budget: the first entry always stays)" if result.budget_used > result.budget_tokens else ""
    return f"{result.budget_used} of {result.budget_tokens}{over}; {entries}"


def _cut_text(cut: Cut) -> str:
    blocked = f"; it blocks {cut.blocked} smaller behind it" if cut.blocked else ""
    return f"---- Budget cut: {_counted(max(cut.left, 0), 'token')} left, the next needs {cut.needs}{blocked} ----"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _padded(cell: str, width: int, *, right: bool) -> str:
    space = " " * (width - _width(cell))
    return space + cell if right else cell + space


def _width(text: str) -> int:
    """Columns of a terminal: CJK characters take two, combining marks none."""
    marks = sum(unicodedata.category(c) in ("Mn", "Me", "Cf") for c in text)
    return len(text) - marks + sum(unicodedata.east_asian_width(c) in ("W", "F") for c in text)


def visible(line: str) -> str:
    """The line with control characters and other line ends written as escapes: memory is text, not commands."""
    if line.isprintable():
        return line
    ends = ("Cc", "Zl", "Zp")
    return "".join(ascii(c)[1:-1] if unicodedata.category(c) in ends else c for c in line)


# ------------------------------------------------------------ streams


def _standard_input() -> bytes:
    return sys.stdin.buffer.read() if sys.stdin else b""  # None: a program without a console


def _repaired(text: str) -> str:
    """The text with what a locale like C could not decode (arguments, file names) read as the UTF-8 it is."""
    return _UNDECODED.sub(
        lambda run: run[0].encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape"), text
    )


def _bytes(text: str) -> bytes:
    """UTF-8; lone surrogates become `\\udXXX`, which JSON reads back as what they were."""
    return _repaired(text).encode("utf-8", "backslashreplace")


def write(text: str) -> bool:
    """Write to standard output; False when its reader has gone."""
    stream: TextIO | None = sys.stdout  # None: a program without a console
    if stream is None:
        return True
    try:
        stream.buffer.write(_bytes(text))
        stream.buffer.flush()
    except OSError as error:
        # What is still buffered goes nowhere, or the interpreter would complain about it at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if error.errno in (errno.EPIPE, errno.EINVAL):  # Windows reports a closed pipe as EINVAL
            return False
        raise Failure(f"the output could not be written: {error.strerror}") from error
    return True


def complain(text: str) -> None:
    stream: TextIO | None = sys.stderr
    if stream is not None:
        with contextlib.suppress(OSError):  # no one reads it
            stream.buffer.write(_bytes(f"{_PROGRAM}: {visible(text)}\n"))
            stream.buffer.flush()
