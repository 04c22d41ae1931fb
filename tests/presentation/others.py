"""Other programs at work in a wiki store: agents, editors, version control, sync tools, at random."""

from __future__ import annotations

import os
import random
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

FILES, ITEMS = 500, 4
WORDS = ["sea", "coffee", "deploy", "海边", "手冲咖啡", "会议", "music", "train", "[[c1:item 2]]"]


def a_file(dice: random.Random, number: int, items: int = ITEMS) -> str:
    texts = [f"## item {i}\n\n{' '.join(dice.choices(WORDS, k=8))}\n" for i in range(items)]
    return f"# c{number}\n\n" + "\n".join(texts)


def a_store(dice: random.Random) -> dict[str, str | bytes]:
    """The files of 2,000 items."""
    return {f"wiki/c{number}.md": a_file(dice, number) for number in range(FILES)}


class Others:
    """Whoever else writes into the store. `done` counts what they did, by its kind."""

    def __init__(self, root: Path, dice: random.Random) -> None:
        self.root = root
        self.wiki = root / "wiki"
        self.dice = dice
        self.aside = root.parent / "elsewhere"
        self.aside.mkdir()
        self.done: Counter[str] = Counter()
        self._weights: dict[Callable[[], object], int] = {
            self.append: 8, self.write_in_place: 6, self.replace: 8, self.replace_from_elsewhere: 4, self.touch: 2,
            self.write_the_same_again: 2, self.change_but_not_the_time: 4, self.delete: 3, self.create: 5,
            self.rename: 3, self.move_out: 2, self.move_in: 2, self.spoil: 1, self.folder_named_like_a_file: 1,
            self.folder_below: 1, self.link: 2, self.write_a_day: 3, self.delete_a_day: 1, self.sync: 2,
            self.save_like_vim: 2, self.save_like_emacs: 2, self.check_out: 1, self.make_the_wiki_anew: 1,
            self.take_the_wiki_away_and_bring_a_copy: 1, self.lay_the_wiki_elsewhere: 1,
        }  # fmt: skip

    @property
    def kinds(self) -> set[str]:
        return {kind.__name__ for kind in self._weights}

    def change(self) -> None:
        """One thing at random."""
        (kind,) = self.dice.choices(list(self._weights), list(self._weights.values()))
        kind()
        self.done[kind.__name__] += 1

    # ------------------------------------------------------------ one file

    def one(self) -> Path:
        names = sorted(entry.name for entry in os.scandir(self.wiki) if entry.is_file() and entry.name.endswith(".md"))
        return self.wiki / (self.dice.choice(names) if names else "c0.md")

    def text(self) -> bytes:
        return a_file(self.dice, self.dice.randrange(FILES), self.dice.randint(0, 2 * ITEMS)).encode()

    def append(self) -> None:
        with self.one().open("ab") as file:
            file.write(f"\n## new {self.dice.random()}\n\n{self.dice.choice(WORDS)}\n".encode())

    def write_in_place(self) -> None:
        self.one().write_bytes(self.text())

    def replace(self) -> None:
        path = self.one()
        temporary = path.with_suffix(".tmp")
        temporary.write_bytes(self.text())
        os.replace(temporary, path)

    def replace_from_elsewhere(self) -> None:
        (self.aside / "file").write_bytes(self.text())
        os.replace(self.aside / "file", self.one())

    def touch(self) -> None:
        self.one().touch()

    def write_the_same_again(self) -> None:
        path = self.one()
        path.write_bytes(path.read_bytes() if path.exists() else b"")

    def change_but_not_the_time(self) -> None:
        """Other text of the same size, with the old time: as some sync tools leave it."""
        path = self.one()
        data, status = path.read_bytes(), path.stat()
        path.write_bytes(data.replace(b"sea", b"tea") if b"sea" in data else data.replace(b"tea", b"sea"))
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    def delete(self) -> None:
        self.one().unlink(missing_ok=True)

    def create(self) -> None:
        path = self.wiki / f"new{self.dice.randrange(FILES)}.md"
        path.unlink(missing_ok=True)
        path.write_bytes(self.text())

    def rename(self) -> None:
        os.replace(self.one(), self.wiki / f"renamed{self.dice.randrange(FILES)}.md")

    def move_out(self) -> None:
        os.replace(self.one(), self.aside / "moved out.md")

    def move_in(self) -> None:
        (self.aside / "file").write_bytes(self.text())
        os.replace(self.aside / "file", self.wiki / f"in{self.dice.randrange(FILES)}.md")

    def spoil(self) -> None:
        self.one().write_bytes(b"## a\n\n\xff\xfe not UTF-8\n")

    def folder_named_like_a_file(self) -> None:
        path = self.wiki / "folder.md"
        path.rmdir() if path.is_dir() else path.mkdir()

    def folder_below(self) -> None:
        path = self.wiki / "below"
        if path.exists():
            shutil.rmtree(path)
        else:
            (path / "deep").mkdir(parents=True)
            (path / "deep" / "x.md").write_bytes(self.text())

    def link(self) -> None:
        """A category that lies elsewhere, another one each time."""
        target = self.aside / f"target{self.dice.random()}.md"
        target.write_bytes(self.text())
        path = self.wiki / "linked.md"
        path.unlink(missing_ok=True)
        path.symlink_to(target)

    def write_a_day(self) -> None:
        day = self.root / "diary" / f"2026-07-{self.dice.randint(1, 28):02}.md"
        day.parent.mkdir(exist_ok=True)
        day.write_bytes(f"## 10:{self.dice.randint(0, 59):02}\n\n{self.dice.choice(WORDS)}\n".encode())

    def delete_a_day(self) -> None:
        (self.root / "diary" / f"2026-07-{self.dice.randint(1, 28):02}.md").unlink(missing_ok=True)

    def save_like_vim(self) -> None:
        """The probe file, the old one kept aside, the new one in its place."""
        save_like_vim(self.one(), self.text())

    def save_like_emacs(self) -> None:
        save_like_emacs(self.one(), self.text())

    # ------------------------------------------------------------ many at once

    def sync(self) -> None:
        """One file again and again, others in between."""
        path = self.one()
        for _ in range(10):
            path.write_bytes(self.text())
            self.replace()

    def check_out(self) -> None:
        """Version control: each file is removed and written."""
        for number in range(FILES):
            path = self.wiki / f"c{number}.md"
            path.unlink(missing_ok=True)
            path.write_bytes(a_file(self.dice, number).encode())

    def make_the_wiki_anew(self) -> None:
        if self.wiki.is_symlink():
            self.wiki.unlink()
        else:
            shutil.rmtree(self.wiki)
        self.wiki.mkdir()
        for number in range(0, FILES, 2):
            (self.wiki / f"c{number}.md").write_bytes(a_file(self.dice, number).encode())

    def take_the_wiki_away_and_bring_a_copy(self) -> None:
        away = self.aside / f"away{self.dice.random()}"
        os.replace(self.wiki, away)
        shutil.copytree(away.resolve(), self.wiki, symlinks=True)

    def lay_the_wiki_elsewhere(self) -> None:
        away = self.aside / f"wiki{self.dice.random()}"
        shutil.copytree(self.wiki.resolve(), away, symlinks=True)
        if self.wiki.is_symlink():
            self.wiki.unlink()
        else:
            os.replace(self.wiki, self.aside / f"old{self.dice.random()}")
        self.wiki.symlink_to(away)


def save_like_vim(path: Path, data: bytes) -> None:
    probe, backup = path.with_name("4913"), path.with_name(path.name + "~")
    probe.touch()
    probe.unlink()
    if path.exists():
        path.rename(backup)
    path.write_bytes(data)
    backup.unlink(missing_ok=True)


def save_like_emacs(path: Path, data: bytes) -> None:
    lock = path.with_name(f".#{path.name}")
    lock.symlink_to("user@host.1:1")
    if path.exists():
        os.replace(path, path.with_name(path.name + "~"))
    path.write_bytes(data)
    lock.unlink()
