"""Who would have picked what: how much a seat likes each character, by what everybody sees of it.

The worth of a character is that which a simple bot goes by (`Appeal` beside each card); where that looks into
the hand, its size must do. What is liked by one more is picked e times as often.
"""

from __future__ import annotations

from math import exp

from ..declared import Appeal
from ..facts import Seat
from ..model import State
from ..seams import Character

NO_APPEAL = Appeal()
#: this much gold, and as many cards, build several districts
RICH, SEVERAL = 4, 2
#: no character is worth more than that: nobody is as sure as numbers are
MOST = 4.0


def likings(g: State, seat: Seat) -> dict[str, float]:
    """Character -> its weight for that seat, above 0; for each of the cast."""
    return {name: exp(min(MOST, _worth(g, seat, card))) for name, card in g.rules.characters.items()}


def _worth(g: State, seat: Seat, character: Character) -> float:
    appeal = NO_APPEAL
    for one in character.declares:
        if isinstance(one, Appeal):
            appeal = one
    me = g.players[seat]
    others = [player for place, player in enumerate(g.players) if place != seat]
    worth = appeal.base if appeal.idle is None or me.hand else appeal.idle
    if appeal.type:
        worth += sum([g.cards[n].type == appeal.type for n in me.city])
    if appeal.purse:
        worth += max([player.gold for player in others]) / appeal.purse
    if appeal.hands:
        worth += (max([len(player.hand) for player in others]) - len(me.hand)) / appeal.hands
    if appeal.builds and me.gold >= RICH and len(me.hand) >= SEVERAL:
        worth += appeal.builds
    return worth
