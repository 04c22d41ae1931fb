"""Starting the window: the command line, the QApplication, translations, and what is opened first."""

from __future__ import annotations

import argparse
import sys

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from wikimem_desktop import __version__
from wikimem_desktop.app import App
from wikimem_desktop.crash import UncaughtErrors, start_log
from wikimem_desktop.places import find_places, folder_argument, resource
from wikimem_desktop.widgets.first_paint import FirstPaint

_SWITCH_INTERVAL = 0.0005
"""Seconds a thread keeps the interpreter: a busy worker must not hold up the GUI thread."""


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="wikimem-desktop",
        description="Edit an agent's memory and see what it would recall.",
        epilog="Without a window: wikimem-desktop explain QUERY --store DIR prints a run, "
        "wikimem-desktop check STORE prints the problems. A folder of that name is opened as ./check.",
    )
    parser.add_argument("store", nargs="?", type=folder_argument, metavar="STORE", help="folder of the memory")
    parser.add_argument("--item", default="", metavar="CATEGORY:NAME", help="open at this item")
    parser.add_argument("--query", metavar="TEXT", help="run this query")
    parser.add_argument("--read-only", action="store_true", help="write nothing into the folder")
    parser.add_argument("--sample", action="store_true", help="open the sample memory")
    parser.add_argument("--version", action="version", version=f"wikimem-desktop {__version__}")
    return parser.parse_args(arguments)


def make_application() -> QApplication:
    """The QApplication with its names, Qt's own translations and ours."""
    application = QApplication(sys.argv[:1])
    application.setApplicationName("wikimem-desktop")
    application.setApplicationDisplayName("")
    application.setApplicationVersion(__version__)
    application.setDesktopFileName("wikimem-desktop")
    install_translations(application)
    return application


def install_translations(application: QCoreApplication) -> None:
    qt_folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    own_folder = str(resource("translations"))
    # English has a file of its own: its plural forms.
    for name, folder, locale in (
        ("qtbase", qt_folder, QLocale()),
        ("wikimem", own_folder, QLocale(QLocale.Language.English)),
        ("wikimem", own_folder, QLocale()),
    ):
        translator = QTranslator(application)
        if translator.load(locale, name, "_", folder):
            application.installTranslator(translator)


def run(arguments: list[str]) -> int:
    """Open the window; returns the exit code. A store that can't be opened is named on stderr too (code 2)."""
    options = parse_arguments(arguments)
    if options.store is not None and not options.store.is_dir():
        print(f"wikimem-desktop: {options.store}: there is no such folder", file=sys.stderr)  # noqa: T201
        return 2
    sys.setswitchinterval(_SWITCH_INTERVAL)
    places = find_places()
    start_log(places.log)
    application = make_application()
    application.setQuitOnLastWindowClosed(False)
    uncaught = UncaughtErrors()
    app = App(places)
    uncaught.caught.connect(app.on_uncaught)
    uncaught.install()
    painted = FirstPaint(app.window)
    painted.happened.connect(lambda: open_first(app, options))
    app.window.show()
    return application.exec()


def open_first(app: App, options: argparse.Namespace) -> None:
    how = {"read_only": options.read_only, "item": options.item, "query": options.query}
    if options.store is not None:
        app.open_store(options.store, **how)
    elif options.sample:
        app.open_sample(**how)
