"""Which messages carry one letter that was too long for one.

The referee knows a letter by its first message. People answer any of them, mostly the last, which has the
buttons; and a letter that is rewritten is rewritten in all of them. What is known is kept as a bookmark, for
the next process. Whose chat it is can't be read from that without the bot's token.
"""

from __future__ import annotations

import hmac
import json
import logging
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace

from referee.ports import Inbound, Reception

from .inbound import NAME
from .places import chat_place

log = logging.getLogger(__name__)
#: this many long letters are remembered
MOST = 500
_BOOKMARK = "long-letters"


class LongLetters:
    """Messages are known by chat and number.  Without a reception they are forgotten with the process."""

    def __init__(self, reception: Reception | None = None, token: str = "") -> None:
        self._reception, self._token = reception, token.encode()
        self._later: OrderedDict[tuple[str, str], list[str]] = OrderedDict()
        self._first: dict[tuple[str, str], str] = {}
        self._changed = False

    async def recall(self) -> None:
        """What an earlier process knew.  Raises OSError."""
        kept = None if self._reception is None else await self._reception.bookmark(NAME, _BOOKMARK)
        for where, first, later in json.loads(kept or "[]"):
            self._put(where, first, later)

    async def keep(self) -> None:
        """Write down what is known, unless it is."""
        if self._reception is None or not self._changed:
            return
        known = json.dumps([[where, first, later] for (where, first), later in self._later.items()])
        try:
            await self._reception.receive([], channel=NAME, cursor={_BOOKMARK: known})
            self._changed = False
        except OSError as full:  # the letter is out; this is written with the next one
            log.warning("the parts of a long letter are not written down: %s", full)

    def note(self, chat: int, first: str, later: Sequence[str]) -> None:
        """These follow that one now."""
        where = self._where(chat)
        self._changed |= bool(later or (where, first) in self._later)
        self._put(where, first, later)

    def _put(self, where: str, first: str, later: Sequence[str]) -> None:
        for part in self._later.pop((where, first), ()):
            self._first.pop((where, part), None)
        if not later:
            return
        self._later[where, first] = [*later]
        self._first |= {(where, part): first for part in later}
        while len(self._later) > MOST:
            (there, _), parts = self._later.popitem(last=False)
            for part in parts:
                self._first.pop((there, part), None)

    def later(self, chat: int, first: str) -> list[str]:
        """What follows that message."""
        return [*self._later.get((self._where(chat), first), ())]

    def answered(self, one: Inbound) -> Inbound:
        """As if the first message had been answered."""
        place = chat_place(one.place or one.address) if one.thread else None
        first = None if place is None else self._first.get((self._where(place.chat), one.thread))
        return one if first is None else replace(one, thread=first)

    def _where(self, chat: int) -> str:
        return hmac.digest(self._token, str(chat).encode(), "sha256").hex()[:16]
