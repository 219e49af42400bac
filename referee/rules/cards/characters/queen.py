"""Queen, rank 9: three gold, sitting beside the player who revealed rank 4.

Beside a killed rank 4 the gold comes when that card shows itself, at the end of the round:
before that nobody may know who has it.
"""

from __future__ import annotations

from ...abilities import Ability
from ...acts import gain
from ...declared import Appeal, Free, Lesson, Told, Use
from ...facts import Move, Refusal, Seat
from ...flow.call import is_silenced, player_of
from ...flow.turn import Turn
from ...model import Option, State
from ...seams import Character
from ...shapes import Shape

FAVOR = Move("favor")
GOLD, ROYAL = 3, 4


def royal_neighbour(g: State, seat: Seat, *, killed: bool) -> bool:
    """Whether somebody beside that seat has a card of rank 4: one that was revealed when it was called, or
    one that was killed.
    """
    cast, count = g.rules.characters, len(g.players)
    for beside in ((seat - 1) % count, (seat + 1) % count):
        player = g.players[beside]
        for name in player.characters:
            if cast[name].rank == ROYAL and (is_silenced(g, name) if killed else name in player.revealed):
                return True
    return False


class Favor(Ability):
    key = "favor"
    shapes = (Shape("favor"),)

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        if royal_neighbour(g, turn.seat, killed=False):
            out.append(FAVOR)

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        return Refusal("no-effect", verb=move.verb)

    def play(self, g: State, turn: Turn, move: Move) -> None:
        gain(g, turn.seat, GOLD)
        g.tell("favored", seat=turn.seat, gold=GOLD)


class Queen(Character):
    name, rank, players_from, dullness = "Queen", 9, 5, 1
    abilities = (Favor(),)
    declares = (
        Told("favored", "seat, gold"),
        Appeal(1.0),
        Free("favor", place=3),
        Use("favor", "take", place=4),
        Lesson("as", verbs=("favor",)),
    )

    def round_over(self, g: State) -> None:
        holder = g.holder(self.name)
        if holder is None or self.name not in g.players[holder].revealed:
            return  # nobody, or killed herself
        seat = player_of(g, self.name)
        if seat is not None and royal_neighbour(g, seat, killed=True):
            gain(g, seat, GOLD)
            g.tell("favored", seat=seat, gold=GOLD)
