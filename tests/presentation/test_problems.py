"""What the checks find in a store: each trap once, at its line, and nothing where nothing is wrong."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.engine.folders import fill
from wikimem_desktop.engine.checks import Checker
from wikimem_desktop.engine.index import build_steps, run_to_end
from wikimem_desktop.engine.problems import Kind, Problem, check_budget
from wikimem_desktop.engine.store import MemoryStore

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="names and links that Windows does not have")


def problems_of(root: Path) -> list[Problem]:
    store = MemoryStore(root, read_only=True)
    snapshot = run_to_end(build_steps(store, use_jieba=False))
    return list(run_to_end(Checker().steps(snapshot, store, store.diary.dates())).problems)


def found(root: Path, files: dict[str, str | bytes]) -> list[tuple[Kind, int, str]]:
    return sorted((p.kind, p.line, p.subject) for p in problems_of(fill(root, files)))


def test_a_store_in_order_has_no_problems(tmp_path: Path) -> None:
    text = "# t\n\nhello\n\n## a\n\n[[t:b]] [[ t : b ]]\n\n<!-- wikimem: owner=x -->\n\n## b\n\n```\n# c\n```\n"
    diary = "# 2026-07-20\n\n## 08:00\n\nx\n\n## 08:01\n\ny\n"
    assert found(tmp_path, {"wiki/t.md": text, "diary/2026-07-20.md": diary, "journal.jsonl": "{}\n"}) == []


@pytest.mark.parametrize("fence", ["```", "````", "~~~", "```md", "  ~~~~ text", "   ```"])
@pytest.mark.parametrize("closed", [True, False])
def test_b01_w04_a_heading_in_a_fence_is_found_at_its_line(fence: str, closed: bool, tmp_path: Path) -> None:
    closing = fence.strip().split()[0].rstrip("md") if closed else ""
    text = f"# work\n\n## install\n\nRun this:\n\n{fence}\n# Title\n## Installation\ntext\n{closing}\n"
    assert found(tmp_path, {"work.md": text}) == [(Kind.HEADING_IN_FENCE, 9, "Installation")]


@pytest.mark.parametrize("fence", ["```", "````", "~~~", "  ```"])
def test_b02_comments_in_code_are_no_problem(fence: str, tmp_path: Path) -> None:
    text = f"## code\n\n{fence}\n# comment\n### deeper\n\tx ## y\n{fence.strip()}\n"
    assert found(tmp_path, {"work.md": text}) == []


def test_b02_a_shorter_or_other_fence_does_not_close_one(tmp_path: Path) -> None:
    text = "## a\n\n````\n```\n## inside\n~~~~\n````\n\n## outside\n\n~~~\n```\n## inside too\n~~~\n"
    assert found(tmp_path, {"work.md": text}) == [
        (Kind.HEADING_IN_FENCE, 5, "inside"),
        (Kind.HEADING_IN_FENCE, 13, "inside too"),
    ]


def test_metadata_in_a_fence_is_found(tmp_path: Path) -> None:
    text = "## a\n\n```\n<!-- wikimem: owner=x -->\n```\n\n<!-- wikimem: owner=y -->\n"
    assert found(tmp_path, {"work.md": text}) == [(Kind.METADATA_IN_FENCE, 4, "a")]


def test_b04_w02_repeated_names_are_listed_and_links_to_them_are_ambiguous(tmp_path: Path) -> None:
    text = "## a\n\none\n\n## b\n\n[[work:a]]\n\n## a\n\ntwo\n\n## a\n\nthree [[work:b]]\n"
    assert found(tmp_path, {"work.md": text}) == [
        (Kind.AMBIGUOUS_LINK, 7, "[[work:a]]"),
        (Kind.SHADOWED, 1, "a"),
        (Kind.SHADOWED, 9, "a"),
    ]
    shadowed = [p for p in problems_of(tmp_path) if p.kind is Kind.SHADOWED]
    assert [(p.category, p.item, p.detail) for p in shadowed] == [("work", "a", "13")] * 2


def test_b08_a_link_of_another_unicode_form_is_found_and_is_not_merely_missing(tmp_path: Path) -> None:
    links = "[[ work : \u00fcber ]] [[work:u\u0308ber]]"
    text = f"## caf\u00e9\n\n[[work:cafe\u0301]] [[work:tee]]\n\n## u\u0308ber\n\n{links}\n"
    assert found(tmp_path, {"work.md": text}) == [
        (Kind.FORM_MISMATCH, 3, "[[work:cafe\u0301]]"),
        (Kind.FORM_MISMATCH, 7, "[[work:\u00fcber]]"),
        (Kind.UNRESOLVED_LINK, 3, "[[work:tee]]"),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_b10_a_heading_right_behind_a_byte_order_mark_is_found(end: str, tmp_path: Path) -> None:
    text = "\ufeff## lost\n\nx\n\n## found\n\ny\n".replace("\n", end)
    assert found(tmp_path, {"imported.md": text}) == [(Kind.BOM_BEFORE_HEADING, 1, "lost")]
    assert found(tmp_path, {"imported.md": "\ufeff# title\n\n## found\n"}) == []


def test_b11_w06_what_is_no_utf8_or_no_file_is_listed_and_the_rest_is_checked(tmp_path: Path) -> None:
    bad = "## 名字\n\n内容\n".encode("gbk")
    files: dict[str, str | bytes] = {
        "gbk.md": bad,
        "folder.md/": "",
        "._x.md": b"\0",
        "good.md": "## a\n\n[[gone:x]]\n",
    }
    assert found(tmp_path, files) == [
        (Kind.NOT_UTF8, 0, "gbk.md"),
        (Kind.UNREADABLE, 0, "._x.md"),
        (Kind.UNREADABLE, 0, "folder.md"),
        (Kind.UNRESOLVED_LINK, 3, "[[gone:x]]"),
    ]


@posix_only
def test_w06_a_dangling_link_is_listed(tmp_path: Path) -> None:
    (tmp_path / "gone.md").symlink_to(tmp_path / "nowhere.md")
    assert found(tmp_path, {"good.md": "## a\n"}) == [(Kind.UNREADABLE, 0, "gone.md")]


@pytest.mark.parametrize(
    ("separator", "code"),
    [("\u2028", "2028"), ("\u2029", "2029"), ("\x85", "0085"), ("\x0c", "000C"), ("\x0b", "000B")],
)
def test_w05_unusual_line_breaks_are_found_once_an_item(separator: str, code: str, tmp_path: Path) -> None:
    text = f"# t\n\n## a\n\none{separator}two\nthree{separator}four\n\n## b\n\nx\n\n## c\n\ny{separator}z\n"
    assert found(tmp_path, {"notes.md": text}) == [(Kind.ODD_SEPARATOR, 5, "a"), (Kind.ODD_SEPARATOR, 14, "c")]
    assert {problem.detail for problem in problems_of(tmp_path)} == {f"U+{code}"}


def test_w05_a_lone_carriage_return_is_unusual_and_crlf_is_not(tmp_path: Path) -> None:
    assert found(tmp_path, {"notes.md": "## a\r\n\r\none\r\n"}) == []
    assert found(tmp_path, {"notes.md": "## a\r\n\r\none\rtwo\r\n"}) == [(Kind.ODD_SEPARATOR, 3, "a")]


@pytest.mark.parametrize("name", ["My Notes", "Ünïcode", "UPPER", "a.b", "-x", ".hidden"])
def test_w07_names_that_hosts_cannot_write_are_found(name: str, tmp_path: Path) -> None:
    assert found(tmp_path, {f"{name}.md": "## a\n"}) == [(Kind.FOREIGN_NAME, 0, f"{name}.md")]


def test_w07_files_that_hosts_do_not_read_are_no_problem(tmp_path: Path) -> None:
    assert found(tmp_path, {"Q.MD": "## a\n", "sub/My Notes.md": "## a\n", "x.txt": "", "x.tmp": b"\xff"}) == []


def test_w09_broken_journal_lines_are_found_by_number(tmp_path: Path) -> None:
    journal = '{"ts": "x"}\n\nno json\n[1]\n{"ts": "y"}\n{"torn'
    assert found(tmp_path, {"journal.jsonl": journal}) == [
        (Kind.BROKEN_JOURNAL_LINE, line, "journal.jsonl") for line in (3, 4, 6)
    ]


def test_w11_links_are_judged_as_hosts_do_in_code_with_aliases_and_by_case(tmp_path: Path) -> None:
    text = "## a\n\n`[[gone:x]]` [[notes:a|alias]]\n\n```\n[[Notes:a]]\n```\n\n[[notes:A]] [[notes:a]]\n"
    assert found(tmp_path, {"notes.md": text}) == [
        (Kind.ALIAS_LINK, 3, "[[notes:a|alias]]"),
        (Kind.CASE_MISMATCH, 6, "[[Notes:a]]"),
        (Kind.UNRESOLVED_LINK, 3, "[[gone:x]]"),
        (Kind.UNRESOLVED_LINK, 9, "[[notes:A]]"),
    ]


def test_w11_a_link_that_is_missing_twice_is_listed_at_both_places(tmp_path: Path) -> None:
    text = "## a\n\n[[gone:x]]\n\n## b\n\n[[gone:x]]\n"
    assert found(tmp_path, {"notes.md": text}) == [
        (Kind.UNRESOLVED_LINK, 3, "[[gone:x]]"),
        (Kind.UNRESOLVED_LINK, 7, "[[gone:x]]"),
    ]


def test_links_of_shadowed_sections_and_of_metadata_are_nobodys(tmp_path: Path) -> None:
    text = "## a\n\n[[gone:x]]\n\n## a\n\n<!-- wikimem: owner=[[gone:y]] -->\n"
    assert [kind for kind, _, _ in found(tmp_path, {"notes.md": text})] == [Kind.SHADOWED]


def test_a_day_with_a_minute_twice_or_bytes_that_are_no_text_is_found(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "wiki/": "",
        "diary/2026-07-20.md": "# 2026-07-20\n\n## 10:40\n\na\n\n## 10:40\n\nb\n",
        "diary/2026-07-21.md": b"## 10:40\n\n\xff\n",
        "diary/notes.md": b"\xff",
    }
    assert found(tmp_path, files) == [(Kind.NOT_UTF8, 0, "2026-07-21.md"), (Kind.SAME_MINUTE, 7, "10:40")]


def test_every_kind_of_problem_is_found_by_a_test_here() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    assert [kind for kind in Kind if f"Kind.{kind.name}" not in source] == []


@posix_only
def test_b60_a_conflict_copy_is_listed_with_its_original_and_read_as_hosts_do(tmp_path: Path) -> None:
    root = fill(tmp_path, {"prefs.md": "## a\n\nx\n", "prefs_conflict-20260101.md": "## b\n\ny\n"})
    problems = problems_of(root)
    assert [(p.kind, p.subject, p.detail) for p in problems] == [
        (Kind.CONFLICT_COPY, "prefs_conflict-20260101.md", "prefs.md")
    ]
    assert MemoryStore(root).get("prefs_conflict-20260101", "b") is not None


@pytest.mark.parametrize("name", ["a|b", "a:b", "a#b", "[[a"])
def test_w10_a_name_that_no_link_reaches_is_found(name: str, tmp_path: Path) -> None:
    assert found(tmp_path, {"t.md": f"## {name}\n\nx\n"}) == [(Kind.UNLINKABLE_NAME, 1, name)]


@pytest.mark.parametrize(
    ("link", "kind"),
    [("[[t:b|c]]", Kind.ALIAS_LINK), ("[[T:b]]", Kind.CASE_MISMATCH), ("[[t:x|c]]", Kind.UNRESOLVED_LINK)],
)
def test_w11_a_link_that_is_nearly_right_says_what_is_wrong(link: str, kind: Kind, tmp_path: Path) -> None:
    assert found(tmp_path, {"t.md": f"## a\n\n{link}\n\n## b\n\nx\n"}) == [(kind, 3, link)]


@pytest.mark.parametrize(("text", "expected"), [("привет", True), ("한국어 🎉", True), ("海", False), ("À1", False)])
def test_an_item_without_tokens_is_found(text: str, expected: bool, tmp_path: Path) -> None:
    assert found(tmp_path, {"t.md": f"## да\n\n{text}\n"}) == ([(Kind.NO_TOKENS, 1, "да")] if expected else [])


@pytest.mark.parametrize("line", ["<!-- wikimem: owner=x", "<!-- wikimem owner=x -->", "<!-- wikimem: a=b --> text"])
def test_malformed_metadata_is_found_outside_code(line: str, tmp_path: Path) -> None:
    text = f"## a\n\nx\n\n{line}\n\n~~~\n{line}\n~~~\n"
    assert found(tmp_path, {"t.md": text}) == [(Kind.MALFORMED_METADATA, 5, line)]


def test_items_that_nearly_say_the_same_are_told_once_with_both_addresses(tmp_path: Path) -> None:
    text = "We walk to the harbour each Sunday and are back before the church bells ring."
    root = fill(tmp_path, {"a.md": f"## one\n\n{text}\n", "b.md": f"## two\n\n{text} Always.\n\n## three\n\nother\n"})
    assert [(p.kind, p.subject, p.detail, p.path.name) for p in problems_of(root)] == [
        (Kind.NEAR_DUPLICATE, "b:two", "a:one", "b.md")
    ]


@pytest.mark.parametrize(("budget", "names"), [(None, []), (4, ["b"]), (3, ["b", "a"]), (100, [])])
def test_items_that_no_run_with_the_budget_can_hold_are_told_the_largest_first(
    budget: int | None, names: list[str], tmp_path: Path
) -> None:
    store = MemoryStore(fill(tmp_path, {"n.md": "## a\n\none two three\n\n## b\n\none two three four\n\n## c\n\nx\n"}))
    found = check_budget(run_to_end(build_steps(store, use_jieba=False)), budget)
    assert [(p.kind, p.item) for p in found] == [(Kind.OVER_BUDGET, name) for name in names]
