"""Answering whoever plays: what was understood, and what is asked now."""

from __future__ import annotations

from typing import Any

from referee.store import Game, Seat

from ..core import outbox
from ..core.speaker import Speaker
from ..core.unit_of_work import Sitting
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
    is_asked = game.status == "running" and str(seat.no) in game.asked.split(",")
    if game.status == "over" and not trouble:
        return
    data: dict[str, Any] = {
        "echo": echo or [],
        "trouble": trouble,
        "step": step,
        **({"pictured": True} if pictured else {}),
    }
    if pressed and speaker.letter is not None and speaker.letter.kind == "prompt":
        data["revises"] = speaker.letter.id
    outbox.to_seat(
        sitting,
        game,
        seat,
        "prompt",
        at=speaker.address,
        question=game.question if is_asked else 0,
        data=data,
    )
    if echo and echoed(seat):
        for other in outbox.addresses(sitting, int(speaker.person.id or 0)):
            if other.id != speaker.address.id and other.state == "green":
                outbox.to_seat(sitting, game, seat, "echo_elsewhere", at=other, data={"echo": echo})
