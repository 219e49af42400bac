"""What words mean that answer an older letter.

A number, a button, an entry of a page belong to the letter that shows them: with its question they are gone.
Words say what they mean, and people answer whichever letter they find. They are meant for what is asked now,
unless they may have been meant for what was asked then: that is so where the letter's question passed without
its reader's answer, or where a later letter has asked something else since. Then nothing is done and the
question of now is asked once more; who has been told that is heard, whichever letter they answer.

The same words below the same letter are carried out once: a mail that is sent again plays nothing twice.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from referee.ports import Inbound, What
from referee.states import DeadlineKind, OutboxState
from referee.store import Deadline, Game, Inbox, Journal, Outbox, Seat, Tx

from ..core import outbox
from ..people import said_before

#: the sentence that says so
OLD, TWICE = "old-question", "done-before"
#: among this many of a seat's last moves and letters is looked
_LOOKED = 20


def outdated(letter: Outbox | None, game: Game) -> bool:
    """Whether the answered letter asked a question that is no longer open."""
    return letter is not None and letter.game_id == game.id and letter.question not in (0, game.question)


def last_read(tx: Tx, game: Game, seat: Seat) -> Outbox | None:
    """The letter that a number typed by itself answers, where that of the question that is open has reached
    its player nowhere yet; None where it has.

    Who sees no answer types the same number once more.
    """
    rows = tx.all(Outbox, game_id=game.id, seat=seat.no, person_id=seat.person_id, order="-id", limit=_LOOKED)
    read = [one for one in rows if one.question and perhaps_read(one)]
    return None if not read or any(one.question == game.question for one in read) else read[0]


def perhaps_read(letter: Outbox) -> bool:
    """Whether a letter has arrived, as far as anybody knows."""
    if letter.state in (OutboxState.QUEUED, OutboxState.DROPPED):
        return bool(letter.letter)  # it was on its way before
    return letter.state != OutboxState.FAILED


def objection(tx: Tx, came: Inbound, letter: Outbox, game: Game, seat: Seat, worded: bool) -> str:
    """Why what answers that outdated letter is not carried out (the code of a sentence), "" where it is meant
    for now. `worded`: it means the same below any letter.
    """
    if came.what is What.BUTTON or not worded or letter.channel == outbox.WEB:
        return OLD
    if _done_before(tx, came, letter, game, seat):
        return TWICE
    if str(seat.no) not in game.asked.split(","):
        return ""  # that nothing is asked is said by the answer
    clock = tx.one(Deadline, game_id=game.id, seat=seat.no, kind=DeadlineKind.ANSWER, done_ms=0)
    # one turn has one clock, whose row keeps the question that it began with
    began = game.question if clock is None else clock.question
    if letter.question >= began:
        return ""
    asked = tx.all(
        Outbox, game_id=game.id, seat=seat.no, state=OutboxState.SENT, order="-question,-id", limit=_LOOKED
    )
    if any(one.question == game.question and f'"{OLD}"' in one.data for one in asked):
        return ""
    own = tx.one(Journal, game_id=game.id, seat=seat.no, question=letter.question, by="person", undone=0)
    return OLD if own is None or any(one.question >= began for one in asked) else ""


def _done_before(tx: Tx, came: Inbound, letter: Outbox, game: Game, seat: Seat) -> bool:
    """Whether a message with the same words, below the same letter, was carried out."""
    last: Sequence[Journal] = tx.all(
        Journal, game_id=game.id, seat=seat.no, by="person", order="-no", limit=_LOOKED
    )
    for number in {one.inbox_id for one in last if one.question >= letter.question and one.inbox_id}:
        row = tx.get(Inbox, number)
        then = None if row is None or not row.body else msgspec.json.decode(row.body, type=Inbound)
        if then is not None and said_before.what_was_said(then) == said_before.what_was_said(came):
            return True
    return False
