"""Every wrong order has its reason: each code that the classic edition can give, with facts."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules import REFUSALS, Move, Refusal, play
from referee.rules.codec import dump
from referee.rules.model import State
from referee.rules.notation import read_order
from referee.rules.scenario.position import lay

PLAYERS = ["Ana", "Bea", "Cy", "Dan"]
FULL = ["Manor", "Castle", "Temple", "Church", "Tavern", "Market", "Docks"]


def position(at: str, seats: dict[str, Any], **given: Any) -> State:
    return lay({"edition": "classic", "players": PLAYERS, "given": {"at": at, "seats": seats, **given}})


def gathered(state: State) -> State:
    seat = state.stack[-1].asked(state)
    assert seat is not None
    after: State = play(state, seat, Move("gold")).state
    return after


THIEF = position("call 2", {"Ana": {"character": "Thief"}, "Bea": {"character": "Assassin"}}, killed="King")
KING = position(
    "call 4", {"Ana": {"character": "King", "hand": ["Palace", "Temple", "Keep"], "city": ["Temple"]}}
)
MAGICIAN = position("call 3", {"Ana": {"character": "Magician", "hand": ["Temple"]}})
LABORATORY = position(
    "call 6", {"Ana": {"character": "Merchant", "city": ["Laboratory", "Smithy"], "gold": 1}}
)
WARLORD = position(
    "call 8",
    {
        "Ana": {"character": "Warlord", "gold": 1, "city": ["Keep"]},
        "Bea": {"character": "Bishop", "city": ["Temple"]},
        "Cy": {"city": FULL},
        "Dan": {"city": ["Palace"]},
    },
)
DRAWN = play(
    position("call 4", {"Ana": {"character": "King"}}, deck=["Temple", "Docks"]), 0, Move("cards")
).state
DRAFT = position(
    "draft",
    {},
    characters=["Thief", "Bishop", "Assassin", "Magician", "King", "Merchant", "Architect", "Warlord"],
)
BURIAL = play(
    position(
        "call 8",
        {
            "Ana": {"character": "Warlord"},
            "Bea": {"city": ["Graveyard"]},
            "Cy": {"city": ["Temple"]},
        },
    ),
    0,
    Move("destroy", (2, "Temple")),
).state


@pytest.mark.parametrize(
    ("state", "seat", "order", "code", "facts"),
    [
        (KING, 1, "gold", "not-asked", {"seat": 1, "waiting": [0]}),
        (KING, 0, "pick King", "wrong-question", {"verb": "pick", "kind": "turn"}),
        (KING, 0, "keep Temple", "wrong-question", {"verb": "keep", "kind": "turn"}),
        (DRAFT, 0, "gold", "wrong-question", {"verb": "gold", "kind": "pick"}),
        (DRAFT, 0, "discard King", "wrong-question", {"verb": "discard", "kind": "pick"}),
        (DRAFT, 0, "pick Thief", "not-offered", {"card": "Thief"}),
        (DRAWN, 0, "gold", "wrong-question", {"verb": "gold", "kind": "keep"}),
        (DRAWN, 0, "keep Palace", "not-offered", {"card": "Palace"}),
        (DRAWN, 0, "keep Temple, Docks", "count", {"least": 1, "most": 1}),
        (DRAWN, 0, "keep Docks, Docks", "count", {"least": 1, "most": 1}),
        (BURIAL, 1, "gold", "wrong-question", {"verb": "gold", "kind": "graveyard"}),
        (BURIAL, 0, "gold", "not-asked", {"seat": 0, "waiting": [1]}),
        (KING, 0, "build Temple", "gather-first", {"verb": "build"}),
        (KING, 0, "end", "gather-first", {"verb": "end"}),
        (gathered(KING), 0, "gold", "gathered", {}),
        (gathered(KING), 0, "cards", "gathered", {}),
        (gathered(KING), 0, "build Manor", "not-in-hand", {"card": "Manor"}),
        (gathered(KING), 0, "build Palace", "too-poor", {"price": 5, "gold": 4}),
        (gathered(KING), 0, "build Temple", "identical", {"card": "Temple", "player": 0}),
        (play(gathered(KING), 0, Move("build", ("Keep",))).state, 0, "build Palace", "limit", {"limit": 1}),
        (KING, 0, "income", "no-effect", {"verb": "income"}),
        (KING, 0, "bonus", "not-your-power", {"verb": "bonus", "needs": ["Merchant"]}),
        (KING, 0, "smithy", "not-your-power", {"verb": "smithy", "needs": ["Smithy"]}),
        (play(LABORATORY, 0, Move("bonus")).state, 0, "bonus", "used", {"source": "bonus"}),
        (LABORATORY, 0, "laboratory Temple", "not-in-hand", {"card": "Temple"}),
        (LABORATORY, 0, "smithy", "too-poor", {"price": 2, "gold": 1}),
        (THIEF, 0, "rob Thief", "no-target", {"target": "Thief", "why": "self"}),
        (THIEF, 0, "rob Assassin", "no-target", {"target": "Assassin", "why": "rank-1"}),
        (THIEF, 0, "rob King", "no-target", {"target": "King", "why": "spared"}),
        (MAGICIAN, 0, "swap Ana", "no-target", {"target": 0, "why": "self"}),
        (MAGICIAN, 0, "redraw Temple, Temple", "too-often", {"card": "Temple", "have": 1}),
        (WARLORD, 0, "destroy Bea Temple", "protected", {"card": "Temple", "player": 1, "by": "Bishop"}),
        (WARLORD, 0, "destroy Ana Keep", "protected", {"card": "Keep", "player": 0, "by": "Keep"}),
        (WARLORD, 0, "destroy Cy Manor", "complete", {"player": 2}),
        (WARLORD, 0, "destroy Dan Palace", "too-poor", {"price": 4, "gold": 1}),
        (WARLORD, 0, "destroy Dan Temple", "not-in-city", {"card": "Temple", "player": 3}),
    ],
)
def test_the_reason(state: State, seat: int, order: str, code: str, facts: dict[str, Any]) -> None:
    before = dump(state)
    with pytest.raises(Refusal) as refusal:
        play(state, seat, read_order(order, PLAYERS, state.rules))
    assert (refusal.value.code, refusal.value.facts) == (code, facts)
    assert code in REFUSALS
    assert dump(state) == before


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (Move("conquer"), "unknown-verb"),
        (Move(""), "unknown-verb"),
        (Move("gold", (1,)), "malformed"),
        (Move("build", ([],)), "malformed"),
        (Move("swap", (-1,)), "malformed"),
        (Move("swap", ("1",)), "malformed"),
        (Move("redraw", ((),)), "malformed"),
        (Move("redraw", (("Temple", 3),)), "malformed"),
        (Move("build", ("Moat",)), "unknown-card"),
        (Move("build", ("Temple beautified",)), "unknown-card"),
        (Move("kill", ("Queen",)), "unknown-card"),
        (Move("redraw", (("Moat",),)), "unknown-card"),
        (Move("swap", (4,)), "unknown-player"),
    ],
)
def test_orders_that_no_text_could_give(move: Move, code: str) -> None:
    with pytest.raises(Refusal) as refusal:
        play(MAGICIAN, 0, move)
    assert refusal.value.code == code


@pytest.mark.parametrize(
    ("who", "order", "code", "facts"),
    [
        ("Cardinal", "build Palace borrowing Bea giving Palace", "too-often", {"card": "Palace", "have": 1}),
        ("Cardinal", "build Palace borrowing Bea giving Keep", "not-in-hand", {"card": "Keep"}),
        (
            "Cardinal",
            "build Thieves' Den discarding Thieves' Den",
            "too-often",
            {"card": "Thieves' Den", "have": 1},
        ),
        (
            "Cardinal",
            "build Thieves' Den discarding Docks, Docks, Docks",
            "too-often",
            {"card": "Docks", "have": 2},
        ),
        ("Artist", "beautify Temple, Temple", "too-often", {"card": "Temple", "have": 1}),
        ("Artist", "beautify Keep", "not-in-city", {"card": "Keep", "player": 0}),
    ],
)
def test_what_is_named_twice_and_there_once_is_not_said_to_be_missing(
    who: str, order: str, code: str, facts: dict[str, Any]
) -> None:
    cast = ["Assassin", "Thief", "Magician", "King", "Cardinal", "Merchant", "Architect", "Warlord", "Artist"]
    mine = {"character": who, "city": ["Temple"], "hand": ["Palace", "Thieves' Den", "Docks", "Docks"]}
    given = {"at": f"call {5 if who == 'Cardinal' else 9}", "seats": {"Ana": mine}}
    state = gathered(lay({"players": PLAYERS, "cast": cast, "given": given}))
    with pytest.raises(Refusal) as refusal:
        play(state, 0, read_order(order, PLAYERS, state.rules))
    assert (refusal.value.code, refusal.value.facts) == (code, facts)


def test_over_is_over() -> None:
    state = gathered(position("call 8", {"Ana": {"character": "Warlord"}}, completed=["Cy"]))
    state = play(state, 0, Move("end")).state
    with pytest.raises(Refusal) as refusal:
        play(state, 0, Move("gold"))
    assert refusal.value.code == "over"
