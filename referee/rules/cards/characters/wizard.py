"""Wizard, rank 3: looks at a hand and takes one card of it, or builds that at once by paying.

Such a build counts toward no limit.  All turn he may build what stands in his city already;
in the older edition only the build from the hand that he looked at may be such a twin.
"""
from __future__ import annotations

from typing import Any

from ...abilities import Ability
from ...acts import pass_cards
from ...facts import Move, Refusal, Seat
from ...flow.build import Build, is_full, pay, price_of
from ...flow.turn import Turn
from ...model import Frame, Option, State
from ...seams import Character, District
from ...shapes import Shape


class Peek(Ability):
    """Of a single card, before gathering, there is nothing to choose: it is taken."""

    key = "peek"
    shapes = (Shape("peek <P>"),)

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        for seat, player in enumerate(g.players):
            if seat != turn.seat and player.hand:
                out.append(Move("peek", (seat,)))

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        if move.args[0] == turn.seat:
            return Refusal("no-target", target=move.args[0], why="self")
        return Refusal("no-effect", verb=move.verb)

    def play(self, g: State, turn: Turn, move: Move) -> None:
        victim = move.args[0]
        hand = g.players[victim].hand
        g.sealed = True
        g.tell("peeked", seat=turn.seat, victim=victim)
        g.tell_cards("hand_seen", turn.seat, hand)
        if len(hand) == 1 and not turn.gathered:
            take_card(g, turn.seat, victim, hand[0])
        else:
            g.stack.append(Choice(turn.seat, victim))


def take_card(g: State, seat: Seat, victim: Seat, number: int) -> None:
    g.tell("took_card", seat=seat, victim=victim)
    pass_cards(g, victim, seat, (number,))


class Choice(Frame):
    """Asked also where one answer is possible: the others shall not know that nothing in that
    hand could be built."""

    __slots__ = ("seat", "victim")
    code = "wizard"
    verbs = frozenset({"take", "build"})
    hushed = True

    def __init__(self, seat: Seat, victim: Seat) -> None:
        self.seat, self.victim = seat, victim

    def asked(self, g: State) -> Seat | None:
        return self.seat

    def sees(self, g: State) -> tuple[int, ...]:
        return tuple(g.players[self.victim].hand)

    def options(self, g: State) -> list[Option]:
        hand = dict.fromkeys([g.cards[n] for n in g.players[self.victim].hand])
        out: list[Option] = [Move("take", (district.name,)) for district in hand]
        if g.top(Turn).gathered:
            out.extend([district.order for district in hand if self.refuses(g, district) is None])
        return out

    def refuses(self, g: State, district: District) -> Refusal | None:
        """Why that district can't be built at once."""
        gold = g.players[self.seat].gold
        if is_full(g, self.seat):
            return Refusal("full", most=len(g.players[self.seat].city))
        if district.forbidden(g, self.seat):
            return Refusal("cannot-build", card=district.name)
        price = price_of(g, self.seat, district)
        return Refusal("too-poor", price=price, gold=gold) if price > gold else None

    def take(self, g: State, move: Move) -> None:
        g.stack.pop()
        hand = g.players[self.victim].hand
        number = g.find(hand, move.args[0])
        if move.verb == "take":
            take_card(g, self.seat, self.victim, number)
            return
        hand.remove(number)
        build = Build(self.seat, number, None)
        g.stack.append(build)
        pay(g, build)

    def why_not(self, g: State, move: Move) -> Refusal:
        name = move.args[0]
        if name not in g.names(g.players[self.victim].hand):
            return Refusal("not-offered", card=name)
        if len(move.args) > 1:
            return Refusal("malformed", verb=move.verb, expected=["take <D>", "build <D>"])
        if not g.top(Turn).gathered:
            return Refusal("gather-first", verb=move.verb)
        refusal = self.refuses(g, g.rules.districts[name])
        assert refusal is not None, "what is not offered has a reason"
        return refusal

    def dull(self, g: State) -> Move:
        hand = g.players[self.victim].hand
        cheapest = min(hand, key=lambda n: (g.cards[n].cost, g.cards[n].name))
        return Move("take", (g.cards[cheapest].name,))

    def shows(self, g: State) -> dict[str, Any]:
        return {"seen": {"seat": self.victim, "hand": g.names(g.players[self.victim].hand)}}


class Wizard(Character):
    name, rank, dullness = "Wizard", 3, 3
    shapes = (Shape("take <D>"),)
    abilities = (Peek(),)

    def __init__(self, *, all_turn: bool = True) -> None:
        self.builds_twins = all_turn
