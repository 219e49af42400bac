"""Answering whoever plays: what was understood, and what is asked now."""

from __future__ import annotations

from typing import Any

from referee.states import AddressState, GameStatus
from referee.store import Game, Seat

from ..core import outbox
from ..core.speaker import Speaker
from ..core.unit_of_work import Sitting
from ..people.letter_facts import PromptFacts
from ..people.replies import EchoFacts
from .hooks import echoed


def again(
    sitting: Sitting,
    speaker: Speaker,
    game: Game,
    seat: Seat,
    trouble: dict[str, Any] | None = None,
    echo: list[dict[str, Any]] | None = None,
    pressed: bool = False,
    step: dict[str, Any] | None = None,
    pictured: bool = False,
) -> None:
    """Tell a player what was understood and what is asked now (`pictured`: with a picture, also where
    questions have none); a copy of the echo goes to the seat's other channels.

    `step`: the place of a big question that is shown (see stepwise.py). `echo` are the orders done,
    {order}, and those taken back, {order, undone}: letters that fold tell both.
    """
    is_asked = game.status == GameStatus.RUNNING and str(seat.no) in game.asked.split(",")
    if game.status == GameStatus.OVER and not trouble:
        return
    row = speaker.letter if pressed else None
    revises = int(row.id or 0) if row is not None and row.kind == PromptFacts.kind else 0
    facts = PromptFacts(echo=echo or [], trouble=trouble, step=step, pictured=pictured, revises=revises)
    outbox.to_seat(
        sitting,
        game,
        seat,
        facts,
        at=speaker.address,
        question=game.question if is_asked else 0,
    )
    if echo and echoed(seat):
        for other in outbox.addresses(sitting, int(speaker.person.id or 0)):
            if other.id != speaker.address.id and other.state == AddressState.GREEN:
                outbox.to_seat(sitting, game, seat, EchoFacts(echo=echo), at=other)
