"""A deal for players made of code: it looks the same from the seat, and depends on nothing that is hidden."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from referee.rules import Known, Setup, asks, audit, dump, view
from referee.rules.flow.draft import SELECTION
from referee.rules.flow.table import random_move, step
from referee.rules.model import State
from tests.rules.laws import NAMES, any_setup, table
from tests.rules.seen_from_a_seat import Moment, elsewhere, moments
from tests.seeds import share

TABLES = [(e, n) for e, most in (("classic", 7), ("deluxe", 8), ("original", 7)) for n in range(2, most + 1)]


def some(edition: str, players: int, number: int, every: float = 0.1) -> Iterator[tuple[Moment, Random]]:
    """Decisions of a random game with any cast."""
    rng = Random(f"deals {edition} {players} {number}")
    setup = any_setup(edition, players, rng)
    for moment in moments(players, number, rng, setup):
        if rng.random() < every:
            yield moment, rng


def depends(moment: Moment, seat: int, rng: Random) -> bool:
    """Whether what is dealt for the seat depends on what it can't know. (That this finds a leak, test_mutants
    shows.)"""
    other, chance = elsewhere(moment, seat, rng), rng.random()
    assert view(other, seat) == view(moment.state, seat)
    one, two = (dump(Known(g, seat).deal(Random(chance))) for g in (moment.state, other))
    return bool(one != two)


@pytest.mark.parametrize("number", share(range(4)))
@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_a_deal_looks_the_same_and_is_a_table_that_can_be_played(
    edition: str, players: int, number: int
) -> None:
    for moment, rng in some(edition, players, number):
        g = moment.state
        before = dump(g)
        for seat in range(players):
            h = Known(g, seat).deal(rng)
            audit(h)
            assert view(h, seat) == view(g, seat)
            assert [(a.seat, a.kind, a.number) for a in asks(h)] == [
                (a.seat, a.kind, a.number) for a in asks(g)
            ]
            assert h.seed != g.seed
            for _ in range(30):
                if h.stack:
                    step(h, random_move(h, rng))
        assert dump(g) == before


@pytest.mark.parametrize("number", share(range(4)))
@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_no_deal_depends_on_what_is_hidden(edition: str, players: int, number: int) -> None:
    for moment, rng in some(edition, players, number):
        for seat in range(players):
            assert not depends(moment, seat, rng)


def test_what_is_dealt_is_dealt_from_in_its_turn() -> None:
    """Search goes on in what it imagines: a deal of a deal is as sound."""
    for moment, rng in some("deluxe", 7, 3):
        h = Known(moment.state, 2).deal(rng)
        for seat in range(7):
            twice = Known(h, seat).deal(rng)
            audit(twice)
            assert view(twice, seat) == view(h, seat)


# -- what is remembered of the selection


@pytest.mark.parametrize("players", range(4, 9))
def test_what_a_seat_saw_pass_by_lies_where_it_can_lie(players: int) -> None:
    """Who picked before has none of it, who picked after nothing else; the first knows what is down."""
    certain = 0
    for number in range(6):
        for moment, rng in some("deluxe", players, number, 0.15):
            first, early, *exchanges = moment.state.round_drawer[SELECTION]
            for seat in range(players):
                if exchanges or not moment.looks[seat]:
                    continue
                (look,) = moment.looks[seat]
                h = Known(moment.state, seat).deal(rng)
                if seat == first:
                    assert h.round_drawer[SELECTION][1] == early
                    certain += 1
                for other, player in enumerate(h.players):
                    if (other - first) % players < (seat - first) % players:
                        assert not {*player.characters} & look
                    elif other != seat:
                        assert {*player.characters} <= look | {h.round_drawer[SELECTION][1]}
    assert certain > 5


def after_the_selection(players: int, number: int) -> State:
    g, rng = table(players, number), Random(number)
    while g.phase == "draft":
        step(g, random_move(g, rng))
    return g


def test_who_has_many_districts_of_a_type_is_thought_to_have_picked_it() -> None:
    """As a simple bot picks: the Bishop with a religious city more often than with none."""
    found: Counter[str] = Counter()
    for number in range(60):
        g = after_the_selection(5, number)
        seat = next(n for n in range(5) if g.players[n].revealed)
        if "Bishop" in (*g.faceup, *g.players[seat].characters):
            continue
        rich, poor = [n for n in range(5) if n != seat][:2]
        religious = [n for n in g.deck if g.cards[n].type == "religious"][:4]
        g.deck = [n for n in g.deck if n not in religious]
        g.own(rich).city = religious
        known = Known(g, seat)
        for deal in range(20):
            h = known.deal(Random(deal))
            found["rich"] += "Bishop" in h.players[rich].characters
            found["poor"] += "Bishop" in h.players[poor].characters
    assert found["rich"] > 2 * found["poor"] > 0


def test_the_discards_of_the_next_round_are_not_foreseen() -> None:
    """The seed is fresh: what lies faceup in the next round is as often another card as chance has it."""
    same = total = 0
    for number in range(12):
        g = after_the_selection(4, number)
        h = Known(g, asks(g)[0].seat).deal(Random(number))
        ends = []
        for one in (g.copy(), h):
            rng = Random(1)
            while one.stack and one.round == g.round:
                step(one, random_move(one, rng))
            ends.append(one.faceup)
        same += ends[0] == ends[1]
        total += 1
    assert same < total / 3


def test_a_drawn_position_and_an_older_game_know_nothing_of_the_selection() -> None:
    g = after_the_selection(5, 1)
    seat = asks(g)[0].seat
    g.round_drawer.pop(SELECTION)
    dealt = [Known(g, seat).deal(Random(n)) for n in range(40)]
    for h in dealt:
        audit(h)
        assert view(h, seat) == view(g, seat)
        assert SELECTION not in h.round_drawer
    assert len({h.facedown for h in dealt}) > 5


def test_the_state_is_not_kept() -> None:
    """Nothing of what is hidden stands in what a seat knows."""
    setup = Setup("classic", NAMES[:4])
    g = table(4, 5, setup)
    bare = Known(g, asks(g)[0].seat)._bare
    assert (bare.seed, bare.deck, bare.facedown) == (b"", [], ("",))
    assert [len(player.hand) for player in bare.players].count(0) == 3
