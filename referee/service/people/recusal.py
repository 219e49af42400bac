"""Who saw hidden cards of which table: they take no seat there, nor become one with somebody who has one."""

from __future__ import annotations

import json

from referee.ids import GameId, PersonId
from referee.states import GameStatus
from referee.store import Game, OfficeLog, Seat, Tx

from ..core.unit_of_work import settings_of
from . import officials

#: what the logbook calls it
ACT = "look-hidden"


def recused_games(tx: Tx, person_id: PersonId) -> list[Game]:
    """The tables of which somebody saw hidden cards, also as somebody who was joined to them."""
    numbers = sorted({GameId(int(json.loads(row.facts)["game"])) for row in tx.all(OfficeLog, act=ACT)})
    found = [tx.get(Game, number) for number in numbers]
    return [
        game
        for game in found
        if game is not None
        and any(officials.same(tx, one["person"], person_id) for one in settings_of(game).get("looked", ()))
    ]


def barred(tx: Tx, one: PersonId, other: PersonId) -> bool:
    """Whether one of two persons plays at a table of which the other saw hidden cards."""
    return any(
        game.status in (GameStatus.RUNNING, GameStatus.FROZEN)
        and tx.one(Seat, game_id=game.id, person_id=plays) is not None
        for saw, plays in ((one, other), (other, one))
        for game in recused_games(tx, saw)
    )
