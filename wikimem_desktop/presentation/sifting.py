"""What of a memory the tree shows, in which order. A search through many texts goes on in slices: the window lives."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from .branches import Branch
from .memory_filter import MemoryFilter
from .ordering import Order, Ordering

_AT_ONCE = 10_000
"""Cost, in about microseconds, up to which there is nothing to wait for."""
_SLICE_SECONDS = 0.006


class Sifting(QObject):
    """Signals:
    sifted: `shown` follows the branches, the filter and the order again.
    """

    sifted = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.branches: Sequence[Branch] = ()
        """All of them, in file order."""
        self.filter: MemoryFilter | None = None
        self.shown: Sequence[Branch] = ()
        self._ordering = Ordering(Order.FILE)
        self._steps: Iterator[int] = iter(())
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._on_timeout)

    @property
    def order(self) -> Order:
        return self._ordering.order

    @property
    def busy(self) -> bool:
        """Whether `shown` is older than what was asked for."""
        return self._timer.isActive()

    def set_branches(self, branches: Sequence[Branch]) -> None:
        self.branches = branches
        self._begin()

    def set_filter(self, text: str) -> None:
        """Leave what a filter's text asks for; "": everything."""
        if text.strip() != (self.filter.text if self.filter else ""):
            self.filter = MemoryFilter(text.strip(), self.filter) if text.strip() else None
            self._begin()

    def set_order(self, order: Order) -> None:
        if order is not self.order:
            self._ordering = Ordering(order)
            self._begin()

    def _begin(self) -> None:
        self._steps = self._sift()
        cost = 0
        for step in self._steps:
            cost += step
            if cost > _AT_ONCE:
                self._timer.start()
                return
        self._end()

    @Slot()
    def _on_timeout(self) -> None:
        end = time.perf_counter() + _SLICE_SECONDS
        for _ in self._steps:
            if time.perf_counter() > end:
                return
        self._end()

    def _end(self) -> None:
        self._timer.stop()
        self.shown = self._ordering.found
        self.sifted.emit()

    def _sift(self) -> Iterator[int]:
        branches = self.branches
        if self.filter is not None:
            yield from self.filter.steps(branches)
            branches = self.filter.found
        yield from self._ordering.steps(branches)
