"""A letter's row on its way out: claimed, put back, dropped, and its words as they are kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from referee.ids import NO_QUESTION, QuestionNo
from referee.ports import Letter
from referee.states import OutboxState
from referee.store import Game, Outbox, Tx

from ..core import outbox
from ..core.letters import traits

_LARGE = 40_000  # a letter longer than this, as it is frozen, does not keep its files once it was sent


def stands(tx: Tx, row: Outbox, question: QuestionNo) -> bool:
    """Whether this question still waits for the row's seat; a letter that asks nothing always stands."""
    if not question or row.game_id is None:
        return True
    game = tx.get(Game, row.game_id)
    return game is not None and game.question == question and str(row.seat) in game.asked.split(",")


def take(tx: Tx, seen: dict[str, Any], row: Outbox, question: QuestionNo, values: dict[str, Any]) -> bool:
    """Claim a letter just worded, if nothing it was made from has changed since."""
    return stands(tx, row, question) and tx.claim(Outbox, seen, **values) > 0


def take_again(tx: Tx, row: Outbox) -> bool:
    """Claim a letter whose words are frozen already, unless its question has gone: then it stays as it is,
    perhaps arrived.
    """
    if traits(row.kind).asks and not stands(tx, row, row.question):
        tx.change(
            Outbox,
            {"id": row.id, "state": OutboxState.QUEUED},
            state=OutboxState.DROPPED,
            error="its question is gone; it may have arrived before",
        )
        return False
    return (
        tx.claim(
            Outbox,
            {"id": row.id, "state": OutboxState.QUEUED, "tries": row.tries},
            state=OutboxState.SENDING,
            tries=row.tries + 1,
        )
        > 0
    )


def expired(row: Outbox) -> dict[str, str]:
    """What becomes of a letter whose time has run out; one that was sent before may have arrived."""
    return {
        "state": "unknown" if row.letter else "dropped",
        "error": "expired",
        **({"letter": lightened(row.letter)} if row.letter else {}),
    }


def drop_expired(tx: Tx, rows: Sequence[Outbox]) -> None:
    """Letters whose time has run out before they could leave."""
    for row in rows:
        tx.change(
            Outbox, {"id": row.id, "state": OutboxState.QUEUED, "expires_ms": row.expires_ms}, **expired(row)
        )


def frozen(letter: Letter) -> str:
    """A letter as the outbox keeps it."""
    return msgspec.json.encode(letter).decode()


def thawed(text: str) -> Letter:
    """A kept letter, word for word."""
    return msgspec.json.decode(text.encode(), type=Letter)


def lightened(text: str) -> str:
    """A kept letter that these words are not sent with again, without its picture, and without files where
    they are large: anyone who has got them keeps them.
    """
    large = len(text) > _LARGE and '"attachments":[{' in text
    if not large and '"picture":{' not in text:
        return text
    kept = thawed(text)
    return frozen(replace(kept, picture=None, attachments=() if large else kept.attachments))


def requeue(tx: Tx, row: Outbox, at_ms: int = 0) -> None:
    """Send the same words again.  Where a newer letter of that name waits, this one keeps out of its way."""
    tx.set(Outbox, row.id, state=OutboxState.QUEUED, collapse="", not_before_ms=at_ms)


def release(tx: Tx, row: Outbox, at_ms: int) -> None:
    """Back into the queue, unworded; folded into a newer letter of the same name if there is one."""
    newer = _newer(tx, row)
    if newer is not None and newer.person_id != row.person_id:  # somebody else has that seat by now
        tx.set(Outbox, row.id, state=OutboxState.QUEUED, letter="", not_before_ms=at_ms, collapse="")
    elif fold_into_newer(tx, row):
        tx.set(Outbox, row.id, state=OutboxState.DROPPED, error="a newer letter took its place")
    else:
        tx.set(Outbox, row.id, state=OutboxState.QUEUED, letter="", not_before_ms=at_ms)


def fold_into_newer(tx: Tx, row: Outbox) -> bool:
    """What a letter tells goes with a newer one of the same name that waits for the same person, before what
    that one tells; False where none does. Whether it went out twice is not said of the newer one.
    """
    newer = _newer(tx, row)
    if newer is None or newer.person_id != row.person_id:
        return False
    older = {name: fact for name, fact in json.loads(row.data).items() if name != "repeated"}
    same = newer.question in (NO_QUESTION, row.question)
    both = outbox.fold_facts(older, json.loads(newer.data), same)
    tx.set(Outbox, newer.id, data=json.dumps(both, ensure_ascii=False))
    return True


def _newer(tx: Tx, row: Outbox) -> Outbox | None:
    return tx.one(Outbox, collapse=row.collapse, state=OutboxState.QUEUED) if row.collapse else None
