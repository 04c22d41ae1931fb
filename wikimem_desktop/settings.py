"""What a person chose (settings file) and what the window remembers by itself (state file). No Qt.

Both are JSON, typed and tolerant: unknown keys are dropped, wrong values fall back to their defaults, and a file that
is no JSON is set aside with the suffix `.bad`.
"""

from __future__ import annotations

import codecs
import contextlib
import dataclasses
import json
import logging
import os
import typing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

_log = logging.getLogger(__name__)
_RECENT = 12
ZOOMS = (50, 60, 70, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300)
"""The sizes of items' text, in percent."""
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Settings:
    """The person's choices."""

    theme: str = field(default="system", metadata={"one of": ("system", "light", "dark")})
    text_zoom: int = field(default=100, metadata={"one of": ZOOMS})
    autosave: bool = False
    """Save a moment after the last key."""
    wrap: bool = True
    history_megabytes: int = 200
    """The local history of a store; older versions go first."""
    history_days: int = 180
    text_font: str = ""
    """As Qt describes a font; empty for our own."""

    def zoomed(self, steps: int) -> int:
        """The size that is so many steps larger, or smaller, as far as that goes."""
        index = ZOOMS.index(self.text_zoom) + steps
        return ZOOMS[min(max(index, 0), len(ZOOMS) - 1)]


@dataclass(slots=True)
class StoreState:
    """What the window remembers of one store."""

    item: str = ""
    query: str = ""
    limit: int = 10
    budget: int = 0
    """Tokens; 0 = no cap."""
    links: bool = True
    unsaved: bool = True
    """Text that is not saved yet takes part."""
    tokenizer: str = field(default="auto", metadata={"one of": ("auto", "jieba", "bigrams")})
    expanded: list[str] = field(default_factory=list)
    recent: list[str] = field(default_factory=list)
    """Addresses that the person went to, the latest first."""
    order: str = field(default="file", metadata={"one of": ("file", "name", "date", "size")})
    """What the items of a category are put in order by in the tree."""


@dataclass(slots=True)
class State:
    """What the window remembers."""

    geometry: str = ""
    layout: str = ""
    recent: list[str] = field(default_factory=list)
    stores: dict[str, dict[str, Any]] = field(default_factory=dict)

    def store(self, root: Path, first: StoreState | None = None) -> StoreState:
        """What is remembered of a store; `first` of one that is not known yet."""
        if first is not None and str(root) not in self.stores:
            return first
        return _typed(StoreState, self.stores.get(str(root), {}))

    def remember(self, root: Path, state: StoreState) -> None:
        """Keep a store's state, and put the store at the top of the recent ones."""
        self.recent = [str(root), *(path for path in self.recent if path != str(root))][:_RECENT]
        self.stores[str(root)] = dataclasses.asdict(state)
        self.stores = {path: kept for path, kept in self.stores.items() if path in self.recent}


def load_settings(path: Path) -> Settings:
    return _typed(Settings, _read(path))


def load_state(path: Path) -> State:
    return _typed(State, _read(path))


def save(path: Path, values: Settings | State) -> None:
    """Write the file atomically; a failure is logged, never raised: no one should lose work over a window's size."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(dataclasses.asdict(values), ensure_ascii=False, indent=2)
        # Names of folders may hold bytes that are no UTF-8.
        temporary.write_bytes(text.encode("utf-8", "surrogatepass"))
        os.replace(temporary, path)
    except OSError as error:
        _log.info("%s could not be saved: %s", path, error)
        with contextlib.suppress(OSError):
            temporary.unlink()


def _read(path: Path) -> dict[str, Any]:
    try:
        values = json.loads(path.read_bytes().removeprefix(codecs.BOM_UTF8).decode("utf-8", "surrogatepass"))
        if isinstance(values, dict):
            return values
    except FileNotFoundError:
        return {}
    except OSError as error:
        _log.info("%s could not be read: %s", path, error)
        return {}
    except (ValueError, RecursionError):
        pass
    with contextlib.suppress(OSError):
        os.replace(path, path.with_name(path.name + ".bad"))
    return {}


def _typed(kind: type[_T], values: dict[str, Any]) -> _T:
    """An instance with the values that have the right type; defaults for the rest."""
    hints = typing.get_type_hints(kind)
    accepted = {}
    for entry in dataclasses.fields(kind):  # type: ignore[arg-type]
        value, hint = values.get(entry.name), hints[entry.name]
        if _fits(value, hint) and value in entry.metadata.get("one of", (value,)):
            accepted[entry.name] = _without_misfits(value, hint)
    return kind(**accepted)


def _fits(value: object, hint: Any) -> bool:
    return type(value) is (typing.get_origin(hint) or hint)


def _without_misfits(value: Any, hint: Any) -> Any:
    """A list or dict without the elements that have another type."""
    if isinstance(value, list):
        return [element for element in value if _fits(element, typing.get_args(hint)[0])]
    if isinstance(value, dict):
        return {key: element for key, element in value.items() if _fits(element, typing.get_args(hint)[1])}
    return value
