"""A game that can't go on stands still: no clock runs, nothing of it is lost, the admin is told, the others go on.

Something of ours broke in it; or a newer referee wrote it, and this one can't read what it says.
"""
from __future__ import annotations

import json

from referee import rules
from referee.rules import StateError
from referee.store import Game

from . import hours, letters
from .replies import alert
from .sitting import Sitting


def of_later(error: BaseException) -> int:
    """The game whose position a newer referee wrote, where that is what went wrong; else 0."""
    return int(error.facts.get("game", 0)) if isinstance(error, StateError) and error.code == "newer" else 0


def freeze(sitting: Sitting, game_id: int) -> None:
    """Let it stand still, if it is being played, and tell the admin."""
    if not sitting.tx.change(Game, {"id": game_id, "status": "running"}, status="frozen"):
        return
    hours.stop(sitting, game_id)
    game = sitting.tx.get(Game, game_id)
    assert game is not None
    letters.to_rooms(sitting, game)
    alert(sitting, "from-later" if _is_later(game) else "frozen", game=game_id)


def _is_later(game: Game) -> bool:
    try:
        rules.load(json.loads(game.snapshot))
    except StateError as error:
        return error.code == "newer"
    except ValueError:                                # no JSON at all
        return False
    return False
