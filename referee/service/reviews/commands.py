"""`review`, `review #17`: the three turns of a finished game that cost one most."""

from __future__ import annotations

from referee.ports import Inbound
from referee.rules import Refusal
from referee.states import GameStatus
from referee.store import Game, GameReview, Seat
from referee.text import Intent

from ..core import outbox
from ..core.commands import DefaultTable, HelpTopic, command
from ..core.composing import LetterContext
from ..core.unit_of_work import UnitOfWork
from ..people.identity import Speaker
from ..people.replies import answer
from ..play import hooks
from . import judging
from .letter_facts import ReviewFacts

#: games that are reviewed for a person within a day
DAY_MOST, DAY_MS = 6, 86_400_000


@command("review", topic=HelpTopic.TABLES, among=DefaultTable.ENDED)
def review(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """Begin it, or tell what was found.  Raises Refusal."""
    assert game is not None
    if came.place is not None:
        answer(uow, speaker, came, "review-in-private", game=game.id)
        return
    seat = next((one for one in uow.seats(game.id) if one.person_id == speaker.person.id), None)
    if seat is None:
        raise Refusal("not-seated", game=game.id)
    if game.status != GameStatus.OVER:
        code = "game-over" if game.status == GameStatus.ABANDONED else "review-not-over"
        raise Refusal(code, game=game.id)
    known = judging.of_seat(uow.tx, game.id, seat.no)
    if known is not None and known.done_ms:
        outbox.to_seat(uow, game, seat, ReviewFacts(), at=speaker.address, collapse="")
        return
    if known is None:
        _check(uow, speaker)
        judging.begin(uow, seat, speaker.person.id, speaker.address.channel)
    elif not judging.is_queued(uow, game.id, seat.no):  # its row was lost somehow
        judging.wait(uow, game.id, seat.no)
    if known is not None or speaker.address.channel not in outbox.LETTERBOXES:
        answer(uow, speaker, came, "review-coming", game=game.id)


def _check(uow: UnitOfWork, speaker: Speaker) -> None:
    """Raises Refusal unless another game may be reviewed for that person now."""
    me = speaker.person.id
    if not uow.settings.bots.process:
        raise Refusal("review-off")
    waits = uow.tx.one(GameReview, person_id=me, done_ms=0)
    if waits is not None:
        raise Refusal("review-waits", game=waits.game_id)
    last = uow.tx.all(GameReview, person_id=me, order="-asked_ms", limit=DAY_MOST)
    if len(last) == DAY_MOST and last[-1].asked_ms > uow.now_ms - DAY_MS:
        raise Refusal("review-enough", most=DAY_MOST)


def may_ask(game: Game, seat: Seat, process: bool) -> bool:
    """Whether a button for it makes sense."""
    return process and game.status == GameStatus.OVER and seat.person_id is not None


@hooks.offered_after.on
def asked_below(ctx: LetterContext, game: Game) -> list[tuple[str, str]]:
    """The button below the result."""
    seat = None if ctx.row.seat is None else ctx.seats[ctx.row.seat]
    asks = seat is not None and may_ask(game, seat, ctx.settings.bots.process)
    return [("review", f"review #{game.id}")] if asks else []
