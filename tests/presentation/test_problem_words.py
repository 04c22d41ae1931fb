"""Every finding and every error has words for a person, with what it is about in them."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from wikimem_desktop.engine import errors
from wikimem_desktop.engine.items import MemoryItem
from wikimem_desktop.engine.problems import Kind, Problem
from wikimem_desktop.presentation.words import error_text, is_severe, problem_text

PATH = Path("/memory/wiki/notes.md")
BASE = MemoryItem("notes", "a", "text")
ERRORS: dict[errors.WikimemError, list[str]] = {
    errors.StoreNotFound(PATH, "is not a folder"): [str(PATH), "is not a folder"],
    errors.UnreadableFile(PATH, "a folder, not a file"): ["notes.md", "a folder, not a file"],
    errors.NotUtf8(PATH, 17): ["notes.md", "UTF-8", "17"],
    errors.ItemNotFound("notes", "a"): ["notes:a"],
    errors.Conflict(BASE, BASE, "mine"): ["changed on disk", "not saved"],
    errors.Conflict(BASE, None, "mine"): ["deleted or renamed", "not saved"],
    errors.ReadOnlyStore(PATH): ["read-only"],
    errors.ReadOnlyFiles([PATH]): ["read-only", "Nothing was changed"],
    errors.OutsideStore(PATH, Path("/elsewhere/n.md")): ["notes.md", str(Path("/elsewhere/n.md"))],
    errors.WriteFailed(PATH, "No space left on device"): ["notes.md", "No space left on device", "still here"],
    errors.JournalFailed(PATH.with_name("journal.jsonl"), "Is a directory"): ["Saved", "journal", "Is a directory"],
    errors.ContentNotStorable(3, "  ## x", "heading"): ["3", "## x", "another item", "Not saved"],
    errors.ContentNotStorable(4, "<!-- wikimem: a=b -->", "metadata"): ["4", "wikimem: a=b", "metadata", "Not saved"],
    errors.ContentNotStorable(5, "\ud800", "surrogate"): ["5", "half a character", "Not saved"],
    errors.InvalidTimeRange("x"): ["range"],
    errors.CategoryNotFound("notes"): ["notes"],
    errors.InvalidCategory("My Notes"): ["a–z"],
    errors.InvalidCategory(""): ["name"],
    errors.InvalidCategory("con", reserved=True): ["con", "Windows"],
    errors.InvalidItemName("a:b", ":"): [":"],
    errors.InvalidItemName(" ", None): ["empty"],
    errors.NameTaken("notes", "a", "a"): ["a is taken"],
    errors.NameTaken("notes", "a", "A"): ["A", "upper and lower case"],
    errors.NameTaken("notes", "é", "e\u0301"): ["e\u0301", "looks the same"],
    errors.InvalidDiaryEntry("a diary entry needs text"): ["needs text"],
}


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_of_problem_has_a_sentence_about_its_subject(kind: Kind) -> None:
    text = problem_text(Problem(kind, PATH, 3, "{subject} %n", "notes", "a", "{detail}"))
    assert "{subject} %n" in text
    assert len(text) > len("{subject} %n") + 5
    assert text == problem_text(Problem(kind, PATH, 99, "{subject} %n", None, None, "{detail}"))
    assert isinstance(is_severe(Problem(kind, PATH, 0, "")), bool)


def test_sentences_differ_from_each_other() -> None:
    assert len({problem_text(Problem(kind, PATH, 0, "x", detail="y")) for kind in Kind}) == len(Kind)


def test_what_is_lost_to_the_agent_is_severe() -> None:
    severe = {kind for kind in Kind if is_severe(Problem(kind, PATH, 0, ""))}
    assert severe >= {Kind.NOT_UTF8, Kind.UNREADABLE, Kind.BOM_BEFORE_HEADING, Kind.UNRESOLVED_LINK, Kind.FORM_MISMATCH}
    assert not severe & {Kind.SHADOWED, Kind.SAME_MINUTE, Kind.ODD_SEPARATOR}


def test_a_file_that_is_no_utf8_is_told_so_once() -> None:
    error = errors.NotUtf8(PATH, 16)
    text = problem_text(Problem(Kind.NOT_UTF8, PATH, 0, PATH.name, "notes", detail=error.reason))
    assert text.count("UTF-8") == 1
    assert "16" in text


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_every_error_has_words_that_say_what_happened(error: errors.WikimemError) -> None:
    text = error_text(error)
    assert [words for words in ERRORS[error] if words not in text] == []
    assert "{" not in text


def test_no_error_of_the_engine_is_forgotten_here() -> None:
    kinds = {kind for _, kind in inspect.getmembers(errors, inspect.isclass) if kind.__module__ == errors.__name__}
    bases = {errors.WikimemError, errors.StoreError}
    assert {type(error) for error in ERRORS} == kinds - bases
