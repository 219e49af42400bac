"""Warlord, rank 8: destroys a district for one gold less than its cost.

Not in a completed city (his own included), not where a city or a district is out of reach
of rank 8.
"""
from __future__ import annotations

from ...acts import gain
from ...facts import Move, Refusal, Seat
from ...flow.completion import is_complete
from ...flow.loss import destroy
from ...flow.turn import Turn
from ...model import Option, State
from ...powers import Income
from ...seams import Ability, Character, District
from ...shapes import Shape


class Destroy(Ability):
    key = "destroy"
    shapes = (Shape("destroy <P> <D>"),)

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        gold, cards = g.players[turn.seat].gold, g.cards
        for victim, player in enumerate(g.players):
            if not player.city or is_complete(g, victim) or _shelter(g, victim, turn.seat):
                continue
            districts = [cards[n] for n in player.city]
            walls = [w for w in districts if w in g.rules.at["ransom"]]
            for district in dict.fromkeys(districts):
                if district.shielded or district.cost - 1 > gold:
                    continue
                if not walls or fee(g, victim, district, walls) <= gold:
                    out.append(Move("destroy", (victim, district.name)))

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        victim, name = move.args
        district = g.rules.districts[name]
        city = [g.cards[n] for n in g.players[victim].city]
        if district not in city:
            return Refusal("not-in-city", card=name, player=victim)
        if is_complete(g, victim):
            return Refusal("complete", player=victim)
        shelter = _shelter(g, victim, turn.seat)
        if shelter or district.shielded:
            return Refusal("protected", card=name, player=victim, by=shelter or name)
        walls = [w for w in city if w in g.rules.at["ransom"]]
        return Refusal("too-poor", price=fee(g, victim, district, walls), gold=g.players[turn.seat].gold)

    def play(self, g: State, turn: Turn, move: Move) -> None:
        victim, name = move.args
        city = g.players[victim].city
        number = g.find(city, name)
        walls = [w for n in city if (w := g.cards[n]) in g.rules.at["ransom"]]
        paid = fee(g, victim, g.cards[number], walls)
        gain(g, turn.seat, -paid)
        destroy(g, turn.seat, victim, number, paid)


def fee(g: State, victim: Seat, district: District, walls: list[District]) -> int:
    """What destroying that district costs, gold."""
    price = max(0, district.cost - 1)
    for wall in walls:
        price = wall.ransom(g, victim, district, price)
    return price


def _shelter(g: State, victim: Seat, by: Seat) -> str | None:
    """The card that keeps rank 8 out of that city."""
    for card in g.rules.on["sheltered"]:
        if card.sheltered(g, victim, by):
            return card.name
    return None


class Warlord(Character):
    name, rank, type, dullness = "Warlord", 8, "military", 4
    abilities = (Income("military"), Destroy())
