"""Emperor, rank 4: must give the crown away, and takes a gold or a card from whom it goes to.

Not to himself, not to the person who has it.  Killed, he shows himself when the round ends and
gives it away then, taking nothing.
"""

from __future__ import annotations

from ... import chance
from ...abilities import Ability
from ...acts import crown, hand_over, pass_cards
from ...declared import Appeal, Lesson, Question, Told
from ...facts import Move, Refusal, Seat, move_of
from ...flow.turn import Turn
from ...model import Frame, Option, State
from ...powers import Income, show_heir
from ...seams import Character
from ...shapes import Shape

BARE, GOLD, CARD = Shape("crown <P>"), Shape("crown <P> gold"), Shape("crown <P> card")
GIVEN = "given"


def heirs(g: State, giver: Seat) -> list[Seat]:
    """Whom that seat may give the crown to."""
    return [seat for seat in range(len(g.players)) if seat not in (giver, g.crown)]


def can_pay(g: State, heir: Seat) -> bool:
    """Whether whom the crown goes to has gold by then: what its move brings comes first (rulings 38, 54)."""
    if g.players[heir].gold or not g.rules.on["crowned"] or not g.holds(54):
        return g.players[heir].gold > 0
    after = g.copy()
    crown(after, heir, GIVEN)
    return after.players[heir].gold > 0


def not_an_heir(g: State, giver: Seat, seat: Seat) -> Refusal | None:
    """Why the crown can't go there; None where it can."""
    if seat in heirs(g, giver):
        return None
    return Refusal("no-target", target=seat, why="self" if seat == giver else "crowned")


class GiveCrown(Ability):
    """Something is taken where there is something (ruling 9); of a hand, at random."""

    key = "crown"
    shapes = (BARE, GOLD, CARD)
    must = True

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        for seat in heirs(g, turn.seat):
            out.extend(self.tributes(g, seat))

    def tributes(self, g: State, seat: Seat) -> list[Move]:
        out = [move_of("crown", (seat, "gold"))] if can_pay(g, seat) else []
        if g.players[seat].hand:
            out.append(move_of("crown", (seat, "card")))
        return out or [Move("crown", (seat,))]

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        seat = move.args[0]
        possible = {s.text for s in self.shapes for m in self.tributes(g, seat) if s.fits(m.args)}
        return not_an_heir(g, turn.seat, seat) or Refusal(
            "malformed", verb=move.verb, expected=sorted(possible)
        )

    def play(self, g: State, turn: Turn, move: Move) -> None:
        seat, *what = move.args
        crown(g, seat, GIVEN)
        if what == ["gold"]:
            hand_over(g, seat, turn.seat, 1)
            g.tell("tribute_gold", seat=turn.seat, victim=seat, gold=1)
        elif what == ["card"]:
            hand = g.players[seat].hand
            number = hand[chance.below(g.seed, len(hand), "Emperor", g.round)]
            g.tell("tribute_card", seat=turn.seat, victim=seat)
            pass_cards(g, seat, turn.seat, (number,))


class Bequest(Frame):
    """The killed Emperor is asked when the round is over."""

    __slots__ = ("seat",)
    code = "emperor"
    verbs = frozenset({"crown"})

    def __init__(self, seat: Seat) -> None:
        self.seat = seat

    def asked(self, g: State) -> Seat | None:
        return self.seat

    def options(self, g: State) -> list[Option]:
        return [Move("crown", (seat,)) for seat in heirs(g, self.seat)]

    def take(self, g: State, move: Move) -> None:
        g.stack.pop()
        crown(g, move.args[0], GIVEN)

    def why_not(self, g: State, move: Move) -> Refusal:
        return not_an_heir(g, self.seat, move.args[0]) or Refusal(
            "malformed", verb=move.verb, expected=[BARE.text]
        )

    def dull(self, g: State) -> Move:
        return Move("crown", (heirs(g, self.seat)[0],))


class Emperor(Character):
    name, rank, type, dullness = "Emperor", 4, "noble", 2
    may_lie_faceup = False
    players_from = 3
    abilities = (Income("noble"), GiveCrown())
    declares = (
        Told("tribute_gold", "seat, victim, gold: taken from whom the crown was given to"),
        Told("tribute_card", "seat, victim: one card, taken at random from whom the crown was given to"),
        Appeal(0.5, type="noble"),
        Question(
            "emperor",
            ("emperor",),
            ("crown",),
            off_turn=True,
            forms=("crown", "crown <P>"),
            offers=("crown {player} always", "crown ask me"),
            place=8,
        ),
        Lesson("as", verbs=("crown",)),
        Lesson("asked", what="emperor"),
        Lesson("done", "you-crowned", "tribute_gold tribute_card", place=11),
    )

    def round_over(self, g: State) -> None:
        seat = g.holder(self.name)
        if seat is None or self.name in g.players[seat].revealed:
            return
        show_heir(g, seat, self.name)
        possible = heirs(g, seat)
        if len(possible) == 1:
            crown(g, possible[0], GIVEN)
        else:
            g.stack.append(Bequest(seat))
