"""The past of a table, as everybody could see it then, or as one seat could: played again from the journal,
step by step.

The journal has every order, also those that were taken back; the events say where that happened. Both are
walked side by side: an order is played where its own events stand, and a position is left again where an
event says so. What does not fit (it never should) is told without the table, never with a wrong one.
"""

from __future__ import annotations

import json
import logging
import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from referee import rules
from referee.ids import EventNo, SeatNo
from referee.rules import EVENTS, Refusal, chance
from referee.rules.notation import read_order
from referee.states import GameStatus
from referee.store import Game, GameEvent, Journal, Seat, Tx

from ..core.cache import lately
from ..core.composing import ComposeContext
from ..core.unit_of_work import names, setup_of
from .bot_turns import STANDINS
from .moves import OWN

log = logging.getLogger(__name__)
#: events after which the table stands as it did before
_BACK = frozenset({"undone", "rewound", "miss_forgiven"})
#: events that change the position without an order: those, and a ruling that comes
_TURNS = _BACK | {"ruling"}
#: who answers for somebody absent, as the journal calls them
_ABSENT = frozenset({"clock", *STANDINS})
#: events of the selection: several players' picks in a row are one step
_PICKS = frozenset({"picked", "put_away"})


class ReplayEvent(NamedTuple):
    """An event.  `own`: only the seat whose past this is was told."""

    no: EventNo
    name: str
    facts: dict[str, Any]
    at_ms: int
    own: bool = False


class DraftPick(NamedTuple):
    """What a seat had before it in the selection, and which of these it picked, or put away ("discard")."""

    left: tuple[str, ...]
    verb: str
    name: str


class ReplayStep(NamedTuple):
    """What happened at once, and the table after it: the view as compressed JSON, b"" where it could not be
    made out.  `picks`: those of the seat whose past this is.
    """

    round: int
    told: tuple[ReplayEvent, ...]
    packed: bytes
    picks: tuple[DraftPick, ...] = ()

    @property
    def quiet(self) -> bool:
        """Whether everybody saw nothing but that characters were picked."""
        return all(one.own or one.name in _PICKS for one in self.told)

    @property
    def last_no(self) -> EventNo:
        """The number of its last public event: it stays, however steps are told."""
        public: list[EventNo] = [one.no for one in self.told if not one.own]
        return public[-1]

    @property
    def view(self) -> dict[str, Any] | None:
        """The view, as `rules.view` gives it."""
        return json.loads(zlib.decompress(self.packed)) if self.packed else None


class GameRows(NamedTuple):
    """What the store has of a game: all of it, or what has come since (a part of its lines and events)."""

    game: Game
    seats: list[Seat]
    lines: list[Journal]
    events: list[GameEvent]


class ReplayMismatch(Exception):
    """Journal and events don't fit each other."""


class GameHistory:
    """One table's past, as everybody saw it or as `seat` did; its steps are the same ones.

    `steps` are those up to event `upto`, in round `round`; `follow` goes on from there, as long as `players`
    are called so. `whole` is False once it could not be made out.
    """

    def __init__(self, seat: SeatNo | None = None) -> None:
        self._seat = seat
        self.players: list[str] = []
        self.steps: tuple[ReplayStep, ...] = ()
        self.upto, self.line, self.round, self.whole = 0, 0, 0, True
        self._steps: list[ReplayStep] = []
        self._stack: list[
            tuple[Journal | None, Any, int]
        ] = []  # the line, the position after it (None: not kept), its round
        self._events: list[GameEvent] = []  # those that are in no step yet
        self._ruled: list[int] = []  # the rulings that have come
        self._heard: tuple[ReplayEvent, ...] = ()  # what the seat alone was told since the last step
        self._picks: tuple[DraftPick, ...] = ()  # and what it picked

    @property
    def beginnings(self) -> list[Any]:
        """The position at the beginning of each round, with all that is hidden: nothing of it may be told
        before the game is over.  [] where the past could not be made out.
        """
        numbers = [0, *(number for _, _, number in self._stack)]
        return [
            state
            for before, (_, state, number) in zip(numbers, self._stack, strict=False)
            if self.whole and number != before
        ]

    def follow(self, rows: GameRows, now: Any = None) -> None:
        """Take in what has come since: lines after `line`, events after `upto`; at first the whole of the
        present deal. `now`: the position that the row has, where it is at hand.
        """
        self._events += rows.events
        self.players = names(rows.seats)
        try:
            self._walk(rows)
            rest = self._rest(rules.load(json.loads(rows.game.snapshot)) if now is None else now)
        except (ReplayMismatch, Refusal, LookupError, ValueError):
            log.exception("the past of a table could not be played again", extra={"game": rows.game.id})
            self.whole, rest = (
                False,
                [ReplayStep(0, (replay_event(one),), b"") for one in rows.events if one.to_seat is None],
            )
            self._steps.clear()
        self.steps = (*self._steps, *rest)
        self.upto, self.round = rows.game.event_no, rows.game.round

    def _walk(self, rows: GameRows) -> None:
        setup = setup_of(rows.game, rows.seats)
        book = rules.rulebook(setup)
        if not self._stack:
            begun = rules.new_game(
                setup, chance.mix(bytes.fromhex(rows.game.seed), [s.word for s in rows.seats])
            )
            end = self._match(begun.events, len(self._events))
            if end is None:
                raise ReplayMismatch("the deal")
            self._put(None, begun.state, 1)
            self._add(end)
        for line in rows.lines:
            move = read_order(line.order, names(rows.seats), book)
            while True:
                back = self._next_back()
                made = self._played(line, move, back)
                if made is not None:
                    break
                if back == len(self._events):
                    raise ReplayMismatch(line.order)
                self._go_back(back)
            outcome, end = made
            if line.seat == self._seat and move.verb in ("pick", "discard"):
                left = rules.view(self._now, line.seat).get("picking", ())
                self._picks += (DraftPick(tuple(left), move.verb, move.args[0]),)
            number = next(
                (int(e.facts["round"]) for e in outcome.events if e.name == "round_began"), self._stack[-1][2]
            )
            self._put(line, outcome.state, number)
            self._add(end)
            self.line = line.no
        while (back := self._next_back()) < len(self._events):
            self._go_back(back)

    def _next_back(self) -> int:
        """Where the next event stands that leads back."""
        return next((n for n, one in enumerate(self._events) if one.name in _TURNS), len(self._events))

    def _played(self, line: Journal, move: Any, back: int) -> tuple[Any, int] | None:
        """What the order led to and where its events end, if they stand before event `back`."""
        try:
            outcome = rules.play(self._now, line.seat, move)
        except Refusal:
            return None
        end = self._match(outcome.events, back)
        return None if end is None else (outcome, end)

    def _match(self, wanted: Sequence[Any], before: int) -> int | None:
        """Where these events end, the first time that they stand in a row."""
        kinds = [(one.name, one.to) for one in wanted]
        for at in range(before - len(kinds) + 1):
            if all(
                (self._events[at + n].name, self._events[at + n].to_seat) == kind
                for n, kind in enumerate(kinds)
            ):
                return at + len(kinds)
        return None if kinds else 0

    @property
    def _now(self) -> Any:
        """The position as it stands."""
        state = self._stack[-1][1]
        if state is None:
            raise ReplayMismatch("back to a position that is not kept")
        return state

    def _put(self, line: Journal | None, state: Any, number: int) -> None:
        """A position more.

        Of rounds before, only the first is kept, and those before an answer for somebody absent: nothing
        leads back to another.
        """
        if self._stack and self._stack[-1][2] != number:
            follows = [one for one, _, _ in self._stack[1:]] + [line]
            self._stack = [
                (one, position if self._leads_back(n, follows[n]) else None, its)
                for n, (one, position, its) in enumerate(self._stack)
            ]
        self._stack.append((line, state, number))

    def _leads_back(self, n: int, follows: Journal | None) -> bool:
        """Whether something may lead back to position `n`, which that order followed."""
        begins = not n or self._stack[n - 1][2] != self._stack[n][2]
        return begins or (follows is not None and follows.by in _ABSENT)

    def _go_back(self, at: int) -> None:
        """Leave the last positions, as event `at` says."""
        event, facts = self._events[at], json.loads(self._events[at].facts)
        if event.name == "ruling":
            self._ruled.append(facts["ruling"])
            self._now_ruled()
        elif event.name == "undone":
            self._leave(1)
        elif event.name == "rewound":
            first = next(n for n, (_, _, number) in enumerate(self._stack) if number == facts["round"])
            self._leave(len(self._stack) - 1 - first)
            self._now_ruled()
        elif facts["answer"]:
            self._leave(self._missed(facts["seat"]))
            self._now_ruled()
        self._add(at + 1)

    def _now_ruled(self) -> None:
        """The position as it stands, under all rulings that have come."""
        line, state, number = self._stack[-1]
        for ruling in self._ruled if state is not None else ():
            state = rules.ruled(state, ruling).state
        self._stack[-1] = (line, state, number)

    def _missed(self, seat: SeatNo) -> int:
        """How many orders back the last answer was given for this seat in its absence; 0 where it stands no
        more.
        """
        behind = [line for line, _, _ in self._stack[1:] if line is not None]
        last = next((line for line in reversed(behind) if line.seat == seat and line.by not in OWN), None)
        if last is None or not last.undone:
            return 0
        first = next(n for n, line in enumerate(behind) if (line.seat, line.at_ms) == (seat, last.at_ms))
        return len(behind) - first

    def _leave(self, count: int) -> None:
        if count >= len(self._stack):
            raise ReplayMismatch("back before the deal")
        del self._stack[len(self._stack) - count :]

    def _add(self, end: int) -> None:
        """A step of the public events up to there; picks join those before them, what nobody saw joins what
        comes next.
        """
        fresh = self._heard + self._told(self._events[:end])
        del self._events[:end]
        if all(one.own for one in fresh):
            self._heard = fresh
            return
        step = ReplayStep(self._stack[-1][2], fresh, packed(self._now, self._seat), self._picks)
        self._heard, self._picks = (), ()
        if self._steps and step.quiet and self._steps[-1].quiet and self._steps[-1].round == step.round:
            before = self._steps.pop()
            step = step._replace(told=(*before.told, *fresh), picks=(*before.picks, *step.picks))
        self._steps.append(step)

    def _told(self, events: Sequence[GameEvent]) -> tuple[ReplayEvent, ...]:
        """Those of them that everybody was told, or the seat."""
        return tuple(replay_event(one) for one in events if one.to_seat in (None, self._seat))

    def _rest(self, now: Any) -> list[ReplayStep]:
        """What came after the last order, a pause or a vote; and the proof that we stand where the table
        does.
        """
        if _unnumbered(now) != _unnumbered(self._now):
            raise ReplayMismatch("another table")
        fresh = self._heard + self._told(self._events)
        if all(one.own for one in fresh):
            return []
        return [ReplayStep(self._stack[-1][2], fresh, packed(now, self._seat), self._picks)]


def packed(state: Any, seat: SeatNo | None = None) -> bytes:
    """What a seat sees, or everybody, as compressed JSON."""
    return zlib.compress(msgspec.json.encode(rules.view(state, seat)), 1)


def replay_event(event: GameEvent) -> ReplayEvent:
    """An event as a page tells it."""
    return ReplayEvent(event.no, event.name, json.loads(event.facts), event.at_ms, event.to_seat is not None)


def present_deal(rows: GameRows) -> GameRows:
    """Only what belongs to the deal that is played: the orders of one that was given up are marked, its
    events end where that was told.
    """
    after = max((n + 1 for n, one in enumerate(rows.events) if one.name == "gathers_anew"), default=0)
    later = rows.events[after:]
    begin = next((n for n, one in enumerate(later) if one.name in EVENTS), len(later))
    return rows._replace(lines=[line for line in rows.lines if line.undone != 2], events=later[begin:])


def _unnumbered(state: Any) -> dict[str, Any]:
    """The public view without the numbers of its questions: what is asked again has another one."""
    view = rules.view(state, None)
    return {**view, "waiting": [(one["seat"], one["kind"]) for one in view["waiting"]]}


def whole(tx: Tx, game: Game) -> GameRows:
    """All that there is of a table's present deal."""
    return present_deal(
        GameRows(
            game,
            tx.all(Seat, game_id=game.id, order="no"),
            tx.orders_of(game),
            tx.events_of(game),
        )
    )


def sits_since(events: Sequence[GameEvent], no: SeatNo) -> int:
    """When the person who sits there took the seat from somebody else (UTC ms), 0: it always was theirs."""
    taken = [one.at_ms for one in events if one.name == "taken_over" and json.loads(one.facts)["seat"] == no]
    return max(taken, default=0)


def unrolled(rows: GameRows, seat: SeatNo | None = None) -> GameHistory:
    """A past from the beginning: some hundredths of a second, where it is long."""
    past = GameHistory(seat)
    past.follow(rows)
    return past


def points(past: GameHistory, game: Game) -> list[list[int]]:
    """After each round that is over, the points of every city by seat; of a finished game, the score at
    last.
    """
    ends = {step.round: step for step in past.steps if step.packed}
    return [
        _points(step.view or {})
        for number, step in sorted(ends.items())
        if number and (number < game.round or game.status == GameStatus.OVER)
    ]


def _points(view: dict[str, Any]) -> list[int]:
    if view.get("result"):
        return [row["score"] for row in sorted(view["result"]["scores"], key=lambda row: int(row["seat"]))]
    return [player["points"] for player in view["players"]]


def course(composing: ComposeContext, game: Game) -> list[list[int]]:
    """The points of each city after every round that is over, by seat; of a finished game at last the score.

    Playing a long game again takes some hundredths of a second, in the store's reader; everybody who is told
    of its end is told within the minute.
    """
    if not game.snapshot or (game.round < 2 and game.status != GameStatus.OVER):
        return []  # no round is over yet
    return lately(
        composing.states,
        composing.now_ms,
        ("course", game.id, game.event_no),
        lambda: points(unrolled(whole(composing.tx, game)), game),
    )
