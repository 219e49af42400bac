"""Every ruling and every trap is named by something that proves it: a scenario's `rule`, or,
where a drawn position can't show it, a test.  docs/players/rulings.md is the list of the rulings."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from referee.rules.scenario import check

HERE = Path(__file__).parent
DOCUMENT = HERE.parents[1] / "docs" / "players" / "rulings.md"
GIVEN = sorted((HERE.parents[2] / "shared" / "scenarios").glob("*.yaml"))
#: of the compendium that the project was handed
COMPENDIUM, TRAPS = 25, 62
NAMED = re.compile(r"\b(Ruling|Trap) (\d+)\b")
#: what no drawn position can show, beside what scenarios show of it
ELSEWHERE = {
    ("Trap", 8): ("test_lists", "test_what_is_refused"),
    ("Trap", 22): ("test_laws", "test_laws_of_any_cast"),
    ("Trap", 62): ("test_laws", "test_the_curtain_compares_enough"),
    ("Ruling", 25): ("test_setup", "test_the_seed_decides_the_crown_where_nobody_is_named"),
    ("Ruling", 39): ("test_laws", "test_dull_answers_alone_finish_the_game"),
    ("Ruling", 52): ("test_lists", "test_bonus_characters_come_one_or_two_at_a_time"),
}


#: libyaml, where it is built in: all scenarios are read before the first test
QUICK = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def scenarios(paths: list[Path]) -> list[dict[str, Any]]:
    return [entry for path in paths for entry in yaml.load(path.read_text(), QUICK)]


OWN = scenarios(sorted((HERE / "scenarios").rglob("*.yaml")))
SHOWN = {(kind, int(number)) for entry in OWN for kind, number in NAMED.findall(str(entry.get("rule", "")))}


def written() -> list[int]:
    """The numbers of the rulings in the document, as they stand there."""
    return [int(number) for number in re.findall(r"^(\d+)\. \*\*", DOCUMENT.read_text(), re.MULTILINE)]


def test_there_is_something_to_look_at() -> None:
    assert len(OWN) > 500
    assert len([entry for entry in OWN if entry.get("rule")]) > 300
    assert len(SHOWN) > 80
    assert len(written()) > COMPENDIUM


@pytest.mark.parametrize("number", range(1, TRAPS + 1))
def test_every_trap_is_stepped_into(number: int) -> None:
    assert {("Trap", number)} & ({*SHOWN} | {*ELSEWHERE})


@pytest.mark.parametrize("number", range(1, max(written()) + 1))
def test_every_ruling_holds(number: int) -> None:
    assert {("Ruling", number)} & ({*SHOWN} | {*ELSEWHERE})


def test_the_document_counts_without_a_gap() -> None:
    assert written() == [*range(1, len(written()) + 1)]


def test_the_example_of_the_document_holds() -> None:
    (example,) = re.findall(r"^```yaml\n(.*?)^```", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)
    (result,) = check(yaml.safe_load(example), "rulings.md")
    assert result.ok, result.why


def test_no_scenario_names_what_is_not_there() -> None:
    last = {"Ruling": len(written()), "Trap": TRAPS}
    assert [(kind, number) for kind, number in SHOWN if not 1 <= number <= last[kind]] == []


@pytest.mark.parametrize(("module", "name"), sorted(set(ELSEWHERE.values())))
def test_the_tests_that_are_named_exist(module: str, name: str) -> None:
    tree = ast.parse((HERE / f"{module}.py").read_text())
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert len(functions) > 3
    assert name in functions


def test_no_name_is_used_twice() -> None:
    folder = scenarios(sorted((HERE / "scenarios" / "rulings").glob("*.yaml")))
    names = [entry["name"] for entry in folder]
    assert len(names) > 200
    assert len({*names}) == len(names)


@pytest.mark.skipif(not GIVEN, reason="no scenarios beside the project")
def test_none_is_copied_from_those_handed_to_the_project() -> None:
    given = scenarios(GIVEN)
    assert len(given) > 100
    positions = [entry["given"] for entry in given]
    assert [entry["name"] for entry in OWN if entry["given"] in positions] == []
