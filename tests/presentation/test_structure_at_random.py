"""Two thousand changes of a messy memory, with undo, redo, other programs and fifty power cuts in between.

After each step: items that were not named have their bytes, no link that resolved dangles because of a rename, a move
or a merge, no typed text is lost; and every text that was read or written can be restored from the history.
"""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.engine.folders import fill
from tests.presentation.play import LINES, Play
from wikimem_desktop.engine.history import History
from wikimem_desktop.presentation import saver
from wikimem_desktop.presentation.buffer import Place

STEPS, KILLS = 2000, 50
CATEGORIES, ITEMS = 20, 25
MESS = ["\ufeff", "\r\n", "```\n## not an item?\n```\n", "<!-- wikimem: owner=me | mood=ok -->\n", "\u2028", "\n\n\n"]


def messy(dice: random.Random) -> dict[str, str | bytes]:
    """Files as agents and editors leave them: two names of a kind, code, other line ends, links to anywhere."""
    files: dict[str, str | bytes] = {}
    for number in range(CATEGORIES):
        end = dice.choice(["\n", "\n", "\r\n"])
        text = dice.choice(["", "\ufeff", f"# c{number}{end}", f"prose [[c1:item 1]]{end}"])
        for item in range(ITEMS):
            name = f"item {item if dice.random() > 0.04 else item - 1}"
            links = [f"[[c{dice.randrange(CATEGORIES + 1)}:item {dice.randrange(ITEMS)}]]" for _ in range(2)]
            lines = [f"first {number} {item}", *dice.choices([*LINES, *links, *MESS], k=dice.randint(0, 5))]
            text += f"## {name}{end}{end}{end.join(lines)}{end}{end if dice.random() > 0.1 else ''}"
        files[f"c{number}.md"] = text
    return files


class Architect(Play):
    """Changes the structure more than anything else."""

    def some_places(self) -> list[Place]:
        places = [place for place in (self.a_place() for _ in range(self.dice.randint(1, 3))) if place is not None]
        return list(dict.fromkeys(places))

    def move(self) -> None:
        self.structure.move(self.some_places(), self.dice.choice([self.a_category(), f"moved{next(self.numbers)}"]))

    def merge(self) -> None:
        places = self.some_places()
        if len(places) > 1:
            self.house.arrangement.merge(places[0], places[1:])

    def duplicate(self) -> None:
        self.house.arrangement.duplicate(self.some_places())

    def reorder(self) -> None:
        place = self.a_place()
        if place is not None:
            self.house.arrangement.go(place, self.dice.choice([-1, 1]))

    def remove_several(self) -> None:
        self.house.arrangement.remove(self.some_places())


def test_two_thousand_changes_lose_nothing(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saver, "_AUTOSAVE_MS", 1)
    play = Architect(qtbot, fill(tmp_path / "store", messy(random.Random(5))), 5)
    steps = {
        play.change_structure: 60, play.move: 30, play.merge: 12, play.duplicate: 10, play.reorder: 10,
        play.remove_several: 5, play.open: 30, play.type: 60, play.save: 60, play.go_back_in_the_text: 8,
        play.decide: 20, play.undo: 40, play.redo: 20, play.write_outside: 30, play.restore: 5, play.split: 10,
        play.set_field: 5, play.write_drafts: 10, play.wait_little: 20,
    }  # fmt: skip
    try:
        for number in range(STEPS):
            play.dice.choices(list(steps), list(steps.values()))[0]()
            play.check()
            if number % (STEPS // KILLS) == STEPS // KILLS - 1:
                play.kill()
        recorder = play.house.history.recorder
        assert recorder is not None
        history = History(recorder.history.folder)
        for text in play.ledger.texts:
            assert history.bytes_of(hashlib.sha256(text).hexdigest()) == text
        assert (play.kills, play.ledger.steps > 500, play.ledger.saves > 10) == (KILLS, True, True)
    finally:
        play.house.close()
