"""Putting right what went wrong: messages that were set aside, letters that did not go, tables that stand
still.
"""

from __future__ import annotations

import json

from referee import rules
from referee.ids import GameId, InboxId, LetterId
from referee.states import GameStatus, InboxState, OutboxState
from referee.store import Alert, Game, Inbox, Outbox

from ..core import message_heads, outbox
from ..core.letters import traits
from ..core.unit_of_work import UnitOfWork
from ..deadlines import clock_state, rows
from ..people.letter_facts import PromptFacts
from ..play import freeze, rulings, seat_offers, seat_plans


def retry(uow: UnitOfWork, inbox_id: InboxId) -> bool:
    """Put a message that was set aside, parked, dropped or refused back into the queue, and its game back
    into play. False when it is none of these, or only its head was kept.
    """
    row = uow.tx.get(Inbox, inbox_id)
    if row is None or message_heads.is_cut(row.body):
        return False
    if (
        uow.tx.change(
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
    released(uow, inbox_id)
    uow.wakes.add("desk")
    return True


def drop(uow: UnitOfWork, inbox_id: InboxId) -> bool:
    """Give a message up that was set aside; its game goes on without it.  False when it is not set aside."""
    row = uow.tx.get(Inbox, inbox_id)
    if (
        row is None
        or uow.tx.change(
            Inbox,
            {"id": inbox_id, "state": (InboxState.SHUNTED, InboxState.PARKED)},
            state=InboxState.DROPPED,
            done_ms=uow.now_ms,
            body=message_heads.kept(row.body),
        )
        == 0
    ):
        return False
    released(uow, inbox_id)
    return True


def released(uow: UnitOfWork, inbox_id: InboxId) -> None:
    """The table that was frozen for this message goes on."""
    for alert in uow.tx.all(Alert, code="shunted"):
        facts = json.loads(alert.facts)
        if facts.get("inbox") == inbox_id and facts.get("game") is not None:
            thaw(uow, GameId(int(facts["game"])))


def thaw(uow: UnitOfWork, game_id: GameId) -> bool:
    """Let a frozen game go on: anyone who is asked is asked again, with the time that they had left when it
    froze. False when it is not frozen.
    """
    if uow.tx.change(Game, {"id": game_id, "status": GameStatus.FROZEN}, status=GameStatus.RUNNING) == 0:
        return False
    game = uow.tx.get(Game, game_id)
    assert game is not None
    if rulings.bring(uow, game):  # what came to the others while it stood still
        game = uow.tx.get(Game, game_id)
        assert game is not None
    waiting = rules.asks(uow.states.of(game))
    rows.stop(uow, game_id)
    table = clock_state.known(uow, game)
    since = freeze.since(uow, game, table)
    rows.freeze(uow, game_id, table, since, uow.now_ms)
    rows.go_on(uow, game_id, table, since)
    table.still = 0
    clock_state.again(uow, uow.tx.renew(Game, game, clocks=clock_state.encode_clocks(table)))
    seat_plans.arm(uow, game, uow.states.of(game), waiting, uow.plans(game_id))
    for ask in waiting:
        outbox.to_seat(uow, game, uow.seats(game_id)[ask.seat], PromptFacts(), question=ask.number)
    outbox.to_rooms(uow, game)
    seat_offers.restart_offers(uow, game)
    return True


def retry_letter(uow: UnitOfWork, letter_id: LetterId) -> bool:
    """Queue a failed, unknown or dropped letter again, worded anew.  False when there is none, or the person
    whom it was for deleted their account: then nobody knows any more where it would go.

    Its tries count on: by their number the late fate of an earlier one is told from that of this one.
    """
    row = uow.tx.get(Outbox, letter_id)
    if (
        row is None
        or row.state not in (OutboxState.FAILED, OutboxState.UNKNOWN, OutboxState.DROPPED)
        or traits(row.kind).secret
        or (row.person_id is not None and not row.address)
    ):
        return False
    uow.wakes.add("post")
    return uow.tx.set(
        Outbox,
        letter_id,
        state=OutboxState.QUEUED,
        letter="",
        collapse="",
        not_before_ms=0,
        expires_ms=0,
        error="",
    )


def drop_letter(uow: UnitOfWork, letter_id: LetterId) -> bool:
    """Don't send a letter after all, or give one up that could not go.

    False when it has gone, or is going.
    """
    return (
        uow.tx.change(
            Outbox,
            {"id": letter_id, "state": (OutboxState.QUEUED, OutboxState.FAILED, OutboxState.UNKNOWN)},
            state=OutboxState.DROPPED,
            error="dropped by the admin",
        )
        == 1
    )
