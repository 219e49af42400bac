"""Tables of people and bots, and questions that somebody who is gone had in hand."""

from __future__ import annotations

from functools import partial

from referee.service.deadlines import bot_questions
from referee.store import Game, Seat, Tx
from tests.service import playing
from tests.service.rig import House


async def table(
    house: House, *kinds: str, people: tuple[str, ...] = ("telegram:ana",), hours: str = playing.FLAT
) -> int:
    """A running table of these people and bots of these kinds, the person who opened it first."""
    first, *rest = people
    seats = len(people) + len(kinds)
    for who in people:
        await playing.greet(house, who)
    await house.say(first, f"new classic {seats} seats {hours} no restart with {len(kinds)} bots")
    game = house.store.read_now(lambda tx: tx.all(Game, order="-id", limit=1))[0].id
    for no, kind in enumerate(kinds, 1):
        house.store.write_now(partial(_sits, game=game, no=no, kind=kind))
    for who in rest:
        await house.say(who, f"join #{game}")
    for who in people:
        await house.say(who, f"ready #{game}")
    assert playing.running(house, game).status == "running"
    return int(game)


def _sits(tx: Tx, game: int, no: int, kind: str) -> None:
    tx.change(Seat, {"game_id": game, "no": no}, bot=kind)


async def rung_where_shared(house: House) -> None:
    """In a book of several processes a question may be in another's hand and waits for its time to end."""
    if house.store.shared:
        house.clock.pass_(seconds=bot_questions.PATIENCE_MS / 1000 + 1)
        await house.referee.scheduler.ring()
