"""A manner can be seen in what is played."""

from __future__ import annotations

from random import Random

import pytest

from referee.search import MANNERS, Sight, player
from referee.search.manners import MANNERS as TASTES
from tests.search.test_levels import playing
from tests.seeds import ALL, covering


@pytest.mark.parametrize(("level", "manner"), covering(["steady", "strong"], list(MANNERS)))
def test_a_manner_is_seen(level: str, manner: str) -> None:
    """At the same questions, more of what it likes is answered than without it."""
    plain, with_it, questions = 0.0, 0.0, 0
    every = 1 if level == "steady" else 9 if ALL else 6
    for number in range(6):
        for g, seat in playing("deluxe", 4, number, player("steady")):
            if g.number % every:
                continue
            questions += 1
            for one in (level, f"{level} {manner}"):
                move = player(one, 0.02).choose(Sight(g, seat), Random(g.number))
                liked = TASTES[manner](g, seat, move)
                plain, with_it = (plain + liked, with_it) if one == level else (plain, with_it + liked)
    assert questions > 60
    assert with_it > plain + questions * 0.01
