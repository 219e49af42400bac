"""Framework: its owner may destroy it instead of paying for a district."""

from __future__ import annotations

from ...abilities import Way
from ...facts import Move, Refusal, move_of
from ...flow.build import Build
from ...flow.loss import destroy
from ...flow.standing import standing
from ...flow.turn import Turn
from ...model import Option, State
from ...seams import District
from ...shapes import Shape

NAME = "Framework"


class Dismantle(Way):
    """Nothing is paid, so nothing can be confiscated or comes back."""

    shapes = (Shape("build <D> with Framework"),)

    def offer(self, g: State, turn: Turn, district: District, out: list[Option]) -> None:
        out.append(move_of("build", (district.name, "with", NAME)))

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        return Refusal("cannot-build", card=move.args[0])

    def pay(self, g: State, turn: Turn, move: Move, build: Build) -> None:
        destroy(g, turn.seat, turn.seat, standing(g, turn.seat)[NAME], 0)


class Framework(District):
    name, cost = NAME, 3
    ways = (Dismantle(),)
