"""Bots play from a view alone, legally, the same for the same chance, and greed pays."""

from __future__ import annotations

import json
from random import Random

import pytest

from referee.bots import BOTS
from referee.rules import Move, Setup, asks, new_game, play, view
from referee.rules.chance import counted
from referee.rules.editions import EDITIONS
from referee.rules.scenario.position import lay
from tests.rules.laws import NAMES, any_setup
from tests.seeds import share


def game(bots: tuple[str, ...], number: int, setup: Setup | None = None) -> tuple[list[int], int]:
    """(winners, rounds) of a game among these bots, each seeing its view as JSON only."""
    state = new_game(setup or Setup("classic", NAMES[: len(bots)]), counted(number)).state
    rng = Random(number)
    while state.stack:
        seat = asks(state)[0].seat
        seen = json.loads(json.dumps(view(state, seat)))
        state = play(state, seat, BOTS[bots[seat]].choose(seen, rng)).state
    assert state.result is not None
    return list(state.result["winners"]), state.round


def test_the_two() -> None:
    assert set(BOTS) == {"random", "greedy"}


@pytest.mark.parametrize("name", sorted(BOTS))
@pytest.mark.parametrize("players", range(2, 8))
def test_every_table_ends(name: str, players: int) -> None:
    for number in range(3):
        assert game((name,) * players, number)[1] < 60


@pytest.mark.parametrize("name", sorted(BOTS))
@pytest.mark.parametrize(
    ("edition", "players"), [(e, n) for e in ("deluxe", "original") for n in range(2, EDITIONS[e].most + 1)]
)
def test_every_table_of_any_cast_ends(name: str, edition: str, players: int) -> None:
    for number in share(range(6)):
        setup = any_setup(edition, players, Random(f"{edition} {players} {number}"))
        assert game((name,) * players, number, setup)[1] < 60


def test_greed_beats_chance_with_any_cast() -> None:
    won = []
    for number in range(20):
        setup = any_setup("deluxe", 4, Random(number))
        won += game(("greedy", "random", "greedy", "random"), number, setup)[0]
    assert sum(seat in (0, 2) for seat in won) >= 16


@pytest.mark.parametrize("name", sorted(BOTS))
def test_the_same_chance_gives_the_same_game(name: str) -> None:
    assert game((name,) * 4, 7) == game((name,) * 4, 7)


@pytest.mark.parametrize(
    ("name", "verb", "count"), [("Magistrate", "warrant", 3), ("Blackmailer", "threaten", 2)]
)
def test_greed_marks_others(name: str, verb: str, count: int) -> None:
    """One's own token may bear a marker, which is a bluff for whoever has thought it over."""
    seats = {"Ana": {"character": name}, "Bea": {"character": "King"}}
    rank = 1 if count == 3 else 2
    cast = [*EDITIONS["deluxe"].cast]
    cast[rank - 1] = name
    data = {
        "players": ["Ana", "Bea", "Cy", "Dan"],
        "cast": cast,
        "given": {"at": f"call {rank}", "seats": seats},
    }
    state = play(lay(data), 0, Move("gold")).state
    assert any(name in family.cards for family in asks(state)[0].families)
    for number in range(40):
        move = BOTS["greedy"].choose(view(state, 0), Random(number))
        assert (move.verb, len(move.args[0])) == (verb, count)
        assert name not in move.args[0]


def test_greed_beats_chance() -> None:
    won = [seat for number in range(20) for seat in game(("greedy", "random", "greedy", "random"), number)[0]]
    assert len(won) >= 20
    assert sum(seat in (0, 2) for seat in won) >= 18


def test_greedy_games_are_short() -> None:
    assert sum(game(("greedy",) * 4, number)[1] for number in range(10)) / 10 < 14
