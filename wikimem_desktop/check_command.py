"""The command line without a window: `wikimem-desktop check STORE`, with the problems of the window in their order.

Exit codes: 0 no problems, 1 some, 2 usage or unreadable store. It imports no Qt.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wikimem_desktop.cli import Failure, complain, visible, write
from wikimem_desktop.engine.checks import Checker
from wikimem_desktop.engine.errors import StoreError
from wikimem_desktop.engine.index import build_steps, run_to_end
from wikimem_desktop.engine.layout import LAYOUTS
from wikimem_desktop.engine.problems import Problem, check_budget
from wikimem_desktop.engine.store import MemoryStore
from wikimem_desktop.places import folder_argument

_NO_PROBLEMS, _PROBLEMS, _FAILED = 0, 1, 2


def main(arguments: Sequence[str]) -> int:
    """Check a store; `arguments` are those behind "check". Returns the exit code."""
    try:
        options = _parse(arguments)
        problems = _problems(options.store, options.layout, options.budget)
        root = options.store
        write(_as_json(problems, root) if options.json else "".join(_line(problem, root) for problem in problems))
    except SystemExit as stop:  # argparse: usage or help, already printed
        return stop.code if isinstance(stop.code, int) else _FAILED
    except (Failure, StoreError, OSError) as error:
        complain(str(error))
        return _FAILED
    return _PROBLEMS if problems else _NO_PROBLEMS


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "wikimem-desktop check",
        allow_abbrev=False,
        description="Print what is wrong or surprising in a memory. "
        "Exit codes: 0 no problems, 1 problems, 2 usage or unreadable store.",
    )
    parser.add_argument("store", metavar="STORE", type=folder_argument, help="the folder of the memory")
    parser.add_argument("--layout", choices=LAYOUTS, help="how the folder is laid out (default: as its contents show)")
    parser.add_argument("--budget", metavar="TOKENS", type=int, help="also list items that exceed it alone")
    parser.add_argument("--json", action="store_true", help="print a JSON list")
    return parser.parse_args(arguments)


def _problems(root: Path, layout: str | None, budget: int | None) -> Sequence[Problem]:
    if not root.is_dir():
        raise Failure(f"{root}: there is no such folder")
    store = MemoryStore(root, layout=layout, read_only=True)
    snapshot = run_to_end(build_steps(store, use_jieba=False))
    found = run_to_end(Checker().steps(snapshot, store, store.diary.dates())).problems
    return [*found, *check_budget(snapshot, budget)]


def _line(problem: Problem, root: Path) -> str:
    place = f"{_below(problem.path, root)}:{problem.line}" if problem.line else _below(problem.path, root)
    detail = f" ({problem.detail})" if problem.detail else ""
    return visible(f"{place}: {problem.kind}: {problem.subject}{detail}") + "\n"


def _as_json(problems: Sequence[Problem], root: Path) -> str:
    entries: list[dict[str, Any]] = [
        {
            "kind": problem.kind.value,
            "file": _below(problem.path, root),
            "line": problem.line or None,
            "subject": problem.subject,
            "detail": problem.detail or None,
            "category": problem.category,
            "item": problem.item,
            "in_diary": problem.in_diary,
        }
        for problem in problems
    ]
    return json.dumps(entries, ensure_ascii=False, indent=2) + "\n"


def _below(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
