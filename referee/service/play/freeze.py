"""A game that can't go on stands still: no clock runs, nothing of it is lost, the admin is told, the others
go on.

Something of ours broke while it was loaded or played (breakage.py); or a newer referee wrote it, and this one
can't read what it says.
"""

from __future__ import annotations

import json
from contextlib import suppress

import msgspec

from referee import rules
from referee.rules import StateError
from referee.states import GameStatus
from referee.store import Deadline, Game

from ..core import outbox
from ..core.unit_of_work import Sitting
from ..deadlines import clock_state, rows
from ..people.replies import alert


def of_later(error: BaseException) -> int:
    """The game whose position a newer referee wrote, where that is what went wrong; else 0."""
    return int(error.facts.get("game", 0)) if isinstance(error, StateError) and error.code == "newer" else 0


def freeze(sitting: Sitting, game_id: int) -> None:
    """Let it stand still, if it is being played, and tell the admin."""
    game = stand_still(sitting, game_id)
    if game is not None:
        alert(sitting, "from-later" if _is_later(game) else "frozen", game=game_id)


def stand_still(sitting: Sitting, game_id: int) -> Game | None:
    """Stop the clocks of a game that is being played, and note when; the game, None where it is not being
    played.
    """
    if not sitting.tx.change(Game, {"id": game_id, "status": GameStatus.RUNNING}, status=GameStatus.FROZEN):
        return None
    rows.stop(sitting, game_id)
    game = sitting.tx.get(Game, game_id)
    assert game is not None
    with suppress(msgspec.DecodeError):  # a newer referee may keep them otherwise
        table = clock_state.read(game)
        table.still = sitting.now_ms
        game = sitting.tx.renew(Game, game, clocks=clock_state.written(table))
    outbox.to_rooms(sitting, game)
    return game


def since(sitting: Sitting, game: Game, table: clock_state.TableTime) -> int:
    """When a frozen game began to stand still; where nobody noted that (an older referee), when its clocks
    were stopped.
    """
    stopped = [row.done_ms for row in sitting.tx.all(Deadline, game_id=game.id, order="-done_ms", limit=1)]
    return table.still or max(stopped, default=sitting.now_ms)


def _is_later(game: Game) -> bool:
    try:
        rules.load(json.loads(game.snapshot))
    except StateError as error:
        return error.code == "newer"
    except ValueError:  # no JSON at all
        return False
    return False
