"""Up and down."""

from __future__ import annotations

from random import Random

import pytest

from referee.league import MoveReason, Unseatable, moved, movers
from tests.seeds import share

A, B, C = (1, 2, 3, 4, 5), (11, 12, 13, 14, 15), (21, 22, 23, 24, 25)


def test_two_up_two_down() -> None:
    done = moved([A, B, C], up=2, down=2)
    assert done.divisions == ((1, 2, 3, 11, 12), (4, 5, 13, 21, 22), (14, 15, 23, 24, 25))
    why = {move.person: (move.before, move.after, move.why) for move in done.moves}
    assert why[11] == (1, 0, MoveReason.PROMOTED)
    assert why[4] == (0, 1, MoveReason.RELEGATED)
    assert why[1] == (0, 0, MoveReason.STAYS)
    assert len(done.moves) == 15


def test_gaps_are_filled_from_below_and_by_newcomers() -> None:
    done = moved([A, B, C], up=1, down=1, withdrawn={2, 21}, newcomers=[90, 91])
    assert done.divisions == ((1, 3, 4, 11, 12), (5, 13, 14, 22, 23), (15, 24, 25, 90, 91))
    why = {move.person: (move.before, move.after, move.why) for move in done.moves}
    assert why[12] == (1, 0, MoveReason.FILLS)
    assert why[2] == (0, None, MoveReason.WITHDREW)
    assert why[90] == (None, 2, MoveReason.NEWCOMER)
    # 21 would have risen but withdrew: 22 fills the gap
    assert why[22] == (2, 1, MoveReason.FILLS)


def test_whoever_fell_does_not_come_back_by_a_gap() -> None:
    done = moved([(1, 2, 3), (11,)], up=0, down=1, withdrawn={1, 11})
    assert done.divisions == ((2,), (3,))


def test_one_division_has_nowhere_to_go() -> None:
    assert moved([A], up=2, down=2, newcomers=[7]).divisions == ((*A, 7),)
    assert moved([], up=2, down=2, newcomers=[7, 8]).divisions == ((7, 8),)
    assert moved([], up=1, down=1).divisions == ()


def test_where_more_would_move_than_there_are_nobody_does_both() -> None:
    assert movers(B, 3, 3) == ([11, 12, 13], [14, 15])
    assert movers(B, 0, 6) == ([], [*B])
    assert movers(B, 9, 9) == ([*B], [])
    assert movers([], 2, 2) == ([], [])
    done = moved([A, (11, 12), C], up=2, down=2)
    assert done.divisions == ((1, 2, 3, 11, 12), (4, 5, 21, 22), (23, 24, 25))


def test_a_small_division_keeps_nobody_else_from_moving() -> None:
    done = moved([A, B, (21,)], up=2, down=2)
    assert done.divisions[0] == (1, 2, 3, 11, 12)
    assert done.divisions[2] == (14, 15)


def test_somebody_named_twice() -> None:
    with pytest.raises(Unseatable, match="moves-twice person=3"):
        moved([A, B], up=1, down=1, newcomers=[3])


@pytest.mark.parametrize("seed", share(range(40)))
def test_nobody_is_lost(seed: int) -> None:
    dice = Random(seed)
    people = list(range(60))
    divisions = [people[:20], people[20:40], people[40:]]
    gone = set(dice.sample(people, dice.randint(0, 20)))
    fresh = list(range(100, 100 + dice.randint(0, 9)))
    up, down = dice.randint(0, 6), dice.randint(0, 6)
    done = moved(divisions, up=up, down=down, withdrawn=gone, newcomers=fresh)
    assert (
        sorted(who for each in done.divisions for who in each)
        == [who for who in people if who not in gone] + fresh
    )
    assert len({move.person for move in done.moves}) == 60 + len(fresh)
