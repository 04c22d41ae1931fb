"""The open store: it follows the disk, keeps what it has while it works, and says what it could not do."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from tests.engine.folders import fill, tree
from tests.presentation.house import House, edit_outside, write_outside
from wikimem_desktop.engine.errors import StoreNotFound
from wikimem_desktop.engine.index import build_steps, run_to_end
from wikimem_desktop.engine.problems import Kind, Problem
from wikimem_desktop.places import find_places
from wikimem_desktop.presentation.notices import Level

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="permission bits and names that Windows does not have")
WAIT_MS = 10_000
SAMPLE_PROBLEMS = {
    (Kind.SAME_MINUTE, "2026-07-20.md", 15, "10:40"),
    (Kind.FOREIGN_NAME, "Reading List.md", 0, "Reading List.md"),
    (Kind.BOM_BEFORE_HEADING, "imported.md", 1, "旧手机备忘"),
    (Kind.BROKEN_JOURNAL_LINE, "journal.jsonl", 8, "journal.jsonl"),
    (Kind.NOT_UTF8, "old-notes.md", 0, "old-notes.md"),
    (Kind.UNRESOLVED_LINK, "people.md", 49, "[[health:annual-check-up]]"),
    (Kind.UNRESOLVED_LINK, "preferences.md", 5, "[[travel:海边民宿]]"),
    (Kind.METADATA_IN_FENCE, "preferences.md", 47, "edit-my-own-memory"),
    (Kind.ODD_SEPARATOR, "travel.md", 22, "hangzhou-weekend"),
    (Kind.SHADOWED, "work.md", 3, "站会"),
    (Kind.HEADING_IN_FENCE, "work.md", 22, "Rollback"),
}


def key(problem: Problem) -> tuple[Kind, str, int, str]:
    return problem.kind, problem.path.name, problem.line, problem.subject


def large_store(root: Path) -> Path:
    """A store whose index takes long enough to be caught at work."""
    files: dict[str, str | bytes] = {
        f"c{number:03}.md": "".join(f"## item {at}\n\n海边 sea {number} {at}\n\n" for at in range(30))
        for number in range(150)
    }
    return fill(root, files)


# ------------------------------------------------------------ opening


def test_the_sample_opens_with_its_items_days_and_each_problem_once(house: House, sample_store: Path) -> None:
    before = tree(sample_store)
    house.open(sample_store)
    assert house.snapshot.item_count == 42
    assert house.library.days == ("2026-07-20", "2026-07-21")
    assert house.store.layout.name == "wiki"
    assert not house.store.read_only
    assert (house.library.indexing, house.library.behind) == (False, False)
    found = [key(problem) for problem in house.library.findings.problems]
    assert set(found) == SAMPLE_PROBLEMS
    assert len(found) == len(SAMPLE_PROBLEMS)
    assert house.notices.current is None
    assert tree(sample_store) == before


def test_signals_come_in_order(house: House, sample_store: Path, qtbot: QtBot) -> None:
    library = house.library
    seen: list[str] = []
    for name in ("store_changed", "snapshot_changed", "problems_changed"):
        getattr(library, name).connect(lambda name=name: seen.append(name))
    house.open(sample_store)
    assert seen == ["store_changed", "snapshot_changed", "problems_changed"]


@pytest.mark.parametrize("kind", ["missing", "file"])
def test_a_folder_that_is_none_leaves_the_open_store_as_it_is(kind: str, house: House, sample_store: Path) -> None:
    house.open(sample_store)
    store, snapshot = house.store, house.snapshot
    target = sample_store / "wiki" / "people.md" if kind == "file" else sample_store / "nowhere"
    with pytest.raises(StoreNotFound) as caught:
        house.library.open(target)
    assert caught.value.path == target
    assert house.store is store
    assert house.snapshot is snapshot
    assert house.watcher.mode == "watching"
    edit_outside(sample_store / "wiki" / "people.md", "插画师", "画家")
    house.until(lambda: "画家" in (house.content("people", "小林") or ""))


def test_another_store_can_be_opened_while_the_first_is_indexed(
    house: House, sample_store: Path, tmp_path: Path
) -> None:
    house.library.open(large_store(tmp_path / "large"), tokenizer="bigrams")
    snapshots: list[int] = []
    house.library.snapshot_changed.connect(lambda: snapshots.append(house.snapshot.item_count))
    house.open(sample_store)
    assert house.store.root == sample_store.resolve()
    assert snapshots == [42]
    assert {key(problem) for problem in house.library.findings.problems} == SAMPLE_PROBLEMS


def test_an_empty_folder_is_an_empty_memory(house: House, tmp_path: Path) -> None:
    house.open(fill(tmp_path / "new", {}))
    assert house.snapshot.item_count == 0
    assert (house.library.days, house.library.findings.problems) == ((), ())
    write_outside(tmp_path / "new" / "notes.md", b"## a\n\ntext\n")
    house.until(lambda: house.content("notes", "a") == "text")


def test_closing_forgets_everything_and_stops_watching(house: House, sample_store: Path) -> None:
    house.open(sample_store)
    house.library.close()
    library = house.library
    assert (library.store, library.snapshot, library.days, library.findings.problems) == (None, None, (), ())
    assert house.watcher.mode == "off"
    library.refresh()
    house.settle()
    assert not library.indexing


def test_temporary_files_of_a_crash_are_swept_and_those_of_others_stay(house: House, sample_store: Path) -> None:
    ours, fresh = sample_store / "wiki" / ".wikimem-0123.tmp", sample_store / "wiki" / ".wikimem-4567.tmp"
    for path in (ours, fresh, sample_store / "wiki" / "theirs.tmp"):
        path.write_bytes(b"half")
    os.utime(ours, (0, 0))
    house.open(sample_store, read_only=True)
    assert ours.exists()
    house.open(sample_store)
    assert not ours.exists()
    assert fresh.exists()
    assert (sample_store / "wiki" / "theirs.tmp").exists()


# ------------------------------------------------------------ read-only


def test_a_store_can_be_opened_read_only(house: House, sample_store: Path) -> None:
    house.open(sample_store, read_only=True)
    assert house.store.read_only


@posix_only
def test_a_folder_that_may_not_be_written_is_read_only(
    house: House, sample_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample_store.chmod(0o555)
    if os.access(sample_store, os.W_OK):  # root may always: answer by the bits as for anybody else
        real = os.access
        monkeypatch.setattr(os, "access", lambda path, mode: real(path, mode) and may(Path(path), mode))
    house.open(sample_store)
    assert house.store.read_only
    sample_store.chmod(0o755)


def may(path: Path, mode: int) -> bool:
    return mode != os.W_OK or bool(path.stat().st_mode & stat.S_IWUSR)


# ------------------------------------------------------------ following the disk


def test_an_edit_outside_reaches_the_snapshot_and_the_problems(house: House, sample_store: Path) -> None:
    house.open(sample_store)
    edit_outside(sample_store / "wiki" / "people.md", "[[health:annual-check-up]]", "[[health:annual-checkup]]")
    house.until(lambda: "annual-checkup" in (house.content("people", "陈医生") or ""))
    house.until(lambda: len(house.library.findings.problems) == len(SAMPLE_PROBLEMS) - 1)
    assert SAMPLE_PROBLEMS - {key(problem) for problem in house.library.findings.problems} == {
        (Kind.UNRESOLVED_LINK, "people.md", 49, "[[health:annual-check-up]]")
    }


def test_files_that_come_and_go_outside_are_followed(house: House, sample_store: Path) -> None:
    house.open(sample_store)
    write_outside(sample_store / "wiki" / "new.md", b"## a\n\n[[new:gone]]\n")
    house.until(lambda: house.content("new", "a") == "[[new:gone]]")
    (sample_store / "wiki" / "new.md").rename(sample_store / "wiki" / "newer.md")
    house.until(lambda: house.content("newer", "a") and not house.content("new", "a"))
    (sample_store / "wiki" / "newer.md").unlink()
    house.until(lambda: not house.content("newer", "a"))
    write_outside(sample_store / "diary" / "2026-07-22.md", b"## 08:00\n\nx\n")
    house.until(lambda: house.library.days[-1] == "2026-07-22")


def test_a_file_that_stops_being_utf8_is_set_aside_and_comes_back(house: House, sample_store: Path) -> None:
    house.open(sample_store)
    path = sample_store / "wiki" / "people.md"
    good = path.read_bytes()
    write_outside(path, b"\xff" + good)
    house.until(
        lambda: (Kind.NOT_UTF8, "people.md", 0, "people.md") in {key(p) for p in house.library.findings.problems}
    )
    assert house.content("people", "小林") is None
    assert house.content("work", "code-review") is not None
    write_outside(path, good)
    house.until(lambda: house.content("people", "小林"))


def test_a_refresh_of_a_disk_that_did_not_change_is_not_news(house: House, sample_store: Path, qtbot: QtBot) -> None:
    house.open(sample_store)
    before = house.snapshot
    with qtbot.assertNotEmitted(house.library.snapshot_changed):
        house.follow_disk()
    assert house.snapshot is before
    assert not house.library.indexing


@pytest.mark.parametrize("name", ["diary/2026-07-20.md", "wiki/old-notes.md"])
def test_a_change_of_a_day_or_of_a_file_that_cannot_be_read_is_news(
    name: str, house: House, sample_store: Path, qtbot: QtBot
) -> None:
    """The index does not hold them, but they are shown, and a run reads the diary."""
    house.open(sample_store)
    with qtbot.waitSignal(house.library.snapshot_changed, timeout=WAIT_MS):
        write_outside(sample_store / name, (sample_store / name).read_bytes() + b"\n\nmore\n")


@posix_only
def test_a_file_name_that_is_no_utf8_is_indexed(house: House, tmp_path: Path) -> None:
    root = fill(tmp_path / "odd", {"notes.md": "## a\n\n[[notes:b]]\n"})
    (root / os.fsdecode(b"caf\xe9.md")).write_bytes(b"## b\n\ntext\n")
    house.open(root)
    assert house.content(os.fsdecode(b"caf\xe9"), "b") == "text"
    assert {problem.kind for problem in house.library.findings.problems} == {Kind.FOREIGN_NAME, Kind.UNRESOLVED_LINK}


def test_a_journal_that_cannot_be_read_is_a_problem_and_no_more(house: House, sample_store: Path) -> None:
    (sample_store / "journal.jsonl").unlink()
    (sample_store / "journal.jsonl").mkdir()
    house.open(sample_store)
    others = {problem for problem in SAMPLE_PROBLEMS if problem[1] != "journal.jsonl"}
    assert {key(problem) for problem in house.library.findings.problems} == others | {
        (Kind.UNREADABLE, "journal.jsonl", 0, "journal.jsonl")
    }
    assert not house.library.behind
    assert house.notices.current is None


def test_a_folder_that_goes_is_told_and_found_again(house: House, sample_store: Path, tmp_path: Path) -> None:
    house.open(sample_store)
    count = house.snapshot.item_count
    (sample_store / "wiki").rename(tmp_path / "elsewhere")
    (sample_store / "wiki").write_bytes(b"a file in its place")
    house.until(lambda: house.library.behind)
    assert house.snapshot.item_count == count
    assert house.notice().level is Level.ERROR
    (sample_store / "wiki").unlink()
    (tmp_path / "elsewhere").rename(sample_store / "wiki")
    house.until(lambda: not house.library.behind)
    assert house.snapshot.item_count == count
    assert house.notices.current is None


def test_a_folder_that_went_is_said_and_followed_when_it_is_back(house: House, sample_store: Path) -> None:
    house.open(sample_store)
    away = sample_store.rename(sample_store.with_name("away"))
    house.until(lambda: house.notices.current)
    house.until(lambda: house.library.behind)
    house.follow_disk()
    assert house.notice().level is Level.WARNING
    assert str(sample_store) in house.notice().text
    assert (house.snapshot.item_count, house.library.behind) == (42, True)  # what was there is shown until it is back
    away.rename(sample_store)
    house.until(lambda: house.notices.current is None)
    house.until(lambda: not house.library.behind)
    assert house.snapshot.item_count == 42
    edit_outside(sample_store / "wiki" / "people.md", "numbers first", "words first")
    house.until(lambda: "words first" in str(house.content("people", "mei")))


def test_a_notice_of_the_folder_goes_with_the_store(house: House, sample_store: Path) -> None:
    house.open(sample_store)
    sample_store.rename(sample_store.with_name("away"))
    house.until(lambda: house.notices.current)
    house.library.close()
    assert house.notices.current is None


def test_a_notice_of_the_folder_that_was_put_away_does_not_come_again(house: House, sample_store: Path) -> None:
    house.open(sample_store)
    sample_store.rename(sample_store.with_name("away"))
    house.until(lambda: house.notices.current)
    house.notices.clear()
    house.follow_disk()
    assert house.notices.current is None


def test_a_look_finds_what_nobody_told(house: House, sample_store: Path) -> None:
    house.open(sample_store)
    house.watcher.stop()
    edit_outside(sample_store / "wiki" / "people.md", "numbers first", "words first")
    house.watcher.look_due.emit()
    house.settle()
    assert "words first" in str(house.content("people", "mei"))


def test_a_look_does_not_take_up_what_the_person_cancelled(house: House, sample_store: Path) -> None:
    house.open(sample_store)
    house.library.rebuild()
    house.library.cancel()
    house.library.look()
    assert (house.library.indexing, house.library.behind) == (False, True)
    house.library.rebuild()
    house.settle()
    house.library.look()
    assert house.library.indexing
    house.settle()


# ------------------------------------------------------------ long work


def test_cancelling_keeps_the_snapshot_and_says_it_is_behind(house: House, tmp_path: Path) -> None:
    root = large_store(tmp_path / "large")
    house.open(root)
    before = house.snapshot
    write_outside(root / "new.md", b"## a\n\ntext\n")
    house.library.rebuild()
    house.library.cancel()
    house.watcher.stop()
    house.settle()
    assert (house.library.indexing, house.library.behind) == (False, True)
    assert house.snapshot is before
    house.follow_disk()
    assert (house.library.indexing, house.library.behind) == (False, False)
    assert house.content("new", "a") == "text"


def test_a_first_build_that_is_cancelled_can_be_taken_up_again(house: House, tmp_path: Path) -> None:
    house.library.open(large_store(tmp_path / "large"), tokenizer="bigrams")
    house.library.cancel()
    house.settle()
    assert (house.library.snapshot, house.library.behind) == (None, True)
    house.follow_disk()
    assert house.snapshot.item_count == 4500


def test_progress_is_told_in_files_and_seldom(house: House, tmp_path: Path) -> None:
    progress: list[tuple[int, int]] = []
    house.library.progressed.connect(lambda done, total: progress.append((done, total)))
    house.open(large_store(tmp_path / "large"))
    assert 1 <= len(progress) < 100
    assert {total for _, total in progress} == {150}
    assert all(0 <= done <= total for done, total in progress)


def test_the_newest_of_many_requests_is_answered(house: House, tmp_path: Path) -> None:
    root = large_store(tmp_path / "large")
    house.open(root)
    house.watcher.stop()
    for number in range(5):
        write_outside(root / "new.md", f"## a\n\ntext {number}\n".encode())
        house.library.refresh()
    house.settle()
    assert house.content("new", "a") == "text 4"
    assert (house.library.indexing, house.library.behind) == (False, False)


# ------------------------------------------------------------ tokenizers


def test_switching_the_tokenizer_builds_anew(house: House, sample_store: Path) -> None:
    house.open(sample_store)
    before = house.snapshot
    assert not before.postings.jieba
    house.library.set_tokenizer("bigrams")
    assert not house.library.indexing
    house.library.set_tokenizer("jieba")
    house.settle()
    assert house.library.tokenizer == "jieba"
    assert house.snapshot.postings.jieba
    assert house.snapshot.item_count == before.item_count


def tokenizers_seen(house: House) -> list[tuple[bool, bool]]:
    """Of each snapshot that comes, whether it is jieba's and whether jieba is awaited."""
    seen: list[tuple[bool, bool]] = []
    house.library.snapshot_changed.connect(
        lambda: seen.append((house.snapshot.postings.jieba, house.library.awaits_jieba))
    )
    return seen


def test_pairs_of_characters_answer_until_jieba_does(house: House, sample_store: Path) -> None:
    seen = tokenizers_seen(house)
    house.open(sample_store, tokenizer="auto")
    assert seen == [(False, True), (True, False)]
    assert (house.library.indexing, house.library.behind, house.library.awaits_jieba) == (False, False, False)
    assert {key(problem) for problem in house.library.findings.problems} == SAMPLE_PROBLEMS
    house.library.rebuild()
    house.settle()
    assert {jieba for jieba, _ in seen[2:]} <= {True}  # nothing in use is taken away for a while


def test_cancelling_jieba_leaves_the_pairs_in_use(house: House, tmp_path: Path) -> None:
    root = large_store(tmp_path / "large")
    seen = tokenizers_seen(house)
    house.library.open(root, tokenizer="jieba")
    house.until(lambda: house.library.snapshot)
    house.library.cancel()
    house.watcher.stop()
    house.settle()
    assert (house.library.indexing, house.library.behind, house.library.awaits_jieba) == (False, False, False)
    assert house.library.cancelled
    assert seen == [(False, True)]
    house.library.rebuild()
    house.settle()
    assert seen[-1] == (True, False)
    assert (house.library.indexing, house.library.behind) == (False, False)


def test_a_change_is_followed_while_jieba_is_awaited(house: House, tmp_path: Path) -> None:
    root = large_store(tmp_path / "large")
    seen = tokenizers_seen(house)
    house.library.open(root, tokenizer="jieba")
    house.until(lambda: house.library.snapshot)
    write_outside(root / "new.md", "## a\n\n想去海边玩\n".encode())
    house.library.refresh()
    house.until(lambda: house.content("new", "a"))
    house.settle()
    assert seen[0] == (False, True)
    assert seen[-1] == (True, False)
    fresh = run_to_end(build_steps(house.store, use_jieba=True))
    assert house.snapshot.item_count == fresh.item_count == 4501
    assert house.snapshot.postings.lengths.sum() == fresh.postings.lengths.sum()


def test_what_jieba_found_is_kept_for_the_next_time(house: House, sample_store: Path) -> None:
    def kept() -> list[Path]:
        return sorted(find_places().tokens.glob("*/*"))

    house.open(sample_store, tokenizer="jieba")
    before = kept()
    assert len(before) == 1
    write_outside(sample_store / "wiki" / "new.md", "## a\n\n想去海边玩\n".encode())
    house.follow_disk()
    assert len(kept()) == 2
    house.library.close()
    house.open(sample_store, tokenizer="jieba")
    assert house.snapshot.postings.jieba
    assert len(kept()) == 2  # all was there already


def test_a_store_that_never_rests_gets_to_jieba_all_the_same(house: House, tmp_path: Path, qtbot: QtBot) -> None:
    """Pairs of characters follow each change at once; finding words goes on behind them, not anew each time."""
    restless = QTimer(interval=0)
    restless.timeout.connect(house.library.refresh)
    root = large_store(tmp_path / "large")
    house.library.open(root, tokenizer="jieba")
    house.until(lambda: house.library.snapshot)
    write_outside(root / "new.md", "## a\n\n想去海边玩\n".encode())
    restless.start()
    house.until(lambda: house.snapshot.item_count == 4501)
    house.until(lambda: house.snapshot.postings.jieba)
    restless.stop()
    assert house.content("new", "a") == "想去海边玩"


@pytest.mark.parametrize("interruption", ["refresh", "cancel"])
def test_a_switch_is_not_lost_when_a_change_of_the_disk_comes_in_between(
    interruption: str, house: House, sample_store: Path
) -> None:
    house.open(sample_store, tokenizer="jieba")
    assert house.snapshot.postings.jieba
    house.library.set_tokenizer("bigrams")
    if interruption == "cancel":
        house.library.cancel()
    house.library.refresh()
    house.settle()
    assert (house.snapshot.postings.jieba, house.library.indexing) == (False, False)


def test_a_store_that_never_rests_is_indexed_all_the_same(house: House, tmp_path: Path, qtbot: QtBot) -> None:
    """Each change asks for a refresh; a build that began over each time would never end."""
    restless = QTimer(interval=0)
    restless.timeout.connect(house.library.refresh)
    with qtbot.waitSignal(house.library.snapshot_changed, timeout=WAIT_MS):
        house.library.open(large_store(tmp_path / "large"), tokenizer="bigrams")
        restless.start()
    restless.stop()
    write_outside(tmp_path / "large" / "new.md", b"## a\n\ntext\n")
    house.follow_disk()
    assert house.content("new", "a") == "text"
    house.until(lambda: not house.library.indexing)  # the watcher may have asked for one more look
    assert not house.library.behind
