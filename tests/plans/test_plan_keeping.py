"""Plans laid over each other, withdrawn, written down and read again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee.plans import Plan, PlanError, dump, live, load, merge, plan_text, pruned, without
from referee.rules import asks
from tests.plans.filing import filed_text, reading
from tests.rules.laws import table

GAME = table(5, 1)
AT = reading(GAME, asks(GAME)[0].seat)
OLD = [
    "prefer King, Bishop",
    "always prefer Merchant",
    "when King or Bishop: gold; end",
    "always when King: cards",
    "otherwise: gold",
    "buy never",
    "bribe always",
    "ask me if robbed",
]


def merged(old: list[str], new: list[str]) -> list[str]:
    both = merge(filed_text("\n".join(old), AT), filed_text("\n".join(new), AT))
    return list(plan_text(both, AT.names))


@pytest.mark.parametrize(
    ("new", "gone", "come"),
    [
        (["prefer Warlord"], ["prefer King, Bishop"], ["prefer Warlord"]),
        (
            ["always prefer Thief if I have the crown"],
            ["always prefer Merchant"],
            ["always prefer Thief if I have the crown"],
        ),
        (
            ["when King: cards; end"],
            ["when King or Bishop: gold; end"],
            ["when Bishop: gold; end", "when King: cards; end"],
        ),
        (["otherwise: cards"], ["otherwise: gold"], ["otherwise: cards"]),
        (["buy always"], ["buy never"], ["buy always"]),
        (["this round buy always"], [], ["this round buy always"]),
        (["ask me if bewitched"], ["ask me if robbed"], ["ask me if bewitched"]),
        (["free benefits off"], [], ["free benefits off"]),
        (["cancel prefer"], ["prefer King, Bishop", "always prefer Merchant"], []),
        (
            ["cancel when King"],
            ["when King or Bishop: gold; end", "always when King: cards"],
            ["when Bishop: gold; end"],
        ),
        (["cancel when"], ["when King or Bishop: gold; end", "always when King: cards"], []),
        (["cancel otherwise"], ["otherwise: gold"], []),
        (["cancel buy"], ["buy never"], []),
        (["cancel answers"], ["buy never", "bribe always"], []),
        (["cancel ask"], ["ask me if robbed"], []),
        (["cancel plan"], OLD, []),
        (["cancel plan", "prefer Thief"], OLD, ["prefer Thief"]),
    ],
)
def test_the_newer_line_holds(new: list[str], gone: list[str], come: list[str]) -> None:
    assert sorted(merged(OLD, new)) == sorted([line for line in OLD if line not in gone] + come)


def test_nothing_new_changes_nothing() -> None:
    assert sorted(merged(OLD, ["free benefits on"])) == sorted([*OLD, "free benefits on"])
    assert merge(Plan(free=False), Plan()).free is False


def test_an_unknown_character_withdraws_nothing() -> None:
    plan = filed_text("\n".join(OLD), AT)
    assert without(plan, "when", "Queen") == plan
    assert without(plan, "standing", "warrant") == plan


def test_what_holds_when() -> None:
    plan = filed_text("\n".join(OLD), AT)
    now, later = live(plan, 1), live(plan, 2)
    assert [d.characters for d in now.drafts] == [("King", "Bishop"), ("Merchant",)]
    assert [d.characters for d in later.drafts] == [("Merchant",)]
    assert [s.characters for s in now.scripts] == [("King", "Bishop"), (), ("King",)]
    assert [s.characters for s in later.scripts] == [("King",)]
    assert pruned(plan, 1) == plan
    assert pruned(plan, 2).scripts == later.scripts


def test_as_json_and_back() -> None:
    plan = filed_text(
        "\n".join(
            [
                *OLD,
                "confiscate if cost >= 4",
                "when Warlord: gold; try destroy Bea dearest or Cy Market; end!",
                "free benefits off",
            ]
        ),
        AT,
    )
    assert load(json.loads(json.dumps(dump(plan)))) == plan
    assert dump(plan)["schema"] == 1


def broken() -> list[Any]:
    good = dump(filed_text("\n".join(OLD), AT))
    return [
        None,
        [],
        {},
        {"schema": 2},
        {**good, "schema": 99},
        {**good, "drafts": None},
        {**good, "drafts": [{"characters": []}]},
        {**good, "scripts": [{"steps": 3}]},
        {**good, "scripts": [{**good["scripts"][0], "more": 1}]},
        {**good, "standing": [1]},
        {k: v for k, v in good.items() if k != "asks"},
    ]


@pytest.mark.parametrize("data", broken(), ids=range(len(broken())))
def test_what_is_no_plan(data: Any) -> None:
    with pytest.raises(PlanError):
        load(data)
