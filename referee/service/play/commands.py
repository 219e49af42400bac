"""What people may say to play: orders, and `undo`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.ports import Inbound, What
from referee.rules import Refusal
from referee.store import Game, Outbox, Seat
from referee.text import Wish

from ..core.commands import Among, command
from ..core.unit_of_work import Sitting, names
from ..people import autoreplies, table_roles
from ..people.identity import Speaker
from ..people.replies import answer
from . import enacting, moves, seat_plans, stepwise
from .prompts import again

#: so many signs tell whether something is like an order
_ORDER = 80


def unread(sitting: Sitting, speaker: Speaker, wish: Wish) -> bool:
    """Whether what was taken for orders begins like none.  No order is longer than what is looked at."""
    return moves.unread(wish.args["chunks"][0][:_ORDER], speaker.person.language, sitting.words.own)


@command("orders", among=Among.ASKED, repeats=True, unread=unread)
def orders(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """Moves in a game.  Only in private, only for one's own seat, only for the question that is open."""
    assert game is not None
    if came.place is not None and came.what is not What.BUTTON:
        answer(sitting, speaker, came, "orders-in-private")
        return
    seats = sitting.seats(int(game.id or 0))
    seat = mine(seats, speaker, game)
    table_roles.running(game)
    if outdated(speaker.letter, game):
        late(sitting, speaker, came, wish, game, seat)
        return
    chunks, path = stepwise.meant(sitting, speaker, game, wish.args["chunks"])
    step = stepped(sitting, game, seats, seat, chunks, path)
    if step is None:
        played(sitting, speaker, came, wish, game, seats, seat, chunks)
    else:
        again(sitting, speaker, game, seat, pressed=came.what is What.BUTTON, step=step)


def mine(seats: Sequence[Seat], speaker: Speaker, game: Game) -> Seat:
    """The speaker's seat.  Raises Refusal."""
    seat = next((s for s in seats if s.person_id == speaker.person.id), None)
    if seat is None:
        raise Refusal("not-seated", game=game.id)
    return seat


def late(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game, seat: Seat) -> None:
    """Orders for a question that is no longer open: the one that is, is asked again."""
    if unanswered(sitting, speaker, came, wish):
        return
    if came.what is What.BUTTON and came.facts.get("callback"):
        answer(sitting, speaker, came, "old-button")
    again(
        sitting,
        speaker,
        game,
        seat,
        {
            "code": "old-question",
            "facts": {},
            "quote": wish.quote,
            "suggestions": [],
            "not_done": list(wish.args["chunks"]),
        },
    )


def stepped(
    sitting: Sitting, game: Game, seats: list[Seat], seat: Seat, chunks: Sequence[str], path: tuple[str, ...]
) -> dict[str, Any] | None:
    """The place of a big question to which an order leads, None where it leads to a move."""
    ask = (
        next((one for one in sitting.states.waiting(game) if one.seat == seat.no), None)
        if len(chunks) == 1 and stepwise.by_letter(chunks)
        else None
    )
    onward = None if ask is None else stepwise.leads(ask, chunks[0], names(seats), path)
    return None if onward is None else stepwise.place(game, onward)


def played(
    sitting: Sitting,
    speaker: Speaker,
    came: Inbound,
    wish: Wish,
    game: Game,
    seats: list[Seat],
    seat: Seat,
    chunks: Sequence[str],
) -> None:
    """Try orders, write down what came of them, and tell whoever gave them."""
    filed = seat_plans.of(sitting, game.id)
    sitting.people[int(speaker.person.id or 0)] = speaker.person
    done = moves.attempt(
        sitting.states.of(game),
        seats,
        seat.no,
        chunks,
        speaker.person.language,
        sitting.words.own,
        sitting.states.waiting(game),
        free=seat_plans.takes_free(filed.get(seat.no)),
        metered=sitting.readings.metered,
    )
    sitting.about |= {
        "seat": seat.no,
        "moves": len(done.steps),
        "refused": done.trouble["code"] if done.trouble else "",
    }
    echo = [{"order": s.order} for s in done.steps if s.by == "person"]
    if done.trouble and not done.steps and unanswered(sitting, speaker, came, wish):
        return
    if done.steps:
        autoreplies.moved(sitting, speaker)
        game = enacting.enact(
            sitting,
            game,
            seats,
            done,
            inbox_id=sitting.inbox_id,
            actor=seat.no,
            at=speaker.address,
            filed=filed,
        )
    again(sitting, speaker, game, seat, done.trouble, echo, pressed=came.what is What.BUTTON)


def unanswered(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish) -> bool:
    """Whether an order that could not be carried out is left without an answer: nothing like an order time
    and again, or the same.
    """
    return (autoreplies.lost if unread(sitting, speaker, wish) else autoreplies.again)(sitting, speaker, came)


def outdated(letter: Outbox | None, game: Game) -> bool:
    """Whether the answered letter asked a question that is no longer open."""
    return letter is not None and letter.game_id == game.id and letter.question not in (0, game.question)


@command("undo", among=Among.ASKED, repeats=True)
def undo(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """Take the last order back, while nothing was revealed and nobody else was asked."""
    assert game is not None
    seat = mine(sitting.seats(int(game.id or 0)), speaker, game)
    order = enacting.undo(sitting, game, seat.no)
    if order is None:
        raise Refusal("cannot-undo")
    fresh = sitting.tx.get(Game, game.id) or game
    again(sitting, speaker, fresh, seat, echo=[{"order": order, "undone": True}])
