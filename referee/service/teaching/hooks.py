"""What teaching does when something happens elsewhere: newcomers are given hints, and a guided game may be
left at any time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.ports import Inbound
from referee.states import GameStatus
from referee.store import Game, Person, Seat

from ..core.composing import LetterContext
from ..core.speaker import Speaker
from ..core.unit_of_work import UnitOfWork
from ..people import officials
from ..people.letter_facts import PromptFacts
from ..people.replies import answer
from ..play import hooks as play_hooks
from ..tables import lobby
from ..tables.hooks import leaves
from . import due_lessons, lesson_state, several
from .commands import is_one

#: among this many seats of a newcomer that of a guided game is looked for
_SEATS = 8


@play_hooks.game_began.on
def greeted(uow: UnitOfWork, game: Game, seats: Sequence[Seat]) -> None:
    """Anyone who has never finished a real game, and does not mind, is given hints in this one: not those
    that the guided game gave.
    """
    for seat in seats:
        if seat.person_id is None or seat.lessons:
            continue
        person = uow.tx.get(Person, seat.person_id)
        if (
            person is not None
            and person.hints != "off"
            and (person.hints == "on" or not uow.tx.has_finished(seat.person_id))
        ):
            lately = [
                old.lessons for old in uow.tx.all(Seat, person_id=seat.person_id, order="-id", limit=_SEATS)
            ]
            guided = next((one for one in lately if lesson_state.mode_of(one) == lesson_state.LEARN), "")
            uow.tx.set(Seat, seat.id, lessons=lesson_state.set_mode(guided, lesson_state.HINTS))


@play_hooks.echoed.on
def aloud(seat: Seat) -> bool | None:
    """Nobody else plays there, and a first game is noisy enough."""
    return False if lesson_state.mode_of(seat.lessons) == lesson_state.LEARN else None


@play_hooks.taught.on
def mode(seat: Seat) -> str:
    """How a seat is taught."""
    return lesson_state.mode_of(seat.lessons)


@play_hooks.guided.on
def guided(seat: Seat) -> bool:
    """Whether somebody learns the game there."""
    return lesson_state.mode_of(seat.lessons) == lesson_state.LEARN


@play_hooks.lessons_due.on
def lessons_due(
    ctx: LetterContext, game: Game, seat: Seat, view: Mapping[str, Any], orders: Sequence[str]
) -> list[tuple[str, str]]:
    """What explains the question is told once more where that is wanted."""
    due = due_lessons.open_now if ctx.read(PromptFacts).explain else due_lessons.lessons_for_seat
    return due(ctx.tx, game, seat, view, orders)


@play_hooks.several_at_once.on
def several_at_once(ctx: LetterContext, game: Game, seat: Seat) -> list[str]:
    """An example for anyone who gives one order at a time, once."""
    return several.example(ctx, game, seat)


@leaves.on
def left(uow: UnitOfWork, speaker: Speaker, came: Inbound, game: Game) -> bool | None:
    """`leave`, `abandon`, said of a guided game: nobody waits for it, so it may go at any time.

    None where it is none.
    """
    if (
        not is_one(game)
        or not officials.same(uow.tx, game.creator_id, speaker.person.id)
        or game.status not in lobby.ALIVE
    ):
        return None
    lobby.finish(uow, game, GameStatus.ABANDONED)
    answer(uow, speaker, came, "learn-left", game=game.id)
    return True
