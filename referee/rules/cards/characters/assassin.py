"""Assassin, rank 1: names a character, who says nothing all round."""

from __future__ import annotations

from typing import Any

from ...abilities import Ability
from ...declared import Appeal, Lesson, Told, Use
from ...facts import Move, Refusal, Seat
from ...flow.call import faceup_last
from ...flow.turn import Turn
from ...model import Option, State
from ...seams import Character
from ...shapes import Shape

KILLED = "Assassin"  # round drawer: the character named


class Kill(Ability):
    """Whether somebody holds the one named, nobody learns now."""

    key = "kill"
    shapes = (Shape("kill <C>"),)

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        naming = g.rules.naming.get(self.key)
        if naming is None:
            naming = [Move("kill", (c.name,)) for c in g.rules.callings if c.rank > 1]
            g.rules.naming[self.key] = naming
        out.extend(faceup_last(g, naming))

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        return Refusal("no-target", target=move.args[0], why="self")

    def play(self, g: State, turn: Turn, move: Move) -> None:
        g.round_drawer[KILLED] = move.args[0]
        g.tell("killed", seat=turn.seat, character=move.args[0])


class Assassin(Character):
    name, rank, dullness = "Assassin", 1, 6
    abilities = (Kill(),)
    fields = ("killed",)
    declares = (
        Told("killed", "seat, character: the character named"),
        Appeal(0.8),
        Use("kill", "strike", place=1),
        Lesson("as", verbs=("kill",)),
        Lesson("named", "you-killed", "killed", place=1),
    )

    def silenced(self, g: State, character: str) -> bool:
        return bool(g.round_drawer.get(KILLED) == character)

    def spared(self, g: State, character: str) -> bool:
        return self.silenced(g, character)

    def place(self, g: State, field: str, value: Any, seat: Seat | None) -> None:
        if g.rules.characters[value].rank == self.rank or g.holder(self.name) is None:
            raise ValueError("somebody must hold the Assassin, and not name that card")
        g.round_drawer[KILLED] = value

    def marks(self, g: State, viewer: Seat | None) -> dict[str, Any]:
        return {"killed": g.round_drawer.get(KILLED)}
