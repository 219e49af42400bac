"""Going back: to the beginning of a round, or to before a miss that was our fault.

The position is made from the seed and the journal, so it is exactly what it was. What came after stays in the
journal, marked as undone; the questions get numbers of their own, so that no old letter fits them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from referee import rules
from referee.ids import EventNo, MoveNo
from referee.plans import dump, filed, live
from referee.rules import Refusal, chance
from referee.rules.notation import read_order
from referee.store import Game, Journal, Seat, SeatPlan, Undo

from ..core import outbox
from ..core.unit_of_work import UnitOfWork, json_text, names, setup_of, write_event
from ..deadlines import clock_state
from ..people.letter_facts import PromptFacts, notice
from . import bot_turns, enacting, moves, rulings, seat_plans


class RewindPoint(NamedTuple):
    """A position of the game after that many lines of its journal (`no`: the last one's number, 0: none), and
    the round that it is in.
    """

    no: MoveNo
    round: int
    state: Any


def points(uow: UnitOfWork, game: Game, seats: list[Seat]) -> Iterator[RewindPoint]:
    """The game played again from its deal, one order after the other."""
    setup = setup_of(game, seats)
    book = rules.rulebook(setup)
    state = rules.new_game(setup, chance.mix(bytes.fromhex(game.seed), [s.word for s in seats])).state
    number = 1
    yield RewindPoint(MoveNo(0), number, state)
    marks = rulings.came(game)
    for line in uow.tx.all(Journal, game_id=game.id, undone=0, order="no"):
        while marks and marks[0][1] < line.no:
            state = rules.ruled(state, marks.pop(0)[0]).state
        outcome = rules.play(state, line.seat, read_order(line.order, names(seats), book))
        state = outcome.state
        number = next((int(e.facts["round"]) for e in outcome.events if e.name == "round_began"), number)
        yield RewindPoint(line.no, number, state)


def may_rewind(uow: UnitOfWork, game: Game, facts: dict[str, Any]) -> None:
    """Raises Refusal for a round that was not played, or whose beginning is just now."""
    wanted = int(facts["round"])
    if not 1 <= wanted <= game.round:
        raise Refusal("no-such-round", round=wanted, last=game.round)
    last = uow.tx.all(Journal, game_id=game.id, undone=0, order="-no", limit=1)
    if wanted == game.round and beginning(uow, game, uow.seats(game.id), wanted).no == (
        last[0].no if last else 0
    ):
        raise Refusal("nothing-to-rewind", round=wanted)


def beginning(uow: UnitOfWork, game: Game, seats: list[Seat], number: int) -> RewindPoint:
    """The first position of a round that was played."""
    return next(one for one in points(uow, game, seats) if one.round == number)


def rewind(uow: UnitOfWork, game: Game, facts: dict[str, Any], who: dict[str, Any]) -> None:
    """Back to the beginning of a round."""
    seats = uow.seats(game.id)
    back(
        uow,
        game,
        seats,
        beginning(uow, game, seats, int(facts["round"])),
        "rewound",
        {**who, "round": facts["round"]},
    )


def back(
    uow: UnitOfWork, game: Game, seats: list[Seat], point: RewindPoint, event: str, facts: dict[str, Any]
) -> Game:
    """Put the table into that position: what came after is undone, plans for single rounds are withdrawn, all
    are told.  `event`: what everybody is told of it ("": that was said already)."""
    tx = uow.tx
    later = tx.all(Journal, game_id=game.id, undone=0, after={"no": point.no})
    tx.set_all(Journal, {line.id: {"undone": 1} for line in later})
    tx.drop(Undo, game_id=game.id)
    # as if each had been taken back by itself: the journal tells by the number of the next question where it
    # went on
    state = rules.asked_anew(rulings.under(game, point.state), game.question + max(1, len(later)))
    table = clock_state.read_clocks(game)
    table.stood = []
    for seat in table.seats.values():
        seat.asked = seat.delivered = seat.extra = 0
        seat.hours, seat.stands = None, False
    if event:
        write_event(uow, game.id, EventNo(game.event_no + 1), event, facts)
    snapshot = uow.states.encoded(game.id, state)
    waiting = rules.asks(state)
    fresh = tx.renew(
        Game,
        game,
        snapshot=snapshot,
        event_no=game.event_no + bool(event),
        round=point.round,
        question=waiting[0].number,
        asked=",".join(str(ask.seat) for ask in waiting),
        clocks=clock_state.encode_clocks(table),
    )
    # a plan that is withdrawn will not answer; one that stays is armed with its question
    seat_plans.disarm(uow, game.id)
    for seat_no, row in uow.plans(game.id).items():
        _kept(uow, fresh, seats[seat_no], row, rules.view(state, seat_no))
    done = moves.OrderAttempt(state)
    bot_turns.let_bots(done, seats)
    fresh = enacting.enact(uow, fresh, seats, done)
    for one in seats:
        if str(one.no) not in fresh.asked.split(","):
            outbox.to_seat(uow, fresh, one, PromptFacts())
    return fresh


def _kept(uow: UnitOfWork, game: Game, seat: Seat, row: SeatPlan, view: dict[str, Any]) -> None:
    """What was filed to stay stays, as if it were filed now; what was for one round is withdrawn, and its
    player told.
    """
    old = seat_plans.plan_of(row)
    kept = live(old, 0)  # there is no round 0: what is left is what stays
    if len([one for entries in kept[:4] for one in entries]) < len(
        [one for entries in old[:4] for one in entries]
    ):
        outbox.to_seat(uow, game, seat, notice("plan-withdrawn", game=game.id))
    if kept.empty:
        uow.tx.drop(SeatPlan, game_id=game.id, seat=seat.no)
        return
    uow.tx.set(
        SeatPlan, row.id, data=json_text(dump(kept)), memory=json_text(filed(kept, view)), round=view["round"]
    )
