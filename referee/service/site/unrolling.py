"""The past of a table, as everybody could see it then: played again from the journal, step by step.

The journal has every order, also those that were taken back; the events say where that happened.  Both are walked side by side: an
order is played where its own events stand, and a position is left again where an event says so.  What does not fit (it never should) is
told without the table, never with a wrong one.
"""
from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from referee import rules
from referee.rules import EVENTS, Refusal, chance
from referee.rules.notation import read_order
from referee.store import Game, GameEvent, Journal, Seat

from ..moves import OWN
from ..sitting import names, setup_of

log = logging.getLogger(__name__)
#: events after which the table stands as it did before
_BACK = frozenset({"undone", "rewound", "miss_forgiven"})
#: events of the selection: several players' picks in a row are one step
_PICKS = frozenset({"picked", "put_away"})


class Told(NamedTuple):
    """A public event."""

    name: str
    facts: dict[str, Any]
    at_ms: int


class Step(NamedTuple):
    """What happened at once, and the table after it: the public view as JSON, b"" where it could not be made out."""

    round: int
    told: tuple[Told, ...]
    view: bytes

    @property
    def quiet(self) -> bool:
        """Whether nothing but characters was picked."""
        return all(one.name in _PICKS for one in self.told)


class Rows(NamedTuple):
    """What the store has of a game."""

    game: Game
    seats: list[Seat]
    lines: list[Journal]
    events: list[GameEvent]


class Lost(Exception):
    """Journal and events don't fit each other."""


class Past:
    """One table's past; goes on where it was when there is more.  `steps` may be read at any time, by another thread too."""

    def __init__(self) -> None:
        self.upto = -1                                # the number of the last event that `steps` tell
        self.steps: tuple[Step, ...] = ()
        self._clear()

    def follow(self, rows: Rows) -> None:
        """Take in what has happened since.  `rows` are all of the game's present deal."""
        try:
            self._walk(rows)
            steps = (*self._steps, *self._rest(rows))
        except (Lost, Refusal, LookupError, ValueError):
            log.exception("the past of a table could not be played again", extra={"game": rows.game.id})
            self._clear()
            steps = tuple(Step(0, (told(one),), b"") for one in rows.events if one.to_seat is None)
        self.steps = steps
        self.upto = rows.game.event_no

    def _clear(self) -> None:
        self._steps: list[Step] = []
        self._stack: list[tuple[Journal | None, Any, int]] = []   # the line, the position after it, its round
        self._line, self._cursor, self._first = 0, 0, 0

    def _walk(self, rows: Rows) -> None:
        setup = setup_of(rows.game, rows.seats)
        book = rules.rulebook(setup)
        if self._first != (rows.events[0].no if rows.events else 0):
            self._clear()                             # another deal
        if not self._stack:
            begun = rules.new_game(setup, chance.mix(bytes.fromhex(rows.game.seed), [s.word for s in rows.seats]))
            end = self._match(rows, begun.events, len(rows.events))
            if end is None:
                raise Lost("the deal")
            self._stack.append((None, begun.state, 1))
            self._first = rows.events[0].no
            self._add(rows, end, 1)
        for line in rows.lines[self._line:]:
            move = read_order(line.order, names(rows.seats), book)
            while True:
                back = next((n for n in range(self._cursor, len(rows.events)) if rows.events[n].name in _BACK), len(rows.events))
                made = self._played(rows, line, move, back)
                if made is not None:
                    break
                if back == len(rows.events):
                    raise Lost(line.order)
                self._go_back(rows, back)
            outcome, end = made
            number = next((int(e.facts["round"]) for e in outcome.events if e.name == "round_began"), self._stack[-1][2])
            self._stack.append((line, outcome.state, number))
            self._add(rows, end, number)
            self._line += 1
        while (back := next((n for n in range(self._cursor, len(rows.events)) if rows.events[n].name in _BACK), -1)) >= 0:
            self._go_back(rows, back)

    def _played(self, rows: Rows, line: Journal, move: Any, back: int) -> tuple[Any, int] | None:
        """What the order led to and where its events end, if they stand before event `back`."""
        try:
            outcome = rules.play(self._stack[-1][1], line.seat, move)
        except Refusal:
            return None
        end = self._match(rows, outcome.events, back)
        return None if end is None else (outcome, end)

    def _match(self, rows: Rows, wanted: Sequence[Any], before: int) -> int | None:
        """Where these events end, the first time that they stand in a row."""
        kinds = [(one.name, one.to) for one in wanted]
        for at in range(self._cursor, before - len(kinds) + 1):
            if all((rows.events[at + n].name, rows.events[at + n].to_seat) == kind for n, kind in enumerate(kinds)):
                return at + len(kinds)
        return self._cursor if not kinds else None

    def _go_back(self, rows: Rows, at: int) -> None:
        """Leave the last positions, as event `at` says."""
        event, facts = rows.events[at], json.loads(rows.events[at].facts)
        if event.name == "undone":
            self._leave(1)
        elif event.name == "rewound":
            first = next(n for n, (_, _, number) in enumerate(self._stack) if number == facts["round"])
            self._leave(len(self._stack) - 1 - first)
        elif facts["answer"]:
            self._leave(self._missed(facts["seat"]))
        self._add(rows, at + 1, self._stack[-1][2])

    def _missed(self, seat: int) -> int:
        """How many orders back the last answer was given for this seat in its absence; 0 where it stands no more."""
        behind = [line for line, _, _ in self._stack[1:] if line is not None]
        last = next((line for line in reversed(behind) if line.seat == seat and line.by not in OWN), None)
        if last is None or not last.undone:
            return 0
        first = next(n for n, line in enumerate(behind) if (line.seat, line.at_ms) == (seat, last.at_ms))
        return len(behind) - first

    def _leave(self, count: int) -> None:
        if count >= len(self._stack):
            raise Lost("back before the deal")
        del self._stack[len(self._stack) - count:]

    def _add(self, rows: Rows, end: int, number: int) -> None:
        """A step of the public events up to there; picks join those before them, what nobody saw joins what comes next."""
        fresh = tuple(told(one) for one in rows.events[self._cursor:end] if one.to_seat is None)
        self._cursor = end
        if not fresh:
            return
        step = Step(number, fresh, seen(self._stack[-1][1]))
        if self._steps and step.quiet and self._steps[-1].quiet and self._steps[-1].round == number:
            step = step._replace(told=(*self._steps.pop().told, *fresh))
        self._steps.append(step)

    def _rest(self, rows: Rows) -> list[Step]:
        """What came after the last order, a pause or a vote; and the proof that we stand where the table does."""
        now = rules.load(json.loads(rows.game.snapshot))
        if _unnumbered(seen(now)) != _unnumbered(seen(self._stack[-1][1])):
            raise Lost("another table")
        fresh = tuple(told(one) for one in rows.events[self._cursor:] if one.to_seat is None)
        return [Step(self._stack[-1][2], fresh, seen(now))] if fresh else []


def seen(state: Any) -> bytes:
    """The public view as JSON."""
    return msgspec.json.encode(rules.view(state, None))


def told(event: GameEvent) -> Told:
    """An event as a page tells it."""
    return Told(event.name, json.loads(event.facts), event.at_ms)


def present_deal(rows: Rows) -> Rows:
    """Only what belongs to the deal that is played: the orders of one that was given up are marked, its events end where that was told."""
    after = max((n + 1 for n, one in enumerate(rows.events) if one.name == "gathers_anew"), default=0)
    later = rows.events[after:]
    begin = next((n for n, one in enumerate(later) if one.name in EVENTS), len(later))
    return rows._replace(lines=[line for line in rows.lines if line.undone != 2], events=later[begin:])


def _unnumbered(view: bytes) -> dict[str, Any]:
    """The view without the numbers of its questions: what is asked again has another one."""
    found: dict[str, Any] = msgspec.json.decode(view)
    return {**found, "waiting": [(one["seat"], one["kind"]) for one in found["waiting"]]}
