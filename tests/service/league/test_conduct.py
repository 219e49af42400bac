"""What is counted of how somebody played."""

from __future__ import annotations

from fractions import Fraction

from referee.service.league.scores.conduct import Conduct, of_game, summed
from referee.store import Game, GameEvent, Journal, Person, Seat, Tx
from tests.service.rig import House

MINUTE = 60_000


def game(tx: Tx, *rows: tuple[int, str, int], over: tuple[tuple[int, int], ...] = ()) -> int:
    """A game begun at minute 0; rows are (seat, by, minute), `over` (seat, minute) of seats that were taken
    over.
    """
    for n in range(1, 6):
        tx.add(Person, name=f"P{n}")
    number = tx.add(Game, creator_id=1, started_ms=0, status="over")
    taken = dict(over)
    for seat in range(3):
        tx.add(Seat, game_id=number, no=seat, name=f"S{seat}", person_id=4 if seat in taken else seat + 1)
    for n, (seat, by, minute) in enumerate(rows, 1):
        tx.add(
            Journal,
            game_id=number,
            no=n,
            seat=seat,
            question=n,
            order="gold",
            by=by,
            at_ms=minute * MINUTE,
            undone=int(by == "undone"),
        )
    for n, (seat, minute) in enumerate(over, 1):
        tx.add(
            GameEvent,
            game_id=number,
            no=n,
            name="taken_over",
            facts=f'{{"seat": {seat}}}',
            at_ms=minute * MINUTE,
        )
    return number


async def counted(
    house: House, *rows: tuple[int, str, int], over: tuple[tuple[int, int], ...] = ()
) -> dict[int, Conduct]:
    def job(tx: Tx) -> dict[int, Conduct]:
        row = tx.get(Game, game(tx, *rows, over=over))
        assert row is not None
        return of_game(tx, row, [1, 2, 3])

    return await house.store.write(job)


async def test_a_turn_of_several_orders_is_one_answer(house: House) -> None:
    found = await counted(house, (0, "person", 10), (0, "person", 12), (1, "plan", 13), (0, "person", 43))
    assert found == {1: Conduct(2, 0, (720, 1800)), 2: Conduct(1, 0, (60,))}


async def test_whoever_was_played_for_missed_it(house: House) -> None:
    found = await counted(
        house, (0, "clock", 10), (1, "standin", 20), (2, "caretaker", 30), (0, "person", 40)
    )
    assert found == {1: Conduct(1, 1, (600,)), 2: Conduct(0, 1), 3: Conduct(0, 1)}


async def test_what_was_taken_back_is_not_counted(house: House) -> None:
    assert await counted(house, (0, "undone", 1), (0, "person", 3), (1, "bot", 3)) == {
        1: Conduct(1, 0, (180,))
    }


async def test_a_seat_counts_for_whoever_had_it(house: House) -> None:
    found = await counted(
        house, (0, "person", 1), (1, "clock", 10), (0, "person", 11), (1, "person", 30), over=((1, 20),)
    )
    assert found == {1: Conduct(2, 0, (60, 60)), 2: Conduct(0, 1), 4: Conduct(1, 0, (19 * 60,))}


async def test_of_three_in_one_seat_the_middle_one_is_not_known(house: House) -> None:
    found = await counted(
        house,
        (1, "person", 1),
        (0, "person", 2),
        (1, "person", 15),
        (0, "person", 16),
        (1, "person", 30),
        over=((1, 10), (1, 20)),
    )
    assert found[2].answers == 1
    assert found[4].answers == 1
    assert sum(one.answers for one in found.values()) == 4


async def test_an_empty_game_says_nothing(house: House) -> None:
    assert await counted(house) == {}


def test_results_are_summed() -> None:
    got = summed([Conduct(3, 1, (60, 120, 600)).facts(), {"abandoned": True, "misses": 4}, {}])
    assert (got.in_time, got.finished, got.median_ms, got.questions) == (
        Fraction(3, 8),
        Fraction(2, 3),
        120_000,
        8,
    )
    assert summed([]).in_time is None
