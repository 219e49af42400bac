"""Abbot, rank 5: gold and cards in any split for his income, and one gold from the richest.

In the older edition his income is gold, and nobody pays where several are the richest.
"""

from __future__ import annotations

from ...abilities import Ability
from ...acts import hand_over
from ...declared import Appeal, Lesson, Told, Use
from ...facts import Figures, Move, Refusal, Seat, move_of
from ...flow.turn import Turn
from ...model import Option, State
from ...powers import CardIncome, Income
from ...seams import Character
from ...shapes import Shape

SPLIT = Shape("income <n> gold <n> cards")
TITHE = Move("tithe")


class SplitIncome(Ability):
    """One gold or one card for each religious district, as declared when it is ordered."""

    key = "income"
    shapes = (SPLIT,)

    def __init__(self, type: str) -> None:
        super().__init__()
        self.gold, self.cards = Income(type), CardIncome(type)

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        count = self.gold.count(g, turn)
        if count:
            least = count - self.cards_at_most(g, count)
            out.extend(
                [move_of("income", (n, "gold", count - n, "cards")) for n in range(count, least - 1, -1)]
            )

    def cards_at_most(self, g: State, count: int) -> int:
        """How many of `count` may be declared as cards: all where there are some (ruling 18), none of an
        empty deck (ruling 47; before that, not all of them).
        """
        if g.deck:
            return count
        return 0 if g.holds(47) else count - 1

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        count = self.gold.count(g, turn)
        if not count:
            return Refusal("no-effect", verb=move.verb)
        if not SPLIT.fits(move.args):
            return Refusal("malformed", verb=move.verb, expected=[SPLIT.text])
        return Refusal("split", count=count, most=self.cards_at_most(g, count))

    def play(self, g: State, turn: Turn, move: Move) -> None:
        gold, _, cards, _ = move.args
        if gold:
            self.gold.pay(g, turn, gold)
        if cards:
            self.cards.pay(g, turn, cards)

    def figures(self, g: State, turn: Turn, move: Move) -> Figures:
        gold, _, cards, _ = move.args
        return Figures(gold=gold, cards=min(cards, len(g.deck)))


def richest(g: State, seat: Seat) -> list[Seat]:
    """Who has the most gold; nobody where that seat is among them."""
    most = max([player.gold for player in g.players])
    if g.players[seat].gold == most:
        return []
    return [other for other, player in enumerate(g.players) if player.gold == most]


class Tithe(Ability):
    """`single`: only where one player alone is the richest."""

    key = "tithe"

    def __init__(self, *, single: bool) -> None:
        self.single = single
        self.shapes = (Shape("tithe"),) if single else (Shape("tithe"), Shape("tithe <P>"))
        super().__init__()

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        rich = richest(g, turn.seat)
        if len(rich) == 1:
            out.append(TITHE)
        elif not self.single:
            out.extend([Move("tithe", (seat,)) for seat in rich])

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        rich = richest(g, turn.seat)
        if not rich or (self.single and len(rich) > 1):
            return Refusal("no-effect", verb=move.verb)
        if move.args and move.args[0] not in rich:
            return Refusal("no-target", target=move.args[0], why="not-richest")
        expected = "tithe" if len(rich) == 1 else "tithe <P>"
        return Refusal("malformed", verb=move.verb, expected=[expected])

    def play(self, g: State, turn: Turn, move: Move) -> None:
        victim = move.args[0] if move.args else richest(g, turn.seat)[0]
        hand_over(g, victim, turn.seat, 1)
        g.tell("tithe", seat=turn.seat, victim=victim, gold=1)


class Abbot(Character):
    name, rank, type, dullness = "Abbot", 5, "religious", 7
    declares = (
        Told("tithe", "seat, victim, gold: taken from the richest"),
        Appeal(0.6, type="religious"),
        Use("tithe", "take", place=7),
        Lesson("as"),
        Lesson("done", "you-tithed", "tithe", place=12),
    )

    def __init__(self, *, older: bool = False) -> None:
        income = Income("religious") if older else SplitIncome("religious")
        self.abilities = (income, Tithe(single=older))
