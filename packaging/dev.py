#!/usr/bin/env python3
"""Set up, run, test, measure and photograph WikiMem Desktop, from a fresh checkout.

Owns the checkout's `.venv` and, as root on Debian-like systems, the system packages that Qt and the tests need; without
root it names them. Uses the standard library only. What the tools check is configured in pyproject.toml.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "installed.json"
OLDEST_PYTHON = (3, 11)
NEWER_PYTHONS = ("python3.11", "python3.12", "python3.13", "python3.14")

QT_LIBRARIES = "libegl1 libgl1 libxkbcommon0 libdbus-1-3 libfontconfig1 libglib2.0-0".split()
X11_LIBRARIES = (
    "libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-shape0 "
    "libxcb-sync1 libxcb-xfixes0 libxcb-xkb1 libxkbcommon-x11-0 libx11-xcb1"
).split()
FONTS = "fonts-droid-fallback fonts-dejavu-core".split()  # Chinese and Latin: without them Qt draws boxes
VIRTUAL_SCREEN = "xvfb xauth openbox".split()
LOCALES = ["locales"]  # a test makes one that is not UTF-8

XVFB_OPTIONS = "-screen 0 2560x1440x24 +extension RANDR"
NO_TESTS_RAN = 5  # pytest's exit code

started = time.monotonic()


class SetupError(Exception):
    """Something only the person at the keyboard can settle; the text says what."""


# --- the right interpreter ------------------------------------------------------------------------------------------


def reached_new_enough_python() -> bool:
    """Run this script again on a newer Python if this one is too old, and exit with its result."""
    if sys.version_info[:2] >= OLDEST_PYTHON:
        return True
    for name in NEWER_PYTHONS:
        executable = shutil.which(name)
        if executable and subprocess.call([executable, "-c", ""], stderr=subprocess.DEVNULL) == 0:
            sys.exit(subprocess.call([executable, *sys.argv]))
    return False


def ensure_venv_support() -> None:
    """Debian splits ensurepip off Python: without it `python -m venv` fails half-way."""
    if importlib.util.find_spec("venv") and importlib.util.find_spec("ensurepip"):
        return
    package = "python{}.{}-venv".format(*sys.version_info)
    if not (debian_like() and is_root()):
        raise SetupError(f"This Python can't make virtual environments. Install the package {package} and try again.")
    apt_install([package])


# --- the checkout's environment -------------------------------------------------------------------------------------


def clean_environment(**changes: str) -> dict[str, str]:
    """The caller's environment without what would let another installation in, or make Python behave specially."""
    unwanted = ("PYTHONHOME", "PYTHONPATH", "PYTHONUTF8")
    environment = {name: value for name, value in os.environ.items() if name not in unwanted}
    return {**environment, "PYTHONNOUSERSITE": "1", **changes}


def qt_environment(platform: str) -> dict[str, str]:
    """As above, and the same Qt for everyone: no theme, scale, language or Wayland session of the person's desktop."""
    inherited = clean_environment()
    personal = {name for name in inherited if name.startswith("QT_")} | {"LANGUAGE", "WAYLAND_DISPLAY"}
    environment = {name: value for name, value in inherited.items() if name not in personal}
    if sys.platform == "linux":
        environment["LC_ALL"] = "C.UTF-8"  # with another encoding Qt warns, and a warning fails a test
    return {**environment, "QT_QPA_PLATFORM": platform}


def prepared_python(*extras: str) -> str:
    """The path of the environment's Python, once the project and the extras are in; instant if nothing has changed."""
    python = str(VENV / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python"))
    base = {"python": "{}.{}".format(*sys.version_info), "checkout": str(ROOT)}
    project = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()
    stamp = read_stamp()
    usable = base.items() <= stamp.items() and Path(python).exists()
    installed = set(stamp.get("extras", "").split())
    if usable and stamp.get("project") == project and installed >= set(extras):
        return python
    if not usable:
        ensure_venv_support()
        headline(f"a new virtual environment in {VENV.name}")
        checked([sys.executable, "-m", "venv", "--clear", str(VENV)])
        installed = set()
    wanted = sorted(installed.union(extras))
    headline("pip: the project and what it depends on")
    STAMP.unlink(missing_ok=True)  # an installation that is interrupted starts over
    pip = [python, "-m", "pip", "--disable-pip-version-check", "-qq"]
    checked([*pip, "install", "--editable", f"{ROOT}[{','.join(wanted)}]" if wanted else str(ROOT)])
    STAMP.write_text(json.dumps({**base, "project": project, "extras": " ".join(wanted)}), encoding="utf-8")
    return python


def read_stamp() -> dict[str, str]:
    """What the environment was made from and holds; empty if it was never finished."""
    try:
        stamp: dict[str, str] = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp


# --- system packages (Debian and its relatives) ---------------------------------------------------------------------


def debian_like() -> bool:
    return bool(shutil.which("dpkg-query") and shutil.which("apt-get"))


def is_root() -> bool:
    return sys.platform != "win32" and os.geteuid() == 0


def ensure_system_packages(wanted: list[str]) -> None:
    if not debian_like():
        return
    installed = installed_packages()
    missing = [package for package in wanted if package not in installed]
    if missing and is_root():
        apt_install(missing)
    elif missing:
        print(f"Missing system packages; going on without. To install: sudo apt-get install {' '.join(missing)}")


def installed_packages() -> set[str]:
    """Names of installed packages and of what they provide (newer releases renamed some, as libglib2.0-0t64)."""
    layout = "${db:Status-Status}\t${Package}, ${Provides}\n"
    listing = subprocess.run(["dpkg-query", "-W", "-f", layout], stdout=subprocess.PIPE, text=True, check=True).stdout
    names = [line.split("\t")[1] for line in listing.splitlines() if line.startswith("installed\t")]
    return {name.split("(")[0].strip() for line in names for name in line.split(",")}


def apt_install(packages: list[str]) -> None:
    headline(f"apt-get install {' '.join(packages)}")
    environment = clean_environment(DEBIAN_FRONTEND="noninteractive")
    apt = ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=120", "-o", "Dpkg::Use-Pty=0"]
    checked([*apt, "update"], environment)
    checked([*apt, "install", "-y", "--no-install-recommends", *packages], environment, stdout=subprocess.DEVNULL)


# --- screens --------------------------------------------------------------------------------------------------------


def has_screen() -> bool:
    return sys.platform != "linux" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def on_virtual_screen(command: list[str]) -> list[str]:
    """The command that runs the given one under Xvfb with a window manager; the same one where there is no X11."""
    if sys.platform != "linux":
        return command
    if not shutil.which("xvfb-run"):
        raise SetupError(f"Tests of real windows need these packages: {' '.join(VIRTUAL_SCREEN)}")
    this_script = [sys.executable, str(Path(__file__).resolve())]
    return ["xvfb-run", "-a", "-s", XVFB_OPTIONS, *this_script, "with-window-manager", *command]


def with_window_manager(command: list[str]) -> int:
    """Run the command beside openbox, started only once openbox says that it is ready."""
    if not shutil.which("openbox"):
        return call(command)
    with tempfile.TemporaryDirectory() as folder:
        ready = Path(folder, "ready")
        manager = subprocess.Popen(
            ["openbox", "--sm-disable", "--startup", f"touch {ready}"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            wait_for(ready, manager)
            return call(command)
        finally:
            manager.terminate()
            manager.wait()


def wait_for(ready: Path, manager: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 10
    while not ready.exists():
        try:
            raise SetupError(f"openbox ended with exit code {manager.wait(timeout=0.05)}.")
        except subprocess.TimeoutExpired:
            if time.monotonic() > deadline:
                raise SetupError("openbox was not ready within 10 seconds.") from None


# --- running things -------------------------------------------------------------------------------------------------


def headline(text: str) -> None:
    print(f"\n== {text} [{time.monotonic() - started:.0f} s]", flush=True)


def call(command: list[str], environment: dict[str, str] | None = None, folder: Path | None = None) -> int:
    """The command's exit code, as a shell would give it (128 + n if signal n ended it)."""
    code = subprocess.call(command, env=environment or clean_environment(), cwd=folder)
    return code if code >= 0 else 128 - code


def checked(command: list[str], environment: dict[str, str] | None = None, stdout: int | None = None) -> None:
    code = subprocess.call(command, env=environment or clean_environment(), cwd=ROOT, stdout=stdout)
    if code:
        raise SetupError(f"Exit code {code} from: {' '.join(command)}")


# --- the subcommands ------------------------------------------------------------------------------------------------


def run(screenshot: Path | None, arguments: list[str]) -> int:
    if screenshot:
        return take_screenshots("--single", str(screenshot.absolute()), *arguments)
    if not has_screen() and "QT_QPA_PLATFORM" not in os.environ:
        print(
            "There is no screen to open a window on. Either set DISPLAY (or WAYLAND_DISPLAY) to one,\n"
            "or have a picture of the window: python3 packaging/dev.py run --screenshot window.png",
            file=sys.stderr,
        )
        return 2
    ensure_system_packages(QT_LIBRARIES + X11_LIBRARIES)
    return call([prepared_python(), "-m", "wikimem_desktop", *(arguments or ["--sample"])])


def test(pytest_arguments: list[str]) -> int:
    ensure_system_packages(QT_LIBRARIES + X11_LIBRARIES + FONTS + VIRTUAL_SCREEN + LOCALES)
    python = prepared_python("dev")
    for title, command in (
        ("ruff format --check", [python, "-m", "ruff", "format", "--check", "."]),
        ("ruff check", [python, "-m", "ruff", "check", "."]),
        ("mypy", [python, "-m", "mypy"]),
        ("lint-imports", [str(Path(python).with_name("lint-imports")), "--no-logo"]),
    ):
        headline(title)
        code = call(command, folder=ROOT)
        if code:
            return failed(title, code)
    return test_both_platforms(python, pytest_arguments)


def test_both_platforms(python: str, arguments: list[str]) -> int:
    """A selection may leave one of the two stages without tests; without a selection that is an error."""
    stages = (
        ("pytest, offscreen", "not xvfb", "offscreen"),
        ("pytest, real windows", "xvfb", window_platform()),
    )
    codes = []
    for title, marked, platform in stages:
        headline(title)
        command = [python, "-m", "pytest", "-m", marked, *arguments]
        if marked == "xvfb":
            command = on_virtual_screen(command)
        code = call(command, qt_environment(platform), ROOT)
        if code and not (arguments and code == NO_TESTS_RAN):
            return failed(title, code)
        codes.append(code)
    if all(codes):
        return failed("no test was selected", NO_TESTS_RAN)
    headline("everything is in order")
    return 0


def window_platform() -> str:
    return {"win32": "windows", "darwin": "cocoa"}.get(sys.platform, "xcb")


def failed(title: str, code: int) -> int:
    headline(f"FAILED: {title} (exit code {code})")
    return code


def bench(arguments: list[str]) -> int:
    ensure_system_packages(QT_LIBRARIES + X11_LIBRARIES + FONTS + VIRTUAL_SCREEN)
    command = [prepared_python("dev"), "-m", "tests.bench", *arguments]
    if has_screen():
        return call(command, folder=ROOT)
    return call(on_virtual_screen(command), qt_environment(window_platform()), ROOT)


def take_screenshots(*arguments: str) -> int:
    ensure_system_packages(QT_LIBRARIES + FONTS)
    script = str(ROOT / "packaging" / "screenshots.py")
    return call([prepared_python(), script, *arguments], qt_environment("offscreen"))


def renew_translations() -> int:
    """Collect new strings from the code, and compile. New plural forms are then written into the .ts file by hand."""
    tools = Path(prepared_python()).parent
    source = ROOT / "resources" / "translations" / "wikimem_en.ts"
    update = ["-extensions", "py", "-pluralonly", "-no-obsolete", "-locations", "none", "-source-language", "en"]
    checked([str(tools / "pyside6-lupdate"), *update, "-target-language", "en", "wikimem_desktop", "-ts", str(source)])
    return call([str(tools / "pyside6-lrelease"), str(source), "-qm", str(source.with_suffix(".qm"))])


def parse(arguments: list[str]) -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def command(name: str, text: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=text, description=text, allow_abbrev=False)

    starter = command("run", "Start the application on the sample memory; other arguments go to it instead.")
    starter.add_argument("--screenshot", metavar="FILE", type=Path, help="save a picture instead; needs no screen")
    command("test", "Format, lint, types, import contracts, tests; other arguments go to pytest.")
    command("bench", "Measure against the targets; other arguments go to the benchmark.")
    command("screenshots", "Pictures of every view.").add_argument("folder", metavar="DIR", type=Path)
    command("translations", "Collect strings from the code and compile the translations.")
    inner = commands.add_parser("with-window-manager", add_help=False)  # used by on_virtual_screen
    inner.add_argument("inner_command", nargs=argparse.REMAINDER)
    return parser.parse_known_args(arguments)


def main() -> int:
    if not reached_new_enough_python():
        raise SetupError("WikiMem Desktop needs Python {}.{} or newer.".format(*OLDEST_PYTHON))
    options, others = parse(sys.argv[1:])
    if options.command == "run":
        return run(options.screenshot, others)
    if options.command == "test":
        return test(others)
    if options.command == "bench":
        return bench(others)
    if options.command == "screenshots":
        return take_screenshots(str(options.folder.absolute()), *others)
    if options.command == "translations":
        return renew_translations()
    return with_window_manager(options.inner_command)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except SetupError as problem:
        sys.exit(f"{problem}")
    except KeyboardInterrupt:
        sys.exit(130)
