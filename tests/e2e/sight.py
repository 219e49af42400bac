"""What a person sees of a letter, whatever it came by: the words, and the numbered answers in them."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field

_OPTION = re.compile(r"^[ \t]*(\d{1,2})[.)][ \t]+(\S.*?)[ \t]*$", re.MULTILINE)

#: offered beside the answers to a question, and no answer
PLANNING = "Plan my round"


@dataclass(frozen=True)
class Shown:
    """One letter on the screen.

    `id` tells it from others; `options` are the offered answers by number; `labels` are buttons, where the
    channel has them; `source` is the channel's own message; `at_ms` is when it came, where somebody keeps
    account.
    """

    id: str
    text: str
    options: dict[int, str] = field(default_factory=dict)
    labels: tuple[str, ...] = ()
    source: object = None
    at_ms: int = 0


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def options(text: str) -> dict[int, str]:
    """The last list numbered 1, 2, 3 … in a text: its answers."""
    found: dict[int, str] = {}
    for number, label in _OPTION.findall(text):
        if int(number) == 1:
            found = {1: label}
        elif found and int(number) == len(found) + 1:
            found[int(number)] = label
    return answers(found)


def answers(offered: dict[int, str]) -> dict[int, str]:
    """What of that answers a question."""
    return {number: label for number, label in offered.items() if label != PLANNING}
