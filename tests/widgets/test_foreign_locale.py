"""B12: a system whose default encoding is not UTF-8, and a person whose name is Chinese."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
CHARSET = Path("/usr/share/i18n/charmaps/GBK.gz")
CHILD = "tests/widgets/foreign_locale_child.py"


@pytest.mark.skipif(not CHARSET.exists(), reason="only glibc's locales can be made for a test")
def test_b12_nothing_depends_on_the_encoding_of_the_system(tmp_path: Path) -> None:
    locale = tmp_path / "locales" / "zh_CN.GBK"
    locale.parent.mkdir()
    subprocess.run(["localedef", "-i", "zh_CN", "-f", "GBK", str(locale)], check=True)
    python = [sys.executable, "-X", "warn_default_encoding", "-m", "pytest"]
    options = [
        "-W",
        "default::EncodingWarning",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:benchmark",
        f"--basetemp={tmp_path / 'child'}",
    ]
    environment = os.environ | {"LOCPATH": str(locale.parent), "LC_ALL": locale.name, "PYTHONUTF8": "0"}
    done = subprocess.run([*python, *options, CHILD], cwd=ROOT, env=environment, capture_output=True, timeout=100)
    assert done.returncode == 0, (done.stdout + done.stderr).decode("gbk", errors="replace")[-3000:]
