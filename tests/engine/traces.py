"""Looks for a text in every file below a folder, in whatever way it may be written there."""

from __future__ import annotations

import contextlib
import json
import unicodedata
import zlib
from pathlib import Path

_ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be", "gb18030", "cp1252")


def grep(folder: Path, text: str) -> list[str]:
    """The files whose name or bytes (unpacked, too) hold the text."""
    forms = set(_forms(text))
    found = []
    for path in sorted(folder.rglob("*")):
        data = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        packed = [data]
        with contextlib.suppress(zlib.error):
            packed.append(zlib.decompress(data))
        name = str(path.relative_to(folder)).encode("utf-8", "surrogateescape")
        if any(form in content for form in forms for content in (name, *packed)):
            found.append(str(path.relative_to(folder)))
    return found


def _forms(text: str) -> list[bytes]:
    texts = [unicodedata.normalize(form, text) for form in ("NFC", "NFD")]
    texts += [json.dumps(form)[1:-1] for form in texts] + [form.replace("\n", "\r\n") for form in texts]
    forms = []
    for form in texts:
        for encoding in _ENCODINGS:
            with contextlib.suppress(UnicodeEncodeError):
                forms.append(form.encode(encoding))
    return forms
