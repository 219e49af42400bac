"""A table step by step: what happened, and how everything stood then, as everybody could see it; and the record once the game is over."""
from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

import msgspec

from referee.store import GameEvent, Journal, Seat, Tx

from ..records import record_text
from ..sitting import names
from .seen import opened
from .showing import Look, Page, Wanted
from .table import about
from .unrolling import Past, Rows, Told, present_deal

#: so many tables' pasts are kept
KEPT = 16


class Shelf:
    """The pasts of the tables that were looked at last."""

    def __init__(self) -> None:
        self._pasts: OrderedDict[int, Past] = OrderedDict()

    def of(self, game_id: int) -> Past:
        """A table's past, as far as it has been followed."""
        found = self._pasts.setdefault(game_id, Past())
        self._pasts.move_to_end(game_id)
        while len(self._pasts) > KEPT:
            self._pasts.popitem(last=False)
        return found


def work(tx: Tx, shelf: Shelf, wanted: Wanted) -> Callable[[], None] | None:
    """What is to be done before a page of the past can be made, anywhere but in the reader; None where nothing is."""
    game = opened(tx, wanted)
    if game is None or not game.snapshot:
        return None
    past = shelf.of(int(game.id or 0))
    if past.upto == game.event_no:
        return None
    rows = Rows(game, tx.all(Seat, game_id=game.id, order="no"), tx.all(Journal, game_id=game.id, order="no"), tx.all(GameEvent, game_id=game.id, order="no"))
    return lambda: past.follow(present_deal(rows))


def pages(shelf: Shelf) -> dict[str, Page]:
    """The pages of the past, over the pasts of this shelf."""

    def version(look: Look, wanted: Wanted) -> Hashable | None:
        game = opened(look.tx, wanted)
        return None if game is None or not game.snapshot else (game.status, shelf.of(int(game.id or 0)).upto)

    def facts(look: Look, wanted: Wanted) -> dict[str, Any] | None:
        game = opened(look.tx, wanted)
        if game is None:
            return None
        steps = shelf.of(int(game.id or 0)).steps
        step = int(wanted.get("step") or len(steps))
        if not 1 <= step <= len(steps):
            return None
        here = steps[step - 1]
        seats = look.tx.all(Seat, game_id=game.id, order="no")
        players = names(seats)
        firsts = {one.round: n for n, one in reversed(list(enumerate(steps, 1)))}
        round_ = [{"no": n, "lines": worded(look, one.told, players)} for n, one in enumerate(steps, 1) if one.round == here.round]
        return {**about(look, game, seats, wanted), "step": step, "last": len(steps), "at_ms": here.told[-1].at_ms,
                "view": msgspec.json.decode(here.view) if here.view else None, "lines": worded(look, here.told, players),
                "round": here.round, "rounds": dict(sorted(firsts.items())), "steps": round_}

    def record(look: Look, wanted: Wanted) -> tuple[str, str] | None:
        game = opened(look.tx, wanted)
        if game is None or game.status != "over":
            return None                               # while it is played the orders are secrets
        return f"citadels-{game.id}.txt", record_text(look.tx, int(game.id or 0))

    def done(look: Look, wanted: Wanted) -> Hashable | None:
        game = opened(look.tx, wanted)
        return None if game is None else game.status

    return {"history": Page(("game", "key", "step"), version, facts), "record": Page(("game", "key"), done, file=record)}


def worded(look: Look, told: tuple[Told, ...], players: list[str]) -> list[str]:
    """The sentences of a step."""
    lines = [look.words.event(one.name, one.facts, look.language, players) for one in told]
    return [line for line in lines if line]
