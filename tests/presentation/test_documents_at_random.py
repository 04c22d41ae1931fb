"""A person, other programs and power cuts do hundreds of things in any order: no byte of others changes, and no typed
text is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.engine.folders import fill
from tests.presentation.play import Play
from wikimem_desktop.engine.document import as_read
from wikimem_desktop.presentation import saver

SEEDS, STEPS = 8, 500
FILES: dict[str, str | bytes] = {
    "people.md": "# people\n\nhello\n\n## mei\n\nmanager\n\n<!-- wikimem: owner=x | mood=ok -->\n\n## 小林\n\n插画师\n",
    "work.md": "\ufeff# work\r\n## rota\r\n\r\nweekly\r\n\r\n## rota\r\n\r\nmonthly\r\n\r\n\r\n## deploy\r\n\r\n- a",
    "odd.md": "## breaks\none\u2028two\x0cthree\r\n## empty\n## last\n\n\n  x  \n## mac\rone\rtwo\r\r",
}


@pytest.mark.parametrize("seed", range(SEEDS))
def test_no_byte_of_others_changes_and_no_typed_text_is_lost(
    seed: int, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saver, "_AUTOSAVE_MS", 1)  # a pause as this test makes them
    play = Play(qtbot, fill(tmp_path / "store", FILES), seed)
    steps = {
        play.open: 50, play.open_file: 40, play.type: 100, play.go_back_in_the_text: 15,
        play.set_field: 10, play.go: 20,
        play.save: 60, play.save_all: 10, play.choose_autosave: 3, play.decide: 40, play.discard_all: 2,
        play.restore: 10, play.change_structure: 15, play.split: 20, play.undo: 8, play.redo: 5,
        play.write_outside: 30, play.reload: 3, play.wait: 20, play.wait_little: 40, play.write_drafts: 10,
        play.kill: 6,
    }  # fmt: skip
    try:
        for number in range(STEPS):
            play.dice.choices(list(steps), list(steps.values()))[0]()
            if number % 10 == 0:
                play.check()
        play.check()
        play.house.follow_disk()
        shown = {item.address: item.content for item in play.house.snapshot.items}
        assert shown == {item.address: as_read(item.content) for item in play.house.store.items()}
        assert (play.ledger.saves > 5, play.ledger.steps > 3, play.kills > 0) == (True, True, True)
        assert play.ledger.files_saved > 3
    finally:
        play.house.close()
