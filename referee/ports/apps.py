"""A channel that opens our pages inside itself, and vouches for the reader: Telegram's Mini Apps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class VerifiedAccount:
    """Whose account it is, as the channel says it, when it said so (UTC ms), and what names this one saying
    (whatever proves it once must not prove it twice).
    """

    address: str
    at_ms: int
    mark: str


@runtime_checkable
class AppVerifier(Protocol):
    """An adapter whose channel does."""

    name: str

    def verified(self, data: str) -> VerifiedAccount | None:
        """What the channel has signed for this very account of ours; None for whatever it has not.

        How old it may be, and whether it was used before, is for the caller to judge.
        """
