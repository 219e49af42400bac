"""Putting right what went wrong: messages that were set aside, letters that did not go, tables that stand
still.
"""

from __future__ import annotations

import json

from referee import rules
from referee.states import GameStatus, InboxState, OutboxState
from referee.store import Alert, Game, Inbox, Outbox

from ..core import message_heads, outbox
from ..core.letters import traits
from ..core.unit_of_work import Sitting
from ..deadlines import clock_state, rows
from ..play import freeze, rulings, seat_offers, seat_plans


def retry(sitting: Sitting, inbox_id: int) -> bool:
    """Put a message that was set aside, parked, dropped or refused back into the queue, and its game back
    into play. False when it is none of these, or only its head was kept.
    """
    row = sitting.tx.get(Inbox, inbox_id)
    if row is None or message_heads.is_cut(row.body):
        return False
    if (
        sitting.tx.change(
            Inbox,
            {
                "id": inbox_id,
                "state": (InboxState.SHUNTED, InboxState.DROPPED, InboxState.REFUSED, InboxState.PARKED),
            },
            state=InboxState.NEW,
            tries=0,
            error="",
            done_ms=0,
        )
        == 0
    ):
        return False
    released(sitting, inbox_id)
    sitting.wakes.add("desk")
    return True


def drop(sitting: Sitting, inbox_id: int) -> bool:
    """Give a message up that was set aside; its game goes on without it.  False when it is not set aside."""
    row = sitting.tx.get(Inbox, inbox_id)
    if (
        row is None
        or sitting.tx.change(
            Inbox,
            {"id": inbox_id, "state": (InboxState.SHUNTED, InboxState.PARKED)},
            state=InboxState.DROPPED,
            done_ms=sitting.now_ms,
            body=message_heads.kept(row.body),
        )
        == 0
    ):
        return False
    released(sitting, inbox_id)
    return True


def released(sitting: Sitting, inbox_id: int) -> None:
    """The table that was frozen for this message goes on."""
    for alert in sitting.tx.all(Alert, code="shunted"):
        facts = json.loads(alert.facts)
        if facts.get("inbox") == inbox_id and facts.get("game") is not None:
            thaw(sitting, int(facts["game"]))


def thaw(sitting: Sitting, game_id: int) -> bool:
    """Let a frozen game go on: whoever is asked is asked again, with the time that they had left when it
    froze. False when it is not frozen.
    """
    if sitting.tx.change(Game, {"id": game_id, "status": GameStatus.FROZEN}, status=GameStatus.RUNNING) == 0:
        return False
    game = sitting.tx.get(Game, game_id)
    assert game is not None
    if rulings.bring(sitting, game):  # what came to the others while it stood still
        game = sitting.tx.get(Game, game_id)
        assert game is not None
    waiting = rules.asks(sitting.states.of(game))
    rows.stop(sitting, game_id)
    table = rows.known(sitting, game)
    clock_state.freeze(table, freeze.since(sitting, game, table), sitting.now_ms)
    table.still = 0
    rows.again(sitting, sitting.tx.renew(Game, game, clocks=clock_state.written(table)))
    seat_plans.arm(sitting, game, sitting.states.of(game), waiting, seat_plans.of(sitting, game_id))
    for ask in waiting:
        outbox.to_seat(sitting, game, sitting.seats(game_id)[ask.seat], "prompt", question=ask.number)
    outbox.to_rooms(sitting, game)
    seat_offers.again(sitting, game)
    return True


def retry_letter(sitting: Sitting, letter_id: int) -> bool:
    """Queue a failed, unknown or dropped letter again, worded anew.  False when there is none."""
    row = sitting.tx.get(Outbox, letter_id)
    if (
        row is None
        or row.state not in (OutboxState.FAILED, OutboxState.UNKNOWN, OutboxState.DROPPED)
        or traits(row.kind).secret
    ):
        return False
    sitting.wakes.add("post")
    return sitting.tx.set(
        Outbox,
        letter_id,
        state=OutboxState.QUEUED,
        letter="",
        collapse="",
        tries=0,
        not_before_ms=0,
        expires_ms=0,
        error="",
    )


def drop_letter(sitting: Sitting, letter_id: int) -> bool:
    """Don't send a letter after all, or give one up that could not go.

    False when it has gone, or is going.
    """
    return (
        sitting.tx.change(
            Outbox,
            {"id": letter_id, "state": (OutboxState.QUEUED, OutboxState.FAILED, OutboxState.UNKNOWN)},
            state=OutboxState.DROPPED,
            error="dropped by the admin",
        )
        == 1
    )
