"""How the house is built: who may import whom, how long things may be, what tests may not do; Qt's references."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "wikimem_desktop"
SOURCES = sorted(path for folder in ("wikimem_desktop", "tests", "packaging") for path in (ROOT / folder).rglob("*.py"))
MOST_LINES_OF_A_FILE = 500
MOST_LINES_OF_A_FUNCTION = 60
VAGUE_NAMES = {"base", "common", "helper", "helpers", "manager", "managers", "misc", "util", "utils"}
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:(?:work|root|mnt)/\w|home/\w|Users/\w|tmp/\w)|[A-Z]:\\\\?Users")
CALLS_THAT_SLEEP = {
    "qtbot.wait", "qtbot.stop", "time.sleep", "QThread.sleep", "QThread.msleep", "QThread.usleep", "QTest.qWait",
    "QTest.qSleep", "asyncio.sleep",
}  # fmt: skip
BACKSTAGE = (
    "wikimem_desktop.engine.store", "wikimem_desktop.engine.index", "wikimem_desktop.engine.retrieval",
    "wikimem_desktop.engine.bm25", "wikimem_desktop.engine.atomic", "wikimem_desktop.engine.journal",
    "httpx", "numpy", "jieba", "watchdog", "os", "shutil", "io", "socket", "subprocess", "urllib",
)  # fmt: skip
"""What reads files, uses the network or ranks: not the business of a widget."""


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def files_of(*packages: str) -> list[Path]:
    return [
        path for path in SOURCES if name(path).startswith(tuple(f"wikimem_desktop/{package}" for package in packages))
    ]


def imports(path: Path, *, for_types: bool) -> Iterator[tuple[int, str]]:
    """Line and absolute dotted name of everything a file imports, in functions too."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    skipped = set() if for_types else {id(node) for guard in type_guards(path) for node in ast.walk(guard)}
    for node in ast.walk(tree_of(path)):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*above, *(node.module.split(".") if node.module else [])])
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names)


TREES: dict[Path, ast.Module] = {}


def tree_of(path: Path) -> ast.Module:
    if path not in TREES:
        TREES[path] = ast.parse(path.read_text(encoding="utf-8"), str(path))
    return TREES[path]


def type_guards(path: Path) -> list[ast.If]:
    """The `if TYPE_CHECKING:` blocks."""
    return [
        node
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")
    ]


def offences(paths: list[Path], *forbidden: str, for_types: bool = True) -> list[str]:
    """Places where one of the files imports one of the names, or something below it."""
    assert paths
    return [
        f"{name(path)}:{line} imports {imported}"
        for path in paths
        for line, imported in imports(path, for_types=for_types)
        if any(f"{imported}.".startswith(f"{banned}.") for banned in forbidden)
    ]


def run_python(code: str) -> str:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


# ------------------------------------------------------------ who may know whom


def test_the_engine_knows_neither_qt_nor_the_rest() -> None:
    rest = [f"wikimem_desktop.{path.stem}" for path in PACKAGE.iterdir() if path.stem not in ("engine", "__init__")]
    assert offences(files_of("engine"), "PySide6", "shiboken6", *rest) == []


def test_the_presentation_knows_no_widgets() -> None:
    paths = files_of("presentation", "settings", "places")
    rest = [f"wikimem_desktop.{module}" for module in ("widgets", "app", "start", "cli", "__main__")]
    assert offences(paths, "PySide6.QtWidgets", *rest) == []


def test_settings_and_places_know_no_qt() -> None:
    assert offences(files_of("settings", "places"), "PySide6", "shiboken6") == []


def test_widgets_touch_no_file_no_network_and_no_ranking() -> None:
    assert offences(files_of("widgets"), *BACKSTAGE, for_types=False) == []
    assert offences(files_of("widgets"), "wikimem_desktop.app", "wikimem_desktop.start", "wikimem_desktop.cli") == []


def test_widgets_read_no_files_but_what_comes_with_the_program() -> None:
    """`Path` is there to name things; reading them is for the layers below."""
    reading = re.compile(r"\b(open|(read|write)_(text|bytes)|iterdir|r?glob|unlink|mkdir|stat)$")
    found = [
        f"{name(path)}:{node.lineno} calls {called_name(node)}"
        for path in files_of("widgets")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call)
        and reading.search(called_name(node))
        and not called_name(node).startswith(("resource(", "icon(", "documents.", "self._documents."))
    ]
    assert found == []


def test_the_engine_answers_where_qt_cannot_be_imported(sample_store: Path) -> None:
    code = f"""
import sys
sys.modules["PySide6"] = sys.modules["shiboken6"] = None
from wikimem_desktop.engine import MemoryIndex, MemoryStore
index = MemoryIndex(MemoryStore({str(sample_store)!r}), use_jieba=False)
print([hit.item.address for hit in index.retrieve("sunscreen rash", limit=1).items][0])
"""
    assert run_python(code) == "health:sunscreen-rash"


def test_importing_the_engine_loads_nothing_heavy() -> None:
    heavy = ["numpy", "jieba", "httpx", "PySide6", "shiboken6", "watchdog", "asyncio"]
    assert run_python(f"import sys, wikimem_desktop.engine; print(sorted(set({heavy}) & sys.modules.keys()))") == "[]"


def test_the_window_starts_without_what_only_a_store_needs() -> None:
    heavy = ["numpy", "jieba", "httpx"]
    code = f"import sys, wikimem_desktop.start; print(sorted(set({heavy}) & sys.modules.keys()))"
    assert run_python(code) == "[]"


def test_the_search_for_imports_sees_all_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    source = """
import os.path as p
from PySide6 import QtWidgets
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from PySide6.QtWidgets import QLabel
def late():
    from ..engine.store import MemoryStore
"""
    path = PACKAGE / "widgets" / "not_there.py"
    monkeypatch.setitem(TREES, path, ast.parse(source))
    found = offences([path], "os", "PySide6.QtWidgets", for_types=False)
    assert [line.rpartition(" ")[2] for line in found] == ["os.path", "PySide6.QtWidgets"]
    assert len(offences([path], "PySide6.QtWidgets")) == 2
    assert len(offences([path], "wikimem_desktop.engine.store")) == 1
    assert offences([path], "wikimem_desktop.engine.stores", "PySide6.QtWidget") == []


@pytest.mark.parametrize("line", ["x = '/{}/main'", "cd /{}/shared"])
@pytest.mark.parametrize("folder", ["work", "root", "home/me", "Users/me", "tmp/x"])
def test_the_search_for_machine_paths_sees_them(line: str, folder: str) -> None:
    assert MACHINE_PATH.search(line.format(folder))
    assert not MACHINE_PATH.search(f"https://example.org/{folder}/x")


# ------------------------------------------------------------ sizes and names


def test_files_are_short() -> None:
    lengths = {name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES}
    assert {path: length for path, length in lengths.items() if length > MOST_LINES_OF_A_FILE} == {}


def test_functions_are_short() -> None:
    found = [
        f"{name(path)}:{node.lineno} {node.name}"
        for path in SOURCES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= MOST_LINES_OF_A_FUNCTION
    ]
    assert found == []


def test_no_module_has_a_name_that_says_nothing() -> None:
    found = [name(path) for path in SOURCES if VAGUE_NAMES & {path.stem, path.parent.name}]
    assert found == []


def test_every_module_says_what_it_is_for() -> None:
    assert [name(path) for path in SOURCES if not ast.get_docstring(tree_of(path))] == []


def test_no_file_names_a_path_of_one_machine() -> None:
    found = [
        f"{name(path)}:{number} {line.strip()}"
        for path in [*SOURCES, ROOT / "pyproject.toml", *ROOT.glob("*.md"), *(ROOT / ".ci").iterdir()]
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if MACHINE_PATH.search(line)
    ]
    assert found == []


# ------------------------------------------------------------ tests wait for things, not for time


def called_name(node: ast.Call) -> str:
    return ast.unparse(node.func)


@pytest.mark.parametrize("call", sorted(CALLS_THAT_SLEEP))
def test_no_test_sleeps(call: str) -> None:
    found = [
        f"{name(path)}:{node.lineno}"
        for path in SOURCES
        if name(path).startswith("tests/")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and f".{called_name(node)}".endswith(f".{call}")
    ]
    assert found == []


# ------------------------------------------------------------ PySide6


class Sender(QObject):
    told = Signal(int)


def test_qt_calls_lose_no_references(qtbot: QtBot) -> None:
    """PySide6 6.12.0 on Python 3.11 lost one to None at every void call, one to True at every emit."""
    widget, sender = QWidget(), Sender()
    qtbot.addWidget(widget)
    before = sys.getrefcount(None), sys.getrefcount(True)
    for number in range(10_000):
        widget.update()
        sender.told.emit(number)
    after = sys.getrefcount(None), sys.getrefcount(True)
    assert before[0] - after[0] < 100
    assert before[1] - after[1] < 100
