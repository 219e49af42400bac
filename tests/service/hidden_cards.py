"""The letters that one seat and the rooms would get, from the position as it is and from one in which
everything that the seat can't see lies otherwise. Whatever differs is a secret that got out.
"""

from __future__ import annotations

import json
import random
from collections.abc import Collection
from functools import cache
from typing import Any

from referee import rules
from referee.service.core.composing import ComposeContext
from referee.service.core.unit_of_work import StateCache, encoded, settings_of
from referee.service.outbound.compose import compose
from referee.service.play import moves
from referee.store import Game, Outbox, Seat, Tx
from tests.service.rig import House

MARKUPS = {"telegram": "telegram", "matrix": "matrix", "mail": "mail", "terminal": "text", "web": "web"}
PRIVATE = ("prompt", "hand", "reminder", "status", "who", "history", "games", "echo_elsewhere", "digest")
PUBLIC = ("table", "status", "who", "history")
#: what somebody may type: nonsense, near misses, orders of others
TYPED = (
    "",
    "99",
    "biuld Palace",
    "build Palce",
    "kil King",
    "build",
    "kill",
    "destroy",
    "swap",
    "keep",
    "redraw",
    "income; gold",
    "destroy Bea Keep",
    "rob Thief",
    "kill Assassin",
    "pick Ghost",
    "discard King",
    "end",
    "buy",
    "laboratory Keep",
    "smithy",
    "build Keep",
    "build Dragon Gate",
)


class Behind:
    """A transaction in which one game's snapshot is another; all else is as it stands."""

    def __init__(self, tx: Tx, number: int, snapshot: bytes) -> None:
        self._tx, self._number, self._snapshot = tx, number, snapshot

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tx, name)

    def get(self, table: Any, key: Any) -> Any:
        found = self._tx.get(table, key)
        if table is Game and found is not None and found.id == self._number:
            return found._replace(snapshot=self._snapshot)
        return found

    def seats_of(self, person: int, statuses: Any) -> list[Any]:
        return [
            (seat, game._replace(snapshot=self._snapshot) if game.id == self._number else game)
            for seat, game in self._tx.seats_of(person, statuses)
        ]


#: what a letter of a kind is made with
DATA: dict[str, dict[str, Any]] = {
    "echo_elsewhere": {"echo": [{"order": "gold"}]},
    "digest": {"why": "daily", "after": 0, "minute": 480},
}


@cache
def row_of(
    kind: str, channel: str, number: int, question: int, seat: int | None, person: int | None
) -> Outbox:
    """The row of a letter to that seat, or to a room."""
    return Outbox(
        id=1_000_000,
        channel=channel,
        address="" if seat is None else "x@x.test",
        place="room" if seat is None else "",
        kind=kind,
        person_id=person,
        game_id=number,
        seat=seat,
        tries=0,
        question=question if kind in ("prompt", "reminder") else 0,
        data=json.dumps(DATA.get(kind, {})),
    )


def told(
    house: House,
    number: int,
    seat: Seat | None,
    snapshot: bytes,
    channels: Collection[str] | None = None,
) -> dict[str, Any]:
    """All that this seat (None: a room) would be told now if the position were this one, by these channels
    (None: all).
    """
    words = house.referee.outbox_worker._words

    def job(tx: Tx) -> dict[str, Any]:
        seen: Any = Behind(tx, number, snapshot)
        game = seen.get(Game, number)
        found: dict[str, Any] = {}
        states = StateCache()
        for kind in PRIVATE if seat is not None else PUBLIC:
            for channel, markup in MARKUPS.items():
                if seat is None and channel in ("mail", "terminal", "web"):
                    continue
                if channels is not None and channel not in channels:
                    continue
                row = row_of(
                    kind,
                    channel,
                    number,
                    game.question,
                    None if seat is None else seat.no,
                    None if seat is None else seat.person_id,
                )
                composing = ComposeContext(
                    seen, house.clock(), words, house.settings, states, markup, channel == "telegram", b"k"
                )
                found[f"{kind} by {channel}"] = compose(composing, row)
        state = rules.load(json.loads(snapshot))
        found["asked"] = [
            (a.seat, a.number, a.kind if seat is not None and a.seat == seat.no else "")
            for a in rules.asks(state)
        ]
        found["until"] = [(a.seat, settings_of(game)["hours"]) for a in rules.asks(state)]
        found["where"] = moves.where(state)
        if seat is not None:
            seats = tx.all(Seat, game_id=number, order="no")
            found["replies"] = [
                moves.attempt(state, seats, seat.no, [text], moves.Hearing()).trouble
                for text in TYPED
                if not text.startswith("end")
            ]
        return found

    return house.store.read_now(job)


def differences(
    house: House, number: int, dice: random.Random, deals: int = 1, channels: Collection[str] | None = None
) -> list[str]:
    """What some seat, by these channels (None: all), or a room is told that depends on what it can't see."""
    game = house.store.read_now(lambda tx: tx.get(Game, number))
    assert game is not None
    seats = house.store.read_now(lambda tx: tx.all(Seat, game_id=number, order="no"))
    state = rules.load(json.loads(game.snapshot))
    faults = []
    public = told(house, number, None, game.snapshot)
    for seat in seats:
        if seat.bot:
            continue
        mine = told(house, number, seat, game.snapshot, channels)
        for _ in range(deals):
            other = encoded(rules.another(state, seat.no, dice))
            for before, after in (
                (mine, told(house, number, seat, other, channels)),
                (public, told(house, number, None, other)),
            ):
                assert before.keys() == after.keys()
                faults += [
                    f"{seat.name}, {what}: {before[what]!r} became {after[what]!r}"
                    for what in before
                    if before[what] != after[what]
                ]
    return faults


def hidden(house: House, number: int, dice: random.Random) -> int:
    """For how many seats another deal gives a really different position."""
    game = house.store.read_now(lambda tx: tx.get(Game, number))
    assert game is not None
    state = rules.load(json.loads(game.snapshot))
    return sum(
        rules.dump(rules.another(state, seat, dice)) != rules.dump(state)
        for seat in range(len(state.players))
    )
