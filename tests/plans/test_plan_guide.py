"""The guide to plans: every example in it is a plan."""

from __future__ import annotations

import pytest

from referee.plans import Plan
from referee.plans.questions import FREE
from referee.text import Cards, Reading
from referee.text.reading.plans import read_plan
from tests.house.files import ROOT

GUIDE = (ROOT / "docs" / "players" / "plans.md").read_text(encoding="utf-8")
EXAMPLES = [
    "\n".join(line.strip() for line in part.splitlines())
    for part in GUIDE.split("\n\n")
    if part.startswith("    ")
]
AT = Reading(names=("Ana", "Bea", "Cy", "Dan"), cards=Cards())
TWO = Reading(names=("Ana", "Bea"), cards=Cards())


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 8


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_is_a_plan(example: str) -> None:
    found = read_plan(example, TWO if "to discard" in example else AT)
    assert isinstance(found, Plan), found


def test_the_free_benefits_are_those_that_it_names() -> None:
    assert ", ".join(FREE) in GUIDE
