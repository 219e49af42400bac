"""Every scenario holds: our own, a file for each card and a few for the flow, and those handed
to the project, where they lie beside it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from referee.rules.scenario import check
from tests.rules.test_rulings import QUICK

HERE = Path(__file__).parent / "scenarios"
OWN = sorted(HERE.rglob("*.yaml"))
GIVEN = sorted((Path(__file__).parents[3] / "shared" / "scenarios").glob("*.yaml"))
CARDS = Path(__file__).parents[2] / "referee" / "rules" / "cards"


@cache
def scenarios(path: Path) -> list[dict[str, Any]]:
    return list(yaml.load(path.read_text(), QUICK))


@pytest.mark.parametrize("path", OWN, ids=lambda p: p.stem)
def test_own_scenarios(path: Path) -> None:
    results = check(scenarios(path), path.name)
    assert len(results) >= 2
    assert [r for r in results if not r.ok] == []


def test_there_are_enough_of_them() -> None:
    entries = [entry for path in OWN for entry in scenarios(path)]
    assert len(entries) >= 60
    names = [entry["name"] for entry in entries]
    assert len(names) > 60
    assert {len(entry["players"]) for entry in entries} == {2, 3, 4, 5, 6, 7, 8}


@pytest.mark.parametrize("folder", ["characters", "districts"])
def test_every_card_has_its_scenarios(folder: str) -> None:
    cards = {p.stem for p in (CARDS / folder).glob("*.py") if p.stem != "__init__"}
    assert len(cards) >= 8
    assert cards == {p.stem for p in (HERE / folder).glob("*.yaml")}


@pytest.mark.skipif(not GIVEN, reason="no scenarios beside the project")
def test_given_scenarios_of_the_classic_edition() -> None:
    entries = [e for path in GIVEN for e in scenarios(path) if e.get("edition") == "classic"]
    assert len(entries) >= 6
    assert [r for r in check(entries, "given") if not r.ok] == []
