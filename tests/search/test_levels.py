"""The levels: legal at every table, blind to what their seat can't see, the same for the same dice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

import pytest

import referee.search
from referee.rules import Known
from referee.rules.editions import EDITIONS
from referee.rules.facts import Seat
from referee.rules.flow.table import offered, step
from referee.rules.model import State
from referee.search import MANNERS, Player, Sight, player
from referee.search.features import named
from referee.search.levels import Strong
from tests.rules.laws import any_setup, table
from tests.seeds import share

#: so short a search is as good for a law as a long one
EFFORT = 0.004
LEVELS = ("gentle", "steady", "strong")


def playing(edition: str, players: int, number: int, one: Player) -> Iterator[tuple[State, Seat]]:
    """The questions of a game in which all play like that."""
    g = table(players, number, any_setup(edition, players, Random(number)))
    while g.stack:
        seat = g.stack[-1].asked(g)
        assert seat is not None
        yield g, seat
        move = one.choose(Sight(g, seat), Random(f"{number}:{g.number}"))
        answer = offered(g, g.stack[-1], move)
        assert answer is not None, (edition, move)
        step(g, answer)


@pytest.mark.parametrize("level", ["gentle", "steady", "steady thrifty"])
@pytest.mark.parametrize("number", share(range(40)))
def test_every_table_is_played_to_its_end(level: str, number: int) -> None:
    edition = sorted(EDITIONS)[number % len(EDITIONS)]
    players = range(EDITIONS[edition].least, EDITIONS[edition].most + 1)
    asked = [seat for _, seat in playing(edition, players[number % len(players)], number, player(level))]
    assert len(asked) > 20


@pytest.mark.parametrize("number", share(range(12)))
def test_strong_plays_to_the_end(number: int) -> None:
    edition = sorted(EDITIONS)[number % len(EDITIONS)]
    one = player("strong", 0.0001)  # the fewest tries that there are
    assert sum(1 for _ in playing(edition, 2 + number % 3, number, one)) > 20


@pytest.mark.parametrize("number", share(range(24)))
def test_what_can_not_be_seen_changes_no_answer(number: int) -> None:
    """A table and one that is dealt anew behind the seat's back: the same answer of each level."""
    edition = sorted(EDITIONS)[number % len(EDITIONS)]
    looked = 0
    for g, seat in playing(edition, 2 + number % 6, number, player("steady")):
        if g.number % 9 != number % 9:
            continue
        looked += 1
        twin = Known(g, seat).deal(Random(number))
        for level in LEVELS:
            one = player(level, 0.0001)
            first, second = (one.choose(Sight(each, seat), Random(7)) for each in (g, twin))
            assert first == second, (edition, level, g.number)
    assert looked > 2


def test_the_same_dice_the_same_answer() -> None:
    for g, seat in playing("deluxe", 4, 3, player("steady")):
        if g.number % 40 == 0:
            for level, manner in product(LEVELS, ("", *(f" {manner}" for manner in MANNERS))):
                one = player(level + manner, EFFORT)
                assert one.choose(Sight(g, seat), Random(1)) == one.choose(Sight(g, seat), Random(1))


@pytest.mark.whole_games
def test_an_answer_is_compared_with_the_best_by_what_its_seat_sees() -> None:
    """By fresh deals, all alike on a table that is dealt anew behind the seat's back; the best costs nothing,
    the last in line something.
    """
    one, lost = Strong(0.0001), []
    for g, seat in playing("deluxe", 4, 3, player("steady")):
        if g.number % 30 or len(found := one.judged(Sight(g, seat), Random(7))) < 3:
            continue
        twin = Known(g, seat).deal(Random(3))
        best, last = found[0].move, found[-1].move
        assert one.compared(Sight(g, seat), best, Random(7)) == (best, 0.0, 0.0, 0.0)
        first, second = (one.compared(Sight(each, seat), last, Random(7)) for each in (g, twin))
        assert first == second
        assert first.best == best
        assert 0 <= first.given <= 1
        lost.append(first.better - first.given > 2 * first.error)
    assert len(lost) > 2
    assert sum(lost) * 2 > len(lost)


@pytest.mark.parametrize("number", share(range(16)))
def test_gentle_players_leave_cities_alone_every_second_round(number: int) -> None:
    edition = sorted(EDITIONS)[number % len(EDITIONS)]
    one, raids, before = player("gentle"), list[tuple[int, Seat]](), None
    for g, seat in playing(edition, 4, number, one):
        if before is not None:
            raids += before
        move = one.choose(Sight(g, seat), Random(f"{number}:{g.number}"))
        what = named(g.rules, g.stack[-1].kind(g), move)
        before = [(g.round, victim) for victim in what.seats if what.stands and victim != seat]
    for round_, _ in raids:
        assert round_ % 2 == 0
    assert len(raids) == len({round_ for round_, _ in raids}), "one a round"


def test_no_card_is_named() -> None:
    sources = [*Path(referee.search.__file__).parent.glob("*.py")]
    assert len(sources) > 5
    cards = {d.name for book in EDITIONS.values() for d, _ in book.districts}
    cards |= {c.name for book in EDITIONS.values() for c in book.characters}
    for source in sources:
        words = source.read_text(encoding="utf-8")
        assert not [name for name in cards if f'"{name}"' in words], source.name
