"""A game that can't go on stands still: no clock runs, nothing of it is lost, the admin is told, the others
go on.

Something of ours broke while it was loaded or played (`playing`); or a newer referee wrote it, and this one
can't read what it says.
"""

from __future__ import annotations

import json
from contextlib import suppress

import msgspec

from referee import rules
from referee.ids import NO_GAME, GameId
from referee.rules import StateError
from referee.states import GameStatus
from referee.store import Deadline, Game

from ..core import outbox
from ..core.unit_of_work import UnitOfWork
from ..deadlines import clock_state, rows
from ..people.replies import alert


def of_later(error: BaseException) -> GameId:
    """The game whose position a newer referee wrote, where that is what went wrong; else 0."""
    if isinstance(error, StateError) and error.code == "newer":
        return GameId(int(error.facts.get("game", 0)))
    return NO_GAME


def freeze(uow: UnitOfWork, game_id: GameId) -> None:
    """Let it stand still, if it is being played, and tell the admin."""
    game = stand_still(uow, game_id)
    if game is not None:
        alert(uow, "from-later" if _is_later(game) else "frozen", game=game_id)


def stand_still(uow: UnitOfWork, game_id: GameId) -> Game | None:
    """Stop the clocks of a game that is being played, and note when; the game, None where it is not being
    played.
    """
    if not uow.tx.change(Game, {"id": game_id, "status": GameStatus.RUNNING}, status=GameStatus.FROZEN):
        return None
    rows.stop(uow, game_id)
    game = uow.tx.get(Game, game_id)
    assert game is not None
    with suppress(msgspec.DecodeError):  # a newer referee may keep them otherwise
        table = clock_state.read_clocks(game)
        table.still = uow.now_ms
        game = uow.tx.renew(Game, game, clocks=clock_state.encode_clocks(table))
    outbox.to_rooms(uow, game)
    return game


def since(uow: UnitOfWork, game: Game, table: clock_state.TableTime) -> int:
    """When a frozen game began to stand still; where nobody noted that (an older referee), when its clocks
    were stopped.
    """
    stopped = [row.done_ms for row in uow.tx.all(Deadline, game_id=game.id, order="-done_ms", limit=1)]
    return table.still or max(stopped, default=uow.now_ms)


def _is_later(game: Game) -> bool:
    try:
        rules.load(json.loads(game.snapshot))
    except StateError as error:
        return error.code == "newer"
    except ValueError:  # no JSON at all
        return False
    return False
