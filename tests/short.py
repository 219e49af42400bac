"""Games of few districts: whole games are most of the work of many tests, and few are about their length.

    python -m tests.short serve --config …      the command `referee`, whose games are short

In `make soak` all games have their own length.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.cli import main
from referee.rules.editions import EDITIONS, plans
from tests import seeds

#: districts of a complete city
FEW = 4
#: what runs as `python -m …`
COMMAND = "referee" if seeds.ALL else "tests.short"


def shorten(put: Callable[[object, str, object], None] = setattr) -> None:
    """From now on a city is complete with few districts. `put`: what sets an attribute."""
    if not seeds.ALL:
        put(plans, "SMALL_TABLE_CITY", FEW)
        for edition in EDITIONS.values():
            put(type(edition), "complete_at", lambda self, setup: FEW)


if __name__ == "__main__":
    shorten()
    main()
