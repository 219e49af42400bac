"""Wizard, rank 3: looks at a hand and takes one card of it, or builds that at once by paying.

Such a build counts toward no limit, and is paid for: in gold, or as the district itself says,
but not by something done instead of paying.  All turn he may build what stands in his city already;
in the older edition only the build from the hand that he looked at may be such a twin.
"""

from __future__ import annotations

from typing import Any

from ...abilities import Ability, Way
from ...acts import pass_cards
from ...declared import Appeal, Lesson, Reply, Told, Use, Within
from ...facts import NO_FIGURES, Figures, Move, Refusal, Seat, move_of
from ...flow.build import Build, build_figures, is_full, pay, price_of
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
                out.append(move_of("peek", (seat,)))

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


def draw_out(g: State, victim: Seat, name: str) -> int:
    """Take that card out of the hand."""
    hand = g.own(victim).hand
    number = g.find(hand, name)
    hand.remove(number)
    return number


def payments(district: District) -> list[Way]:
    """The ways in which the district itself can be paid for otherwise."""
    return [way for way in district.own_ways if way.is_payment]


def payment(district: District, move: Move) -> Way:
    """The one of them that the order means; the caller knows there is one."""
    return next(way for way in payments(district) if any(shape.fits(move.args) for shape in way.shapes))


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
        out: list[Option] = [move_of("take", (district.name,)) for district in hand]
        if g.top(Turn).gathered:
            gold = g.players[self.seat].gold
            for district in hand:
                if self.bars(g, district) is None:
                    if price_of(g, self.seat, district) <= gold:
                        out.append(district.order)
                    for way in payments(district):
                        h = self.in_own_hand(g, district)
                        way.offer(h, h.top(Turn), district, out)
        return out

    def bars(self, g: State, district: District) -> Refusal | None:
        """Why that district can't be built at once, whatever is paid."""
        if is_full(g, self.seat):
            return Refusal("full", most=len(g.players[self.seat].city))
        if district.forbidden(g, self.seat):
            return Refusal("cannot-build", card=district.name)
        return None

    def in_own_hand(self, g: State, district: District) -> State:
        """The table as if the card had been taken, for a way to build that looks at the hand."""
        h = g.copy()
        h.own(self.seat).hand.append(draw_out(h, self.victim, district.name))
        return h

    def figures(self, g: State, move: Move) -> Figures:
        return build_figures(g, self.seat, move) if move.verb == "build" else NO_FIGURES

    def take(self, g: State, move: Move) -> None:
        g.stack.pop()
        if move.verb == "take":
            take_card(g, self.seat, self.victim, g.find(g.players[self.victim].hand, move.args[0]))
            return
        build = Build(self.seat, draw_out(g, self.victim, move.args[0]), None)
        g.stack.append(build)
        if len(move.args) == 1:
            pay(g, build)
        else:
            payment(g.cards[build.number], move).pay(g, g.top(Turn), move, build)

    def why_not(self, g: State, move: Move) -> Refusal:
        name = move.args[0]
        if name not in g.names(g.players[self.victim].hand):
            return Refusal("not-offered", card=name)
        district, turn = g.rules.districts[name], g.top(Turn)
        if not turn.gathered:
            return Refusal("gather-first", verb=move.verb)
        bar = self.bars(g, district)
        if bar is not None:
            return bar
        if len(move.args) == 1:
            return Refusal("too-poor", price=price_of(g, self.seat, district), gold=g.players[self.seat].gold)
        if not any(shape.fits(move.args) for way in payments(district) for shape in way.shapes):
            return Refusal("malformed", verb=move.verb, expected=["take <D>", "build <D>"])
        h = self.in_own_hand(g, district)
        return payment(district, move).why_not(h, h.top(Turn), move)

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
    declares = (
        Told("peeked", "seat, victim: a hand was looked at"),
        Told("took_card", "seat, victim: one card of the hand looked at"),
        Appeal(0.9),
        Use("peek", "look"),
        Within("take"),
        Reply("wizard", how="seen"),
        Lesson("as", verbs=("peek",)),
        Lesson("asked", what="wizard"),
        Lesson("done", "you-peeked", "took_card", place=9),
    )

    def __init__(self, *, all_turn: bool = True) -> None:
        self.builds_twins = all_turn
