"""Answering a big question step by step: which words may come next is a letter of its own, or the same one rewritten.

Nothing is kept of the way but in the letters: each is about one place of it, and a number or a button means what
stands behind it in the letter that is answered, or else in the last one that reached that address.
"""
from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from referee import rules
from referee.store import Game, Outbox
from referee.text import Step, options

from .people import Speaker
from .sitting import Sitting

DOTS = "…"


def path_of(data: dict[str, Any], game: Game) -> tuple[Any, ...]:
    """The place that a letter's data speak of; () for the whole question, or when another one is open by now."""
    step = data.get("step") or {}
    if step.get("question") != game.question:
        return ()
    return tuple(tuple(part) if isinstance(part, list) else part for part in step["path"])


def place(game: Game, path: tuple[Any, ...]) -> dict[str, Any]:
    """The same as data of a letter."""
    return {"question": game.question, "path": list(path)}


def seen(sitting: Sitting, speaker: Speaker) -> Outbox | None:
    """The letter that is answered, or the last that was sent to where the speaker is."""
    if speaker.letter is not None:
        return speaker.letter
    last = sitting.tx.all(Outbox, channel=speaker.address.channel, address=speaker.address.address, state="sent", order="-id", limit=8)
    return next((row for row in last if row.kind in ("prompt", "reminder", "hand", "setup")), None)


def numbered(row: Outbox | None, number: int) -> str:
    """What stands behind a number in a letter that shows one place of a way, "" where it has no such number."""
    if row is None or not row.letter:
        return ""
    buttons = [one for line in json.loads(row.letter).get("buttons", ()) for one in line]
    return next((str(one["order"]) for one in buttons if one.get("number") == number), "")


def meant(sitting: Sitting, speaker: Speaker, game: Game, chunks: Sequence[str]) -> tuple[tuple[str, ...], tuple[Any, ...]]:
    """A message's orders with its first number put into words where it answers a step, and the place of that step."""
    row = seen(sitting, speaker)
    path = () if row is None or row.game_id != game.id or row.kind != "prompt" else path_of(json.loads(row.data), game)
    first = chunks[0].strip().rstrip(".)") if chunks else ""
    if path and first.isdecimal() and len(first) < 5:
        return (numbered(row, int(first)) or chunks[0], *chunks[1:]), path
    return tuple(chunks), path


def leads(state: Any, seat: int, order: str, path: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """The place that an entry leads to, named by its number or its words; None for anything else.  () is the whole question."""
    view = rules.view(state, seat)
    if order.strip() == DOTS:
        return ()
    if "ask" not in view or not (DOTS in order or order.strip().isdecimal()):
        return None
    whole = options(view["ask"], view)
    if order.strip().isdecimal():
        found = next((one.step for one in whole if one.n == int(order.strip()[:4])), None)
        return None if found is None else found.path
    near = options(view["ask"], view, path) if path else []
    steps: list[Step] = [one.step for one in (*near, *whole) if one.step is not None and one.order_text == order.strip()]
    return steps[0].path if steps else None
