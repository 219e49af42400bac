"""Who plays in the weather (weathered.py), and by what policy: how often and how late somebody answers, when
they vanish, and words for any policy at all.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from referee.policy import Policy
from referee.text import NotUnderstood, Reading
from referee.text.reading.policy import read_policy

ZONES = (
    "UTC",
    "Europe/Lisbon",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Kolkata",
    "Antarctica/Troll",
    "Pacific/Apia",
)
NAMES = ("telegram:ana", "matrix:@bea:hs", "terminal:cy", "telegram:dan")
PLANS = (
    "always prefer King, Merchant, any",
    "otherwise: gold; build cheapest; end",
    "always otherwise: gold; end",
    "buy never",
)


def some_policy(dice: random.Random) -> Policy:
    """Words for a policy as people would say them, and the policy that they are."""
    while True:
        words = [dice.choice(("gentle", "daily", "brisk", "live", "daily", "brisk"))]
        for word in (
            "24h",
            "6h",
            "days Mo-Fr",
            "days Mo, We, Sa",
            f"snap 19:00 {dice.choice(ZONES)}",
            "no bank",
            "bank 10h",
            "credit 1h",
            "quiet 22-07",
            "no quiet",
            "quiet 1-9 urgent",
            "no nights",
            "nights 8h",
            "no vacation",
            "vacation 3d",
            "no unreachable",
            "unreachable 5h",
            "no remind",
            "remind 90% 10%",
            "excuse 0",
            "probation 1",
            "replace 3",
            "standin bot",
            "standin either",
            "pause 2d",
            "plans 0m",
            "alternates 3h",
        ):
            if dice.random() < 0.12:
                words.append(word)
        found = read_policy(" ".join([*words, "no restart"]), Reading())
        if not isinstance(found, NotUnderstood):
            return found


@dataclass
class Player:
    """How somebody is: how often and how late they answer, when they vanish, when they are back."""

    who: str
    slow: float
    misses: float
    gone: tuple[int, int] | None
    blocked: bool = False
    ignored: set[int] = field(default_factory=set)
    due: dict[int, int] = field(default_factory=dict)  # question -> when they mean to answer it

    def away(self, now: int) -> bool:
        return self.gone is not None and self.gone[0] <= now < self.gone[1]
