"""`wikimem-desktop explain`: the numbers of the library and of the window, in text and JSON, and the exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from tests.engine.folders import fill
from wikimem_desktop.cli import main
from wikimem_desktop.engine import MemoryIndex, MemoryStore, RetrievalResult, RetrievedItem
from wikimem_desktop.presentation.searcher import Parameters, SearchRequest, run_query

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "resources" / "sample"
SHARED = Path(os.environ.get("WIKIMEM_SHARED", ROOT.parent / "shared"))
COMMAND = [sys.executable, "-c", "import sys; from wikimem_desktop.cli import main; sys.exit(main(sys.argv[1:]))"]
QUERIES = [
    "想去海边玩",
    "coffee after 14:00",
    "sea sea 海边",
    "deploy on 2026-07-21",
    "5 天前",
    "привет",
    "nonsuch",
    "",
]

Explain = Callable[..., tuple[int, str, str]]


@pytest.fixture
def explain(capfdbinary: pytest.CaptureFixture[bytes]) -> Explain:
    """Run the command in this process; exit code, standard output, standard error."""

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        code = main(["explain", *map(str, arguments)])
        out, err = capfdbinary.readouterr()
        return code, out.decode(), err.decode()

    return run


def run_process(
    *arguments: str | Path, stdin: bytes = b"", environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, "explain", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | (environment or {}),
        check=False,
    )


def entries(found: Sequence[RetrievedItem], first_rank: int = 1) -> list[dict[str, Any]]:
    """Entries as the command prints them, without the shares."""
    return [
        {"rank": rank, "category": entry.item.category, "name": entry.item.name}
        | {key: value for key, value in asdict(entry).items() if key != "item"}
        for rank, entry in enumerate(found, first_rank)
    ]


def result_of(printed: dict[str, Any]) -> dict[str, Any]:
    """What was printed of the result itself."""
    plain = {key: printed[key] for key in printed.keys() - {"query", "terms", "parameters", "cut"}}
    for part in ("items", "dropped"):
        plain[part] = [{key: entry[key] for key in entry.keys() - {"shares"}} for entry in plain[part]]
    return plain


def expected(result: RetrievalResult) -> dict[str, Any]:
    fields = asdict(result) | {"time_range": list(result.time_range) if result.time_range else None}
    return fields | {
        "items": entries(result.items),
        "dropped": entries(result.dropped, len(result.items) + 1),
    }


# ------------------------------------------------------------ the numbers


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize(
    ("options", "parameters"),
    [
        ([], {}),
        (["--limit", "3", "--budget", "200"], {"limit": 3, "budget_tokens": 200}),
        (["--no-links", "--budget", "0"], {"expand_links": False, "budget_tokens": 0}),
        (["--time-range", "2026-07-21..2026-07-20"], {"time_range": ("2026-07-21", "2026-07-20")}),
    ],
)
def test_a_query_gives_what_the_library_gives(
    explain: Explain, query: str, options: list[str], parameters: dict[str, Any]
) -> None:
    code, out, _ = explain(query, "--store", SAMPLE, "--json", *options)
    result = MemoryIndex(MemoryStore(SAMPLE, read_only=True)).retrieve(query, explain=True, **parameters)
    assert result_of(json.loads(out)) == expected(result)
    assert code == (0 if result.items else 1)


@pytest.mark.parametrize("query", QUERIES)
def test_shares_terms_and_cut_are_those_of_the_window(explain: Explain, query: str) -> None:
    store = MemoryStore(SAMPLE, read_only=True)
    snapshot = MemoryIndex(store).snapshot
    run = run_query(SearchRequest(1, snapshot, store.diary, query, Parameters(limit=5, budget=150)))
    printed = json.loads(explain(query, "--store", SAMPLE, "--json", "--limit", "5", "--budget", "150")[1])
    assert printed["terms"] == list(run.explained.terms)
    assert printed["cut"] == (asdict(run.explained.cut) if run.explained.cut else None)
    for entry in printed["items"] + printed["dropped"]:
        shares = run.explained.shares.get(f"{entry['category']}:{entry['name']}", [])
        assert entry["shares"] == [asdict(share) for share in shares]
        if entry["bm25_score"] is not None:
            assert sum(share["adds"] for share in entry["shares"]) == pytest.approx(entry["bm25_score"], abs=1e-9)


def test_the_parameters_stand_beside_the_result(explain: Explain) -> None:
    options = ["--limit", "3", "--budget", "90", "--no-links", "--no-jieba", "--time-range", "2026-07-20..2026-07-21"]
    printed = json.loads(explain("海边", "--store", SAMPLE, "--json", *options)[1])
    assert printed["query"] == "海边"
    assert printed["parameters"] == {
        "limit": 3,
        "budget_tokens": 90,
        "expand_links": False,
        "tokenizer": "bigrams",
        "time_range": ["2026-07-20", "2026-07-21"],
        "layout": "wiki",
    }


def test_jieba_is_the_default_and_bigrams_the_choice(explain: Explain) -> None:
    printed = {
        option: json.loads(explain("想去海边玩", "--store", SAMPLE, "--json", *option.split())[1])
        for option in ("", "--jieba", "--no-jieba")
    }
    assert printed[""] == printed["--jieba"]
    assert printed["--jieba"]["terms"] == ["想", "去", "海边", "玩"]
    assert printed["--no-jieba"]["terms"] == ["想去", "去海", "海边", "边玩"]
    for option, use_jieba in (("--jieba", True), ("--no-jieba", False)):
        index = MemoryIndex(MemoryStore(SAMPLE, read_only=True), use_jieba=use_jieba)
        assert result_of(printed[option]) == expected(index.retrieve("想去海边玩", explain=True))


def test_days_named_by_the_query_or_given_open_the_diary(explain: Explain) -> None:
    parsed = json.loads(explain("coffee 2026-07-21", "--store", SAMPLE, "--json")[1])
    assert (parsed["time_range"], parsed["time_range_source"]) == (["2026-07-21", "2026-07-21"], "parsed")
    given = json.loads(explain("", "--store", SAMPLE, "--json", "--time-range", "2026-07-22..2026-07-22")[1])
    assert (given["time_range_source"], given["time_range_widened"]) == ("explicit", True)
    assert [entry["name"] for entry in given["items"]] == ["22:15", "16:25", "13:10", "08:25"]
    assert given["items"][0]["score"] is None


def test_the_layout_can_be_overridden(explain: Explain, tmp_path: Path) -> None:
    fill(tmp_path, {"wiki/a.md": "## sea\n\nwiki\n", "b.md": "## sea\n\nflat\n"})
    for layout, category in (("wiki", "a"), ("flat", "b")):
        printed = json.loads(explain("sea", "--store", tmp_path, "--json", "--layout", layout)[1])
        assert [entry["category"] for entry in printed["items"]] == [category]


# ------------------------------------------------------------ text


def test_the_text_shows_the_sequence_the_cut_and_what_was_not_found(explain: Explain, tmp_path: Path) -> None:
    text = "## 海边\n\nsea sea [[notes:plan]] [[gone:x]]\n\n## plan\n\na b c d e f\n\n## sea\n\ng\n"
    fill(tmp_path, {"notes.md": text})
    code, out, err = explain("sea 海边", "--store", tmp_path, "--budget", "10", "--no-jieba")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "Query    sea 海边",
        "Terms    sea 海边",
        "Tokens   8 of 10; entries: 1 in, 2 dropped",
        "Memory   3 items, flat layout, bigrams",
        "",
        " 1   hit   notes:海边  1.4701  8 tok  sea 0.6101  海边 0.8599",
        "---- Budget cut: 2 tokens left, the next needs 7; it blocks 1 smaller behind it ----",
        "(2)  link  notes:plan       -  7 tok  via 海边",
        "(3)  hit   notes:sea   0.6539  2 tok  sea 0.6539",
        "",
        "Not found  [[gone:x]]",
    ]


def test_a_query_without_tokens_says_so(explain: Explain) -> None:
    code, out, _ = explain("привет 한국 ©", "--store", SAMPLE)
    assert code == 1
    assert "no tokens: letters other than a-z, 0-9, CJK and kana are not indexed" in out
    assert "Nothing found." in out


def test_entries_that_cost_nothing_are_marked(explain: Explain, tmp_path: Path) -> None:
    fill(tmp_path, {"notes.md": "## sea\n\n[[notes:море]]\n\n## море\n\nВ отпуске\n"})
    out = explain("sea", "--store", tmp_path)[1]
    assert "0 tok  via sea  (costs 0 tokens for 14 characters: they are not counted)" in out


def test_one_is_counted_as_one(explain: Explain, tmp_path: Path) -> None:
    fill(tmp_path, {"notes.md": "## sea\n\n[[notes:м]]\n"})
    assert "Memory   1 item, flat" in explain("sea", "--store", tmp_path)[1]
    fill(tmp_path, {"notes.md": "## sea\n\n## sea b\n"})
    assert "cut: 1 token left" in explain("sea", "--store", tmp_path, "--budget", "2")[1]


def test_a_first_entry_over_budget_is_marked(explain: Explain, tmp_path: Path) -> None:
    fill(tmp_path, {"notes.md": "## sea\n\na b c\n"})
    out = explain("sea", "--store", tmp_path, "--budget", "2")[1]
    assert "4 of 2 (over budget: the first entry always stays)" in out


def test_a_widened_window_is_named(explain: Explain) -> None:
    out = explain("canary", "--store", SAMPLE, "--time-range", "2026-07-22..2026-07-22")[1]
    assert "Days     2026-07-21..2026-07-23, as given, widened by a day on both sides" in out


def test_columns_line_up_where_cjk_takes_two(explain: Explain) -> None:
    lines = explain("想去海边玩", "--store", SAMPLE)[1].splitlines()
    rows = [line[: line.index(" tok")] for line in lines if " tok" in line]
    widths = {sum(2 if "\u2e80" <= c <= "\uffef" else 1 for c in row) for row in rows}
    assert len(rows) > 5
    assert len(widths) == 1


def test_control_characters_do_not_reach_the_terminal(explain: Explain, tmp_path: Path) -> None:
    fill(tmp_path, {"notes.md": "## sea \x1b[31mred\n\ntext\n"})
    out = explain("sea\nred", "--store", tmp_path)[1]
    assert "\x1b" not in out
    assert "notes:sea \\x1b[31mred" in out
    assert "Query    sea\\nred\n" in out


# ------------------------------------------------------------ many queries


@pytest.mark.parametrize(
    "text",
    [
        '["海边", "coffee"]',
        '\ufeff[{"query": "海边", "relevant": []}, "coffee"]',
        "海边\ncoffee\n",
        "\r\n  海边  \r\n\r\ncoffee",
    ],
)
def test_queries_are_json_or_lines(explain: Explain, tmp_path: Path, text: str) -> None:
    path = tmp_path / "queries"
    path.write_bytes(text.encode())
    code, out, _ = explain("--queries", path, "--store", SAMPLE, "--json")
    printed = json.loads(out)
    assert code == 0
    assert [run["query"] for run in printed] == ["海边", "coffee"]
    assert printed == [json.loads(explain(query, "--store", SAMPLE, "--json")[1]) for query in ("海边", "coffee")]
    assert explain("--queries", path, "--store", SAMPLE)[1].count("Query    ") == 2


@pytest.mark.parametrize("text", ["2026", '"sea"', "null", "[[notes:sea]]", "[sea", "{sea}", "{{sea}}"])
def test_a_line_that_happens_to_look_like_json_is_a_query(explain: Explain, tmp_path: Path, text: str) -> None:
    (tmp_path / "queries").write_text(text)
    out = explain("--queries", tmp_path / "queries", "--store", SAMPLE, "--json")[1]
    assert [run["query"] for run in json.loads(out)] == [text]


@pytest.mark.parametrize(
    "text",
    [
        b'["sea", 3]',
        b"[1, 2]",
        b'[["sea"]]',
        b'[{"question": "sea"}]',
        b'["sea", ',
        b'{"query": "sea"}',
        b"{}",
        b'{\n  "queries": ["sea"]\n}\n',
        b'{"query": "sea"}\n{"query": "lake"}\n',
        b'["sea"]\n["lake"]\n',
        b'sea\n{"query": "lake"}\n',
        b'{"query": "sea',
        b"\xff\xfe",
    ],
)
def test_what_holds_no_queries_is_refused(explain: Explain, tmp_path: Path, text: bytes) -> None:
    (tmp_path / "queries").write_bytes(text)
    code, out, err = explain("--queries", tmp_path / "queries", "--store", SAMPLE)
    assert (code, out) == (2, "")
    assert f"{tmp_path / 'queries'} holds no queries (a JSON list, or one a line): " in err


def test_no_queries_make_an_empty_list(explain: Explain, tmp_path: Path) -> None:
    (tmp_path / "queries").write_text("\n")
    code, out, _ = explain("--queries", tmp_path / "queries", "--store", SAMPLE, "--json")
    assert (code, json.loads(out)) == (1, [])


def test_one_query_that_finds_something_is_enough(explain: Explain, tmp_path: Path) -> None:
    (tmp_path / "queries").write_text("nonsuch\ncoffee\nnonsuch\n")
    assert explain("--queries", tmp_path / "queries", "--store", SAMPLE)[0] == 0


@pytest.mark.skipif(not (SHARED / "real").is_dir(), reason="the real memory is not beside the checkout")
def test_all_questions_about_a_real_memory_in_one_call() -> None:
    questions = (SHARED / "real" / "conv-26.queries.json").read_bytes()
    done = run_process("--queries", "-", "--json", "--store", SHARED / "real" / "conv-26", stdin=questions)
    assert (done.returncode, done.stderr) == (0, b"")
    printed = json.loads(done.stdout)
    asked = json.loads(questions)
    index = MemoryIndex(MemoryStore(SHARED / "real" / "conv-26", read_only=True))
    assert [run["query"] for run in printed] == [question["query"] for question in asked]
    for run in printed:
        assert result_of(run) == expected(index.retrieve(run["query"], explain=True))
    found = sum(
        any([entry["category"], entry["name"]] in question["relevant"] for entry in run["items"])
        for run, question in zip(printed, asked, strict=True)
    )
    assert found / len(asked) > 0.6


# ------------------------------------------------------------ exit codes and warnings


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["sea"],
        ["--store", str(SAMPLE)],
        ["sea", "lake", "--store", str(SAMPLE)],
        ["sea", "--queries", "-", "--store", str(SAMPLE)],
        ["sea", "--store", str(SAMPLE), "--limit", "-1"],
        ["sea", "--store", str(SAMPLE), "--limit", "1_0"],
        ["sea", "--store", str(SAMPLE), "--limit", " 10"],
        ["sea", "--store", str(SAMPLE), "--limit", "+10"],
        ["sea", "--store", str(SAMPLE), "--limit", "１０"],
        ["sea", "--store", str(SAMPLE), "--limit", "10\n"],
        ["sea", "--store", str(SAMPLE), "--limit", ""],
        ["sea", "--store", str(SAMPLE), "--limit", "1" * 5000],
        ["sea", "--store", str(SAMPLE), "--budget", "many"],
        ["sea", "--store", ""],
        ["sea", "--store", str(SAMPLE), "--time-range", "2026-07-20"],
        ["sea", "--store", str(SAMPLE), "--time-range", "2026-02-30..2026-03-01"],
        ["sea", "--store", str(SAMPLE), "--layout", "tree"],
        ["sea", "--store", str(SAMPLE), "--lim", "3"],
    ],
)
def test_wrong_usage_is_exit_code_2(explain: Explain, arguments: list[str]) -> None:
    code, out, err = explain(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("usage: wikimem-desktop")


def test_help_is_exit_code_0(explain: Explain) -> None:
    code, out, _ = explain("--help")
    assert code == 0
    assert "--time-range A..B" in out


def test_a_query_may_begin_with_a_dash(explain: Explain) -> None:
    assert json.loads(explain("--store", SAMPLE, "--json", "--", "-coffee")[1])["query"] == "-coffee"


@pytest.mark.parametrize("name", ["missing", "file"])
def test_a_folder_that_cannot_be_opened_is_named(explain: Explain, tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("no folder")
    code, out, err = explain("sea", "--store", tmp_path / name)
    assert (code, out) == (2, "")
    assert str(tmp_path / name) in err


def test_a_folder_that_may_not_be_read_is_named(
    explain: Explain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "wiki").mkdir()

    def refuse(path: object) -> list[str]:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "listdir", refuse)
    code, _, err = explain("sea", "--store", tmp_path)
    assert (code, err) == (2, f"wikimem-desktop: {tmp_path / 'wiki'}: Permission denied\n")


def test_a_file_of_queries_that_cannot_be_read_is_named(explain: Explain, tmp_path: Path) -> None:
    code, _, err = explain("--queries", tmp_path / "missing", "--store", SAMPLE)
    assert code == 2
    assert f"{tmp_path / 'missing'} can't be read" in err


def test_files_set_aside_are_named_once(explain: Explain, tmp_path: Path) -> None:
    text = "## 10:00\n\nsea\n"
    files: dict[str, str | bytes] = {"wiki/a.md": "## sea\n\ntext\n", "wiki/b.md": b"\xff", "wiki/c.md/": ""}
    fill(
        tmp_path, files | {"diary/2026-07-20.md": text, "diary/2026-07-21.md": b"\xff", "diary/2026-07-22.md": b"\xff"}
    )
    (tmp_path / "queries").write_text("sea 2026-07-20\nsea 2026-07-21\nlake 2026-07-21\n")
    code, out, err = explain("--queries", tmp_path / "queries", "--store", tmp_path, "--json")
    assert code == 0
    assert [len(run["items"]) for run in json.loads(out)] == [2, 2, 0]
    warnings = err.splitlines()
    assert [line.split(" is left out")[0] for line in warnings] == [
        f"wikimem-desktop: warning: {tmp_path / name}"
        for name in ("wiki/b.md", "wiki/c.md", "diary/2026-07-21.md", "diary/2026-07-22.md")
    ]
    assert "not UTF-8 (byte 0)" in warnings[0]


def test_nothing_is_written_to_the_store(explain: Explain, tmp_path: Path) -> None:
    fill(tmp_path, {"notes.md": "## sea\n\ntext\n"})
    explain("sea", "--store", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.md"]


# ------------------------------------------------------------ as a process


def test_no_qt_is_imported() -> None:
    code = f"""
import sys
from wikimem_desktop.cli import main
main(["explain", "coffee", "--store", {str(SAMPLE)!r}])
sys.exit(3 if {{"PySide6", "shiboken6"}} & set(sys.modules) else 0)
"""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment, check=False).returncode == 0
    )


def test_input_and_output_are_utf8_whatever_the_locale(tmp_path: Path) -> None:
    store = fill(tmp_path / "记忆", {"旅行.md": "## 海边\n\n沙滩 [[旅行:船票]]\n"})
    for environment in ({"LC_ALL": "C", "PYTHONUTF8": "0"}, {"LC_ALL": "C.UTF-8"}):
        by_argument = run_process("海边", "--no-jieba", "--json", "--store", store, environment=environment)
        assert by_argument.returncode == 0, by_argument.stderr
        printed = json.loads(by_argument.stdout.decode())
        assert (printed["query"], printed["terms"]) == ("海边", ["海边"])
        assert (printed["items"][0]["category"], printed["items"][0]["name"]) == ("旅行", "海边")
        by_stdin = run_process(
            "--queries", "-", "--no-jieba", "--store", store, stdin="海边\n".encode(), environment=environment
        )
        assert "旅行:海边" in by_stdin.stdout.decode()
        assert "[[旅行:船票]]" in by_stdin.stdout.decode()
        failed = run_process("海边", "--store", store / "没有", environment=environment)
        assert (failed.returncode, str(store / "没有") in failed.stderr.decode()) == (2, True)


def test_a_lone_surrogate_comes_back_as_it_was(explain: Explain, tmp_path: Path) -> None:
    (tmp_path / "queries").write_text('["coffee \\ud83d"]')
    out = explain("--queries", tmp_path / "queries", "--store", SAMPLE, "--json")[1]
    assert json.loads(out)[0]["query"] == "coffee \ud83d"


@pytest.mark.parametrize("option", [[], ["--json"]])
def test_a_reader_that_leaves_ends_it_quietly(tmp_path: Path, option: list[str]) -> None:
    (tmp_path / "queries").write_text("coffee\n" * 2000)
    arguments = ["explain", "--queries", str(tmp_path / "queries"), "--store", str(SAMPLE), *option]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        complaints = process.stderr.read().splitlines()
        process.wait(30)
    assert process.returncode == 0
    assert [line for line in complaints if b"old-notes.md is left out" not in line] == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_output_that_cannot_be_written_is_exit_code_2() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "explain", "coffee", "--store", str(SAMPLE)],
            stdout=full,
            stderr=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            check=False,
        )
    assert done.returncode == 2
    assert b"the output could not be written" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="closes descriptors in a shell")
def test_a_program_without_a_console_still_answers_with_its_exit_code() -> None:
    shell = ["sh", "-c", 'exec "$@" >&- 2>&- <&-', "sh", *COMMAND, "explain", "coffee", "--store", str(SAMPLE)]
    done = subprocess.run(shell, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=False)
    assert done.returncode == 0
