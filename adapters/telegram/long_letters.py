"""Which messages carry one letter that was too long for one.

The referee knows a letter by its first message. People answer any of them, mostly the last, which has the
buttons; and a letter that is rewritten is rewritten in all of them. Forgotten with the process: an answer to
a later part is then one to no letter.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace

from referee.ports import Inbound

from .places import chat_place

#: this many long letters are remembered
MOST = 500


class LongLetters:
    """Messages are known by chat and number."""

    def __init__(self) -> None:
        self._later: OrderedDict[tuple[int, str], list[str]] = OrderedDict()
        self._first: dict[tuple[int, str], str] = {}

    def note(self, chat: int, first: str, later: Sequence[str]) -> None:
        """These follow that one now."""
        for part in self._later.pop((chat, first), ()):
            self._first.pop((chat, part), None)
        if not later:
            return
        self._later[chat, first] = [*later]
        self._first |= {(chat, part): first for part in later}
        while len(self._later) > MOST:
            (where, _), parts = self._later.popitem(last=False)
            for part in parts:
                self._first.pop((where, part), None)

    def later(self, chat: int, first: str) -> list[str]:
        """What follows that message."""
        return [*self._later.get((chat, first), ())]

    def answered(self, one: Inbound) -> Inbound:
        """As if the first message had been answered."""
        place = chat_place(one.place or one.address) if one.thread else None
        first = None if place is None else self._first.get((place.chat, one.thread))
        return one if first is None else replace(one, thread=first)
