"""Building: from the hand, for its price, into the city."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..abilities import Way
from ..acts import gain
from ..facts import NO_FIGURES, Figures, Move, Refusal, Seat
from ..model import Frame, Option, State
from ..seams import Character, District
from .completion import note_completion
from .moment import announce

if TYPE_CHECKING:
    from .turn import Turn


def price_of(g: State, seat: Seat, district: District) -> int:
    """What that seat pays for it now, gold."""
    price = district.cost
    for changing in pricing(g, seat):
        price = changing.price(g, seat, district, price)
    return price


def build_figures(g: State, seat: Seat, move: Move) -> Figures:
    """The price of a build that is paid from the stash, and of no other."""
    if len(move.args) > 1:
        return NO_FIGURES
    return Figures(price=price_of(g, seat, g.rules.districts[move.args[0]]))


def pricing(g: State, seat: Seat) -> list[District]:
    """The districts of that city which change prices."""
    listening, cards = g.rules.at["price"], g.cards
    return [cards[n] for n in g.players[seat].city if cards[n] in listening] if listening else []


def twin_allowed(g: State, seat: Seat, district: District) -> bool:
    """Whether a district of a name that stands in the city may be built again."""
    listening, cards = g.rules.at["twins"], g.cards
    if listening:
        for number in g.players[seat].city:
            if cards[number] in listening and cards[number].twins(g, seat, district):
                return True
    return False


def is_full(g: State, seat: Seat) -> bool:
    """Whether the city may not grow any more (the option max_city, ruling 53)."""
    most = g.setup.options.get("max_city")
    if most is None and g.rules.max_city is not None and g.holds(53):
        most = g.rules.max_city
    return isinstance(most, int) and len(g.players[seat].city) >= most


def build_options(g: State, turn: Turn, out: list[Option]) -> None:
    """Append an order for each district of the hand and each way to build it now."""
    seat, rules = turn.seat, g.rules
    character = rules.characters[turn.powers]
    spent = turn.built >= character.limit
    if (spent and character not in rules.lenient) or not character.builds:
        return
    gold, changing = g.players[seat].gold, pricing(g, seat)
    known = known_ways(g, seat, character) if rules.has_ways else []
    able = hand_of(g, seat, as_printed=not changing and not known)
    if not able or is_full(g, seat):
        return
    able = allowed(g, seat, character, able, spent=spent)
    for district in able:
        price = district.cost
        for card in changing:
            price = card.price(g, seat, district, price)
        if price <= gold:
            out.append(district.order)
    if rules.has_ways:
        other: list[Option] = []
        for district in able:
            for way in known:
                way.offer(g, turn, district, other)
            for way in district.own_ways:
                way.offer(g, turn, district, other)
        if other:
            out.extend(dict.fromkeys(other))  # two ways may come to the same order


def hand_of(g: State, seat: Seat, *, as_printed: bool) -> list[District]:
    """The districts of the hand, each once.  `as_printed`: nothing can be paid but the price on the card, so
    that those which are too dear may be left out: most of a hand is, and that is seen fastest."""
    cards, me = g.cards, g.players[seat]
    gold = me.gold
    out: list[District] = []
    for number in me.hand:
        district = cards[number]
        if as_printed and district.cost > gold and not district.own_ways:
            continue
        if district not in out:
            out.append(district)
    return out


def allowed(
    g: State, seat: Seat, character: Character, hand: list[District], *, spent: bool
) -> list[District]:
    """Those of the districts that may be built now, whatever they would cost.  `character` is that of the
    turn's powers, `spent` whether its limit is reached."""
    cards, limited = g.cards, g.rules.limited
    standing = set() if character.builds_twins else {cards[n] for n in g.players[seat].city}
    return [
        district
        for district in hand
        if not (
            (district in standing and not twin_allowed(g, seat, district))
            or (spent and district.counted and character.counted(district))
            or (district in limited and district.forbidden(g, seat))
        )
    ]


def known_ways(g: State, seat: Seat, character: Character) -> list[Way]:
    """Every way but paying from the stash in which that player, with these powers, may build any district;
    a district may know more for itself (`own_ways`)."""
    cards, knowing = g.cards, g.rules.knowing_ways
    out = [*character.ways]
    if knowing:
        for number in g.players[seat].city:
            if cards[number] in knowing:
                out.extend(cards[number].ways)
    return out


def way_of(g: State, turn: Turn, move: Move) -> Way | None:
    """The way that a longer build order means, if this player has it."""
    character = g.rules.characters[turn.powers]
    for way in (*known_ways(g, turn.seat, character), *g.rules.districts[move.args[0]].own_ways):
        if any(shape.fits(move.args) for shape in way.shapes):
            return way
    return None


def why_not_build(g: State, turn: Turn, move: Move) -> Refusal:
    name, seat = move.args[0], turn.seat
    district, character = g.rules.districts[name], g.rules.characters[turn.powers]
    me = g.players[seat]
    if not turn.gathered:
        return Refusal("gather-first", verb=move.verb)
    if name not in g.names(me.hand):
        return Refusal("not-in-hand", card=name)
    if not character.builds:
        return Refusal("limit", limit=0)
    if is_full(g, seat):
        return Refusal("full", most=len(me.city))
    if turn.built >= character.limit and district.counted and character.counted(district):
        return Refusal("limit", limit=character.limit)
    if district.forbidden(g, seat):
        return Refusal("cannot-build", card=name)
    if name in g.names(me.city) and not character.builds_twins and not twin_allowed(g, seat, district):
        return Refusal("identical", card=name, player=seat)
    if len(move.args) > 1:
        way = way_of(g, turn, move)
        if way is None:
            return Refusal("not-your-power", verb=move.verb, needs=list(g.rules.ways_of(move)))
        return way.why_not(g, turn, move)
    return Refusal("too-poor", price=price_of(g, seat, district), gold=me.gold)


def start_build(g: State, turn: Turn, move: Move) -> None:
    """Take the card out of the hand, pay, and leave the rest to a Build frame."""
    seat, args = turn.seat, move.args
    hand = g.own(seat).hand
    number = g.find(hand, args[0])
    hand.remove(number)
    district = g.cards[number]
    if district.counted and g.rules.characters[turn.powers].counted(district):
        turn.built += 1
    build = Build(seat, number, None)
    g.stack.append(build)
    if len(args) == 1:
        pay(g, build)
        return
    way = way_of(g, turn, move)
    assert way is not None, "an offered order has a way"
    way.pay(g, turn, move, build)


def pay(g: State, build: Build) -> None:
    """Pay the usual price from the builder's stash."""
    build.paid = price_of(g, build.seat, g.cards[build.number])
    gain(g, build.seat, -build.paid)


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
                return  # somebody is asked first
            self.step = 2
        if self.step == 2:
            g.quiet = 0
            g.own(self.city).city.append(self.number)
            if g.events is not None:
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
