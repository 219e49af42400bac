"""Who sees which cards where hands are looked into: the Wizard's, the Seer's and the Emperor's
secrets, and what the rest of the table can't tell from the questions."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from referee.rules import Move, Outcome, asks, play, view
from referee.rules.model import State
from referee.rules.scenario.position import lay
from tests.rules import laws

CAST = ["Assassin", "Thief", "Wizard", "Emperor", "Cardinal", "Merchant", "Architect", "Warlord"]
ANA, BEA, CY = 0, 1, 2


def position(call: int, seats: dict[str, Any], **given: Any) -> State:
    return lay(
        {
            "edition": "deluxe",
            "players": ["Ana", "Bea", "Cy", "Dan"],
            "cast": [given.pop("third", "Wizard") if c == "Wizard" else c for c in CAST],
            "given": {"at": f"call {call}", "crown": "Bea", "seats": seats, **given},
        }
    )


def looking(hand: list[str], gold: int = 9) -> State:
    """Ana, the Wizard, has gathered and looks at Bea's hand."""
    g = position(3, {"Ana": {"gold": gold, "hand": ["Manor"], "character": "Wizard"}, "Bea": {"hand": hand}})
    found: State = play(play(g, ANA, Move("gold")).state, ANA, Move("peek", (BEA,))).state
    return found


def private(outcome: Outcome) -> dict[int, list[Any]]:
    """Card names told, by the seat that is told."""
    out: dict[int, list[Any]] = {}
    for event in outcome.events:
        if event.to is not None:
            out.setdefault(event.to, []).append(event.facts["cards"])
    return out


def test_only_the_wizard_sees_the_hand() -> None:
    g = looking(["Docks", "Temple", "Docks"])
    assert view(g, ANA)["seen"] == {"seat": BEA, "hand": ["Docks", "Temple", "Docks"]}
    for seat in (BEA, CY, 3, None):
        assert "seen" not in view(g, seat)
        assert view(g, seat)["players"][BEA]["hand_size"] == 3
    rng = Random(1)
    for _ in range(20):
        laws.compared_behind_the_curtain(g, rng)


def test_which_card_was_taken_two_players_learn() -> None:
    g = looking(["Docks", "Temple"])
    outcome = play(g, ANA, Move("take", ("Temple",)))
    assert private(outcome) == {ANA: [["Temple"]], BEA: [["Temple"]]}
    assert not any("Temple" in repr(e.facts) for e in outcome.events if e.to is None)
    assert not outcome.undoable


@pytest.mark.parametrize(
    ("hand", "gold"), [(["Palace", "Palace"], 0), (["Temple", "Docks"], 9), (["Palace"], 0)]
)
def test_whether_anything_can_be_built_nobody_else_can_tell(hand: list[str], gold: int) -> None:
    g = looking(hand, gold)
    assert [(a.seat, a.kind) for a in asks(g)] == [(ANA, "wizard")]


def test_the_seer_and_those_seen_learn_their_own_cards_only() -> None:
    g = position(
        3,
        {
            "Ana": {"hand": ["Manor"], "character": "Seer"},
            "Bea": {"hand": ["Docks", "Docks"]},
            "Cy": {"hand": ["Temple"]},
        },
        third="Seer",
    )
    outcome = play(g, ANA, Move("see"))
    assert private(outcome) == {ANA: [["Docks"], ["Temple"]], BEA: [["Docks"]], CY: [["Temple"]]}
    rng = Random(2)
    for _ in range(20):
        laws.compared_behind_the_curtain(outcome.state, rng)
    outcome = play(outcome.state, ANA, Move("give", ("Manor", "to", CY)))
    assert private(outcome) == {ANA: [["Manor"]], CY: [["Manor"]]}


def test_of_the_hand_spied_on_others_learn_no_more_than_what_it_brought() -> None:
    """With an empty purse and a deck of one card three cards found look like one, and in an empty deck like
    none.
    """
    cast = ["Assassin", "Spy", *CAST[2:]]
    for deck, hands in (
        (["Manor"], (["Docks", "Temple", "Keep"], ["Docks", "Market", "Tavern"])),
        ([], (["Temple", "Church", "Keep"], ["Docks", "Market", "Tavern"])),
    ):
        told = []
        for hand in hands:
            seats = {"Ana": {"character": "Spy"}, "Bea": {"gold": 0, "hand": hand}}
            given = {"at": "call 2", "seats": seats, "deck_only": deck}
            g = lay({"players": ["Ana", "Bea", "Cy", "Dan"], "cast": cast, "given": given})
            outcome = play(g, ANA, Move("spy", (BEA, "trade")))
            told.append([event for event in outcome.events if event.to is None])
            assert {ANA: hand} == {e.to: e.facts["cards"] for e in outcome.events if e.name == "hand_seen"}
        assert told[0] == told[1]


def test_the_emperors_card_is_drawn_by_chance_and_by_any() -> None:
    drawn = set()
    for seed in range(30):
        g = position(
            4,
            {
                "Ana": {"character": "Emperor", "hand": []},
                "Cy": {"gold": 0, "hand": ["Docks", "Temple", "Manor"]},
            },
            seed=seed,
        )
        outcome = play(g, ANA, Move("crown", (CY, "card")))
        told = private(outcome)
        assert told[ANA] == told[CY] == [view(outcome.state, ANA)["hand"]]
        drawn.add(told[ANA][0][0])
    assert drawn == {"Docks", "Temple", "Manor"}


def test_borrowed_gold_is_paid_for_in_cards_that_two_players_see() -> None:
    g = position(
        5,
        {
            "Ana": {"gold": 0, "hand": ["Docks", "Temple"], "character": "Cardinal"},
            "Bea": {"gold": 1, "hand": ["Manor"]},
        },
    )
    g = play(g, ANA, Move("gold")).state
    outcome = play(g, ANA, Move("build", ("Docks", "borrowing", BEA, "giving", ("Temple",))))
    assert private(outcome) == {ANA: [["Temple"]], BEA: [["Temple"]]}
    assert not outcome.undoable
    assert [e.name for e in outcome.events if e.to is None] == ["borrowed", "built"]


def test_a_must_that_is_all_that_is_left_is_asked_whatever_the_hand_holds() -> None:
    """Were it done by itself, the table would know that nothing in the hand can be built."""
    for hand in (["Palace"], ["Temple"]):
        g = position(
            4,
            {
                "Ana": {"gold": 0, "hand": hand, "character": "Emperor"},
                "Bea": {"gold": 0},
                "Cy": {"gold": 0, "hand": []},
                "Dan": {"gold": 0, "hand": []},
            },
        )
        g = play(g, ANA, Move("gold")).state
        assert [(a.seat, a.kind) for a in asks(g)] == [(ANA, "turn")]
        assert Move("end") not in asks(g)[0].moves
