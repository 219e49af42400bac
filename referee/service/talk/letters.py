"""The letter that passes on what players say to each other."""

from __future__ import annotations

from ..core.letters import LetterTraits, UnsolicitedDelivery, plain
from .commands import TalkFacts

plain(
    TalkFacts,
    __name__,
    LetterTraits(quiet=True, unasked=UnsolicitedDelivery("all", gathered=False, speech=True)),
)
