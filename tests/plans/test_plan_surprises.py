"""What a plan does where the table is not as it was when the plan was filed: marks on characters, gold and
cards that went, warrants, targets that are gone, a completed city.
"""

from __future__ import annotations

from typing import Any

import pytest

from referee.plans import answer, filed, merge, refiled
from referee.rules import Move
from tests.plans.asked import BUILDS, first, plan, purse, seen, then


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"robbed": "Merchant"}, "plan-robbed"),
        ({"bewitched": "Merchant"}, "plan-bewitched"),
        ({"threats": {"Merchant": "facedown"}}, "plan-threatened"),
        ({"hand": ["Docks", "Temple"]}, "plan-changed"),
        ({"hand": ["Docks", "Temple", "Palace"]}, "plan-changed"),
        ({"robbed": "King"}, None),
        ({"threats": {"King": "flowered"}}, None),
        ({"hand": ["Manor", "Temple", "Docks"]}, None),
    ],
)
def test_what_happened_before_the_turn(change: dict[str, Any], code: str | None) -> None:
    filing = plan("when Merchant: gold; end")
    found = first(filing, seen("gold", "cards", **change), seen("gold"))
    assert (found.stop.code if found.stop else None) == code
    assert (found.move is None) == (code is not None)


@pytest.mark.parametrize(
    "marks",
    [
        {"robbed": "Merchant"},
        {"bewitched": "Merchant"},
        {"threats": {"Merchant": "facedown"}},
        {"warrants": {"Merchant": "facedown"}},
    ],
)
def test_what_was_known_when_the_plan_was_filed_does_not_stop_it(marks: dict[str, Any]) -> None:
    filing = plan("always when Merchant: gold; build Docks; end")
    assert then(filing, seen("gold", **marks), seen(*BUILDS, **marks)) == [("gold",), ("build", "Docks")]
    later = filed(filing, seen("gold", round=2, **marks))
    first_step = answer(filing, seen("gold", **marks), later)
    assert (
        first_step.stop or answer(filing, seen(*BUILDS, **marks), first_step.memory).stop
    ) is not None  # the marks of another round


def test_a_district_that_is_not_paid_for_is_not_under_a_warrant() -> None:
    view = seen(warrants={"Merchant": "facedown"}, edition="deluxe")
    view["ask"]["moves"] = [["build", ["Docks", "with", "Framework"]]]
    assert then(plan("when Merchant: gold; build Docks with Framework; end"), seen("gold"), view) == [
        ("gold",),
        ("build", "Docks", "with", "Framework"),
    ]


def test_somebody_completed_a_city() -> None:
    filing, over = plan("when Merchant: gold; end"), seen("gold")
    over["players"][2]["complete"] = True
    assert then(filing, over) == [("gold",)]  # it was known when the plan was filed
    found = first(filing, over, seen("gold"))
    assert found.stop
    assert found.stop.code == "plan-last-round"


@pytest.mark.parametrize(
    ("before", "now", "robbed", "code"),
    [
        (4, 3, None, "plan-poorer"),
        (4, 4, None, None),
        (4, 6, None, None),
        (4, 0, "Merchant", "plan-robbed"),
        (0, 0, "Merchant", None),
        (4, 0, "King", "plan-poorer"),
    ],
)
def test_what_was_taken(before: int, now: int, robbed: str | None, code: str | None) -> None:
    """Who had nothing lost nothing; and nobody minds having more."""
    found = first(plan("when Merchant: gold; end"), purse(now, "gold", robbed=robbed), purse(before, "gold"))
    assert (found.stop.code if found.stop else None) == code
    if code == "plan-poorer":
        assert found.stop is not None
        assert found.stop.facts == {"gold": now, "before": before}


def test_what_was_paid_outside_the_turn_is_no_loss() -> None:
    filing = plan("when Merchant: gold; end", "buy always")
    asked = seen("buy", "pass", kind="graveyard", called=8, destroyed="Docks")
    assert then(filing, asked, purse(3, "gold")) == [("buy",), ("gold",)]


def test_what_was_named_before_the_plan_was_filed_is_no_surprise_when_it_is_taken() -> None:
    filing = plan("when Merchant: gold; end")
    found = first(filing, purse(0, "gold", robbed="Merchant"), seen("gold", robbed="Merchant"))
    assert found.move == Move("gold")


def test_an_answer_to_the_threat_is_no_surprise() -> None:
    threatened = {"threats": {"Merchant": "facedown"}, "threat": {"seat": 2, "bribe": 2}}
    filing = plan("when Merchant: gold; end", "bribe if cost <= 2")
    asked = seen("bribe", "refuse", kind="threat", **threatened)
    assert then(filing, seen("gold", **threatened), asked, seen("end", **threatened)) == [
        ("gold",),
        ("bribe",),
        ("end",),
    ]
    asked["threat"]["bribe"] = 3
    assert then(filing, seen("gold", **threatened), asked) == [("gold",), ("refuse",)]


def test_a_build_under_a_warrant() -> None:
    filing = plan("when Merchant: gold; build Docks; end")
    assert then(filing, seen("gold"), seen(*BUILDS, warrants={"Merchant": "facedown"})) == [
        ("gold",),
        "plan-warranted",
    ]
    assert then(filing, seen("gold"), seen(*BUILDS, warrants={"Merchant": "blank"})) == [
        ("gold",),
        ("build", "Docks"),
    ]


def test_a_target_that_is_gone() -> None:
    filing = plan("when Warlord: gold; destroy Bea Market; end", view=seen("gold", character="Warlord"))
    assert then(
        filing, seen("gold", character="Warlord"), seen("destroy Bea Market", character="Warlord")
    ) == [("gold",), ("destroy", 1, "Market")]
    late = seen("destroy Bea Tavern", "end", character="Warlord")
    late["players"][1]["city"].pop(0)
    found = answer(
        filing,
        late,
        answer(
            filing, seen("gold", character="Warlord"), filed(filing, seen("gold", character="Warlord"))
        ).memory,
    )
    assert found.stop
    assert (found.stop.code, found.stop.facts["card"], found.stop.facts["player"], found.stop.order) == (
        "plan-gone",
        "Market",
        1,
        Move("destroy", (1, "Market")),
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("buy never", "plan-changed"),
        ("prefer King", "plan-changed"),
        ("when King: gold; end", "plan-changed"),
        ("always when Bishop: gold; end", "plan-changed"),
        ("otherwise: gold; end", "plan-changed"),
        ("when Merchant: gold; end", None),
        ("when King or Merchant: gold; end", None),
    ],
)
def test_scripts_are_as_old_as_they_are_whatever_else_is_filed(line: str, said: str | None) -> None:
    before, now = seen("gold", called=4), seen("gold", hand=["Docks", "Temple", "Palace"])
    old, new = plan("when Merchant: cards; end", view=before), plan(line, view=now)
    both = merge(old, new)
    found = answer(both, now, refiled(new, both, now, filed(old, before)))
    assert (found.stop.code if found.stop else None) == said


def test_what_runs_goes_on_whatever_else_is_filed() -> None:
    old, new = plan("when Merchant: gold; end"), plan("buy never")
    begun = answer(old, seen("gold"), filed(old, seen("gold")))
    assert begun.move == Move("gold")
    both = merge(old, new)
    assert answer(both, seen("end"), refiled(new, both, seen("end"), begun.memory)).move == Move("end")


@pytest.mark.parametrize(
    ("began", "said"), [(("Docks", "Temple", "Manor"), None), (("Palace",), "plan-changed")]
)
def test_what_one_does_in_a_turn_without_a_script_is_no_surprise_in_the_next(
    began: tuple[str, ...], said: str | None
) -> None:
    """Nor does it hide what befell the hand before that turn."""
    filing = plan("when King: gold; end", view=seen("gold", called=4))
    left = [*began[1:], "Prison"]
    turn = [seen("gold", hand=[*began]), seen("end", hand=left)]
    memory = filed(filing, seen("gold", called=4))
    for view in turn:
        memory = {**answer(filing, view, memory).memory, "stopped": True}
    now = seen("gold", character="King", round=4, hand=left)
    found = answer(filing, now, memory)
    assert (found.stop.code if found.stop else None) == said
