"""Which lines of several orders are asked back before any of them is played."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from referee.rules import Ask, Move
from referee.rules.notation import order_text
from referee.text import NotUnderstood

#: the two ways to gather: a turn has one of them
_GATHERING = ("gold", "cards")


def alternatives(moves: Sequence[Move | NotUnderstood], ask: Ask, called: Sequence[str]) -> list[str]:
    """The orders of which a line of several can mean only one, [] where it is certain."""
    if both := _answers_to_one_question(moves, ask):
        return [order_text(move, called) for move in both]
    for one, then in pairwise(moves):
        if isinstance(one, Move) and one.verb == "redraw" and then == Move("cards"):
            # "discard Prison and draw" tells the Magician's power whole, or gathers cards as well
            alone = order_text(one, called)
            return [alone, f"{alone}; cards"]
    return []


def which(words: str, *orders: str) -> NotUnderstood:
    """Words that could be any of those orders, and can't be all of them."""
    return NotUnderstood("ambiguous", words, orders[:3], orders, {"candidates": orders})


def _answers_to_one_question(moves: Sequence[Move | NotUnderstood], ask: Ask) -> list[Move]:
    """Those of a line's orders of which a question takes only one: gold or cards, this character or that.

    They are asked back before any of them is played. Behind one that reveals something, or that ends the
    asking ("confiscate, no"), it would be too late.
    """
    now = [*dict.fromkeys(move for move in moves if isinstance(move, Move) and move in ask.moves)]
    if ask.families or (ask.kind == "turn" and len({move.verb for move in ask.moves}) > 1):
        now = [move for move in now if move.verb in _GATHERING]
    if {move.verb for move in now} == {"give"} and len({move.args[-1] for move in now}) == len(now):
        return []  # everybody is given back a card
    return now if len(now) > 1 else []
