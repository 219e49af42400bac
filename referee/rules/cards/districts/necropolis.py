"""Necropolis: it may be built by destroying a district of one's own instead of paying."""

from __future__ import annotations

from ...abilities import Way
from ...facts import Move, Refusal, move_of
from ...flow.build import Build
from ...flow.loss import destroy
from ...flow.standing import plain_name, standing
from ...flow.turn import Turn
from ...model import Option, State
from ...seams import District
from ...shapes import Shape


class Bury(Way):
    shapes = (Shape("build <D> with <B>"),)

    def offer(self, g: State, turn: Turn, district: District, out: list[Option]) -> None:
        out.extend([move_of("build", (district.name, "with", name)) for name in standing(g, turn.seat)])

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        return Refusal("not-in-city", card=plain_name(move.args[2]), player=turn.seat)

    def pay(self, g: State, turn: Turn, move: Move, build: Build) -> None:
        destroy(g, turn.seat, turn.seat, standing(g, turn.seat)[move.args[2]], 0)


class Necropolis(District):
    name, cost = "Necropolis", 5
    own_ways = (Bury(),)
