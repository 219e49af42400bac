"""The laws over random games of every edition and player count: 240 classic games and 260 with any cast
in an ordinary run, 208,000 in a soak and three times as many short ones."""

from __future__ import annotations

from random import Random

import pytest

from referee.bots import BOTS
from referee.rules import Outcome, Setup, SetupError, dull, dump, new_game, play, view
from referee.rules.chance import counted
from referee.rules.editions import EDITIONS
from referee.rules.flow.table import play_out, random_move, step
from tests.rules import laws
from tests.rules.laws import LAWS, NAMES, check_games
from tests.seeds import ALL, share

CHUNK = 40 if ALL else 20
CHUNKS = 9
ANY_CHUNK = 20 if ALL else 10
SOAK_CHUNK, SOAK_CHUNKS = 500, 22
#: the laws of a soak: many games, each looked at less often
SPARSE = {law: share / 4 for law, share in LAWS.items()}


@pytest.mark.parametrize("chunk", share(range(CHUNKS)))
@pytest.mark.parametrize("players", range(2, 8))
def test_laws(players: int, chunk: int) -> None:
    checked = check_games(players, range(chunk * CHUNK, (chunk + 1) * CHUNK))
    assert set(checked) == {law.__name__ for law in LAWS}
    assert min(checked.values()) >= CHUNK


#: edition -> most players; with any cast, any unique districts and any options
OTHERS = {"deluxe": 8, "original": 7}
TABLES = [
    (edition, players)
    for edition, most in OTHERS.items()
    for players in range(2, most + 1)
    if edition in EDITIONS
]


@pytest.mark.parametrize("chunk", share(range(CHUNKS)))
@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_laws_of_any_cast(edition: str, players: int, chunk: int) -> None:
    checked = check_games(players, range(chunk * ANY_CHUNK, (chunk + 1) * ANY_CHUNK), edition=edition)
    assert set(checked) == {law.__name__ for law in LAWS}
    assert min(checked.values()) >= ANY_CHUNK


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(SOAK_CHUNKS))
@pytest.mark.parametrize(("edition", "players"), [*((None, n) for n in range(2, 8)), *TABLES])
def test_laws_at_length(edition: str | None, players: int, chunk: int) -> None:
    first = 1_000_000 + chunk * SOAK_CHUNK
    checked = check_games(players, range(first, first + SOAK_CHUNK), laws=SPARSE, edition=edition)
    assert min(checked.values()) >= SOAK_CHUNK


@pytest.mark.parametrize("players", range(2, 8))
def test_the_curtain_compares_enough(players: int) -> None:
    """The second half of that law speaks of orders that lead to the same news in both worlds:
    there must be plenty of them, for those who are not asked as well."""
    rng = Random(players)
    moments = [g.copy() for g in laws.moments(players, 77, rng) if rng.random() < 0.2]
    compared = sum(laws.compared_behind_the_curtain(g, rng) for g in moments)
    assert compared > len(moments)


@pytest.mark.parametrize("players", range(2, 8))
def test_dull_answers_alone_finish_the_game(players: int) -> None:
    outcome: Outcome = new_game(Setup("classic", NAMES[:players]), counted(players))
    orders = 0
    while outcome.asks:
        seat = outcome.asks[0].seat
        outcome = play(outcome.state, seat, dull(outcome.state, seat))
        orders += 1
        assert orders < 1000
    assert (outcome.state.result["reason"], outcome.state.round) == ("standstill", 12)
    assert [e.name for e in outcome.events][-2:] == ["standstill", "game_over"]
    assert all(not p.city for p in outcome.state.players)


@pytest.mark.parametrize("edition", sorted(EDITIONS))
def test_a_table_may_switch_the_standstill_off(edition: str) -> None:
    """Ruling 39 is a house rule."""
    outcome = new_game(Setup(edition, NAMES[:4], {"standstill": "off"}), counted(1))
    while outcome.state.round < 30:
        seat = outcome.asks[0].seat
        outcome = play(outcome.state, seat, dull(outcome.state, seat))
    assert outcome.state.result is None
    with pytest.raises(SetupError, match="option-value"):
        new_game(Setup(edition, NAMES[:4], {"standstill": 12}), counted(1))


@pytest.mark.parametrize("players", range(2, 8))
def test_one_who_plays_among_the_dull_finishes_the_game(players: int) -> None:
    outcome = new_game(Setup("classic", NAMES[:players]), counted(players))
    rng = Random(players)
    while outcome.asks:
        seat = outcome.asks[0].seat
        move = BOTS["greedy"].choose(view(outcome.state, 0), rng) if seat == 0 else dull(outcome.state, seat)
        outcome = play(outcome.state, seat, move)
    assert outcome.state.result["winners"] == [0]


@pytest.mark.parametrize("seed", share(range(12)))
def test_playing_out_is_one_random_move_after_another(seed: int) -> None:
    setup = laws.any_setup("deluxe", 4, Random(seed))
    one, other = laws.table(4, seed, setup), laws.table(4, seed, setup)
    dice, count = Random(seed), 0
    while one.stack:
        step(one, random_move(one, dice))
        count += 1
    assert play_out(other, Random(seed)) == count
    assert dump(other) == dump(one)
