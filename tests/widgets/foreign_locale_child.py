"""Run by `test_foreign_locale.py`, in a process whose default encoding knows no Chinese."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.engine.folders import fill
from tests.widgets.desk import Desk
from wikimem_desktop.places import PROFILE_VARIABLE
from wikimem_desktop.presentation.buffer import Place

TRIP = "## 海边\n\n沙滩。\n"
NOTES = "## 清单\n\n见 [[旅行:海边]]\n"


@pytest.fixture(autouse=True)
def profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "用户" / "张三"
    monkeypatch.setenv(PROFILE_VARIABLE, str(folder))
    return folder


# A call that leaves the encoding to the system fails, also where the system's would do.
@pytest.mark.qt_log_ignore("Detected locale")
@pytest.mark.filterwarnings("error::EncodingWarning:wikimem_desktop")
def test_a_persons_day(profile: Path, desk: Desk, tmp_path: Path) -> None:
    assert sys.getfilesystemencoding() == "gbk"
    root = fill(
        tmp_path / "记忆", {"旅行.md": TRIP, "笔记.md": NOTES, "diary/2026-07-01.md": "## 10:00\n\n[[旅行:海边]]\n"}
    )
    app = desk.app
    desk.open(root)
    app.documents.open_item("旅行", "海边")
    desk.text.insertPlainText("夏天 ")
    desk.until(lambda: any((profile / "data" / "drafts").glob("*/*")))
    app.saver.save()
    desk.settle()
    assert (root / "旅行.md").read_bytes().decode() == TRIP.replace("沙滩", "夏天 沙滩")
    app.structure.rename(Place("category", "旅行"), "trip")
    desk.follow_disk()
    assert not (root / "旅行.md").exists()
    assert (root / "笔记.md").read_bytes().decode() == NOTES.replace("旅行", "trip")
    app.steps.undo()
    desk.follow_disk()
    assert (root / "笔记.md").read_bytes().decode() == NOTES
    (root / "旅行.md").write_bytes(TRIP.replace("沙滩", "悬崖").encode())
    desk.follow_disk()
    assert [change.name for change in app.review.changes] == ["海边"]
    app.review.revert(app.review.changes)
    desk.follow_disk()
    assert (root / "旅行.md").read_bytes().decode() == TRIP.replace("沙滩", "夏天 沙滩")
    assert [entry.item.address for entry in desk.run("夏天").sequence] == ["旅行:海边"]
