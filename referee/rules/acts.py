"""The few ways in which gold, cards and the crown move.

Anyone who moves something does it through these, so that the bank's count holds and what
seals a turn against being taken back (a card drawn, a hand seen) is never forgotten.
"""

from __future__ import annotations

from .facts import Seat
from .model import State


def gain(g: State, seat: Seat, gold: int) -> None:
    """The bank gives (a negative number: gets)."""
    g.own(seat).gold += gold
    g.bank -= gold


def hand_over(g: State, giver: Seat, taker: Seat, gold: int) -> None:
    g.own(giver).gold -= gold
    g.own(taker).gold += gold


def draw(g: State, count: int) -> tuple[int, ...]:
    """Up to `count` cards off the top of the deck; what is there is drawn."""
    drawn = tuple(g.deck[:count])
    if drawn:
        g.deck, g.sealed = g.deck[count:], True
    return drawn


def bury(g: State, numbers: tuple[int, ...]) -> None:
    """Under the deck, in that order."""
    g.deck = [*g.deck, *numbers]


def draw_to_hand(g: State, seat: Seat, count: int) -> int:
    """Draw into the hand; the others see how many, returned."""
    drawn = draw(g, count)
    g.own(seat).hand.extend(drawn)
    if drawn:
        g.tell_cards("cards_gained", seat, drawn)
    return len(drawn)


def take_named(g: State, seat: Seat, names: tuple[str, ...]) -> tuple[int, ...]:
    """Take cards of these names out of the seat's hand, in that order."""
    hand = g.own(seat).hand
    numbers = []
    for name in names:
        number = g.find(hand, name)
        hand.remove(number)
        numbers.append(number)
    return tuple(numbers)


def pass_cards(g: State, giver: Seat, taker: Seat, numbers: tuple[int, ...]) -> None:
    """From hand to hand; which cards, those two learn.  That it happens, the caller tells."""
    hand = g.own(giver).hand
    for number in numbers:
        hand.remove(number)
    g.own(taker).hand.extend(numbers)
    g.sealed = True
    if g.events is not None:
        cards = g.names(numbers)
        g.tell("card_given", giver, other=taker, cards=cards)
        g.tell("card_received", taker, other=giver, cards=cards)


def exchange_hands(g: State, one: Seat, other: Seat) -> None:
    a, b = g.own(one), g.own(other)
    a.hand, b.hand = b.hand, a.hand
    g.sealed = True
    for seat in (one, other):
        g.tell_cards("new_hand", seat, g.players[seat].hand)


def crown(g: State, seat: Seat, why: str) -> None:
    """Give the crown; nothing is told where it stays."""
    if g.crown != seat:
        g.crown = seat
        g.tell("crowned", seat=seat, why=why)
        for card in g.rules.on["crowned"]:
            card.crowned(g, seat)
