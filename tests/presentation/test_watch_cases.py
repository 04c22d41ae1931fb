"""What watchers of other tools missed, or saw for ever: cases B51 to B55, each seen by events alone."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.engine.folders import fill
from tests.presentation.house import House, write_outside
from tests.presentation.others import save_like_emacs, save_like_vim
from wikimem_desktop.engine.store import MemoryStore

FILES: dict[str, str | bytes] = {
    "wiki/a.md": "## a\n\nold\n",
    "diary/2026-07-01.md": "## 10:00\n\nx\n",
    "journal.jsonl": "",
}
NEW = b"## a\n\nnew\n"


@pytest.fixture
def store(house: House, tmp_path: Path) -> Path:
    """An open wiki store with a diary; nobody looks at the disk unless told."""
    root = fill(tmp_path / "store", FILES)
    house.open(root)
    return root


# ------------------------------------------------------------ B51: folders and files that are new


def test_b51_a_wiki_folder_that_is_deleted_and_made_anew_is_followed(house: House, store: Path) -> None:
    shutil.rmtree(store / "wiki")
    house.until(lambda: house.snapshot.item_count == 0)
    fill(store, {"wiki/b.md": "## b\n\none\n"})
    house.until(lambda: house.content("b", "b") == "one")
    write_outside(store / "wiki" / "b.md", b"## b\n\ntwo\n")
    house.until(lambda: house.content("b", "b") == "two")


def test_b51_a_wiki_folder_that_is_replaced_in_one_go_is_followed(house: House, store: Path) -> None:
    for text in ("one", "two"):
        shutil.rmtree(store / "wiki")
        fill(store, {"wiki/a.md": f"## a\n\n{text}\n"})
        house.until(lambda text=text: house.content("a", "a") == text)  # type: ignore[misc]


def test_b51_a_new_category_and_a_new_day_are_followed(house: House, store: Path) -> None:
    fill(store, {"wiki/new.md": "## n\n\none\n"})
    house.until(lambda: house.content("new", "n") == "one")
    fill(store, {"diary/2026-07-02.md": "## 10:00\n\ny\n"})
    house.until(lambda: house.library.days == ("2026-07-01", "2026-07-02"))


def test_b51_a_diary_that_begins_while_the_store_is_open_is_followed(house: House, tmp_path: Path) -> None:
    root = fill(tmp_path / "store", {"wiki/a.md": "## a\n"})
    house.open(root)
    for day in ("2026-07-01", "2026-07-02"):
        fill(root, {f"diary/{day}.md": "## 10:00\n\nx\n"})
        house.until(lambda day=day: house.library.days[-1:] == (day,))  # type: ignore[misc]


def test_b51_an_empty_folder_becomes_a_wiki_store(house: House, tmp_path: Path) -> None:
    root = fill(tmp_path / "store", {})
    house.open(root)
    fill(root, {"wiki/a.md": "## a\n\none\n"})
    house.until(lambda: house.content("a", "a") == "one")
    write_outside(root / "wiki" / "a.md", b"## a\n\ntwo\n")
    house.until(lambda: house.content("a", "a") == "two")


# ------------------------------------------------------------ B52: one list of files


def test_b52_an_event_and_a_rebuild_by_hand_find_the_same_files(house: House, store: Path) -> None:
    fill(store, {"wiki/new.md": "## n\n", "wiki/.md": "", "wiki/x.txt": "## x\n", "wiki/below/y.md": "## y\n"})
    fill(store, {"diary/2026-07-02.md": "## 10:00\n\ny\n", "diary/notes.md": "## z\n", "outside.md": "## o\n"})
    (store / "wiki" / "bad.md").write_bytes(b"\xff")
    house.until(lambda: house.library.days[-1:] == ("2026-07-02",) and house.content("new", "n") is not None)
    house.until(lambda: any(file.error for file in house.snapshot.files))
    told = what_is_known(house)
    house.library.rebuild()
    house.settle()
    assert what_is_known(house) == told
    assert [file.category for file in house.snapshot.files] == MemoryStore(store).categories() == ["a", "bad", "new"]
    assert house.library.days == ("2026-07-01", "2026-07-02")


def what_is_known(house: House) -> object:
    files = [(file.category, file.digest, file.items, str(file.error)) for file in house.snapshot.files]
    return files, house.library.days


# ------------------------------------------------------------ B53: how others save


def replace_by_a_temporary_file(path: Path) -> None:
    path.with_suffix(".tmp").write_bytes(NEW)
    os.replace(path.with_suffix(".tmp"), path)


def replace_from_another_folder(path: Path) -> None:
    elsewhere = path.parent.parent.parent / "elsewhere.md"
    elsewhere.write_bytes(NEW)
    os.replace(elsewhere, path)


def delete_and_write(path: Path) -> None:
    path.unlink()
    path.write_bytes(NEW)


def save_like_vs_code(path: Path) -> None:
    """In place: emptied, then written."""
    with path.open("r+b") as file:
        file.truncate(0)
        file.flush()
        file.write(NEW)


def keep_the_time(path: Path) -> None:
    status = path.stat()
    path.write_bytes(NEW)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


SAVES: dict[str, Callable[[Path], None]] = {
    "temporary file": replace_by_a_temporary_file,
    "from another folder": replace_from_another_folder,
    "delete and write": delete_and_write,
    "VS Code": save_like_vs_code,
    "vim": lambda path: save_like_vim(path, NEW),
    "emacs": lambda path: save_like_emacs(path, NEW),
    "old time": keep_the_time,
}


@pytest.mark.parametrize("save", SAVES)
def test_b53_each_way_to_save_is_seen(save: str, house: House, store: Path) -> None:
    for _ in range(2):
        SAVES[save](store / "wiki" / "a.md")
        house.until(lambda: house.content("a", "a") == "new")
        write_outside(store / "wiki" / "a.md", b"## a\n\nold\n")
        house.until(lambda: house.content("a", "a") == "old")
    assert [file.category for file in house.snapshot.files] == ["a"]


def git(root: Path, *arguments: str) -> None:
    names = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "core.autocrlf=false")
    subprocess.run(["git", *names, *arguments], cwd=root, check=True, capture_output=True)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_b53_a_checkout_of_500_files_is_followed(house: House, tmp_path: Path) -> None:
    root = fill(tmp_path / "store", {f"wiki/c{number}.md": f"## a\n\nfirst {number}\n" for number in range(500)})
    git(root, "init", "-q", "-b", "first")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "first")
    git(root, "checkout", "-q", "-b", "second")
    fill(root, {f"wiki/c{number}.md": f"## a\n\nsecond {number}\n" for number in range(400)})
    for number in range(400, 500):
        (root / "wiki" / f"c{number}.md").unlink()
    git(root, "add", "--all")
    git(root, "commit", "-q", "-m", "second")
    house.open(root)
    for branch, count in (("first", 500), ("second", 400), ("first", 500)):
        git(root, "checkout", "-q", branch)
        wanted = {f"{branch} {number}" for number in range(count)}
        house.until(lambda wanted=wanted: {item.content for item in house.snapshot.items} == wanted)  # type: ignore[misc]


# ------------------------------------------------------------ B55: what is no change


@pytest.mark.parametrize("write", [Path.write_bytes, write_outside])
def test_b55_the_same_text_written_again_is_no_news(
    write: Callable[[Path, bytes], object], house: House, store: Path
) -> None:
    before, path = house.snapshot, store / "wiki" / "a.md"
    swaps: list[int] = []
    house.library.snapshot_changed.connect(lambda: swaps.append(1))
    with house.told():
        write(path, path.read_bytes())
    house.settle()
    assert house.snapshot is before
    assert swaps == []
