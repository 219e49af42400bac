"""Orders become moves, tried on a copy first; enacting.py writes them down together.

`attempt` reads and plays a message's orders one after the other without writing anything. An order that the
rules refuse ends it there. One that can't be read empties it, unless an order before it can't be taken back:
what was revealed stays done, else a typing error would be a free look at the deck.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from referee import rules
from referee.ids import NO_QUESTION, QuestionNo, SeatNo
from referee.plans import FREE
from referee.rules import Ask, Move, Outcome, Refusal
from referee.rules.notation import order_text
from referee.search import thinks
from referee.store import Seat
from referee.text import Cards, NotUnderstood, Reading, Words, commands_meant, part, read_order, takes_back
from referee.text.reading.courtesy import is_courtesy
from referee.text.reading.terms import LIKE_NO_ORDER

from ..core.unit_of_work import names, playing
from ..people.letter_facts import OrderTrouble
from . import bot_turns
from .asked_back import alternatives, which

#: whose answers are the player's own, as the journal calls them: nothing may tell one from the other
OWN = ("person", "plan")
#: words of this length are said back in place of the order that they were read as: "yes" is no "buy"
_SAID = 20


class PlayedMove(NamedTuple):
    """One move played: by whom, in what words, answering which question, and what came of it.

    `final`: it can't be taken back, since something was revealed, or somebody else was asked or answered.
    """

    seat: SeatNo
    order: str
    by: str
    question: QuestionNo
    outcome: Outcome
    final: bool


@dataclass(slots=True)
class OrderAttempt:
    """What a message's orders lead to.

    `trouble` says what stopped it, and what was left; `waiting` are the questions open in `state`; `step` is
    the place of a big question that the words name instead of an order. `pauses`: whether bots at this table
    make pauses. `left`: the seat for which a bot stands in that thinks about what is asked now.
    """

    state: Any
    steps: list[PlayedMove] = field(default_factory=list)
    trouble: OrderTrouble | None = None
    waiting: tuple[Ask, ...] = ()  # where they are known already
    called: Sequence[str] = ()  # what the seats are called, likewise
    step: tuple[Any, ...] | None = None
    pauses: bool = False
    left: SeatNo | None = None

    def __post_init__(self) -> None:
        self.waiting = self.waiting or rules.asks(self.state)

    def asked(self, seat: SeatNo) -> Ask | None:
        """The question that waits for this seat, if any."""
        return next((ask for ask in self.waiting if ask.seat == seat), None)

    def play(self, seats: list[Seat], seat: SeatNo, move: Move, by: str) -> None:
        """Play one move.  Raises Refusal, nothing changed."""
        ask = self.asked(seat)
        self.called = self.called or names(seats)
        with playing(seats[seat].game_id):
            outcome = rules.play(self.state, seat, move)
            self.steps.append(
                PlayedMove(
                    seat,
                    order_text(move, self.called),
                    by,
                    NO_QUESTION if ask is None else ask.number,
                    outcome,
                    final=not (outcome.undoable and by in OWN),
                )
            )
        self.state, self.waiting = outcome.state, outcome.asks


def reading(
    state: Any,
    ask: Ask | None,
    called: Sequence[str],
    language: str,
    *,
    numbers: bool = True,
    own: tuple[Any, ...] = (),
    shown: Callable[[], Sequence[tuple[str, Any]]] | None = None,
) -> Reading:
    """What the reader of orders needs to know about this table, for the seat that is asked this (None: it is
    not asked); `shown`: what stands on the buttons.
    """
    plain = (
        None
        if ask is None
        else {"kind": ask.kind, "number": ask.number, "moves": ask.moves, "families": ask.families}
    )
    book = rules.rulebook(state)
    return Reading(
        language=language,
        names=called,
        ask=plain,
        cards=Cards(tuple(book.characters), tuple(book.districts)),
        numbers=numbers,
        own=own,
        shown=shown,
    )


def _buttons(
    state: Any, ask: Ask, words: Words, language: str, path: tuple[Any, ...]
) -> Callable[[], Sequence[tuple[str, Any]]]:
    """What stands on the buttons of a question, made when somebody asks for it, and once."""

    @lru_cache(maxsize=1)
    def shown() -> Sequence[tuple[str, Any]]:
        view = rules.view(state, ask.seat)
        return words.shown(view.get("ask"), view, language, path)

    return shown


@dataclass(frozen=True, slots=True)
class Hearing:
    """How a message's orders are read: in whose words, and by a person who has which place of a big question
    before them.

    `words`: what stands on the buttons is read back; `metered`: within it an order is read, and may raise
    TooCostly.
    """

    language: str = "en"
    words: Words | None = None
    path: tuple[Any, ...] = ()
    metered: Callable[[], AbstractContextManager[None]] = nullcontext

    @property
    def own(self) -> tuple[Any, ...]:
        """The admin's folders of words."""
        return () if self.words is None else self.words.own

    def commands_meant(self, said: str) -> tuple[str, ...]:
        """What somebody may have meant who is asked nothing."""
        with self.metered():
            return commands_meant(said, Reading(self.language, own=self.own))

    def is_courtesy(self, said: str, called: Sequence[str]) -> bool:
        """Whether somebody only wants to be kind: nobody is to be scolded for it."""
        with self.metered():
            return is_courtesy(said, Reading(self.language, called, own=self.own))

    def reading(self, state: Any, ask: Ask, called: Sequence[str], first: bool) -> Reading:
        """For the seat that is asked this; `first`: nothing was played since that was shown."""
        path = self.path if first else ()
        shown = None if self.words is None else _buttons(state, ask, self.words, self.language, path)
        return reading(state, ask, called, self.language, numbers=first, own=self.own, shown=shown)


class _Line(NamedTuple):
    """A line of several orders: what was done before it, and how it was read then."""

    words: str
    rest: Sequence[str]
    before: OrderAttempt
    reading: Reading


class _Said(NamedTuple):
    """One order of a message: its words, whether nothing comes before it, and the line of which it is a part,
    where a line had several ("gold, end"). `after`: the message's first order, right behind that.
    """

    words: str
    first: bool
    line: _Line | None = None
    after: str = ""


def attempt(
    state: Any,
    seats: list[Seat],
    seat: SeatNo,
    chunks: Sequence[str],
    hearing: Hearing,
    waiting: tuple[Ask, ...] = (),
    free: bool = True,
    pauses: bool = False,
) -> OrderAttempt:
    """Play a message's orders on a copy.

    Refused: the steps before it. Unreadable: the same if one of them is final, else no steps at all.
    `waiting`: the questions of `state`, where they are known. `free`: whether `end` (but not `end!`) takes
    forgotten benefits first. `pauses`: see `OrderAttempt`.
    """
    done = OrderAttempt(state, waiting=waiting, called=names(seats), pauses=pauses)
    todo = [
        _Said(chunk, place == 0, after=chunks[0] if place == 1 else "") for place, chunk in enumerate(chunks)
    ]
    while todo:
        said = todo.pop(0)
        rest = [one.words for one in todo]
        try:
            ask = done.asked(seat)
            if ask is None:
                others = [seats[other.seat].name for other in done.waiting]
                raise Refusal("not-asked" if others else "over", waiting=others)
            got = spelled_out(said.words, ask, done.called) or _heard(said, done, ask, rest, hearing)
            if isinstance(got, list):
                todo[:0] = got
                continue
            if isinstance(got, NotUnderstood):
                return _stopped(state, done, said, got, chunks, rest, hearing)
            if free and got.verb == "end" and got in ask.moves and not said.words.rstrip().endswith("!"):
                collect(done, seats, seat)
            done.play(seats, seat, got, "person")
        except Refusal as no:
            return _stopped(state, done, said, no, chunks, rest, hearing)
        if done.waiting and seats[done.waiting[0].seat].bot:
            bot_turns.let_bots(done, seats)
    return done


def _heard(
    said: _Said, done: OrderAttempt, ask: Ask, rest: Sequence[str], hearing: Hearing
) -> Move | NotUnderstood | list[_Said]:
    """What some words are read as: an order, several in one line, or nothing.  May raise TooCostly."""
    with hearing.metered():
        reading = hearing.reading(done.state, ask, done.called, said.first)
        got = read_order(said.words, reading)
        parts = part(said.words, reading) if isinstance(got, NotUnderstood) and said.line is None else ()
        moves = [read_order(one, reading) for one in parts]
    if not parts:
        return got
    if both := alternatives(moves, ask, done.called):
        return which(said.words, *both)
    before = OrderAttempt(done.state, list(done.steps), waiting=done.waiting, called=done.called)
    line = _Line(said.words, rest, before, reading)
    after = (said.after, parts[0] if said.first else "")
    return [
        _Said(one, said.first and place == 0, line, after[place] if place < len(after) else "")
        for place, one in enumerate(parts)
    ]


def _stopped(
    state: Any,
    done: OrderAttempt,
    said: _Said,
    why: NotUnderstood | Refusal,
    chunks: Sequence[str],
    rest: Sequence[str],
    hearing: Hearing,
) -> OrderAttempt:
    """What is left of an attempt when an order after its steps is refused, or can't be read."""
    words = said.words
    if said.line is not None and (two := _two_answers(said.words, said.line, done)):
        words, rest, done, why = said.line.words, said.line.rest, said.line.before, two
    elif _taken_back(said, done, hearing):
        return OrderAttempt(state, trouble=OrderTrouble("taken-back", {"word": words}, words, (), chunks))
    if isinstance(why, Refusal):
        silent = why.code in ("not-asked", "over")
        if silent and not rest and hearing.is_courtesy(words, done.called):
            kind = OrderTrouble("courtesy", {"asked": False}, words, (), chunks)
            done.trouble = None if done.steps else kind  # "pick King", and below it "gg all"
            return done
        near = hearing.commands_meant(words) if silent and not done.steps else _end_instead(why, done)
        back = {"said": words} if why.code == "wrong-question" and len(words) <= _SAID else {}
        done.trouble = OrderTrouble(why.code, {**why.facts, **back}, words, near, rest)
        return done
    if any(step.final for step in done.steps):
        near = why.suggestions or why.candidates
        done.trouble = OrderTrouble(why.code, dict(why.facts), words, near, rest)
        return done
    place = None if why.step is None or len(chunks) > 1 else why.step.path
    return OrderAttempt(state, trouble=_nothing_done(done.steps, why, words, chunks), step=place)


def _end_instead(why: Refusal, done: OrderAttempt) -> Sequence[str]:
    """The end of the turn for somebody who would pass in it."""
    passes = why.code == "wrong-question" and why.facts.get("verb") == "pass"
    return ("end",) if passes and any(Move("end") in one.moves for one in done.waiting) else ()


def _taken_back(said: _Said, done: OrderAttempt, hearing: Hearing) -> bool:
    """Whether words that are no answer may take back what was played before: "kill Thief; no, kill King".

    Something final stays done behind later orders, since which word stops a message may depend on what was
    revealed; right behind the first order it can't.
    """
    with hearing.metered():
        back = takes_back(said.words, Reading(hearing.language, own=hearing.own))
    return bool(back and done.steps and (said.after or not any(step.final for step in done.steps)))


def _two_answers(words: str, line: _Line, done: OrderAttempt) -> NotUnderstood | None:
    """A line that answers one question twice, "kill Thief, kill King", is asked back: its parts could both be
    played before it, and this one can't behind the others. Not where something was revealed between them:
    what happens then could depend on what it was.
    """
    since = done.steps[len(line.before.steps) :]
    got, ask = read_order(words, line.reading), line.reading.ask or {}
    played = [step for step in since if step.by == "person"]
    if not isinstance(got, Move) or got not in ask.get("moves", ()) or not played:
        return None
    this = order_text(got, done.called)
    if this in [step.order for step in played] or any(step.final for step in since):
        return None
    return which(words, played[-1].order, this)


def _nothing_done(
    dropped: Sequence[PlayedMove], got: NotUnderstood, chunk: str, chunks: Sequence[str]
) -> OrderTrouble:
    """Why none of a message's orders is done: one can't be read after those that are `dropped`.

    What is suggested begins with these: it can be typed as it stands, where nothing is done yet.
    """
    if got.code == "courtesy":
        kind = len(chunks) == 1
        return OrderTrouble(
            got.code if kind else "unreadable", {"asked": True} if kind else {}, chunk, (), chunks
        )
    before = [step.order for step in dropped]
    facts, near = dict(got.facts), [*map("; ".join, ([*before, one] for one in got.suggestions))]
    if got.candidates:
        facts["candidates"] = [*map("; ".join, ([*before, one] for one in got.candidates))]
    return OrderTrouble(got.code, facts, chunk, near or facts.get("candidates", ()), chunks)


def is_like_no_order(chunk: str, language: str, own: tuple[Any, ...] = ()) -> bool:
    """Whether words are like no order at all, whatever is asked."""
    got = read_order(chunk, Reading(language=language, own=own))
    return isinstance(got, NotUnderstood) and got.code in LIKE_NO_ORDER


def spelled_out(chunk: str, ask: Ask, called: Sequence[str]) -> Move | None:
    """The one legal move whose canonical text this is to the letter, as buttons say it; None where it needs
    reading.
    """
    found = [move for move in ask.moves if chunk.startswith(move.verb) and order_text(move, called) == chunk]
    return found[0] if len(found) == 1 else None


def collect(done: OrderAttempt, seats: list[Seat], seat: SeatNo) -> None:
    """Take what is free, sure and without a choice, while it is on offer: income, bonus, favor, collect,
    draw.
    """
    for verb in FREE:
        ask = done.asked(seat)
        if ask is not None and Move(verb) in ask.moves:
            done.play(seats, seat, Move(verb), "person")


def let_the_clock(
    state: Any, seats: list[Seat], no: SeatNo, by: str, level: str, pauses: bool = False
) -> OrderAttempt:
    """The dullest legal answers for a seat that let its time pass, to the end of its turn; or a stand-in's
    (`bot_turns.STANDINS`). `level`: how a full bot plays, one that thinks is `left` its turn; `pauses`: see
    `OrderAttempt`.
    """
    if by == "standin" and thinks(level):
        return OrderAttempt(state, pauses=pauses, left=no)
    done = OrderAttempt(state, pauses=pauses)
    before = where(state)
    while (ask := done.asked(no)) is not None and where(done.state) == before:
        stands_in = by in bot_turns.STANDINS
        chosen = bot_turns.instead(by, done.state, seats[no], ask, level) if stands_in else None
        done.play(seats, no, chosen or rules.dull(done.state, no), by)
        if done.waiting and seats[done.waiting[0].seat].bot:
            bot_turns.let_bots(done, seats)
        if not any(s.seat == no for s in done.steps[-1:]):
            break
    return done


def where(state: Any) -> tuple[int, str, int | None]:
    """The turn a public eye sees: an absent player's clock answers for this much at once."""
    found: tuple[int, str, int | None] = rules.whereabouts(state)
    return found


def turn_of(state: Any) -> str:
    """The name of the turn, as the clocks keep it."""
    return " ".join(map(str, where(state)))
