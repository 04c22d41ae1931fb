"""The playground runs on texts that are not saved yet, as if they were."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.engine.folders import fill
from tests.presentation.house import House, edit_outside
from tests.presentation.notes import A, type_text
from wikimem_desktop.engine import MemoryIndex, MemoryStore, est_tokens
from wikimem_desktop.engine.items import RetrievalResult
from wikimem_desktop.presentation.searcher import Parameters, Run

FILES: dict[str, str | bytes] = {
    "a.md": "## sea\n\nthe sea is blue\n\n## hill\n\na green hill\n",
    "b.md": "## boat\n\na boat at sea\n\n## train\n\nthe train to town\n",
}
BIGRAMS = Parameters(tokenizer="bigrams")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return fill(tmp_path / "store", dict(FILES))


@pytest.fixture
def desk(house: House, root: Path) -> House:
    """A store is open, and the query "sea" was run on it."""
    house.open(root)
    house.playground.restore("sea", BIGRAMS)
    newest_run(house)
    return house


def newest_run(house: House) -> Run:
    house.settle()
    house.until(lambda: not house.playground.stale)
    assert house.playground.run is not None
    return house.playground.run


def ranked(run: Run) -> list[str]:
    return [entry.item.address for entry in run.result.items]


def type_into(house: House, address: str, text: str) -> None:
    category, name = address.split(":")
    type_text(house, text, replace(A, category=category, name=name))


def host_result(root: Path, query: str = "sea") -> RetrievalResult:
    return MemoryIndex(MemoryStore(root), use_jieba=False).retrieve(query, explain=True)


def test_typing_changes_the_run_as_saving_would(desk: House, root: Path, tmp_path: Path) -> None:
    assert ranked(newest_run(desk)) == ["a:sea", "b:boat"]
    type_into(desk, "b:train", "sea sea sea [[a:hill]] [[a:gone]]")
    type_into(desk, "b:boat", "nothing of it any more, in many words")
    assert desk.playground.stale
    run = newest_run(desk)
    saved = MemoryStore(shutil.copytree(root, tmp_path / "saved"))
    saved.add("b", "train", "sea sea sea [[a:hill]] [[a:gone]]")
    saved.add("b", "boat", "nothing of it any more, in many words")
    expected = host_result(saved.root)
    told = [[(e.item.address, e.item.content, e.score, e.source, e.via, e.tokens_est, e.matched_terms) for e in r.items]
            for r in (run.result, expected)]  # fmt: skip
    assert told[0] == told[1]
    assert ranked(run) == ["b:train", "a:hill", "a:sea"]
    assert run.result.unresolved_links == expected.unresolved_links == ["[[a:gone]]"]
    assert run.result.items[0].tokens_est == est_tokens("train\nsea sea sea [[a:hill]] [[a:gone]]")
    assert sum(share.adds for share in run.explained.shares["b:train"]) == pytest.approx(run.result.items[0].score)
    assert run.unsaved_items == 2
    assert (root / "b.md").read_bytes() == str(FILES["b.md"]).encode(), "nothing was saved"


def test_every_text_that_is_typed_is_run_in_the_end(desk: House) -> None:
    text = "sea sea sea"
    for end in range(1, len(text) + 1):
        type_into(desk, "b:train", text[:end])
    assert ranked(newest_run(desk))[0] == "b:train"
    assert newest_run(desk).result.items[0].item.content == text


def test_with_the_switch_off_the_run_is_of_the_disk(desk: House, root: Path, qtbot: QtBot) -> None:
    desk.playground.set_parameters(unsaved=False)
    newest_run(desk)
    type_into(desk, "b:train", "sea sea sea")
    assert not desk.playground.stale
    desk.playground.run_now()
    run = newest_run(desk)
    assert (run.result, run.unsaved_items) == (host_result(root), 0)
    desk.playground.set_parameters(unsaved=True)
    assert ranked(newest_run(desk))[0] == "b:train"
    desk.playground.set_parameters(unsaved=False)
    assert newest_run(desk).result == host_result(root)


def test_saving_changes_nothing_in_the_run(desk: House, root: Path) -> None:
    type_into(desk, "b:train", "sea sea sea")
    before = newest_run(desk)
    seen: list[list[tuple[str, float | None]]] = []

    def look() -> None:
        run = desk.playground.run
        seen.append([(entry.item.address, entry.score) for entry in run.result.items] if run else [])

    desk.playground.run_changed.connect(look)
    desk.save()
    desk.until(lambda: not desk.documents.unsaved_contents)
    after = newest_run(desk)
    assert "sea sea sea" in (root / "b.md").read_text()
    assert after.result == host_result(root)
    assert after.unsaved_items == 0
    assert seen
    assert seen == [[(entry.item.address, entry.score) for entry in before.result.items]] * len(seen)


def test_giving_the_text_up_gives_the_old_run(desk: House, root: Path) -> None:
    type_into(desk, "b:train", "sea sea sea")
    assert ranked(newest_run(desk))[0] == "b:train"
    desk.documents.discard_all()
    assert newest_run(desk).result == host_result(root)


def test_a_text_that_hosts_read_as_the_old_one_is_not_counted(desk: House, root: Path) -> None:
    type_into(desk, "b:train", "the train to town\n\n")
    run = newest_run(desk)
    assert (run.result, run.unsaved_items) == (host_result(root), 0)


def test_a_heading_in_the_text_is_text(desk: House) -> None:
    type_into(desk, "b:train", "the train\n\n## lake\n\nlake lake")
    desk.playground.set_query("lake")
    run = newest_run(desk)
    assert [(entry.item.name, entry.item.content) for entry in run.result.items] == [
        ("train", "the train\n\n## lake\n\nlake lake")
    ]


def test_an_item_that_is_gone_meanwhile_takes_part_with_its_unsaved_text(desk: House, root: Path) -> None:
    type_into(desk, "b:train", "sea sea sea")
    newest_run(desk)
    edit_outside(root / "b.md", "## train\n\nthe train to town\n", "")
    desk.follow_disk()
    assert ranked(newest_run(desk))[0] == "b:train"
    desk.documents.discard_all()
    assert newest_run(desk).result == host_result(root)


def test_an_outside_edit_of_another_item_and_the_unsaved_text_meet_in_the_run(desk: House, root: Path) -> None:
    type_into(desk, "b:train", "sea sea sea")
    newest_run(desk)
    edit_outside(root / "a.md", "a green hill", "a hill by the sea, sea, sea, sea")
    desk.follow_disk()
    assert sorted(ranked(newest_run(desk))) == ["a:hill", "a:sea", "b:boat", "b:train"]


def test_many_queries_of_the_same_texts_make_their_snapshot_once(desk: House) -> None:
    type_into(desk, "b:train", "sea sea sea")
    first = newest_run(desk)
    for limit in range(1, 5):
        desk.playground.set_parameters(limit=limit)
        assert newest_run(desk).snapshot is first.snapshot
    type_into(desk, "b:train", "sea sea")
    assert newest_run(desk).snapshot is not first.snapshot


def test_no_query_is_no_run_whatever_is_typed(desk: House, qtbot: QtBot) -> None:
    desk.playground.set_query("")
    desk.until(lambda: desk.playground.run is None)
    with qtbot.assertNotEmitted(desk.playground.run_changed):
        type_into(desk, "b:train", "sea sea sea")
        desk.settle()
    desk.playground.set_query("sea")
    assert ranked(newest_run(desk))[0] == "b:train"


def test_another_store_knows_nothing_of_the_texts(desk: House, tmp_path: Path) -> None:
    type_into(desk, "b:train", "sea sea sea")
    newest_run(desk)
    other = fill(tmp_path / "other", {"b.md": "## train\n\nno water\n\n## boat\n\nsea\n"})
    desk.open(other)
    assert newest_run(desk).result == host_result(other)
