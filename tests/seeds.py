"""Which share of a law's random seeds a run plays: a quarter with every push, all of them in `make soak`.

    @pytest.mark.parametrize("seed", share(range(40)))      # 10 of them; all with REFEREE_SOAK=1
    @settings(max_examples=some(400))                       # 100 examples

`REFEREE_SHARE=1` (2, 3) plays another quarter. Only for what is random and alike: a table whose rows each say
something of their own is played whole. Faults that are planted to prove a law may be
shared, too: they try the law, not the referee.

Variants are no seeds: where a dear test is tried in each language, by each channel, at each size, a push
plays every value of each at least once, and `make soak` all of them with each other.

    @pytest.mark.parametrize(("size", "dark"), covering([PHONE, DESKTOP], [False, True]))     # 2, or all 4
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any, TypeVar

T = TypeVar("T")
PARTS = 4
#: all seeds, and the long runs
ALL = os.environ.get("REFEREE_SOAK") == "1"
#: which quarter, 0 to 3: fixed, so that a run that fails here fails anywhere
PART = int(os.environ.get("REFEREE_SHARE") or 0) % PARTS


def share(seeds: Iterable[T]) -> list[T]:
    """One of every four, or all.

    Which of the four changes from one four to the next: seeds often stand for 2, 4 or 6 kinds of tables in
    turn, and each kind has its share.
    """
    return [one for place, one in enumerate(seeds) if ALL or place % PARTS == (place // PARTS + PART) % PARTS]


def some(number: int) -> int:
    """How many of so many random examples: a quarter of them, at least one, or all."""
    return number if ALL else max(1, number // PARTS)


def covering(*factors: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Variants, one value of each factor: as many as the longest factor has values, each value of each at
    least once; or all of them with each other. Another quarter meets other pairs.
    """
    if ALL:
        return list(product(*factors))
    return [
        tuple(values[(row + PART * place) % len(values)] for place, values in enumerate(factors))
        for row in range(max(map(len, factors)))
    ]


def told() -> str:
    """What the run says of itself before it begins."""
    if ALL:
        return "random seeds: all of every law, and the long runs"
    return (
        f"random seeds: quarter {PART} of {PARTS} of every law "
        f"(another one: REFEREE_SHARE={(PART + 1) % PARTS} make test; all: make soak)"
    )
