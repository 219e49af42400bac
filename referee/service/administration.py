"""What an admin may look at and do from the command line: inbox, outbox, games, records, figures."""
from __future__ import annotations

import json
from typing import Any

from referee import rules
from referee.store import Alert, Deadline, Game, Inbox, Outbox, Person, Seat, Tx
from referee.text import Words

from . import hours, letters, offers, plans, shelving, timing
from .acts import ACTS
from .desk import decode
from .records import deal_text, record_text
from .sitting import ServiceSettings, Sitting, States, names

__all__ = ["deal_text", "decide", "drop_letter", "facts", "games", "outbox", "record_text", "retry", "retry_letter", "show_inbox", "shunted", "thaw"]


def shunted(tx: Tx) -> list[dict[str, Any]]:
    """Messages that could not be handled: id, channel, key, at_ms, tries, error."""
    return [{"id": r.id, "channel": r.channel, "key": r.key, "at_ms": r.at_ms, "tries": r.tries, "error": r.error}
            for r in tx.all(Inbox, state="shunted", order="id")]


def show_inbox(tx: Tx, inbox_id: int) -> dict[str, Any] | None:
    """One message, as it arrived."""
    row = tx.get(Inbox, inbox_id)
    if row is None:
        return None
    came = decode(row.body)
    return {"id": row.id, "state": row.state, "channel": row.channel, "key": row.key, "at_ms": row.at_ms, "tries": row.tries,
            "error": row.error, "what": came.what.value, "address": came.address, "place": came.place or "", "text": came.text}


def retry(tx: Tx, inbox_id: int, now_ms: int) -> bool:
    """Put a shunted message back into the queue, and its game back into play.  False when it is not shunted."""
    row = tx.get(Inbox, inbox_id)
    if row is None or row.state != "shunted":
        return False
    tx.set(Inbox, inbox_id, state="new", tries=0, error="")
    for alert in tx.all(Alert, code="shunted"):
        facts = json.loads(alert.facts)
        if facts.get("inbox") == inbox_id and facts.get("game") is not None:
            thaw(tx, int(facts["game"]), now_ms)
    return True


def thaw(tx: Tx, game_id: int, now_ms: int) -> bool:
    """Let a frozen game go on: whoever is asked is asked again, with the whole of their time.  False when it is not frozen."""
    if tx.change(Game, {"id": game_id, "status": "frozen"}, status="running") == 0:
        return False
    sitting = Sitting(tx, now_ms, Words(()), ServiceSettings(), States())
    game = tx.get(Game, game_id)
    assert game is not None
    waiting = rules.asks(sitting.states.of(game))
    hours.stop(sitting, game_id)
    table = timing.read(game)
    for one in waiting:
        seat = table.seat(one.seat)
        seat.asked, seat.delivered = now_ms, 0
    hours.again(sitting, tx.renew(Game, game, clocks=timing.written(table)))
    plans.arm(sitting, game, sitting.states.of(game), waiting, plans.of(sitting, game_id))
    for ask in waiting:
        letters.to_seat(sitting, game, sitting.seats(game_id)[ask.seat], "prompt", question=ask.number)
    letters.to_rooms(sitting, game)
    offers.again(sitting, game)
    return True


def decide(tx: Tx, game_id: int, act: str, now_ms: int) -> bool:
    """Let a table pause, or go on again ("pause", "resume"), as an admin who does not play there.  False where that is not possible."""
    sitting = Sitting(tx, now_ms, Words(()), ServiceSettings(), States())
    game = tx.get(Game, game_id)
    if game is None or game.status != "running":
        return False
    try:
        ACTS[act].check(sitting, game, {})
    except rules.Refusal:
        return False
    shelving.moot(sitting, game_id, act)
    ACTS[act].do(sitting, game, {}, {"seat": None, "by": ""})
    return True


def outbox(tx: Tx, state: str = "", limit: int = 50) -> list[dict[str, Any]]:
    """Letters, newest first: id, state, kind, channel, to, game, tries, error, created_ms, sent_ms."""
    found = tx.all(Outbox, order="-id", limit=limit, state=state) if state else tx.all(Outbox, order="-id", limit=limit)
    return [letter_row(r) for r in found]


def letter_row(row: Outbox) -> dict[str, Any]:
    """One letter without its words."""
    return {"id": row.id, "state": row.state, "kind": row.kind, "channel": row.channel, "to": row.address or row.place,
            "game": row.game_id, "tries": row.tries, "error": row.error, "created_ms": row.created_ms, "sent_ms": row.sent_ms}


def retry_letter(tx: Tx, letter_id: int) -> bool:
    """Queue a failed, unknown or dropped letter again, worded anew.  False when there is none."""
    row = tx.get(Outbox, letter_id)
    if row is None or row.state not in ("failed", "unknown", "dropped"):
        return False
    return tx.set(Outbox, letter_id, state="queued", letter="", collapse="", tries=0, not_before_ms=0, expires_ms=0, error="")


def drop_letter(tx: Tx, letter_id: int) -> bool:
    """Don't send a letter after all.  False when it is not waiting."""
    return tx.change(Outbox, {"id": letter_id, "state": "queued"}, state="dropped", error="dropped by the admin") == 1


def games(tx: Tx, status: str = "") -> list[dict[str, Any]]:
    """Tables: id, status, edition, round, players, asked."""
    found = tx.all(Game, order="id", status=status) if status else tx.all(Game, order="id")
    return [{"id": g.id, "status": g.status, "edition": g.edition, "round": g.round, "asked": g.asked,
             "players": names(tx.all(Seat, game_id=g.id, order="no"))} for g in found]


def facts(tx: Tx) -> dict[str, Any]:
    """Figures: games by status, people, waiting messages, letters, open deadlines."""
    found: dict[str, Any] = {"people": tx.count(Person), "open deadlines": tx.count(Deadline, done_ms=0)}
    for status in ("lobby", "mustering", "running", "over", "abandoned", "frozen"):
        found[f"games {status}"] = tx.count(Game, status=status)
    for state in ("new", "shunted"):
        found[f"inbox {state}"] = tx.count(Inbox, state=state)
    for state in ("queued", "sending", "failed", "unknown"):
        found[f"outbox {state}"] = tx.count(Outbox, state=state)
    return found
