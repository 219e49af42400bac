"""The door: what comes out of a move, what may be taken back, and what a view shows."""

from __future__ import annotations

import json

import pytest

from referee.rules import Event, Move, Refusal, another, asks, dull, legal, play, scores, view
from referee.rules.model import State
from referee.rules.scenario.position import lay
from tests.rules.laws import table
from tests.rules.test_refusals import BURIAL, DRAFT, DRAWN, KING, LABORATORY, MAGICIAN, WARLORD, position


def go(state: State, *orders: tuple[int, Move]) -> State:
    for seat, move in orders:
        state = play(state, seat, move).state
    return state


@pytest.mark.parametrize(
    ("state", "move", "undoable"),
    [
        (KING, Move("gold"), True),
        (KING, Move("cards"), False),
        (DRAWN, Move("keep", (("Docks",),)), True),
        (LABORATORY, Move("bonus"), True),
        (MAGICIAN, Move("swap", (1,)), False),
        (MAGICIAN, Move("redraw", (("Temple",),)), False),
        (DRAFT, Move("pick", ("King",)), False),
    ],
)
def test_what_may_be_taken_back(state: State, move: Move, undoable: bool) -> None:
    assert play(state, 0, move).undoable is undoable


def test_a_pick_before_the_own_discard_may_be_taken_back() -> None:
    state = table(2, 1)
    first, second = state.crown, 1 - state.crown
    state = play(state, first, legal(state, first)[0]).state
    assert play(state, second, legal(state, second)[0]).undoable is True


def test_what_is_played_is_what_was_offered() -> None:
    """True equals 1, and would be written otherwise in a stored game."""
    swapped = play(MAGICIAN, 0, Move("swap", (True,)))
    assert json.dumps(swapped.events[0].facts) == '{"seat": 0, "other": 1}'


def test_ending_a_turn_reveals_the_next() -> None:
    state = play(KING, 0, Move("gold")).state
    assert play(state, 0, Move("end")).undoable is False


def test_an_heir_who_shows_himself_seals() -> None:
    """With three players the killed Emperor may be asked right after his own last turn: by then he knows, and
    has shown, too much to go on with that turn.
    """
    cast = [
        "Assassin",
        "Thief",
        "Magician",
        "Emperor",
        "Bishop",
        "Merchant",
        "Architect",
        "Warlord",
        "Artist",
    ]
    seats = {
        "Ana": {"character": ["Emperor", "Architect"]},
        "Bea": {"character": ["Merchant", "Bishop"]},
        "Cy": {"character": ["Thief", "Assassin"]},
    }
    given = {"at": "call 7", "killed": "Emperor", "seats": seats}
    state = go(lay({"players": ["Ana", "Bea", "Cy"], "cast": cast, "given": given}), (0, Move("gold")))
    ended = play(state, 0, Move("end"))
    assert [(a.seat, a.kind) for a in ended.asks] == [(0, "emperor")]
    assert ended.undoable is False


def test_asking_somebody_else_seals() -> None:
    state = position("call 8", {"Ana": {"character": "Warlord"}, "Bea": {"city": ["Graveyard", "Temple"]}})
    assert play(state, 0, Move("destroy", (1, "Temple"))).undoable is False
    state = position("call 8", {"Ana": {"character": "Warlord"}, "Bea": {"city": ["Temple"]}})
    assert play(state, 0, Move("destroy", (1, "Temple"))).undoable is True


def test_number_counts_questions() -> None:
    state = table(4, 1)
    for number in range(1, 30):
        assert asks(state)[0].number == number
        state = play(state, asks(state)[0].seat, legal(state, asks(state)[0].seat)[0]).state


def test_events_of_a_robbery() -> None:
    state = position(
        "call 2", {"Ana": {"character": "Thief", "gold": 0}, "Bea": {"character": "King", "gold": 5}}
    )
    state = go(state, (0, Move("rob", ("King",))), (0, Move("gold")))
    events = play(state, 0, Move("end")).events
    assert events == (
        Event("turn_ended", None, {"seat": 0, "character": "Thief"}),
        Event("called", None, {"rank": 3, "character": "Magician"}),
        Event("revealed", None, {"seat": 1, "character": "King"}),
        Event("robbed", None, {"seat": 0, "victim": 1, "gold": 5}),
        Event("crowned", None, {"seat": 1, "why": "king"}),
    )


def test_the_killed_and_the_absent_are_called_alike() -> None:
    told = []
    for held in ({"Bea": {"character": "King"}}, {}):
        state = position(
            "call 1", {"Ana": {"character": "Assassin"}, "Dan": {"character": "Warlord"}, **held}
        )
        state = go(state, (0, Move("kill", ("King",))), (0, Move("gold")))
        told.append(play(state, 0, Move("end")).events)
    assert told[0] == told[1]
    assert Event("called", None, {"rank": 4, "character": "King"}) in told[0]


def test_a_view_shows_what_is_due_and_to_whom() -> None:
    seen = view(DRAWN, 0)
    assert seen["drawn"] == ["Temple", "Docks"]
    assert seen["ask"] == {
        "kind": "keep",
        "number": 2,
        "moves": [["keep", [["Temple"]]], ["keep", [["Docks"]]]],
        "families": [],
        "figures": [[None, None, None, None], [None, None, None, None]],
    }
    for other in (1, None):
        seen = view(DRAWN, other)
        assert {"drawn", "ask", "picking", "result"} & set(seen) == set()
        assert seen["waiting"] == [{"seat": 0, "kind": "keep", "number": 2}]
    assert view(DRAFT, 0)["picking"] == ["Magician", "King", "Merchant", "Architect", "Warlord"]
    assert view(DRAFT, 0)["faceup"] == ["Thief", "Bishop"]
    assert "picking" not in view(DRAFT, 1)
    assert view(BURIAL, 1)["destroyed"] == "Temple"
    assert view(KING, 0)["hand"] == ["Palace", "Temple", "Keep"]
    assert view(KING, 1)["hand"] == []
    assert view(KING, 0)["players"][0]["city"] == [{"name": "Temple", "cost": 1, "type": "religious"}]
    assert view(KING, None)["you"] is None
    assert view(WARLORD, 2)["players"][2]["points"] == 16 + 4
    assert (view(KING, 1)["killed"], view(KING, 1)["robbed"]) == (None, None)


def test_a_view_is_json_and_shares_nothing() -> None:
    state = table(4, 3)
    seen = view(state, 0)
    assert json.loads(json.dumps(seen)) == seen
    seen["hand"].clear()
    seen["faceup"].clear()
    assert view(state, 0)["hand"]


def test_legal_is_only_for_who_is_asked() -> None:
    assert legal(KING, 1) == ()
    assert set(legal(MAGICIAN, 0)) == {
        Move("gold"),
        Move("cards"),
        Move("swap", (1,)),
        Move("swap", (2,)),
        Move("swap", (3,)),
        Move("redraw", (("Temple",),)),
    }


def test_legal_writes_each_choice_of_cards_once() -> None:
    state = position("call 3", {"Ana": {"character": "Magician", "hand": ["Temple", "Temple", "Docks"]}})
    chosen = [m.args[0] for m in legal(state, 0) if m.verb == "redraw"]
    assert sorted(chosen) == [
        ("Docks",),
        ("Temple",),
        ("Temple", "Docks"),
        ("Temple", "Temple"),
        ("Temple", "Temple", "Docks"),
    ]


def test_dull_answers() -> None:
    assert dull(DRAFT, 0) == Move("pick", ("Merchant",))
    assert dull(DRAWN, 0) == Move("keep", (("Temple",),))
    assert dull(BURIAL, 1) == Move("pass")
    assert dull(WARLORD, 0) == Move("gold")
    assert dull(play(WARLORD, 0, Move("gold")).state, 0) == Move("end")
    with pytest.raises(Refusal, match="not-asked"):
        dull(WARLORD, 1)


def test_scores_at_any_time() -> None:
    rows = scores(WARLORD)
    assert [row["score"] for row in rows] == [3, 1, 20, 5]
    assert set(rows[0]["points"]) == {"districts", "all_types", "first_complete", "complete", "unique"}


def test_dealing_afresh_changes_what_is_hidden() -> None:
    from random import Random

    state = table(5, 4)
    for ask in (0, 1, 2):
        seat = asks(state)[0].seat
        state = play(state, seat, legal(state, seat)[ask]).state
    rng = Random(1)
    dealt = [another(state, 0, rng) for _ in range(20)]
    assert len({tuple(g.names(g.players[1].hand)) for g in dealt}) > 10
    assert len({tuple(p.characters for p in g.players if p is not g.players[0]) for g in dealt}) > 5
    assert {tuple(g.names(g.players[0].hand)) for g in dealt} == {tuple(state.names(state.players[0].hand))}
