"""What people may say to play (orders, and `undo`), and what they are answered: what was understood, and what
is asked now.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from referee.ids import NO_LETTER, NO_QUESTION
from referee.ports import Inbound, What
from referee.rules import Refusal
from referee.states import AddressState, GameStatus
from referee.store import Game, Seat
from referee.text import DOTS, Intent, Reading, as_number, takes_back

from ..core import outbox
from ..core.commands import DefaultTable, HelpTopic, command
from ..core.unit_of_work import UnitOfWork, names
from ..deadlines import bot_pauses, clock_state
from ..people import autoreplies, said_before, table_roles
from ..people.identity import Speaker
from ..people.letter_facts import Echo, OrderTrouble, Place, PromptFacts
from ..people.replies import EchoFacts, answer
from . import confirming, enacting, late_answers, moves, seat_plans, stepwise
from .hooks import echoed

#: this many signs tell whether something is like an order
_ORDER = 80
#: the orders of which there is one a turn
_GATHER = ("gold", "cards")
#: this many things are suggested
_SUGGESTED = 3


def begins_like_no_order(uow: UnitOfWork, speaker: Speaker, intent: Intent) -> bool:
    """Whether what was taken for orders begins like none.  No order is longer than what is looked at."""
    return moves.is_like_no_order(intent.args["chunks"][0][:_ORDER], speaker.person.language, uow.words.own)


@command(
    "orders", topic=HelpTopic.UNTYPED, among=DefaultTable.ASKED, repeats=True, unread=begins_like_no_order
)
def orders(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """Moves in a game.  Only in private, only for one's own seat, only for the question that is open."""
    assert game is not None
    if came.place is not None and came.what is not What.BUTTON:
        answer(uow, speaker, came, "orders-in-private")
        return
    seats = uow.seats(game.id)
    seat = mine(seats, speaker, game)
    if game.status != GameStatus.RUNNING:
        raise table_roles.not_running(game)
    first, *rest = intent.args["chunks"]
    said = Reading(speaker.person.language, [one.name for one in seats], own=uow.words.own)
    chunks, path, step = (as_number(first, said), *rest), (), None
    letter = speaker.letter
    # a terminal tells what a number is about, and pages show what is open
    if letter is None and by_letter(chunks[0]) and speaker.address.channel not in outbox.UNCOUNTED:
        letter = late_answers.last_read(uow.tx, game, seat)
    if letter is not None and late_answers.outdated(letter, game):
        worded = not any(by_letter(one) for one in chunks)
        if why := late_answers.objection(uow.tx, came, letter, game, seat, worded):
            answer_late(uow, speaker, came, intent, game, seat, why)
            return
    # of hundreds of answers only those at the place that the letter shows are known by their labels
    if letter is not None or by_letter(chunks[0]):
        chunks, path = stepwise.orders_by_steps(uow, speaker, game, chunks)
        step = stepped(uow, game, seats, seat, chunks, path)
    if step is None:
        play_orders(uow, speaker, came, intent, game, seats, seat, chunks, path)
    else:
        prompt_again(uow, speaker, game, seat, pressed=came.what is What.BUTTON, step=step)


def mine(seats: Sequence[Seat], speaker: Speaker, game: Game) -> Seat:
    """The speaker's seat.  Raises Refusal."""
    seat = next((s for s in seats if s.person_id == speaker.person.id), None)
    if seat is None:
        raise Refusal("not-seated", game=game.id)
    return seat


def answer_late(
    uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game, seat: Seat, why: str
) -> None:
    """Orders for a question that is no longer open: the one that is, is asked again; or it is said that
    nothing is.
    """
    if unanswered(uow, speaker, came, intent):
        return
    if came.what is What.BUTTON and came.facts.get("callback"):
        answer(uow, speaker, came, "old-button")
    prompt_again(
        uow,
        speaker,
        game,
        seat,
        OrderTrouble(
            why, {"asked": str(seat.no) in game.asked.split(",")}, intent.quote, (), intent.args["chunks"]
        ),
    )


def by_letter(order: str) -> bool:
    """Whether what an order means depends on the letter that its writer had before them."""
    plain = order.strip().rstrip(".)")
    return (plain.isdecimal() and len(plain) < 5) or DOTS in plain


def stepped(
    uow: UnitOfWork, game: Game, seats: list[Seat], seat: Seat, chunks: Sequence[str], path: tuple[str, ...]
) -> Place | None:
    """The place of a big question to which an order leads, None where it leads to a move."""
    ask = (
        next((one for one in uow.states.position(game)[1] if one.seat == seat.no), None)
        if len(chunks) == 1 and by_letter(chunks[0])
        else None
    )
    onward = None if ask is None else stepwise.leads(ask, chunks[0], names(seats), path)
    return None if onward is None else stepwise.place(game, onward)


def play_orders(
    uow: UnitOfWork,
    speaker: Speaker,
    came: Inbound,
    intent: Intent,
    game: Game,
    seats: list[Seat],
    seat: Seat,
    chunks: Sequence[str],
    path: tuple[Any, ...] = (),
) -> None:
    """Try orders, write down what came of them, and tell the person who gave them; `path`: which place of a
    big question they had before them.
    """
    filed = uow.plans(game.id)
    uow.people[speaker.person.id] = speaker.person
    state, waiting = uow.states.position(game)
    done = moves.attempt(
        state,
        seats,
        seat.no,
        chunks,
        moves.Hearing(speaker.person.language, uow.words, path, uow.readings.metered),
        waiting,
        free=seat.no not in filed or seat_plans.takes_free(filed[seat.no]),
        pauses=any(one.bot for one in seats)
        and bot_pauses.has_pauses(uow, game, seats, clock_state.policy_of(game)),
    )
    uow.about |= {
        "seat": seat.no,
        "moves": len(done.steps),
        "refused": done.trouble.code if done.trouble else "",
    }
    echo = [Echo(s.order) for s in done.steps if s.by == "person"]
    if done.step is not None:
        step, pressed = stepwise.place(game, done.step), came.what is What.BUTTON
        prompt_again(uow, speaker, game, seat, pressed=pressed, step=step)
        return
    if done.trouble and not done.steps:
        if unanswered(uow, speaker, came, intent):
            return
        done.trouble = with_undo(uow, speaker, game, seat, chunks[0], done.trouble)
    if done.steps:
        if speaker.address.dialogue:
            autoreplies.reset_score(uow, speaker)
        game = enacting.enact(
            uow,
            game,
            seats,
            done,
            inbox_id=uow.inbox_id,
            actor=seat.no,
            at=speaker.address,
            filed=filed,
        )
    prompt_again(uow, speaker, game, seat, done.trouble, echo, pressed=came.what is What.BUTTON)


def prompt_again(
    uow: UnitOfWork,
    speaker: Speaker,
    game: Game,
    seat: Seat,
    trouble: OrderTrouble | None = None,
    echo: Sequence[Echo] = (),
    pressed: bool = False,
    step: Place | None = None,
    pictured: bool = False,
) -> None:
    """Tell a player what was understood and what is asked now (`pictured`: with the table and a
    picture, also where questions have none); a copy of the echo goes to the seat's other channels.

    `step`: the place of a big question that is shown (see stepwise.py). `echo` are the orders done,
    and those taken back: letters that fold tell both.
    """
    is_asked = game.status == GameStatus.RUNNING and str(seat.no) in game.asked.split(",")
    if game.status == GameStatus.OVER and not trouble:
        return
    row = speaker.letter if pressed else None
    revises = row.id if row is not None and row.kind == PromptFacts.kind else NO_LETTER
    facts = PromptFacts(
        echo=echo, trouble=trouble, step=step, pictured=pictured, fresh=pictured, revises=revises
    )
    may_wait = echo and speaker.address.channel in outbox.LETTERBOXES
    may_wait = may_wait and not (is_asked or trouble or any(one.undone for one in echo))
    delay_ms = confirming.delay_ms(uow, seat, speaker.address) if may_wait else 0
    outbox.to_seat(
        uow,
        game,
        seat,
        facts,
        at=None if delay_ms else speaker.address,  # nobody waits for what may be late
        question=game.question if is_asked else NO_QUESTION,
        delay_ms=delay_ms,
    )
    if not echo:
        return
    others = [
        one
        for one in outbox.addresses(uow, speaker.person.id)
        if one.id != speaker.address.id and one.state == AddressState.GREEN
    ]
    if others and echoed(seat):
        for other in others:
            outbox.to_seat(uow, game, seat, EchoFacts(echo), at=other)


def with_undo(
    uow: UnitOfWork, speaker: Speaker, game: Game, seat: Seat, said: str, trouble: OrderTrouble
) -> OrderTrouble:
    """The same with `undo` first among what is suggested, where somebody seems to want their last order back
    and may have it: "no, kill Bishop", or "cards" behind "gold".
    """
    reading = Reading(speaker.person.language, own=uow.words.own)
    last = enacting.last_undoable(uow.tx, game, seat.no)
    if last is None or not (_again(trouble, last[1].order) or takes_back(said, reading)):
        return trouble
    near = (reading.lexicon.name("commands", "undo"), *trouble.suggestions)
    return msgspec.structs.replace(trouble, suggestions=near[:_SUGGESTED])


def _again(trouble: OrderTrouble, last: str) -> bool:
    """Whether an order was refused since the last one did this already, perhaps otherwise than is meant
    now.
    """
    verb = last.partition(" ")[0]
    return verb in _GATHER if trouble.code == "gathered" else verb == trouble.facts.get("source")


def unanswered(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent) -> bool:
    """Whether an order that could not be carried out is left without an answer: nothing like an order time
    and again, or the same.
    """
    return (
        autoreplies.note_unreadable if begins_like_no_order(uow, speaker, intent) else autoreplies.is_repeat
    )(uow, speaker, came)


def meant_then(uow: UnitOfWork, speaker: Speaker, game: Game, seat: Seat) -> bool:
    """Whether an `undo` means an order that is not the last one any more: it is the button of an old page; or
    it is said again by somebody who has not read yet that their order was taken back.
    """
    letter, channel = speaker.letter, speaker.address.channel
    if channel == outbox.WEB:
        return late_answers.outdated(letter, game)
    unseen = letter is None and channel not in outbox.UNCOUNTED
    return unseen and enacting.just_undone(uow.tx, game) and bool(late_answers.last_read(uow.tx, game, seat))


@command("undo", topic=HelpTopic.PLAY, among=DefaultTable.ASKED, repeats=True)
def undo(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """Take the last order back, while nothing was revealed and nobody else was asked."""
    assert game is not None
    seat = mine(uow.seats(game.id), speaker, game)
    said_before.must_be_new(uow, came)
    last = enacting.last_undoable(uow.tx, game, seat.no)
    if last and meant_then(uow, speaker, game, seat):
        is_asked = str(seat.no) in game.asked.split(",")
        prompt_again(
            uow, speaker, game, seat, OrderTrouble(late_answers.OLD, {"asked": is_asked}, intent.quote)
        )
        return
    order = enacting.undo(uow, game, seat.no)
    if order is None:
        raise Refusal("cannot-undo")
    fresh = uow.tx.get(Game, game.id) or game
    prompt_again(uow, speaker, fresh, seat, echo=[Echo(order, undone=True)])
