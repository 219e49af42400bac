"""Playing a table to its end in few orders, no matter who else waits for the same people: as bots would, each
order typed with the number of its table.
"""

from __future__ import annotations

from referee.store import Address, Seat
from tests.service import playing
from tests.service.rig import House


def whoever(house: House, game: int) -> str:
    """Where the one who is asked writes from."""

    def look(seat: int) -> Address:
        return house.store.read_now(
            lambda tx: tx.all(Address, person_id=tx.all(Seat, game_id=game, no=seat)[0].person_id)
        )[0]

    found = look(playing.asked(house, game))
    return f"{found.channel}:{found.address}"


async def some(house: House, game: int, most: int) -> int:
    """At most so many orders; how many were typed before the game was over."""
    for typed in range(most):
        now = playing.running(house, game)
        if now.status != "running":
            return typed
        who = whoever(house, game)
        await house.say(who, f"#{game} {playing.greedy(house, game, typed)}")
        after = playing.running(house, game)
        assert (after.question, after.status) != (now.question, "running"), house.last(who).text
    return most


async def finish(house: House, game: int) -> int:
    """To the end; how many orders."""
    typed = await some(house, game, 900)
    assert playing.running(house, game).status == "over", "the game never ends"
    return typed
