"""Two texts beside each other: what is on disk now, and what the person wrote."""

from __future__ import annotations

from wikimem_desktop.presentation.buffer import Buffer, Disagreement
from wikimem_desktop.presentation.words import clock_time
from wikimem_desktop.widgets.theme import Theme
from wikimem_desktop.widgets.two_texts import TwoTexts


class ConflictView(TwoTexts):
    """Theirs left, mine right; deciding is done in the bar above."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "", "")
        self.left.setAccessibleName(self.tr("On disk now"))
        self.right.setAccessibleName(self.tr("Yours, not saved"))

    def show_conflict(self, buffer: Buffer, conflict: Disagreement) -> None:
        """Both texts, and when each was written."""
        if conflict.theirs is None:
            theirs = self.tr("Gone from the disk, seen at {0}").format(clock_time(conflict.seen_at))
        else:
            when = clock_time(conflict.changed_at or conflict.seen_at)
            theirs = self.tr("Theirs, on disk since {0}").format(when)
        mine = self.tr("Yours, not saved")
        if buffer.typed_at:
            mine = self.tr("Yours, not saved, last typed at {0}").format(clock_time(buffer.typed_at))
        self.show_texts(theirs, conflict.theirs.item.content if conflict.theirs else "", mine, buffer.content)
