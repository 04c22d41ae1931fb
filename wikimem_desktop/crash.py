"""What happens to an error nobody caught: it is logged, and the person is told once, with details to copy."""

from __future__ import annotations

import faulthandler
import logging
import sys
import threading
import traceback
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QObject, Signal

_log = logging.getLogger(__name__)
_LOG_BYTES = 1_000_000


def start_log(folder: Path) -> None:
    """Log to a file (a windowed program may have no stderr), native crashes too."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(
            folder / "wikimem-desktop.log", maxBytes=_LOG_BYTES, backupCount=2, encoding="utf-8"
        )
        faulthandler.enable((folder / "native-crash.log").open("w", encoding="utf-8"))
    except OSError:
        return
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.getLogger().addHandler(handler)
    logging.getLogger("wikimem_desktop").setLevel(logging.INFO)


class UncaughtErrors(QObject):
    """Hands errors of any thread to the GUI thread.

    Signals:
        caught: the details of an uncaught error, as text.
    """

    caught = Signal(str)

    def install(self) -> None:
        sys.excepthook = self._on_uncaught
        threading.excepthook = lambda args: self._on_uncaught(
            args.exc_type, args.exc_value or args.exc_type(), args.exc_traceback
        )

    def _on_uncaught(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        details = "".join(traceback.format_exception(kind, error, trace))
        _log.error("uncaught error\n%s", details)
        self.caught.emit(details)
