"""A memory may hold anything: rendered, it loads nothing, runs nothing, and leads only where a person clicks (B84)."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QTextCharFormat, QTextDocument
from PySide6.QtTest import QTest

from tests.engine.folders import fill
from tests.widgets.desk import Desk
from tests.widgets.test_editor import click_in_reader
from wikimem_desktop.widgets.editor.reader import Reader

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def requests() -> Iterator[tuple[str, list[str]]]:
    """The address of a web server, and what was asked of it."""
    seen: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.path)
            self.send_error(404)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}", seen
        server.shutdown()
        thread.join()


@pytest.fixture
def opened_urls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    urls: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: urls.append(url.toString()))
    return urls


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, object]]:
    """What the rendering asked for, and what it got."""
    asked: list[tuple[str, object]] = []
    original = Reader.loadResource

    def load(self: Reader, kind: int, name: QUrl | str) -> object:
        got = original(self, kind, name)
        asked.append((QUrl(name).toString(), got))
        return got

    monkeypatch.setattr(Reader, "loadResource", load)
    return asked


def read(desk: Desk, folder: Path, text: str) -> Reader:
    desk.open(fill(folder / "store", {"x.md": f"## a\n\n{text}\n\n## b\n\nother\n"}))
    desk.open_item("x:a")
    QTest.mouseClick(desk.app.item_view.header.read, LEFT)
    desk.app.item_view.reader.grab()
    return desk.app.item_view.reader


def pictures(reader: Reader) -> list[str]:
    """The addresses of all pictures that Qt would show."""
    found, block = [], reader.document().begin()
    while block.isValid():
        formats = [QTextCharFormat(span.format) for span in block.textFormats()]
        found += [span.toImageFormat().name() for span in formats if span.isImageFormat()]
        block = block.next()
    return found


def test_nothing_is_loaded_whatever_the_text_holds(
    desk: Desk, tmp_path: Path, requests: tuple[str, list[str]], loads: list[tuple[str, object]]
) -> None:
    server, seen = requests
    picture = tmp_path / "secret.png"
    desk.app.window.grab().save(str(picture))
    text = f"""Text.

<script src="{server}/script.js">alert(1)</script>
<img src="x" onerror="alert(1)"> <img src="{server}/html.png">
<link rel="stylesheet" href="{server}/style.css"><iframe src="{server}/frame"></iframe>

![remote]({server}/markdown.png) ![local]({picture}) ![file](file://{picture}) ![share](//host/share/x.png)
![data](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==)
![resource](:/qt-project.org/styles/commonstyle/images/file-16.png) ![relative](diary/x.png)
"""
    reader = read(desk, tmp_path, text)
    assert seen == []
    assert loads == []
    assert pictures(reader) == []
    assert "[picture: share]" in reader.toPlainText()


@pytest.mark.parametrize("fence", ["```", "~~~", "> ```", "- ```", "````"])
def test_no_trick_with_code_makes_a_picture(
    desk: Desk, tmp_path: Path, loads: list[tuple[str, object]], fence: str
) -> None:
    picture = tmp_path / "secret.png"
    desk.window.grab().save(str(picture))
    text = f"{fence}\n![a]({picture})\n\n![b][r]\n\n[![c]({picture})](http://x.test)\n\n[r]: {picture}\n{fence}\n"
    reader = read(desk, tmp_path, f"{text}\n`![d]({picture})\n\n![e](<{picture}> 'title')")
    assert pictures(reader) == []
    assert loads == []


def test_what_qt_would_read_by_itself_is_not_read(desk: Desk, tmp_path: Path) -> None:
    reader = read(desk, tmp_path, "text")
    picture = tmp_path / "secret.png"
    desk.window.grab().save(str(picture))
    kind = QTextDocument.ResourceType.ImageResource.value
    for url in (str(picture), f"file://{picture}", "data:image/png;base64,AAAA", ":/qt-project.org/x.png"):
        assert reader.document().resource(kind, QUrl(url)).width() == 1


def test_html_is_shown_as_text(desk: Desk, tmp_path: Path) -> None:
    reader = read(desk, tmp_path, "<script>alert(1)</script> and <b>bold</b>\n\n<h1>big</h1>")
    for piece in ("<script>alert(1)</script>", "<b>bold</b>", "<h1>big</h1>"):
        assert piece in reader.toPlainText()


def test_a_web_link_opens_in_the_browser_only_when_it_is_clicked(
    desk: Desk, tmp_path: Path, requests: tuple[str, list[str]], opened_urls: list[str]
) -> None:
    server, seen = requests
    reader = read(desk, tmp_path, f"A [web page]({server}/page).")
    assert opened_urls == seen == []
    before = reader.toPlainText()
    click_in_reader(desk, "web page")
    assert opened_urls == [f"{server}/page"]
    assert seen == []
    assert reader.toPlainText() == before


@pytest.mark.parametrize(
    "target",
    [
        "file:///etc/passwd",
        "//host/share/file",
        "/etc/passwd",
        "javascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "smb://host/share",
        "mailto:a@b.c",
        "x.md",
        "#anchor",
        "vbscript:x",
    ],
)
def test_a_link_to_anything_else_leads_nowhere(desk: Desk, tmp_path: Path, opened_urls: list[str], target: str) -> None:
    reader = read(desk, tmp_path, f"Some [tempting link](<{target}>) here.")
    before = reader.toPlainText()
    click_in_reader(desk, "tempting link")
    assert opened_urls == []
    assert desk.address == "x:a"
    assert reader.toPlainText() == before
    assert reader.source().isEmpty()


def test_a_link_with_our_own_scheme_opens_items_and_nothing_else(
    desk: Desk, tmp_path: Path, opened_urls: list[str]
) -> None:
    read(desk, tmp_path, "[to b](wikimem:x:b) [bad one](wikimem:///etc/passwd)")
    click_in_reader(desk, "bad one")
    assert desk.address == "x:a"
    click_in_reader(desk, "to b")
    assert desk.address == "x:b"
    assert opened_urls == []


def test_wiki_links_in_code_are_no_links(desk: Desk, tmp_path: Path) -> None:
    text = "Span `[[x:b]]` here.\n\n```\nfence [[x:b]]\n```\n\n    indented [[x:b]]\n\nreal [[x:b]]"
    reader = read(desk, tmp_path, text)
    assert reader.toPlainText().count("[[x:b]]") == 3
    click_in_reader(desk, "[[x:b]]")
    click_in_reader(desk, "fence [[x:b]]")
    assert desk.address == "x:a"


def test_a_link_whose_name_holds_markdown_is_shown_and_followed(desk: Desk, tmp_path: Path) -> None:
    name = "a*b_c `d` <e> (f) 100% \\ &amp;"
    desk.open(fill(tmp_path / "store", {"x.md": f"## a\n\nsee [[x:{name}]] there\n\n## {name}\n\nother\n"}))
    desk.open_item("x:a")
    QTest.mouseClick(desk.app.item_view.header.read, LEFT)
    assert f"x:{name}" in desk.app.item_view.reader.toPlainText()
    click_in_reader(desk, "there")
    assert desk.address == "x:a"
    click_in_reader(desk, "x:a*b")
    assert desk.address == f"x:{name}"
