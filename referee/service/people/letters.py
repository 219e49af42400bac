"""The letters that answer whoever spoke."""

from __future__ import annotations

from ..core.composing import Draft, Occasion
from ..core.letters import Traits, Unasked, letter, plain
from .identity import SuspiciousFacts
from .letter_facts import NoticeFacts
from .replies import EchoFacts, ToastFacts

plain("help", __name__)
plain(
    NoticeFacts,
    __name__,
    Traits(
        urgent=True,
        # a game's rules change: whoever plays it is told
        unasked=Unasked("turns", raised={"ruling": "off"}),
        defaults={"notices": [], "to": ""},
    ),
)
plain(ToastFacts, __name__, Traits(urgent=True, bound=True, toast=True, defaults={"notices": []}))
plain(EchoFacts, __name__, Traits(urgent=True, quiet=True, unasked=Unasked("all", copies=True)))


@letter(SuspiciousFacts, Traits(bound=True))
def suspicious(occasion: Occasion) -> Draft:
    """A mail came that proved nothing."""
    return Draft(facts={"stranger": True})
