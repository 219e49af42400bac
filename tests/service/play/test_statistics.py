"""`my stats`: what counts as somebody's own at a table."""

from __future__ import annotations

from referee.service.play import statistics
from referee.service.tables import takeover
from referee.store import Journal, Seat, Tx
from tests.service.playing import asked, legal, running, table, to_the_end
from tests.service.rig import House

ANA, BEA, DORA = "telegram:ana", "matrix:bea", "telegram:dora"


async def test_what_others_picked_in_the_seat_before_is_not_theirs(house: House) -> None:
    game = await table(house, [ANA, BEA])
    while running(house, game).round < 3:
        await house.say([ANA, BEA][asked(house, game)], f"#{game} {legal(house, game)[0]}")
    seat = house.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=1))
    await house.say(DORA, "hello")
    dora = house.store.read_now(lambda tx: tx.whose("telegram", "dora"))
    assert seat is not None
    assert dora is not None
    house.clock.pass_(seconds=60)
    await house.store.write(
        lambda tx: takeover.put(house.referee.context.uow(tx), running(house, game), dora[0], dora[1], seat)
    )
    before = house.store.read_now(lambda tx: tx.count(Journal, game_id=game))
    await to_the_end(house, game, [ANA, DORA])
    # one pick was the clock's
    last = house.store.read_now(lambda tx: picks(tx, game, before)[-1])
    await house.store.write(lambda tx: tx.set(Journal, last.id, by="clock"))
    own = house.store.read_now(lambda tx: [one for one in picks(tx, game, before) if one.by == "person"])
    found = house.store.read_now(lambda tx: statistics.of_person(tx, dora[0].id))
    assert sum(one["rounds"] for one in found["characters"]) == len(own)
    assert len(house.store.read_now(lambda tx: picks(tx, game, 0))) > len(own) + 1
    ana = house.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=0).person_id)
    told = house.store.read_now(lambda tx: statistics.of_person(tx, ana))
    assert [one["name"] for one in told["opponents"]] == [dora[0].name], "not as who sat there before"


async def test_others_are_called_as_at_the_tables_that_one_shared(house: House) -> None:
    """Who goes by another name since then is not told of to everybody whom they ever met."""
    game = await table(house, [ANA, BEA])
    await to_the_end(house, game, [ANA, BEA])
    await house.say(BEA, "name Beatrice Quixano")
    ana = house.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=0).person_id)
    told = house.store.read_now(lambda tx: statistics.of_person(tx, ana))
    assert [one["name"] for one in told["opponents"]] == ["Bea"]
    await house.say(ANA, "my stats")
    assert "Quixano" not in house.last(ANA).text


def picks(tx: Tx, game: int, after: int) -> list[Journal]:
    """What was picked in the seat after that order."""
    lines = tx.all(Journal, game_id=game, seat=1, undone=0, order="no")
    return [one for one in lines if one.no > after and one.order.startswith("pick ")]
