"""Every reason to stop, as it comes about at a table: a plan is filed, somebody does something, and its
player is asked with a sentence.
"""

from __future__ import annotations

from typing import Any

import pytest

from referee.plans import STOPS, Answer, answer, filed
from referee.rules import asks, dull, play, rulebook, view
from referee.rules.notation import read_order
from referee.rules.scenario.position import lay
from referee.text import Words
from referee.text.rendering.plans import stopped
from tests.plans.filing import filed_text, reading

WORDS = Words(strict=True)
NAMES = ("Ana", "Bea", "Cy", "Dan")
CAST = ["Assassin", "Thief", "Magician", "King", "Bishop", "Merchant", "Architect", "Warlord"]
BEA = {"gold": 5, "hand": ["Tavern", "Temple", "Manor"], "city": ["Market"], "character": "Merchant"}


def happened(
    first: str,
    *orders: str,
    plan: str,
    rank: int,
    cast: list[str] | None = None,
    bea: dict[str, Any] | None = None,
) -> Answer:
    """What Bea's plan says in her turn, filed before Ana, as that character of that rank, gave her orders."""
    cast = cast or CAST
    seats = {
        "Ana": {"gold": 9, "hand": ["Docks"], "character": first},
        "Bea": bea or BEA,
        "Cy": {"hand": ["Watchtower", "Prison"], "character": "Warlord"},
        "Dan": {"character": "Architect"},
    }
    g = lay(
        {
            "edition": "deluxe",
            "players": list(NAMES),
            "cast": cast,
            "given": {"at": f"call {rank}", "crown": "Dan", "seats": seats},
        }
    )
    at = view(g, 1)
    said = filed_text(plan, reading(g, 1))
    memory = filed(said, at)
    todo = list(orders)
    for _ in range(200):
        ask = asks(g)[0]
        if ask.seat == 1 and not todo:
            found = answer(said, view(g, 1), memory)
            memory = found.memory
            if found.move is None:
                return found
            g = play(g, 1, found.move).state
        elif todo:
            g = play(g, ask.seat, read_order(todo.pop(0), NAMES, rulebook(g))).state
        else:
            g = play(g, ask.seat, dull(g, ask.seat)).state
    raise AssertionError("Bea is never asked")


def swapped(old: str, new: str) -> list[str]:
    return [new if name == old else name for name in CAST]


SCRIPT = "when Merchant: gold; try build dearest; end"


@pytest.mark.parametrize(
    ("code", "begin", "facts"),
    [
        ("plan-robbed", ("Thief", "rob Merchant", "gold", "end"), {"rank": 2}),
        ("plan-changed", ("Magician", "swap Bea", "gold", "end"), {"rank": 3}),
        (
            "plan-threatened",
            ("Blackmailer", "threaten Merchant, King", "gold", "end"),
            {"rank": 2, "cast": swapped("Thief", "Blackmailer")},
        ),
        (
            "plan-bewitched",
            ("Witch", "gold", "bewitch Merchant"),
            {"rank": 1, "cast": swapped("Assassin", "Witch")},
        ),
        (
            "plan-poorer",
            ("Spy", "spy Bea trade", "gold", "end"),
            {"rank": 2, "cast": swapped("Thief", "Spy")},
        ),
        (
            "plan-warranted",
            ("Magistrate", "warrant Merchant, King, Bishop", "gold", "end"),
            {"rank": 1, "cast": swapped("Assassin", "Magistrate")},
        ),
        (
            "plan-lacking",
            ("Assassin", "gold", "end"),
            {"rank": 1, "plan": "when Merchant: gold; build Docks; end"},
        ),
        (
            "plan-illegal",
            ("Assassin", "gold", "end"),
            {"rank": 1, "plan": "when Merchant: gold; build Market; end", "bea": {**BEA, "hand": ["Market"]}},
        ),
        ("plan-ran-out", ("Assassin", "gold", "end"), {"rank": 1, "plan": "when Merchant: gold"}),
        ("plan-question", ("Assassin", "gold", "end"), {"rank": 1, "plan": "when Merchant: cards; end"}),
        ("plan-no-script", ("Assassin", "gold", "end"), {"rank": 1, "plan": "always when King: gold; end"}),
        ("plan-ask-me", ("Assassin", "gold", "end"), {"rank": 1, "plan": f"{SCRIPT}\nask me if gold >= 4"}),
    ],
)
def test_it_stops_and_says_why(code: str, begin: tuple[str, ...], facts: dict[str, Any]) -> None:
    first, *orders = begin
    found = happened(first, *orders, **{"plan": SCRIPT, **facts})
    assert found.stop is not None
    assert found.stop.code == code
    assert code in STOPS
    g = lay({"edition": "deluxe", "players": list(NAMES), "given": {"at": "call 1"}})
    said = stopped(WORDS, found.stop, view(g, 1))
    assert said[:1].isupper()
    assert said.endswith(".")


def test_a_target_that_another_took() -> None:
    """Ana's Armory takes the Temple that Bea's Warlord had in view."""
    seats = {
        "Ana": {"gold": 2, "city": ["Armory"], "character": "Bishop"},
        "Bea": {**BEA, "character": "Warlord"},
        "Cy": {"city": ["Temple", "Docks"], "character": "King"},
        "Dan": {"character": "Architect"},
    }
    g = lay(
        {"edition": "deluxe", "players": list(NAMES), "cast": CAST, "given": {"at": "call 5", "seats": seats}}
    )
    plan = filed_text("when Warlord: gold; destroy Cy Temple; end", reading(g, 1))
    memory = filed(plan, view(g, 1))
    for order in ("gold", "armory Cy Temple", "end", "gold", "end"):
        g = play(g, asks(g)[0].seat, read_order(order, NAMES, rulebook(g))).state
    found = answer(plan, view(g, 1), memory)
    assert found.move is not None
    found = answer(plan, view(play(g, 1, found.move).state, 1), found.memory)
    assert found.stop is not None
    assert (
        stopped(WORDS, found.stop, view(g, 1))
        == "Your plan stopped at “destroy Cy Temple”: there is no Temple in Cy's city any more."
    )


def test_somebody_completes_a_city_before_my_turn() -> None:
    seats = {
        "Ana": {
            "gold": 9,
            "hand": ["Docks"],
            "city": ["Tavern", "Market", "Temple", "Church", "Manor", "Castle"],
            "character": "King",
        },
        "Bea": BEA,
        "Cy": {"character": "Bishop"},
        "Dan": {"character": "Architect"},
    }
    g = lay(
        {
            "edition": "deluxe",
            "players": list(NAMES),
            "cast": CAST,
            "given": {
                "at": "call 4",
                "crown": "Ana",
                "seats": {**seats, "Bea": {**BEA, "city": ["Watchtower"]}},
            },
        }
    )
    plan = filed_text(SCRIPT, reading(g, 1))
    memory = filed(plan, view(g, 1))
    for order in ("gold", "build Docks", "end", "gold", "end"):
        g = play(g, asks(g)[0].seat, read_order(order, NAMES, rulebook(g))).state
    found = answer(plan, view(g, 1), memory)
    assert found.stop is not None
    assert found.stop.code == "plan-last-round"
    assert (
        stopped(WORDS, found.stop, view(g, 1))
        == "Your plan stopped: a city has been completed, and this is the last round."
    )
