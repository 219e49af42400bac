"""What players wrote below the positions of a finished game, for the pages of its steps."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

from referee.ids import NOBODY, PersonId
from referee.states import GameStatus
from referee.store import Game, Mute, StepComment, Tx

from ...play.replay import ReplayStep


def comments_version(tx: Tx, game: Game) -> Hashable:
    """What differs whenever the comments do; () while there can be none."""
    if not _over(game):
        return ()
    rows = tx.all(StepComment, game_id=game.id, order="id")
    return tuple((row.id, row.text) for row in rows)  # the words, too: names in them may be replaced


def comment_facts(
    tx: Tx, game: Game, steps: Sequence[ReplayStep], step: int, players: Sequence[str], me: PersonId = NOBODY
) -> dict[str, Any]:
    """{comments [{number, name, text, at_ms, mine}] of this step, commented {step: how many}}; without those
    of people whom `me` does not want to hear.
    """
    rows = tx.all(StepComment, game_id=game.id, order="id") if _over(game) else []
    muted = tx.all(Mute, person_id=me, what="person") if rows and me else []
    unheard = {row.other_id for row in muted} - {me}  # an account of their own, joined since, is themselves
    ends = [one.last_no for one in steps]
    placed = [
        (min(bisect_left(ends, row.event_no), len(ends) - 1) + 1, row)
        for row in rows
        if row.person_id not in unheard
    ]
    return {
        "comments": [
            {
                "number": row.id,
                "name": players[row.seat],
                "text": row.text,
                "at_ms": row.at_ms,
                "mine": row.person_id == me,
            }
            for at, row in placed
            if at == step
        ],
        "commented": dict(sorted(Counter(at for at, _ in placed).items())),
    }


def _over(game: Game) -> bool:
    return game.status == GameStatus.OVER
