"""What the bytes of any file may say as text, and the same bytes with the text rewritten."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator

from .charsets import guess

_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))')
_UTF_16 = ("utf-16-le", "utf-16-be")
_NO_TEXT = ("Cc", "Cn", "Co", "Cs")


def readings(data: bytes) -> Iterator[str]:
    """In any encoding that a text may have, and without JSON's escapes.

    Bytes that are UTF-8 without a NUL are not read as UTF-16, although a few Chinese characters can look so.
    """
    text = data.decode("utf-8", "replace")
    yield text
    if "\\" in text:
        yield _ESCAPE.sub(_unescaped, text)
    if b"\0" in data or "\ufffd" in text:
        for start in (0, 1):
            yield from (data[start:].decode(codec, "replace") for codec in _UTF_16)
    if b"\0" not in data and "\ufffd" in text:
        charset = guess(data)
        if charset is not None:
            yield charset.decode(data)


def rewritten(data: bytes, rewrite: Callable[[str], str]) -> bytes | None:
    """The bytes with what they say rewritten, in the encoding that they have. None where that changes nothing, or they
    are in no encoding that is known: of other bytes than a text's no one knows what they may become."""
    for codec in _codecs(data):
        try:
            text = data.decode(codec)
        except UnicodeError:
            continue
        new = rewrite(text) if codec not in _UTF_16 or _is_text(text) else text
        if new != text:
            return new.encode(codec)
    return None


def _codecs(data: bytes) -> list[str]:
    try:
        data.decode("utf-8")
    except UnicodeError:
        return [getattr(guess(data), "codec", "utf-8"), *_UTF_16]
    return ["utf-8", *(_UTF_16 if b"\0" in data else ())]


def _is_text(text: str) -> bool:
    """Whether characters can stand in a text; those of bytes that are something else hardly all can."""
    return all(c in "\t\n\r\f" or unicodedata.category(c) not in _NO_TEXT for c in text)


def _unescaped(match: re.Match[str]) -> str:
    if match[1]:
        return chr(int(match[1], 16))
    return {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}.get(match[2], match[2])
