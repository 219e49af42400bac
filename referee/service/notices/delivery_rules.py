"""What leaves unasked, and when: of what a person wants to hear, and their quiet hours.

What somebody asked for always leaves. Anything else is looked at when its channel is ready, so that one who
plays pays nothing for it: it goes, it waits until the quiet hours are over, or it is not wanted. A question
never falls due unsaid: it goes all the same where nothing would come in time, unless its player said `off`.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from referee.ids import GameId, SeatNo
from referee.policy import quiet_until
from referee.states import DeadlineKind, GameStatus, OutboxState
from referee.store import DailyLetter, Deadline, Game, Outbox, Person, Seat, Tx

from ..core import outbox
from ..core.letter_rows import Notes, noted, notes, read
from ..core.letters import LETTERS, Facts, traits
from ..deadlines import clock_state

LEVELS = ("all", "turns", "urgent", "off")
#: what is written on a screen rings nobody out of bed
SCREENS = frozenset({"terminal"})
#: a letter that was kept back lives so much longer
_DAY_MS = 86_400_000
#: why a letter was dropped that will not be missed by its reader: it wasn't wanted, or another one tells it
UNWANTED, GATHERED = "not wanted", "told in one letter"


class DeliveryHold(NamedTuple):
    """A letter that doesn't leave now: it waits until then, 0: it is not wanted at all."""

    until_ms: int
    mode: str = ""


SILENT = DeliveryHold(-1)


def level_of(person: Person, seat: Seat | None) -> str:
    """What somebody wants to hear: of this game, else of all."""
    return (seat.notify if seat is not None else "") or person.notify or "all"


def check_row(tx: Tx, now_ms: int, row: Outbox) -> DeliveryHold | None:
    """`verdict` for a row of the outbox as it stands."""
    unasked = traits(row.kind).unasked
    if unasked is None or row.place or row.person_id is None:
        return None
    if read(row, Facts).reply and not unasked.copies:
        return None
    game = None if row.game_id is None else tx.get(Game, row.game_id)
    seat = None if game is None else tx.one(Seat, game_id=game.id, person_id=row.person_id)
    return verdict(tx, now_ms, row, tx.get(Person, row.person_id), game, seat)


def withhold(tx: Tx, seen: dict[str, Any], row: Outbox, said: DeliveryHold) -> None:
    """Keep a letter back that was looked at as `seen`, or drop it; not if it has changed since."""
    if said.until_ms <= 0:
        tx.change(Outbox, seen, state=OutboxState.DROPPED, error=UNWANTED)
        return
    data = json.dumps(noted(row, Notes(held=said.until_ms, mode=said.mode)), ensure_ascii=False)
    expires = max(row.expires_ms, said.until_ms + _DAY_MS) if row.expires_ms else 0
    tx.change(Outbox, seen, data=data, not_before_ms=said.until_ms, expires_ms=expires)


def verdict(
    tx: Tx,
    now_ms: int,
    row: Outbox,
    person: Person | None,
    game: Game | None,
    seat: Seat | None,
) -> DeliveryHold | None:
    """Whether a letter that nobody asked for leaves now: None, it does; `SILENT`, it does, but rings nobody;
    else how long it waits.
    """
    kind = traits(row.kind)
    if person is None or kind.unasked is None:
        return None
    asks = (
        game is not None
        and seat is not None
        and game.status == GameStatus.RUNNING
        and str(seat.no) in game.asked.split(",")
    )
    rings = (
        tx.all(
            Deadline,
            game_id=None if game is None else game.id,
            seat=None if seat is None else seat.no,
            done_ms=0,
        )
        if asks
        else []
    )
    # anyone who sat down wants to play; one game can still be said to be none of theirs
    if kind.unasked.seat_only:
        unwanted = seat is not None and seat.notify == "off"
    else:
        unwanted = not wanted(row, level_of(person, seat), asks, rings)
    if unwanted and not outbox.confirms(row):
        return DeliveryHold(0)
    policy = None if game is None else clock_state.policy_of(game)
    usual = None if policy is None else policy.quiet
    until = quiet_until(clock_state.quiet_hours(person.quiet, usual), person.zone, now_ms)
    if until <= now_ms or row.channel in SCREENS:
        return None
    quiet = clock_state.quiet_hours(person.quiet, usual)
    due = min((one.due_ms for one in rings if one.kind == DeadlineKind.ANSWER), default=0)
    if kind.asks and raised(row) and quiet is not None and quiet.mode == "urgent":
        return None
    # this table's clock runs on at night: anyone who sits there must know
    if asks and not kind.unasked.speech and due and due <= until and not stood_for(game, seat):
        return None
    if kind.unasked.timed or (person.zone == "UTC" and not person.quiet):
        return SILENT  # nobody told us where they live: whether it is night there is not known
    if quiet is not None and quiet.mode == "digest":
        return DeliveryHold(daily(tx, person, rings, until), "digest")
    return DeliveryHold(until, "" if quiet is None else quiet.mode)


def stood_for(game: Game | None, seat: Seat | None) -> bool:
    """Whether nobody waits for that seat any more: its questions fall due at any hour, and ring nobody out of
    bed.
    """
    return game is not None and seat is not None and clock_state.read_clocks(game).seat(seat.no).probation


def left_ms(row: Outbox) -> int:
    """Since when a letter was to leave: anyone who wants it later has no more time for it."""
    return max(row.created_ms, notes(row).held)


def raised(row: Outbox) -> str:
    """The level that a fact of a letter's row raises it to, "" for none."""
    unasked = traits(row.kind).unasked
    if unasked is None or not unasked.raised:
        return ""
    facts = read(row, LETTERS[row.kind].facts)
    return next((level for fact, level in unasked.raised.items() if getattr(facts, fact)), "")


def wanted(row: Outbox, level: str, asks: bool, rings: list[Deadline]) -> bool:
    """Whether somebody with that level is told this.

    One who wants nothing but the last reminder is asked by it.
    """
    kind = traits(row.kind)
    assert kind.unasked is not None
    last = raised(row) or str(kind.unasked.level)
    if kind.puts:
        comes = any(one.kind == DeadlineKind.REMIND for one in rings)
        last = "turns" if asks and comes else "urgent"
    return LEVELS.index(level) <= LEVELS.index(last)


def daily(tx: Tx, person: Person, rings: list[Deadline], until_ms: int) -> int:
    """When a letter goes that waits for the daily one: with it, unless something rings before; at the end of
    the quiet hours then.
    """
    row = tx.one(DailyLetter, person_id=person.id)
    first = min((one.due_ms for one in rings), default=0)
    if row is None or row.due_ms < until_ms or (first and first <= row.due_ms):
        return until_ms
    return row.due_ms


def silenced(tx: Tx, game_id: GameId, seat: SeatNo, since_ms: int) -> bool:
    """Whether something would have reached a seat since then, had its player wanted it."""
    found = tx.all(Outbox, game_id=game_id, seat=seat, state=OutboxState.DROPPED, order="-id", limit=5)
    return any(one.error in (UNWANTED, GATHERED) and one.created_ms >= since_ms for one in found)
