"""Cardinal, rank 5: income in cards; what he lacks for a build, one player lends him for good,
and gets a card of his for each gold."""

from __future__ import annotations

from ...abilities import Way
from ...acts import gain, hand_over, pass_cards
from ...declared import Appeal, Lesson, Told
from ...facts import Family, Move, Refusal, Seat
from ...flow.build import Build, price_of
from ...flow.refuse import lacking
from ...flow.turn import Turn
from ...model import Option, State
from ...powers import CardIncome
from ...seams import Character, District
from ...shapes import Shape

#: among the keys of what has been used this turn: he has borrowed
BORROWED = "Cardinal"


class Borrow(Way):
    """Exactly what is missing, from one player, once a turn; the card to be built is no payment."""

    shapes = (Shape("build <D> borrowing <P> giving <D>+"),)

    def missing(self, g: State, seat: Seat, district: District) -> int:
        return price_of(g, seat, district) - g.players[seat].gold

    def offer(self, g: State, turn: Turn, district: District, out: list[Option]) -> None:
        if BORROWED in turn.used:
            return
        missing = self.missing(g, turn.seat, district)
        if not 0 < missing < len(g.players[turn.seat].hand):
            return
        others = self.others(g, turn.seat, district)
        for seat, player in enumerate(g.players):
            if seat != turn.seat and player.gold >= missing:
                before = (district.name, "borrowing", seat, "giving")
                out.append(Family("build", others, missing, missing, before))

    def others(self, g: State, seat: Seat, district: District) -> tuple[str, ...]:
        """The cards of the hand that can be given."""
        hand = g.names(g.players[seat].hand)
        hand.remove(district.name)
        return tuple(hand)

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        if BORROWED in turn.used:
            return Refusal("used", source=BORROWED)
        name, _, lender, _, given = move.args
        district = g.rules.districts[name]
        missing = self.missing(g, turn.seat, district)
        others = self.others(g, turn.seat, district)
        if lender == turn.seat:
            return Refusal("no-target", target=lender, why="self")
        if missing <= 0:
            return Refusal("no-effect", verb="borrowing")
        if g.players[lender].gold < missing:
            return Refusal("no-target", target=lender, why="poor")
        for card in given:
            if given.count(card) > others.count(card):
                return lacking(card, others.count(card) + (card == name))
        return Refusal("count", least=missing, most=missing)

    def pay(self, g: State, turn: Turn, move: Move, build: Build) -> None:
        name, _, lender, _, given = move.args
        build.paid = price_of(g, turn.seat, g.rules.districts[name])
        hand_over(g, lender, turn.seat, len(given))
        g.tell("borrowed", seat=turn.seat, victim=lender, gold=len(given))
        hand, numbers = g.players[turn.seat].hand[:], []
        for card in given:
            numbers.append(g.find(hand, card))
            hand.remove(numbers[-1])
        pass_cards(g, turn.seat, lender, tuple(numbers))
        gain(g, turn.seat, -build.paid)
        if g.holds(46):
            turn.used += (BORROWED,)


class Cardinal(Character):
    name, rank, type, dullness = "Cardinal", 5, "religious", 6
    abilities = (CardIncome("religious"),)
    ways = (Borrow(),)
    declares = (
        Told("borrowed", "seat, victim, gold: as many cards were given for it"),
        Appeal(0.3, type="religious"),
        Lesson("as"),
        Lesson("done", "you-lent", "borrowed", place=13),
    )
