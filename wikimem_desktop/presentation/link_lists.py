"""Lists of links: those of one item, those that lead nowhere, and the items that no link leads to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from wikimem_desktop.engine.checks import Findings
from wikimem_desktop.engine.index import Snapshot
from wikimem_desktop.engine.problems import PlacedLink

from .buffer import Place


@dataclass(frozen=True, slots=True)
class Missing:
    """An address that links lead to and nothing has."""

    category: str
    name: str
    count: int
    first: PlacedLink


def links_out(findings: Findings, place: Place) -> list[PlacedLink]:
    """The links of an item or a day, in the order of its text."""
    report = (findings.days if place.kind == "day" else findings.categories).get(place.category)
    links = report.links if report else ()
    return [link for link in links if place.kind == "day" or link.from_item == place.name]


def missing(findings: Findings, snapshot: Snapshot) -> list[Missing]:
    """What links lead to in vain, the most wanted first."""
    counts: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], PlacedLink] = {}
    for report in (*findings.categories.values(), *findings.days.values()):
        for address, links in report.links_by_target.items():
            if snapshot.row(*address) is None:
                counts[address] += len(links)
                first.setdefault(address, links[0])
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return [Missing(*address, count, first[address]) for address, count in ordered]


def orphans(findings: Findings, snapshot: Snapshot) -> list[Place]:
    """The items that no link of another item or a day leads to, in store order."""
    linked: set[tuple[str, str]] = set()
    for report in (*findings.categories.values(), *findings.days.values()):
        for address, links in report.links_by_target.items():
            if any((link.path.stem, link.from_item) != address or link.in_diary for link in links):
                linked.add(address)
    return [
        Place("item", file.category, item.name)
        for file in snapshot.files
        for item in file.items
        if (file.category, item.name) not in linked
    ]


def source_of(link: PlacedLink) -> Place:
    """Where a link stands."""
    if link.in_diary:
        return Place("day", link.path.stem)
    return Place("item", link.path.stem, link.from_item)
