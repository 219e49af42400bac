"""The letter that passes on what players say to each other."""

from __future__ import annotations

from ..core.letters import Traits, Unasked, plain
from .commands import TalkFacts

plain(TalkFacts, __name__, Traits(quiet=True, unasked=Unasked("all", gathered=False, speech=True)))
