"""A file system that knows no case, where the machine has none: files are found by a name in any case."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from wikimem_desktop.engine import atomic

VARIABLE = "WIKIMEM_TEST_CASE"
"""Set for programs that are started: one of `WAYS`."""
WAYS = ["minded", "respelled", "kept"]
"""What the file system does with case: minds it; finds files in any case and takes a name that differs in case only; or
finds files in any case and does nothing when the new name is found as the old one (vfat and ext4 of Linux)."""


def take_case_away(way: str, patch: Callable[[Any, str, Any], object]) -> None:
    """`patch` sets an attribute."""
    if way == "minded":
        return
    for owner, name in ((os, "stat"), (os, "lstat"), (os, "open"), (os, "unlink"), (io, "open")):
        patch(owner, name, _finding(getattr(owner, name)))
    replace = os.replace

    def replace_in_any_case(source: Any, target: Any) -> None:
        source, found = _found(source), _found(target)
        if source != found:
            replace(source, found)
        elif way == "respelled":
            replace(source, target)

    patch(os, "replace", replace_in_any_case)
    patch(atomic, "exchange", lambda one, other: False)


def _finding(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(path: Any, *arguments: Any, **options: Any) -> Any:
        return function(_found(path), *arguments, **options)

    return call


def _found(path: Any) -> Any:
    """The file as it is spelled on disk, when there is one."""
    if not isinstance(path, (str, Path)):
        return path
    folder, name = os.path.split(os.fspath(path))
    try:
        names = os.listdir(folder or ".")
    except OSError:
        return path
    alike = [other for other in names if other.casefold() == name.casefold()]
    return path if name in names or not alike else type(path)(os.path.join(folder, alike[0]))
