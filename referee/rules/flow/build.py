"""Building: from the hand, for its price, into the city."""
from __future__ import annotations

from ..facts import Refusal, Seat
from ..model import Frame, Option, State
from ..seams import District
from .completion import note_completion
from .moment import announce


def price_of(g: State, seat: Seat, district: District) -> int:
    """What that seat pays for it now, gold."""
    price = district.cost
    listening = g.rules.at["price"]
    if listening:
        for number in g.players[seat].city:
            if g.cards[number] in listening:
                price = g.cards[number].price(g, seat, district, price)
    return price


def twin_allowed(g: State, seat: Seat, district: District) -> bool:
    """Whether a district of a name that stands in the city may be built again."""
    listening = g.rules.at["twins"]
    return bool(listening) and any(
        g.cards[n] in listening and g.cards[n].twins(g, seat, district) for n in g.players[seat].city
    )


def build_options(g: State, seat: Seat, out: list[Option]) -> None:
    """Append an order for each district of the hand that can be built now by paying."""
    me, cards = g.players[seat], g.cards
    standing = {cards[n] for n in me.city}
    gold, priced, limited = me.gold, g.rules.at["price"], g.rules.limited
    for district in dict.fromkeys([cards[n] for n in me.hand]):
        price = price_of(g, seat, district) if priced else district.cost
        if price > gold or (district in standing and not twin_allowed(g, seat, district)):
            continue
        if district not in limited or not district.forbidden(g, seat):
            out.append(district.order)


def why_not_build(g: State, seat: Seat, name: str, built: int, limit: int) -> Refusal:
    district = g.rules.districts[name]
    me = g.players[seat]
    if name not in g.names(me.hand):
        return Refusal("not-in-hand", card=name)
    if built >= limit:
        return Refusal("limit", limit=limit)
    if district.forbidden(g, seat):
        return Refusal("cannot-build", card=name)
    if name in g.names(me.city) and not twin_allowed(g, seat, district):
        return Refusal("identical", card=name, player=seat)
    return Refusal("too-poor", price=price_of(g, seat, district), gold=me.gold)


def take_from_hand(g: State, seat: Seat, name: str) -> tuple[int, int]:
    """The card, out of the hand, and its price."""
    me = g.players[seat]
    number = g.find(me.hand, name)
    me.hand.remove(number)
    return number, price_of(g, seat, g.cards[number])


class Build(Frame):
    """A district between hand and city.  `city` is where it will stand (a card may change
    it while `building` is told), `paid` the gold paid, None where it was not paid for."""

    __slots__ = ("city", "number", "paid", "seat", "step")
    code = "build"

    def __init__(self, seat: Seat, number: int, paid: int | None) -> None:
        self.seat, self.city, self.number, self.paid, self.step = seat, seat, number, paid, 0

    def advance(self, g: State) -> None:
        self.step += 1
        if self.step == 1:
            announce(g, "building")
            if g.stack[-1] is not self:
                return                          # somebody is asked first
            self.step = 2
        if self.step == 2:
            g.quiet = 0
            g.players[self.city].city.append(self.number)
            g.tell("built", seat=self.city, district=g.cards[self.number].name, paid=self.paid or 0)
            note_completion(g, self.city)
            announce(g, "built", self.city, self.number, self.paid or 0)
            if g.stack[-1] is not self:
                return
        g.stack.pop()

    def holds(self) -> tuple[int, ...]:
        return (self.number,) if self.step < 2 else ()

    def holds_openly(self) -> bool:
        return True
