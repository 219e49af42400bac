"""Bell Tower: who builds it may declare that the game ends at one district fewer.

While it stands, in whatever city; destroyed, the old number holds again, and a city that
was complete thanks to it alone is complete no longer.
"""

from __future__ import annotations

from typing import Any

from ...declared import Lesson, Question, Told
from ...facts import Move, Refusal, Seat
from ...flow.completion import city_size, note_completion
from ...flow.standing import has_name
from ...model import Frame, Option, State
from ...seams import District
from ...shapes import Shape

NAME = "Bell Tower"  # game drawer: the seats whose city is complete without it, too
FINISH, PASS = Move("finish"), Move("pass")


class Bell(Frame):
    __slots__ = ("seat",)
    code = "bell-tower"
    verbs = frozenset({"finish", "pass"})

    def __init__(self, seat: Seat) -> None:
        self.seat = seat

    def asked(self, g: State) -> Seat | None:
        return self.seat

    def options(self, g: State) -> list[Option]:
        return [FINISH, PASS]

    def take(self, g: State, move: Move) -> None:
        g.stack.pop()
        if move == PASS:
            return
        g.game_drawer[NAME] = g.completed
        g.goal -= 1
        g.tell("bell_rung", seat=self.seat, count=g.goal)
        for place in range(len(g.players)):  # the builder first, then clockwise
            note_completion(g, (self.seat + place) % len(g.players))

    def why_not(self, g: State, move: Move) -> Refusal:
        return Refusal("malformed", verb=move.verb, expected=["finish", "pass"])

    def dull(self, g: State) -> Move:
        return PASS

    def shows(self, g: State) -> dict[str, Any]:
        return {"bell": g.goal - 1}


class BellTower(District):
    name, cost = NAME, 5
    shapes = (Shape("finish"), Shape("pass"))
    declares = (
        Told("bell_rung", "seat, count: districts that complete a city from now on"),
        Told("bell_silent", "count: the Bell Tower is gone, so many districts complete a city again"),
        Question("bell-tower", ("bell-tower",), ("finish",), "pass", place=7),
        Lesson("asked", what="bell-tower"),
    )

    def built(self, g: State, seat: Seat, number: int, paid: int) -> None:
        if g.cards[number].name == NAME:
            g.stack.append(Bell(seat))
        elif NAME in g.game_drawer and seat not in g.game_drawer[NAME] and city_size(g, seat) > g.goal:
            g.game_drawer[NAME] = (*g.game_drawer[NAME], seat)

    def lost(self, g: State, victim: Seat, by: Seat) -> None:
        if NAME not in g.game_drawer or any(has_name(g, seat, NAME) for seat in range(len(g.players))):
            return
        really = g.game_drawer.pop(NAME)
        g.goal += 1
        # in the order in which they were complete without it, too
        g.completed = really if g.holds(55) else tuple(seat for seat in g.completed if seat in really)
        g.tell("bell_silent", count=g.goal)
