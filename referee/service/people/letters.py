"""The letters that answer the person who spoke."""

from __future__ import annotations

from ..core.commands import topics
from ..core.composing import Draft, LetterContext
from ..core.letters import LetterTraits, UnsolicitedDelivery, letter, plain
from .identity import SuspiciousFacts
from .letter_facts import HelpFacts, NoticeFacts
from .replies import EchoFacts, ToastFacts

plain(
    NoticeFacts,
    __name__,
    LetterTraits(
        urgent=True,
        # a game's rules change: anyone who plays it is told
        unasked=UnsolicitedDelivery("turns", raised={"ruling": "off"}),
        defaults={"notices": [], "to": ""},
    ),
)
plain(ToastFacts, __name__, LetterTraits(urgent=True, bound=True, toast=True, defaults={"notices": []}))
plain(
    EchoFacts,
    __name__,
    LetterTraits(urgent=True, quiet=True, unasked=UnsolicitedDelivery("all", copies=True)),
)


@letter(SuspiciousFacts, LetterTraits(bound=True))
def suspicious(ctx: LetterContext) -> Draft:
    """A mail came that proved nothing."""
    return Draft(facts={"stranger": True})


@letter(HelpFacts)
def help_(ctx: LetterContext) -> Draft:
    """What can be written: all of it as it is declared, so that no list forgets a command."""
    return Draft({"topics": topics()})
