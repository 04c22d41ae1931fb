"""The guards themselves: each kind of leak fails the test that leaked, and is named."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
LEAKY = """
import logging, threading
import pytest
from PySide6.QtCore import QObject, QThread, QTimer
from PySide6.QtWidgets import QWidget
from watchdog.observers import Observer

kept = []

def test_qthread(qapp):
    kept.append(QThread(objectName="the lane"))
    kept[-1].start()  # here starts the lane

def test_timer(qapp):
    kept.append(QTimer(interval=60_000))
    kept[-1].start()  # here starts the timer

def test_observer(qapp):
    Observer().start()  # here starts the observer

def test_plain_thread(qapp):
    end = threading.Event()
    thread = threading.Thread(target=end.wait, name="plain", daemon=True)
    thread.stop = end.set
    thread.start()  # here starts the plain one

def test_window(qtbot):
    kept.append(QWidget(objectName="the window"))

def test_log():
    logging.getLogger("somewhere").warning("something odd")

def test_announced_log_that_never_came(expected_log):
    expected_log("WARNING somewhere: something")

def test_clean(qtbot, expected_log):
    expected_log("^ERROR somewhere: something odd$")
    logging.getLogger("somewhere").error("something odd")
    widget = QWidget()
    qtbot.addWidget(widget)
    timer = QTimer(widget, interval=60_000)
    timer.start()
    thread = QThread()
    thread.start()
    thread.quit()
    assert thread.wait(10_000)
"""
COMPLAINTS = {
    "test_qthread": "running QThread 'the lane', started at .* # here starts the lane",
    "test_timer": "active QTimer .* # here starts the timer",
    "test_observer": r"Observer\), started at .* # here starts the observer",
    "test_plain_thread": "running thread 'plain' .* # here starts the plain one",
    "test_window": "window QWidget 'the window'",
    "test_log": "WARNING somewhere: something odd",
    "test_announced_log_that_never_came": "never logged: WARNING somewhere: something",
}


def test_each_kind_of_leak_is_named_and_a_clean_test_passes(tmp_path: Path) -> None:
    (tmp_path / "test_leaky.py").write_text(LEAKY, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.guards", "-p", "no:cacheprovider", "test_leaky.py"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    sections = done.stdout.split("ERROR at teardown of ")[1:]
    found = {section.split(" ", 1)[0]: section.split("\n=====")[0] for section in sections}
    assert found.keys() == COMPLAINTS.keys(), done.stdout
    for name, complaint in COMPLAINTS.items():
        assert re.search(complaint, found[name]), found[name]
    assert "8 passed" in done.stdout
