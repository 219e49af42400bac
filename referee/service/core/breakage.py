"""What broke while one game was loaded or played: the only thing for which a game is frozen.

A message that breaks something else (the reading of it, a letter, an account) is set aside, and every game
goes on: else whoever finds a message that breaks us could stop their own clock with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from referee.rules import Refusal, SetupError, StateError
from referee.store import StoreConflict, StoreFull


class GameBroke(Exception):
    """Loading or playing a game's position broke; `game_id`: whose."""

    def __init__(self, game_id: int, why: str) -> None:
        super().__init__(f"game {game_id}: {why}")
        self.game_id = game_id


@contextmanager
def playing(game_id: int | None) -> Iterator[None]:
    """Within, only this game's position is worked on: what breaks, breaks in it.

    A refusal is no breakage.
    """
    try:
        yield
    except (Refusal, SetupError, StateError, GameBroke, StoreFull, StoreConflict):
        raise
    except Exception as broken:  # whatever the rules may raise: it is this game that broke
        if game_id is None:
            raise
        raise GameBroke(game_id, f"{type(broken).__name__}: {broken}") from broken


def broken_game(error: BaseException | None) -> int:
    """The game that broke, 0 where none did."""
    if isinstance(error, GameBroke):
        return error.game_id
    return int(error.facts.get("game", 0)) if isinstance(error, StateError) else 0
