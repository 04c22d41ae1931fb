"""Store folders for tests: written from texts, read back whole."""

from __future__ import annotations

from pathlib import Path

TS = "2026-07-10T03:00:00+00:00"


def fill(root: Path, files: dict[str, str | bytes]) -> Path:
    """Write files by their path below the root; a path that ends in `/` makes a folder."""
    root.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        path = root / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


def tree(root: Path) -> dict[str, bytes | None]:
    """Everything below a folder: the bytes of files, None for folders, the target of links."""
    found: dict[str, bytes | None] = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_symlink():
            found[name] = b"-> " + str(path.readlink()).encode()
        else:
            found[name] = None if path.is_dir() else path.read_bytes()
    return found


def categories_of(files: dict[str, bytes | None]) -> dict[str, bytes | None]:
    """The markdown files of a tree."""
    return {name: data for name, data in files.items() if name.endswith(".md")}
