"""Where the person came from, and where back and forward lead."""

from __future__ import annotations

from collections.abc import Callable

from .buffer import Place

_LONGEST = 200


class Trail:
    def __init__(self) -> None:
        self._back: list[Place] = []
        self._forward: list[Place] = []

    @property
    def can_go_back(self) -> bool:
        return bool(self._back)

    @property
    def can_go_forward(self) -> bool:
        return bool(self._forward)

    def leave(self, place: Place | None) -> None:
        """The person went from there to a new place."""
        if place is not None:
            self._back = [*self._back[-_LONGEST:], place]
        self._forward = []

    def back(self, here: Place | None, show: Callable[[Place], bool]) -> None:
        """Show the place before this one that can still be shown."""
        _go(self._back, self._forward, here, show)

    def forward(self, here: Place | None, show: Callable[[Place], bool]) -> None:
        _go(self._forward, self._back, here, show)

    def follow(self, moved: Callable[[Place], Place]) -> None:
        """Places have other addresses now."""
        self._back, self._forward = [*map(moved, self._back)], [*map(moved, self._forward)]


def _go(source: list[Place], target: list[Place], here: Place | None, show: Callable[[Place], bool]) -> None:
    while source:
        if show(source.pop()):
            if here is not None:
                target.append(here)
            return
