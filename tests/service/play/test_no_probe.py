"""What a message asks back, or leaves undone, tells nothing that its writer does not see.

Over random games, with orders parted by commas and by semicolons: where nothing was done, the same answer is
given whatever the hidden cards are. Else a line would be a way to look at them and to choose afterwards.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from referee import rules
from referee.rules.notation import order_text
from referee.service.play.moves import Hearing, OrderAttempt, attempt
from referee.store import Seat
from referee.text import Words
from tests.rules.laws import another
from tests.seeds import share
from tests.text.editions import Moment, random_game

WORDS = Words(strict=True)
TABLES = [("classic", 4), ("deluxe", 5), ("original", 6), ("deluxe", 2), ("deluxe", 3)]


def seats(moment: Moment) -> list[Seat]:
    return [Seat(game_id=1, no=no, name=name) for no, name in enumerate(moment.names)]


def lines(moment: Moment, rng: Random) -> list[str]:
    """Orders that are legal now, one behind the other, and ones about cards that may be revealed between."""
    assert moment.ask is not None
    said = [order_text(move, moment.names) for move in moment.ask.moves]
    said = rng.sample(said, min(8, len(said)))
    cards = rng.sample(sorted(rules.rulebook(moment.state).districts), 3)
    pairs = [f"{a}, {b}" for a in said for b in said if a != b]
    guesses = [f"{a}, {verb} {card}" for a in said for verb in ("keep", "build") for card in cards]
    return [
        *rng.sample(pairs, min(12, len(pairs))),
        *rng.sample(guesses, min(6, len(guesses))),
        *(f"{a}, keep {card}, {b}" for a in said[:2] for b in said[:2] for card in cards[:2]),
    ]


def tried(state: Any, moment: Moment, line: str) -> OrderAttempt:
    assert moment.ask is not None
    return attempt(state, seats(moment), moment.ask.seat, line.split("; "), Hearing(words=WORDS))


def answer(done: OrderAttempt) -> Any:
    """What its writer is told."""
    return done.trouble, [step.order for step in done.steps if step.by == "person"]


@pytest.mark.parametrize("number", share(range(20)))
def test_where_nothing_is_done_nothing_is_told(number: int) -> None:
    rng, compared = Random(number), 0
    for n, moment in enumerate(random_game(*TABLES[number % len(TABLES)], number)):
        if moment.ask is None or n % 12 != number % 12:
            continue
        for comma in lines(moment, rng):
            for line in (comma, comma.replace(", ", "; ")):
                done = tried(moment.state, moment, line)
                if done.steps or done.trouble is None:
                    continue
                dealt = another(moment.state, moment.ask.seat, rng)
                assert answer(tried(dealt, moment, line)) == answer(done), line
                compared += 1
    assert compared > 20
