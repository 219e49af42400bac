"""A player who does anything that is allowed, each answer as likely as any other."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from ..rules.facts import Family, Move
from .answers import families, moves


def choose(view: Mapping[str, Any], rng: Random) -> Move:
    """One of the answers on offer; a choice of cards counts as one answer."""
    options: list[Move | Family] = [*moves(view), *families(view)]
    option = rng.choice(options)
    if isinstance(option, Family):
        return option.move(tuple(rng.sample(option.cards, rng.randint(option.least, option.most))))
    return option
