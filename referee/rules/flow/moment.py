"""A moment: the cards that listen to it hear it one after the other.

When a card asks somebody, the rest of the listeners wait beneath the question.
"""

from __future__ import annotations

from typing import Any

from ..model import Frame, State
from ..seams import Card


class Moment(Frame):
    """`place`: the next listener."""

    __slots__ = ("args", "name", "place")
    code = "moment"

    def __init__(self, name: str, args: tuple[Any, ...], place: int) -> None:
        self.name, self.args, self.place = name, args, place

    def advance(self, g: State) -> None:
        g.stack.pop()
        _go_on(g, self.name, self.args, g.rules.on[self.name], self.place)


def announce(g: State, name: str, *args: Any) -> None:
    """Tell the listeners.  A question may be on the stack afterwards, so this is the last
    thing that a step of a frame does."""
    listeners = g.rules.on[name]
    if listeners:
        _go_on(g, name, args, listeners, 0)


def _go_on(g: State, name: str, args: tuple[Any, ...], listeners: tuple[Card, ...], place: int) -> None:
    stack, told = g.stack, (g, *args)
    depth = len(stack)
    for card in listeners[place:] if place else listeners:
        place += 1
        getattr(card, name)(*told)
        if len(stack) > depth:
            if place < len(listeners):
                stack.insert(depth, Moment(name, args, place))
            return
