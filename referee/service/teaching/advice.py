"""`hint`: what a strong player would answer, asked of the search by what the seat itself may know.

The letter is queued at once and waits for its words until somebody has thought; so it is known where the hint
was asked for, and how many were.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from referee.ids import EventNo
from referee.ports import Inbound
from referee.rules import Refusal
from referee.rules.notation import order_text
from referee.search.search import Judged
from referee.states import DeadlineKind, GameStatus, OutboxState
from referee.store import Deadline, Game, Outbox, Seat, Tx
from referee.text import Intent

from ..bots import hooks as bots_hooks
from ..core import outbox
from ..core.commands import DefaultTable, HelpTopic, command
from ..core.letters import Facts
from ..core.unit_of_work import UnitOfWork, json_text, names, settings_of, write_event
from ..deadlines import bot_questions
from ..people import table_roles
from ..people.identity import Speaker
from ..people.replies import answer
from ..play import hooks as play_hooks
from ..play.commands import mine
from ..play.table_league import read_league

#: hints that a person is given within a day: as many as a guided game has questions
DAY_MOST, DAY_MS = 60, 86_400_000
#: among this many seats of theirs those hints are looked for
_SEATS = 16


class Advised(msgspec.Struct, frozen=True):
    """An answer, as an order, and how many of a hundred games its seat wins behind it."""

    order: str
    chance: int


class AdviceFacts(Facts):
    """What a strong player would answer; the best first, at most two.  None: nobody could think about it."""

    kind = "hint"
    best: Sequence[Advised] = ()


@command("hint", topic=HelpTopic.PLAY, among=DefaultTable.ASKED, repeats=True)
def hint(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`hint`: what would a strong player answer?  Raises Refusal."""
    assert game is not None
    if came.place is not None:
        answer(uow, speaker, came, "hint-in-private")
        return
    seat = mine(uow.seats(game.id), speaker, game)
    if game.status != GameStatus.RUNNING:
        raise table_roles.not_running(game)
    if settings_of(game).get("season") or read_league(game) is not None:
        raise Refusal("hint-league", game=game.id)
    if not allowed(game):
        raise Refusal("hint-not-here", game=game.id)
    if str(seat.no) not in game.asked.split(","):
        raise Refusal("hint-not-asked", game=game.id)
    if _asked_for(uow.tx, game, seat):
        raise Refusal("hint-once")
    if _lately(uow, speaker) >= DAY_MOST:
        raise Refusal("hint-enough", most=DAY_MOST)
    if speaker.address.channel not in outbox.LETTERBOXES:
        answer(uow, speaker, came, "hint-coming")
    outbox.to_seat(
        uow,
        game,
        seat,
        AdviceFacts(),
        question=game.question,
        at=speaker.address,
        collapse="",
        delay_ms=2 * bot_questions.PATIENCE_MS,
    )
    bot_questions.think(uow, game, seat.no, game.question, DeadlineKind.HINT)


def allowed(game: Game) -> bool:
    """Whether hints may be asked for at a table: at none of a league."""
    table = settings_of(game)
    return bool(table.get("learn") or table.get("advice")) and not (table.get("season") or "league" in table)


@play_hooks.hint_open.on
def open_for(tx: Tx, game: Game, seat: Seat) -> bool | None:
    """Whether this seat may ask for a hint now."""
    return (
        game.status == GameStatus.RUNNING
        and str(seat.no) in game.asked.split(",")
        and allowed(game)
        and not _asked_for(tx, game, seat)
    )


def _asked_for(tx: Tx, game: Game, seat: Seat) -> list[Outbox]:
    """The hint for the open question of a seat, where the person who sits there asked for one; somebody who
    had the seat before them may have done so, too.
    """
    return tx.all(
        Outbox,
        game_id=game.id,
        seat=seat.no,
        person_id=seat.person_id,
        kind=AdviceFacts.kind,
        question=game.question,
    )


def _lately(uow: UnitOfWork, speaker: Speaker) -> int:
    """How many hints somebody has asked for within a day."""
    seats = uow.tx.all(Seat, person_id=speaker.person.id, order="-id", limit=_SEATS)
    where = tuple(sorted({one.game_id for one in seats}))
    found = uow.tx.all(Outbox, game_id=where, kind=AdviceFacts.kind, order="-id", limit=2 * DAY_MOST)
    return sum(one.person_id == speaker.person.id and one.created_ms > uow.now_ms - DAY_MS for one in found)


@bots_hooks.judged.on
def thought(uow: UnitOfWork, game: Game, row: Deadline, found: Sequence[Judged]) -> None:
    """Somebody thought about a hint: its letter may leave, and the table is told that there was one. Not
    where who asked for it has left the seat meanwhile: who sits there now was given none.
    """
    seats = uow.seats(game.id)
    called = names(seats)
    best = [Advised(order_text(one.move, called), round(100 * one.chance)) for one in found[:2]]
    asked_for = _asked_for(uow.tx, game, seats[row.seat])
    for letter in asked_for:
        if letter.state == OutboxState.QUEUED:
            told = {**msgspec.json.decode(letter.data), "best": msgspec.to_builtins(best)}
            uow.tx.set(Outbox, letter.id, data=json_text(told), not_before_ms=uow.now_ms)
            uow.wakes.add("post")
    if best and asked_for:
        number = EventNo(game.event_no + 1)
        write_event(uow, game.id, number, "hinted", {"seat": row.seat})
        uow.tx.set(Game, game.id, event_no=number)
