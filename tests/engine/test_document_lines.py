"""Within an edited item: lines that stay keep their bytes and ends, and metadata changes pair by pair."""

from __future__ import annotations

from collections import Counter

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.engine import messy, naive_host
from tests.engine.naive_host import read_items, read_sections
from tests.engine.test_document_properties import raw_lines, same_but_for_a_missing_end, texts_of
from wikimem_desktop.engine.document import KEEP, Document

thorough = settings(max_examples=300, deadline=None)


@st.composite
def edits_of_distinct_lines(draw: st.DrawFn) -> tuple[bytes, int, int, list[str]]:
    """A file with one item `t` whose text lines all differ, and a replacement of its text lines [first:end]."""
    count = draw(st.integers(1, 7))
    body = []
    for number in range(count):
        lead, tail = draw(st.sampled_from(["", "", "  ", "\t", "\u3000"])), draw(st.sampled_from(["", "", "  "]))
        body.append(f"{lead}line {number}{tail}")
        body += draw(st.lists(st.sampled_from(["", "<!-- wikimem: owner=me | mood=ok -->"]), max_size=2))
    head = draw(st.sampled_from(["", "# title\n\n", "## other\r\n\r\ntext\r\n\r\n", "\ufeff# t\n"]))
    ends = draw(st.sampled_from([messy.breaks, messy.mixed_breaks]))
    gap = draw(st.lists(st.just(""), max_size=2))
    text = head + "".join(line + draw(ends) for line in ["## t", *gap, *body])
    text += draw(st.sampled_from(["", "\n", "\n\n## z\n\nlast"]))
    if draw(st.booleans()):
        text = text.rstrip("\r\n\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
    content = next(item for item in read_items(text.encode()) if item.name == "t").content.split("\n")
    first = draw(st.integers(0, len(content)))
    end = draw(st.integers(first, len(content)))
    fresh = [f"fresh {number}" for number in range(draw(st.integers(0, 3)))]
    return text.encode(), first, end, fresh


def text_lines(data: bytes) -> list[str]:
    """Raw lines of item `t` that make up its content, from the first that is not blank to the last."""
    section = next(s for s in read_sections(data) if s.name == "t")
    body = raw_lines(data)[section.first_line + 1 : section.end_line]
    found = [line for line in body if naive_host.comment(line) is None]
    solid = [number for number, line in enumerate(found) if line.strip()]
    return found[solid[0] : solid[-1] + 1] if solid else []


def end_of(line: str) -> str:
    return line[len(line.splitlines()[0]) :]


@given(edits_of_distinct_lines())
@thorough
def test_unchanged_lines_keep_their_bytes_and_their_ends(case: tuple[bytes, int, int, list[str]]) -> None:
    data, first, end, fresh = case
    old = text_lines(data)
    content = next(item for item in read_items(data) if item.name == "t").content.split("\n")
    wanted = content[:first] + fresh + content[end:]
    assume(wanted and wanted[0].strip() and wanted[-1].strip())
    edited = Document.from_bytes(data).with_content("t", "\n".join(wanted)).to_bytes()
    new = text_lines(edited)
    assert len(new) == len(wanted)
    kept = [*zip(old[:first], new[:first], strict=True), *zip(old[end:], new[first + len(fresh) :], strict=True)]
    if "" in content[first:end]:  # a blank line that stays is then no particular one
        kept = [(before, after) for before, after in kept if before.strip()]
    for before, after in kept:
        bare = before.removesuffix(end_of(before))
        at_an_end = before in (old[0], old[-1]) or after in (new[0], new[-1])
        if at_an_end and bare != bare.strip():  # white space at the ends of a text is none of the text's
            assert after.strip() == bare.strip()
        elif after == raw_lines(edited)[-1] and not end_of(raw_lines(data)[-1]):
            assert after.splitlines() == [bare]  # the end of the file stays as it was: without a line end
        elif (before, after) != ("\n", "\r\n"):  # behind a lone `\r` an empty line would be none
            assert after == before or (not end_of(before) and after.splitlines() == [bare])


@given(edits_of_distinct_lines())
@thorough
def test_new_lines_take_the_line_end_that_most_lines_have(case: tuple[bytes, int, int, list[str]]) -> None:
    data, first, end, fresh = case
    ends = Counter(end_of(line) for line in raw_lines(data) if end_of(line) in ("\n", "\r\n", "\r"))
    ranked = ends.most_common(2)
    assume(ranked and (len(ranked) == 1 or ranked[0][1] > ranked[1][1]))
    content = next(item for item in read_items(data) if item.name == "t").content.split("\n")
    wanted = content[:first] + fresh + content[end:]
    assume(fresh and wanted[0].strip() and wanted[-1].strip())
    lines = raw_lines(Document.from_bytes(data).with_content("t", "\n".join(wanted)).to_bytes())
    for number, line in enumerate(lines):
        if line.startswith("fresh"):
            assert end_of(line) == ranked[0][0] or (number == len(lines) - 1 and not end_of(line))


def test_one_new_line_in_a_long_text_full_of_repeats_changes_no_other() -> None:
    """A line difference that ignores frequent lines, or starts anew somewhere, would rewrite other line ends."""
    ends = ["\n", "\r\n", "\n", "\u2028"]
    text = "## t\n\n" + "".join(f"{'' if n % 2 else f'line {n % 50}'}{ends[n % 4]}" for n in range(601)) + "## z\n"
    for line in (0, 300, 600):
        content = next(item for item in read_items(text.encode()) if item.name == "t").content.split("\n")
        content[line] += " changed"
        lines = text.splitlines(keepends=True)
        old = lines[line + 2]
        lines[line + 2] = old.removesuffix(end_of(old)) + " changed\n"
        edited = Document.from_bytes(text.encode()).with_content("t", "\n".join(content)).to_bytes().decode()
        assert edited == "".join(lines)


def test_a_blank_line_is_not_lost_behind_a_lone_carriage_return() -> None:
    """Taken as bytes, `\\r` and the blank line's `\\n` would be one line break."""
    document = Document.from_bytes(b"## t\n\na\rgone\n\nb\n").with_content("t", "a\n\nb")
    assert Document.from_bytes(document.to_bytes()).items("c")[0].content == "a\n\nb"


def pairs_of(line: str) -> list[str]:
    """The pieces of a comment between `|`, byte for byte, its opening and closing cut off."""
    inside = line.strip().removeprefix("<!--").removesuffix("-->")
    return inside[inside.index("wikimem:") + len("wikimem:") :].split("|")


def key_of(pair: str) -> str:
    return pair.strip().partition("=")[0].strip() if "=" in pair else ""


@given(messy.files(min_items=1), st.integers(0, 99), st.data())
@thorough
def test_setting_fields_changes_their_pairs_and_nothing_else(data: bytes, pick: int, drawn: st.DataObject) -> None:
    items = read_items(data)
    target = items[pick % len(items)]
    values = st.sampled_from([KEEP, KEEP, None]) | messy.field_values.filter(lambda value: value.strip() != "")
    owner, source = drawn.draw(values), drawn.draw(values)
    ts = drawn.draw(st.sampled_from([KEEP, None, "2026-07-10T03:00:00+00:00"]))
    edited = Document.from_bytes(data).with_fields(target.name, owner=owner, source_conv=source, ts=ts).to_bytes()

    def read_back(value: object, old: str | None) -> str | None:
        return old if value is KEEP else value.replace("|", "/").strip() if isinstance(value, str) else None

    fields = {
        "owner": (target.owner, read_back(owner, target.owner)),
        "source": (target.source, read_back(source, target.source)),
        "ts": (target.ts, read_back(ts, target.ts)),
    }
    expected = [
        (s.name, s.content, *(new for _, new in fields.values()), s.effective) if s == target else text
        for s, text in zip(read_sections(data), texts_of(data), strict=True)
    ]
    assert texts_of(edited) == expected
    changed = {key for key, (old, new) in fields.items() if old != new}
    if not changed:
        assert edited == data
        return
    check_lines(raw_lines(data), raw_lines(edited), target, changed)


def check_lines(old: list[str], new: list[str], target: naive_host.HostSection, changed: set[str]) -> None:
    """Only the last comment changed, and in it only the pairs of `changed`; or a comment came in."""
    comments = [
        number for number in range(target.first_line, target.end_line) if naive_host.comment(old[number]) is not None
    ]
    if not comments:
        behind = len(old) - target.end_line
        added = [line for line in new[target.first_line : len(new) - behind] if naive_host.comment(line) is not None]
        assert len(added) == 1
        assert new[: target.first_line] == old[: target.first_line]
        assert new[len(new) - behind :] == old[target.end_line :]
        inside = [line for line in new[target.first_line : len(new) - behind] if line not in added]
        solid = [line for line in old[target.first_line : target.end_line] if line.strip()]
        assert same_but_for_a_missing_end(solid, [line for line in inside if line.strip()])
        return
    last = comments[-1]
    unknown = [pair for pair in pairs_of(old[last]) if key_of(pair) not in changed and pair.strip()]
    if len(new) == len(old) - 1:  # a comment that held nothing else may go
        assert (unknown, len(comments)) == ([], 1)
        assert new == old[:last] + old[last + 1 :]
        return
    assert new[:last] == old[:last]
    assert new[last + 1 :] == old[last + 1 :]
    assert end_of(new[last]) == end_of(old[last])
    kept = [pair.strip() for pair in pairs_of(new[last]) if key_of(pair) not in changed and pair.strip()]
    assert kept == [pair.strip() for pair in unknown]
