"""Which encoding a file that is not UTF-8 may have: each is tried strictly, the one with the likeliest text wins."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

_SAMPLE = 10_000
"""Bytes that are looked at closely."""
_BOMS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True)
class Charset:
    """An encoding by its name for Python and for people.

    Texts in it consist of characters whose first byte is one of `leads`, and many are among the `frequent` ones. What
    matches `odd` hardly stands in a text.
    """

    codec: str
    label: str
    leads: Sequence[int] = ()
    frequent: str = ""
    odd: str = "$^"

    def decode(self, data: bytes) -> str:
        """The text, whole and without a byte order mark; raises `UnicodeDecodeError`, nothing is replaced."""
        return data.decode(self.codec)

    @cached_property
    def usual(self) -> frozenset[str]:
        """The characters that stand at `leads`."""
        tails = (b"", *(bytes((trail,)) for trail in range(0x40, 0xFF)))
        codes = (bytes((lead,)) + tail for lead in self.leads for tail in tails)
        texts = {code.decode(self.codec, "replace") for code in codes}
        return frozenset(text for text in texts if len(text) == 1 and text != "\ufffd")

    def likelihood(self, text: str) -> float:
        """How much a decoded text looks like one: from 0 to 2."""
        telling = sum(not character.isascii() for character in text)
        likely = re.sub(self.odd, "", text)
        usual = sum(character in self.usual for character in likely)
        frequent = sum(character in self.frequent for character in likely)
        return (usual + frequent) / max(1, telling)


_UTF_16 = Charset("utf-16", "UTF-16")
_JAPANESE = "のにはをたがでてとしれさいるもなっすかりまんー、。"
CHARSETS = (
    Charset(
        "gb18030", "GB18030, GBK", (0xA1, 0xA3, *range(0xB0, 0xD8)),
        "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里，。",
    ),
    Charset(
        "cp950", "Big5", (0xA1, *range(0xA4, 0xC7)),
        "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡，。",
    ),
    Charset("cp932", "Shift-JIS", (0x81, 0x82, 0x83, *range(0x88, 0x98)), _JAPANESE),
    Charset("euc_jp", "EUC-JP", (0xA1, 0xA4, 0xA5, *range(0xB0, 0xD0)), _JAPANESE),
    Charset("cp949", "EUC-KR", range(0xB0, 0xC9), "이다는에가을를은의고하지도한로서기사시어나대리인"),
    Charset("cp1252", "Windows-1252", (*range(0x91, 0x98), *range(0xC0, 0x100)), "éèêëàâáãåäçüûúöôóõíîïñßæø’“”–",
            "[^\0-\x7f]{2,}"),
    Charset("cp1251", "Windows-1251", (0xA8, 0xB8, *range(0xC0, 0x100)), "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэё",
            "[а-яё][А-ЯЁ]+|[^\0-\x7fА-яЁё]+[А-яЁё]*"),
)  # fmt: skip


def choices(data: bytes) -> list[Charset]:
    """The encodings that the bytes may be meant in; not all of them need be possible."""
    return [*([_UTF_16] if data.startswith(_BOMS) else ()), *CHARSETS]


def guess(data: bytes) -> Charset | None:
    """The likeliest encoding of bytes that are not UTF-8; None when it is UTF-8 with damages, or none is possible."""
    if data.startswith(_BOMS):
        possible: Iterable[Charset] = (_UTF_16,)
    elif _is_damaged_utf8(data):
        return None
    else:
        possible = sorted(CHARSETS, key=lambda charset: -_likelihood_of_sample(charset, data))
    return next(_decodable(possible, data), None)


def _decodable(charsets: Iterable[Charset], data: bytes) -> Iterator[Charset]:
    for charset in charsets:
        try:
            text = charset.decode(data)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            yield charset


def _likelihood_of_sample(charset: Charset, data: bytes) -> float:
    decoder = codecs.getincrementaldecoder(charset.codec)()
    try:
        return charset.likelihood(decoder.decode(data[:_SAMPLE]))
    except UnicodeDecodeError:
        return -1


def _is_damaged_utf8(data: bytes) -> bool:
    """Whether most of what is not ASCII is good UTF-8."""
    text = data[:_SAMPLE].decode("utf-8", "replace")
    good = sum(not character.isascii() for character in text) - text.count("\ufffd")
    return good > 2 * text.count("\ufffd")
