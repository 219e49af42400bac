"""Wishes of those who would take over a seat: `alternate`, `alternate #17`, `alternate off`, `alternate no
#17`, and `join` while another is asked.
"""

from __future__ import annotations

from referee.ids import GameId, PersonId
from referee.ports import Inbound
from referee.rules import Refusal
from referee.states import GameStatus, OfferState
from referee.store import Alternate, Game, SeatOffer
from referee.text import Intent

from ..core.commands import CommandTopic, HelpTopic, TableNeed, command
from ..core.unit_of_work import UnitOfWork, settings_of
from ..deadlines import clock_state
from ..people import onlookers
from ..people.identity import Speaker
from ..people.replies import answer
from ..play import seat_offers
from ..play.hooks import may_sit


@command("alternate", topic=HelpTopic.TABLES, table=TableNeed.NONE, about=CommandTopic.PERSON)
def alternate(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """Put one's name down, at one table or at any; take it off again; say no to a seat that one is asked to
    take.
    """
    person = speaker.person.id
    if intent.game is not None and game is None:
        game = uow.tx.get(Game, intent.game)
        if game is None:
            raise Refusal("no-game", game=intent.game)
    said = intent.args["say"]
    offer = speaker.letter
    if said == "no" and game is None and offer is not None and offer.kind == seat_offers.SeatOfferFacts.kind:
        game = uow.tx.get(Game, offer.game_id)
    if said == "no":
        declines(uow, speaker, came, game)
    elif said == "off":
        gone = uow.tx.drop(Alternate, person_id=person, **({} if game is None else {"game_id": game.id}))
        for row in open_offers(uow, person, game):
            seat_offers.declined(uow, row)
        answer(
            uow,
            speaker,
            came,
            "alternate-off" if gone else "alternate-none",
            game=None if game is None else game.id,
        )
    elif game is None:
        uow.tx.add_new(Alternate, person_id=person, game_id=0, since_ms=uow.now_ms)
        answer(uow, speaker, came, "alternate-noted", game=None)
        for number in on_offer(uow):
            table = uow.tx.get(Game, number)
            if table is not None:
                seat_offers.offer_seats(uow, table)
    else:
        onlookers.must_be_let_in(uow, speaker, came, game)
        down(uow, speaker, game)
        answer(uow, speaker, came, "alternate-noted", game=game.id)
        seat_offers.offer_seats(uow, game)


def down(uow: UnitOfWork, speaker: Speaker, game: Game) -> None:
    """Put somebody's name down for one table, though they may have said no or nothing before.

    Raises Refusal.
    """
    if game.status not in (GameStatus.LOBBY, GameStatus.MUSTERING, GameStatus.RUNNING, GameStatus.FROZEN):
        raise Refusal("game-over", game=game.id)
    if any(one.person_id == speaker.person.id for one in uow.seats(game.id)):
        raise Refusal("already-in", game=game.id)
    may_sit(uow, game, speaker.person)
    if settings_of(game)["entry"] == "invite":
        raise Refusal("invite-only", game=game.id)
    uow.tx.add_new(Alternate, person_id=speaker.person.id, game_id=game.id, since_ms=uow.now_ms)
    uow.tx.drop(
        SeatOffer,
        game_id=game.id,
        person_id=speaker.person.id,
        state=(OfferState.DECLINED, OfferState.SILENT),
    )


def open_offers(uow: UnitOfWork, person_id: PersonId, game: Game | None) -> list[SeatOffer]:
    """The seats that somebody is asked to take, at that table or at all."""
    return [
        row
        for row in uow.tx.all(SeatOffer, person_id=person_id, state=OfferState.ASKED)
        if game is None or row.game_id == game.id
    ]


def declines(uow: UnitOfWork, speaker: Speaker, came: Inbound, game: Game | None) -> None:
    """`alternate no`: not this time.  Raises Refusal where nothing was asked."""
    mine = open_offers(uow, speaker.person.id, game)
    if not mine:
        raise Refusal("offer-gone", game=None if game is None else game.id)
    if len({row.game_id for row in mine}) > 1:
        raise Refusal("which-game", games=sorted({row.game_id for row in mine}))
    for row in mine:
        seat_offers.declined(uow, row)
    answer(uow, speaker, came, "offer-declined", game=mine[0].game_id)


def in_line(uow: UnitOfWork, speaker: Speaker, came: Inbound, game: Game) -> bool:
    """Whether somebody who would join a running table must wait, since another is asked for each seat that is
    to be had there; then their name is put down. Raises Refusal.
    """
    free = [no for no, seat in clock_state.read_clocks(game).seats.items() if seat.offered]
    others = {
        no: row.person_id for no in free if (row := seat_offers.open_offer(uow.tx, game, no)) is not None
    }
    if not free or len(others) < len(free) or speaker.person.id in others.values():
        return False
    down(uow, speaker, game)
    answer(uow, speaker, came, "offer-line", game=game.id)
    return True


def on_offer(uow: UnitOfWork) -> list[GameId]:
    """The running tables at which a seat is to be had."""
    numbers = uow.tx.column(Game, "id", status=GameStatus.RUNNING, order="id")
    clocks = uow.tx.column(Game, "clocks", status=GameStatus.RUNNING, order="id")
    return [number for number, text in zip(numbers, clocks, strict=True) if '"offered":true' in text]
