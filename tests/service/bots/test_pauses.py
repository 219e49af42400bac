"""Bots pause before they pick where another person picks after them, at slow tables; nobody has a letter more
for it, and nobody's time is shorter.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from referee import rules
from referee.service.core.settings import BotSettings
from referee.service.deadlines import bot_pauses
from referee.states import DeadlineKind
from referee.store import Deadline, Journal, Seat
from tests.service import playing
from tests.service.bots.tables import table
from tests.service.rig import House

PEOPLE = ("telegram:ana", "mail:ben@example.org", "matrix:@cay:hs")
MINUTES = 3.0


async def opened(path: Path, minutes: float = MINUTES) -> House:
    return await House(path, bots=BotSettings(pause_minutes=minutes), seeds=_same).open()


def _same(size: int) -> bytes:
    return bytes([5]) * size


def pausing(house: House) -> list[Deadline]:
    return house.store.read_now(lambda tx: tx.all(Deadline, kind=DeadlineKind.BOT, done_ms=0))


def person(house: House, game: int) -> str:
    no = playing.asked(house, game)
    seats = house.store.read_now(lambda tx: tx.all(Seat, game_id=game, order="no"))
    people = [one.no for one in seats if not one.bot]
    return PEOPLE[people.index(no)]


async def play(house: House, game: int, orders: int) -> list[tuple[float, int]]:
    """So many orders of people; each pause as (minutes, question)."""
    pauses = []
    for n in range(orders):
        if playing.running(house, game).status != "running":
            break
        await house.say(person(house, game), f"#{game} {playing.greedy(house, game, n)}")
        if rows := pausing(house):
            (row,) = rows
            pauses.append(((row.due_ms - house.clock()) / 60_000, row.question))
            house.clock.pass_(seconds=(row.due_ms - house.clock()) / 1000)
            await playing.ring(house)
            assert not pausing(house), "one pause for all that pick one after the other"
        else:
            house.clock.pass_(seconds=60)
    return pauses


def letters(house: House) -> Counter[str]:
    """Letters that are new ones, by who got them; one that rewrites another rings nobody."""
    return Counter(
        letter.address or letter.place
        for wire in house.wires.values()
        for letter in wire.sent
        if not letter.edits
    )


async def test_a_pause_is_some_minutes_long_and_depends_on_the_question(tmp_path: Path) -> None:
    house = await opened(tmp_path / "a.db")
    game = await table(house, "greedy", "random", "greedy", people=PEOPLE)
    pauses = await play(house, game, 150)
    assert len(pauses) > 1
    assert all(0.5 * MINUTES <= minutes <= 1.5 * MINUTES for minutes, _ in pauses)
    assert len({minutes for minutes, _ in pauses}) == len(pauses)
    await house.close()


async def test_nobody_has_a_letter_more_and_the_game_is_the_same(tmp_path: Path) -> None:
    counts, journals = [], []
    for minutes in (0.0, MINUTES):
        house = await opened(tmp_path / f"{minutes}.db", minutes)
        game = await table(house, "greedy", "random", "greedy", people=PEOPLE)
        pauses = await play(house, game, 80)
        assert bool(pauses) == bool(minutes)
        counts.append(letters(house))
        found = house.store.read_now(lambda tx: tx.all(Journal, order="no"))
        journals.append([(one.seat, one.order, one.by, one.question) for one in found])
        await house.close()
    assert journals[0] == journals[1]
    assert counts[0] == counts[1]


async def test_a_person_has_all_of_their_time(tmp_path: Path) -> None:
    house = await opened(tmp_path / "a.db")
    game = await table(house, "greedy", "random", "greedy", people=PEOPLE)
    for n in range(60):
        await house.say(person(house, game), f"#{game} {playing.greedy(house, game, n)}")
        if rows := pausing(house):
            house.clock.pass_(seconds=(rows[0].due_ms - house.clock()) / 1000)
            await playing.ring(house)
            (answer,) = house.store.read_now(
                lambda tx: tx.all(Deadline, game_id=game, kind=DeadlineKind.ANSWER, done_ms=0)
            )
            assert answer.due_ms - house.clock() == 24 * 3_600_000
            break
    else:
        raise AssertionError("no bot has paused")
    await house.close()


@pytest.mark.parametrize(
    ("people", "hours"),
    [(PEOPLE[:1], playing.FLAT), (PEOPLE[:2], "live"), (PEOPLE[:2], "2h no bank no quiet no nights")],
    ids=["nobody waits", "live", "quick"],
)
async def test_bots_answer_at_once_where_a_pause_would_only_delay(
    tmp_path: Path, people: tuple[str, ...], hours: str
) -> None:
    house = await opened(tmp_path / "a.db")
    game = await table(house, "greedy", "random", "greedy", people=people, hours=hours)
    assert not await play(house, game, 25)
    await house.close()


async def test_a_pause_outlives_the_process_and_is_in_order(tmp_path: Path) -> None:
    house = await opened(tmp_path / "a.db")
    game = await table(house, "greedy", "random", "greedy", people=PEOPLE)
    for n in range(60):
        await house.say(person(house, game), f"#{game} {playing.greedy(house, game, n)}")
        if pausing(house):
            break
    (row,) = pausing(house)
    assert str(row.seat) == playing.running(house, game).asked
    clock = house.clock
    await house.close()
    house = await House(tmp_path / "a.db", clock, bots=BotSettings(pause_minutes=MINUTES)).open()
    clock.pass_(seconds=600)
    await playing.ring(house)
    lines = house.store.read_now(lambda tx: tx.all(Journal, game_id=game, question=row.question))
    assert [line.by for line in lines] == ["bot"]
    await house.close()


def test_whether_there_is_one_is_no_secret() -> None:
    """It depends on the order of picks and on who sat down as a bot, not on hands, cards or who is there."""
    setup = rules.Setup("classic", ("A", "B", "C", "D"))
    found = []
    for seed in range(40):
        state = rules.new_game(setup, bytes([seed]) * 32).state
        if state.crown != 0:
            continue
        seats = [
            Seat(game_id=1, no=no, name=name, bot=bot, person_id=None)
            for no, (name, bot) in enumerate((("A", ""), ("B", "greedy"), ("C", ""), ("D", "greedy")))
        ]
        state = rules.play(state, 0, rules.asks(state)[0].moves[seed % 3]).state
        found.append(bot_pauses.pauses(state, seats, 0))
    assert len(found) > 3
    assert set(found) == {True}
