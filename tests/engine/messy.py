"""Hypothesis strategies: category files as people, agents and editors leave them, and texts to put into them."""

from __future__ import annotations

from hypothesis import strategies as st

BREAKS = ["\n", "\r\n", "\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]
"""Every line boundary that `str.splitlines` knows."""

_BREAK_CHARACTERS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
_INLINE = st.characters(exclude_characters=_BREAK_CHARACTERS, exclude_categories=["Cs"])
_WORDS = [
    "sea",
    "海边",
    "[[b:two]]",
    "x\x00y",
    "\ufeff",
    "カタカナ",
    "😀",
    "\x1f",
    "#",
    "# c",
    "|",
    "=",
    "-->",
    "<!--",
    "K",
]

blanks = st.sampled_from(["", "", " ", "\t", "\u3000", "\x1f", "   "])
gaps = st.sampled_from([" ", " ", " ", "  ", "\t", "\u00a0", "\x1f", "\u3000", " \t "])
inline = st.text(_INLINE, max_size=12)

item_names = st.sampled_from(["a", "b", "a b", "海边", "likes-the-sea", "c.d", "é", "e\u0301", "😀", "x\x00", "-", "1"])
"""Names that can be written."""

heading_names = item_names | st.sampled_from(["a  b", "a\tb", "a\u00a0b", "", " ", "closed ##", "p: q | r [[s]] #t"])
headings = st.builds(lambda gap, name, tail: f"##{gap}{name}{tail}", gaps, heading_names, blanks)
near_headings = st.sampled_from(
    ["# title", "### a", "##a", "##", "## ", " ## a", "\ufeff## a", "\u3000## a", "#### a b"]
)
fences = st.sampled_from(["```", "```md", "````", "~~~", "  ```", "> ## a"])

_pairs = st.builds(
    lambda key, sign, value: f"{key}{sign}{value}",
    st.sampled_from(["owner", "source", "ts", "mood", "Owner", " owner ", "", "x y"]),
    st.sampled_from(["=", "=", "=", " = ", "==", ""]),
    st.sampled_from(["me", "user:ann", "2026-07-10T03:00:00+00:00", "", " ", "a=b", "海", "-->", "<!--"]),
)
comments = st.builds(
    lambda lead, gap, pairs, glue, tail: f"{lead}<!--{gap}wikimem:{gap}{glue.join(pairs)}{gap}-->{tail}",
    st.sampled_from(["", "", "", "  ", "\t"]),
    st.sampled_from([" ", " ", "", "  "]),
    st.lists(_pairs, max_size=4),
    st.sampled_from([" | ", " | ", "|", " |  "]),
    st.sampled_from(["", "", "", "  ", "\u3000"]),
)
near_comments = st.sampled_from(
    [
        "<!-- wikimem owner=x -->",
        "<!-- wikimem: owner=x",
        "<!-- Wikimem: owner=x -->",
        "text <!-- wikimem: owner=x -->",
        "<!-- wikimem: owner=x --> text",
        "<!-->",
        "<!-- note -->",
        "<!--wikimem:-->",
    ]
)
texts = inline | st.lists(st.sampled_from(_WORDS), min_size=1, max_size=4).map(" ".join)
lines = st.one_of(headings, texts, texts, blanks, comments, near_headings, near_comments, fences)
breaks = st.sampled_from(["\n"] * 6 + ["\r\n"] * 4 + BREAKS)
mixed_breaks = st.sampled_from(["\n"] * 4 + ["\r"] * 4 + ["\r\n"] * 2 + BREAKS)
"""A blank line that comes to stand behind a lone `\\r` would make one line break with it."""


@st.composite
def files(draw: st.DrawFn, min_items: int = 0) -> bytes:
    """A category file as bytes."""
    parts = [line + draw(breaks) for line in draw(st.lists(lines, max_size=14))]
    for _ in range(min_items):
        section = [f"##{draw(gaps)}{draw(item_names)}", *draw(st.lists(lines, max_size=6))]
        parts += [line + draw(breaks) for line in section]
    mark = draw(st.sampled_from(["", "", "", "\ufeff# t\r\n" if min_items else "\ufeff"]))
    text = mark + "".join(parts)
    if text and draw(st.booleans()):
        text = text.rstrip(_BREAK_CHARACTERS)
    return text.encode()


@st.composite
def contents(draw: st.DrawFn) -> str:
    """A text someone may want to store, not always a storable one."""
    wanted = st.one_of(texts, texts, texts, blanks, fences, near_headings, near_comments)
    if draw(st.integers(0, 5)) == 0:
        wanted = lines
    return "".join(line + draw(breaks) for line in draw(st.lists(wanted, max_size=7)))


unstorable_contents = st.builds(
    lambda before, end, line, after: before + end + line + after,
    contents(),
    breaks,
    headings | comments | st.builds(lambda lead, name: f"{lead}## {name}", blanks, item_names),
    st.just("") | st.builds(lambda end, text: end + text, breaks, contents()),
)
"""Texts of which most hold a line that would be read as a heading or as metadata."""

field_values = st.text(_INLINE, min_size=1, max_size=10) | st.sampled_from(
    ["me", "a|b", "x -->", "k=v", " padded ", "海"]
)
"""Texts for an owner or a source, without line breaks."""
