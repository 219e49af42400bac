"""Rulings 46 to 55: a game keeps the rules under which it was dealt, to the letter of its record.

What each of them says is shown by scenarios/rulings/since_2026.yaml, of today's games and of older ones.
"""

from __future__ import annotations

from random import Random

import pytest

from referee.rules import Setup, asks, chance, dump, load, new_game, play, rulings, view
from referee.rules.facts import Seat
from referee.rules.flow.table import random_move
from referee.rules.notation import read_order
from referee.rules.record import of_game, verify, write
from referee.rules.scenario.position import lay
from tests.rules.laws import NAMES, any_setup
from tests.seeds import share

SEED = chance.counted(11)


@pytest.mark.parametrize("number", share(range(24)))
@pytest.mark.parametrize("edition", ["deluxe", "original"])
def test_games_dealt_before_and_since_play_back_by_their_own_rules(edition: str, number: int) -> None:
    rng = Random(f"{edition} {number}")
    drawn = any_setup(edition, rng.randint(2, 7), rng)
    for made in ((), rulings.today()):
        setup = Setup(edition, drawn.players, drawn.options, drawn.cast, drawn.uniques, rulings=made)
        outcome, given = new_game(setup, chance.mix(SEED, ())), []
        while outcome.asks:
            seat: Seat = outcome.asks[0].seat
            given.append((seat, random_move(outcome.state, rng)))
            outcome = play(outcome.state, *given[-1])
        text = write(of_game(setup, SEED, ("",) * len(setup.players), given))
        assert ("\nrulings: " in text) == bool(made)
        found = verify(text)
        assert found.outcome is not None
        assert dump(found.outcome.state) == dump(outcome.state)
        assert load(dump(outcome.state)).rulings == made


@pytest.mark.parametrize("signed", ["Architect", "Warlord"])
def test_his_own_build_tells_the_other_nothing_of_the_warrants(signed: str) -> None:
    """Ruling 48: the news, the view and who is asked are the same, wherever the signed one lies."""
    given = {
        "at": "call 7",
        "warrants": {
            name: "signed" if name == signed else "blank" for name in ("Architect", "Bishop", "Warlord")
        },
        "seats": {
            "Ana": {"gold": 5, "hand": ["Palace"], "character": ["Magistrate", "Architect"]},
            "Bea": {"character": ["King", "Warlord"]},
        },
    }
    cast = ["Magistrate", "Thief", "Magician", "King", "Bishop", "Merchant", "Architect", "Warlord"]
    state = lay({"players": list(NAMES[:2]), "cast": cast, "given": given})
    for order in ("gold", "build Palace"):
        outcome = play(state, 0, read_order(order, NAMES[:2], state.rules))
        state = outcome.state
    assert [event.name for event in outcome.events if event.to in (None, 1)] == ["built"]
    assert (asks(state)[0].seat, asks(state)[0].kind) == (0, "turn")
    assert {*view(state, 1)["warrants"].values()} == {"facedown"}
