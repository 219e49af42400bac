"""The house's papers: decisions are numbered and found by their index, every page of docs/ is on the way in,
and what a page links to is there.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.house.files import ROOT, everything, shown

DECISIONS = ROOT / "DECISIONS.md"
DOCS = ROOT / "docs"
#: signs in a line of the pages that are read as plain text
WIDTH = 120
#: the head of a decision, and the line below it
HEAD = re.compile(r"^## (\d+)\. (.+)\n\n(\d{4}-\d\d-\d\d) · Status: (.+)$", re.MULTILINE)
#: an entry of the index
ENTRY = re.compile(r"^- \*\*(\d+)\*\* (.+?)(?: \(replaced by (\d+)\))?$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")


class Decision(NamedTuple):
    """`status` is what stands in the file: `holds`, or `replaced by 12`."""

    number: int
    title: str
    date: str
    status: str

    @property
    def heir(self) -> int | None:
        """The number of the decision that replaced this one."""
        found = re.fullmatch(r"replaced by (\d+)", self.status)
        return int(found[1]) if found else None


@cache
def decisions() -> tuple[Decision, ...]:
    """All decisions, in the order in which they stand."""
    text = DECISIONS.read_text(encoding="utf-8")
    found = [Decision(int(one[1]), one[2], one[3], one[4]) for one in HEAD.finditer(text)]
    heads = re.findall(r"^## \d", text, re.MULTILINE)
    assert len(found) == len(heads) > 100, "a decision without a date or a status below its title"
    return tuple(found)


@pytest.mark.parametrize("name", ["README.md", "DECISIONS.md", "docs/README.md"])
def test_no_line_is_wider_than_a_screen(name: str) -> None:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    assert lines
    assert not [f"{name}:{at}" for at, line in enumerate(lines, 1) if len(line) > WIDTH]


def test_no_file_keeps_the_marks_of_a_merge() -> None:
    marks = re.compile(rb"^(<{7} |>{7} |\|{7} |={7}$)", re.MULTILINE)
    files = [one for one in everything() if one.suffix in (".md", ".py", ".toml", ".txt", ".j2", ".yaml")]
    assert len(files) > 1_000
    assert not [one for one in files if marks.search(one.read_bytes())]


def test_decisions_are_numbered_without_a_gap() -> None:
    assert [one.number for one in decisions()] == list(range(1, len(decisions()) + 1))


def test_decisions_stand_in_the_order_of_their_dates() -> None:
    assert not [late.number for soon, late in pairwise(decisions()) if late.date < soon.date]


def test_a_decision_holds_or_was_replaced_by_a_later_one() -> None:
    assert {one.status for one in decisions()} > {"holds"}
    faults = [
        one
        for one in decisions()
        if one.status != "holds" and not (one.heir and one.number < one.heir <= len(decisions()))
    ]
    assert not faults


def test_every_decision_stands_once_in_the_index() -> None:
    index = (
        DECISIONS.read_text(encoding="utf-8").partition("\n## Index by area\n")[2].partition("\n## 1. ")[0]
    )
    entries = [(int(one[1]), one[2], int(one[3]) if one[3] else None) for one in ENTRY.finditer(index)]
    assert len(entries) == index.count("\n- ")
    assert sorted(entries) == [(one.number, one.title, one.heir) for one in decisions()]


def test_every_page_is_on_the_way_in() -> None:
    pages = {one for one in everything() if one.is_relative_to(DOCS)} - {DOCS / "README.md"}
    assert {one.parent.name for one in pages} == {"players", "admins", "engineers"}
    listed = {(DOCS / one.partition("#")[0]).resolve() for one in links(DOCS / "README.md")}
    pictures = {one for one in pages if one.suffix == ".png"}
    assert not sorted(shown(one) for one in pages - listed - pictures)
    front = (ROOT / "README.md").read_text(encoding="utf-8")
    assert pictures == {ROOT / one for one in re.findall(r'src="([^"]+)"', front)}


def links(page: Path) -> list[str]:
    """Where a page's links lead, other sites and its own headings left out; blocks of code are no text."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return [one for one in LINK.findall(text) if not re.match(r"[a-z]+:|#", one)]


def headings(page: Path) -> set[str]:
    """The names by which a page's headings are linked to."""
    return {
        re.sub(r"[^\w -]", "", line.lstrip("#")).strip().lower().replace(" ", "-")
        for line in page.read_text(encoding="utf-8").splitlines()
        if line.startswith("#")
    }


def test_every_link_leads_to_something() -> None:
    pages = [one for one in everything() if one.suffix == ".md"]
    found = [(page, link) for page in pages for link in links(page)]
    assert len(found) > 100
    assert {"README.md", "docs/README.md", "docs/admins/deploy.md"} <= {shown(page) for page, _ in found}
    broken = []
    for page, link in found:
        path, _, heading = link.partition("#")
        target = page.parent / path
        if not target.exists() or (heading and heading not in headings(target)):
            broken.append(f"{shown(page)}: {link}")
    assert not broken
