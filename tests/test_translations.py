"""The English file holds the plural forms of every counted string, compiled."""

from __future__ import annotations

import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import PySide6

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "resources" / "translations" / "wikimem_en.ts"
TOOLS = Path(PySide6.__file__).parent


def counted_strings(path: Path) -> set[tuple[str, str]]:
    tree = ElementTree.parse(path)
    return {
        (context.findtext("name", ""), message.findtext("source", ""))
        for context in tree.iter("context")
        for message in context.iter("message")
    }


def test_every_counted_string_of_the_code_has_its_plural_forms(tmp_path: Path) -> None:
    fresh = tmp_path / "wikimem_en.ts"
    arguments = ["-extensions", "py", "-pluralonly", "-source-language", "en", "-target-language", "en"]
    command = [str(TOOLS / "lupdate"), *arguments, "wikimem_desktop", "-ts", str(fresh)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    assert counted_strings(SOURCE) == counted_strings(fresh)
    for translation in ElementTree.parse(SOURCE).iter("translation"):
        forms = [form.text or "" for form in translation.iter("numerusform")]
        assert translation.get("type") is None
        assert len(forms) == 2
        assert all(forms)
        assert not any("(s)" in form or "(ies)" in form for form in forms)


def test_the_compiled_file_is_that_of_the_source(tmp_path: Path) -> None:
    copy = shutil.copy(SOURCE, tmp_path)
    compiled = tmp_path / "wikimem_en.qm"
    subprocess.run([str(TOOLS / "lrelease"), copy, "-qm", str(compiled)], check=True, capture_output=True)
    assert compiled.read_bytes() == SOURCE.with_suffix(".qm").read_bytes()
