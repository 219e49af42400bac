"""What happens to a game, for other rooms to know; and what they are asked about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from referee.ids import NO_GAME, GameId, PersonId, SeatNo
from referee.store import Game, Person, Seat, Tx

from ..core.composing import LetterContext
from ..core.hooks import Hook, Poll, Question
from ..core.unit_of_work import UnitOfWork


class PlayedAgain(NamedTuple):
    """How a finished game is played once more: the order for that, "" where nobody may give it; the table
    that was opened for it, and where the reader has a seat (0: none).
    """

    order: str = ""
    table: GameId = NO_GAME


def _once(tx: Tx, game: Game, person_id: PersonId) -> PlayedAgain:
    return PlayedAgain()


#: everybody was ready, and the cards are dealt; the seats as they were then
game_began: Hook[[UnitOfWork, Game, Sequence[Seat]]] = Hook("game began")
#: it is over, or was given up
game_over: Hook[[UnitOfWork, Game]] = Hook("game over")
#: a seat is no longer that person's, and why ("replaced", "kicked", …)
seat_left: Hook[[UnitOfWork, Game, PersonId | None, str]] = Hook("seat left")
#: that person plays on in a seat of a running table
seat_taken: Hook[[UnitOfWork, Game, PersonId]] = Hook("seat taken")
#: nobody waits for a seat of a running table any more: it is nobody's by now, or its player missed too often
seat_unwaited: Hook[[UnitOfWork, Game]] = Hook("seat unwaited")
#: that person plays on in a seat of a running table that was theirs before two accounts became one
seat_returned: Hook[[UnitOfWork, Game, PersonId]] = Hook("seat returned")
#: that person let the time pass in which a seat was theirs to take
offer_lapsed: Hook[[UnitOfWork, Game, PersonId]] = Hook("offer lapsed")
#: guard, raises Refusal: may this person take over a seat of this table?
may_sit: Hook[[UnitOfWork, Game, Person]] = Hook("may sit")
#: guard, raises Refusal: may this person say that they are there, at a table that gathers?
may_come: Hook[[UnitOfWork, Game, Person]] = Hook("may come")
#: guard, raises Refusal with that code: may those at the table change who plays there, or give it up?
may_change_lobby: Hook[[Game, str]] = Hook("may change lobby")


def _who_said_so(uow: UnitOfWork, game: Game) -> list[PersonId] | None:
    return None


def _as_they_are(uow: UnitOfWork, game: Game, no: SeatNo, people: Sequence[PersonId]) -> list[PersonId]:
    return list(people)


def _yes(game: Game) -> bool:
    return True


def _told(seat: Seat) -> bool:
    return True


def _by_nobody(seat: Seat) -> str:
    return ""


def _not_guided(seat: Seat) -> bool:
    return False


def _no_hint(tx: Tx, game: Game, seat: Seat) -> bool:
    return False


def _no_example(ctx: LetterContext, game: Game, seat: Seat) -> list[str]:
    return []


def _none(
    ctx: LetterContext, game: Game, seat: Seat, view: Mapping[str, Any], orders: Sequence[str]
) -> list[tuple[str, str]]:
    return []


#: the persons who may take over a seat of this table, in order; None: those who put their name down
standby: Question[[UnitOfWork, Game], list[PersonId] | None] = Question("standby", _who_said_so)
#: in which order those are asked to take that seat who may
asked_in_turn: Question[[UnitOfWork, Game, SeatNo, Sequence[PersonId]], list[PersonId]] = Question(
    "asked in turn", _as_they_are
)
#: whether preference lists may be filed at this table
lists_allowed: Question[[Game], bool] = Question("lists allowed", _yes)
#: whether what a seat ordered is told to its player's other addresses, too
echoed: Question[[Seat], bool] = Question("echoed", _told)
#: how a seat is taught: a word for the layouts, "" for not at all
taught: Question[[Seat], str] = Question("taught", _by_nobody)
#: whether somebody is guided there through a whole game
guided: Question[[Seat], bool] = Question("guided", _not_guided)
#: whether this seat may ask for a hint now
hint_open: Question[[Tx, Game, Seat], bool] = Question("hint open", _no_hint)
#: orders that a seat could give in one message, where its player is to be told that this can be done
several_at_once: Question[[LetterContext, Game, Seat], list[str]] = Question("several at once", _no_example)
#: the lessons, (part, name), that come with a letter which asks what those orders answer
lessons_due: Question[
    [LetterContext, Game, Seat, Mapping[str, Any], Sequence[str]], list[tuple[str, str]]
] = Question("lessons due", _none)
#: what the letter that a game is over offers, (phrase, what it stands for)
offered_after: Poll[[LetterContext, Game], list[tuple[str, str]]] = Poll("offered after")
#: what a page of a finished game offers to somebody who played there
played_again: Question[[Tx, Game, PersonId], PlayedAgain] = Question("played again", _once)
