"""The calling of the ranks, lowest first.  Who holds the called character shows it and
takes a turn; the killed keep silent, just like a character that nobody holds."""

from __future__ import annotations

from collections.abc import Sequence

from ..facts import Move, Seat
from ..model import Frame, State
from .moment import announce
from .turn import Turn


def is_silenced(g: State, character: str) -> bool:
    """Whether the holder of that character, being called, says nothing."""
    for card in g.rules.on["silenced"]:  # noqa: SIM110 - asked for every rank of every round
        if card.silenced(g, character):
            return True
    return False


def is_absent(g: State, character: str) -> bool:
    """Whether all know that nobody holds it: it was called, nobody showed it, and it was not silenced.
    (Asked of characters that have not been revealed.)
    """
    if g.phase == "draft" or is_silenced(g, character):
        return False
    return g.called is None or g.rules.characters[character].rank <= g.called


def is_spared(g: State, character: str) -> bool:
    """Whether the rank 2 characters can't name that character."""
    for card in g.rules.on["spared"]:  # noqa: SIM110 - asked for every character that might be named
        if card.spared(g, character):
            return True
    return False


def faceup_last(g: State, naming: list[Move]) -> list[Move]:
    """Orders that name a character, those last that name one which lies faceup: nobody holds it, so that is
    legal, and of no use.
    """
    faceup = g.faceup
    hidden = [move for move in naming if move.args[0] not in faceup]
    return naming if len(hidden) == len(naming) else hidden + [m for m in naming if m.args[0] in faceup]


def useless_last(g: State, characters: Sequence[str], own: str) -> tuple[str, ...]:
    """Characters in the order in which they are offered: those last that lie faceup, and behind them the one
    that is being played.
    """
    faceup = g.faceup
    others = [name for name in characters if name != own]
    useful = [name for name in others if name not in faceup]
    useless = [name for name in others if name in faceup]
    return (*useful, *useless, own) if len(others) < len(characters) else (*useful, *useless)


def player_of(g: State, character: str) -> Seat | None:
    """Who plays that character's turn this round: its holder, unless somebody took it over."""
    for card in g.rules.on["player"]:
        seat = card.player(g, character)
        if seat is not None:
            return seat
    return g.holder(character)


class Call(Frame):
    """`place`: how many characters have been called."""

    __slots__ = ("place",)
    code = "call"
    shared = True

    def __init__(self, place: int = 0) -> None:
        self.place = place

    def advance(self, g: State) -> None:
        callings = g.rules.callings
        g.phase = "turns"
        for place in range(self.place, len(callings)):
            character = callings[place]
            name = character.name
            g.called = character.rank
            seat = g.holder(name)
            if seat is None or is_silenced(g, name):
                if g.events is not None:
                    g.tell("called", rank=character.rank, character=name)
                if seat is not None and g.rules.on["silent"]:
                    g.stack[-1] = call = Call(place + 1)
                    announce(g, "silent", seat, name)
                    if g.stack[-1] is not call:
                        return
                continue
            g.stack[-1] = Call(place + 1)
            g.sealed = True
            g.own(seat).revealed += (name,)
            if g.events is not None:
                g.tell("revealed", seat=seat, character=name)
            turns: list[Frame] = [Turn(seat, name)]
            for card in g.rules.on["turns"]:
                turns = card.turns(g, seat, name) or turns
            g.stack.extend(turns if len(turns) == 1 else turns[::-1])
            announce(g, "revealed", seat, name)
            return
        g.stack.pop()
