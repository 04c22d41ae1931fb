"""Helpers of the problems pane: a row of a kind, a store with problems in it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QModelIndex

from tests.engine.folders import fill
from tests.widgets.desk import Desk
from wikimem_desktop.engine.problems import Kind
from wikimem_desktop.presentation.problems_model import ProblemRole


def problem(desk: Desk, kind: Kind) -> QModelIndex:
    model = desk.app.problems_model
    rows = [model.index(row) for row in range(model.rowCount())]
    return next(row for row in rows if row.data(ProblemRole.PROBLEM).kind is kind)


def open_store(desk: Desk, tmp_path: Path, files: dict[str, str | bytes]) -> Path:
    root = fill(tmp_path / "store", files)
    desk.open(root)
    return root
