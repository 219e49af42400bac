"""Deleting one's account: asked for, confirmed with a word, done in one transaction.

    delete my account          what would happen, and the word that confirms it
    delete my account WORD     it happens

What is theirs alone goes at once: addresses, browsers, calendar links, wishes. At tables that are played at
their seat is free. Finished games stay, with another name in their place: their seats in at most a few tables
are renamed here, and the rest is done a little at a time (`erasure`).
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import Any, NamedTuple

from referee.ids import PersonId
from referee.ports import Inbound
from referee.rules import Refusal
from referee.states import ALIVE, GATHERING, GameStatus, OfferState, OutboxState
from referee.store import (
    AccountJoin,
    Address,
    Alternate,
    CalendarEntry,
    CalendarLink,
    DailyLetter,
    Game,
    GameReview,
    LeagueReport,
    LinkCode,
    Mute,
    Outbox,
    Person,
    SeasonTime,
    Seat,
    SeatOffer,
    SeatPlan,
    StepComment,
    Talker,
    WebLink,
    WebSession,
    WrongCode,
)
from referee.text import Intent

from ..core import outbox, tokens
from ..core.commands import CommandTopic, HelpTopic, TableNeed, command
from ..core.letters import Notice
from ..core.unit_of_work import UnitOfWork
from ..deadlines import clock_state
from ..people import officials, strangers, table_roles, web_sessions
from ..people.identity import Speaker
from ..people.letter_facts import NoticeFacts
from ..people.replies import answer
from ..play import seat_offers
from ..tables import lobby, renaming, vacating
from . import erasure, hooks
from .join import address_facts

#: for how long the word is good, at least
WORD_MINUTES = 30
#: tables whose rows of a person are dropped, and the column that says whose they are. What is not here and
#: names a person is kept, and says in `KEPT` why
DROPPED: tuple[tuple[type[Any], str], ...] = (
    (Alternate, "person_id"),
    (CalendarEntry, "person_id"),
    (CalendarLink, "person_id"),
    (DailyLetter, "person_id"),
    (GameReview, "person_id"),
    (LeagueReport, "person_id"),
    (LinkCode, "person_id"),
    (Mute, "person_id"),
    (Mute, "other_id"),
    (SeasonTime, "person_id"),
    (SeatOffer, "person_id"),
    (StepComment, "person_id"),
    (Talker, "person_id"),
    (WebLink, "person_id"),
    (WebSession, "person_id"),
    (AccountJoin, "kept_id"),
    (AccountJoin, "folded_id"),
    (Address, "person_id"),
)


class Held(NamedTuple):
    """What of somebody is at stake: tables that are played at, those that gather, and how many are over."""

    playing: list[int]
    gathering: list[int]
    over: int


@command(
    "delete my account",
    topic=HelpTopic.SETTINGS,
    table=TableNeed.NONE,
    about=CommandTopic.WEIGHTY,
    numberless=True,
)
def delete(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`delete my account`, `delete my account WORD`."""
    if came.place is not None:
        answer(uow, speaker, came, "delete-in-private")
        return
    me, said = speaker.person, str(intent.args["word"])
    guard(uow, speaker)
    good = words(uow, me.id)
    if not said:
        asked = NoticeFacts(
            question(uow, me.id, good[0]),
            answers=came.message_id,
            offers=[("delete-account", f"delete my account {good[0]}")],
        )
        outbox.to_person(uow, me.id, asked, at=speaker.address)
        return
    if not any(hmac.compare_digest(one.encode(), said.upper().encode()) for one in good):
        raise Refusal("delete-wrong-word")
    delete_account(uow, me, speaker.address)


def guard(uow: UnitOfWork, speaker: Speaker) -> None:
    """Raises Refusal for somebody who must hand something over first."""
    mine = officials.family(uow.tx, speaker.person.id)
    addresses = {(one.channel, one.address) for one in uow.tx.all(Address, person_id=speaker.person.id)}
    admins = {one.id for one in uow.tx.all(Person, id=mine, admin=1)}
    if admins or table_roles.is_admin(uow, speaker) or addresses & set(uow.settings.admins):
        raise Refusal("delete-admin")
    hooks.may_delete(uow, speaker.person)


def words(uow: UnitOfWork, person_id: PersonId) -> list[str]:
    """The words that confirm it: the one that is told now, and the one before it. None is kept."""
    now, secret = uow.now_ms // (WORD_MINUTES * 60_000), tokens.secret(uow.tx)
    found = (
        hmac.digest(secret, f"delete account {person_id} {part}".encode(), hashlib.sha256)
        for part in (now, now - 1)
    )
    return [base64.b32encode(one).decode()[:6] for one in found]


def held(uow: UnitOfWork, person_id: PersonId) -> Held:
    """What of somebody is at stake."""
    alive = uow.tx.seats_of(person_id, ALIVE)
    return Held(
        [game.id for _, game in alive if game.status not in GATHERING],
        [game.id for _, game in alive if game.status in GATHERING],
        uow.tx.count(Seat, person_id=person_id) - len(alive),
    )


def question(uow: UnitOfWork, person_id: PersonId, word: str) -> list[Notice]:
    """What is said before anything happens: what becomes of tables, what is gone, how to confirm it."""
    found = held(uow, person_id)
    tables = {
        "playing": [f"#{number}" for number in found.playing],
        "gathering": [f"#{number}" for number in found.gathering],
        "over": found.over,
    }
    addresses = [address_facts(one) for one in uow.tx.all(Address, person_id=person_id, order="id")]
    return [
        Notice("delete-ask", tables),
        Notice("delete-ask-data", {"addresses": addresses}),
        Notice("delete-ask-word", {"word": word, "minutes": WORD_MINUTES}),
    ]


def delete_account(uow: UnitOfWork, me: Person, at: Address) -> None:
    """It happens, now.  Raises Refusal, and nothing is done, where a table can't be left."""
    tx, mine = uow.tx, officials.family(uow.tx, me.id)
    last = at if at.channel != outbox.WEB else outbox.best(uow, me.id)
    called = uow.words.phrase("lines.former-player", uow.settings.language, number=me.id)
    work = erasure.noted(uow, me, mine, called)
    hooks.deleting(uow, me)
    for seat, game in tx.seats_of(me.id, ALIVE):
        leave(uow, game, seat, me, called)
    for offer in tx.all(SeatOffer, person_id=mine, state=OfferState.ASKED):
        seat_offers.declined(uow, offer)
    forget_rows(uow, mine)
    for one in mine:
        erasure.rename_person(uow, one, called)
        tx.change(
            Outbox,
            {"person_id": one, "state": OutboxState.QUEUED},
            state=OutboxState.DROPPED,
            error="the account was deleted",
        )
        uow.wakes.add(f"{web_sessions.SIGNED_OUT}{one}")
    if last is not None:
        outbox.queue(
            uow,
            NoticeFacts([Notice("delete-done")], reply=True, language=me.language),
            channel=last.channel,
            address=last.address,
            lives_ms=86_400_000,
        )
    erasure.begin(uow, work)


def leave(uow: UnitOfWork, game: Game, seat: Seat, me: Person, called: str) -> None:
    """Somebody's seat at a table that is not over: given back, or free for somebody else, or the table ends
    with them.
    """
    tx = uow.tx
    if not any(one.person_id not in (None, me.id) for one in uow.seats(game.id)):
        lobby.finish(uow, game, GameStatus.ABANDONED)
    elif game.status in GATHERING:
        try:
            lobby.leave_lobby(uow, game, me)
        except Refusal:  # a league's: its office goes on without somebody who is not there
            tx.set(Seat, seat.id, ready=0)
    elif game.status == GameStatus.RUNNING:
        game = vacating.vacate(uow, game, seat, "departed", {"player": seat.no})
    else:  # it stands still: nobody is asked before an admin has looked at it
        table = clock_state.read_clocks(game)
        mine = table.seat(seat.no)
        mine.probation = mine.offered = True
        tx.drop(SeatPlan, game_id=game.id, seat=seat.no)
        tx.set(Seat, seat.id, person_id=None, channel="")
        game = tx.renew(Game, game, clocks=clock_state.encode_clocks(table))
    left, there = tx.get(Seat, seat.id), tx.get(Game, game.id)
    if left is not None and there is not None and (left.name, left.game_id) == (seat.name, game.id):
        renaming.rename_seat(uow, there, left, called)


def forget_rows(uow: UnitOfWork, mine: tuple[PersonId, ...]) -> None:
    """What is theirs alone."""
    for at in uow.tx.all(Address, person_id=mine):
        uow.tx.drop(WrongCode, channel=at.channel, address=at.address)
        strangers.forget(uow, at.channel, at.address)
    for table, column in DROPPED:
        for one in mine:
            whose: dict[str, Any] = {column: one}
            uow.tx.drop(table, **whose)
    for one in mine:  # what they wished at tables that are over
        uow.tx.change(Seat, {"person_id": one}, channel="", notify="", lessons="")
