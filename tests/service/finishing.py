"""Playing a table to its end in few orders, no matter who else waits for the same people: as bots would, each
order typed with the number of its table.
"""

from __future__ import annotations

from referee.store import Address, Game, Seat, Tx
from tests.service import playing
from tests.service.rig import House


def whoever(house: House, game: int) -> str:
    """Where the one who is asked writes from."""

    def look(tx: Tx) -> Address:
        found = tx.get(Game, game)
        assert found is not None
        asked = tx.all(Seat, game_id=game, no=int(found.asked.split(",")[0]))[0]
        return tx.all(Address, person_id=asked.person_id)[0]

    found = house.store.read_now(look)
    return f"{found.channel}:{found.address}"


async def some(house: House, game: int, most: int) -> int:
    """At most so many orders; how many were typed before the game was over."""
    now, names = playing.seated(house, game)
    for typed in range(most):
        if now.status != "running":
            return typed
        who, before = whoever(house, game), now.question
        await house.say(who, f"#{game} {playing.greedily(now, names, typed)}")
        now, names = playing.seated(house, game)
        assert (now.question, now.status) != (before, "running"), house.last(who).text
    return most


async def finish(house: House, game: int) -> int:
    """To the end; how many orders."""
    typed = await some(house, game, 900)
    assert playing.running(house, game).status == "over", "the game never ends"
    return typed
