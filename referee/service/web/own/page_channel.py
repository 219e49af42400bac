"""The channel of web pages: to the outbox worker a channel like any other, but what it is given stays here
until the page that asked for it is shown.

A letter counts as delivered once it lies here; its words are those of the outbox. Only what the outbox
forgets (letters with a secret in them) is kept a little longer, in memory.
"""

from __future__ import annotations

from collections import OrderedDict

from referee.ports import Fate, Finding, Letter, Limits, Receipt, Reception

from ...core.outbox import WEB

#: this many letters are kept in memory, all people's together
_KEPT = 200


class PageChannel:
    """An adapter without a wire (`referee.ports.Adapter`)."""

    name = WEB
    markup = "web"
    can_edit = False
    idempotent = True
    rewrites = False

    def __init__(self) -> None:
        self.limits: Limits = self
        self._lately: OrderedDict[str, Letter] = OrderedDict()

    def delay_ms(self, letter: Letter, now_ms: int) -> int:
        """Nobody is kept waiting."""
        return 0

    async def start(self, reception: Reception) -> None:
        """Nothing to open: what is written on a page comes through the web door."""

    async def send(self, letter: Letter) -> Receipt:
        """Lay it down; the wire's name for it is whom it is for, by which it is found again."""
        self._lately[letter.id] = letter
        while len(self._lately) > _KEPT:
            self._lately.popitem(last=False)
        return Receipt(Fate.SENT, wire_id=letter.address or "")

    def lately(self, name: str) -> Letter | None:
        """A letter that was laid down not long ago (`Letter.id`), with its words."""
        return self._lately.get(name)

    async def stop(self) -> None:
        """Nothing to close."""

    async def check(self) -> list[Finding]:
        """Nothing to look at."""
        return []

    def healthy(self) -> bool:
        """Always."""
        return True
