"""One channel: what an adapter can do, how fast it may be written to, what a check of it finds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from .letters import Letter, Receipt
from .reception import Reception


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found (`referee doctor`): `level` is ok, warn or bad; `code` names the
    finding for the sentence in templates/, `facts` are what that sentence needs."""

    level: str
    code: str
    facts: dict[str, Any] = field(default_factory=dict)


class Limits(Protocol):
    """How fast a channel may be written to; asked by the outbox worker before each letter."""

    def delay_ms(self, letter: Letter, now_ms: int) -> int:
        """0 if it may go now (and is counted), else how long to wait."""


class Paced(Limits, Protocol):
    """Limits that know for how long the channel takes nothing at all, so that the outbox worker need not ask
    letter by letter.
    """

    def rest_ms(self, now_ms: int) -> int:
        """How long every letter would have to wait, no matter who it is for; 0 where some may go.

        Counts nothing.
        """


class Adapter(Protocol):
    """One channel.  Made by `adapters.<name>.build(settings, clock_ms)`; each has its own settings class."""

    name: str
    #: the kind of markup this channel wants: "telegram", "matrix", "mail" or "text"
    markup: str
    #: whether a sent message can be edited
    can_edit: bool
    #: whether the same letter sent twice shows once on this wire
    idempotent: bool
    #: whether the answer to a pressed button is best shown in the message that bore it
    rewrites: bool
    limits: Limits

    async def start(self, reception: Reception) -> None:
        """Connect and begin to receive in the background.  A server that is away is no
        error here: keep trying with back-off."""

    async def send(self, letter: Letter) -> Receipt:
        """Hand one letter to the wire.  Never raises for what the wire may do; the same letter
        twice must not appear twice where the wire has an idempotency key (Matrix txn id, mail Message-ID)."""

    async def stop(self) -> None:
        """Stop receiving, close what is open, within two seconds."""

    async def check(self) -> list[Finding]:
        """For `referee doctor`: a real call to the wire, nothing written to any person."""

    def healthy(self) -> bool:
        """Whether the wire answered lately."""


@runtime_checkable
class Reachable(Protocol):
    """An adapter that has an address of its own, at which anybody can write to it."""

    name: str

    def contact(self) -> tuple[str, str]:
        """The address as people write it, for example "@citadels_bot", and a link that opens a conversation
        with it; both "" as long as they are not known.
        """
