"""What stands in a city: what it costs there, and how an order names it."""

from __future__ import annotations

from ..facts import BEAUTIFIED, Seat
from ..model import State


def cost_of(g: State, number: int) -> int:
    """What that district costs as it stands, for points and for rank 8."""
    cost = g.cards[number].cost
    for card in g.rules.on["worth"]:
        cost = card.worth(g, number, cost)
    return cost


def own_city_last(g: State, seat: Seat) -> list[Seat]:
    """All seats in the order in which their cities are offered to that one, to be destroyed: its own last."""
    return sorted(range(len(g.players)), key=lambda other: other == seat)


def is_raised(g: State, number: int) -> bool:
    """Whether it costs more than its card says."""
    return cost_of(g, number) > g.cards[number].cost


def standing(g: State, seat: Seat) -> dict[str, int]:
    """The districts of a city by the names that orders give them: each name once.

    Of several with one name the plain one has the name; one that was raised is then called
    "… beautified" (ruling 13).  Of those that are alike in all, the first is meant."""
    city, cards = g.players[seat].city, g.cards
    out: dict[str, int] = {}
    raised = {n for n in city if is_raised(g, n)} if g.rules.on["worth"] else None
    if not raised:
        for number in city:
            out.setdefault(cards[number].name, number)
        return out
    for number in sorted(city, key=lambda n: n in raised):
        name = cards[number].name
        if name in out and number in raised and out[name] not in raised:
            name += BEAUTIFIED
        out.setdefault(name, number)
    return out


def plain_name(name: str) -> str:
    """The card's name in an order's name for it."""
    return name.removesuffix(BEAUTIFIED)


def has_name(g: State, seat: Seat, name: str) -> bool:
    """Whether a district of that card name stands in the city."""
    cards = g.cards
    for number in g.players[seat].city:  # noqa: SIM110 - asked for every city of every round
        if cards[number].name == name:
            return True
    return False
