"""What rank 8 can touch: not a sheltered city, not a shielded district, and elsewhere for a fee."""

from __future__ import annotations

from ..facts import Refusal, Seat
from ..model import State
from ..seams import District
from .completion import is_complete


def shelter(g: State, victim: Seat, by: Seat) -> str | None:
    """The card that keeps rank 8 out of that city."""
    for card in g.rules.on["sheltered"]:
        if card.sheltered(g, victim, by):
            return card.name
    return None


def walls(g: State, victim: Seat) -> list[District]:
    """The districts of that city which make rank 8 pay."""
    listening = g.rules.at["ransom"]
    return [d for n in g.players[victim].city if (d := g.cards[n]) in listening] if listening else []


def fee(g: State, victim: Seat, district: District, price: int) -> int:
    """What rank 8 pays for its ability on that district, `price` being the ability's own."""
    for wall in walls(g, victim):
        price = wall.ransom(g, victim, district, price)
    return price


def out_of_reach(g: State, victim: Seat, district: District, by: Seat) -> Refusal | None:
    """Why rank 8 can't touch that district, whatever it would pay."""
    if is_complete(g, victim):
        return Refusal("complete", player=victim)
    by_whom = shelter(g, victim, by) or (district.name if district.shielded else None)
    return Refusal("protected", card=district.name, player=victim, by=by_whom) if by_whom else None
