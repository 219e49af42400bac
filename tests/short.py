"""Games of few districts: whole games are most of the work of many tests, and few are about their length.

    python -m tests.short serve --config …      the command `referee`: short games, small pictures

In `make soak` all games have their own length, and all pictures their own size.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.cli import main
from referee.rules.editions import EDITIONS, plans
from referee.service.pictures import png
from tests import seeds

#: districts of a complete city
FEW = 4
#: of its own width and height a picture has here: with whole ones these tests took four tenths more work
SMALL = 0.25
#: what runs as `python -m …`
COMMAND = "referee" if seeds.ALL else "tests.short"


def shorten(put: Callable[[object, str, object], None] = setattr) -> None:
    """From now on a city is complete with few districts. `put`: what sets an attribute."""
    if not seeds.ALL:
        put(plans, "SMALL_TABLE_CITY", FEW)
        for edition in EDITIONS.values():
            put(type(edition), "complete_at", lambda self, setup: FEW)


def shrink() -> None:
    """From now on this process draws small pictures."""
    if not seeds.ALL:
        png.ZOOM *= SMALL


if __name__ == "__main__":
    shorten()
    shrink()
    main()
