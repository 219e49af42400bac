"""Thief, rank 2: names a character; when that one is called, its gold goes to the Thief.

Not rank 1, and not a character that was killed or bewitched.
"""

from __future__ import annotations

from typing import Any

from ...abilities import Ability
from ...acts import hand_over
from ...declared import Appeal, Lesson, Told, Use
from ...facts import Move, Refusal, Seat
from ...flow.call import faceup_last, is_spared, player_of
from ...flow.turn import Turn
from ...model import Option, State
from ...seams import Character
from ...shapes import Shape

ROBBED = "Thief"  # round drawer: (the character named, the Thief's seat)


class Rob(Ability):
    key = "rob"
    shapes = (Shape("rob <C>"),)

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        naming = g.rules.naming.get(self.key)
        if naming is None:
            naming = [Move("rob", (c.name,)) for c in g.rules.callings if c.rank > 2]
            g.rules.naming[self.key] = naming
        out.extend([m for m in faceup_last(g, naming) if not is_spared(g, m.args[0])])

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        name = move.args[0]
        rank = g.rules.characters[name].rank
        why = "self" if rank == 2 else "rank-1" if rank == 1 else "spared"
        return Refusal("no-target", target=name, why=why)

    def play(self, g: State, turn: Turn, move: Move) -> None:
        g.round_drawer[ROBBED] = (move.args[0], turn.seat)
        g.tell("named_robbed", seat=turn.seat, character=move.args[0])


class Thief(Character):
    name, rank, dullness = "Thief", 2, 5
    abilities = (Rob(),)
    fields = ("robbed",)
    declares = (
        Told("named_robbed", "seat, character: the character named"),
        Told("robbed", "seat, victim, gold"),
        Appeal(0.0, purse=3),
        Use("rob", "strike", place=2),
        Lesson("as", verbs=("rob",)),
        Lesson("done", "you-robbed", "robbed", place=3),
    )

    def revealed(self, g: State, seat: Seat, character: str) -> None:
        named, thief = g.round_drawer.get(ROBBED, (None, None))
        if named == character:
            gold = g.players[seat].gold
            if seat != thief:
                hand_over(g, seat, thief, gold)
                g.tell("robbed", seat=thief, victim=seat, gold=gold)

    def place(self, g: State, field: str, value: Any, seat: Seat | None) -> None:
        thief = player_of(g, self.name)
        if g.rules.characters[value].rank <= self.rank or thief is None:
            raise ValueError("somebody must hold the Thief, and name a higher rank")
        g.round_drawer[ROBBED] = (value, thief)

    def marks(self, g: State, viewer: Seat | None) -> dict[str, Any]:
        return {"robbed": g.round_drawer.get(ROBBED, (None, None))[0]}
