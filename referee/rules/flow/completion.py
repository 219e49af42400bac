"""Completed cities: when one is, and what it is worth to be the first."""

from __future__ import annotations

from ..facts import Seat
from ..model import State


def city_size(g: State, seat: Seat) -> int:
    """Districts as they count toward completion."""
    city, cards = g.players[seat].city, g.cards
    if not g.rules.sized:
        return len(city)
    size = 0
    for number in city:
        size += cards[number].spaces
    return size


def is_complete(g: State, seat: Seat) -> bool:
    """Now; what counts for protection.  For the points see `State.completed`."""
    return city_size(g, seat) >= g.goal


def note_completion(g: State, seat: Seat) -> None:
    """To be called whenever a district has come to a city."""
    if seat not in g.completed and is_complete(g, seat):
        g.completed += (seat,)
        g.tell("city_complete", seat=seat, first=len(g.completed) == 1)
