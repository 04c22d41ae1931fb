"""Finding in all files, and replacing there: against a plain reference, and every other byte stays."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.folders import fill, tree
from wikimem_desktop.engine.replacing import Replacement, replace_lines, replacement_steps
from wikimem_desktop.engine.search import Finder, Found, Hit, search_steps
from wikimem_desktop.engine.store import MemoryStore

PREFS = (
    "# prefs\n\nabove sea\n\n## sea\n\nlikes the sea [[plans:beach]]\n\n"
    "<!-- wikimem: owner=sea | ts=2026-07-10T03:00:00+00:00 -->\n\n## twice\n\none sea\n\n## twice\n\ntwo sea\n"
)
STORE: dict[str, str | bytes] = {
    "wiki/prefs.md": PREFS,
    "wiki/bad.md": b"\xff sea",
    "diary/2026-07-20.md": "# 2026-07-20\n\n## 09:00\n\nat the sea\n",
}


def finder(text: str, *, regex: bool = False) -> Finder:
    return Finder(re.compile(text if regex else re.escape(text), re.MULTILINE | re.IGNORECASE), plain=not regex)


def search(store: MemoryStore, wanted: Finder) -> list[Found]:
    return list(search_steps(store, wanted))


def hits(store: MemoryStore, wanted: Finder) -> list[Hit]:
    return [hit for found in search(store, wanted) for hit in found.hits]


def previews(store: MemoryStore, wanted: Finder, template: str) -> list[Replacement]:
    return [r for step in replacement_steps(store, wanted, template, lambda link: False) for r in step]


def test_names_texts_metadata_and_the_diary_are_searched(tmp_path: Path) -> None:
    store = MemoryStore(fill(tmp_path, STORE))
    found = hits(store, finder("SEA"))
    assert [(hit.key, hit.line, hit.section, hit.occurrence) for hit in found] == [
        ("prefs", 3, "", None), ("prefs", 5, "sea", None), ("prefs", 7, "sea", None), ("prefs", 9, "sea", None),
        ("prefs", 13, "twice", 0), ("prefs", 17, "twice", None), ("diary/2026-07-20", 5, "09:00", None),
    ]  # fmt: skip
    assert [found.key for found in search(store, finder("sea")) if found.left_out == "unreadable"] == ["bad"]


def test_an_expression_that_takes_too_long_leaves_the_file_out(tmp_path: Path) -> None:
    store = MemoryStore(fill(tmp_path, {"slow.md": f"## b\n\nx1\n{'a' * 60}!\nx2\n", "quick.md": "## b\n\nx3\n"}))
    found = search(store, finder(r"(?:a|aa)+$|x\d", regex=True))
    assert [hit.text for step in found for hit in step.hits] == ["x3", "x1"]
    assert [step.key for step in found if step.left_out == "slow"] == ["slow"]


@pytest.mark.parametrize("template", [r"\9", r"\g<no>", r"\g<", "\\"])
def test_a_replacement_that_means_nothing_is_an_error(tmp_path: Path, template: str) -> None:
    store = MemoryStore(fill(tmp_path, {"a.md": "## a\n\nsea\n"}))
    with pytest.raises(re.error):
        previews(store, finder("(s)ea", regex=True), template)
    assert previews(store, finder("sea"), template)[0].after == template


def test_what_would_change_more_than_text_is_told(tmp_path: Path) -> None:
    store = MemoryStore(fill(tmp_path, STORE))
    found = {r.hit.line: r for r in previews(store, finder("sea"), "x|y") if r.hit.key == "prefs"}
    assert {line: r.against for line, r in found.items()} == {
        3: "", 5: "heading", 7: "", 9: "metadata", 13: "", 17: "",
    }  # fmt: skip
    splitting = previews(store, finder(r"two (?=sea)", regex=True), r"two\n## ")
    assert [(r.after, r.against) for r in splitting] == [("two\n## sea", "item")]
    comment = previews(store, finder(r"^two sea", regex=True), "<!-- wikimem: owner=x -->")
    assert [r.against for r in comment] == ["metadata"]
    broken = previews(store, finder("beach"), "shore")
    assert [link.render() for link in broken[0].broken] == ["[[plans:shore]]"]


def test_groups_and_several_lines(tmp_path: Path) -> None:
    store = MemoryStore(fill(tmp_path, {"a.md": "## a\r\n\r\nkey=value\r\nend\r\n"}))
    (one,) = previews(store, finder(r"(\w+)=(\w+)", regex=True), r"\2\n\1")
    change = replace_lines(store, [one])
    store.change(change.files, change.records)
    assert store.path("a").read_bytes() == b"## a\r\n\r\nvalue\r\nkey\r\nend\r\n"


LINES = st.lists(
    st.text(st.sampled_from("ab海 #-|\t\x85\u2028é😀"), max_size=12).map(lambda line: line.rstrip("\r")), max_size=12
)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])


@st.composite
def files(draw: st.DrawFn) -> str:
    lines = draw(LINES)
    return "".join(line + draw(ENDS) for line in lines) + draw(st.sampled_from(["", "last a", "\n## b\n\nab\n"]))


@settings(max_examples=200, deadline=None)
@given(
    texts=st.lists(files(), min_size=1, max_size=3),
    wanted=st.sampled_from(["a", "A", "ab", "海", r"(a)(b)?", r"\s+", "b$", "^a", "[海é]+"]),
    template=st.sampled_from(["", "Q", "海😀", "ab ab"]),
    data=st.data(),
)
def test_results_and_bytes_equal_a_plain_reference(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], wanted: str, template: str, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("store")
    store = MemoryStore(fill(folder, {f"f{n}.md": text.encode() for n, text in enumerate(texts)}))
    pattern = re.compile(wanted, re.IGNORECASE | re.MULTILINE)
    expected = []
    for number, text in enumerate(texts):
        for at, line in enumerate(text.splitlines()):
            spans = tuple(match.span() for match in pattern.finditer(line))
            expected += [(f"f{number}", at, spans)] if spans else []
    found = previews(store, finder(wanted, regex=True), template)
    assert [(r.hit.key, r.hit.at, r.hit.spans) for r in found] == expected

    chosen = [r for r in found if data.draw(st.booleans())]
    before = tree(folder)
    change = replace_lines(store, chosen)
    done = store.change(change.files)
    for number, text in enumerate(texts):
        lines = text.splitlines(keepends=True)
        for r in chosen:
            if r.hit.key == f"f{number}":
                line = r.hit.text
                lines[r.hit.at] = pattern.sub(lambda _: template, line) + lines[r.hit.at][len(line) :]
        assert store.path(f"f{number}").read_bytes().decode() == "".join(lines)
    back = done.reversed()
    store.change(back.files)
    assert {k: v for k, v in tree(folder).items() if k.endswith(".md")} == before
