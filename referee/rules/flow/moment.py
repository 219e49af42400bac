"""A moment: the cards that listen to it hear it one after the other.

When a card asks somebody, the rest of the listeners wait beneath the question.
"""

from __future__ import annotations

from typing import Any

from ..model import Frame, State


class Moment(Frame):
    """`place`: the next listener."""

    __slots__ = ("args", "name", "place")
    code = "moment"

    def __init__(self, name: str, args: tuple[Any, ...], place: int) -> None:
        self.name, self.args, self.place = name, args, place

    def advance(self, g: State) -> None:
        g.stack.pop()
        _go_on(g, self.name, self.args, self.place)


def announce(g: State, name: str, *args: Any) -> None:
    """Tell the listeners.  A question may be on the stack afterwards, so this is the last
    thing that a step of a frame does."""
    if g.rules.on[name]:
        _go_on(g, name, args, 0)


def _go_on(g: State, name: str, args: tuple[Any, ...], place: int) -> None:
    listeners = g.rules.on[name]
    depth = len(g.stack)
    for place in range(place, len(listeners)):  # noqa: B020 - the place goes on from where it was
        getattr(listeners[place], name)(g, *args)
        if len(g.stack) > depth:
            if place + 1 < len(listeners):
                g.stack.insert(depth, Moment(name, args, place + 1))
            return
